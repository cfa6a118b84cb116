// People: one grain each, so that an area is a number of people.

import { point, reachOf, valueAt } from "./place.js";

const GOLDEN = 0.6180339887498949; // steps of this share spread evenly, however many there are
const TURN = 2.399963229728653; // the golden angle

/** A number in [0, 1) that is the same for the same i and salt on every machine. */
export function scatter(i, salt = 0) {
  let t = (Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b)) >>> 0;
  t = Math.imul(t ^ (t >>> 15), t | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

export function grains(mark, room) {
  return FORMS[mark.form](mark, room);
}

/** Columns of grains on an axis, the first `split` of them out of focus. */
function heap(mark, room) {
  const scale = room.axes[mark.axis];
  const [, base] = point([[0, 0], mark.base], room);
  const [, top] = point([[0, 0], mark.top], room);
  const step = (base - top) / Math.max(...mark.counts, 1);
  const left = valueAt(scale, mark.low);
  const wide = (valueAt(scale, mark.high) - left) / mark.counts.length;
  const out = { grey: [], ink: [] };
  mark.counts.forEach((count, column) => {
    const points = column < mark.split ? out.grey : out.ink;
    for (let i = 0; i < count; i++) {
      // even enough to fill the column, loose enough to show no pattern
      const share = (i * GOLDEN + scatter(column, 1) + 0.5 * scatter(i, column + 2)) % 1;
      const lift = Math.max(0.5, i + 0.5 + 2.4 * (scatter(i, column + 200) - 0.5));
      points.push(left + wide * (column + share), base - Math.min(lift, count - 0.5) * step);
    }
  });
  const size = Math.min(1.6, Math.max(0.6, 0.4 * Math.sqrt(wide * step)));
  return [
    dust(mark, "grey", out.grey, size, room.theme.grain, 1),
    dust(mark, "ink", out.ink, size, room.theme.ink, 1),
  ];
}

/** Grains at given values of two axes. */
function points(mark, room) {
  const [x, y] = [room.axes[mark.axes[0]], room.axes[mark.axes[1]]];
  const flat = mark.x.flatMap((value, i) => [valueAt(x, value), valueAt(y, mark.y[i])]);
  return [dust(mark, "all", flat, mark.radius, room.theme[mark.colour], mark.opacity)];
}

/** A round crowd, the first `on` people in its middle in ink; all of a picture shrink alike, so that area stays people. */
function crowd(mark, room) {
  const [cx, top] = point(mark.at, room);
  const cy = mark.hangs ? top + reachOf(mark) * room.crowded : top;
  const spacing = mark.spacing * room.crowded;
  const loose = mark.spacing < 1.5 ? 0.9 : 0; // finer grains on a perfect spiral give a moiré
  const flat = [];
  for (let i = 0; i < mark.n; i++) {
    const far = spacing * Math.sqrt((i + 0.5) / Math.PI);
    const jitter = (salt) => loose * spacing * (scatter(i, salt) - 0.5);
    flat.push(cx + far * Math.cos(i * TURN) + jitter(3), cy + far * Math.sin(i * TURN) + jitter(4));
  }
  const r = 0.43 * spacing;
  return [
    dust(mark, "ink", flat.slice(0, 2 * mark.on), r, room.theme.ink, 1),
    dust(mark, "grey", flat.slice(2 * mark.on), r, room.theme.grain, 1),
  ].map((shape) => ({ ...shape, above: mark.above }));
}

/** A closed place: grains without any shape, thinning out towards the words. */
function closed(mark, room) {
  const [x, y] = point(mark.from, room);
  const [right, bottom] = point(mark.to, room);
  const flat = [];
  const down = mark.words === "top";
  for (let i = 0; i < mark.n; i++) {
    const [share, other] = [scatter(i, 5), scatter(i, 7)];
    if (mark.ramp && scatter(i, 6) > 0.06 + share * share) continue;
    const along = mark.clear + (1 - mark.clear) * share;
    const [wide, high] = down ? [other, along] : [along, other];
    flat.push(x + 6 + wide * (right - x - 12), y + 6 + high * (bottom - y - 12));
  }
  const shape = { x, y, width: right - x, height: bottom - y, radius: 8 };
  return [
    { tag: "rect", key: `${mark.id}/box`, ...shape, fill: room.theme.closed, stroke: room.theme.rim },
    // above: the canvas of crowds lies below all boxes
    { ...dust(mark, "all", flat, 1.1 * room.k, room.theme.closedGrain, 0.55), above: true },
  ];
}

function dust(mark, part, flat, r, fill, opacity) {
  return { tag: "grains", key: `${mark.id}/${part}`, points: flat, r, fill, opacity };
}

const FORMS = { heap, points, crowd, closed };
