// Tells the server when the theme or the window is of another kind than it believes: pictures are
// drawn by the server, and neither change runs the script by itself. And keeps the Back button of
// the browser for pages, and for what is a page to a person: a figure, a scene. Streamlit adds an
// entry to its history with every change of the address, so that a person who goes back would meet
// each position of a slider, and never leave a page that writes its own link.
const PLACES = ["fig", "story", "scene"]; // keys of links that lead to another place of a page
const pages = window.history;
if (!pages.ofPlaces) {
  const push = pages.pushState.bind(pages);
  const placeOf = (url) => JSON.stringify([url.pathname, ...PLACES.map((key) => url.searchParams.get(key))]);
  let waiting;
  pages.pushState = (state, title, url) => {
    clearTimeout(waiting);
    const next = new URL(url ?? "", window.location.href);
    const now = new URL(window.location.href);
    const change = () => (placeOf(next) === placeOf(now) ? pages.replaceState(state, title, url) : push(state, title, url));
    // on its way to another page Streamlit empties the address of this one, which is no place to go back to
    if (next.pathname === now.pathname && !next.search && now.search) waiting = setTimeout(change, 400);
    else change();
  };
  window.addEventListener("popstate", () => clearTimeout(waiting));
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
  if (watch.look) { watch.look(); return; }
  let timer;
  watch.look = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const seen = kind();
      if (seen === watch.told) return;
      watch.told = seen;
      watch.tell("seen", seen);
    }, 120);
  };
  window.addEventListener("resize", watch.look);
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
    media.removeEventListener("change", watch.look);
    observer.disconnect();
    connection?.disconnect();
    delete parentElement.watch;
  };
}
