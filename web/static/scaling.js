// Portions over a parameter, with their fitted lines (Figure 11.6), and what the lines leave over.
import { s } from "/static/dom.js";
import { signed, value } from "/static/format.js";
import { apart, contentWidth, portionClass } from "/static/parts.js";
import { brief } from "/static/words.js";

const LABEL = 16; // between the baselines of two labels
const TICK_HEIGHT = 14; // the same, of the vertical scale
const TICK_WIDTH = 26; // between two ticks of the parameter
const WIDEST = 560, HIGH = 260, LOW = 130, LEFT = 64, TOP = 10, BOTTOM = 40;

const LABEL_GAP = 10, LETTER_WIDTH = 9, WIDE_MORE = 4; // beside the lines' ends
const WIDE = /[+MW]/gu; // of a joined name such as C+W most letters are
const LETTERS_MOST = 14, LETTERS_NARROW = 6; // of a label; on a phone

const number = (v) => typeof v === "number";

/** Each portion over the values: [{name, configuration, points, residuals, line, fit}], in the order of the chain. */
export function portionLines(sweep) {
  const lines = new Map();
  for (const { value: x, portions } of sweep.values)
    for (const p of portions.filter(({ mean_ns }) => number(mean_ns))) {
      const fit = sweep.fits.find(({ configuration }) => configuration === p.configuration) ?? null;
      if (!lines.has(p.configuration)) lines.set(p.configuration, { name: p.portion, configuration: p.configuration,
        points: [], fit, line: fit ? { slope: fit.slope.mean_ns, start: fit.start.mean_ns } : null,
        residuals: (fit?.residuals ?? []).map((r) => ({ x: r.value, y: r.residual_ns })) });
      lines.get(p.configuration).points.push({ x, y: p.mean_ns, low: p.low_ns, high: p.high_ns });
    }
  return [...lines.values()];
}

/** Those of ascending values that have room beside the one before; the last one always stands. */
export function roomy(values, x, room = TICK_WIDTH) {
  const kept = [];
  for (const v of values) if (kept.length === 0 || x(v) - x(kept.at(-1)) >= room) kept.push(v);
  const last = values.at(-1);
  if (last !== undefined && kept.at(-1) !== last) kept.splice(kept.length > 1 ? -1 : kept.length, 1, last);
  return kept;
}

/** Both ends of the vertical scale: 0 and the highest, or around 0. */
export function rangeOf(numbers) {
  const finite = numbers.filter(Number.isFinite);
  return [Math.min(0, ...finite), Math.max(0, ...finite)];
}

/** Those of the values of a vertical scale that have room beside the ones before, each text once. */
export function spaced(values, y, tick) {
  const kept = [];
  for (const v of values)
    if (kept.every((k) => Math.abs(y(k) - y(v)) >= TICK_HEIGHT && tick(k) !== tick(v))) kept.push(v);
  return kept;
}

/** How many letters the lines' ends are named with, and the room that this takes beside the plot. */
function labelRoom(lines, narrow) {
  const longest = Math.max(...lines.map(({ name }) => [...name].length));
  const letters = Math.min(longest, narrow ? LETTERS_NARROW : LETTERS_MOST);
  const wide = Math.max(...lines.map(({ name }) => (name.match(WIDE) ?? []).length));
  return { letters, right: LABEL_GAP + LETTER_WIDTH * Math.max(letters, 3) + WIDE_MORE * wide };
}

/** The frame of both: grid, ticks of the parameter, its name. `draw` gets x, y, the labels' letters and the range. */
function frame({ lines: drawn, high, numbers, xs, axis, label, tick }, draw) {
  const width = Math.min(contentWidth(), WIDEST), [least, most] = rangeOf(numbers), xMax = Math.max(...xs) || 1;
  const { letters, right } = labelRoom(drawn, width < WIDEST), end = width - right;
  const x = (v) => LEFT + (end - LEFT) * v / xMax;
  const y = (v) => high - BOTTOM - (high - TOP - BOTTOM) * (v - least) / (most - least || 1);
  const lines = spaced([0, ...least === 0 ? [most, most / 2] : -least > most ? [least, most] : [most, least]], y, tick);
  return s("svg", { width, height: high, viewBox: `0 0 ${width} ${high}`, role: "img", "aria-label": label },
    lines.map((v) => [s("line", { class: "grid", x1: LEFT, x2: end, y1: y(v), y2: y(v) }),
      s("text", { class: "tick", x: LEFT - 6, y: y(v) + 4, "text-anchor": "end" }, tick(v))]),
    roomy(xs, x).map((d) => s("text", { class: "tick", x: x(d), y: high - 22, "text-anchor": "middle" }, axis.tick(d))),
    s("text", { class: "tick", x: (LEFT + end) / 2, y: high - 4, "text-anchor": "middle" }, axis.name),
    draw({ x, y, end, letters, xMax }));
}

const ascending = (lines, key) => [...new Set(lines.flatMap((l) => l[key].map((p) => p.x)))].sort((a, b) => a - b);
const axisOf = (axis) => typeof axis === "string" ? { name: axis, tick: (v) => v } : axis;

/** lines: [{name, points: [{x, y, low, high}], line: {slope, start}}]; axis: its name, or {name, tick}. */
export function course(lines, axis) {
  const xs = ascending(lines, "points"), about = axisOf(axis);
  const numbers = lines.flatMap(({ points, line }) => [...points.flatMap((p) => [p.low ?? p.y, p.high ?? p.y]),
    ...line ? [line.start, line.start + line.slope * Math.max(...xs)] : []]);
  const label = `Portions over ${about.name} ${xs.map(about.tick).join(", ")}`, look = { high: HIGH, axis: about, label, tick: value };
  return frame({ lines, numbers, xs, ...look }, ({ x, y, end, letters, xMax }) => [
    apart(lines.map(({ name, points }) =>
      ({ name, y: y(points.reduce((last, p) => (p.x >= last.x ? p : last)).y) })), LABEL)
      .map((one) => s("text", { class: "label", x: end + LABEL_GAP, y: one.y + 4 }, brief(one.name, letters))),
    lines.map(({ name, points, line }, i) => s("g", { class: portionClass(name, i) },
      line ? s("path", { class: "line", d: `M${x(0)} ${y(line.start)}L${x(xMax)} ${y(line.start + line.slope * xMax)}` })
        : null,
      points.map((p) => [s("line", { class: "whisker", x1: x(p.x), x2: x(p.x), y1: y(p.low ?? p.y),
        y2: y(p.high ?? p.y) }), s("circle", { cx: x(p.x), cy: y(p.y), r: 4 })])))]);
}

/** lines: [{name, place, residuals: [{x, y}]}]: what is left of each point when its line is taken away. place: among
  all portions, which names the colour. */
export function leftOver(lines, axis) {
  const xs = ascending(lines, "residuals"), about = axisOf(axis);
  return frame({ lines, high: LOW, numbers: lines.flatMap((l) => l.residuals.map((p) => p.y)), xs, axis: about,
    label: `Residuals over ${about.name}`, tick: signed }, ({ x, y }) =>
    lines.map(({ name, residuals, place }, i) => s("g", { class: portionClass(name, place ?? i) },
      residuals.map((p) => s("circle", { cx: x(p.x), cy: y(p.y), r: 4 })))));
}
