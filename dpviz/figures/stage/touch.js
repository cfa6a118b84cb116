// What a person touches in a picture: an edge that is dragged along an axis, rows that are tapped.
//
// A slider or a button lies over each, so that fingers, keys and screen readers reach it alike.

import { along, point, valueAt } from "./place.js";

/** The value a step on from the edge's own, or next to a place in px, on its steps and in its span. */
export function stepped(mark, by) {
  return within(mark, Math.round(mark.value / mark.step + by) * mark.step);
}

export function nearest(mark, px, room) {
  const { start, unit, low } = room.axes[mark.axis];
  return within(mark, Math.round((low + (px - start) / unit) / mark.step) * mark.step);
}

/** Whether a part is open at a stop, and the stop that a tap on it leads to. */
export const isOpen = ({ part }, stop) => stop.split("-").includes(part);

export function tapped(taps, mark, stop) {
  const open = taps.filter((one) => isOpen(one, stop) !== (one.part === mark.part));
  return open.map(({ part }) => part).join("-") || mark.blank;
}

const within = ({ low, high }, value) => Math.min(high, Math.max(low, value));

const KEYS = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 4, PageDown: -4, End: Infinity, Home: -Infinity };

/** Lays what is touched over the picture in box; turn(name, value) is told what a person does. */
export function touchOn(box, turn) {
  const held = new Map(); // what lies over the picture, by the ids of its marks
  let room = null;
  let dragged = false;

  function made(mark) {
    const grips = mark.kind === "grip";
    const element = document.createElement(grips ? "div" : "button");
    element.className = grips ? "grip edge" : "tap";
    if (grips) {
      Object.assign(element, { tabIndex: 0, role: "slider" });
      element.addEventListener("keydown", press);
      element.addEventListener("pointerdown", (event) => {
        dragged = true;
        element.setPointerCapture(event.pointerId);
        element.focus({ preventScroll: true });
        event.preventDefault();
      });
      element.addEventListener("pointermove", drag);
      for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, () => { dragged = false; });
    } else {
      element.type = "button";
      element.addEventListener("click", () => turn("stop", tapped([...held.values()].map((one) => one.mark), mark, room.state.stop)));
    }
    box.append(element);
    return { element };
  }

  const edge = () => [...held.values()].find(({ mark }) => mark.kind === "grip").mark;

  function set(value) {
    if (value !== edge().value) turn(edge().id, String(value));
  }

  function drag({ clientX }) {
    if (dragged) set(nearest(edge(), (clientX - box.getBoundingClientRect().left) / room.zoom, room));
  }

  function press(event) {
    const by = KEYS[event.key];
    if (!by) return;
    event.preventDefault();
    set(stepped(edge(), by));
  }

  /** Puts it where the marks say, in the state that they are in. */
  return (marks, given) => {
    room = given;
    const wanted = marks.filter(({ kind, hidden, still }) => ["grip", "tap"].includes(kind) && !hidden && !still);
    for (const [id, { element }] of held) {
      if (wanted.some((mark) => mark.id === id)) continue;
      element.remove();
      held.delete(id);
    }
    for (const mark of wanted) {
      if (!held.has(mark.id)) held.set(mark.id, made(mark));
      const one = held.get(mark.id);
      one.mark = mark;
      const grips = mark.kind === "grip";
      const x = grips && valueAt(room.axes[mark.axis], mark.value);
      const [from, to] = grips
        ? [[x - 22 / room.zoom, along(mark.top, room.height, room)], [x + 22 / room.zoom, along(mark.base, room.height, room)]]
        : [point(mark.from, room), point(mark.to, room)];
      const px = [from[0], from[1], to[0] - from[0], to[1] - from[1]].map((one) => `${one * room.zoom}px`);
      ["left", "top", "width", "height"].forEach((side, i) => { one.element.style[side] = px[i]; });
      const said = grips
        ? { label: mark.label, valuemin: mark.low, valuemax: mark.high, valuenow: mark.value, valuetext: mark.says }
        : { label: mark.says[Number(isOpen(mark, room.state.stop))], pressed: isOpen(mark, room.state.stop) };
      Object.entries(said).forEach(([name, text]) => one.element.setAttribute(`aria-${name}`, text));
    }
  };
}
