// Small multiples: every portion on its own scale, with intervals, reference band, rings, and what is cut off.
import { h, s } from "/static/dom.js";
import { interval, known, unitFor, value } from "/static/format.js";
import { LEFT, RIGHT } from "/static/columns.js";
import { MARKS, portionWords } from "/static/words.js";
import { portionClass, swatch } from "/static/parts.js";
import { typicalRange, wholeRange } from "/static/typical.js";

const HEIGHT = 96, TOP = 14, BOTTOM = 10;
const TICK_HEIGHT = 12;
const DENSE = 6; // pixels a column; below it dots shrink

/** The portions of all nights, by configuration, in the newest night's order. */
export function portionsOf(nights) {
  const found = new Map();
  for (const night of nights.toReversed())
    for (const p of night.portions)
      if (!found.has(p.configuration)) found.set(p.configuration, p);
  return [...found.values()];
}

export const portionIn = (night, configuration) =>
  night.portions.find((p) => p.configuration === configuration) ?? null;

/** The portion as it is marked: a change belongs to the night that its level began with, not to one that told later. */
export function markedAs(p, night) {
  const change = night.began?.find((b) => b.configuration === p.configuration);
  if (change) return { ...p, verdict: "anomaly", direction: change.direction };
  return p.verdict === "anomaly" && p.since ? { ...p, verdict: "ok", direction: null } : p;
}

/** One column of a portion: the night itself, or median and range of several. */
function pointOf(column, nights, configuration) {
  const points = [];
  for (let i = column.first; i < column.first + column.count; i++) {
    const p = portionIn(nights[i], configuration);
    if (p && known(p.mean_ns) && nights[i].state === "measured") points.push(markedAs(p, nights[i]));
  }
  if (points.length === 0) return null;
  if (column.count === 1) return points[0];
  const means = points.map((p) => p.mean_ns).sort((a, b) => a - b);
  const bands = points.map((p) => p.reference).filter(Boolean);
  const loud = points.find((p) => p.verdict === "anomaly");
  const half = means.length >> 1; // as web/layout/values.c
  return { mean_ns: means.length % 2 ? means[half] : (means[half - 1] + means[half]) / 2,
    low_ns: means[0], high_ns: means[means.length - 1],
    verdict: loud ? "anomaly" : "ok", direction: loud?.direction ?? null,
    reference: bands.length ? { low_ns: Math.min(...bands.map((b) => b.low_ns)),
      high_ns: Math.max(...bands.map((b) => b.high_ns)) } : null };
}

const REACH = 1; // how far beyond the nights' own range a band may stretch the scale, in its heights

/** What a portion's value, which is known, spans with its interval: [low, high]. */
export const spanOf = ({ mean_ns, low_ns, high_ns }) => [known(low_ns) ? Math.min(low_ns, mean_ns) : mean_ns,
  known(high_ns) ? Math.max(high_ns, mean_ns) : mean_ns];

/**
 * The scale of one portion's plot, or null without a value; full: nothing is cut off; shown: values that must be
 * within, such as the levels before and after a change. A band is very wide while few
 * nights stand
 * behind it; it may stretch the scale only a little, or the nights would be a flat line, and is cut there.
 */
export function scaleOf(points, full = false, shown = []) {
  const range = (values) => [Math.min(...values), Math.max(...values)];
  const present = points.filter(Boolean);
  if (present.length === 0) return null;
  const [least, most] = range([...(full ? wholeRange : typicalRange)(present.map(spanOf), { own: true }),
    ...shown.filter(known)]);
  const reach = (most - least || Math.abs(most) || 1) * REACH;
  const [low, high] = range([least, most,
    ...present.flatMap((p) => [p.judged?.low_ns, p.judged?.high_ns, p.reference?.low_ns, p.reference?.high_ns])
    .filter(known).map((v) => Math.min(Math.max(v, least - reach), most + reach))]);
  const pad = (high - low || Math.abs(high) || 1) * 0.08;
  return { low, high,
    y: (v) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (Math.min(Math.max(v, low), high) - low + pad) / (high - low
    + 2 * pad)) };
}

