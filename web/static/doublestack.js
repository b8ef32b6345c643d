// Figure 11.4: the stack of medians in front with its quartiles at the left, the stack of means behind
// with its interval at the right. Mean and median of a portion can tell two stories. Where no calls are known, such as
// of an imported night, the means stand alone.
import { h, s } from "/static/dom.js";
import { interval, levelInterval, unitFor, value } from "/static/format.js";
import { contentWidth, portionClass } from "/static/parts.js";
import { brief } from "/static/words.js";

const WIDTH = 640, WIDTH_ALONE = 400, NARROW = 520, HEIGHT = 360, TOP = 28, BOTTOM = 12;
/** Where the two stacks stand; on a phone they are slim and the quartiles are only drawn. */
const WIDE_PLACES = { median: { x: 220, width: 110 }, mean: { x: 290, width: 110 } };
const NARROW_PLACES = { median: { x: 92, width: 64 }, mean: { x: 132, width: 64 } };
const ALONE_X = 12; // of the means, where there are no medians
const LABEL_DISTANCE = 17;

/** The calls' quartiles of a configuration, as its table has them; of loops that are one value there are none. */
const quartiles = ({ q1_ns = null, median_ns = null, q3_ns = null } = {}) =>
  ({ q1_ns, median_ns: q1_ns === null ? null : median_ns, q3_ns });

/** The configurations from the root to the last leaf of the first chain, with their portions. */
function chainOf(e) {
  const chain = [];
  let portion = e.portions.find((p) => !p.parent);
  while (portion && !chain.some((c) => c.portion === portion)) {
    const configuration = e.configurations.find((c) => c.name === portion.configuration);
    if (configuration) chain.push({ portion, configuration, ...quartiles(configuration.statistics ?? undefined) });
    portion = e.portions.find((p) => p.parent === chain[chain.length - 1]?.portion.configuration);
  }
  return chain;
}

/** Moves labels apart, upwards, so that none covers another. items: [{y, …}], lowest first. */
function spread(items) {
  let above = Infinity;
  for (const item of items) {
    item.at = Math.min(item.y, above - LABEL_DISTANCE);
    above = item.at;
  }
  return items;
}

function bar(chain, place, top, y, className) {
  let from = 0;
  return chain.flatMap((c, i) => {
    const to = top(c);
    if (typeof to !== "number") return [];
    const height = Math.abs(y(from) - y(to));
    const rect = s("rect", { class: `${className} ${portionClass(c.portion.portion, i)}`, x: place.x,
      width: place.width,
      y: Math.min(y(from), y(to)), height: Math.max(height, 0.5) });
    from = to;
    return [rect];
  });
}

function whisker(x, low, high, y) {
  return typeof low === "number" && typeof high === "number"
    ? s("path", { class: "whisker", d: `M${x} ${y(low)}V${y(high)}M${x - 5} ${y(low)}h10M${x - 5} ${y(high)}h10` })
      : null;
}

function labels(items, x, edge, anchor) {
  return spread(items).flatMap((item) => [
    s("path", { class: "leader", d: `M${edge} ${item.y}L${x + (anchor === "end" ? 4 : -4)} ${item.at}` }),
    s("text", { class: "label", x, y: item.at + 4, "text-anchor": anchor }, item.text)]);
}

const UNIT_AT_END = /\s*[^\d.-]+$/;

/** What stands beside a bar's end is the time up to there: of the first portion its own, then of the sum. */
const called = (c, i) => `${i > 0 ? "to " : ""}${brief(c.portion.portion)}`;

/** The medians of the calls: their bars, whiskers and labels; nothing where no calls are known. */
function medianStack(chain, place, y, narrow) {
  const known = chain.filter((c) => c.median_ns !== null);
  if (known.length === 0) return [];
  const { unit } = chain[0].configuration;
  const plain = (v, own) => value(v, own).replace(UNIT_AT_END, "");
  const around = ({ q1_ns: q1, median_ns: middle, q3_ns: q3 }) =>
    narrow ? "" : `(${plain(q1, unitFor(middle, unit))} – ${plain(q3, unitFor(middle, unit))})  `;
  const texts = known.map((c) => ({ y: y(c.median_ns), text: `${called(c, chain.indexOf(c))}  ${around(c)}${value(c.median_ns, unitFor(c.median_ns, unit))}` }));
  return [bar(chain, place, (c) => c.median_ns, y, "front"),
    chain.map((c) => whisker(place.x + 14, c.q1_ns, c.q3_ns, y)),
    s("text", { class: "tick", x: place.x + 35, y: 14, "text-anchor": "middle" }, "median"),
    labels(texts, place.x - (narrow ? 12 : 24), place.x, "end")];
}

/** e: an experiment. Returns a figure, or null when there is nothing to stack, such as of benchmarks that stand by
  themselves. */
export function doubleStack(e) {
  const chain = chainOf(e);
  if (chain.length < 2 || typeof chain[chain.length - 1].configuration.mean_ns !== "number") return null;
  const all = chain.flatMap((c) => [c.configuration.mean_ns, c.configuration.high_ns, c.median_ns, c.q3_ns])
    .filter(Number.isFinite);
  const high = Math.max(...all), low = Math.min(0, ...all);
  const y = (v) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (v - low) / (high - low || 1));
  const hasMedians = chain.some((c) => c.median_ns !== null);
  const width = Math.min(contentWidth(), hasMedians ? WIDTH : WIDTH_ALONE), narrow = width < NARROW;
  const places = narrow ? NARROW_PLACES : WIDE_PLACES;
  const { median: MEDIAN } = places, MEAN = hasMedians ? places.mean : { ...places.mean, x: ALONE_X };
  const means = chain.map((c, i) => ({ y: y(c.configuration.mean_ns),
    text: `${called(c, i)}  ${interval(c.configuration)}` }));
  const words = chain.map((c) =>
    `to ${c.portion.portion}: ${hasMedians ? `median ${value(c.median_ns, unitFor(c.median_ns, c.configuration.unit))}, ` : ""}mean ${interval(c.configuration)}`).join("; ");
  return h("figure", { class: "doublestack" },
    s("svg", { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
    "aria-label": `Cumulated response times. ${words}` },
    s("line", { class: "zero", x1: (hasMedians ? MEDIAN : MEAN).x - (narrow ? 4 : 12), x2: MEAN.x + MEAN.width + (narrow ? 4 : 12), y1: y(0),
      y2: y(0) }),
    bar(chain, MEAN, (c) => c.configuration.mean_ns, y, hasMedians ? "behind" : "front"),
    chain.map((c) => whisker(MEAN.x + MEAN.width - 14, c.configuration.low_ns, c.configuration.high_ns, y)),
    medianStack(chain, MEDIAN, y, narrow),
    s("text", { class: "tick", x: MEAN.x + MEAN.width - 25, y: 14, "text-anchor": "middle" }, "mean"),
    labels(means, MEAN.x + MEAN.width + (narrow ? 12 : 24), MEAN.x + MEAN.width, "start")),
  h("figcaption", {}, hasMedians
    ? `Times up to each portion. Left, in front: median of the calls and quartiles. Right, behind: mean and its ${levelInterval(e.level)} over loops.`
    : `Times up to each portion: mean and its ${levelInterval(e.level)}${e.node === "imported" ? "" : " over loops"}. Medians of the calls are not known.`));
}
