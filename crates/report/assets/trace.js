// What is drawn in a plot: axes, marks of events, and lines of as many rows as there are.

const drawAxes = (context, plot, { x, y, area, toX }) => {
  const { theme, about, run } = plot;
  const size = plot.phase || area.right - area.left > 300 ? 90 : 64;
  context.font = `11px ${theme.font}`;
  context.lineWidth = 1;
  const sharp = (v) => Math.round(v) + 0.5;
  const horizontal = ticks(x[0], x[1], (area.right - area.left) / size);
  const vertical = about.log ? decades(y, area) : ticks(y[0], y[1], (area.bottom - area.top) / 38);
  const toY = (v) => area.bottom - ((v - y[0]) * (area.bottom - area.top)) / (y[1] - y[0]);
  context.strokeStyle = theme.grid;
  context.beginPath();
  for (const v of horizontal.values) {
    context.moveTo(sharp(toX(v)), area.top);
    context.lineTo(sharp(toX(v)), area.bottom);
  }
  for (const v of vertical.values) {
    context.moveTo(area.left, sharp(toY(v)));
    context.lineTo(area.right, sharp(toY(v)));
  }
  context.stroke();
  context.strokeStyle = theme.line;
  context.beginPath();
  const base = !about.log && y[0] < 0 && y[1] > 0 ? toY(0) : area.bottom;
  context.moveTo(area.left, sharp(base));
  context.lineTo(area.right, sharp(base));
  if (plot.phase && x[0] < 0 && x[1] > 0) {
    context.moveTo(sharp(toX(0)), area.top);
    context.lineTo(sharp(toX(0)), area.bottom);
  }
  context.stroke();
  context.fillStyle = theme.faint;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const v of vertical.values) context.fillText(vertical.text(v), area.left - 8, toY(v));
  if (vertical.scale) {
    context.textAlign = "left";
    context.fillText(vertical.scale, area.left + 4, area.top + 2);
  }
  context.textBaseline = "top";
  context.textAlign = "center";
  const name = `${run.label(about.x)}${run.columns[about.x].unit ? ` / ${unitText(run.columns[about.x].unit)}` : ""}${horizontal.scale ? ` ${horizontal.scale}` : ""}`;
  const reserved = area.right - context.measureText(name).width - 10;
  for (const v of horizontal.values) {
    const text = horizontal.text(v);
    if (toX(v) + context.measureText(text).width / 2 < reserved) context.fillText(text, toX(v), area.bottom + 8);
  }
  context.textAlign = "right";
  context.fillText(name, area.right, area.bottom + 8);
};

/** Powers of ten, as many as there is room for. */
const decades = ([low, high], area) => {
  const every = Math.max(1, Math.ceil((high - low) / Math.max(1, (area.bottom - area.top) / 26)));
  const values = [];
  for (let k = Math.ceil(low / every) * every; k <= high; k += every) values.push(k);
  return { values, text: (k) => (k === 0 ? "1" : k === 1 ? "10" : `10${superscript(k)}`), scale: "" };
};

/** Events as thin dashed lines; where many fall on one pixel, one is drawn. */
const drawEvents = (context, plot, { toX, x, area }) => {
  context.strokeStyle = plot.theme.mark;
  context.lineWidth = 1;
  context.setLineDash([3, 3]);
  context.beginPath();
  let last = -Infinity;
  for (const event of plot.run.events) {
    if (event.t < x[0] || event.t > x[1]) continue;
    const px = Math.round(toX(event.t)) + 0.5;
    if (px === last) continue;
    last = px;
    context.moveTo(px, area.top);
    context.lineTo(px, area.bottom);
  }
  context.stroke();
  context.setLineDash([]);
};

/** A line over time. Where several rows share a pixel, their first, least, largest and last value stand for all. */
const traceTime = (context, t, values, { toX, toY, span: [from, to], area }) => {
  const fine = 2;
  const dense = to - from > 4 * (area.right - area.left) * fine;
  let pen = false;
  let alone = true;
  let px = NaN;
  let first = 0;
  let [low, high, last] = [0, 0, 0];
  const reach = (x, y) => {
    if (pen) {
      context.lineTo(x, y);
      alone = false;
    } else {
      context.moveTo(x, y);
      pen = alone = true;
    }
  };
  const dots = [];
  const flush = () => {
    if (Number.isNaN(px)) return;
    reach(px, toY(first));
    if (low !== high) {
      reach(px, toY(low));
      reach(px, toY(high));
      reach(px, toY(last));
    }
    px = NaN;
  };
  const lift = (row) => {
    flush();
    if (pen && alone) dots.push([toX(t[row]), toY(values[row])]);
    pen = false;
  };
  context.beginPath();
  for (let i = from; i < to; i += 1) {
    const v = values[i];
    if (v - v !== 0) {
      lift(i - 1);
      continue;
    }
    const x = dense ? Math.round(toX(t[i]) * fine) / fine : toX(t[i]);
    if (!dense) reach(x, toY(v));
    else if (x === px) {
      if (v < low) low = v;
      if (v > high) high = v;
      last = v;
    } else {
      flush();
      px = x;
      first = low = high = last = v;
    }
  }
  lift(to - 1);
  context.stroke();
  drawDots(context, dots);
};

/** A value between two gaps has no line; it is a dot. */
const drawDots = (context, dots) => {
  for (const [x, y] of dots) {
    context.beginPath();
    context.arc(x, y, 2, 0, 7);
    context.fill();
  }
};

/** One column against another. Steps shorter than half a pixel are left out. */
const tracePhase = (context, xs, ys, { toX, toY, rows }) => {
  let pen = false;
  let [lastX, lastY, drawn] = [0, 0, 0];
  context.beginPath();
  for (let i = 0; i < rows; i += 1) {
    const x = toX(xs[i]);
    const y = toY(ys[i]);
    if (x - x !== 0 || y - y !== 0) {
      pen = false;
      continue;
    }
    if (pen && Math.abs(x - lastX) + Math.abs(y - lastY) < 0.5) continue;
    if (pen) context.lineTo(x, y);
    else context.moveTo(x, y);
    lastX = x;
    lastY = y;
    pen = true;
    drawn += 1;
  }
  context.stroke();
  if (drawn === 1) drawDots(context, [[lastX, lastY]]);
};