const n1 = (x) => x.toFixed(1);

function gapMark(night, x, r) {
  const y = HEIGHT - BOTTOM - 5;
  return night.state === "failed"
    ? `M${n1(x - r)} ${n1(y - r)}l${n1(2 * r)} ${n1(2 * r)}m0 ${n1(-2 * r)}l${n1(-2 * r)} ${n1(2 * r)}`
    : `M${n1(x - r)} ${y}l${n1(r)} ${n1(-r)}l${n1(r)} ${n1(r)}l${n1(-r)} ${n1(r)}z`;
}

function ink(points, scale, nights, map) {
  const line = (x, range) => known(range?.low_ns) && known(range.high_ns)
    ? `M${n1(x)} ${n1(scale.y(range.low_ns))}V${n1(scale.y(range.high_ns))}` : "";
  let whiskers = "", judged = "", dots = "", band = "", gaps = "";
  map.columns.forEach((column, i) => {
    const x = column.x + map.size / 2, p = points[i];
    if (column.count === 1 && nights[column.first].state !== "measured")
      gaps += gapMark(nights[column.first], x, Math.min(4, map.size / 3));
    if (!p) return;
    whiskers += line(x, p);
    judged += line(x, p.judged);
    dots += `M${n1(x)} ${n1(scale.y(p.mean_ns))}h0.01`;
    if (known(p.reference?.low_ns) && known(p.reference.high_ns))
      band += `M${n1(column.x)} ${n1(scale.y(p.reference.low_ns))}h${n1(map.size)}V${n1(scale.y(p.reference.high_ns))}h${n1(-map.size)}z`;
  });
  const dense = map.size < DENSE ? " dense" : "";
  return [s("path", { class: "band", d: band }), s("path", { class: "whiskers" + dense, d: whiskers }),
    dense ? null : s("path", { class: "judged", d: judged }),
    s("path", { class: "dots" + dense, d: dots }), s("path", { class: "gaps", d: gaps })];
}

/** What a scale must show of another branch: one absurd night of it must not flatten this one. */
export function rangeBeside(values, full) {
  const spans = values.filter(known).map((v) => [v, v]);
  return spans.length > 0 ? (full ? wholeRange : typicalRange)(spans, { own: true }) : [];
}

/** Another branch's level in each column, as steps; values: by night. */
function besideInk(values, scale, map) {
  let path = "", before = null;
  for (const { x, first, count } of map.columns) {
    const at = count > 0 ? values[first + count - 1] : before;
    if (known(at)) path += `${known(before) ? "V" : `M${n1(x)} `}${n1(scale.y(at))}H${n1(x + map.size)}`;
    before = at;
  }
  return path ? s("path", { class: "beside", d: path }) : null;
}

const VALUE_CHARACTER = 7; // pixels
const VALUE_DISTANCE = 4;
const BESIDE_ARROW = 6; // below the plot there is no room under an arrow

/** Of the points outside the scale: {x, y, above, ns}, oldest first; ns is the value, or the interval's end where
  only that is outside. */
export function cutsOf(points, { low, high, y }, map) {
  return map.columns.flatMap(({ x }, i) => {
    if (!points[i]) return [];
    const [from, to] = spanOf(points[i]), { mean_ns: mean } = points[i], at = { x: x + map.size / 2 };
    return [to > high ? [{ ...at, y: y(high), above: true, ns: mean > high ? mean : to }] : [],
      from < low ? [{ ...at, y: y(low), above: false, ns: mean < low ? mean : from }] : []].flat();
  });
}

