// Loops as dots: one process that was slow is seen at once.
import { h, s } from "/static/dom.js";
import { unitFor, value } from "/static/format.js";
import { contentWidth } from "/static/parts.js";

const WIDTH_MAX = 760; // drawn in real pixels, so that texts keep their size on a phone
const HEIGHT = 56, LEFT = 8, RIGHT = 8, MIDDLE = 20, AXIS = 40;

/** configuration: with loop_results and low_ns, mean_ns, high_ns. Returns a figure or null. */
export function dots(configuration) {
  const loops = configuration.loop_results.filter((l) => l.summary);
  if (loops.length === 0) return null;
  const width = Math.min(contentWidth(), WIDTH_MAX);
  const all = [...loops.map((l) => l.summary.mean_ns), configuration.low_ns,
    configuration.high_ns].filter(Number.isFinite);
  const low = Math.min(...all), high = Math.max(...all), pad = (high - low || Math.abs(high) || 1) * 0.05;
  const x = (v) => LEFT + (width - LEFT - RIGHT) * (v - low + pad) / (high - low + 2 * pad);
  const unit = unitFor(high, configuration.unit);
  const words = loops.map((l) =>
    `loop ${l.loop} ${value(l.summary.mean_ns, unit)}${l.readings?.stray ? " stray" : l.disturbed ? " disturbed" : ""}`)
    .join(", ");
  return h("figure", { class: "dotsbox" },
    s("svg", { class: "dotplot", width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
    "aria-label": `Means of the loops: ${words}` },
  s("rect", { class: "intervalband", x: x(configuration.low_ns),
    width: Math.max(x(configuration.high_ns) - x(configuration.low_ns), 1), y: 4, height: 32 }),
  s("line", { class: "mean", x1: x(configuration.mean_ns), x2: x(configuration.mean_ns), y1: 4, y2: 36 }),
  s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: AXIS, y2: AXIS }),
  loops.map((l) => {
    const shape = l.disturbed
      ? s("path", { class: "dot disturbed", d: `M${x(l.summary.mean_ns) - 5} ${MIDDLE - 5}l10 10m0 -10l-10 10` })
      : s("circle", { class: "dot", cx: x(l.summary.mean_ns), cy: MIDDLE, r: 5 });
    shape.append(s("title", {},
      `loop ${l.loop}: ${value(l.summary.mean_ns, unit)}${l.readings?.stray ? ", stray" : l.disturbed ? ", disturbed" : ""}`));
    return shape;
  }),
  s("text", { class: "tick", x: x(low), y: HEIGHT - 3, "text-anchor": "start" }, value(low, unit)),
  s("text", { class: "tick", x: x(high), y: HEIGHT - 3, "text-anchor": "end" }, value(high, unit))));
}
