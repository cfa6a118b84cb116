// What the next page will need is fetched while nobody waits, and where nobody pays for it.

const SLOW = new Set(["slow-2g", "2g", "3g"]);
const REST = 1500; // ms after the first picture

/** Ask for scripts of the server, given as paths below its own, unless the line is slow or dear. */
export function fetchLater(paths) {
  const line = navigator.connection ?? {};
  if (line.saveData || line.type === "cellular" || SLOW.has(line.effectiveType)) return;
  const front = document.querySelector('script[type="module"][src*="/static/js/"]');
  if (!front) return;
  const own = front.src.slice(0, front.src.lastIndexOf("static/js/"));
  const rest = window.requestIdleCallback ?? setTimeout;
  setTimeout(() => rest(() => paths.forEach((path) => prefetch(own + path))), REST);
}

function prefetch(address) {
  if ([...document.querySelectorAll("link, script")].some((one) => [one.href, one.src].includes(address))) return;
  const link = document.createElement("link");
  [link.rel, link.as, link.crossOrigin, link.href] = ["prefetch", "script", "", address];
  document.head.append(link);
}
