// One plot: lines over time, or one column against another. Two canvases lie on each other: lines and axes are drawn when the
// span, the size or the theme changes, and the cursor above them at every step of the clock.

const SHOWN_AT_FIRST = 8;
const MARGIN = { left: 58, right: 14, top: 12, bottom: 26 };

class Plot {
  constructor({ run, clock, zoom, theme, announce }, about) {
    Object.assign(this, { run, clock, zoom, theme, announce, about });
    this.phase = about.kind === "phase";
    this.own = null;
    this.drag = null;
    this.readout = false;
    const few = about.y.length <= SHOWN_AT_FIRST + 2;
    this.lines = about.y.map((column, index) => ({ column, index, on: few || index < SHOWN_AT_FIRST }));
    this.visible = false;
    this.stale = true;
    this.ask = onceAFrame(() => this.draw());
    this.askCursor = onceAFrame(() => this.drawCursor());
    this.build();
    zoom.listen(() => {
      if (this.phase) return;
      this.reset.hidden = zoom.whole;
      this.invalidate();
    });
    theme.listen(() => this.invalidate());
    clock.listen((change) => {
      if (change === "time" || change === "hover") this.askCursor();
    });
    new IntersectionObserver(([entry]) => {
      this.visible = entry.isIntersecting;
      if (this.visible) this.ask();
    }, { rootMargin: "150px" }).observe(this.frame);
    new ResizeObserver(() => this.invalidate()).observe(this.frame);
  }

  build() {
    const { about } = this;
    this.base = element("canvas", { class: "base", role: "img" });
    this.over = element("canvas", { class: "over", "aria-hidden": "true" });
    this.box = element("div", { class: "readout", hidden: true, "aria-hidden": "true" });
    const help = `${about.title}. Arrow keys move the time, plus and minus zoom, 0 shows all.`;
    this.frame = element("div", { class: "frame", tabindex: "0", role: "group", "aria-label": help },
      this.base, this.over, this.box);
    this.reset = element("button", { type: "button", class: "quiet reset", hidden: true }, "Reset zoom");
    this.reset.addEventListener("click", () => this.unzoom());
    const unit = about.unit && about.unit !== "1" ? element("span", { class: "unit" }, unitText(about.unit)) : "";
    const body = element("div", { class: "plot-body" }, this.buildLegend(), this.reset, this.frame);
    if (about.note) body.append(element("p", { class: "note" }, about.note));
    this.element = element("details", { class: "plot", id: `plot-${about.id}`, open: about.open !== false },
      element("summary", {}, element("h3", {}, about.title), unit), body);
    this.element.addEventListener("toggle", () => this.invalidate());
    listenToPointer(this);
    listenToWheel(this);
    listenToKeys(this);
  }

  buildLegend() {
    this.items = this.lines.map((line) => {
      const swatch = this.swatch(line.index);
      const state = { "aria-pressed": String(line.on), title: this.run.columns[line.column].name };
      const item = element("button", { type: "button", class: "item", ...state }, swatch, this.run.label(line.column));
      item.addEventListener("click", () => this.show([line], !line.on));
      return item;
    });
    const name = `Lines of ${this.about.title}`;
    const legend = element("div", { class: "legend", role: "group", "aria-label": name }, ...this.items);
    if (this.lines.length > SHOWN_AT_FIRST + 2) {
      for (const [text, on] of [["none", false], ["all", true]]) {
        const button = element("button", { type: "button", class: "quiet" }, text);
        button.addEventListener("click", () => this.show(this.lines, on));
        legend.prepend(button);
      }
    }
    return legend;
  }

  show(lines, on) {
    for (const line of lines) {
      line.on = on;
      this.items[line.index].setAttribute("aria-pressed", String(on));
    }
    this.invalidate();
  }

