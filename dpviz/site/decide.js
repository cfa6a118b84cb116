// Decide: the sentence tells which words were set; what then holds stands in tables that Python wrote.

import { narrow, one, write } from "./address.js";
import { sentenceIn } from "./sentence.js";

const HOLE = "¤";
const FIRST = "~";
const NOUN = "%unit";

/** The data of the page, ready to be read. */
export function unpacked(page) {
  return { ...page, pieces: page.pieces.split("|") };
}

/** A text of Python's: its form, with the numbers of this piece. */
function piece(page, at) {
  const [form, ...numbers] = page.pieces[at].split(" ");
  const [start, ...rest] = page.forms[form].split(HOLE);
  return start + rest.map((text, i) => (numbers[i] === FIRST ? numbers[0] : numbers[i]) + text).join("");
}

/** A drawing of several pieces: "0-7 12". */
export function drawing(page, places) {
  return places.split(" ").map((run) => {
    const [low, high = low] = run.split("-").map(Number);
    return Array.from({ length: high - low + 1 }, (_, i) => piece(page, low + i)).join("");
  }).join("");
}

const has = (table, key) => Object.hasOwn(table, key);

/** Stops of a state's words, and places of their answers, two a stop: the ending, the line below. */
function tableOf(page, state, given = state.given) {
  const units = Object.keys(beginsOf(page, state));
  const often = Object.keys(page.often);
  const at = (units.indexOf(state.unit) * often.length + often.indexOf(state.often)) * 2 + (given === "need" ? 0 : 1);
  const [stops, rows] = page.answers[page.tables[`${state.what}|${state.data}|${state.more}`][at]].split("|");
  return [stops.split(" "), rows.split(" ")];
}

const columnsOf = (page, what) => Object.keys(page.columns).filter((key) => has(page.begins, `${what}|${key}`));
const beginsOf = (page, { what, data }) => page.begins[`${what}|${data}`];

/** What is published of data that were named alone: of points in the plane their map. */
const whatOf = (page, data) =>
  [page.first.what, "map"].find((what) => columnsOf(page, what).includes(data)) ?? page.first.what;

/** The state that comes nearest to what is wished: a word that cannot be is as at first. */
export function settled(page, wish) {
  const what = has(page.whats, wish.what) ? wish.what : whatOf(page, wish.data);
  const columns = columnsOf(page, what);
  const data = columns.includes(wish.data) ? wish.data : columns[0];
  const { more, options, begins } = page.whats[what];
  const units = beginsOf(page, { what, data });
  const unit = has(units, wish.unit) ? wish.unit : Object.keys(units)[0];
  const state = {
    what, data, unit, more: more && options.includes(wish[more]) ? wish[more] : begins,
    often: has(page.often, wish.often) ? wish.often : "0.95", given: wish.given === "budget" ? "budget" : "need",
  };
  if (more) state[more] = state.more;
  const column = page.columns[data];
  if (asksOver(page, what)) state.over = within(wish.over, column.ends) ? wish.over : column.over;
  const [needs] = tableOf(page, state, "need");
  const [sizes] = tableOf(page, state, "budget");
  if (!sizes.includes(wish.eps)) state.given = "need";
  state.off = needs.includes(wish.off) ? wish.off : needs.includes(units[unit]) ? units[unit] : needs.at(-1);
  state.eps = sizes.includes(wish.eps) ? wish.eps : "1";
  return state;
}

const asksOver = (page, what) => page.whats[what].need.some(([name]) => name === "over");
const within = (said, [low, high]) => /^-?\d+(\.\d+)?$/.test(said) && Number(said) >= Number(low) && Number(said) < Number(high);
const local = (said) => Number(said).toLocaleString("en-US");