/** Where their values are written: those that would cover each other are left out, except the farthest. */
export function cutLabels(cuts, width, unit = null) {
  const kept = [];
  for (const cut of cuts) {
    const text = value(cut.ns, unitFor(cut.ns, unit)), room = text.length * VALUE_CHARACTER;
    const label = { text, ns: cut.ns, room,
      from: Math.min(Math.max(cut.above ? cut.x - room / 2 : cut.x + BESIDE_ARROW, LEFT), width - RIGHT - room) };
    const covered = kept.filter((k) => label.from < k.from + k.room + VALUE_DISTANCE);
    if (covered.every((k) => Math.abs(k.ns) < Math.abs(cut.ns))) {
      kept.splice(kept.length - covered.length);
      kept.push(label);
    }
  }
  return kept;
}

/** An arrow for each, and the values: above the plot, or at its lower edge. */
function cutInk(points, scale, map, width, unit) {
  const cuts = cutsOf(points, scale, map);
  const side = (above) => cuts.filter((cut) => cut.above === above);
  const arrow = ({ x, y, above }) => above ? `M${n1(x - 3.5)} ${n1(y - 4)}l3.5 -3.5l3.5 3.5`
    : `M${n1(x - 3.5)} ${n1(y + 4)}l3.5 3.5l3.5 -3.5`;
  return cuts.length === 0 ? null : [s("path", { class: "cuts", d: cuts.map(arrow).join("") }),
    [true, false].map((above) => cutLabels(side(above), width, unit).map(({ text, from }) =>
      s("text", { class: "cutvalue", x: n1(from), y: above ? TOP - 6 : HEIGHT - 1 }, text)))];
}

/** Is it to be measured again? A mark must be rare to mean something: what was cleared, and what
  only waits for another night, has none. */
export const isAsked = (p) => p.verdict === "suspect";

function rings(points, scale, map) {
  return map.columns.flatMap((column, i) => {
    const p = points[i];
    if (!p || (p.verdict !== "anomaly" && !isAsked(p))) return [];
    const asked = isAsked(p);
    const x = column.x + map.size / 2, y = scale.y(p.mean_ns), below = y < TOP + 18;
    return [s("circle", { class: asked ? "ring watched" : "ring", cx: n1(x), cy: n1(y), r: 8 }),
      asked ? null : s("text", { class: "ringmark", x: n1(x), y: n1(below ? y + 21 : y - 12), "text-anchor": "middle" },
        MARKS[p.direction] ?? "●")];
  }).filter(Boolean);
}

const BESIDE = 3; // as in web/layout/dates.c

const DIVIDES = { environment: (n, i) => i > 0 && n.environment_changed, accepted: (n, i) => i > 0 && n.accepted,
  release: (n) => n.release, incident: (n) => n.incident && n.incident.kind !== "environment",
  note: (n) => n.note, baseline: (n) => n.baseline };

/** What divides the nights: [{x, kind}], kinds as in the server's chart. */
export function boundariesOf(nights, map) {
  return map.columns.flatMap((column) => {
    const held = Array.from({ length: column.count }, (_, k) => column.first + k);
    return Object.keys(DIVIDES).filter((kind) => held.some((i) => DIVIDES[kind](nights[i], i)))
      .map((kind, k) => ({ x: column.x + k * BESIDE, kind }));
  });
}

/** A line over a picture that follows the cursor: {element, move(x)}; null: none. The browser only moves it. */
export function cursorLine() {
  const element = h("div", { class: "cursor" });
  return { element, move: (x) => { element.style.transform = x === null ? "" : `translateX(${n1(x)}px) scaleY(1)`; } };
}

const DATE_ROOM = 84; // pixels from one date to the next

/** Where the axis under plots says which night it is: [{x, text}], as many as fit; nights of one date say it once. */
export function dateTicks(nights, map) {
  const ticks = [];
  for (const { x, first, count } of map.columns) {
    const at = x + map.size / 2, last = ticks.at(-1);
    if (count > 0 && !(last && (nights[first].night === last.text || at - last.x < DATE_ROOM)))
      ticks.push({ x: at, text: nights[first].night });
  }
  return ticks;
}

const BOUNDARY_WORDS = { environment: () => "another environment", accepted: () => "a change accepted",
  release: (n) => `release ${n.release}`, incident: (n) => n.incident.headline ?? "an incident", note: (n) => n.note,
  baseline: (n) => `a level set by hand: ${n.baseline}` };

