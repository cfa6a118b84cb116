// Reads the data that stands in the page, and begins.

import { redirected, root } from "./address.js";
import { quizPage } from "./quiz.js";
import { scenePage } from "./scene.js";
import { startPage } from "./start.js";

const PAGES = { scene: scenePage, start: startPage, quiz: quizPage, overview: () => {} };

const TENTHS = 10;

/** Data as it was: {$: i} is the list i, {"+": […]} holds steps of tenths. */
function whole({ lists, page }) {
  const filled = (found) => {
    if (Array.isArray(found)) return found.map(filled);
    if (typeof found !== "object" || found === null) return found;
    if (found.$ !== undefined) return lists[found.$];
    if (found["+"]) {
      let sum = 0;
      return filled(found["+"]).map((step) => (sum += step) / TENTHS);
    }
    return Object.fromEntries(Object.entries(found).map(([key, value]) => [key, filled(value)]));
  };
  return filled(page);
}

if (!(["start", "overview"].includes(document.body.className) && redirected())) {
  PAGES[document.body.className](whole(JSON.parse(document.querySelector("#data").textContent)));
  root.classList.add("ready");
}
