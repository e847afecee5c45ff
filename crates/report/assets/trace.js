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
  const { unit } = run.columns[about.x];
  const measured = unit && unit !== "1" ? ` / ${unitText(unit)}` : "";
  const name = `${run.label(about.x)}${measured} ${horizontal.scale}`.trimEnd();
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

/** Events as thin dashed lines; where there are many, as ticks at the upper edge. */
const drawEvents = (context, plot, { toX, x, area }) => {
  const places = new Set();
  for (const event of plot.run.events) {
    if (event.t >= x[0] && event.t <= x[1]) places.add(Math.round(toX(event.t)) + 0.5);
  }
  const many = places.size > 40;
  context.strokeStyle = plot.theme.mark;
  context.lineWidth = 1;
  context.setLineDash(many ? [] : [3, 3]);
  context.beginPath();
  for (const px of places) {
    context.moveTo(px, area.top);
    context.lineTo(px, many ? area.top + 5 : area.bottom);
  }
  context.stroke();
  context.setLineDash([]);
};

/** A line over time: through every row, or where several share a pixel, through what they cover. */
const traceTime = (context, t, values, scales) => {
  const { span: [from, to], area } = scales;
  if (to - from > 4 * (area.right - area.left)) traceDense(context, t, values, scales);
  else traceRows(context, t, values, scales);
};

const traceRows = (context, t, values, { toX, toY, span: [from, to] }) => {
  const dots = [];
  let begun = -1;
  context.beginPath();
  for (let i = from; i <= to; i += 1) {
    const v = i < to ? values[i] : NaN;
    if (v - v !== 0) {
      if (begun === i - 1 && begun >= 0) dots.push([toX(t[begun]), toY(values[begun])]);
      begun = -1;
    } else if (begun < 0) {
      begun = i;
      context.moveTo(toX(t[i]), toY(v));
    } else context.lineTo(toX(t[i]), toY(v));
  }
  context.stroke();
  drawDots(context, dots);
};

/** One upright bar per pixel, from the least to the largest value, joined to the last value of the pixel before. */
const traceDense = (context, t, values, { toX, toY, span: [from, to] }) => {
  const fine = Math.max(1, Math.round(context.getTransform().a));
  const thick = context.lineWidth;
  let [px, low, high, last] = [NaN, 0, 0, NaN];
  const flush = () => {
    const top = toY(high);
    context.fillRect(px / fine, top - thick / 2, Math.max(1 / fine, thick * 0.67), Math.max(toY(low) - top, 0) + thick);
  };
  for (let i = from; i < to; i += 1) {
    const v = values[i];
    if (v - v !== 0) {
      if (px === px) flush();
      px = last = NaN;
      continue;
    }
    const x = Math.round(toX(t[i]) * fine);
    if (x !== px) {
      if (px === px) flush();
      px = x;
      low = last < v ? last : v;
      high = last > v ? last : v;
    } else if (v < low) low = v;
    else if (v > high) high = v;
    last = v;
  }
  if (px === px) flush();
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