/** The state once words were set, or the words that are no stops. */
export function taken(page, state, values, touched) {
  const wish = { ...state, [touched]: values[touched] };
  if (touched === "eps") wish.given = "budget";
  else if (["off", "unit"].includes(touched) || (touched === "what" && state.given === "budget")) wish.given = "need";
  const isOther = touched === "what" && page.whats[wish.what].form !== page.whats[state.what].form;
  if (isOther || touched === "data") delete wish.unit;
  if (touched === "data") delete wish.over;
  const { ends } = page.columns[state.data];
  if (touched === "over" && !within(values.over, ends)) return { wrong: { over: betweenEnds(page, ends) } };
  if (isOther || ["data", "unit"].includes(touched)) delete wish.off;
  const given = touched === "eps" ? "budget" : "need";
  const [stops] = tableOf(page, state, given);
  if (["eps", "off"].includes(touched) && !stops.includes(values[touched])) return { wrong: { [touched]: mayBe(page, stops) } };
  return { state: settled(page, wish) };
}

function mayBe(page, stops) {
  const listed = stops.map(local);
  return page.range.replace("{}", `${listed.slice(0, -1).join(", ")} and ${listed.at(-1)}`);
}

const betweenEnds = (page, ends) => ends.reduce((text, end) => text.replace("{}", local(end)), page.between);
const unitAt = (amount) => (Number(amount) === 1 ? 0 : 1);

/** The answer of a state, as Python says it. */
export function answerOf(page, state) {
  const [stops, rows] = tableOf(page, state);
  const at = 2 * stops.indexOf(state.given === "need" ? state.off : state.eps);
  const found = JSON.parse(piece(page, rows[at]));
  const unit = page.columns[state.data].units[state.unit][unitAt(found.computed.off)];
  const under = piece(page, rows[at + 1]).split("**").map((text, i) => [text, i % 2 === 1]);
  return { ...found, spoken: found.spoken.replace(NOUN, unit), under: under.filter(([text]) => text) };
}

/** What the sentence's component is handed. */
export function said(page, state, wrong, turn) {
  const found = answerOf(page, state);
  const column = page.columns[state.data];
  const off = found.computed.off ?? state.off;
  const options = {
    what: Object.entries(page.whats).map(([key, { name }]) => [key, name]),
    data: columnsOf(page, state.what).map((key) => [key, page.columns[key].name]),
    unit: Object.keys(beginsOf(page, state)).map((key) => [key, column.units[key][unitAt(off)]]),
    often: Object.entries(page.often),
    [page.whats[state.what].more]: page.whats[state.what].options.map((key) => [key, optionSaid(state.what, key)]),
  };
  const part = (name, joined) => {
    if (name === "answer" || name === "lead") return { [name]: true, joined };
    const says = page.says[name] ?? page.whats[state.what].says;
    if (options[name]) return { name, says, options: options[name], joined };
    if (name === "over") {
      const [least, most] = column.ends.map(Number);
      return { name, says, joined, least, most, stops: [], refuses: betweenEnds(page, column.ends), empties: false };
    }
    const [stops] = tableOf(page, state, name === "eps" ? "budget" : "need");
    const numbers = stops.map(Number);
    const refuses = mayBe(page, stops);
    return { name, says, joined, least: numbers[0], most: numbers.at(-1), stops: numbers, refuses, empties: false };
  };
  const parts = page.whats[state.what][state.given].map((one) => {
    if (typeof one !== "string") return part(...one);
    return Object.entries(column.said).reduce((text, [name, word]) => text.replaceAll(name, word), one);
  });
  const refused = Object.values(wrong).map((text) => [` ${text}`, true]);
  return {
    parts, values: { ...state }, turn, wrong, live: true, small: false, present: false, door: "", ways: null, near: [], note: found.note,
    answer: found.answer, spoken: found.spoken, lead: found.lead, computed: found.computed,
    under: [...found.under, ...refused], size: found.size, rail: found.rail,
  };
}

/** How far off the sentence says that it is: what is given, or what a budget keeps. */
const needOf = (page, state) => number(state.given === "need" ? state.off : answerOf(page, state).computed.off);
const number = (said) => Number(said.replaceAll(",", ""));

