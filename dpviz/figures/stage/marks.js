// The marks that are not people: what is published, the law behind it, and the words beside it.

import { scatter } from "./grains.js";
import { along, point, valueAt } from "./place.js";

const TICK = 14.5;

export function axis(mark, room) {
  const scale = room.axes[mark.id];
  const flat = mark.along === "x";
  const at = mark.at && along(mark.at, flat ? room.height : room.width, room);
  const key = (part) => `${mark.id}/${part}`;
  const shapes = [];
  if (mark.line) {
    const ends = [mark.low, mark.high].map((value) => valueAt(scale, value));
    const points = flat ? [ends[0], at, ends[1], at] : [at, ends[0], at, ends[1]];
    shapes.push({ tag: "line", key: key("line"), points, stroke: room.theme.second, width: 1, opacity: 0.55 });
  }
  for (const tick of mark.ticks) {
    const px = valueAt(scale, tick.value);
    const bold = tick.style === "bold";
    if (mark.marks || bold) {
      const long = (bold ? 8 : 5) * (flat ? 1 : -1);
      const points = flat ? [px, at, px, at + long] : [at, px, at + long, px];
      const colour = bold ? room.theme.ink : room.theme.second;
      // keyed by its words, so that the true value's tick walks along when the value changes
      shapes.push({ tag: "line", key: key(`mark ${tick.id ?? tick.text}`), points, stroke: colour, width: bold ? 3 : 1 });
    }
    const size = TICK * room.k;
    const [x, y] = flat ? [px, at + 8 + size] : [at - 10, px + size / 3];
    const anchor = tick.anchor ?? (flat ? "middle" : "end");
    const fill = tick.style ? room.theme.ink : room.theme.second;
    shapes.push({ tag: "text", key: key(tick.id ?? tick.text), x, y, text: tick.text, size, anchor, fill, weight: bold ? 700 : 400 });
  }
  return shapes;
}

/** The barrier is made of grain: the wider it scatters, the stronger the noise. */
export function barrier(mark, room) {
  const upright = mark.direction === "vertical";
  const [across, length] = upright ? [room.width, room.height] : [room.height, room.width];
  const at = along(mark.at, across, room);
  const [from, to] = [mark.from, mark.to].map((place) => along(place, length, room));
  const gaps = mark.gaps.map((ends) => ends.map((place) => along(place, length, room)));
  const bars = (off, name, width, dash) => {
    const ends = [from, ...gaps.flat(), to];
    return ends.filter((_, i) => i % 2 === 0).map((start, i) => {
      const end = ends[2 * i + 1];
      const points = upright ? [at + off, start, at + off, end] : [start, at + off, end, at + off];
      return { tag: "line", key: `${mark.id}/${name} bar ${i}`, points, stroke: room.theme[name], width, dash };
    });
  };
  if (mark.none) return bars(0, "second", 1.5, "1.5 5");
  const half = mark.half * mark.scale;
  const many = Math.round((to - from) * (0.75 + half / 40));
  const heaps = { "ink fine": [], "ink coarse": [], "private fine": [], "private coarse": [] };
  for (let i = 0; i < many; i++) {
    const near = 1 - Math.sqrt(scatter(i, 12)) * 0.98; // most lie close to the bar
    const side = scatter(i, 11) < 0.5 ? -1 : 1;
    const [off, down] = [side * (1 + near * half), from + (to - from) * scatter(i, 14)];
    if (gaps.some(([start, end]) => start < down && down < end)) continue; // a leak passes here
    const crosses = scatter(i, 15) < 0.1; // a few have strayed to the other side
    const name = side < 0 !== crosses ? "ink" : "private";
    heaps[`${name} ${i % 4 ? "fine" : "coarse"}`].push(...(upright ? [at + off, down] : [down, at + off]));
  }
  const dust = ([name, points]) => {
    const fine = name.endsWith("fine");
    const look = { fill: room.theme[name.split(" ")[0]], r: fine ? 0.95 : 1.5, opacity: fine ? 0.8 : 0.6 };
    return { tag: "grains", key: `${mark.id}/${name}`, points, ...look };
  };
  const thin = (mark.bar * room.k) / 2;
  return [...Object.entries(heaps).map(dust), ...bars(-thin / 2, "ink", thin), ...bars(thin / 2, "private", thin)];
}

