// The noise barrier lying flat: people above it, below it what everyone may know, with two handles
// on an axis or four on a box. Python says what stands where; while a handle moves this draws alone
// and tells the numbers when it is let go.
const SVG = "http://www.w3.org/2000/svg";
const REST = 250; // ms after the last key until the numbers are told
const CELL = 2.7; // px that one grain takes
const STRIPS = 40; // of a box of grains
const FAR = 10; // presses of an arrow key in one of PageUp and PageDown

function make(kind, into, attributes = {}, words) {
  const node = document.createElementNS(SVG, kind);
  set(node, attributes);
  if (words !== undefined) node.textContent = words; // as text, never as markup
  into.append(node);
  return node;
}
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}
function written(value) {
  const bare = Number(value.toPrecision(12));
  return bare.toLocaleString("en-US", { maximumFractionDigits: 10 }).replace("-", "−");
}
// on the steps; without steps on a round number finer than a pixel
function snapped(value, axis) {
  const width = axis.window[1] - axis.window[0];
  const step = axis.step > 0 ? axis.step : 10 ** Math.floor(Math.log10(width / 500));
  return Number((Math.round(value / step) * step).toPrecision(14));
}
// the same numbers each time: no data and no privacy hang on where a grain trembles
function chance() {
  let state = 20;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}
function apart(axis) {
  return Math.max(axis.step, (axis.window[1] - axis.window[0]) / 1000);
}
function moved(axis, end, asked) {
  const value = Math.min(Math.max(snapped(asked, axis), axis.window[0]), axis.window[1]);
  if (end === 0) axis.low = value <= axis.high - apart(axis) * (1 - 1e-9) ? value : axis.low;
  else axis.high = value >= axis.low + apart(axis) * (1 - 1e-9) ? value : axis.high;
}
function possible(axis) {
  if (!(axis.step > 0)) return "any number in between";
  const count = Math.floor((axis.high - axis.low) / axis.step + 1e-9) + 1;
  return `${written(count)} possible values, ${written(axis.step)} apart`;
}

class Flat {
  constructor(root) {
    this.root = root;
    this.sent = 0;
    this.busy = false;
    new ResizeObserver(() => this.data && this.draw()).observe(root.querySelector(".stage"));
  }

  take(data, tell) {
    this.tell = tell;
    if (this.busy || data.told < this.sent) return; // older than what the hand has done meanwhile
    this.sent = data.told;
    this.data = data;
    this.axes = data.axes.map((axis) => ({ ...axis }));
    this.root.classList.toggle("phone", data.phone);
    this.root.classList.toggle("present", data.present);
    const leads = this.root.querySelector(".leads");
    leads.replaceChildren(
      ...data.leads.map(([title, text]) => {
        const box = document.createElement("div");
        box.append(document.createElement("h3"), document.createElement("p"));
        box.firstChild.textContent = title;
        box.lastChild.textContent = text;
        return box;
      }),
    );
    this.draw();
  }

  say() {
    this.sent += 1;
    this.tell("moved", { told: this.sent, ends: this.axes.map((axis) => [axis.low, axis.high]) });
  }

  // where things stand, from the size there is
  place() {
    const { width: W, height: H } = this.root.querySelector(".stage").getBoundingClientRect();
    const t = this.data.text;
    const flat = this.axes.length < 2;
    const floor = H - 26 * t;
    const wall = flat ? floor - 92 * t : Math.round(H * (this.data.people ? 0.48 : 0.36));
    const left = flat ? 14 : 74 * t;
    const box = { left, right: W - (flat ? 14 : 40), top: flat ? floor : wall + 44 * t, bottom: floor };
    if (!flat && this.data.ratio) {
      const wide = Math.min(box.right - left, (box.bottom - box.top) * this.data.ratio);
      const middle = (left + box.right) / 2;
      [box.left, box.right] = [middle - wide / 2, middle + wide / 2];
    }
    return { W, H, t, flat, floor, wall, box };
  }
  x(value, axis = this.axes[0]) {
    const { left, right } = this.at.box;
    return left + ((value - axis.window[0]) / (axis.window[1] - axis.window[0])) * (right - left);
  }
  y(value) {
    const { top, bottom } = this.at.box;
    const axis = this.axes[1];
    return bottom - ((value - axis.window[0]) / (axis.window[1] - axis.window[0])) * (bottom - top);
  }

  draw() {
    const stage = this.root.querySelector("svg");
    const held = this.root.getRootNode().activeElement?.dataset?.handle;
    stage.replaceChildren();
    set(stage, { role: "group", "aria-label": this.data.alt });
    this.at = this.place();
    this.above(stage);
    this.dust(stage);
    this.below(stage);
    this.handles = [];
    this.axes.forEach((axis, number) => [0, 1].forEach((end) => this.handle(stage, number, end)));
    this.follow();
    if (held !== undefined) this.handles[Number(held)]?.node.focus({ preventScroll: true });
  }

