// What the picture shows on request: the traces of all points, velocities, and forces of constraints on particles.

const ARROW_SHARE = 0.2;
const ARROW_ROWS = 400;

class Overlay {
  constructor(scene) {
    this.scene = scene;
    const { velocities = [], reactions = [] } = scene.picture.arrows ?? {};
    this.arrows = {
      velocities: velocities.map(([point, rate]) => ({ point, at: (place) => scene.pointAt(rate, place) })),
      reactions: reactions.map(([point, force]) => ({ point, at: (place) => force.map((sum) => this.total(sum, place)) })),
    };
    const traced = new Set(scene.shapes.filter(({ kind }) => kind === "trace").map(({ points }) => points[0]));
    const dots = scene.shapes.filter(({ kind, points }) => (kind === "point" || kind === "body") && !scene.picture.points[points[0]].fixed);
    this.traces = [...new Set(dots.map(({ points }) => points[0]))].filter((point) => !traced.has(point));
    this.scales = Object.fromEntries(Object.keys(this.arrows).map((kind) => [kind, this.scaleOf(this.arrows[kind])]));
    this.shown = new Set();
  }

  /** The kinds of which there is something to show. */
  get kinds() {
    const forces = this.scales.reactions > 0 ? ["reactions"] : [];
    return [...(this.traces.length > 0 ? ["traces"] : []), ...(this.scales.velocities > 0 ? ["velocities"] : []), ...forces];
  }

  /** The ideal and the non-ideal part of the force on a coordinate; nothing stands for 0. */
  total(columns, place) {
    return (columns ?? []).reduce((sum, column) => sum + this.scene.run.value(column, place), 0);
  }

  /** Lengths of the picture for each unit, so that the longest arrow of the run is a fixed part of the picture. */
  scaleOf(arrows) {
    const { rows } = this.scene.run;
    const stride = Math.max(1, Math.floor(rows / ARROW_ROWS));
    let most = 0;
    for (let row = 0; row < rows; row += stride) {
      for (const arrow of arrows) {
        const size = Math.hypot(...arrow.at({ row, fraction: 0 }));
        if (Number.isFinite(size) && size > most) most = size;
      }
    }
    return most > 0 ? (ARROW_SHARE * this.scene.size) / most : 0;
  }

  toggle(kind) {
    if (!this.shown.delete(kind)) this.shown.add(kind);
    return this.shown.has(kind);
  }

  drawTraces(context, theme, time, place) {
    if (!this.shown.has("traces")) return;
    for (const point of this.traces) this.scene.drawTrace(context, theme, { points: [point], color: "gray", line: "thin" }, time, place);
  }

  drawArrows(context, theme, place) {
    const colors = { velocities: theme.color("green"), reactions: theme.color("red") };
    for (const kind of Object.keys(this.arrows).filter((name) => this.shown.has(name))) {
      context.strokeStyle = context.fillStyle = colors[kind];
      context.lineWidth = 2;
      for (const arrow of this.arrows[kind]) {
        const from = this.scene.pointAt(arrow.point, place);
        const to = add(from, arrow.at(place), this.scales[kind]);
        drawArrow(context, this.scene.camera.project(from), this.scene.camera.project(to));
      }
    }
  }
}

/** A line with a head; one that is too short has no direction to show. */
const drawArrow = (context, a, b) => {
  const long = Math.hypot(b.x - a.x, b.y - a.y);
  if (!(long > 1.5)) return;
  const [ux, uy] = [(b.x - a.x) / long, (b.y - a.y) / long];
  const head = Math.min(9, 0.5 * long);
  polyline(context, [a, { x: b.x - 0.8 * head * ux, y: b.y - 0.8 * head * uy }]);
  context.stroke();
  const side = (s) => ({ x: b.x - head * (ux - 0.42 * s * uy), y: b.y - head * (uy + 0.42 * s * ux) });
  polyline(context, [b, side(1), side(-1)], true);
  context.fill();
};
