// How a place in the model becomes a place on the screen: flat with equal scales, or seen in space.

/** The flat view: y points up, one scale for both directions. */
class FlatCamera {
  constructor(bounds) {
    this.bounds = bounds;
    this.fit(300, 200);
  }

  fit(width, height) {
    const { low, high } = this.bounds;
    // The buttons are above and the scale bar is below.
    const [side, top, bottom] = [30, 44, 34];
    this.fitted = Math.min((width - 2 * side) / (high[0] - low[0]), (height - top - bottom) / (high[1] - low[1]));
    if (!this.touched) {
      this.scale = this.fitted;
      this.center = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2 + (top - bottom) / 2 / this.scale];
    }
    [this.width, this.height] = [width, height];
  }

  /** Width to height of the stage that suits the motion. */
  get ratio() {
    const { low, high } = this.bounds;
    return clamp((high[0] - low[0]) / (high[1] - low[1]), 1, 1.75);
  }

  /** What the view is, in numbers. */
  get state() {
    return [...this.center, this.scale];
  }

  reset() {
    this.touched = false;
    this.fit(this.width, this.height);
  }

  project([x, y]) {
    const { scale } = this;
    const [right, up] = [(x - this.center[0]) * scale, (y - this.center[1]) * scale];
    return { x: this.width / 2 + right, y: this.height / 2 - up, depth: 0, scale };
  }

  /** A drag by pixels, or an arrow key. */
  drag(dx, dy) {
    this.touched = true;
    this.center = [this.center[0] - dx / this.scale, this.center[1] + dy / this.scale];
  }

  slide(dx, dy) {
    this.drag(dx, dy);
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const scale = clamp(this.scale * factor, this.fitted * 0.02, this.fitted * 1e4);
    // What lies under (x, y) stays there.
    const less = 1 / this.scale - 1 / scale;
    this.touched = true;
    this.center = [this.center[0] + (x - this.width / 2) * less, this.center[1] - (y - this.height / 2) * less];
    this.scale = scale;
  }
}

/** The view in space: z points up, a mild perspective, turned about the middle of the motion. */
class SpaceCamera {
  constructor(bounds) {
    this.bounds = bounds;
    const { low, high } = bounds;
    this.center = [0, 1, 2].map((k) => (low[k] + high[k]) / 2);
    this.radius = Math.hypot(...[0, 1, 2].map((k) => high[k] - low[k])) / 2;
    // At first x points to the right and y away; what is flat is seen from higher up.
    const flatness = 1 - Math.min(1, (high[2] - low[2]) / Math.max(high[0] - low[0], high[1] - low[1]));
    this.beginning = [-1.08, 0.35 + 0.25 * flatness ** 2];
    this.reset();
  }

  /** Turns to an azimuth and an elevation, in radians, and keeps their cosines and sines. */
  look(azimuth, elevation) {
    [this.azimuth, this.elevation] = [azimuth, clamp(elevation, -1.5, 1.5)];
    this.directions = [this.azimuth, this.elevation].map((angle) => ({ cos: Math.cos(angle), sin: Math.sin(angle) }));
  }

  get state() {
    return [this.azimuth, this.elevation, this.magnification, ...this.shift];
  }

  reset() {
    this.look(...this.beginning);
    this.magnification = 1;
    this.shift = [0, 0];
  }

  /** As large as the box of the motion allows, seen as at the beginning; turning does not change the size. */
  fit(width, height) {
    const air = 34;
    const { across, along } = this.extent();
    [this.width, this.height] = [width, height];
    this.focus = Math.min((width - 2 * air) / (across[1] - across[0]), (height - 2 * air) / (along[1] - along[0]));
    this.origin = [width / 2 - (this.focus * (across[0] + across[1])) / 2, height / 2 + (this.focus * (along[0] + along[1])) / 2];
  }

  /** What the box of the motion covers, seen as at the beginning, in tangents. */
  extent() {
    const now = [this.azimuth, this.elevation];
    this.look(...this.beginning);
    const { low, high } = this.bounds;
    const seen = Array.from({ length: 8 }, (_, k) => this.eye([0, 1, 2].map((axis) => ((k >> axis) & 1 ? high : low)[axis])));
    this.look(...now);
    const range = (values) => [Math.min(...values), Math.max(...values)];
    return { across: range(seen.map(({ right, away }) => right / away)), along: range(seen.map(({ up, away }) => up / away)) };
  }

  get ratio() {
    const { across, along } = this.extent();
    return clamp((across[1] - across[0]) / (along[1] - along[0]), 1, 1.5);
  }

  /** Right, up and towards the eye, and how far from it. It stands five radii away, so that nothing is ever behind it. */
  eye(p) {
    const [x, y, z] = [p[0] - this.center[0], p[1] - this.center[1], p[2] - this.center[2]];
    const [a, e] = this.directions;
    const [out, right] = [a.cos * x + a.sin * y, a.cos * y - a.sin * x];
    const [towards, up] = [e.cos * out + e.sin * z, e.cos * z - e.sin * out];
    return { right, up, towards, away: Math.max(5 * this.radius - towards, this.radius * 0.05) };
  }

