// The row below a picture: a slider of named stops, a switch, a button that plays.

const NAMED = /\s/; // stops that have a word stand on a phone too

/** Builds the controls; `turn(name, value)` is called when a person turns one. */
export function controlsIn(row, controls, turn) {
  const built = controls.map((control) => KINDS[control.kind](row, control, turn));
  return (state) => built.forEach((show) => show(state));
}

function slider(row, control, turn) {
  const [symbol, ...rest] = control.label;
  const box = add(row, "div", "slider");
  const value = add(box, "div", "value");
  value.setAttribute("aria-hidden", "true");
  const track = add(box, "div", "track");
  const input = add(track, "input");
  Object.assign(input, { type: "range", min: 0, max: control.stops.length - 1, step: 1 });
  input.setAttribute("aria-label", control.says);
  input.dataset.control = control.name;
  const stops = add(track, "div", "stops");
  stops.setAttribute("aria-hidden", "true");
  const labels = control.stops.map((stop, i) => {
    const label = add(stops, "span", NAMED.test(stop.text) ? "named" : "");
    label.textContent = stop.text;
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

function add(parent, tag, name) {
  const element = document.createElement(tag);
  if (name) element.className = name;
  parent.append(element);
  return element;
}

const KINDS = { slider, toggle, play };
