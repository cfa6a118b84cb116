// Where things stand. Python speaks of shares of the picture, px and values on axes; shapes want px.
//
// A place along one side is [share, px], which is share · side + px, or {axis, value, px}: a value
// on a named axis, and px beside it.

/** Everything a mark needs to know about the picture it is drawn in. */
export function roomOf(marks, width, height, theme, k = 1) {
  const room = { width, height, theme, k, axes: {} };
  for (const mark of marks) {
    if (mark.kind === "axis") room.axes[mark.id] = scaleOf(mark, room);
  }
  room.crowded = Math.min(1, ...marks.filter((mark) => mark.form === "crowd" && !mark.hidden).map((mark) => fits(mark, room)));
  return room;
}

/** How far a crowd reaches from its middle. */
export const reachOf = (mark) => mark.spacing * Math.sqrt(mark.n / Math.PI);

/** By how much a crowd is smaller so that the picture's edges do not cut it. */
function fits(mark, room) {
  const y = along(mark.at[1], room.height, room);
  return (mark.hangs ? (room.height - y) / 2 : Math.min(y, room.height - y)) / reachOf(mark);
}

/** A place along a side of so many px. */
export function along(place, side, room) {
  if (Array.isArray(place)) return place[0] * side + place[1];
  return valueAt(room.axes[place.axis], place.value) + (place.px ?? 0);
}

/** A pair of places as px from the left and from the top. */
export function point([x, y], room) {
  return [along(x, room.width, room), along(y, room.height, room)];
}

/** The px of a value on an axis. */
export function valueAt(scale, value) {
  return scale.start + (position(value, scale.log) - scale.low) * scale.unit;
}

/** How an axis turns values into px; `most` keeps a unit no longer than so much of another axis. */
function scaleOf(mark, room) {
  const side = mark.along === "x" ? room.width : room.height;
  const start = along(mark.from, side, room);
  const low = position(mark.low, mark.log);
  let unit = (along(mark.to, side, room) - start) / (position(mark.high, mark.log) - low);
  if (mark.most) {
    const limit = Math.abs(room.axes[mark.most.axis].unit) * mark.most.value;
    unit = Math.sign(unit) * Math.min(Math.abs(unit), limit);
  }
  return { start, low, unit, log: mark.log, along: mark.along };
}

function position(value, log) {
  return log ? Math.log10(value) : value;
}
