// What an address asks for, and where it leads; what was done in this tab is remembered there.

const query = new URLSearchParams(location.search);
const KEPT = ["embed", "present", "theme"]; // through a whole story
const FIELDS = ["guess", "beat", "at", "eps"]; // of a scene

export const root = document.documentElement;
export const embedded = query.get("embed") === "1";
export const presenting = query.get("present") === "1";
export const narrow = () => innerWidth <= 640;
export const one = (selector) => document.querySelector(selector);

/** What a frame without storage or history refuses is left out. */
function quietly(act) {
  try {
    return act();
  } catch {
    return undefined;
  }
}

export function linked() {
  return Object.fromEntries([...new URLSearchParams(location.hash.slice(1))].filter(([key]) => FIELDS.includes(key)));
}

export function write(fields) {
  const said = new URLSearchParams(Object.entries(fields).filter(([, value]) => value));
  quietly(() => history.replaceState(null, "", `${location.pathname}${location.search}#${said}`));
}

export function remembered(name) {
  const found = quietly(() => JSON.parse(sessionStorage.getItem(name)));
  return typeof found === "object" && found !== null ? found : {};
}

export function remember(name, fields) {
  quietly(() => sessionStorage.setItem(name, JSON.stringify(fields)));
}

export function open(file, fields = "") {
  const kept = new URLSearchParams([...query].filter(([key]) => KEPT.includes(key)));
  location.assign(`${file}${[...kept].length ? `?${kept}` : ""}${fields}`);
}

/**
 * Leads on from an address of the site as a whole (#story/teach/3?guess=b), or of the app
 * (?story=teach&scene=3); last says how many scenes each story has.
 */
export function redirected(last) {
  const [, named, number, rest] = location.hash.match(/^#story\/(\w+)\/(\d+)(?:\?(.*))?$/) ?? [];
  const story = named ?? query.get("story");
  const scene = number ?? query.get("scene") ?? "1";
  if (!Object.hasOwn(last, story) || !/^[1-9]\d?$/.test(scene) || Number(scene) > last[story]) return false;
  const said = new URLSearchParams(named ? rest : query);
  const fields = new URLSearchParams([...said].filter(([key]) => FIELDS.includes(key)));
  open(`${story}-${scene}.html`, `#${fields}`);
  return true;
}
