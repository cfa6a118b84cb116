// The stage in a page: draws the state that it is given, moves to the next one, tells the server.
//
// The server hands over all states at once, so nothing is asked while a picture moves. One message
// goes back for each step of a control that the page follows.

import { controlsIn, marked } from "./controls.js";
import { altOf, arrange, marksOf, stepsOf } from "./draw.js";
import { padOn } from "./pad.js";
import { beatOf, blend, cubicOut, flight, longest, played } from "./motion.js";
import { paperOn, themeOf } from "./paper.js";
import { along, roomOf } from "./place.js";
import { touchOn } from "./touch.js";

const GLIDE = { slider: 450, toggle: 300, taps: 300 }; // ms that dots take to where the same randomness puts them
const REVEALED = 900; // ms that the truth takes from a guess to its place
const QUICK = 130; // ms of everything else: it changes with the finger

/** Draws data in parentElement, and says what a person turns; what it returns takes all of it away. */
export function stageIn({ data, parentElement, setStateValue, setTriggerValue }) {
  const root = parentElement.querySelector(".stage");
  root.app ??= mount(root);
  root.app.take(data, setStateValue, setTriggerValue);
  return () => {
    root.app?.leave();
    delete root.app;
  };
}

function mount(root) {
  const box = root.querySelector(".picture");
  const svg = box.querySelector("svg");
  const draw = paperOn(box.querySelector("canvas"), svg);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let data, tell, ask, text, state, theme, size, show;
  let shapes = []; // where everything will be
  let leaving = null; // where everything was, when, and how long each kind takes
  let playing = null; // when a play began
  const pad = padOn(box, (text) => turn("guess", text));
  const touch = touchOn(box, turn);
  let frame = 0;
  let timer = 0;
  let still = 0;

  function take(given, send, trigger) {
    [tell, ask] = [send, trigger];
    const said = JSON.stringify(given);
    if (said === text) return;
    const first = text === undefined;
    const same = !first && given.scene !== undefined && given.scene === data.scene;
    const before = same ? current(performance.now()) : [];
    const beat = state?.beat;
    // what a person has chosen stays, unless the page says otherwise
    const chosen = !first && given.turn === data.turn ? given.controls.map(({ name }) => name) : [];
    const kept = chosen.filter((name) => name in (state ?? {})).map((name) => [name, state[name]]);
    state = { ...given.state, ...Object.fromEntries(kept) };
    const rebuild = first || JSON.stringify(given.controls) !== JSON.stringify(data.controls);
    [data, text] = [given, said];
    root.style.setProperty("--zoom", data.zoom > 1 || data.k > 1 ? 1.25 : 1); // hit and read from afar
    if (data.k > 1) root.style.setProperty("--above", "6px"); // a row of its own height
    fit();
    if (rebuild) {
      const row = root.querySelector(".controls");
      row.innerHTML = "";
      show = controlsIn(row, data.controls, turn, { pad, mark: guessed });
    }
    show(state);
    measure();
    const start = playOf();
    if (first && start) {
      hold();
      timer = setTimeout(() => play(), calm.matches ? 0 : start.first);
    } else if (same && beat !== state.beat) move({ before, glide: beatOf(shapes), beat: true });
    else if (same) move({ before, glide: GLIDE.slider });
    else move({});
  }

  const playOf = () => data.controls.find((control) => control.kind === "play");

  /** The picture's height follows the window, by the page's own rule for each kind of screen. */
  function fit() {
    const kind = innerWidth <= 640 ? "phone" : innerHeight < 800 ? "low" : "wide";
    box.style.height = data.heights[kind];
  }

  function measure() {
    const { clientWidth, clientHeight } = box;
    size = { width: clientWidth / data.zoom, height: clientHeight / data.zoom, zoom: data.zoom };
    theme = themeOf(root);
    shapes = target();
  }

  function target(gone) {
    const now = { ...data, state };
    if (gone === undefined) svg.setAttribute("aria-label", altOf(now, size.width));
    if (gone === undefined) touched(now);
    return arrange(now, size.width, size.height, theme, gone);
  }

  /** The mark of a guess that is drawn, where the picture has one. */
  const guessed = () => marksOf({ ...data, state }, box.clientWidth).find((mark) => mark.kind === "guess" && !mark.hidden);

  /** Lets a guess be drawn while the picture asks for one, and touched what it offers. */
  function touched(now) {
    const marks = marksOf(now, size.width);
    touch(marks, Object.assign(roomOf(marks, size.width, size.height, theme, data.k), { state, zoom: data.zoom }));
    const mark = marks.find(({ kind, hidden }) => kind === "guess" && !hidden);
    if (!mark || state.locked) return pad.show(null);
    const room = Object.assign(roomOf(marks, size.width, size.height, theme, data.k), { state, zoom: data.zoom });
    room.foot = along(mark.waits[1], size.height, room);
    const axis = marks.find(({ id }) => id === mark.axes[mark.form === "d" ? 0 : 1]);
    return pad.show({ mark, room, axis });
  }

  function turn(name, value) {
    if (name === "go") return marked(data.controls, state, value) ? show((state = { ...state, chosen: value })) : ask(name, value);
    const control = data.controls.find((one) => one.name === name);
    if (["guess", "locked"].includes(name) || !control) { // drawn or dragged: the page hears of a guess when it is handed in
      const before = current(performance.now());
      state = { ...state, [name]: value };
      shapes = target();
      show(state);
      return move(name === "locked" ? { before, glide: REVEALED } : {});
    }
    const before = current(performance.now());
    state = { ...state, [name]: value };
    show(state);
    shapes = target();
    if (control.kind === "play") return play();
    clearTimeout(timer);
    if (playing?.waits) playing = null; // a person was faster than the first play
    move({ before, glide: GLIDE[control.kind] });
    tell(name, value);
  }

  /** Dots wait for the first play. */
  function hold() {
    playing = { since: Infinity, waits: true };
    paint(0);
  }

  function play() {
    if (calm.matches) playing = null;
    else playing = { since: performance.now() };
    move({});
  }

  function move({ before, glide, beat }) {
    leaving = before && !calm.matches ? { before, glide, beat, since: performance.now() } : null;
    if (leaving?.beat) {
      leaving.times = stepsOf({ ...data, state }, size.width);
      leaving.glide = Math.max(glide, leaving.times.at(-1) ?? 0);
    }
    cancelAnimationFrame(frame);
    step(performance.now());
  }

  function step(now) {
    paint(now);
    if (leaving && now - leaving.since > leaving.glide) leaving = null;
    if (playing && !playing.waits && now - playing.since > playing.lasts) playing = null;
    if (leaving || (playing && !playing.waits)) frame = requestAnimationFrame(step);
    else paint(now);
  }

  /** Where everything is at this time. */
  function current(now) {
    let seen = shapes;
    if (leaving?.beat) {
      const gone = now - leaving.since;
      const step = leaving.times.filter((ms) => ms <= gone).length;
      if (leaving.times.length && step !== leaving.step) [leaving.step, leaving.shapes] = [step, target(gone)];
      seen = played(leaving.before, leaving.shapes ?? shapes, gone);
    } else if (leaving) {
      const gone = now - leaving.since;
      const [slow, quick] = [leaving.glide, QUICK].map((ms) => cubicOut(Math.min(1, Math.max(0, gone / ms))));
      const parts = [true, false].map((flies) => blend(leaving.before, shapes.filter((shape) => !!shape.flies === flies), flies ? slow : quick));
      const moved = new Map(parts.flat().map((shape) => [shape.key, shape]));
      seen = shapes.map((shape) => moved.get(shape.key));
    }
    return playing ? flown(seen, now) : seen;
  }

  function flown(seen, now) {
    const path = pathOf();
    const dots = seen.filter((shape) => shape.flies);
    playing.lasts = (dots.length - 1) * path.every + longest(dots, path);
    let number = 0;
    return seen.flatMap((shape) => {
      if (!shape.flies) return [shape];
      return flight(shape, path, now - playing.since - path.every * number++) ?? [];
    });
  }

  /** From where answers leave, and where they pass the barrier. */
  function pathOf() {
    const marks = marksOf({ ...data, state }, size.width);
    const room = roomOf(marks, size.width, size.height, theme, data.k);
    const barrier = marks.find((mark) => mark.kind === "barrier");
    const label = marks.find((mark) => mark.id === playOf().from);
    const off = playOf().off;
    const from = [along(label.at[0], size.width, room) + off[0], along(label.at[1], size.height, room) + off[1]];
    const upright = barrier.direction === "vertical";
    const at = along(barrier.at, upright ? size.width : size.height, room);
    return { from, gate: upright ? [at, from[1]] : [from[0], at], every: playOf().every, ink: theme.ink };
  }

  function paint(now) {
    draw(current(now), size, theme);
  }

  /** Draws anew in another size or theme; what moves goes on to where it then belongs. */
  function redraw() {
    fit();
    measure();
    if (leaving) leaving.step = leaving.shapes = undefined;
    paint(performance.now());
  }

  const resized = new ResizeObserver(redraw);
  resized.observe(box);
  const themed = new MutationObserver(() => requestAnimationFrame(redraw));
  const watched = [document.documentElement, document.body, document.querySelector('[data-testid="stApp"]'), root.getRootNode().host];
  watched.filter(Boolean).forEach((element) => themed.observe(element, { attributes: true, attributeFilter: ["style", "class"] }));
  addEventListener("resize", fit);
  addEventListener("keydown", press);
  addEventListener("pointermove", stir);
  document.fonts?.ready.then(() => data && paint(performance.now()));

  /** What shows while somebody moves the pointer. */
  function stir() {
    root.classList.add("moved");
    clearTimeout(still);
    still = setTimeout(() => root.classList.remove("moved"), 2500);
  }

  /** A key that the page gave a meaning, unless it belongs to what has the focus. */
  function press(event) {
    const meaning = data?.keys?.[event.key];
    if (!meaning || event.ctrlKey || event.metaKey || event.altKey) return;
    const focus = event.composedPath()[0];
    const own = { INPUT: true, TEXTAREA: true, SELECT: true, BUTTON: event.key === " ", A: event.key === " " };
    if (own[focus?.tagName] || focus?.isContentEditable || focus?.getAttribute?.("role") === "slider") return;
    event.preventDefault();
    turn("go", meaning);
  }

  function leave() {
    resized.disconnect();
    themed.disconnect();
    removeEventListener("resize", fit);
    removeEventListener("keydown", press);
    removeEventListener("pointermove", stir);
    clearTimeout(still);
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  }

  return { take, leave };
}