  words(into, text, x, y, size, style = "", align = "start") {
    const scaled = { "font-size": size * this.at.t, "text-anchor": align, class: style };
    return make("text", into, { x, y, ...scaled }, text);
  }
  headed(into, head, note, y, style) {
    const title = this.words(into, head, 0, y, 13.5, `eyebrow plate ${style}`);
    return this.words(into, note, title.getComputedTextLength() + 16, y, 15, "second plate");
  }

  above(stage) {
    const { W, t, wall } = this.at;
    const { people, stays, notes } = this.data;
    this.headed(stage, "CONFIDENTIAL", notes[0], 15 * t, "");
    if (people) return this.crowd(stage, people);
    const line = 24 * t;
    const high = 34 * t + stays.lines.length * line;
    let y = 24 * t + Math.max(0, (wall - 34 * t - high) / 2) + 24 * t;
    this.words(stage, stays.title, W / 2, y, this.data.phone ? 20 : 24, "serif", "middle");
    y += 8 * t;
    for (const one of stays.lines) this.words(stage, one, W / 2, (y += line), 16, "second", "middle");
  }

  // The grains, over the axis or in a box of their own; outside the bounds they are grey. Many paths,
  // for a browser draws a path whole: it takes half a second for one of all, at every move.
  crowd(stage, people) {
    const { box, wall, t, flat } = this.at;
    const top = 28 * t;
    const tall = wall - 15 - top;
    let { left, right } = box;
    if (!flat && this.data.ratio) {
      const wide = Math.min(right - left, tall * this.data.ratio);
      const middle = (left + right) / 2;
      [left, right] = [middle - wide / 2, middle + wide / 2];
    }
    this.seen = { left, right, top, bottom: top + tall };
    const columns = people.edges ? this.stacked(people, top + tall, tall) : this.scattered(people);
    const grains = (into, style) => columns.forEach((d) => make("path", into, { d, class: style }));
    const id = `inside${Math.random().toString(36).slice(2)}`;
    this.clip = make("rect", make("clipPath", stage, { id }), {});
    grains(stage, "people grey");
    const inside = make("g", stage, { "clip-path": `url(#${id})` });
    grains(inside, "people cover");
    grains(inside, "people");
    if (!flat) make("rect", stage, { x: left, y: top, width: right - left, height: tall, class: "axis" });
  }
  stacked({ edges, heights }, floor, tall) {
    const random = chance();
    return heights.map((height, column) => {
      let path = "";
      if (!(height > 0)) return path;
      const [from, to] = [this.x(edges[column]), this.x(edges[column + 1])];
      const abreast = Math.max(1, Math.round((to - from) / CELL));
      const cell = Math.min((to - from) / abreast, 1.4 * CELL); // as far apart upwards as sideways
      const rows = Math.max(1, Math.round((height * tall) / cell));
      for (let row = 0; row < rows; row += 1) {
        for (let place = 0; place < abreast; place += 1) {
          const x = from + ((place + 0.5) / abreast) * (to - from) + (random() - 0.5) * 1.3;
          path += `M${x.toFixed(1)} ${(floor - (row + 0.5) * cell + (random() - 0.5) * 1.3).toFixed(1)}h.01`;
        }
      }
      return path;
    });
  }
  scattered({ places, box }) {
    const { left, right, top, bottom } = this.seen;
    const paths = Array(STRIPS).fill("");
    for (let at = 0; at < places.length; at += 2) {
      const share = places[at] / box[0];
      const x = left + share * (right - left);
      paths[Math.min(Math.floor(share * STRIPS), STRIPS - 1)] += `M${x.toFixed(1)} ${(top + (places[at + 1] / box[1]) * (bottom - top)).toFixed(1)}h.01`;
    }
    return paths;
  }

  dust(stage) {
    const { W, wall } = this.at;
    const random = chance();
    const paths = ["", ""];
    for (let k = 0; k < W / 4; k += 1) {
      const [x, far, side] = [random() * W, random() * random() * 13, k % 2];
      paths[side] += `M${x.toFixed(1)} ${(wall + (side ? 1 : -1) * (3 + far)).toFixed(1)}h.01`;
    }
    make("path", stage, { d: paths[0], class: "dust", style: "stroke:var(--ink)" });
    make("path", stage, { d: paths[1], class: "dust", style: "stroke:var(--blue)" });
    make("path", stage, { d: `M0 ${wall}H${W}`, class: "wall" });
  }

