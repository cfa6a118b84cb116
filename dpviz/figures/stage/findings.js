// Marks that carry a finding: curves, beams, bands, and what is marked on a map or an axis.

import { along, point, valueAt } from "./place.js";

/** A line through values of two axes; beyond `until` it is not drawn, from `split` on it has another colour. */
export function curve(mark, room) {
  const [x, y] = mark.axes.map((id) => room.axes[id]);
  const way = mark.steps ? staircase(mark.x, mark.y) : mark.x.map((value, i) => [value, mark.y[i]]);
  const end = mark.until ?? Infinity;
  const split = Math.min(mark.split ?? Infinity, end);
  const width = mark.width * Math.sqrt(room.k);
  const part = (name, from, to, colour) => ({
    tag: "line", key: `${mark.id}/${name}`, points: cut(way, from, to).flatMap(([a, b]) => [valueAt(x, a), valueAt(y, b)]),
    stroke: room.theme[colour], width, dash: mark.dotted ? "1 5" : undefined, round: true,
  });
  const line = part("line", -Infinity, split, mark.colour);
  const shapes = [line];
  if (mark.split !== null) shapes.push(part("after", split, end, mark.beyond));
  if (mark.area) shapes.unshift(under(mark, cut(way, -Infinity, end), x, y, room));
  const dot = (value, height, r, name) => ({ tag: "circle", key: `${mark.id}/${name}`, cx: valueAt(x, value), cy: valueAt(y, height), r: r * Math.sqrt(room.k), fill: room.theme[value > split ? mark.beyond : mark.colour] });
  mark.stops.forEach((i) => mark.x[i] <= end && shapes.push(dot(mark.x[i], mark.y[i], 3.5, `stop ${i}`)));
  if (mark.chosen !== null) shapes.push(dot(mark.x[mark.chosen], mark.y[mark.chosen], 6.5, "chosen"));
  return shapes;
}

function staircase(x, y) {
  return x.flatMap((value, i) => (i ? [[value, y[i - 1]], [value, y[i]]] : [[value, y[i]]]));
}

/** The part of a way between two values of x; what lies outside shrinks to its ends, so that it can glide. */
function cut(way, from, to) {
  const at = (value) => {
    const i = way.findIndex(([x]) => x >= value);
    if (i <= 0) return way[i === 0 ? 0 : way.length - 1];
    const [[x0, y0], [x1, y1]] = [way[i - 1], way[i]];
    return [value, x1 === x0 ? y1 : y0 + ((y1 - y0) * (value - x0)) / (x1 - x0)];
  };
  return way.map(([x, y]) => (x < from ? at(from) : x > to ? at(to) : [x, y]));
}

function under(mark, way, x, y, room) {
  const floor = valueAt(y, mark.floor);
  const top = way.flatMap(([a, b]) => [valueAt(x, a), valueAt(y, b)]);
  const points = [top[0], floor, ...top, top[top.length - 2], floor];
  return { tag: "line", key: `${mark.id}/area`, points, fill: room.theme[mark.colour], fillOpacity: mark.area, width: 0 };
}

/** Straight from one spot to others: a beam with a head, or a fan of thin lines; `share` of it is drawn. */
export function beam(mark, room) {
  const [x, y] = point(mark.from, room);
  const stroke = room.theme[mark.colour];
  const k = Math.sqrt(room.k);
  return mark.to.flatMap((end, i) => {
    const [endX, endY] = point(end, room);
    const [cx, cy] = [x + (endX - x) * mark.share, y + (endY - y) * mark.share];
    const line = { tag: "line", key: `${mark.id}/${i}`, points: [x, y, cx, cy], stroke, width: mark.width * k, opacity: mark.opacity };
    const head = { tag: "circle", key: `${mark.id}/${i} head`, cx, cy, r: mark.head * k, fill: stroke };
    return mark.head ? [line, head] : [line];
  });
}

/** A stretch of an axis, behind everything else. */
export function band(mark, room) {
  const [a, b] = [mark.low, mark.high].map((value) => valueAt(room.axes[mark.axis], value));
  const [top, bottom] = [mark.from, mark.to].map((place) => along(place, room.height, room));
  const box = { x: Math.min(a, b), y: Math.min(top, bottom), width: Math.abs(b - a), height: Math.abs(bottom - top), radius: 0 };
  return [{ tag: "rect", key: mark.id, ...box, fill: room.theme.band }];
}