/** One dot an answer, stacked on its value in the order of arrival. */
export function dots(mark, room) {
  const [x, y] = mark.axes.map((id) => room.axes[id]);
  const wide = Math.abs(x.unit) * mark.step / mark.row;
  const r = mark.size * Math.min(wide, Math.abs(y.unit) * mark.row) / 2;
  const seen = new Map();
  return mark.values.map((value, i) => {
    const before = seen.get(value) ?? 0;
    seen.set(value, before + 1);
    const slot = (before % mark.row) - (mark.row - 1) / 2;
    const level = (Math.floor(before / mark.row) + 0.5) * mark.row;
    const [at, off] = [valueAt(x, value) + slot * wide, valueAt(y, level)];
    const [cx, cy] = x.along === "y" ? [off, at] : [at, off]; // values may lie along either side
    return { tag: "circle", key: `${mark.id}/${i}`, cx, cy, r, fill: room.theme[mark.colour], flies: true };
  });
}

/** The chance of every answer, at the scale of the dots. */
export function law(mark, room) {
  const [x, y] = mark.axes.map((id) => room.axes[id]);
  const edge = (i) => valueAt(x, mark.start + i * mark.step);
  const colour = room.theme[mark.colour];
  if (mark.form === "bars") {
    return mark.heights.slice(0, mark.first).flatMap((height, i) => bars(mark, i, edge, valueAt(y, 0), valueAt(y, height), room));
  }
  const top = mark.heights.flatMap((height, i) => [edge(i), valueAt(y, height), edge(i + 1), valueAt(y, height)]);
  const points = [edge(0), valueAt(y, 0), ...top, edge(mark.heights.length), valueAt(y, 0)];
  const line = { tag: "line", key: `${mark.id}/line`, points, stroke: room.theme[mark.line], width: 2 * Math.sqrt(room.k) };
  const area = { tag: "line", key: `${mark.id}/area`, points, fill: colour, fillOpacity: mark.fill, width: 0 };
  return mark.dotted ? [area, { ...line, dash: "1.6 3.4" }] : [area, line];
}

function bars(mark, i, edge, base, top, room) {
  const [left, wide] = [edge(i), edge(i + 1) - edge(i)];
  const shape = { x: left + 0.1 * wide, width: 0.8 * wide, y: top, height: base - top, radius: 0 };
  const look = mark.dotted
    ? { stroke: room.theme.ink, strokeWidth: 2 }
    : { fill: room.theme[mark.colour], opacity: mark.fill || 0.3 };
  return [{ tag: "rect", key: `${mark.id}/${i}`, ...shape, ...look }];
}

/** A map of equal cells; all of one shade are one shape, of boxes that hang on a thread of no width. */
export function cells(mark, room) {
  const [x, y] = mark.axes.map((id) => room.axes[id]);
  const rows = mark.shades.length / mark.columns;
  const place = (scale, [low, high], share) => valueAt(scale, low + share * (high - low));
  const shapes = Array.from({ length: mark.deepest }, () => ({ ways: [], back: [] }));
  mark.shades.forEach((shade, i) => {
    if (!shade) return;
    const [column, row] = [i % mark.columns, Math.floor(i / mark.columns)];
    const [left, right] = [column, column + 1].map((edge) => place(x, mark.x, edge / mark.columns));
    const [base, top] = [row, row + 1].map((edge) => place(y, mark.y, edge / rows));
    const [r, t] = [right - 0.5, top + 0.5]; // paper shows between two cells
    const { ways, back } = shapes[shade - 1];
    ways.push(left, base, r, base, r, t, left, t, left, base);
    back.unshift(left, base);
  });
  const fill = room.theme[mark.colour];
  return shapes.flatMap(({ ways, back }, i) => {
    const look = { fill, fillOpacity: (i + 1) / mark.deepest, width: 0 };
    return ways.length ? [{ tag: "line", key: `${mark.id}/${i + 1}`, points: [...ways, ...back], ...look }] : [];
  });
}

