// The shapes of the language, one function each. A shape adds pieces; a piece knows its depth and how to draw itself.
// They take the scene, the shape as written, its points, the place in time, the theme and the list of pieces.

const polyline = (context, points, closed = false) => {
  context.beginPath();
  for (const { x, y } of points) context.lineTo(x, y);
  if (closed) context.closePath();
};

const mean = (points) => points.reduce((sum, { depth }) => sum + depth, 0) / points.length;

/** A closed outline that is filled with a tint of its colour. */
const outline = (pieces, theme, points, color, { fill, width = 1.75, amount = 0.25, depth = mean(points) }) => {
  pieces.push({
    depth,
    draw: (context) => {
      polyline(context, points, true);
      if (fill !== false) {
        context.fillStyle = theme.tint(color, amount);
        context.fill();
      }
      if (width > 0) {
        context.strokeStyle = color;
        context.lineWidth = width;
        context.stroke();
      }
    },
  });
};

/** Links between successive points; in space each has its own depth. */
const links = (pieces, scene, at, color, width) => {
  const points = at.map((p) => scene.camera.project(p));
  const draw = (part) => (context) => {
    context.strokeStyle = color;
    context.lineWidth = width;
    polyline(context, part);
    context.stroke();
  };
  if (scene.flat) {
    pieces.push({ depth: 0, draw: draw(points) });
    return;
  }
  // A long link may pass before one thing and behind another.
  const split = points.length > 12 ? 1 : 12;
  for (let k = 1; k < points.length; k += 1) {
    const [a, b] = [points[k - 1], points[k]];
    const between = (f) => ({ x: a.x + (b.x - a.x) * f, y: a.y + (b.y - a.y) * f, depth: a.depth + (b.depth - a.depth) * f });
    for (let j = 0; j < split; j += 1) {
      const part = [between(j / split), between((j + 1) / split)];
      pieces.push({ depth: mean(part), draw: draw(part) });
    }
  }
};

const HATCH = 7;

/** A triangle with its tip at a point, on hatched ground in the direction (dx, dy), in pixels: (0, 1) is below. */
const support = ({ x, y }, [dx, dy]) => {
  const at = (across, along) => ({ x: x + across * dy + along * dx, y: y - across * dx + along * dy });
  const [wide, foot] = [7, 11];
  const strokes = [0, 1, 2, 3].map((k) => -1.5 * wide + (k + 0.7) * 0.75 * wide);
  return [
    [at(0, 0), at(-wide, foot), at(wide, foot), at(0, 0)],
    [at(-1.5 * wide, foot), at(1.5 * wide, foot)],
    ...strokes.map((across) => [at(across, foot), at(across - 3.5, foot + 4.5)]),
  ];
};

/** The way from a support into its ground as it is seen, in pixels; down where nothing else is said. */
const intoGround = (scene, shape, p, place) => {
  if (typeof shape.axis !== "number") return [0, 1];
  const axis = scene.pointAt(shape.axis, place);
  const [a, b] = [scene.camera.project(p), scene.camera.project(add(p, axis, scene.size * 0.01))];
  const long = Math.hypot(b.x - a.x, b.y - a.y);
  return long > 0 ? [(b.x - a.x) / long, (b.y - a.y) / long] : [0, 1];
};

/** A line with strokes at equal distances on its right, in pixels. */
const hatching = (points) => {
  const lengths = points.slice(1).map((b, k) => Math.hypot(b.x - points[k].x, b.y - points[k].y));
  const step = Math.max(HATCH, lengths.reduce((sum, length) => sum + length, 0) / 400);
  const strokes = [points];
  let next = step / 2;
  lengths.forEach((length, k) => {
    const [a, b] = [points[k], points[k + 1]];
    for (; next <= length; next += step) {
      const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
      const at = { x: a.x + next * ux, y: a.y + next * uy };
      strokes.push([at, { x: at.x + 0.7 * HATCH * (-uy - ux), y: at.y + 0.7 * HATCH * (ux - uy) }]);
    }
    next -= length;
  });
  return strokes;
};

const add = (a, b, factor) => a.map((v, k) => v + b[k] * factor);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unitVector = (v) => {
  const size = Math.hypot(...v);
  return size > 0 ? v.map((c) => c / size) : null;
};

