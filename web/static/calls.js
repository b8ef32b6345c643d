// From the raw calls: how response times are spread, and how they went from first to last call.
import { h, s } from "/static/dom.js";
import { unitFor, value } from "/static/format.js";
import { contentWidth, portionClass, swatch } from "/static/parts.js";

const HEIGHT = 180, LEFT = 60, RIGHT = 12, TOP = 10, BOTTOM = 26, WIDTH_MAX = 600;
const LABEL = 30; // a tick's text nearer to the right edge ends at its line
const SHARES = [0, 0.25, 0.5, 0.75, 1];

const plotWidth = () => Math.min(contentWidth(), WIDTH_MAX);
const n1 = (v) => v.toFixed(1);

/** Decades between low and high, and their halves and fifths when there are few. */
function logTicks(low, high) {
  const ticks = [];
  for (let p = Math.floor(Math.log10(low)); p <= Math.ceil(Math.log10(high)); p++)
    for (const digit of high / low < 1e3 ? [1, 2, 5] : [1]) {
      const v = digit * 10 ** p;
      if (v >= low && v <= high) ticks.push(v);
    }
  return ticks;
}

/** The share of calls that took at most so long (ECDF), on a logarithmic axis. */
function spreadFigure(configurations) {
  const shown = configurations.filter((c) => c.histogram?.counts.length > 0);
  if (shown.length === 0) return null;
  const width = plotWidth();
  const low = Math.max(Math.min(...shown.map((c) => c.histogram.edges_ns[0])), 1e-3);
  const high = Math.max(...shown.map((c) => c.histogram.edges_ns.at(-1)));
  const x = (v) => LEFT + (width - LEFT - RIGHT) * Math.log(Math.max(v, low) / low) / Math.log(high / low || Math.E);
  const y = (share) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const lines = shown.map((c, i) => {
    const total = c.histogram.counts.reduce((a, b) => a + b, 0);
    let sum = 0, d = `M${n1(x(c.histogram.edges_ns[0]))} ${n1(y(0))}`;
    c.histogram.counts.forEach((count, k) => {
      sum += count;
      d += `L${n1(x(c.histogram.edges_ns[k + 1]))} ${n1(y(sum / total))}`;
    });
    return s("path", { class: `line ${portionClass(c.portion ?? "", i)}`, d });
  });
  return h("figure", { class: "calls" },
    s("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
    "aria-label": "Share of calls that took at most this long, one line per configuration, logarithmic time" },
  SHARES.map((q) => [s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(q), y2: y(q) }),
    s("text", { class: "tick", x: LEFT - 6, y: y(q) + 4, "text-anchor": "end" }, `${q * 100}\u202f%`)]),
  logTicks(low, high).map((v) => [s("line", { class: "grid", x1: x(v), x2: x(v), y1: y(1), y2: y(0) }),
    s("text", { class: "tick", x: x(v), y: HEIGHT - 6, "text-anchor": x(v) > width - LABEL ? "end" : "middle" },
      value(v).replace(/\.0+(?=\D)/, ""))]), lines),
  h("figcaption", {}, "Share of calls that took at most this long. ",
    shown.map((c, i) => [h("span", { class: "entry" }, swatch(c.portion ?? "", i), c.name), " "])));
}

/** Response time from the first call to the last, warm-up shaded. */
function courseFigure(c, index) {
  const { median_ns: medians, low_ns: lows, high_ns: highs, calls, warmup_calls: warmup } = c.course;
  if (medians.length === 0) return null;
  const width = plotWidth();
  const sorted = highs.toSorted((a, b) => a - b);
  const top = (sorted[Math.floor((sorted.length - 1) * 0.99)] || 1) * 1.08; // single pauses must not flatten the rest
  const x = (i) => LEFT + (width - LEFT - RIGHT) * i / medians.length;
  const y = (v) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - Math.min(v, top) / top);
  const band = highs.map((v, i) => `${i ? "L" : "M"}${n1(x(i + 0.5))} ${n1(y(v))}`).join("") +
    lows.map((v, i) => `L${n1(x(lows.length - i - 0.5))} ${n1(y(lows[lows.length - 1 - i]))}`).join("") + "z";
  const line = medians.map((v, i) => `${i ? "L" : "M"}${n1(x(i + 0.5))} ${n1(y(v))}`).join("");
  const edge = LEFT + (width - LEFT - RIGHT) * (calls > 0 ? warmup / calls : 0);
  const unit = unitFor(top);
  return h("figure", { class: "calls" },
    s("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
    "aria-label": `Response time over calls of ${c.name}; the first ${warmup} of ${calls} calls are warm-up` },
  s("rect", { class: "warmup", x: LEFT, y: TOP, width: Math.max(edge - LEFT, 0), height: HEIGHT - TOP - BOTTOM }),
  [0, 0.5, 1].map((q) => [s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(q * top), y2: y(q * top) }),
    s("text", { class: "tick", x: LEFT - 6, y: y(q * top) + 4, "text-anchor": "end" }, value(q * top, unit))]),
  s("path", { class: `area ${portionClass(c.portion ?? "", index)}`, d: band }),
  s("path", { class: `line ${portionClass(c.portion ?? "", index)}`, d: line }),
  s("text", { class: "tick", x: LEFT, y: HEIGHT - 6 }, "call 1"),
  s("text", { class: "tick", x: width - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, calls.toLocaleString("en"))),
  h("figcaption", {}, `${c.name}: median and the middle 80 % of calls, from first to last; warm-up shaded.`));
}

/** configurations: the API's *calls* objects, each with the name and portion of its configuration. */
export function callFigures(configurations) {
  return [spreadFigure(configurations), h("div", { class: "courses" }, configurations.map(courseFigure))];
}
