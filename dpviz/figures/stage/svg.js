// Shapes as SVG text. No mark is known here, and nothing is measured.

const short = (number) => Math.round(number * 100) / 100;
const escaped = (text) =>
  String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

function attributes(pairs) {
  let text = "";
  for (const [name, value] of Object.entries(pairs)) {
    if (value === undefined || value === null || value === "") continue;
    text += ` ${name}="${typeof value === "number" ? short(value) : escaped(value)}"`;
  }
  return text;
}

/** A way through points: x, y, x, y, … */
function way(points, close) {
  let d = "";
  for (let i = 0; i < points.length; i += 2) d += `${i ? "L" : "M"}${short(points[i])} ${short(points[i + 1])}`;
  return close ? `${d}Z` : d;
}

/** Every grain as a line of no length with a round cap: one path for all of them. */
function grains(shape) {
  let d = "";
  const at = shape.points;
  for (let i = 0; i < at.length; i += 2) d += `M${Math.round(at[i] * 10) / 10} ${Math.round(at[i + 1] * 10) / 10}h0`;
  const look = { stroke: shape.fill, "stroke-width": 2 * shape.r, "stroke-linecap": "round", opacity: shape.opacity };
  return `<path${attributes({ "data-key": shape.key, d, fill: "none", ...look })}/>`;
}

function line(shape) {
  const stroke = shape.width ? { stroke: shape.stroke, "stroke-width": shape.width, "stroke-dasharray": shape.dash } : {};
  const round = shape.round ? { "stroke-linecap": "round", "stroke-linejoin": "round" } : { "stroke-linejoin": "miter" };
  const fill = { fill: shape.fill ?? "none", "fill-opacity": shape.fillOpacity };
  return `<path${attributes({ "data-key": shape.key, d: way(shape.points, shape.close), ...fill, ...stroke, ...round, opacity: shape.opacity })}/>`;
}

function circle(shape) {
  const look = { fill: shape.fill ?? "none", stroke: shape.stroke, "stroke-width": shape.strokeWidth, "stroke-dasharray": shape.dash };
  return `<circle${attributes({ "data-key": shape.key, cx: shape.cx, cy: shape.cy, r: shape.r, ...look, opacity: shape.opacity })}/>`;
}

function rect(shape) {
  const box = { x: shape.x, y: shape.y, width: Math.max(0, shape.width), height: Math.max(0, shape.height), rx: shape.radius };
  const look = { fill: shape.fill ?? "none", stroke: shape.stroke, "stroke-width": shape.strokeWidth, "stroke-dasharray": shape.dash };
  return `<rect${attributes({ "data-key": shape.key, ...box, ...look, opacity: shape.opacity })}/>`;
}

function text(shape, theme) {
  const face = shape.font === "serif" ? theme.serif : theme.sans;
  const look = {
    "font-family": face, "font-size": shape.size, "font-weight": shape.weight, fill: shape.fill,
    "text-anchor": shape.anchor, "letter-spacing": shape.spacing ? shape.spacing * shape.size : undefined,
    // a halo of paper keeps words readable over lines
    ...(shape.halo ? { stroke: shape.halo, "stroke-width": 6, "stroke-linejoin": "round", "paint-order": "stroke" } : {}),
    opacity: shape.opacity,
  };
  const run = (part) => `<tspan${attributes({ fill: part.fill, "font-weight": part.weight })}>${escaped(part.text)}</tspan>`;
  const inner = shape.runs ? shape.runs.map(run).join("") : escaped(shape.text);
  return `<text${attributes({ "data-key": shape.key, x: shape.x, y: shape.y, ...look })}>${inner}</text>`;
}

const WRITERS = { grains, line, circle, rect, text };

/** Shapes as the inside of an SVG. */
export function inside(shapes, theme) {
  return shapes.map((shape) => WRITERS[shape.tag](shape, theme)).join("");
}

/** A whole SVG with its text alternative; paper is drawn only where the file stands alone. */
export function toSvg(shapes, width, height, theme, alt) {
  const box = { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": alt };
  const paper = `<rect width="${width}" height="${height}" fill="${theme.page}"/>`;
  return `<svg${attributes(box)}>${paper}${inside(shapes, theme)}</svg>`;
}
