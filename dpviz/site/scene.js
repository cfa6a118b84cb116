// A scene: where a visitor is in it, what is said there, and where a wish leads by the moves of its data.

import { linked, narrow, one, open, presenting, remember, remembered, root, write } from "./address.js";
import { gap, optionOf } from "./guess.js";
import { askingIn } from "./asking.js";
import { gameOf } from "./game.js";
import { framed, mounted, obey, sizesOf, tell, whenever } from "./mounted.js";

export function scenePage(page) {
  const kept = read(); // guess, beat, and where the control stands
  const play = page.game ? gameOf(page.game) : page.desk ? deskOf(page.desk) : null;
  const show = mounted((_, value) => turned(value), (_, wanted) => go(wanted));
  let turn = 0;

  /** The option of a drawn guess. */
  function drawn(guess) {
    return page.drawing && optionOf(page.drawing, guess);
  }

  /** The option that was chosen, or that a drawn guess comes to. */
  function optionBy(guess) {
    return drawn(guess) || (Object.hasOwn(page.options, guess) ? guess : undefined);
  }

  /** A link decides; else what was done here before in this tab. */
  function read() {
    const link = linked();
    const said = Object.keys(link).length ? link : remembered(page.scene);
    const found = {};
    if (optionBy(said.guess) || said.guess === "skip") found.guess = said.guess;
    if (said.beat === "2" && page.stands.second !== undefined) found.beat = "second";
    if (page.stops.includes(said[page.kind])) found[page.kind] = said[page.kind];
    return found;
  }

  const beat = () => kept.beat ?? (kept.guess ? "reveal" : "predict");
  const stop = () => (beat() === "predict" ? undefined : kept[page.kind]) ?? page.stands[beat()];
  const moves = () => page.moves[beat() === "second" && !kept.guess ? "second, unasked" : beat()];
  const leads = (wanted) => moves()[wanted]?.leads;

  function data() {
    const right = optionBy(kept.guess) === page.right && page.stages["wide right"] ? " right" : "";
    const sizes = sizesOf(page, presenting ? page.heights.lecture : page.heights.here);
    const k = presenting && !narrow() ? page.larger : sizes.k;
    return {
      ...page.stages[(narrow() ? "phone" : "wide") + right], ...sizes, k,
      state: { ...page.begins, stop: stop(), beat: beat() }, controls: page.controls[beat()].filter(works),
      scene: page.scene, keys: page.keys[beat()], turn,
    };
  }

  /** In a single file no button leads to another one; who presents or reads in a frame is asked once. */
  function works({ kind, value }) {
    if (kind === "sure") return !presenting && !framed(page);
    return !page.alone || !["next", "back"].includes(value) || (moves()[value] && leads(value) === undefined);
  }

  function go(wanted) {
    const move = beat() === "predict" && drawn(wanted) ? { guess: wanted } : moves()[wanted];
    const away = move ? move.leads : wanted === "back" ? 0 : undefined;
    if (away !== undefined) return leave(away, wanted);
    if (!move) return undefined;
    for (const [name, value] of Object.entries(move)) {
      if (value === null) delete kept[name];
      else kept[name] = value;
    }
    turn += 1;
    draw();
    if (document.hasFocus() && document.activeElement === document.body) one("h1").focus({ preventScroll: true });
    return undefined;
  }

  function leave(number, asks) {
    if (page.alone || (framed(page) && !number)) tell({ ...where(), asks });
    else if (number) open(`${page.story}-${number}.html`);
    else if (asks === "next") open("learn.html");
  }

  function turned(value) {
    kept[page.kind] = value;
    say();
  }

  function draw() {
    show(data());
    say();
  }

  function say() {
    const [now, at] = [beat(), stop()];
    [one("h1").innerHTML, one(".second").innerHTML] = page.said[now][at];
    one(".question").hidden = now !== "predict";
    document.querySelectorAll(".after, .formula .new").forEach((part) => {
      part.hidden = now === "predict";
    });
    const key = optionBy(kept.guess);
    const option = page.options[key];
    one("#guess").textContent = option ? `You predicted: ${option}` : "";
    const said = one("#verdict");
    said.innerHTML = option ? ` ${page.verdicts[key]}` : "";
    if (option) said.prepend(drawn(kept.guess) ? gap(page.drawing, kept.guess) : `You said “${option}”.`);
    one("#moved").innerHTML = option && now !== "predict" && at !== page.stands.reveal ? page.moved : "";
    document.querySelectorAll("[data-stop]").forEach((link) => {
      link.hidden = link.dataset.stop !== at;
    });
    play?.(at, now === "second");
    const fields = { guess: kept.guess, beat: kept.beat && "2", [page.kind]: kept[page.kind] };
    write(fields);
    remember(page.scene, fields);
    tell(where());
  }

  const where = () => ({ scene: page.scene, beat: beat(), stop: stop() });

  root.classList.toggle("framed", framed(page));
  one("#again").addEventListener("click", () => go("again"));
  whenever(() => show(data()));
  addEventListener("hashchange", () => {
    Object.keys(kept).forEach((name) => delete kept[name]);
    Object.assign(kept, read());
    turn += 1;
    draw();
  });
  draw();
  obey(go, () => tell(where()));
}

/** The attacker's desk below the picture. */
function deskOf(desk) {
  const box = Object.assign(document.createElement("div"), { className: "asking" });
  one("#extra").append(box);
  return askingIn(box, desk);
}