/** A rectangle with a word at its upper edge. */
export function frame(mark, room) {
  const [x, y] = point(mark.from, room);
  const [right, bottom] = point(mark.to, room);
  const colour = room.theme[mark.colour];
  const box = { x: Math.min(x, right), y: Math.min(y, bottom), width: Math.abs(right - x), height: Math.abs(bottom - y), radius: 2 };
  const size = 15 * room.k;
  const words = { tag: "text", key: `${mark.id}/words`, x: box.x, y: box.y - 8, text: mark.text, size, weight: 700, fill: colour, anchor: "start", halo: room.theme.page };
  const edge = { tag: "rect", key: `${mark.id}/edge`, ...box, stroke: colour, strokeWidth: 2.5 };
  return mark.text ? [edge, words] : [edge];
}

/** A value that holds an axis from below with its source, or a leak that falls on it from above. */
export function handle(mark, room) {
  const cx = valueAt(room.axes[mark.axis], mark.value);
  const at = along(mark.at, room.height, room);
  const way = mark.leak ? -1 : 1;
  const end = at + way * mark.stem;
  const [colour, written] = mark.leak ? ["danger", "danger_text"] : [mark.colour, mark.colour];
  const key = (part) => `${mark.id}/${part}`;
  const line = (i, size) => end + way * (8 + size + i * (size + 8)) - (mark.leak ? -size : 0);
  const text = (part, y, words, look) => ({ tag: "text", key: key(part), x: cx, y, text: words, anchor: mark.anchor, fill: room.theme[written], halo: room.theme.page, ...look });
  return [
    { tag: "line", key: key("stem"), points: [cx, at, cx, end], stroke: room.theme[colour], width: (mark.leak ? 4 : 2) * Math.sqrt(room.k) },
    { tag: "circle", key: key("knob"), cx, cy: at, r: 7 * Math.sqrt(room.k), fill: mark.leak ? "url(#hatch)" : room.theme.page, stroke: room.theme[colour], strokeWidth: 3 },
    text("value", line(0, 24 * room.k), mark.text, { size: 24 * room.k, font: "serif", weight: 600 }),
    text("source", line(1, 24 * room.k), mark.source, { size: 15 * room.k, fill: room.theme[mark.leak ? written : "second"] }),
  ];
}

/** An edge on an axis: a line, its value below, and what it is dragged by unless it stands still. */
export function grip(mark, room) {
  const x = valueAt(room.axes[mark.axis], mark.value);
  const [top, base] = [mark.top, mark.base].map((place) => along(place, room.height, room));
  const { ink, page, private: blue } = room.theme;
  const key = (part) => `${mark.id}/${part}`;
  const size = 14.5 * room.k;
  const line = (part, points, stroke, look) => ({ tag: "line", key: key(part), points, stroke, width: 2, ...look });
  const found = [
    line("line", [x, top, x, base], ink, { dash: "2 5" }),
    line("tick", [x, base, x, base + 8], ink, { width: 3 }),
    { tag: "text", key: key("value"), x, y: base + 8 + size, text: String(mark.value), size, weight: 700, fill: ink, anchor: "middle" },
  ];
  if (mark.still) return found;
  const cy = base - 20;
  const arrow = (side) => line(`arrow ${side}`, [x + 3 * side, cy - 4, x + 7 * side, cy, x + 3 * side, cy + 4], blue);
  return [...found, { tag: "circle", key: key("knob"), cx: x, cy, r: 11, fill: page, stroke: blue, strokeWidth: 3 }, arrow(-1), arrow(1)];
}

/** Rows of a card: a small heading and a sentence each. */
export function card(mark, room) {
  const [x, y] = point(mark.from, room);
  const [right] = point(mark.to, room);
  const key = (part) => `${mark.id}/${part}`;
  const { ink, second, hairline, panel } = room.theme;
  const high = mark.row * mark.rows.length;
  const box = { x, y, width: right - x, height: high, radius: 8, fill: panel, stroke: hairline, strokeWidth: 1 };
  const rows = mark.rows.flatMap(([eyebrow, words], i) => {
    const middle = y + (i + 0.5) * mark.row;
    const rule = { tag: "line", key: key(`rule ${i}`), points: [x, y + i * mark.row, right, y + i * mark.row], stroke: hairline, width: 1 };
    const name = { tag: "text", key: key(`eyebrow ${i}`), x: x + 24, y: middle + 5, text: eyebrow, size: 14.5 * room.k, weight: 700, spacing: 0.09, fill: second };
    const said = { tag: "text", key: key(`words ${i}`), x: x + mark.indent, y: middle + 8, text: words, size: 20 * room.k, font: "serif", weight: 600, fill: ink };
    return i ? [rule, name, said] : [name, said];
  });
  return [{ tag: "rect", key: key("box"), ...box }, ...rows];
}
