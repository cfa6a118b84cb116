// "I am in this data. Prove it.": a number that stays in the browser, answers drawn here, a guess.

const [DRAWS, PUBLISHED] = [30, 5];
const [LEFT, RIGHT, ROW, UNDER] = [8, 8, 105, 40]; // px of the picture: a row of answers, what stands under all
const SVG = "http://www.w3.org/2000/svg";

/** A whole number below n, each as likely, from bits(): whole numbers below 2^32. */
export function below(n, bits) {
  const most = 4294967296 - (4294967296 % n);
  for (;;) {
    const drawn = bits();
    if (drawn < most) return drawn % n;
  }
}

/** Whether something of chance e^(−n/d) happens, n ≤ d, exactly (Canonne, Kamath and Steinke 2020). */
function happens(n, d, bits) {
  let k = 1;
  while (below(d * k, bits) < n) k += 1;
  return k % 2 === 1;
}

/** Discrete Laplace noise, P(x) ∝ e^(−ε|x|), exactly; ε is read in thousandths. */
export function noise(epsilon, bits) {
  const [s, t] = [Math.round(epsilon * 1000), 1000];
  for (;;) {
    const u = below(t, bits);
    if (!happens(u, t, bits)) continue;
    let v = 0;
    while (happens(1, 1, bits)) v += 1;
    const size = Math.floor((u + t * v) / s);
    const minus = below(2, bits) === 1;
    if (size > 0 || !minus) return minus ? -size : size;
  }
}

/** By how much the logarithm of odds moves to "in": each answer tells between −ε and ε. */
export function told(answers, without, epsilon) {
  return answers.reduce((sum, one) => sum + epsilon * (Math.abs(one - without) - Math.abs(one - without - 1)), 0);
}

/** Of 100 guesses as many are right at most, after even odds and a total ε. */
export function atMost(epsilon) {
  return Math.ceil(100 / (1 + Math.exp(-epsilon)) - 1e-9);
}

/** Of pairs, one answer with and one without, those whose larger one is with; equal ones are halves. */
export function tellable(inside, outside) {
  return inside.reduce((sum, one, i) => sum + (one > outside[i] ? 1 : one === outside[i] ? 0.5 : 0), 0);
}

/** The challenge that an address carries, or undefined where it carries none that is whole. */
export function challenge(hash, stops) {
  const [, epsilon, listed] = hash.match(/^#prove=([\d.]+):(-?\d{1,7}(?:,-?\d{1,7}){4})$/) ?? [];
  if (!stops.includes(Number(epsilon)) || !listed) return undefined;
  return { epsilon: Number(epsilon), answers: listed.split(",").map(Number) };
}

export function written({ epsilon, answers }) {
  return `#prove=${epsilon}:${answers.join(",")}`;
}

/** A number as people write it: "52,000", "52000.50"; undefined for anything else. */
export function read(text) {
  const plain = text.trim().replace(/,(?=\d{3}(\D|$))/g, "");
  return /^\d{1,12}(\.\d*)?$/.test(plain) ? Number(plain) : undefined;
}

const much = (number) => number.toLocaleString("en", { maximumFractionDigits: 2 });
const bits = () => crypto.getRandomValues(new Uint32Array(1))[0];
const drawn = (count, epsilon, often) => Array.from({ length: often }, () => count + noise(epsilon, bits));

function element(name, fields = {}, ...inside) {
  const made = Object.assign(document.createElement(name), fields);
  made.append(...inside);
  return made;
}

function shape(name, fields, text = "") {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(fields)) made.setAttribute(key, value);
  made.textContent = text;
  return made;
}

