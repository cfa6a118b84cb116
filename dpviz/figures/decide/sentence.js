// A sentence whose bold words are native controls: lists that open, and numbers that are typed.
// Python says what stands where and what holds; the browser tells all words at once when one of
// them was set. Texts are put in as text, never as markup.
const SIZER = document.createElement("canvas").getContext("2d");
const REST = 250; // ms after the last arrow key until a number is told
const ROOM = { SELECT: 22, INPUT: 6 }; // px beside the text of a word
const UNSET = "–";

export function sentenceIn(component) {
  const { data, parentElement, setStateValue, setTriggerValue } = component;
  const root = parentElement.querySelector(".sentence");
  const held = (root._held ??= { words: {}, values: {}, turn: -1 });
  held.tell = (name) => setStateValue("words", { turn: held.turn, touched: name, values: { ...held.values } });
  held.open = () => setTriggerValue("way", data.door);
  root.classList.toggle("published", !data.live);
  root.classList.toggle("present", !!data.present);
  root.classList.toggle("small", !!data.small);
  const shape = JSON.stringify([data.parts, data.live]);
  const anew = held.shape !== shape;
  if (anew) {
    held.shape = shape;
    build(root, held, data);
  }
  if (anew || held.turn !== data.turn) {
    // Python says otherwise: a link, Back, another control
    if (held.turn !== data.turn) held.values = { ...data.values };
    held.turn = data.turn;
    for (const [name, word] of Object.entries(held.words)) word.show(held.values[name] ?? "");
  }
  for (const [name, word] of Object.entries(held.words)) {
    word.compute(data.computed[name]);
    word.wrong(data.wrong[name] ?? "");
  }
  if (held.answer) answer(held.answer, data);
  if (held.lead && held.lead.textContent !== data.lead) held.lead.textContent = data.lead;
  under(parentElement.querySelector(".sentence_under"), data.under);
  near(parentElement.querySelector(".sentence_near"), data.near, (name) => setTriggerValue("way", name));
  ways(parentElement.querySelector(".sentence_ways"), data.ways, (name) => setTriggerValue("way", name));
  root.dataset.turn = data.turn;
}

// what else could be asked for
function near(line, names, open) {
  line.hidden = !names.length;
  const made = (name) => Object.assign(document.createElement("button"), { textContent: name, onclick: () => open(name) });
  line.replaceChildren("Nearest:", ...names.map(made));
}

// where the answer can be looked into; a way may have parts, which are a row of their own
function ways(nav, told, open) {
  const said = JSON.stringify(told);
  if (nav._said === said) return;
  nav._said = said;
  nav.hidden = !(told && told.names.length > 1);
  if (nav.hidden) return;
  const [first, ...names] = told.names;
  const way = (name, here) => {
    const made = document.createElement(name === here ? "b" : "button");
    made.textContent = name;
    if (name === here) made.setAttribute("aria-current", "page");
    else made.onclick = () => open(name);
    return made;
  };
  const label = (text) => Object.assign(document.createElement("span"), { textContent: text });
  const [row, parts] = nav.querySelectorAll("div");
  row.replaceChildren(way(first, told.here), label("Look inside:"), ...names.map((name) => way(name, told.here)));
  parts.replaceChildren(...(told.parts.length ? [label("Compared:"), ...told.parts.map((name) => way(name, told.part))] : []));
  const all = told.names.flatMap((name) => [name, ...(name === told.here ? told.parts : [])]); // on a phone
  const select = nav.querySelector("select");
  select.replaceChildren(...all.map((name) => new Option(told.parts.includes(name) ? `– ${name}` : name, name)));
  select.value = told.part || told.here;
  select.onchange = () => open(select.value);
}

// what is seen stands beside numbers that follow from it; what is read out is whole
function answer(output, data) {
  const [shown, spoken] = output.children;
  if (shown.textContent !== data.answer) shown.textContent = data.answer;
  output.classList.toggle("note", data.note);
  if (spoken.textContent !== data.spoken) spoken.textContent = data.spoken;
}

function under(line, parts) {
  line.hidden = !parts.length;
  line.replaceChildren(
    ...parts.map(([text, bold]) => {
      const part = document.createElement(bold ? "strong" : "span");
      part.textContent = text;
      return part;
    }),
  );
}

function build(root, held, data) {
  const focused = root.contains(document.activeElement) ? document.activeElement.name : "";
  root.replaceChildren();
  held.words = {};
  held.answer = held.lead = null;
  let last = null; // what the next part may not part from
  let open = false; // whether it ends in a text that belongs to the next word
  for (const part of data.parts) {
    if (typeof part === "string") {
      const tied = last ? (part.match(/^[,.:;?)\u00a0]+/) ?? [""])[0] : "";
      if (tied) last.append(tied);
      const text = part.slice(tied.length);
      const before = (text.match(/[^ ]+ =\u00a0$/) ?? [""])[0];
      root.append(...doors(text.slice(0, text.length - before.length), held, data));
      open = before !== "";
      last = open ? tie(root, before) : null;
      continue;
    }
    if (part.lead) {
      held.lead = document.createElement("span");
      held.lead.className = "lead";
      root.append(held.lead);
      last = null;
      continue;
    }
    if (!open && part.joined && last) last.append(gap());
    else if (!open) last = tie(root, "");
    open = false;
    if (part.answer) {
      held.answer = document.createElement("output");
      held.answer.setAttribute("aria-live", "polite");
      held.answer.append(document.createElement("span"), document.createElement("span"));
      held.answer.firstChild.setAttribute("aria-hidden", "true");
      held.answer.lastChild.className = "spoken";
      last.append(held.answer);
    } else if (data.live) held.words[part.name] = (part.options ? choice : number)(last, part, held);
    else held.words[part.name] = settled(last, part);
  }
  if (focused && held.words[focused]) queueMicrotask(() => held.words[focused].focus());
}

