// Reads the answers that stand in the page, and begins.

import { root } from "./address.js";
import { whole } from "./data.js";
import { decidePage } from "./decide.js";

decidePage(whole(JSON.parse(document.querySelector("#data").textContent)));
root.classList.add("ready");