/** An answer and how far from it the truth may lie; faint ones are theory, strong ones a finding. */
export function errorbar(mark, room) {
  const [x, y] = [room.axes[mark.axis], along(mark.at, room.height, room)];
  const [low, high] = [-mark.half, mark.half].map((off) => valueAt(x, mark.value + off));
  const [cx, tall] = [valueAt(x, mark.value), (mark.height * Math.sqrt(room.k)) / 2];
  const stroke = room.theme[mark.colour];
  const key = (part) => `${mark.id}/${part}`;
  const line = (part, points) => ({ tag: "line", key: key(part), points, stroke, width: 2.5, opacity: mark.strong ? 1 : 0.3 });
  return [
    line("bar", [low, y, high, y]),
    line("low", [low, y - tall, low, y + tall]),
    line("high", [high, y - tall, high, y + tall]),
    { tag: "circle", key: key("dot"), cx, cy: y, r: mark.radius * Math.sqrt(room.k), fill: stroke },
  ];
}

export function rule(mark, room) {
  const points = [...point(mark.from, room), ...point(mark.to, room)];
  const look = { stroke: room.theme[mark.colour], width: mark.width, dash: mark.dash };
  return [{ tag: "line", key: mark.id, points, ...look }];
}

/** One person with a name: a dot among the grains, or the ring that is left of it. */
export function person(mark, room) {
  const [cx, cy] = point(mark.at, room);
  const key = (part) => `${mark.id}/${part}`;
  const { ink, page } = room.theme;
  const end = cy - mark.leader;
  const ring = mark.out
    ? { fill: page, stroke: ink, strokeWidth: 1.5, dash: "2.6 2.4" }
    : { fill: ink, stroke: page, strokeWidth: 2 };
  const size = 16 * room.k;
  const leader = { tag: "line", key: key("leader"), points: [cx, cy - 9, cx, end], stroke: ink, width: 1.5 };
  return [
    ...(mark.leader > 9 ? [leader] : []), // a shorter one would end within the dot
    { tag: "circle", key: key("dot"), cx, cy, r: 7 * Math.sqrt(room.k), ...ring },
    { tag: "text", key: key("name"), x: cx + mark.beside, y: end - 6, text: mark.text, size, weight: 700, fill: ink, anchor: "start", halo: page },
  ];
}

/** Words; parts of a line may have a colour or a weight of their own. */
export function label(mark, room) {
  const [x, y] = point(mark.at, room);
  const runs = typeof mark.text === "string" ? undefined : mark.text.map(([text, style]) => ({ text, ...styled(style, room) }));
  const look = { font: mark.font, weight: mark.weight, fill: room.theme[mark.colour], anchor: mark.anchor };
  const words = { text: runs ? undefined : mark.text, runs, halo: mark.halo ? room.theme.page : undefined };
  return [...plateOf(mark, x, y, room), { tag: "text", key: mark.id, x, y, size: mark.size * room.k, spacing: mark.spaced ? 0.09 : 0, ...look, ...words }];
}

/** Paper behind words, as wide as they are thought to be: nothing is measured here. */
function plateOf(mark, x, y, room) {
  if (!mark.plate) return [];
  const size = mark.size * room.k;
  const wide = (typeof mark.text === "string" ? mark.text : mark.text.map(([text]) => text).join("")).length * size * 0.5 + 0.5 * size;
  const left = x + 0.25 * size - { start: 0.5 * size, middle: (wide + 0.5 * size) / 2, end: wide }[mark.anchor];
  return [{ tag: "rect", key: `${mark.id}/plate`, x: left, y: y - 0.86 * size, width: wide, height: 1.12 * size, radius: 4, fill: room.theme.page, opacity: 0.88 }];
}

function styled(style, room) {
  return style === "bold" ? { weight: 700 } : style ? { fill: room.theme[style] } : {};
}
