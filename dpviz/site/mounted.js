// The stage of a page: the app's component, handed its data here, and what a host of a frame is told.

import { embedded, narrow, one } from "./address.js";
import { stageIn } from "./component.js";

const DESIGN = 1184; // px that a wide picture is laid out for
const READ = 1.4; // words grow by so much at most where a frame makes the picture smaller
const FRAMED = { wide: "41.4vw", low: "41.4vw", phone: "420px" };
const WISHES = ["next", "back", "reveal", "again"];
const host = window.parent === window ? null : window.parent;

/** Whether a page stands in a frame of somebody else's: the picture and its controls, nothing else. */
export const framed = (page) => embedded || (!!page.alone && host !== null);

/** Shows data in the page's stage from now on, in place of the early picture. */
export function mounted(turned, asked) {
  const parentElement = one(".dp");
  return (data) => {
    parentElement.querySelectorAll(".early").forEach((early) => early.remove());
    stageIn({ data, parentElement, setStateValue: turned, setTriggerValue: asked });
  };
}

/** How large a frame's picture and its words are: the desk's, scaled; the phone's where it is narrow. */
export function sizesOf(page, heights) {
  if (!framed(page)) return { heights, zoom: 1, k: 1 };
  if (narrow()) return { heights: FRAMED, zoom: 1, k: 1 };
  const zoom = Math.min(1, innerWidth / DESIGN);
  return { heights: FRAMED, zoom, k: Math.min(READ, 1 / zoom) };
}

/** Calls act when the window has another size, or the paper another colour. */
export function whenever(act) {
  addEventListener("resize", act);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => document.documentElement.classList.toggle("dark", dark.matches);
  dark.addEventListener("change", paint); // the stage looks at its colours when a class changes
}

const height = () => Math.ceil(one("main").getBoundingClientRect().bottom + scrollY);

/** Tells a host where the page is; nothing of it is confidential. */
export function tell(said) {
  host?.postMessage({ dpviz: 1, ...said, height: height() }, "*");
}

/** Does what a host asks for, and tells it when the page becomes higher or lower. */
export function obey(go, told) {
  if (!host) return;
  addEventListener("message", ({ source, data }) => {
    if (source === host && data?.dpviz === 1 && WISHES.includes(data.go)) go(data.go);
  });
  let last = 0;
  new ResizeObserver(() => {
    if (height() === last) return;
    last = height();
    told();
  }).observe(one("main"));
}
