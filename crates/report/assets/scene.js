// The picture at one time: where its points are, and its shapes drawn in order, in space from far to near.

const LINE_WIDTH = { thin: 1.25, normal: 2.25, thick: 4.5 };
const TRACE_POINTS = 12000;

class Scene {
  constructor(run, picture) {
    this.run = run;
    this.picture = picture;
    this.flat = picture.dimension !== 3;
    // Scenery and ways lie under the things that move.
    const layer = ({ kind }) => ({ path: 0, ground: 0, trace: 1 })[kind] ?? 2;
    this.shapes = [...picture.shapes].sort((a, b) => layer(a) - layer(b));
    this.bounds = this.measure();
    const { low, high } = this.bounds;
    this.size = Math.max(high[0] - low[0], high[1] - low[1], this.flat ? 0 : high[2] - low[2]);
    this.camera = this.flat ? new FlatCamera(this.bounds) : new SpaceCamera(this.bounds);
    this.ground = this.groundHeight();
    this.overlay = new Overlay(this);
    const column = picture.points.flatMap((point) => point.columns ?? []).find((index) => index !== null);
    this.unit = column === undefined ? null : run.columns[column]?.unit;
  }

  /** Where point `index` is in row `row`, for the whole way and for bounds. */
  pointInRow(index, row) {
    const point = this.picture.points[index];
    if (point.fixed) return point.fixed;
    return [0, 1, 2].map((k) => (typeof point.columns[k] === "number" ? this.run.column(point.columns[k])[row] : 0));
  }

  pointAt(index, place) {
    const point = this.picture.points[index];
    if (point.fixed) return point.fixed;
    return [0, 1, 2].map((k) => (typeof point.columns[k] === "number" ? this.run.value(point.columns[k], place) : 0));
  }

  scalarAt(index, place) {
    if (typeof index !== "number") return 0;
    const scalar = this.picture.scalars[index];
    return typeof scalar.column === "number" ? this.run.value(scalar.column, place) : scalar.fixed;
  }

  /** The box that holds every point of every shape in every row. */
  measure() {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    const reach = new Map();
    for (const shape of this.picture.shapes) {
      const [w, h] = [shape.width ?? shape.height ?? 0, shape.height ?? shape.width ?? 0];
      const own = shape.radius ?? Math.hypot(w, h) / 2;
      for (const index of shape.points) reach.set(index, Math.max(reach.get(index) ?? 0, own));
    }
    const include = (k, value, air) => {
      if (!Number.isFinite(value)) return;
      low[k] = Math.min(low[k], value - air);
      high[k] = Math.max(high[k], value + air);
    };
    for (const [index, air] of reach) {
      const point = this.picture.points[index];
      for (let k = 0; k < 3; k += 1) {
        if (point.fixed) include(k, point.fixed[k] ?? 0, air);
        else if (typeof point.columns[k] !== "number") include(k, 0, air);
        else {
          let [least, most] = [Infinity, -Infinity];
          for (const value of this.run.column(point.columns[k])) {
            if (value < least) least = value;
            if (value > most && value !== Infinity) most = value;
          }
          include(k, least, air);
          include(k, most, air);
        }
      }
    }
    const largest = Math.max(...low.map((value, k) => high[k] - value), 0);
    const room = largest > 0 && Number.isFinite(largest) ? largest * 0.12 : 1;
    for (let k = 0; k < 3; k += 1) {
      if (!(high[k] >= low[k])) [low[k], high[k]] = [0, 0];
      if (high[k] - low[k] < room) {
        const middle = (low[k] + high[k]) / 2;
        if (k < 2 || largest === 0) [low[k], high[k]] = [middle - room / 2, middle + room / 2];
      }
    }
    return { low, high };
  }

  /** The floor is at zero where the motion stands on it or close above it, else just below. */
  groundHeight() {
    const { low, high } = this.bounds;
    const tall = this.size * 0.35;
    if (low[2] >= -this.size * 0.02 && low[2] < tall && high[2] >= 0) return Math.min(0, low[2]);
    return low[2];
  }

  /** What does not change while the film runs: the grid, and the whole way of each trace. */
  drawBackground(context, theme) {
    if (this.flat) drawFlatGrid(context, this.camera, theme, this.unit);
    else drawGround(context, this.camera, theme, this.ground, this.unit);
    for (const shape of this.shapes) {
      if (shape.kind !== "trace") continue;
      // Opaque: a way that is gone many times does not grow darker.
      context.strokeStyle = theme.tint(theme.color(shape.color, theme.accent), 0.3);
      context.lineWidth = 1;
      this.strokeWay(context, shape.points[0], 0, this.run.rows - 1);
    }
  }

  strokeWay(context, index, from, to, end = null) {
    const stride = Math.max(1, Math.floor(this.run.rows / TRACE_POINTS));
    let pen = false;
    const reach = (p) => {
      const { x, y } = this.camera.project(p);
      if (x - x !== 0 || y - y !== 0) pen = false;
      else if (pen) context.lineTo(x, y);
      else {
        context.moveTo(x, y);
        pen = true;
      }
    };
    context.beginPath();
    reach(this.pointInRow(index, from));
    // The same rows at every step, so that a long way does not shimmer.
    for (let row = (Math.floor(from / stride) + 1) * stride; row < to; row += stride) reach(this.pointInRow(index, row));
    reach(end ?? this.pointInRow(index, to));
    context.stroke();
  }

