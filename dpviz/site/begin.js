// Reads the data that stands in the page, and begins.

import { redirected, root } from "./address.js";
import { whole } from "./data.js";
import { quizPage } from "./quiz.js";
import { scenePage } from "./scene.js";
import { startPage } from "./start.js";
import { testPage } from "./test.js";

const PAGES = { scene: scenePage, start: startPage, quiz: quizPage, test: testPage, overview: () => {}, gallery: () => {} };

const page = whole(JSON.parse(document.querySelector("#data").textContent));
if (!page.lasts || !redirected(page.lasts)) {
  PAGES[document.body.className](page);
  root.classList.add("ready");
}
