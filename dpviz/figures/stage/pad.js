// How a guess is drawn: by dragging, tapping, arrow keys; the number field stands in the row below.

import { placesOf, read, written } from "./guess.js";

const STEPS = 24; // of an axis, which an arrow key goes

/** Values of a guess, moved: change(text) is told each one. */
export function padOn(box, change) {
  let now = null; // the mark and its room while a guess may be drawn
  let active = -1; // the handle that keys and the field move, at first the last; of dots, the one dragged
  let dragged = null;
  let cursor = STEPS / 2; // where a key drops a dot
  const grips = [];

  const axis = () => now.room.axes[now.mark.axes[now.mark.form === "d" ? 0 : 1]];
  const values = () => read(now.mark, now.room.state.guess);
  const tell = (list) => change(written(now.mark, list));

  function ends() {
    const { low, high } = now.axis;
    return now.axis.log ? [Math.log10(low), Math.log10(high)] : [low, high];
  }

  /** The value at a place between the axis's ends, 0 to 1. */
  function at(share) {
    const [low, high] = ends();
    const found = low + Math.min(1, Math.max(0, share)) * (high - low);
    return now.axis.log ? 10 ** found : found;
  }

  function shareOf(value) {
    const [low, high] = ends();
    return ((now.axis.log ? Math.log10(value) : value) - low) / (high - low);
  }

  function under({ clientX, clientY }) {
    const { left, top } = box.getBoundingClientRect();
    const zoom = now.room.zoom;
    const [x, y] = [(clientX - left) / zoom, (clientY - top) / zoom];
    const { start, unit, low } = axis();
    const [first, last] = ends();
    return { x, y, share: (low + ((now.mark.form === "d" ? x : y) - start) / unit - first) / (last - first) };
  }

  function set(number, value) {
    const list = values();
    list[number] = value;
    tell(list);
  }

  /** One step up or down; a handle that waits comes to the middle, a dot is dropped or taken back. */
  function step(by, number = active) {
    if (now.mark.form === "d") return by > 0 ? drop(at(cursor / STEPS)) : tell(values().slice(0, -1));
    const value = values()[number];
    return set(number, at(Number.isNaN(value) ? 0.5 : shareOf(value) + by / STEPS));
  }

  function drop(value) {
    if (values().length < now.mark.dots) tell([...values(), value]);
  }

  function down(event) {
    if (!now) return;
    const { x, share } = under(event);
    if (now.mark.form === "d") {
      const span = 14 / Math.abs(axis().unit);
      const there = values().findIndex((one) => Math.abs(one - at(share)) < span);
      if (there < 0) drop(at(share));
      dragged = there < 0 ? values().length - 1 : there;
      cursor = Math.round(share * STEPS);
    } else {
      const far = placesOf(now.mark, now.room).map(([place]) => Math.abs(place - x));
      dragged = active = far.indexOf(Math.min(...far));
      set(active, at(share));
    }
    event.preventDefault();
    box.setPointerCapture(event.pointerId);
  }

  function move(event) {
    if (dragged !== null && now) set(dragged, at(under(event).share));
  }

  const KEYS = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 };
  function press(event, number) {
    const by = KEYS[event.key];
    const dots = now.mark.form === "d";
    if (dots && by) cursor = Math.min(STEPS, Math.max(0, cursor + by));
    else if (by) step(by, number);
    else if (dots && ["Enter", " "].includes(event.key)) step(1);
    else if (dots && ["Backspace", "Delete"].includes(event.key)) step(-1);
    else return;
    event.preventDefault();
    show(now);
  }

  /** What stands for each handle where it has the focus, and for those who do not see it. */
  function show(given) {
    now = given;
    box.classList.toggle("drawn", !!now);
    const many = now ? (now.mark.form === "d" ? 1 : now.mark.at.length) : 0;
    if (active < 0 || active >= many) active = many - 1;
    while (grips.length > many) grips.pop().remove();
    while (grips.length < many) {
      const number = grips.length;
      const grip = document.createElement("div");
      grip.className = "grip";
      Object.assign(grip, { tabIndex: 0, role: "slider" });
      grip.addEventListener("keydown", (event) => press(event, number));
      grip.addEventListener("focus", () => {
        active = number;
      });
      box.append(grip);
      grips.push(grip);
    }
    grips.forEach((grip, number) => {
      const { mark, room } = now;
      const dots = mark.form === "d";
      const value = dots ? at(cursor / STEPS) : values()[number];
      const place = dots ? [axis().start + (((now.axis.log ? Math.log10(value) : value) - axis().low) * axis().unit), room.foot] : placesOf(mark, room)[number];
      grip.style.cssText = `left: ${place[0] * room.zoom}px; top: ${place[1] * room.zoom}px`;
      const unset = Number.isNaN(value);
      const said = { label: mark.names[number] ?? mark.unit, valuemin: now.axis.low, valuemax: now.axis.high,
        valuenow: unset ? now.axis.low : value, valuetext: unset ? "not yet" : `${Number(value.toPrecision(2))} ${mark.unit}` };
      Object.entries(said).forEach(([name, text]) => grip.setAttribute(`aria-${name}`, text));
    });
  }

  const up = () => {
    dragged = null;
  };
  const inside = (value) => Math.min(now.axis.high, Math.max(now.axis.low, value));
  box.addEventListener("pointerdown", down);
  box.addEventListener("pointermove", move);
  box.addEventListener("pointerup", up);
  box.addEventListener("pointercancel", up);
  return {
    show,
    step: (by) => now && step(by),
    type(value) {
      if (!now || now.mark.form === "d") return;
      const list = values();
      list[active] = inside(value);
      const next = list.map(Number.isNaN).lastIndexOf(true); // which is asked for after this one
      if (next >= 0) active = next;
      tell(list);
    },
    active: () => active,
  };
}