  project(p) {
    const { right, up, towards, away } = this.eye(p);
    const scale = (this.focus * this.magnification) / away;
    const [x, y] = [this.origin[0] + this.shift[0], this.origin[1] + this.shift[1]];
    return { x: x + right * scale, y: y - up * scale, depth: towards, scale };
  }

  drag(dx, dy) {
    this.look(this.azimuth - dx * 0.008, this.elevation + dy * 0.008);
  }

  slide(dx, dy) {
    this.shift = [this.shift[0] + dx, this.shift[1] + dy];
  }

  zoom(factor, x = this.origin[0], y = this.origin[1]) {
    const next = clamp(this.magnification * factor, 0.1, 100);
    const ratio = next / this.magnification;
    const [px, py] = [x - this.origin[0], y - this.origin[1]];
    this.shift = [px + (this.shift[0] - px) * ratio, py + (this.shift[1] - py) * ratio];
    this.magnification = next;
  }
}

/** A grid of steps of 1, 2 or 5, with a bar that says how long a step is. */
const drawFlatGrid = (context, camera, theme, unit) => {
  const { width, height } = camera;
  const half = [width / camera.scale / 2, height / camera.scale / 2];
  const [cx, cy] = camera.center;
  const { step } = ticks(cx - half[0], cx + half[0], width / 70);
  if (!(step > 0)) return;
  const sharp = (v) => Math.round(v) + 0.5;
  for (const axis of [false, true]) {
    context.strokeStyle = axis ? theme.line : theme.grid;
    context.lineWidth = 1;
    context.beginPath();
    for (let k = Math.ceil((cx - half[0]) / step); k * step <= cx + half[0]; k += 1) {
      if ((k === 0) !== axis) continue;
      const { x } = camera.project([k * step, 0]);
      context.moveTo(sharp(x), 0);
      context.lineTo(sharp(x), height);
    }
    for (let k = Math.ceil((cy - half[1]) / step); k * step <= cy + half[1]; k += 1) {
      if ((k === 0) !== axis) continue;
      const { y } = camera.project([0, k * step]);
      context.moveTo(0, sharp(y));
      context.lineTo(width, sharp(y));
    }
    context.stroke();
  }
  drawScaleBar(context, camera, theme, step, unit);
};

const drawScaleBar = (context, { height, scale }, theme, step, unit) => {
  const long = step * scale;
  const [x, y] = [14.5, height - 14.5];
  context.strokeStyle = context.fillStyle = theme.faint;
  context.lineWidth = 1.25;
  context.beginPath();
  context.moveTo(x, y - 4);
  context.lineTo(x, y);
  context.lineTo(x + long, y);
  context.lineTo(x + long, y - 4);
  context.stroke();
  context.font = `11px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(`${number(step, 1)}${spaced(unit)}`, x + long / 2, y - 3);
};

/** The ground below the motion, and three arrows that say which way is which. */
const drawGround = (context, camera, theme, ground, unit) => {
  const { low, high } = camera.bounds;
  const wide = Math.max(high[0] - low[0], high[1] - low[1], camera.radius * 0.8);
  const { step } = ticks(0, wide, 7);
  if (!(step > 0)) return;
  const edge = (k) => {
    const middle = (low[k] + high[k]) / 2;
    const half = Math.max((high[k] - low[k]) / 2 + step * 0.4, wide * 0.4);
    return [Math.floor((middle - half) / step), Math.ceil((middle + half) / step)];
  };
  const [x, y] = [edge(0), edge(1)];
  context.strokeStyle = theme.line;
  context.lineWidth = 0.75;
  context.beginPath();
  const line = (a, b) => {
    const [p, q] = [camera.project(a), camera.project(b)];
    context.moveTo(p.x, p.y);
    context.lineTo(q.x, q.y);
  };
  for (let k = x[0]; k <= x[1]; k += 1) line([k * step, y[0] * step, ground], [k * step, y[1] * step, ground]);
  for (let k = y[0]; k <= y[1]; k += 1) line([x[0] * step, k * step, ground], [x[1] * step, k * step, ground]);
  context.stroke();
  context.font = `11px ${theme.font}`;
  context.fillStyle = theme.faint;
  context.textAlign = "right";
  context.textBaseline = "alphabetic";
  context.fillText(`grid ${number(step, 1)}${spaced(unit)}`, camera.width - 12, camera.height - 12);
};

const drawTriad = (context, camera, theme) => {
  const [a, e] = camera.directions;
  const [ox, oy, long] = [40, camera.height - 36, 24];
  // Right, up and towards the eye.
  const axes = [
    ["x", -a.sin, -a.cos * e.sin, a.cos * e.cos, "red"],
    ["y", a.cos, -a.sin * e.sin, a.sin * e.cos, "green"],
    ["z", 0, e.cos, e.sin, "blue"],
  ];
  context.font = `600 11px ${theme.font}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 1.5;
  for (const [name, right, up, , color] of axes.sort((a, b) => a[3] - b[3])) {
    context.strokeStyle = context.fillStyle = theme.named[color];
    context.beginPath();
    context.moveTo(ox, oy);
    context.lineTo(ox + right * long, oy - up * long);
    context.stroke();
    context.fillText(name, ox + right * (long + 9), oy - up * (long + 9));
  }
};