  /** Draws all shapes at `time`. */
  draw(context, theme, time) {
    const place = this.run.locate(time);
    context.lineJoin = context.lineCap = "round";
    const pieces = [];
    const labels = [];
    if (!this.flat) this.drawShadows(context, theme, place);
    this.overlay.drawTraces(context, theme, time, place);
    for (const shape of this.shapes) {
      if (shape.kind === "trace") this.drawTrace(context, theme, shape, time, place);
      else {
        const at = shape.points.map((index) => this.pointAt(index, place));
        if (at.some((p) => p.some((v) => !Number.isFinite(v)))) continue;
        DRAW[shape.kind]?.(this, shape, at, place, theme, pieces);
        if (shape.label) labels.push([shape, at]);
      }
    }
    // Of two pieces at one depth the one written later lies in front.
    if (!this.flat) pieces.sort((a, b) => a.depth - b.depth);
    for (const piece of pieces) piece.draw(context);
    this.overlay.drawArrows(context, theme, place);
    for (const [shape, at] of labels) this.drawLabel(context, theme, shape, at);
    if (!this.flat) drawTriad(context, this.camera, theme);
  }

  /** The way up to now, fading towards its beginning. */
  drawTrace(context, theme, shape, time, place) {
    const { run } = this;
    const index = shape.points[0];
    const begin = shape.length > 0 ? Math.max(run.first, time - shape.length) : run.first;
    const from = run.locate(begin).row;
    const color = theme.color(shape.color, theme.accent);
    context.lineWidth = LINE_WIDTH[shape.line] ?? 1.75;
    const parts = 24;
    let start = from;
    for (let k = 1; k <= parts; k += 1) {
      const until = k === parts ? place.row : run.locate(begin + ((time - begin) * k) / parts).row;
      if (until < start || (until === start && k < parts)) continue;
      context.strokeStyle = faded(color, 0.15 + 0.85 * (k / parts) ** 1.5);
      this.strokeWay(context, index, start, until, k === parts ? this.pointAt(index, place) : null);
      start = until;
    }
  }

  /** Soft shadows on the ground tell how high things are. */
  drawShadows(context, theme, place) {
    if (this.camera.elevation < 0) return;
    context.strokeStyle = context.fillStyle = faded(theme.ink, 0.1);
    for (const shape of this.shapes) {
      if (["trace", "path", "ground"].includes(shape.kind)) continue;
      const feet = shape.points.map((index) => this.camera.project([...this.pointAt(index, place).slice(0, 2), this.ground]));
      if (feet.some(({ x, y }) => !Number.isFinite(x + y))) continue;
      if (shape.kind === "point" || shape.kind === "body") {
        const r = shape.axis === null && shape.radius ? shape.radius * feet[0].scale : 5;
        context.beginPath();
        context.ellipse(feet[0].x, feet[0].y, r, r * Math.max(0.08, Math.sin(this.camera.elevation)), 0, 0, 7);
        context.fill();
      } else {
        context.lineWidth = 2.5;
        context.beginPath();
        for (const { x, y } of feet) context.lineTo(x, y);
        context.stroke();
      }
    }
  }

  drawLabel(context, theme, shape, at) {
    // In the middle of a link or a plane figure, on a curve, at a point.
    const middle = at.length === 2 || shape.kind === "polygon"
      ? [0, 1, 2].map((k) => at.reduce((sum, p) => sum + (p[k] ?? 0), 0) / at.length)
      : at[Math.floor(at.length / 2)];
    const { x, y, scale } = this.camera.project(middle);
    const away = (shape.radius ?? Math.max(shape.width ?? 0, shape.height ?? 0) / 2) * scale * 0.75 + 7;
    context.font = `13px ${theme.font}`;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    context.lineWidth = 3;
    context.strokeStyle = theme.panel;
    // At the right edge it stands on the other side.
    const wide = context.measureText(shape.label).width;
    const left = x + away + wide > this.camera.width - 4 ? x - away - wide : x + away;
    context.strokeText(shape.label, left, y - away + 3);
    context.fillStyle = theme.ink;
    context.fillText(shape.label, left, y - away + 3);
  }

  /** What is seen, in words. */
  describe() {
    const counts = new Map();
    for (const { kind } of this.picture.shapes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    const names = { body: ["body", "bodies"], path: ["fixed path", "fixed paths"], ground: ["support", "supports"] };
    const parts = [...counts].map(([kind, n]) => `${n} ${names[kind]?.[n > 1 ? 1 : 0] ?? kind + (n > 1 ? "s" : "")}`);
    const labels = this.picture.shapes.map((shape) => shape.label).filter(Boolean);
    const labelled = labels.length > 0 ? `; labels: ${labels.slice(0, 12).join(", ")}` : "";
    return `${this.flat ? "plane" : "spatial"} picture with ${parts.join(", ")}${labelled}`;
  }
}
