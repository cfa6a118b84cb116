// The stage's one drawing: draw(data, width, height, theme) gives SVG text, in a browser and in Python.
//
// Every mark is one function (mark, room) → shapes. A shape has a tag, a key that stays the same
// from state to state, numbers in px, and colours; motion.js moves it, svg.js writes it.

import { band, beam, card, curve, frame, grip, handle } from "./findings.js";
import { grains } from "./grains.js";
import { guess } from "./guess.js";
import { axis, barrier, cells, dots, errorbar, label, law, person, rule } from "./marks.js";
import { point, roomOf } from "./place.js";
import { toSvg } from "./svg.js";
import { boxes, people, phones, piles, tank, tiles } from "./tallies.js";

const MARKS = {
  axis, band, barrier, beam, boxes, card, cells, curve, dots, errorbar, frame, grains, grip, guess, handle, label, law, people, person, phones, piles, rule, tank, tiles,
};

/** The view that is made for a picture of this width. */
export function viewOf(data, width) {
  return data.views.find((view) => !view.until || width <= view.until) ?? data.views[data.views.length - 1];
}

/** The marks of a view in the state that data names: layers change fields of marks by their id. */
export function marksOf(data, width) {
  const changed = {};
  for (const layer of data.layers) {
    const key = layer.by.map((name) => data.state[name]).join("|");
    for (const [id, fields] of Object.entries(layer.states[key] ?? {})) {
      changed[id] = { ...changed[id], ...fields };
    }
  }
  return viewOf(data, width).marks.map((mark) => ({ ...mark, ...changed[mark.id] }));
}

/** A mark so many ms after its beat began: its steps come one after the other; undefined: at rest. */
function stepped(mark, gone) {
  if (!mark.through || gone === undefined) return mark;
  const passed = mark.through.filter(([ms]) => ms <= gone);
  return passed.length ? { ...mark, ...passed[passed.length - 1][1] } : { ...mark, ...mark.through[0][1] };
}

/** When the steps of a picture come, in order. */
export function stepsOf(data, width) {
  const times = marksOf(data, width).flatMap((mark) => (mark.through ?? []).map(([ms]) => ms));
  return [...new Set(times)].sort((one, other) => one - other);
}

/** All shapes of a picture, back to front; gone is how many ms ago its beat began. */
export function arrange(data, width, height, theme, gone) {
  const marks = marksOf(data, width).map((mark) => stepped(mark, gone)).filter((mark) => !mark.hidden);
  const room = Object.assign(roomOf(marks, width, height, theme, data.k), { state: data.state });
  return marks.flatMap((mark) => (MARKS[mark.kind] ? timed(MARKS[mark.kind](mark, room), mark, room) : []));
}

/** When the shapes of a mark begin to move after a change of beat, and from where they enter. */
function timed(shapes, mark, room) {
  if (mark.after === undefined && !mark.enter) return shapes;
  const [start, lasts] = [mark.after ?? 0, mark.lasts ?? 200];
  if (!mark.enter) return shapes.map((shape) => ({ ...shape, after: start, lasts }));
  const [cx, cy] = point(mark.enter.from, room);
  const { every, first } = mark.enter;
  return shapes.map((shape, i) => ({ ...shape, after: start + first + i * every, lasts: 600, from: { cx, cy } }));
}

/** What the picture says, for those who do not see it. */
export function altOf(data, width) {
  const marks = marksOf(data, width);
  const own = marks.find((mark) => mark.kind === "alt")?.text ?? "";
  const dragged = marks.find((mark) => mark.kind === "grip" && !mark.hidden);
  return dragged?.says ? `${own} ${dragged.says}` : own;
}

export function draw(data, width, height, theme) {
  return toSvg(arrange(data, width, height, theme), width, height, theme, altOf(data, width));
}
