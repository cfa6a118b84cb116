// Marks that are counted: tiles with names, people out of a hundred, phones, tanks of budget, boxes of a tree.

import { point } from "./place.js";

const HATCH = "url(#hatch)";

/** How a tile looks: unknown, a leak that is hatched or outlined, or a private guess. */
const TILES = {
  open: { edge: "hairline", words: "second" },
  asked: { edge: "ink", words: "ink", paper: "band", bold: true },
  bad: { edge: "danger", words: "danger_text", fill: HATCH, bold: true },
  good: { edge: "danger", words: "danger_text" },
  guessed: { edge: "private", words: "private", dash: "2 4" },
  wrong: { edge: "private", words: "private", dash: "2 4", struck: true },
};

/** The height of a row: as it was asked for, or lower, so that the last one ends within the picture. */
function rowOf(mark, count, gap, top, room) {
  const rows = Math.ceil(count / mark.columns);
  return Math.min(mark.size[1], (room.height - top + gap) / rows - gap);
}

export function tiles(mark, room) {
  const [left, top] = point(mark.at, room);
  const [wide, high] = [mark.size[0], rowOf(mark, mark.names.length, mark.gap, top, room)];
  return mark.names.flatMap((name, i) => {
    const look = TILES[mark.states[i]];
    const x = left + (i % mark.columns) * (wide + mark.gap);
    const y = top + Math.floor(i / mark.columns) * (high + mark.gap);
    const key = (part) => `${mark.id}/${i} ${part}`;
    const size = mark.text * room.k;
    const across = mark.inline // the name at the left, its word at the right, or one below the other
      ? { name: [x + 4, 0.35, "start"], word: [x + wide - 4, 0.35, "end"] }
      : { name: [x + wide / 2, -0.15, "middle"], word: [x + wide / 2, 1, "middle"] };
    const text = (part, words, fill) => ({
      tag: "text", key: key(part), x: across[part][0], y: y + high / 2 + across[part][1] * size, text: words, size, anchor: across[part][2],
      weight: look.bold ? 700 : 400, fill: room.theme[fill], halo: look.fill ? room.theme.page : undefined,
    });
    const box = { tag: "rect", key: key("box"), x, y, width: wide, height: high, radius: 6, fill: look.fill ?? room.theme[look.paper], stroke: room.theme[look.edge], strokeWidth: look.bold ? 2 : 1.5, dash: look.dash };
    const [from, to] = mark.inline ? [x + wide - 4 - 0.52 * size * mark.words[i].length, x + wide - 4] : [x + wide * 0.2, x + wide * 0.8];
    const through = y + high / 2 + (mark.inline ? 0.05 : 0.65) * size;
    const strike = { tag: "line", key: key("strike"), points: [from, through, to, through], stroke: room.theme.ink, width: 1.5 };
    return [box, text("name", name, "ink"), text("word", mark.words[i], look.words), ...(look.struck ? [strike] : [])];
  });
}

/** People out of n: the first were suspected before, the next are added by an answer, the rest hollow. */
export function people(mark, room) {
  const [left, top] = point(mark.at, room);
  const [wide, high] = [mark.size[0], rowOf(mark, mark.n, 0, top, room)];
  return Array.from({ length: mark.n }, (_, i) => {
    const x = left + (i % mark.columns) * wide;
    const y = top + Math.floor(i / mark.columns) * high;
    const before = i < mark.before;
    const added = !before && i < mark.before + mark.added;
    const fill = before ? room.theme[mark.colour] : added ? HATCH : "none";
    const stroke = before ? room.theme[mark.colour] : added ? room.theme.danger : room.theme.grain;
    const look = { fill, stroke, strokeWidth: 1.6 };
    const key = (part) => `${mark.id}/${i} ${part}`;
    if (mark.form === "dot") return [{ tag: "circle", key: key("dot"), cx: x + wide / 2, cy: y + high / 2, r: 0.38 * Math.min(wide, high), ...look }];
    const head = 0.17 * high;
    const body = { x: x + wide / 2 - 0.26 * high, y: y + 0.46 * high, width: 0.52 * high, height: 0.44 * high, radius: 0.2 * high };
    return [
      { tag: "circle", key: key("head"), cx: x + wide / 2, cy: y + 0.22 * high, r: head, ...look },
      { tag: "rect", key: key("body"), ...body, ...look },
    ];
  }).flat();
}

/** People without names in piles, as facts split them; a pile of one is a leak. */
export function piles(mark, room) {
  const [[left, top], [right, bottom]] = [point(mark.from, room), point(mark.to, room)];
  const sizes = [];
  const ranks = mark.of.map((pile) => (sizes[pile] = (sizes[pile] ?? 0) + 1));
  const [wide, high] = [(right - left) / mark.columns, (bottom - top) / Math.ceil(sizes.length / mark.columns)];
  const tall = Math.min(mark.tallest, (high - 8) / Math.max(...sizes));
  return mark.of.map((pile, i) => {
    const look = sizes[pile] === 1 ? { fill: HATCH, stroke: room.theme.danger, strokeWidth: 2 } : { fill: room.theme.band, stroke: room.theme.ink, strokeWidth: 1.5 };
    const [column, row] = [pile % mark.columns, Math.floor(pile / mark.columns)];
    return { tag: "rect", key: `${mark.id}/${i}`, x: left + column * wide, y: top + (row + 1) * high - ranks[i] * tall, width: wide - 6, height: tall - 3, radius: 4, ...look };
  });
}