  /** A short piece of line `k`, in a colour of the style sheet. */
  swatch(k) {
    const swatch = element("span", { class: "swatch" });
    swatch.style.borderTopColor = k === null ? "transparent" : `var(--s-${(k % SERIES) + 1})`;
    swatch.style.borderTopStyle = k < SERIES ? "solid" : "dashed";
    return swatch;
  }

  color(k) {
    return this.theme.series[k % SERIES];
  }

  invalidate() {
    this.stale = true;
    this.ask();
  }

  unzoom() {
    if (this.own) {
      this.own = null;
      this.reset.hidden = true;
      this.invalidate();
    } else this.zoom.reset();
    this.frame.focus({ preventScroll: true });
  }

  // ---- what is seen

  /** The rows in the span, with one more on each side so that lines reach the edge. */
  span() {
    if (this.phase) return [0, this.run.rows];
    const { t, rows } = this.run;
    return [Math.max(0, upperBound(t, this.zoom.low) - 2), Math.min(rows, upperBound(t, this.zoom.high) + 1)];
  }

  /** Least and largest finite value of a column in rows; on a log scale, of the sizes that are not zero. */
  extent(column, [from, to], log = false) {
    const values = this.run.column(column);
    let [low, high] = [Infinity, -Infinity];
    for (let i = from; i < to; i += 1) {
      const v = log ? Math.abs(values[i]) : values[i];
      if (v - v !== 0 || (log && v === 0)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
    return [low, high];
  }

  scales(width, height) {
    const { about, run } = this;
    const span = this.span();
    const shown = this.lines.filter((line) => line.on);
    const ranges = shown.map((line) => this.extent(line.column, span, about.log));
    let y = [Math.min(...ranges.map((r) => r[0])), Math.max(...ranges.map((r) => r[1]))];
    let x = this.phase ? widened(this.extent(about.x, span)) : [this.zoom.low, this.zoom.high];
    y = about.log ? wholeDecades(y) : widened(y);
    if (this.own) [x, y] = [this.own.x, this.own.y];
    if (!(x[1] > x[0])) x = [x[0] - 0.5, x[0] + 0.5];
    const area = { left: MARGIN.left, right: width - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
    const sx = (area.right - area.left) / (x[1] - x[0]);
    const sy = (area.bottom - area.top) / (y[1] - y[0]);
    const floor = 10 ** y[0];
    const linear = (v) => area.bottom - (v - y[0]) * sy;
    return {
      x, y, area, ranges, span,
      toX: (v) => area.left + (v - x[0]) * sx,
      toY: about.log ? (v) => linear(Math.log10(Math.max(Math.abs(v), floor))) : linear,
      fromX: (px) => x[0] + (px - area.left) / sx,
      fromY: (py) => y[0] + (area.bottom - py) / sy,
      rows: run.rows,
    };
  }

  /** Draws now if it can be seen, or if `always`. */
  draw(always = false) {
    if (!(this.stale || always) || !(this.visible || always) || !this.element.open) return;
    const { width, height } = this.size();
    if (width < 80) return;
    this.stale = false;
    const context = prepare(this.base, width, height);
    const scales = (this.scale = this.scales(width, height));
    drawAxes(context, this, scales);
    const { area } = scales;
    context.save();
    context.beginPath();
    context.rect(area.left, area.top - 2, area.right - area.left, area.bottom - area.top + 4);
    context.clip();
    if (!this.phase) drawEvents(context, this, scales);
    context.lineJoin = "round";
    for (const line of this.lines) {
      if (!line.on) continue;
      context.strokeStyle = context.fillStyle = this.color(line.index);
      context.lineWidth = 1.5;
      context.setLineDash(line.index < SERIES ? [] : line.index < 2 * SERIES ? [7, 3] : [2, 3]);
      if (this.phase) tracePhase(context, this.run.column(this.about.x), this.run.column(line.column), scales);
      else traceTime(context, this.run.t, this.run.column(line.column), scales);
    }
    context.restore();
    this.describe(scales);
    this.drawCursor(always);
  }

  size() {
    return isPrinting() ? { width: 340, height: 165 } : { width: this.frame.clientWidth, height: this.frame.clientHeight };
  }

  describe(scales) {
    const { run } = this;
    const shown = this.lines.filter((line) => line.on);
    const ranges = shown.slice(0, 6).map((line, k) => {
      const [low, high] = scales.ranges[k];
      const name = run.label(line.column);
      return low > high ? `${name} has no values` : `${name} from ${number(low)} to ${number(high)}${run.unit(line.column)}`;
    });
    if (shown.length > 6) ranges.push(`and ${shown.length - 6} more`);
    const [from, to] = scales.x.map((time) => this.clock.text(time));
    const over = this.phase ? `against ${run.label(this.about.x)}` : `from ${from} to ${to}`;
    const how = this.about.log ? ", logarithmic" : "";
    this.base.setAttribute("aria-label", `Plot, ${this.about.title} ${over}${how}: ${ranges.join(", ") || "no lines shown"}.`);
  }

  // ---- the cursor

  drawCursor(always = false) {
    if (!this.scale || !(this.visible || always) || !this.element.open) return;
    const { width, height } = this.size();
    const context = prepare(this.over, width, height);
    const { area } = this.scale;
    context.save();
    context.beginPath();
    context.rect(area.left - 5, area.top - 5, area.right - area.left + 10, area.bottom - area.top + 10);
    context.clip();
    this.mark(context, this.clock.time, this.theme.accent);
    if (this.clock.hover !== null) this.mark(context, this.clock.hover, this.theme.faint);
    if (this.drag?.moved) {
      const [a, b] = [this.drag.from, this.drag.to];
      context.fillStyle = faded(this.theme.accent, 0.12);
      const top = this.phase ? Math.min(a.y, b.y) : area.top;
      context.fillRect(Math.min(a.x, b.x), top, Math.abs(b.x - a.x), this.phase ? Math.abs(b.y - a.y) : area.bottom - area.top);
    }
    context.restore();
    const at = this.hovered ? this.clock.hover : this.readout ? this.clock.time : null;
    this.showReadout(at);
  }

  mark(context, time, color) {
    const { toX, toY, area } = this.scale;
    const place = this.run.locate(time);
    const x = this.phase ? toX(this.run.value(this.about.x, place)) : toX(time);
    if (!this.phase) {
      if (x < area.left - 1 || x > area.right + 1) return;
      context.strokeStyle = color;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(x, area.top);
      context.lineTo(x, area.bottom);
      context.stroke();
    }
    for (const line of this.lines) {
      if (!line.on) continue;
      const value = this.run.value(line.column, place);
      if (!Number.isFinite(value) || !Number.isFinite(x)) continue;
      context.beginPath();
      context.arc(x, toY(value), this.phase ? 4 : 3, 0, 7);
      context.fillStyle = this.phase ? color : this.color(line.index);
      context.strokeStyle = this.theme.panel;
      context.lineWidth = 1.5;
      context.fill();
      context.stroke();
    }
  }

  showReadout(time) {
    if (time === null || this.drag?.moved) {
      this.box.hidden = true;
      return;
    }
    const rows = this.values(time);
    const shown = rows.slice(0, 12).map(([k, label, value]) => (
      element("div", {}, this.swatch(k), element("span", { class: "name" }, label), element("span", { class: "value" }, value))));
    if (rows.length > 12) shown.push(element("div", {}, `and ${rows.length - 12} more`));
    const event = this.eventNear(time);
    if (event) shown.push(element("div", { class: "event" }, event.text || event.name));
    this.box.replaceChildren(element("div", { class: "when" }, `${this.run.label(0)} = ${this.clock.text(time)}`), ...shown);
    this.box.hidden = false;
    const place = this.run.locate(time);
    const x = this.phase ? this.scale.toX(this.run.value(this.about.x, place)) : this.scale.toX(time);
    const { width } = this.size();
    const wide = this.box.offsetWidth;
    const right = x + 14 + wide < width;
    this.box.style.left = `${clamp(right ? x + 14 : x - 14 - wide, 0, Math.max(0, width - wide))}px`;
  }

  /** The event whose mark lies at `time`, to a few pixels. */
  eventNear(time) {
    if (this.phase) return null;
    const near = (event) => Math.abs(this.scale.toX(event.t) - this.scale.toX(time));
    const best = this.run.events.reduce((a, b) => (a && near(a) <= near(b) ? a : b), null);
    return best && near(best) < 4 ? best : null;
  }

  /** What the lines are at `time`: index, label, value with unit. */
  values(time) {
    const place = this.run.locate(time);
    const one = (column, k) => [k, this.run.label(column), number(this.run.value(column, place), 5) + this.run.unit(column)];
    const rows = this.lines.filter((line) => line.on).map((line) => one(line.column, line.index));
    return this.phase ? [one(this.about.x, null), ...rows] : rows;
  }

  say() {
    const values = this.values(this.clock.time).slice(0, 6).map(([, label, value]) => `${label} ${value}`);
    this.announce(`${this.clock.text(this.clock.time)}: ${values.join(", ")}`);
  }

  /** The time under a place in the plot: in a phase plot that of the nearest recorded point. */
  timeAt({ x, y }) {
    if (!this.phase) return clamp(this.scale.fromX(x), this.zoom.low, this.zoom.high);
    const xs = this.run.column(this.about.x);
    let [best, at] = [40 ** 2, null];
    for (const line of this.lines) {
      if (!line.on) continue;
      const ys = this.run.column(line.column);
      for (let i = 0; i < this.run.rows; i += 1) {
        const distance = (this.scale.toX(xs[i]) - x) ** 2 + (this.scale.toY(ys[i]) - y) ** 2;
        if (distance < best) [best, at] = [distance, this.run.t[i]];
      }
    }
    return at;
  }

  /** Where the pointer is; `move` also sets the time. */
  point(at, move) {
    this.hovered = true;
    const time = this.timeAt(at);
    this.clock.point(time);
    if (move && time !== null) this.clock.set(time);
  }

  leave() {
    this.hovered = false;
    this.clock.point(null);
    this.askCursor();
  }

  pan(by) {
    const { first, last } = this.run;
    const move = clamp(by, first - this.zoom.low, last - this.zoom.high);
    this.zoom.set(this.zoom.low + move, this.zoom.high + move);
  }

  /** Zooms to what lies between two places: a span of time, or in a phase plot a rectangle. */
  select({ from, to }) {
    const sorted = (a, b) => [Math.min(a, b), Math.max(a, b)];
    const x = sorted(this.scale.fromX(from.x), this.scale.fromX(to.x));
    const y = sorted(this.scale.fromY(from.y), this.scale.fromY(to.y));
    if (!this.phase) this.zoom.set(...x);
    else if (Math.abs(from.x - to.x) > 5 && Math.abs(from.y - to.y) > 5) {
      this.own = { x, y };
      this.reset.hidden = false;
      this.invalidate();
    }
  }
}

/** A range with air around it. Columns hold about seven digits, so a line that is constant to five or six is drawn as one. */
const widened = ([low, high]) => {
  if (!(high >= low)) return [0, 1];
  const largest = Math.max(Math.abs(low), Math.abs(high));
  const span = high - low > largest * 4e-6 ? high - low : largest * 0.4 || 1;
  const middle = (low + high) / 2;
  return [middle - span * 0.55, middle + span * 0.55];
};

/** Powers of ten around a range of sizes, not more than twenty of them. */
const wholeDecades = ([low, high]) => {
  if (!(high >= low)) return [-16, -8];
  return [Math.floor(Math.log10(Math.max(low, high * 1e-20))), Math.ceil(Math.log10(high) + 0.05)];
};