/** Two directions square to `normal`: the first horizontal, the second turned from it by a right angle about the normal. */
const frameOf = (normal) => {
  const n = unitVector(normal) ?? [0, 0, 1];
  const e = Math.hypot(n[0], n[1]) > 1e-9 ? unitVector(cross([0, 0, 1], n)) : [1, 0, 0];
  return [e, cross(n, e), n];
};

/** A circle of `radius` in the plane of two directions, from `angle` on. */
const ring = (scene, center, [e, f], radius, angle) => Array.from({ length: 48 }, (_, k) => {
  const a = angle + (k * Math.PI) / 24;
  return scene.camera.project(add(add(center, e, radius * Math.cos(a)), f, radius * Math.sin(a)));
});

/** A ball; it lies as deep as its front, so that a rod to its middle ends at its surface. */
const ball = (pieces, theme, at, radius, color, fill) => {
  const r = Math.max(radius, 1);
  pieces.push({
    depth: at.depth + radius / at.scale,
    draw: (context) => {
      const light = context.createRadialGradient(at.x - r * 0.35, at.y - r * 0.4, r * 0.1, at.x, at.y, r);
      light.addColorStop(0, theme.tint(color, fill === false ? 0.05 : 0.55));
      light.addColorStop(1, fill === false ? theme.tint(color, 0.15) : color);
      context.beginPath();
      context.arc(at.x, at.y, r, 0, 7);
      context.fillStyle = light;
      context.fill();
      context.strokeStyle = color;
      context.lineWidth = 1;
      context.stroke();
    },
  });
};

const disc = (pieces, scene, theme, shape, center, directions, angle, color) => {
  const radius = shape.radius ?? scene.size * 0.03;
  const rim = ring(scene, center, directions, radius, angle);
  const hub = scene.camera.project(center);
  outline(pieces, theme, rim, color, { fill: shape.fill, depth: hub.depth });
  pieces.push({
    depth: hub.depth,
    draw: (context) => {
      context.strokeStyle = context.fillStyle = color;
      context.lineWidth = 1.75;
      polyline(context, [hub, rim[0]]);
      context.stroke();
      context.beginPath();
      context.arc(hub.x, hub.y, 2.25, 0, 7);
      context.fill();
    },
  });
};

/** A block in space: its footprint is as deep as it is wide, its height points along the axis. */
const block = (pieces, scene, theme, shape, center, [e, f, n], angle, color) => {
  const [w, h] = [(shape.width ?? shape.height) / 2, (shape.height ?? shape.width) / 2];
  const u = add(e.map((v) => v * Math.cos(angle)), f, Math.sin(angle));
  const v = cross(n, u);
  const corner = (a, b, c) => scene.camera.project(add(add(add(center, u, a * w), v, b * w), n, c * h));
  for (const side of [-1, 1]) {
    const faces = [
      [[side, -1, -1], [side, 1, -1], [side, 1, 1], [side, -1, 1]],
      [[-1, side, -1], [1, side, -1], [1, side, 1], [-1, side, 1]],
      [[-1, -1, side], [1, -1, side], [1, 1, side], [-1, 1, side]],
    ];
    faces.forEach((face, k) => {
      const look = { fill: shape.fill, width: 1, amount: [0.35, 0.28, 0.2][k] };
      outline(pieces, theme, face.map((c) => corner(...c)), color, look);
    });
  }
};