/** Rows of answers over one axis; every row is [its words, its answers, its class]. */
function picture(rows, { without, epsilon }) {
  const wide = 640;
  const half = Math.max(6, Math.ceil(4.5 / epsilon));
  const x = (answer) => LEFT + ((Math.min(Math.max(answer - without, -half), half + 1) + half) / (2 * half + 1)) * (wide - LEFT - RIGHT);
  const svg = shape("svg", { viewBox: `0 0 ${wide} ${ROW * rows.length + UNDER}`, role: "img" });
  svg.setAttribute("aria-label", rows.map(([words, answers]) => `${words}: ${answers.join(", ")}`).join(". "));
  const low = ROW * rows.length;
  svg.append(shape("line", { x1: LEFT, x2: wide - RIGHT, y1: low, y2: low, class: "axis" }));
  const ends = [["end", `without: ${much(without)}`], ["start", `with: ${much(without + 1)}`]];
  for (const [i, [anchor, words]] of ends.entries()) {
    const at = x(without + i);
    svg.append(shape("line", { x1: at, x2: at, y1: 4, y2: low + 6, class: "truth" }));
    svg.append(shape("text", { x: at + (i ? 6 : -6), y: low + 28, "text-anchor": anchor }, words));
  }
  rows.forEach(([words, answers, name], i) => {
    const base = ROW * (i + 1) - 14;
    const stacks = new Map();
    svg.append(shape("text", { x: LEFT, y: base - ROW + 30, class: "words" }, words));
    for (const answer of answers) {
      const at = Math.round(x(answer));
      const high = stacks.get(at) ?? 0;
      stacks.set(at, high + 1);
      svg.append(shape("circle", { cx: at, cy: base - 11 * high, r: 5, class: name }));
    }
  });
  return svg;
}

