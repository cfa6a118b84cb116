// A guess that is drawn: handles on an axis, or dots that are dropped on one; then what is true.
//
// A guess is text, as in links: v:10, c:3000,700,300000, d:41000,49000; a handle that is not set is empty.

import { point, valueAt } from "./place.js";

const DOTS = 10;

/** The numbers of a guess; a handle that is not set is NaN. */
export function read(mark, text) {
  const found = text ? text.slice(2).split(",").map((one) => (one === "" ? NaN : Number(one))) : [];
  return mark.form === "d" ? found : mark.at.map((_, i) => found[i] ?? NaN);
}

export function written(mark, values) {
  const texts = values.map((one) => (Number.isNaN(one) ? "" : String(Number(one.toPrecision(mark.digits)))));
  return texts.some(Boolean) ? `${mark.form}:${texts}` : "";
}

export const whole = (mark, values) => values.length === (mark.form === "d" ? DOTS : mark.at.length) && !values.some(Number.isNaN);

/** A number as it is said: two digits of a small one, thousands with a comma. */
export function said(value) {
  return value < 10 ? String(Number(value.toPrecision(2))) : grouped(Math.round(value));
}

const near = (mark, values) => values.filter((one) => Math.abs(one - mark.centre) <= mark.near).length;

/** How far a guess is from the truth, in words. */
export function gap(mark, text) {
  const values = read(mark, text);
  if (mark.form === "d") return `You: ${near(mark, values)} of ${DOTS} within ${grouped(mark.near)}. Law: ${near(mark, mark.truth)}.`;
  const far = values.map((value, i) => Math.abs(Math.log(value / mark.truth[i])));
  const worst = far.indexOf(Math.max(...far)); // the handle that is furthest off is named
  const [value, truth] = [values[worst], mark.truth[worst]];
  const where = mark.names.length > 1 ? `At ${mark.names[worst]} you: ` : "You: ";
  const times = Math.exp(far[worst]);
  const verdict = times < 1.5 ? "That is close" : `${spelled(times)} times too ${value > truth ? "much" : "little"}`;
  return `${where}${said(value)}. Law: ${said(truth)}. ${verdict}.`;
}

/** The key of the option that a guess comes to; undefined for what is none. */
export function optionOf({ low, high, keys, edges, astray, factor, ...mark }, text) {
  if (typeof text !== "string" || text[0] !== mark.form || text[1] !== ":") return undefined;
  const values = read(mark, text);
  if (text.split(",").length !== values.length || !whole(mark, values) || values.some((one) => !(one >= low && one <= high))) return undefined;
  if (mark.form === "d") return keys[near(mark, values)];
  const keyOf = (value) => keys[Math.max(0, Math.min(edges.length - 1, edges.filter((one) => one <= value).length) - 1)];
  const [found, law] = [values, mark.truth].map((one) => keyOf(one.at(-1)));
  const close = values.every((value, i) => value / mark.truth[i] >= 1 / factor && value / mark.truth[i] <= factor);
  return astray && found === law && !close ? astray : found;
}

const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, ",");

function spelled(times) {
  const names = ["", "", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];
  if (times < 1.75) return "One and a half";
  return names[Math.round(times)] ?? grouped(Math.round(times));
}

/** Where the handles of a guess stand; one that is not set waits below the axis. */
export function placesOf(mark, room) {
  const [x, y] = mark.axes.map((id) => room.axes[id]);
  const waits = point(mark.waits, room)[1];
  return read(mark, room.state.guess).map((value, i) => [valueAt(x, mark.at[i]), Number.isNaN(value) ? waits : valueAt(y, value)]);
}

/** Dots on their columns, one above the other. */
function stacked(mark, values, room) {
  const [x, y] = [room.axes[mark.axes[0]], valueAt(room.axes[mark.axes[1]], 0)];
  const seen = new Map();
  const wide = 2 * radius(room) + 2;
  return values.map((value) => {
    const column = Math.round(valueAt(x, value) / wide);
    const level = seen.get(column) ?? 0;
    seen.set(column, level + 1);
    return [column * wide, y - (level + 0.5) * wide];
  });
}

const radius = (room) => (room.width < 600 ? 8 : 15);

export function guess(mark, room) {
  return mark.form === "d" ? dropped(mark, room) : lined(mark, room);
}