  below(stage) {
    const { W, t, wall, floor, box, flat } = this.at;
    const [first, second] = this.axes;
    if (!first) return this.nested(stage);
    make("path", stage, { d: `M${box.left} ${floor}H${box.right}`, class: "axis" });
    for (const [value, label] of first.ticks) {
      const x = this.x(value);
      make("path", stage, { d: `M${x} ${floor}v6`, class: "axis" });
      this.words(stage, label, x, floor + 22 * t, 14.5, "second", "middle");
    }
    if (!flat) {
      make("path", stage, { d: `M${box.left} ${box.top}V${floor}`, class: "axis" });
      for (const [value, label] of second.ticks) {
        const y = this.y(value);
        make("path", stage, { d: `M${box.left} ${y}h-6`, class: "axis" });
        this.words(stage, label, box.left - 12, y + 5 * t, 14.5, "second", "end");
      }
    }
    const open = first.open || (second && second.open);
    if (!open) this.marks(stage);
    const known = this.headed(stage, "PUBLIC", this.data.notes[1], wall + 31 * t, "blue");
    if (flat && !this.data.phone) set(known, { x: W / 2, "text-anchor": "middle" });
    if (open) this.words(stage, this.data.open, W / 2, floor - 34 * t, 16, "second", "middle");
  }

  // without an axis: the levels of named places, the widest first, each over how many it has
  nested(stage) {
    const { W, t, wall, floor } = this.at;
    const { levels, notes, open } = this.data;
    this.headed(stage, "PUBLIC", notes[1], wall + 31 * t, "blue");
    const size = Math.min(30, (1.6 * W) / (t * levels.map(([name]) => name).join("   ").length));
    levels.forEach(([name, many], place) => {
      const x = (W * (place + 0.5)) / levels.length;
      this.words(stage, name, x, floor - 18 * t, size, "blue serif", "middle");
      this.words(stage, many, x, floor + 8 * t, 14.5, "second", "middle");
      if (place) this.words(stage, "›", (W * place) / levels.length, floor - 18 * t, size, "second", "middle");
    });
    if (!levels.length) this.words(stage, open, W / 2, floor - 18 * t, 16, "second", "middle");
  }

  marks(stage) {
    const { flat } = this.at;
    this.span = make(flat ? "path" : "rect", stage, { class: "span" });
    if (!flat) this.span.style.fill = "none";
    this.leaders = [0, 1].map(() => make("path", stage, { class: "leader" }));
    this.numbers = this.axes.flatMap(() => [0, 1].map(() => this.words(stage, "", 0, 0, flat ? 30 : 22, "blue serif")));
    this.count = flat ? this.words(stage, "", 0, 0, 15, "second", "middle") : null;
  }

  handle(stage, number, end) {
    const axis = this.axes[number];
    const shut = this.axes.some((one) => one.open);
    const place = this.handles.length;
    const node = make("g", stage, { class: shut ? "handle shut" : "handle", "data-handle": place });
    make("circle", node, { r: 22, class: "touch" });
    make("circle", node, { r: 15, class: "ring" });
    make("circle", node, { r: 7.75, class: "dot" });
    this.handles.push({ node, number, end });
    if (shut) return;
    const upright = number === 1;
    const label = `${axis.name}: ${end ? "upper" : "lower"} bound`;
    set(node, { tabindex: 0, role: "slider", "aria-label": label, "aria-orientation": upright ? "vertical" : "horizontal" });
    node.onpointerdown = (event) => this.grab(event, node, number, end);
    node.onkeydown = (event) => this.key(event, number, end);
  }

  grab(event, node, number, end) {
    event.preventDefault();
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    this.busy = true;
    const before = JSON.stringify(this.axes);
    node.onpointermove = (move) => {
      const stage = this.root.querySelector(".stage").getBoundingClientRect();
      const { box } = this.at;
      const axis = this.axes[number];
      const share = number === 1
        ? (box.bottom - (move.clientY - stage.top)) / (box.bottom - box.top)
        : (move.clientX - stage.left - box.left) / (box.right - box.left);
      moved(axis, end, axis.window[0] + share * (axis.window[1] - axis.window[0]));
      this.follow();
    };
    node.onpointerup = node.onpointercancel = () => {
      node.onpointermove = node.onpointerup = node.onpointercancel = null;
      this.busy = false;
      if (JSON.stringify(this.axes) !== before) this.say();
    };
  }

