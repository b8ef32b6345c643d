// From frame to frame of a flame graph: frames as the server lays them out, [{row, x, width, …}].

const middle = (frame) => frame.x + frame.width / 2;
const ofRow = (frames, row) => frames.filter((f) => f.row === row).sort((a, b) => a.x - b.x);
const within = (inner, outer) => middle(inner) >= outer.x && middle(inner) <= outer.x + outer.width;

/** The frame that a key leads to from one; itself at the graph's edge, null for another key. Up is outwards. */
export function neighbour(frames, at, key) {
  const row = ofRow(frames, at.row), i = row.indexOf(at);
  switch (key) {
    case "ArrowLeft": return row[Math.max(i - 1, 0)];
    case "ArrowRight": return row[Math.min(i + 1, row.length - 1)];
    case "Home": return row[0];
    case "End": return row[row.length - 1];
    case "ArrowUp": return ofRow(frames, at.row - 1).find((f) => within(at, f)) ?? at;
    case "ArrowDown": return ofRow(frames, at.row + 1).filter((f) => within(f, at))
      .reduce((widest, f) => !widest || f.width > widest.width ? f : widest, null) ?? at;
    default: return null;
  }
}

const CHARACTER = 6.7; // pixels, of what names and numbers are written in
const SIDES = 6, CHARACTERS_MIN = 4;

/** As much of a frame's words as its width has room for; "" when that says nothing. */
export function fitted(words, width) {
  const room = Math.floor((width - SIDES) / CHARACTER), letters = [...words];
  if (letters.length <= room) return words;
  return room < CHARACTERS_MIN ? "" : `${letters.slice(0, room - 1).join("")}…`;
}
