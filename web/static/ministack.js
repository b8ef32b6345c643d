// The last nights of a project as a small stack: all portions of the first chain, without axes.
import { s } from "/static/dom.js";
import { unitFor, value } from "/static/format.js";
import { portionClass } from "/static/parts.js";
import { typicalRange } from "/static/typical.js";

const WIDTH = 240, HEIGHT = 40, GAP = 1;

/** The portions of the first chain, root first, by the newest night's tree; all of them when there is none. */
export function firstChain(portions, tree) {
  const chain = [];
  let at = tree?.find((p) => !p.parent);
  while (at && !chain.includes(at)) {
    chain.push(at);
    at = tree.find((p) => p.parent === chain[chain.length - 1].configuration);
  }
  const found = chain.map((link) => portions.find((p) => p.configuration === link.configuration)
    ?? portions.find((p) => p.portion === link.portion));
  return chain.length > 0 ? found.filter(Boolean) : portions;
}

/**
 * Rectangles {x, y, width, height, portion, cut}: a column a night, negative portions left out, a gap where one is
 * missing.
 * A night far above the others is cut off at the upper edge.
 */
export function stackOf(chain, width, height) {
  const nights = Math.max(0, ...chain.map((p) => p.spark_ns.length));
  const known = (p, i) => typeof p.spark_ns[i] === "number";
  const totals = Array.from({ length: nights }, (_, i) => chain.every((p) => known(p, i))
    ? chain.reduce((sum, p) => sum + Math.max(p.spark_ns[i], 0), 0) : null);
  const [, high] = typicalRange(totals.filter((t) => t !== null).map((t) => [0, t]));
  if (!(high > 0)) return [];
  const step = width / nights;
  return totals.flatMap((total, i) => {
    if (total === null) return [];
    let sum = 0;
    return chain.flatMap((p, portion) => {
      const from = Math.min(sum, high);
      sum += Math.max(p.spark_ns[i], 0);
      const v = Math.min(sum, high) - from;
      return v > 0 ? [{ portion, cut: total > high, x: i * step, width: Math.max(step - GAP, step / 2),
        y: height * (1 - (from + v) / high), height: height * v / high }] : [];
    });
  });
}

/** What is said of it: "; below all portions stacked from zero", or which of them; "" of one, which is no stack. */
export const stackedWords = (chain, portions) => chain.length < 2 ? ""
  : `; below ${chain.length < portions.length ? chain.map((p) => p.portion).join(", ") : "all portions"} stacked from zero`;

/** Of a chain; total: of the newest night. Returns an image, or null when there is nothing to stack. */
export function miniStack(chain, total) {
  const rects = stackOf(chain, WIDTH, HEIGHT);
  if (rects.length === 0 || chain.length < 2) return null;
  const n1 = (v) => v.toFixed(1);
  const newest = total?.mean_ns;
  return s("svg", { class: "ministack", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
    "aria-label": `${chain.map((p) => p.portion).join(", ")} of the last ${chain[0].spark_ns.length} results, stacked${typeof newest === "number" ? `; now ${value(newest, unitFor(newest, total.unit))} together` : ""}` },
  chain.map((p, i) => s("path", { class: portionClass(p.portion, i), d: rects.filter((r) => r.portion === i)
    .map((r) => `M${n1(r.x)} ${n1(r.y)}h${n1(r.width)}v${n1(r.height)}h${n1(-r.width)}z`).join("") })),
  s("path", { class: "tear", "vector-effect": "non-scaling-stroke", d: rects.filter((r) => r.cut && r.y < 0.05)
    .map((r) => `M${n1(r.x - GAP)} 5l${n1(r.width + 2 * GAP)} -2`).join("") }));
}
