// The two sheets that a stage is drawn on: a canvas for crowds, an SVG above it for all the rest.

import { same } from "./motion.js";
import { defs, inside } from "./svg.js";

const CROWD = 600; // numbers of a grains shape from which it goes to the canvas: 300 grains

/** Colours and typefaces as the page has them now. */
export function themeOf(element) {
  const style = getComputedStyle(element);
  const value = (name) => style.getPropertyValue(`--st-${name}`).trim();
  const page = value("background-color");
  const dark = luminance(page) < 0.5;
  return {
    page, ink: value("text-color"), second: value("gray-text-color"), grain: value("gray-color"),
    hairline: value("border-color"), panel: dark ? value("secondary-background-color") : "#FFFFFF",
    band: value("secondary-background-color"), private: value("blue-color"),
    danger: value("orange-color"), danger_text: value("orange-text-color"),
    closed: dark ? "#05070A" : "#14181D", closedGrain: "#B4BDC6", on_closed: "#F4F2ED",
    rim: dark ? value("border-color") : "none",
    sans: value("font"), serif: value("heading-font"),
  };
}

function luminance(colour) {
  const parts = colour.startsWith("#")
    ? [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))
    : (colour.match(/[\d.]+/g) ?? [255, 255, 255]).map(Number);
  return (0.299 * parts[0] + 0.587 * parts[1] + 0.114 * parts[2]) / 255;
}

/** Writes the shapes of a mark: those alone that are others than in the last frame. */
export function fill(held, own, theme) {
  const anew = held.theme !== theme || held.shapes.length !== own.length;
  const texts = own.map((shape, i) => (!anew && shape === held.shapes[i] ? held.texts[i] : inside([shape], theme)));
  const changed = texts.flatMap((text, i) => (text === held.texts[i] ? [] : [i]));
  if (anew || 2 * changed.length > texts.length) {
    if (changed.length || held.texts.length !== texts.length) held.group.innerHTML = texts.join("");
  } else changed.forEach((i) => { held.group.children[i].outerHTML = texts[i]; });
  Object.assign(held, { shapes: own, texts, theme });
}

/** Draws shapes, and of those only what has changed since the last time. */
export function paperOn(canvas, svg) {
  const groups = new Map(); // a mark's own group, and what it holds
  let painted = [];
  let size = {};
  let referred = ""; // patterns that marks refer to

  function paint(shapes, { width, height, zoom }) {
    const ratio = devicePixelRatio || 1;
    const [wide, high] = [Math.round(width * zoom * ratio), Math.round(height * zoom * ratio)];
    const still = size.wide === wide && size.high === high && shapes.length === painted.length
      && shapes.every((shape, i) => shape.fill === painted[i].fill && same(shape.points, painted[i].points));
    if (still) return;
    [size, painted] = [{ wide, high }, shapes];
    [canvas.width, canvas.height] = [wide, high];
    const pen = canvas.getContext("2d");
    pen.scale(ratio * zoom, ratio * zoom);
    for (const { points, r, fill, opacity } of shapes) {
      [pen.fillStyle, pen.globalAlpha] = [fill, opacity ?? 1];
      pen.beginPath();
      for (let i = 0; i < points.length; i += 2) {
        pen.moveTo(points[i] + r, points[i + 1]);
        pen.arc(points[i], points[i + 1], r, 0, 2 * Math.PI);
      }
      pen.fill();
    }
  }

  function write(shapes, theme) {
    const marks = new Map();
    for (const shape of shapes) {
      const mark = shape.key.split("/")[0];
      if (marks.has(mark)) marks.get(mark).push(shape);
      else marks.set(mark, [shape]);
    }
    for (const [mark, { group }] of groups) {
      if (!marks.has(mark)) {
        group.remove();
        groups.delete(mark);
      }
    }
    let below = svg.querySelector("defs");
    for (const [mark, own] of marks) {
      if (!groups.has(mark)) {
        const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
        group.dataset.mark = mark;
        groups.set(mark, { group, shapes: [], texts: [] });
      }
      const held = groups.get(mark);
      fill(held, own, theme);
      if (!held.group.isConnected || held.group.previousElementSibling !== below) { // keeps the order of the marks
        if (below) below.after(held.group);
        else svg.prepend(held.group);
      }
      below = held.group;
    }
  }

  return (shapes, box, theme) => {
    const crowds = shapes.filter((shape) => shape.tag === "grains" && !shape.above && shape.points.length > CROWD);
    paint(crowds, box);
    const patterns = defs(theme);
    if (patterns !== referred) {
      svg.querySelector("defs")?.remove();
      svg.insertAdjacentHTML("afterbegin", patterns);
      referred = patterns;
    }
    const view = `0 0 ${box.width} ${box.height}`;
    if (svg.getAttribute("viewBox") !== view) svg.setAttribute("viewBox", view); // set anew it lays all words out anew
    write(shapes.filter((shape) => !crowds.includes(shape)), theme);
  };
}
