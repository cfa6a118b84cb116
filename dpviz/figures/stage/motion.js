// How shapes move: from one state to the next, and from the true count through the noise.

const WALK = 260; // ms from the true count to the barrier
const DRIFT = 420; // ms from the barrier to the answer's column
const PULL = 0.0032; // px / ms², of the fall
const STEADY = 450; // ms of what has no time of its own in a beat
const BOUNCE = [4, 160]; // px, ms

export const cubicOut = (t) => 1 - (1 - t) ** 3;

/** Shapes on their way between two states, t from 0 to 1; shapes that are new appear by opacity. */
export function blend(before, after, t) {
  if (t >= 1) return after;
  const old = new Map(before.map((shape) => [shape.key, shape]));
  return after.map((shape) => {
    const start = old.get(shape.key);
    return start ? between(start, shape, t) : { ...shape, opacity: (shape.opacity ?? 1) * t };
  });
}

/** Shapes so many ms after a beat began: each in its own time, new ones from where they enter. */
export function played(before, after, gone) {
  const old = new Map(before.map((shape) => [shape.key, shape]));
  return after.flatMap((shape) => {
    const start = old.get(shape.key);
    const since = gone - (shape.after ?? 0);
    const t = cubicOut(Math.min(1, Math.max(0, since / (shape.lasts ?? STEADY))));
    if (start) return [since <= 0 ? waits(start, shape) : t < 1 ? between(start, shape, t) : shape];
    if (since <= 0) return [];
    if (shape.from) return [t < 1 ? between({ ...shape, ...shape.from }, shape, t) : shape];
    return [t < 1 ? { ...shape, opacity: (shape.opacity ?? 1) * t } : shape];
  });
}

/** How many ms a beat takes. */
export function beatOf(shapes) {
  return shapes.reduce((most, shape) => Math.max(most, (shape.after ?? 0) + (shape.lasts ?? STEADY)), 0);
}

/** A shape between two others; the end itself where no number moves, so that nothing is written anew. */
function between(start, end, t) {
  if (start === end) return end;
  let shape = end;
  const set = (name, value) => {
    if (shape === end) shape = { ...end };
    shape[name] = value;
  };
  for (const name in end) {
    const [value, from] = [end[name], start[name]];
    if (value === from) continue;
    if (typeof value === "number" && typeof from === "number") set(name, from + (value - from) * t);
    else if (Array.isArray(value) && value.length === from?.length && typeof value[0] === "number") {
      if (!same(value, from)) set(name, value.map((number, i) => from[i] + (number - from[i]) * t));
    }
  }
  return shape;
}

const WAITING = new WeakMap(); // what a shape looks like until its time comes: the same in each frame

function waits(start, end) {
  if (WAITING.get(end)?.start !== start) WAITING.set(end, { start, shape: between(start, end, 0) });
  return WAITING.get(end).shape;
}

/** Whether two lists of numbers are the same. */
export function same(one, other) {
  return one === other || (one.length === other.length && one.every((number, i) => number === other[i]));
}

/** A dot so many ms after it left: black up to the gate, then in its own colour; null before. */
export function flight(dot, path, age) {
  if (age < 0) return null;
  const [[x, y], [gateX, gateY]] = [path.from, path.gate];
  if (age < WALK) {
    const t = age / WALK;
    return { ...dot, cx: x + (gateX - x) * t, cy: y + (gateY - y) * t, fill: path.ink };
  }
  const drifting = age - WALK;
  if (drifting < DRIFT) {
    return { ...dot, cx: gateX + (dot.cx - gateX) * cubicOut(drifting / DRIFT), cy: gateY };
  }
  const falling = drifting - DRIFT;
  const fallen = gateY + PULL * falling ** 2;
  if (fallen < dot.cy) return { ...dot, cy: fallen };
  const bouncing = (falling - Math.sqrt(Math.max(0, dot.cy - gateY) / PULL)) / BOUNCE[1];
  return bouncing < 1 ? { ...dot, cy: dot.cy - BOUNCE[0] * Math.sin(Math.PI * bouncing) } : dot;
}

/** How long the longest flight takes, in ms. */
export function longest(dots, path) {
  const deepest = Math.max(0, ...dots.map((dot) => dot.cy - path.gate[1]));
  return WALK + DRIFT + Math.sqrt(deepest / PULL) + BOUNCE[1];
}
