// The row below a picture: a slider of named stops, a switch, buttons.

const NAMED = /\s/; // stops that have a word stand on a phone too

import { gap, read, said, whole } from "./guess.js";

/** Whether a choice is only marked: the first answer of a reader who is asked whether they are sure. */
export function marked(controls, state, value) {
  const asks = state.chosen === undefined && controls.some(({ kind }) => kind === "sure");
  return asks && controls.some((one) => one.look === "answer" && one.value === value);
}

/** Builds the controls; `turn(name, value)` is called when a person turns one; given is for a guess. */
export function controlsIn(row, controls, turn, given) {
  const built = controls.map((control) => KINDS[control.kind](row, control, turn, given));
  return (state) => built.forEach((show) => show(state));
}

function slider(row, control, turn) {
  const [symbol, ...rest] = control.own ? ["", ...control.label] : control.label;
  const box = add(row, "div", "slider");
  const value = add(box, "div", control.own ? "value own" : "value");
  value.setAttribute("aria-hidden", "true");
  const track = add(box, "div", "track");
  const input = add(track, "input");
  Object.assign(input, { type: "range", min: 0, max: control.stops.length - 1, step: 1 });
  input.setAttribute("aria-label", control.says);
  input.dataset.control = control.name;
  const stops = add(track, "div", "stops");
  stops.setAttribute("aria-hidden", "true");
  const labels = control.stops.map((stop, i) => {
    const mark = stop.mark ?? stop.text;
    const label = add(stops, "span", NAMED.test(mark) || stop.ends ? "named" : "");
    label.textContent = mark;
    label.style.setProperty("--at", i / (control.stops.length - 1));
    label.addEventListener("click", () => choose(i));
    return label;
  });
  const choose = (i) => {
    if (control.stops[i].value !== chosen) turn(control.name, control.stops[i].value);
  };
  let chosen;
  input.addEventListener("input", () => choose(Number(input.value)));
  return (state) => {
    chosen = state[control.name];
    const at = control.stops.findIndex((stop) => stop.value === chosen);
    input.value = at;
    input.setAttribute("aria-valuetext", control.stops[at].text);
    labels.forEach((label, i) => label.classList.toggle("chosen", i === at));
    value.innerHTML = "";
    if (control.own) { // its own words, below what they are
      add(value, "small").textContent = rest.join("");
      return void (add(value, "span").textContent = control.stops[at].text);
    }
    add(value, "em").textContent = symbol;
    add(value, "span").textContent = `${rest.join("")}${chosen}`;
  };
}

function toggle(row, control, turn) {
  const button = add(row, "button", "toggle");
  button.type = "button";
  button.setAttribute("role", "switch");
  button.dataset.control = control.name;
  add(button, "span", "knob");
  add(button, "span").textContent = control.text;
  let on;
  button.addEventListener("click", () => turn(control.name, on ? control.off : control.on));
  return (state) => {
    on = state[control.name] === control.on;
    button.setAttribute("aria-checked", String(on));
  };
}

function play(row, control, turn) {
  const button = add(row, "button", "play");
  button.type = "button";
  button.dataset.control = control.name;
  button.innerHTML = '<svg width="11" height="13" viewBox="0 0 11 13" aria-hidden="true"><path d="M0 0L11 6.5L0 13Z" fill="currentColor"/></svg>';
  add(button, "span").textContent = control.text;
  let now = 0;
  button.addEventListener("click", () => turn(control.name, String((now + 1) % control.sets)));
  return (state) => {
    now = Number(state[control.name]);
  };
}

/** A button that says one thing. */
function press(row, control, turn) {
  const button = add(row, "button", "press");
  button.type = "button";
  button.dataset.control = control.name;
  button.textContent = control.text;
  button.addEventListener("click", () => turn(control.name, control.value));
  return () => {};
}