  key(event, number, end) {
    const axis = this.axes[number];
    const now = end ? axis.high : axis.low;
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: FAR, PageDown: -FAR }[event.key];
    const ends = { Home: axis.window[0], End: axis.window[1] };
    if (by === undefined && !(event.key in ends)) return;
    event.preventDefault();
    event.stopPropagation();
    const room = end ? [axis.low + apart(axis), axis.window[1]] : [axis.window[0], axis.high - apart(axis)];
    const asked = by === undefined ? ends[event.key] : now + by * axis.nudge;
    moved(axis, end, Math.min(Math.max(asked, room[0]), room[1]));
    this.follow();
    this.busy = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.busy = false;
      this.say();
    }, REST);
  }

  // everything that moves with a handle
  follow() {
    if (!this.axes.length) return;
    const { flat, floor, wall, box, t } = this.at;
    const open = this.axes.some((axis) => axis.open);
    const [first, second] = this.axes;
    const [low, high] = open ? [box.left, box.right] : [this.x(first.low), this.x(first.high)];
    const [bottom, top] = flat ? [floor, floor] : open ? [box.bottom, box.top] : [this.y(second.low), this.y(second.high)];
    const middle = [(low + high) / 2, (bottom + top) / 2];
    const spots = flat ? [[low, floor], [high, floor]] : [[low, middle[1]], [high, middle[1]], [middle[0], bottom], [middle[0], top]];
    this.handles.forEach(({ node, number, end }, place) => {
      set(node, { transform: `translate(${spots[place][0]} ${spots[place][1]})` });
      const axis = this.axes[number];
      const value = end ? axis.high : axis.low;
      if (!open) set(node, { "aria-valuemin": axis.window[0], "aria-valuemax": axis.window[1], "aria-valuenow": value, "aria-valuetext": written(value) });
    });
    if (open) return;
    if (flat) set(this.span, { d: `M${low} ${floor}H${high}` });
    else set(this.span, { x: low, y: top, width: high - low, height: bottom - top });
    [low, high].forEach((x, side) => set(this.leaders[side], { d: `M${x} ${wall + 6}V${(flat ? floor : top) - 12}` }));
    this.axes.forEach((axis, number) => [axis.low, axis.high].forEach((value, end) => {
      this.numbers[2 * number + end].textContent = flat ? written(value) : `${axis.name} ${written(value)}`;
    }));
    if (flat) this.lettered(low, high, floor - 18 * t);
    else this.boxed(low, high, bottom, top, middle);
    this.cut(low, high);
  }

  // numbers inside the leaders while there is room, else outside of them
  lettered(low, high, y) {
    const [left, right] = this.numbers.map((node) => node.getComputedTextLength());
    const inside = high - low > left + right + 60;
    const { W } = this.at;
    const first = inside || low < left + 20;
    const last = inside || high > W - right - 20;
    set(this.numbers[0], { x: first ? low + 18 : low - 14, y, "text-anchor": first ? "start" : "end" });
    set(this.numbers[1], { x: last ? high - 18 : high + 14, y: inside || !(first && last) ? y : y - 34, "text-anchor": last ? "end" : "start" });
    this.count.textContent = possible(this.axes[0]);
    const room = high - low - left - right - 70;
    set(this.count, { x: (low + 18 + left + high - 18 - right) / 2, y: y + 3 });
    this.count.style.visibility = this.count.getComputedTextLength() < room ? "visible" : "hidden";
  }

  boxed(low, high, bottom, top, middle) {
    const { t } = this.at;
    const spots = [[low + 20, middle[1] + 7, "start"], [high - 20, middle[1] + 7, "end"], [middle[0], bottom - 18 * t, "middle"], [middle[0], top + 34 * t, "middle"]];
    this.numbers.forEach((node, place) => {
      const [x, y, align] = spots[place];
      set(node, { x, y, "text-anchor": align, "font-size": 20 * t });
    });
  }

  // people outside the bounds turn grey
  cut(low, high) {
    if (!this.data.people || !this.clip) return;
    const { left, right, top, bottom } = this.seen;
    if (this.at.flat) { // a column stands around its value: half a step to either side
      const half = (this.x(this.axes[0].step) - this.x(0)) / 2;
      return set(this.clip, { x: low - half, y: 0, width: Math.max(0, high - low + 2 * half), height: this.at.wall });
    }
    const share = (value, axis) => (value - axis.window[0]) / (axis.window[1] - axis.window[0]);
    const [a, b] = this.axes;
    const x = [a.low, a.high].map((value) => left + share(value, a) * (right - left));
    const y = [b.high, b.low].map((value) => bottom - share(value, b) * (bottom - top));
    set(this.clip, { x: x[0], y: y[0], width: x[1] - x[0], height: y[1] - y[0] });
  }
}

export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".flat");
  root.flat ??= new Flat(root);
  root.flat.take(data, setStateValue);
}