const DRAW = {
  point(scene, shape, [p], place, theme, pieces) {
    const color = theme.color(shape.color, theme.ink);
    const at = scene.camera.project(p);
    const radius = shape.radius ? Math.max(shape.radius * at.scale, 1.5) : 4;
    if (!scene.flat && shape.radius) {
      ball(pieces, theme, at, radius, color, shape.fill);
      return;
    }
    pieces.push({
      depth: at.depth + scene.size * 1e-3,
      draw: (context) => {
        context.beginPath();
        context.arc(at.x, at.y, radius, 0, 7);
        context.fillStyle = shape.fill === false ? theme.panel : color;
        context.fill();
        context.strokeStyle = shape.fill === false ? color : theme.panel;
        context.lineWidth = 1.5;
        context.stroke();
      },
    });
  },

  line(scene, shape, at, place, theme, pieces) {
    links(pieces, scene, at, theme.color(shape.color, theme.ink), LINE_WIDTH[shape.line] ?? LINE_WIDTH.normal);
  },

  path(scene, shape, at, place, theme, pieces) {
    links(pieces, scene, at, theme.color(shape.color, theme.faint), LINE_WIDTH[shape.line] ?? LINE_WIDTH.thin);
  },

  /** A helix seen from the side: straight ends, and as many turns as asked whatever the length. */
  spring(scene, shape, [p, q], place, theme, pieces) {
    const [a, b] = [scene.camera.project(p), scene.camera.project(q)];
    const long = Math.hypot(b.x - a.x, b.y - a.y);
    const coils = clamp(Math.round(shape.coils ?? 8), 1, 60);
    const [ux, uy] = long > 0 ? [(b.x - a.x) / long, (b.y - a.y) / long] : [1, 0];
    const wide = clamp(scene.size * 0.028 * a.scale, 3, 40);
    const [start, end] = [0.1 * long, 0.9 * long];
    const lean = clamp(((end - start) / coils) * 0.3, 1, wide);
    const points = [{ ...a }];
    const steps = coils * 20;
    for (let k = 0; k <= steps; k += 1) {
      const turn = (k / steps) * coils * 2 * Math.PI;
      const along = start + ((end - start) * k) / steps + lean * (Math.cos(turn) - 1);
      const across = wide * Math.sin(turn);
      points.push({ x: a.x + ux * along - uy * across, y: a.y + uy * along + ux * across });
    }
    points.push({ ...b });
    pieces.push({
      depth: (a.depth + b.depth) / 2,
      draw: (context) => {
        context.strokeStyle = theme.color(shape.color, theme.faint);
        context.lineWidth = LINE_WIDTH[shape.line] ?? 1.5;
        polyline(context, points);
        context.stroke();
      },
    });
  },

  /** What is fixed: the support of one point, or a line hatched on its right. */
  ground(scene, shape, at, place, theme, pieces) {
    const points = at.map((p) => scene.camera.project(p));
    const strokes = points.length === 1 ? support(points[0], intoGround(scene, shape, at[0], place)) : hatching(points);
    pieces.push({
      depth: mean(points),
      draw: (context) => {
        context.strokeStyle = theme.color(shape.color, theme.faint);
        context.lineWidth = 1.25;
        for (const stroke of strokes) {
          polyline(context, stroke);
          context.stroke();
        }
      },
    });
  },

  polygon(scene, shape, at, place, theme, pieces) {
    outline(pieces, theme, at.map((p) => scene.camera.project(p)), theme.color(shape.color, theme.faint), { fill: shape.fill });
  },

  body(scene, shape, [p], place, theme, pieces) {
    const color = theme.color(shape.color, theme.accent);
    const angle = scene.scalarAt(shape.angle, place);
    if (!Number.isFinite(angle)) return;
    const box = shape.width || shape.height;
    if (scene.flat) {
      if (!box) {
        disc(pieces, scene, theme, shape, p, [[1, 0, 0], [0, 1, 0]], angle, color);
        return;
      }
      const [w, h] = [(shape.width ?? shape.height) / 2, (shape.height ?? shape.width) / 2];
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const corner = ([a, b]) => scene.camera.project([p[0] + c * a - s * b, p[1] + s * a + c * b]);
      outline(pieces, theme, [[-w, -h], [w, -h], [w, h], [-w, h]].map(corner), color, { fill: shape.fill });
      return;
    }
    const axis = typeof shape.axis === "number" ? scene.pointAt(shape.axis, place) : null;
    const directions = frameOf(axis ?? [0, 0, 1]);
    if (box) block(pieces, scene, theme, shape, p, directions, angle, color);
    else if (axis) disc(pieces, scene, theme, shape, p, directions, angle, color);
    else {
      const at = scene.camera.project(p);
      ball(pieces, theme, at, (shape.radius ?? scene.size * 0.03) * at.scale, color, shape.fill);
    }
  },
};