/** A field for any number between two ends; what cannot be one is said, and changes nothing. */
function number(row, control, turn) {
  const box = add(row, "label", "number");
  add(box, "span").textContent = control.label;
  const input = add(box, "input");
  Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off" });
  input.dataset.control = control.name;
  const wrong = add(box, "output");
  let shown = "";
  input.addEventListener("change", () => {
    const value = Number(input.value.replace(/[\s,]/g, ""));
    const fits = input.value.trim() !== "" && value >= control.least && value <= control.most;
    wrong.textContent = fits ? "" : control.wrong;
    input.setAttribute("aria-invalid", String(!fits));
    if (fits && String(value) !== shown) turn(control.name, String(value));
  });
  return (state) => {
    shown = state[control.name];
    input.value = Number(shown).toLocaleString("en");
  };
}

/** A button that leads on, back, or gives an answer; its key stands beside its words. */
function go(row, control, turn) {
  const button = add(row, "button", `go ${control.look}`);
  button.type = "button";
  button.dataset.control = control.value;
  add(button, "span").textContent = control.text;
  if (control.hint) add(button, "kbd").textContent = control.hint;
  button.disabled = !!control.off;
  button.addEventListener("click", () => turn(control.name, control.value));
  return ({ chosen }) => {
    if (chosen !== undefined && control.look === "answer") button.setAttribute("aria-pressed", String(chosen === control.value));
  };
}

/** Below a guess that is drawn: smaller, the number, larger; to lock it, and how far it is off. */
function draw(row, control, turn, { pad, mark }) {
  const box = add(row, "div", "draw");
  const button = (text, name, act) => {
    const found = add(box, "button", name);
    Object.assign(found, { type: "button", textContent: text });
    found.addEventListener("click", act);
    return found;
  };
  const less = button("−", "press", () => pad.step(-1));
  const field = add(box, "label", "number");
  const input = add(field, "input");
  Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", readOnly: control.dots > 0 });
  input.setAttribute("aria-label", control.unit);
  const unit = add(field, "span");
  const more = button("+", "press", () => pad.step(1));
  less.setAttribute("aria-label", "less");
  more.setAttribute("aria-label", "more");
  const far = add(box, "output", "gap");
  const lock = button(control.text, "go forward", () => (control.shared || now.locked ? turn("go", now.guess) : turn("locked", "1")));
  lock.dataset.control = "lock";
  let now = {};
  input.addEventListener("change", () => {
    const value = Number(input.value.replace(/[\s,]/g, ""));
    if (value > 0) pad.type(value);
    else input.value = "";
  });
  return (state) => {
    now = state;
    const shown = mark();
    const values = shown ? read(shown, state.guess) : [];
    const active = values.at(pad.active());
    if (control.dots) input.value = values.length;
    else input.value = active > 0 ? said(active) : "";
    const name = values.length > 1 && !control.dots && shown.names.at(pad.active()); // whose number it is
    unit.textContent = name ? `${control.unit} at ${name}` : control.unit;
    const kept = control.shared && state.chosen === state.guess;
    lock.disabled = !shown || !whole(shown, values) || kept;
    lock.textContent = kept ? control.kept : state.locked ? control.on : control.text;
    [less, more, field].forEach((one) => one.toggleAttribute("hidden", !!state.locked));
    far.textContent = state.locked ? gap(shown, state.guess) : "";
  };
}

function words(row, control) {
  add(row, "div", "words").textContent = control.text;
  return () => {};
}

/** What is to be tapped in the picture. */
function taps(row, control) {
  add(row, "div", "taps").textContent = control.text;
  return () => {};
}

/** What is said once a choice is marked; its place is there before, so that it is read aloud. */
function sure(row, control) {
  const line = add(row, "output", "sure");
  return ({ chosen }) => {
    line.textContent = chosen ? control.text : "";
  };
}

function add(parent, tag, name) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  parent.append(element);
  return element;
}

const KINDS = { slider, toggle, play, press, go, number, draw, words, sure, taps };