/** What each budget buys: [size, in words, whether it is the largest that the answer is not below, its band]. */
export function bought(page, state, size) {
  const [sizes] = tableOf(page, state, "budget");
  const here = sizes.filter((one) => Number(one) <= size).at(-1);
  const need = needOf(page, state);
  return sizes.filter(Boolean).map((eps) => {
    const { spoken, computed } = answerOf(page, { ...state, given: "budget", eps });
    return [eps, spoken, eps === here, band(page, number(computed.off), need)];
  });
}

/** How far a budget is off, beside dashed lines where the need is. */
function band({ reach }, off, need) {
  const half = Math.min((100 * off) / (reach * need), 100);
  const lines = [-1, 1].map((side) => `<path d="M${100 + (side * 100) / reach} 0V20" stroke-dasharray="3 3" stroke="var(--ink)"/>`);
  return `<svg viewBox="0 0 200 20" preserveAspectRatio="none" aria-hidden="true"><rect x="${(100 - half).toFixed(1)}" y="4" width="${(
    2 * half
  ).toFixed(1)}" height="12" fill="var(--private)" opacity=".35"/>${lines.join("")}</svg>`;
}

/** What the bands are beside. */
export function keyOf(page, state) {
  const need = needOf(page, state);
  return page.bands.replace("{}", `${local(need)} ${page.columns[state.data].units[state.unit][unitAt(need)]}`);
}

function row([size, text, here, drawn]) {
  const made = document.createElement("tr");
  const head = Object.assign(document.createElement("th"), { scope: "row", textContent: `ε = ${size}` });
  const said = Object.assign(document.createElement("td"), { textContent: text });
  made.append(head, said, Object.assign(document.createElement("td"), { innerHTML: drawn }));
  made.classList.toggle("here", here);
  return made;
}

const optionSaid = (what, key) => (what === "map" ? `${key} × ${key}` : key);

/** What an address says of a state. */
export function fieldsOf(page, state) {
  const { what, data, unit, off, often, eps } = state;
  const { more } = page.whats[what];
  const given = state.given === "need" ? { off } : { given: "budget", eps };
  const own = { ...(more ? { [more]: state.more } : {}), ...(state.over === undefined ? {} : { over: state.over }) };
  return new URLSearchParams({ what, data, unit, often, ...given, ...own });
}

export function decidePage(told) {
  const page = unpacked(told);
  let state = settled(page, { ...page.first, ...linked() });
  let turn = 0;
  let wrong = {};

  function linked() {
    return Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  }

  function draw() {
    const data = said(page, state, wrong, turn);
    sentenceIn({ data, parentElement: one(".asked"), setStateValue: (_, told) => take(told), setTriggerValue: () => {} });
    pictures(data);
    if (page.app) {
      one("#app").href = `${page.app}decide?${fieldsOf(page, state)}`;
      one("#app").hidden = false;
    }
  }

  function pictures({ size, rail }) {
    const rows = bought(page, state, Number(size)).map(row);
    one("#buys table").replaceChildren(...rows);
    one("#buys .key").textContent = rows.length ? keyOf(page, state) : "";
    const drawn = page.drawn[narrow() ? "phone" : "wide"];
    put("#risks", drawn[`risks ${size}`]);
    put("#rail", drawn[`rail ${size} ${rail}`]);
  }

  function put(selector, at) {
    one(selector).innerHTML = at === undefined ? "" : drawing(page, page.places[at]);
  }

  function take({ touched, values }) {
    const found = taken(page, state, values, touched);
    wrong = found.wrong ?? {};
    if (found.state) {
      state = found.state;
      turn += 1;
      write(Object.fromEntries(fieldsOf(page, state)));
    }
    setTimeout(draw); // once the word itself has heard all of its events
  }

  addEventListener("resize", draw);
  addEventListener("hashchange", () => {
    state = settled(page, { ...page.first, ...linked() });
    wrong = {};
    turn += 1;
    draw();
  });
  draw();
}
