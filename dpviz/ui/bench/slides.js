// A picture at slide size: its own SVG below a title, with the notice and both fonts inside, so
// that it looks the same on a machine without them. The PNG is drawn from that SVG.
const WIDE = 1920, HIGH = 1080, EDGE = 64;
const SPACE = "http://www.w3.org/2000/svg";

const escaped = (text) => text.replace(/[&<>"]/g, (sign) =>
  ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

async function face(family) {
  for (const sheet of document.styleSheets) {
    let rules;
    try { rules = sheet.cssRules; } catch { continue; }
    for (const rule of rules) {
      if (rule.constructor.name !== "CSSFontFaceRule") continue;
      const name = rule.style.getPropertyValue("font-family").replace(/["']/g, "");
      const style = rule.style.getPropertyValue("font-style");
      if (name !== family || style === "italic") continue;
      const url = /url\(["']?([^"')]+)/.exec(rule.style.getPropertyValue("src"));
      if (!url) continue;
      const bytes = await (await fetch(new URL(url[1], sheet.href || document.baseURI))).blob();
      const text = await new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(bytes);
      });
      return `@font-face{font-family:'${family}';font-weight:200 900;src:url(${text})}`;
    }
  }
  return "";
}

function lines(text, size, most) {
  const measure = document.createElement("canvas").getContext("2d");
  measure.font = `600 ${size}px "Source Serif", serif`;
  const found = [""];
  for (const word of text.split(" ")) {
    const longer = `${found[found.length - 1]} ${word}`.trim();
    if (measure.measureText(longer).width <= most) found[found.length - 1] = longer;
    else found.push(word);
  }
  return found;
}

function titled(text) {
  for (let size = 56; size > 30; size -= 2) {
    const found = lines(text, size, WIDE - 2 * EDGE);
    if (found.length <= (size > 46 ? 1 : 2)) return { size, found };
  }
  return { size: 30, found: lines(text, 30, WIDE - 2 * EDGE) };
}

async function slide(data) {
  const plot = document.querySelector(`.st-key-hero_${data.hero} .js-plotly-plot`);
  if (!plot) throw new Error("no picture");
  const box = plot.getBoundingClientRect();
  const style = getComputedStyle(document.querySelector('[data-testid="stApp"]'));
  const paper = style.backgroundColor, ink = style.color;
  const { size, found } = titled(data.title);
  const top = EDGE + found.length * size * 1.2 + 16, foot = data.notice ? 64 : 32;
  const scale = Math.min((WIDE - 2 * EDGE) / box.width, (HIGH - top - foot) / box.height);
  const left = (WIDE - box.width * scale) / 2;
  const layers = [...plot.querySelectorAll(".svg-container > .main-svg")].map((layer) => {
    const copy = layer.cloneNode(true);
    copy.setAttribute("xmlns", SPACE);
    copy.removeAttribute("style");
    copy.querySelectorAll(".hoverlayer, .modebar-container").forEach((part) => part.remove());
    return new XMLSerializer().serializeToString(copy);
  });
  const title = found.map((line, row) =>
    `<text x="${EDGE}" y="${EDGE + size + row * size * 1.2 - 12}" font-size="${size}" ` +
    `font-weight="600" font-family="'Source Serif', serif" fill="${ink}">${escaped(line)}</text>`);
  const notice = data.notice
    ? `<text x="${WIDE - EDGE}" y="${HIGH - 24}" font-size="26" text-anchor="end" ` +
      `font-family="'Source Sans', sans-serif" fill="${ink}" opacity=".8">${escaped(data.notice)}</text>`
    : "";
  const fonts = (await Promise.all(["Source Sans", "Source Serif"].map(face))).join("");
  return `<svg xmlns="${SPACE}" xmlns:xlink="http://www.w3.org/1999/xlink" width="${WIDE}" ` +
    `height="${HIGH}" viewBox="0 0 ${WIDE} ${HIGH}"><style>${fonts}</style>` +
    `<rect width="${WIDE}" height="${HIGH}" fill="${paper}"/>${title.join("")}` +
    `<g transform="translate(${left} ${top}) scale(${scale})">${layers.join("")}</g>${notice}</svg>`;
}

async function drawn(text) {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  await new Promise((done, failed) => {
    image.onload = done; image.onerror = failed; image.src = address;
  });
  await image.decode().catch(() => {});
  const canvas = document.createElement("canvas");
  canvas.width = WIDE; canvas.height = HIGH;
  canvas.getContext("2d").drawImage(image, 0, 0, WIDE, HIGH);
  URL.revokeObjectURL(address);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export default function ({ data, parentElement }) {
  const row = parentElement.querySelector(".slides");
  row.replaceChildren();
  for (const [kind, words] of [["png", "Slide (PNG)"], ["svg", "Slide (SVG)"]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = words;
    button.onclick = async () => {
      button.disabled = true;
      try {
        const text = await slide(data);
        const whole = kind === "svg" ? new Blob([text], { type: "image/svg+xml" }) : await drawn(text);
        save(whole, `${data.file}.${kind}`);
      } catch (problem) {
        row.querySelector("output").textContent =
          "The picture is not on the screen. Close this and try again once it is drawn.";
      } finally {
        button.disabled = false;
      }
    };
    row.append(button);
  }
  row.append(document.createElement("output"));
}
