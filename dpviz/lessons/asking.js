// The attacker's desk: people are tapped into a group, each count is a line of notes, and lines whose
// difference leaves one person give that person away. With noise a tank pays for all counts of a round.
// Marks, noise and coins are handed over; nothing is drawn by chance here.

const WAYS = [[1], [1, -1], [1, -1, -1], [1, 1, -1], [1, -1, 1]]; // up to three lines, the newest first

/** Whom the newest line gives away: {person, bad, text} for sums of lines that leave one person, shortest first. */
export function solved(notes) {
  const last = notes.length - 1;
  const sets = [[last], ...pairs(last)];
  const found = new Map();
  for (const set of sets) {
    for (const way of WAYS.filter((one) => one.length === set.length)) {
      const left = notes[last].group.map((_, person) => set.reduce((sum, line, i) => sum + way[i] * notes[line].group[person], 0));
      const [person, other] = [left.findIndex(Boolean), left.findLastIndex(Boolean)];
      if (person < 0 || person !== other || found.has(person)) continue;
      const terms = set.map((line, i) => [way[i] * left[person], notes[line].count, line]).sort((one, next) => next[0] - one[0] || one[2] - next[2]);
      const bad = terms.reduce((sum, [sign, count]) => sum + Math.sign(sign) * count, 0) / Math.abs(left[person]);
      found.set(person, { person, bad, text: written(terms) });
    }
  }
  return [...found.values()];
}

function pairs(last) {
  const before = Array.from({ length: last }, (_, i) => i);
  return [...before.map((i) => [last, i]), ...before.flatMap((i) => before.slice(0, i).map((j) => [last, i, j]))];
}

const written = (terms) => terms.map(([sign, count], i) => (i ? ` ${sign > 0 ? "+" : "−"} ` : "") + count).join("");

/** Why the office does not answer, "" where it does. */
export function refused(group, notes, { least, apart }, words) {
  const people = group.filter(Boolean).length;
  if (people < least) return words.few.replace("{n}", people).replace("{least}", least);
  const near = notes.findIndex((line) => line.group.filter((one, i) => one !== group[i]).length < apart);
  return near < 0 ? "" : words.near.replace("{sign}", words.signs[near]).replace("{apart}", apart);
}

/** Shows the desk in a box; what it returns takes a rule and whether there is noise: other ones begin anew. */
export function askingIn(box, data) {
  const { names, marks, rules, words, shares } = data;
  let [rule, noisy, group, notes, known, tank, round, right, told] = [null, false, [], [], new Map(), 1, 0, 0, ""];
  let [taken, hinted] = [Object.fromEntries(Object.keys(shares).map((part) => [part, 0])), false];
  setTimeout(() => {
    hinted = true;
    if (rule) draw();
  }, 1000 * data.hint);

  function begin() {
    [group, notes, known, tank] = [names.map(() => 0), [], new Map(), 1];
  }

  const mark = (person) => (noisy && !person ? data.coins[round % data.coins.length] : marks[person]);

  function ask(part) {
    const exact = group.reduce((sum, one, person) => sum + one * mark(person), 0);
    told = notes.length < words.signs.length ? refused(group, notes, noisy ? { least: 1, apart: 0 } : rules[rule], words) : words.full;
    if (told) return;
    const draws = shares[part];
    notes.push({ group: [...group], count: exact + (noisy ? draws[taken[part]++ % draws.length] : 0), part });
    if (noisy) tank -= Number(part);
    else for (const one of solved(notes)) known.set(one.person, one);
    group = names.map(() => 0);
  }

  function guess(bad) {
    const was = mark(0);
    [round, right] = [round + 1, right + (was === bad)];
    told = `${words.was[was]} ${right} of ${round} ${words.right}`;
    begin();
  }

  function button(words, act, on = true, name = words) {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: words, disabled: !on });
    made.dataset.name = name;
    made.addEventListener("click", () => {
      told = "";
      act();
      draw();
      const again = [...box.querySelectorAll("button")].find((one) => one.dataset.name === name && !one.disabled);
      (again ?? box.querySelector("button")).focus({ preventScroll: true });
    });
    return made;
  }

  function tile(name, person) {
    const made = button("", () => (group[person] = 1 - group[person]), true, name);
    const signs = notes.map((line, i) => (line.group[person] ? words.signs[i] : "")).join("");
    const out = known.get(person);
    made.append(add("b", name), add("small", out ? words.marks[out.bad] : signs || "?"));
    made.setAttribute("aria-pressed", String(!!group[person]));
    made.classList.toggle("out", !!out);
    return made;
  }

  function draw() {
    const tiles = add("div", "", "tiles");
    tiles.append(...names.map(tile));
    const row = add("div", "", "row");
    const chosen = group.filter(Boolean).length;
    if (noisy) {
      row.append(...Object.keys(shares).sort((one, next) => one - next).map((part) => button(words.parts[part], () => ask(part), chosen > 0 && Number(part) <= tank)));
      row.append(button(words.guess[1], () => guess(1)), button(words.guess[0], () => guess(0)));
      row.append(add("span", `${words.left}: ${words.tanks[tank]}`));
    } else row.append(button(`${words.ask} (${chosen})`, () => ask("1"), chosen > 0, words.ask), button(words.again, begin));
    const lines = add("ol", "");
    lines.append(...notes.map((line, i) => lineOf(line, i)));
    const said = add("div", "");
    said.setAttribute("aria-live", "polite");
    said.append(...[...known.values()].map((one) => add("p", `${one.text} = ${one.bad}. ${names[one.person]}: ${words.marks[one.bad]}.`, "out")), add("p", told));
    const hint = add("p", hinted && !known.size && !noisy ? words.hint : "");
    box.replaceChildren(add("p", noisy ? words.noisy : words.rules[rule]), tiles, row, lines, said, hint);
  }

  function lineOf(line, i) {
    const people = names.filter((_, person) => line.group[person]);
    const who = people.length > 3 ? `${people.length} ${words.people}` : people.join(", ");
    const part = noisy ? ` (${words.parts[line.part]})` : "";
    return add("li", `${words.signs[i]} ${who}${part}: ${String(line.count).replace("-", "−")} ${words.unit}`);
  }

  return (stop, noise) => {
    box.hidden = !noise && !rules[stop];
    if (rule === stop && noisy === noise) return;
    [rule, noisy, told] = [stop, noise, ""];
    begin();
    if (!box.hidden) draw();
  };
}

function add(tag, text, name) {
  return Object.assign(document.createElement(tag), { textContent: text, className: name ?? "" });
}