/** A button that opens the dialog; asked is the address's own part, as it was when the page came. */
export function prove(box, given, asked) {
  const { count, everybody, over, stops } = given;
  const dialog = element("dialog", { className: "prove" });
  const title = element("h2", { textContent: "“I am in this data. Prove it.”", tabIndex: -1 });
  const body = element("div");
  const close = element("button", { textContent: "Close", type: "button", className: "close" });
  close.addEventListener("click", () => dialog.close());
  dialog.append(close, title, body);
  const opener = element("button", { textContent: "“I am in this data. Prove it.”", type: "button", className: "opener" });
  box.replaceChildren(opener, dialog);
  const line = (text, name = "") => element("p", { textContent: text, className: name });
  const button = (words, act) => {
    const made = element("button", { textContent: words, type: "button" });
    made.addEventListener("click", act);
    return made;
  };
  let [inside, typed, chosen, sets] = [true, "", given.epsilon, null];

  /** The one who is in, or not. */
  function mine(focus) {
    const pay = read(typed);
    const counted = pay !== undefined && pay > over;
    const field = element("input", { value: typed, inputMode: "decimal", autocomplete: "off", size: 12 });
    field.addEventListener("change", () => {
      typed = field.value;
      mine("input");
    });
    const epsilon = element("select", {}, ...stops.map((one) => new Option(`ε = ${one}`, one, false, one === chosen)));
    epsilon.addEventListener("change", () => {
      [chosen, sets] = [Number(epsilon.value), null];
      mine("select");
    });
    const asks = element("p", {}, element("label", {}, "Your yearly pay ", field), " ", element("label", {}, "Noise ", epsilon));
    body.replaceChildren(asks, line("It stays in this browser: no server hears of it, and no link holds it.", "quiet"));
    if (typed && pay === undefined) body.append(line(`“${typed}” is no number: write one such as 52,000.`, "wrong"));
    if (pay !== undefined) {
      sets ??= { with: drawn(count + 1, chosen, DRAWS), without: drawn(count, chosen, DRAWS) };
      const rows = [
        [`${DRAWS} answers with you`, counted ? sets.with : sets.without, "in"],
        [`${DRAWS} answers without you`, counted ? sets.without : sets.with.map((one) => one - 1), "out"],
      ];
      const right = tellable(rows[0][1], rows[1][1]);
      body.append(
        line(
          counted
            ? `You take Ida’s place among ${much(everybody)} people: ${much(count + 1)} earn over ${much(over)} with you, ${much(count)} without you. ` +
                `Of ${DRAWS} pairs of answers the larger one is yours in ${much(right)}; after even odds no one answer is read right more than ${atMost(chosen)} times in 100.`
            : `You are not over ${much(over)}: in or out, ${much(count)} others are. No answer can tell, with noise or without.`,
          "said",
        ),
        picture(rows, { without: count, epsilon: chosen }),
        element(
          "p",
          {},
          button(inside ? "● I am in" : "○ I am in", () => { inside = true; mine("button"); }),
          " ",
          button(inside ? "○ I am out" : "● I am out", () => { inside = false; mine("button"); }),
          " ",
          button(`Publish ${PUBLISHED} answers for a friend`, () => publish(counted && inside ? count + 1 : count)),
        ),
        element("p", { className: "link", ariaLive: "polite" }),
      );
    }
    body.querySelector(focus)?.focus();
  }

  function publish(true_count) {
    const address = `${location.href.split("#")[0]}${written({ epsilon: chosen, answers: drawn(true_count, chosen, PUBLISHED) })}`;
    const shown = element("input", { value: address, readOnly: true });
    shown.addEventListener("focus", () => shown.select());
    const copy = button("Copy", async () => {
      shown.focus();
      await navigator.clipboard?.writeText(address).then(() => { copy.textContent = "Copied"; }, () => {});
    });
    dialog.querySelector(".link").replaceChildren(
      shown, " ", copy,
      line(`Each time that you publish spends ε = ${much(PUBLISHED * chosen)}: whoever reads ${PUBLISHED} answers is right at most ${atMost(PUBLISHED * chosen)} times in 100 after even odds. Send it once, and say in or out when your friend has guessed.`),
    );
  }

  /** The friend, who reads five answers. */
  function theirs({ epsilon, answers }) {
    const total = PUBLISHED * epsilon;
    const log = told(answers, count, epsilon);
    body.replaceChildren(
      line(`A friend published ${PUBLISHED} answers to “How many of ${much(everybody)} earn over ${much(over)}?”, each at ε = ${epsilon}. Without them ${much(count)} do. Are they in?`, "said"),
      picture([[`${PUBLISHED} answers`, answers, "in"]], { without: count, epsilon }),
      element("p", { className: "guess" }, button("They are in", () => guessed(true)), " ", button("They are out", () => guessed(false))),
    );
    function guessed(guess) {
      const towards = log > 0 ? "with them than without" : "without them than with";
      const odds = Math.abs(log) < 1e-9
        ? "These answers are exactly as likely with them as without."
        : `These answers are ${much(Math.exp(Math.abs(log)))} times as likely ${towards}; more than ${much(Math.ceil(100 * Math.exp(total) - 1e-7) / 100)} times is impossible.`;
      body.querySelector(".guess").replaceChildren(
        line(`${odds} Where half of all friends are in, nobody is right more than ${atMost(total)} times in 100. Now ask: what do they say?`, "said"),
        button("They say: in", () => judged(guess === true)), " ", button("They say: out", () => judged(guess === false)),
      );
      body.querySelector(".guess button").focus();
    }
    function judged(right) {
      body.querySelector(".guess").replaceChildren(
        line(right ? `Right. By chance alone that happens 50 times in 100, by these answers at most ${atMost(total)}.` : `Wrong. Even the best guesser is wrong at least ${100 - atMost(total)} times in 100, where half of all are in.`, "said"),
        button("Be in it yourself", () => mine("input")),
      );
      body.querySelector(".guess button").focus();
    }
  }

  opener.addEventListener("click", () => {
    mine();
    dialog.showModal();
    body.querySelector("input").focus();
  });
  const found = challenge(asked, stops);
  if (found) {
    theirs(found);
    dialog.showModal();
    title.focus();
  }
}