/** What the dashed lines through the plots are, by night; a kind that two nights in a row have is told once. */
export function boundaryWords(nights) {
  return nights.flatMap((night, i) => Object.keys(DIVIDES).filter((kind) => DIVIDES[kind](night, i))
    .map((kind) => `${night.night} ${BOUNDARY_WORDS[kind](night)}`)).filter((text, i, all) => all.indexOf(text) === i).join(", ");
}

/** The axis of plots that stand without the server's chart, which has its own and names what divides the nights. */
export function dateAxis(nights, map, width) {
  const lines = boundaryWords(nights);
  return h("div", { class: "dates" }, s("svg", { class: "plot", width, height: 22, viewBox: `0 0 ${width} 22`,
    "aria-hidden": "true" }, dateTicks(nights, map).flatMap(({ x, text }) => [
    s("line", { class: "grid", x1: n1(x), x2: n1(x), y1: 0, y2: 5 }),
    s("text", { class: "tick", x: n1(Math.min(x, width - DATE_ROOM / 2)), y: 18, "text-anchor": "middle" }, text)]),
  map.columns.filter((c) => c.missing > 0).map(({ x }) => s("text", { class: "tick", x: n1(x + map.size / 2), y: 8,
    "text-anchor": "middle" }, "⋯"))), h("p", { class: "quiet small" }, [map.columns.some((c) => c.missing > 0)
    ? "⋯ days without a night." : null, lines ? `Dashed lines: ${lines}.` : null].filter(Boolean).join(" ")));
}

/** One portion's plot: {element, move(x)}; null when it has no value in these nights. full, shown: as of scaleOf.
  control: is it the method alone? beside: another branch, {branch, nights: how it stood in each night, or null}. */
export function multiple(portion, index, nights, map, width,
  { which = null, control = false, full = false, shown = [], beside = null } = {}) {
  const points = map.columns.map((column) => pointOf(column, nights, portion.configuration));
  const others = (beside?.nights ?? []).map((n) => n && portionIn(n, portion.configuration));
  const levels = others.map((p) => p?.mean_ns ?? null);
  const scale = scaleOf(points, full, [...shown, ...rangeBeside(levels, full)]);
  if (!scale) return null;
  const now = portionIn(nights.findLast((night) => portionIn(night, portion.configuration)), portion.configuration);
  const { low, high, y } = scale;
  const [band, ...marks] = ink(points, scale, nights, map);
  const cursor = cursorLine();
  const level = (v) => s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: n1(y(v)), y2: n1(y(v)) });
  const tick = (v) => s("text", { class: "tick", x: LEFT - 6, y: n1(y(v) + 4), "text-anchor": "end" },
    value(v, unitFor(v, now?.unit)));
  const svg = s("svg", { class: `plot ${portionClass(portion.portion, index)}`, width, height: HEIGHT,
    viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" },
  level(high), level(low), tick(high), y(low) - y(high) < TICK_HEIGHT ? null : tick(low),
  band, besideInk(levels, scale, map), marks,
  boundariesOf(nights, map).map(({ x, kind }) => s("line",
    { class: `boundary ${kind}`, x1: n1(x), x2: n1(x), y1: TOP, y2: HEIGHT - BOTTOM })), // values that are cut off stand beyond
  cutInk(points, scale, map, width, now?.unit), rings(points, scale, map));
  const words = portionWords(portion.portion);
  return {
    element: h("div", { class: "multiple" }, h("h3", {}, swatch(portion.portion, index), portion.portion, " ",
      h("span", { class: "quiet" }, words || portion.configuration, which && words ? ` (${which})` : "", control ? " (the control)" : ""),
      h("span", { class: "now" }, interval(now),
        others.some(Boolean) ? h("span", { class: "quiet" }, ` · ┅ ${beside.branch} ${interval(others.findLast(Boolean))}`) : null)),
    h("div", { class: "plotbox" }, svg, cursor.element)),
    move: cursor.move,
  };
}