function dropped(mark, room) {
  const { ink, page, private: blue } = room.theme;
  const { guess: text, locked } = room.state;
  const values = read(mark, text).sort((one, other) => one - other);
  const r = radius(room);
  const [left, tray] = point(mark.waits, room);
  const mine = [...stacked(mark, values, room), ...Array.from({ length: DOTS - values.length }, (_, i) => [left + r + (2 * r + 4) * i, tray])];
  const circle = (part, [cx, cy], look) => ({ tag: "circle", key: `${mark.id}/${part}`, cx, cy, r, ...look });
  const found = mine.map((at, i) => circle(`mine ${i}`, at, { fill: page, stroke: ink, strokeWidth: 2.5 }));
  const ends = locked ? stacked(mark, mark.truth, room) : mine;
  return [...found, ...ends.map((at, i) => circle(`truth ${i}`, at, { fill: blue, opacity: locked ? 0.85 : 0, flies: true }))];
}

function lined(mark, room) {
  const { ink, page, second, private: blue, danger } = room.theme;
  const { guess: text, locked } = room.state;
  const [x, y] = mark.axes.map((id) => room.axes[id]);
  const values = read(mark, text);
  const places = placesOf(mark, room);
  const given = mark.given.map(([at, value]) => [valueAt(x, at), valueAt(y, value)]);
  const set = places.filter((_, i) => !Number.isNaN(values[i]));
  const through = (handles) => [...given, ...handles].sort((one, other) => one[0] - other[0]).flat();
  const key = (part) => `${mark.id}/${part}`;
  const truth = locked ? mark.truth.map((value, i) => [valueAt(x, mark.at[i]), valueAt(y, value)]) : places;
  const words = (part, [cx, cy], value, fill, look) =>
    ({ tag: "text", key: key(part), x: cx, y: cy, text: value, size: 26 * room.k, font: "serif", weight: 600, fill, halo: page, ...look });
  const last = (i) => i === places.length - 1; // its number stands right of it, others' above
  const fits = (i, text) => places[i][0] + 26 + 15 * room.k * text.length < room.width;
  const beside = (i, [cx, cy], text) => (!last(i) ? [cx, cy - 26] : fits(i, text) ? [cx + 26, cy + 9] : [room.width - 2, cy - 24]);
  const anchored = (i, text) => (!last(i) ? "middle" : fits(i, text) ? "start" : "end");
  const colour = mark.leak ? danger : blue;
  const shapes = [{ tag: "line", key: key("truth"), points: through(truth), stroke: colour, width: 6, opacity: locked ? 1 : 0, flies: true }];
  if (set.length) shapes.push({ tag: "line", key: key("mine"), points: through(set), stroke: ink, width: 3, dash: "10 7" });
  given.forEach(([cx, cy], i) => {
    shapes.push({ tag: "circle", key: key(`given ${i}`), cx, cy, r: 8, fill: blue });
    shapes.push(words(`given words ${i}`, [cx - 4, cy - 15], said(mark.given[i][1]), blue, { anchor: "start" }));
  });
  truth.forEach(([cx, cy], i) => {
    const close = locked && Math.abs(cy - places[i][1]) < 34 * room.k;
    const up = cy < places[i][1] || (i < truth.length - 1 && cy === places[i][1]);
    const off = close ? (up ? -26 : 34) : 9;
    shapes.push({ tag: "circle", key: key(`true ${i}`), cx, cy, r: 9, fill: colour, opacity: locked ? 1 : 0, flies: true });
    if (locked) shapes.push(words(`true words ${i}`, [...beside(i, [cx, cy + off - 9], said(mark.truth[i]))], said(mark.truth[i]), colour, { anchor: anchored(i, said(mark.truth[i])), flies: true }));
  });
  places.forEach(([cx, cy], i) => {
    const free = Number.isNaN(values[i]);
    shapes.push({ tag: "circle", key: key(`handle ${i}`), cx, cy, r: 17, fill: page, stroke: ink, strokeWidth: 4 });
    for (const side of [-1, 1]) {
      shapes.push({ tag: "line", key: key(`arrow ${i} ${side}`), points: [cx - 6, cy + 3 * side, cx, cy + 9 * side, cx + 6, cy + 3 * side], stroke: ink, width: 2.5 });
    }
    if (!free) shapes.push(words(`value ${i}`, beside(i, [cx, cy], said(values[i])), said(values[i]), ink, { anchor: anchored(i, said(values[i])) }));
    else if (i === values.map(Number.isNaN).lastIndexOf(true)) shapes.push({ ...words(`hint ${i}`, [cx - 26, cy + 5], "drag me", second, { anchor: "end" }), font: "sans", size: 16 * room.k, weight: 400 });
  });
  return shapes;
}