/** Phones with a mark inside, their own noise as a bar, and the answer that leaves; or the marks alone. */
export function phones(mark, room) {
  const [left, top] = point(mark.from, room);
  const [right, bottom] = point(mark.to, room);
  const wide = (right - left) / mark.columns;
  const high = (bottom - top) / Math.ceil(mark.marks.length / mark.columns);
  const { ink, grain, private: blue } = room.theme;
  return mark.marks.flatMap((full, i) => {
    const x = left + (i % mark.columns) * wide;
    const y = top + Math.floor(i / mark.columns) * high;
    const key = (part) => `${mark.id}/${i} ${part}`;
    const alone = mark.sent.length === 0;
    const [phone, r] = [Math.min(0.55 * wide, 0.62 * high), Math.min(0.3 * wide, (alone ? 0.3 : 0.2) * high, alone ? 5 : 0.13 * wide)];
    const dot = (part, cx, filled, colour, edge) => ({ tag: "circle", key: key(part), cx, cy: y + high / 2, r, fill: filled ? colour : "none", stroke: filled ? colour : edge, strokeWidth: 1.6 });
    const inside = dot("mark", x + (alone ? wide : phone) / 2 + 1, full, ink, grain);
    if (alone) return [inside];
    const bar = x + phone + 0.09 * wide;
    return [
      { tag: "rect", key: key("phone"), x: x + 1, y: y + 0.07 * high, width: phone, height: 0.86 * high, radius: Math.min(4, 0.25 * phone), stroke: ink, strokeWidth: 1.5 },
      inside,
      { tag: "line", key: key("bar"), points: [bar, y + 0.1 * high, bar, y + 0.9 * high], stroke: blue, width: 2 },
      dot("sent", bar + 0.06 * wide + r, mark.sent[i], blue, blue),
    ];
  });
}

/** A tank of budget: what is left, a tick for each answer it pays, and one hatched tank for each overdrawn. */
export function tank(mark, room) {
  const [x, y] = point(mark.from, room);
  const [right, bottom] = point(mark.to, room);
  const [wide, high] = [right - x, bottom - y];
  const key = (part) => `${mark.id}/${part}`;
  const full = mark.level * high;
  const ink = room.theme.ink;
  const slots = Array.from({ length: Math.max(0, mark.slots - 1) }, (_, i) => {
    const at = y + (high * (i + 1)) / mark.slots;
    return { tag: "line", key: key(`slot ${i}`), points: [right - 0.16 * wide, at, right, at], stroke: ink, width: 1.5 };
  });
  const words = { tag: "text", key: key("words"), x: x + wide / 2, y: bottom + 24 * room.k, text: mark.text, size: 15 * room.k, anchor: "middle", fill: ink };
  return [
    { tag: "rect", key: key("level"), x, y: bottom - full, width: wide, height: full, fill: room.theme.private, opacity: 0.3 },
    { tag: "rect", key: key("wall"), x, y, width: wide, height: high, radius: 5, stroke: ink, strokeWidth: 2.5 },
    ...slots,
    ...(mark.text ? [words] : []),
    ...overdrawn(mark, room, key),
  ];
}

function overdrawn(mark, room, key) {
  if (!mark.over) return [];
  const [left, top] = point(mark.overAt, room);
  const [wide, high] = mark.overSize;
  return Array.from({ length: mark.over }, (_, i) => ({
    tag: "rect", key: key(`over ${i}`), x: left + (i % mark.overRow) * wide, y: top + Math.floor(i / mark.overRow) * high,
    width: 0.8 * wide, height: 0.84 * high, radius: 3, fill: HATCH, stroke: room.theme.danger, strokeWidth: 1.5,
  }));
}

const NARROW = 5; // px: a row of narrower boxes is one box

/** Rows of equal boxes, some of them lit, with words where they fit. */
export function boxes(mark, room) {
  const [left, top] = point(mark.from, room);
  const [right, bottom] = point(mark.to, room);
  const step = (bottom - top + mark.gap) / mark.rows.length;
  const high = step - mark.gap;
  const place = (row, i, many) => ({ x: left + ((right - left) * i) / many + 0.5, y: top + row * step, width: Math.max(3, (right - left) / many - 1.5), height: high, radius: Math.min(4, high / 4) });
  const open = mark.rows.flatMap((nodes, row) => {
    const many = (right - left) / nodes < NARROW ? 1 : nodes;
    return Array.from({ length: many }, (_, i) => ({ tag: "rect", key: `${mark.id}/${row} ${i}`, ...place(row, i, many), fill: many < nodes ? room.theme.hairline : undefined, stroke: room.theme.grain, strokeWidth: 1 }));
  });
  const size = Math.min(mark.text * room.k, 0.8 * high);
  const lit = mark.lit.flatMap(([row, i], at) => {
    const box = place(row, i, mark.rows[row]);
    const words = mark.words[at] ?? "";
    const text = { tag: "text", key: `${mark.id}/words ${at}`, x: box.x + box.width / 2, y: box.y + high / 2 + 0.35 * size, text: words, size, font: "serif", weight: 600, anchor: "middle", fill: room.theme.page };
    const fits = words && size >= 14.5 * room.k && box.width > 0.6 * size * words.length;
    return [{ tag: "rect", key: `${mark.id}/lit ${at}`, ...box, fill: room.theme.private }, ...(fits ? [text] : [])];
  });
  return [...open, ...lit];
}
