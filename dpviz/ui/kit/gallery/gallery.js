// Draws cards with small pictures, or one picture alone. Python says what, this only draws it:
// all words go in as text, never as markup.
const SVG = "http://www.w3.org/2000/svg";
const HELD = (window.__dpvizPictures ??= new Map()); // outlives a page of the app, not the tab

function make(kind, into, attributes = {}, text = "") {
  const svg = ["svg", "path", "text", "circle"].includes(kind);
  const node = svg ? document.createElementNS(SVG, kind) : document.createElement(kind);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text) node.textContent = text;
  into.append(node);
  return node;
}

const ink = (name) => `var(--${name})`;

function grains(tenths) {
  let path = "";
  for (let at = 0; at < tenths.length; at += 2) path += `M${tenths[at] / 10} ${tenths[at + 1] / 10}h.01`;
  return path;
}

function shape(one, svg) {
  if (one.text !== undefined) {
    const style = `fill:${ink(one.ink)};font-size:${one.size}px`;
    make("text", svg, { x: one.x, y: one.y, "text-anchor": one.align, style }, one.text);
    return;
  }
  const node = make("path", svg, { d: one.grains ? grains(one.grains) : one.d, opacity: one.opacity ?? 1 });
  node.style.fill = one.fill ? ink(one.fill) : "none";
  if (one.rim) node.style.cssText += `stroke:${ink("page")};stroke-width:${one.rim};paint-order:stroke`;
  if (!one.ink) return;
  node.style.stroke = ink(one.ink);
  node.style.strokeWidth = one.width;
  node.style.strokeLinejoin = "round";
  if (one.grains) node.style.strokeLinecap = "round"; // without it a grain of no length vanishes
  if (one.dash) node.style.strokeDasharray = one.dash;
}

function picture(drawn, into, attributes) {
  const [width, height] = drawn.box;
  const svg = make("svg", into, { viewBox: `0 0 ${width} ${height}`, ...attributes });
  drawn.shapes.forEach((one) => shape(one, svg));
  return svg;
}

function mark(kind, into) {
  const svg = make("svg", into, { viewBox: "0 0 10 10", class: "mark", "aria-hidden": "true" });
  const ring = make("circle", svg, { cx: 5, cy: 5, r: 4.2 });
  ring.style.cssText = `fill:${kind === "full" ? ink("truth") : "none"};stroke:${ink("truth")};stroke-width:1.2`;
  if (kind === "half") make("path", svg, { d: "M5 .8a4.2 4.2 0 0 0 0 8.4Z" }).style.fill = ink("truth");
}

function card(one, pictures, into) {
  const button = make("button", into, { type: "button", class: "card", "data-key": one.key });
  if (pictures[one.key]) picture(pictures[one.key], button, { class: "picture", "aria-hidden": "true" });
  const head = make("span", button, { class: "head" });
  make("span", head, { class: "title" }, one.title);
  if (one.in_use) make("span", head, { class: "use" }, one.in_use);
  if (one.mark) mark(one.mark, head);
  make("span", button, { class: "note" }, one.note);
  if (one.mark_words) make("span", button, { class: "said" }, `. ${one.mark_words}`);
}

function build(root, data, pictures) {
  root.replaceChildren();
  const { columns, phone_columns: phone, picture_height: height, large } = data.shape;
  root.classList.toggle("large", large);
  const middle = Math.max(phone, Math.ceil(columns / 2));
  const style = `--columns:${columns};--phone:${phone};--middle:${middle}` + (height ? `;--height:${height}px` : "");
  const rows = make("div", root, { class: "rows", style });
  for (const row of data.rows) {
    if (!row.cards.length) continue;
    const box = make("section", rows, { class: "row", style: `--span:${Math.min(row.cards.length, columns)}` });
    if (row.title) {
      const heading = make("h3", box, {}, row.title);
      if (row.note) make("small", heading, {}, row.note);
    }
    row.cards.forEach((one) => card(one, pictures, box));
  }
}

export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".gallery");
  if (data.still) {
    const text = JSON.stringify(data);
    if (root.dataset.shown === text) return;
    root.dataset.shown = text;
    root.replaceChildren();
    const svg = picture(data.still, root, { class: "alone", role: "img", "aria-label": data.alt });
    if (data.height) svg.style.height = `${data.height}px`;
    return;
  }
  if (data.pictures) HELD.set(data.name, data.pictures);
  const pictures = HELD.get(data.name);
  if (!pictures) {
    setTriggerValue("lost", data.name); // a tab that came back without its memory: ask for all
    return;
  }
  const shown = JSON.stringify([data.name, data.rows, data.shape]);
  if (root.dataset.shown !== shown) {
    const focused = parentElement.activeElement?.dataset?.key; // of the shadow root
    build(root, data, pictures);
    root.dataset.shown = shown;
    if (focused) root.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }
  const press = (key) =>
    root.querySelectorAll(".card").forEach((one) => one.setAttribute("aria-pressed", String(one.dataset.key === key)));
  press(data.picked);
  root.onclick = (event) => {
    const button = event.target.closest(".card");
    if (!button) return;
    press(button.dataset.key); // at once; the server's answer follows
    setTriggerValue("pick", { key: button.dataset.key, name: data.name });
  };
}
