// Five rounds against the class, of draws that the package made beforehand.

import { one } from "./address.js";

export function gameOf(drawn) {
  const box = document.createElement("div");
  box.className = "game";
  box.setAttribute("aria-live", "polite");
  one("#extra").append(box);
  let [draw, guesses, stop] = [0, [], null];

  function button(words, act) {
    const made = Object.assign(document.createElement("button"), { textContent: words, type: "button" });
    made.addEventListener("click", () => {
      act();
      play(stop);
      box.querySelector("button").focus({ preventScroll: true });
    });
    box.append(made, " ");
  }

  /** Shows the round at a stop; other answers begin anew. */
  function play(now) {
    if (now !== stop) [stop, guesses] = [now, []];
    const { title, best, draws } = drawn[stop];
    const rounds = draws[draw % draws.length];
    box.replaceChildren(
      Object.assign(document.createElement("b"), { textContent: title }),
      " A coin decides whether Ana is in the count. Who can tell from the answer? ",
    );
    if (guesses.length) {
      const right = guesses.filter((guess, i) => guess === rounds[i][0]).length;
      box.append(`Ana was ${rounds[guesses.length - 1][0] ? "in" : "out"}. ${right} of ${guesses.length} right. `);
    }
    box.append(`${best} `);
    if (guesses.length === rounds.length) {
      button("Five more rounds", () => {
        [draw, guesses] = [draw + 1, []];
      });
      return;
    }
    box.append(`Round ${guesses.length + 1} of ${rounds.length}: the published count is ${rounds[guesses.length][1]}. Is Ana in? `);
    button("She is in", () => guesses.push(1));
    button("She is out", () => guesses.push(0));
  }

  return play;
}
