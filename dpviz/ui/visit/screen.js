// Tells the server when the theme or the window is of another kind than it believes: pictures are
// drawn by the server, and neither change runs the script by itself. And keeps the Back button of
// the browser for pages, and for what is a page to a person: a figure, a scene. Streamlit adds an
// entry to its history with every change of the address, so that a person who goes back would meet
// each position of a slider, and never leave a page that writes its own link.
const PLACES = ["fig", "story", "scene"]; // keys of links that lead to another place of a page
const SENTENCES = ["decide"]; // pages whose every link is a place: one step back is one word back
const AT_ONCE = 300; // ms in which several keys of a link are one change
const ARRIVING = 2000; // ms in which a page that was opened still writes its own link
const LEAVING = 1200; // ms for which an emptied address waits for the page that it may be left for
const pages = window.history;
if (!pages.ofPlaces) {
  const push = pages.pushState.bind(pages);
  const isSentence = (url) => SENTENCES.includes(url.pathname.split("/").pop());
  const placeOf = (url) =>
    JSON.stringify([url.pathname, ...(isSentence(url) ? [url.search] : PLACES.map((key) => url.searchParams.get(key)))]);
  let waiting;
  let path = window.location.pathname;
  let settled = performance.now() + ARRIVING;
  let held; // the address that waits
  const change = (state, title, next) => {
    [waiting, held] = [clearTimeout(waiting), undefined];
    const at = performance.now();
    const isOne = isSentence(next) && next.pathname === path && at < settled;
    const isPlace = placeOf(next) !== placeOf(new URL(window.location.href));
    if (next.pathname !== path) [path, settled] = [next.pathname, at + ARRIVING];
    else if (!isOne && isPlace) settled = at + AT_ONCE;
    return isOne || !isPlace ? pages.replaceState(state, title, next) : push(state, title, next);
  };
  pages.pushState = (state, title, url) => {
    const next = new URL(url ?? "", window.location.href);
    const now = new URL(window.location.href);
    const isHere = next.pathname === now.pathname;
    // on its way to another page Streamlit empties the address of this one, which is no place to go back
    // to; a browser that is busy then hears of the new page's link before it hears of the page
    if (isHere && (held || (!next.search && now.search))) {
      held = next;
      waiting ??= setTimeout(() => change(state, title, held), LEAVING);
      return;
    }
    if (held && !next.search) next.search = held.search;
    change(state, title, next);
  };
  window.addEventListener("popstate", () => {
    [waiting, held] = [clearTimeout(waiting), undefined];
    // what the page writes of a link that it came back to is no new step
    [path, settled] = [window.location.pathname, performance.now() + AT_ONCE];
  });
  pages.ofPlaces = true;
}

// The page outlives its session when the server's process dies: it connects again by itself and gets
// an empty one. Only the open page can tell; a page that was loaded anew has lost nothing. Streamlit
// would run the script with the next click only, and show until then what is gone.
function runWhenBack(app, ask) {
  const isConnected = () => app.dataset.testConnectionState === "CONNECTED";
  let was = isConnected();
  const observer = new MutationObserver(() => {
    const is = isConnected();
    if (is && !was) ask();
    was = is;
  });
  observer.observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
  return observer;
}

function noticeLoss(visit, setTriggerValue) {
  const before = pages.ofVisit;
  pages.ofVisit = visit;
  if (before !== undefined && before !== visit) setTriggerValue("lost", true);
}

// What stands below a picture is drawn from when somebody looks there: until then a button waits in its
// place, and this says when it comes into view above the dock, with the mouse or by keyboard.
function isBelowSeen() {
  const place = document.querySelector(".st-key-below_waits");
  if (!place) return false;
  const dock = document.querySelector('[data-testid="stBottom"]');
  const end = dock ? dock.getBoundingClientRect().top : window.innerHeight;
  return place.getBoundingClientRect().top < end;
}

export default function ({ data, parentElement, setStateValue, setTriggerValue }) {
  noticeLoss(data.visit, setTriggerValue);
  const kind = () => {
    const app = document.querySelector('[data-testid="stApp"]') || document.body;
    const [red, green, blue] = getComputedStyle(app).backgroundColor.match(/[\d.]+/g).map(Number);
    const dark = 0.299 * red + 0.587 * green + 0.114 * blue < 128;
    const width = window.innerWidth;
    const room = width <= 640 ? "phone" : width <= 1100 ? "narrow"
      : window.innerHeight < 800 ? "low" : "wide";
    return `${dark ? "dark" : "light"} ${room}`;
  };
  const watch = parentElement.watch || (parentElement.watch = {});
  watch.told = data.believed;
  watch.tell = setStateValue;
  watch.trigger = setTriggerValue;
  watch.told_below = false;
  if (watch.look) { watch.look(); return; }
  watch.below = () => {
    if (watch.told_below || !isBelowSeen()) return;
    watch.told_below = true;
    watch.trigger("below", true);
  };
  let timer;
  watch.look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      watch.below();
      const seen = kind();
      if (seen === watch.told) return;
      watch.told = seen;
      watch.tell("seen", seen);
    }, 120);
  };
  window.addEventListener("resize", watch.look);
  document.addEventListener("scroll", watch.below, { capture: true, passive: true });
  const media = window.matchMedia("(prefers-color-scheme: dark)");
  media.addEventListener("change", watch.look);
  const observer = new MutationObserver(watch.look);
  observer.observe(document.documentElement, { attributes: true });
  observer.observe(document.body, { attributes: true });
  const app = document.querySelector('[data-testid="stApp"]');
  if (app) observer.observe(app, { attributes: true, attributeFilter: ["class", "style"] });
  const connection = app && runWhenBack(app, () => setTriggerValue("back", true));
  watch.look();
  return () => {
    clearTimeout(timer);
    window.removeEventListener("resize", watch.look);
    document.removeEventListener("scroll", watch.below, { capture: true });
    media.removeEventListener("change", watch.look);
    observer.disconnect();
    connection?.disconnect();
    delete parentElement.watch;
  };
}