// a text, in which one word may lead elsewhere
function doors(text, held, { door, live }) {
  if (!(door && live && text.includes(door))) return [text];
  const [before, after] = text.split(door);
  const made = Object.assign(document.createElement("button"), { textContent: door, title: "The bounds on their axis" });
  made.onclick = held.open;
  return [before, made, after];
}

// words that stand on one line
function tie(root, text) {
  const span = document.createElement("span");
  span.className = "tied";
  span.append(text);
  root.append(span);
  return span;
}

// the space before a word that may have no number to show
function gap() {
  const space = document.createElement("span");
  space.className = "gap";
  space.textContent = "\u00a0";
  return space;
}

function settled(into, part) {
  const word = document.createElement("strong");
  into.append(word);
  const texts = Object.fromEntries(part.options ?? []);
  return {
    show: (value) => (word.textContent = part.options ? (texts[value] ?? value) : written(value)),
    compute: (value) => {
      word.classList.toggle("computed", value !== undefined);
      if (value !== undefined) word.textContent = part.options ? value : written(value);
    },
    wrong: () => {},
    focus: () => {},
  };
}

function choice(into, part, held) {
  const select = document.createElement("select");
  select.setAttribute("aria-label", part.says);
  select.name = part.name;
  let group = null;
  for (const [value, text, under] of part.options) {
    if (under && group?.label !== under) {
      group = document.createElement("optgroup");
      group.label = under;
      select.append(group);
    }
    (under ? group : select).append(new Option(text, value));
  }
  const width = () => fit(select, select.selectedOptions[0]?.text ?? "");
  select.addEventListener("change", () => {
    width();
    held.values[part.name] = select.value;
    held.tell(part.name);
  });
  into.append(select);
  return {
    show: (value) => {
      select.value = value;
      width();
    },
    compute: () => {},
    wrong: (text) => mark(select, text),
    focus: () => select.focus(),
  };
}

function number(into, part, held) {
  const input = document.createElement("input");
  Object.assign(input, { type: "text", inputMode: "decimal", autocomplete: "off", name: part.name });
  input.setAttribute("aria-label", part.says);
  let last = "";
  let later = 0; // a step of the arrow keys that is still to be told: no answer to another word takes it back
  const show = (value) => {
    last = value;
    if (later) return;
    input.value = value === "" ? "" : written(value);
    input.placeholder = UNSET;
    fit(input, input.value || UNSET);
  };
  const done = () => {
    clearTimeout(later);
    later = 0;
    if (input.value === (last === "" ? "" : written(last))) return mark(input, "");
    const typed = read(input.value);
    const fits = typed === "" ? part.empties : typed >= part.least && typed <= part.most;
    mark(input, fits ? "" : part.refuses);
    if (!fits) return;
    show(typed === "" ? "" : String(typed));
    held.values[part.name] = last;
    input.classList.remove("computed");
    held.tell(part.name);
  };
  const step = (by) => {
    const now = read(input.value || "0");
    const at = part.stops.findIndex((stop) => (by > 0 ? stop > now * (1 + 1e-9) : stop >= now * (1 - 1e-9)));
    const next = at < 0 ? part.stops.length - 1 : by > 0 ? at : Math.max(0, at - 1);
    input.value = written(String(Math.min(Math.max(part.stops[next], part.least), part.most)));
    fit(input, input.value);
  };
  input.addEventListener("input", () => fit(input, input.value || UNSET));
  input.addEventListener("focus", () => input.select());
  input.addEventListener("change", done);
  input.addEventListener("keydown", (event) => {
    if ((event.key === "ArrowUp" || event.key === "ArrowDown") && part.stops.length) {
      event.preventDefault();
      step(event.key === "ArrowUp" ? 1 : -1);
      clearTimeout(later);
      later = setTimeout(done, REST);
    } else if (event.key === "Enter") done();
    else if (event.key === "Escape") {
      clearTimeout(later);
      later = 0;
      show(last);
      mark(input, "");
    }
  });
  into.append(input);
  return {
    show,
    compute: (value) => {
      input.classList.toggle("computed", value !== undefined);
      input.hidden = value === ""; // there is no number
      if (input.previousElementSibling?.className === "gap") input.previousElementSibling.hidden = input.hidden;
      if (value !== undefined && (document.activeElement !== input || last !== value)) show(value);
    },
    wrong: (text) => mark(input, text),
    focus: () => input.focus(),
  };
}

// a number as a person types it, or NaN; nothing for an empty field
function read(text) {
  const bare = text.replace(/[\s,\u00a0\u202f]/g, "").replace(/^[−–]/, "-");
  return bare === "" || bare === "-" ? "" : Number(bare);
}
function written(text) {
  if (text === "") return UNSET;
  return Number(text).toLocaleString("en-US", { maximumSignificantDigits: 15, maximumFractionDigits: 10 }).replace("-", "−");
}
function mark(field, text) {
  field.setAttribute("aria-invalid", String(!!text));
  field.title = text;
}
function fit(field, text) {
  if (CSS.supports("field-sizing", "content")) return; // the browser does it
  const style = getComputedStyle(field);
  SIZER.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  field.style.width = `${Math.ceil(SIZER.measureText(text).width) + ROOM[field.tagName]}px`;
}
