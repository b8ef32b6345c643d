// Two nights against each other, as web/chart/compare.c does it on a server: Welch's intervals over rounds.
import { changeHeadline, changeSentence } from "/static/change.js";
import { studentHalf } from "/static/student.js";

const LEVEL = 0.95, LOOPS_MAX = 1000, DEPTH = 4;
const NOTHING = "No portion differs measurably";
const LABELS = { T: "method time", I: "instrumentation", C: "collection", W: "writing" };

const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v);
const known = (v) => typeof v === "number" && Number.isFinite(v);
const orNull = (v) => known(v) ? v : null;

/** Means of a configuration's loops by their number. */
function loopsOf(e, configuration) {
  const loops = e.configurations?.find((c) => c.name === configuration)?.loop_results ?? [];
  return new Map(loops.filter((l) => l.used !== false && typeof l.failed !== "string" && known(l.summary?.mean_ns)
    && l.loop >= 1 && l.loop <= LOOPS_MAX).map((l) => [l.loop, l.summary.mean_ns]));
}

/** A portion's values: round by round the configuration minus its parent. */
function sampleOf(e, { configuration, parent }) {
  const own = loopsOf(e, configuration);
  if (!parent) return [...own.values()];
  const below = loopsOf(e, parent);
  return [...own].filter(([round]) => below.has(round)).map(([round, ns]) => ns - below.get(round));
}

function momentsOf(values) {
  const n = values.length, mean = values.reduce((a, b) => a + b, 0) / n;
  return { n, mean, variance: values.reduce((a, b) => a + (b - mean) ** 2, 0) / (n - 1) };
}

const around = (mean, error, df, n, level) => {
  const half = error > 0 ? studentHalf(level, df) * error : 0;
  return { mean, low: mean - half, high: mean + half, n };
};

function intervalOf(values, level) {
  const { n, mean, variance } = momentsOf(values);
  if (n < 2) return { mean: n ? mean : NaN, low: NaN, high: NaN, n };
  return around(mean, Math.sqrt(variance / n), n - 1, n, level);
}

function welch(a, b, level) {
  const [x, y] = [momentsOf(a), momentsOf(b)], n = Math.min(x.n, y.n), mean = y.mean - x.mean;
  if (n < 2) return { mean: n ? mean : NaN, low: NaN, high: NaN, n };
  const va = x.variance / x.n, vb = y.variance / y.n, v = va + vb, share = v > 0 ? va / v : 0.5;
  const df = v > 0 ? 1 / (share ** 2 / (x.n - 1) + (1 - share) ** 2 / (y.n - 1)) : x.n + y.n - 2;
  return around(mean, Math.sqrt(v), df, n, level);
}

const intervalJson = ({ mean, low, high, n }) => ({ mean_ns: orNull(mean), low_ns: orNull(low),
  high_ns: orNull(high), n });

function differenceOf(a, b, level) {
  const d = welch(a, b, level), before = intervalOf(a, level), half = (d.high - d.low) / 2;
  const base = before.mean > 0 ? before.mean : NaN;
  return { a: intervalJson(before), b: intervalJson(intervalOf(b, level)), difference: intervalJson(d),
    percent: orNull(100 * d.mean / base), apart: d.low > 0 || d.high < 0, detectable_ns: orNull(half),
    detectable_percent: orNull(100 * half / base) };
}

const named = (portions, name) => portions.filter((p) => p.portion === name);

/** The portion of b that has the same configuration, or alone the same name. */
function partnerOf(all, portion, others) {
  return others.find((p) => p.portion === portion.portion && p.configuration === portion.configuration)
    ?? (named(all, portion.portion).length === 1 && named(others, portion.portion).length === 1
      ? named(others, portion.portion)[0] : null);
}

function portionsOf(a, b, level) {
  return a.portions.flatMap((portion) => {
    const other = partnerOf(a.portions, portion, b.portions);
    return other ? [{ portion: portion.portion, configuration_a: portion.configuration,
      configuration_b: other.configuration, ...differenceOf(sampleOf(a, portion), sampleOf(b, other), level) }] : [];
  });
}

/** The configuration at the end of the first chain: everything on. */
function lastOf(e) {
  let last = null;
  for (let steps = e.portions.length; steps > 0; steps--) {
    const next = e.portions.find((p) => (p.parent ?? null) === last);
    if (!next) break;
    last = next.configuration;
  }
  return last;
}

function totalOf(a, b, level) {
  const [first, second] = [lastOf(a), lastOf(b)];
  return first && second ? { configuration_a: first, configuration_b: second,
    ...differenceOf([...loopsOf(a, first).values()], [...loopsOf(b, second).values()], level) } : null;
}

const same = (a, b) => {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
};

// Found while measuring, not set before: what differs in these is no setting.
const FOUND = ["detail.budget", "detail.strays", "detail.warmup"];

/** What differs between two objects, as a flat list of dotted names. */
function differing(a, b, prefix = "", depth = DEPTH) {
  const keys = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])];
  return keys.flatMap((key) => {
    const [x, y] = [a?.[key], b?.[key]], name = prefix ? `${prefix}.${key}` : key;
    if (same(x, y) || FOUND.includes(name)) return [];
    return depth > 0 && (isObject(x) || isObject(y))
      ? differing(isObject(x) ? x : null, isObject(y) ? y : null, name, depth - 1)
      : [{ key: name, a: x ?? null, b: y ?? null }];
  });
}

const SIDE = ["experiment", "project", "night", "commit", "environment", "node", "loops"];
const sideOf = (e) => Object.fromEntries(SIDE.map((key) => [key, e[key] ?? null]));

/** "Collection (C)", or of two with one letter "Collection (C, tcp)", as web/words/portion.c spells it. */
function nameOf(portion, which) {
  const letters = /^([TICW](?:\+[TICW])*)(?=$|[ -])/.exec(portion)?.[1].split("+");
  if (!letters) return which ? `${portion} (${which})` : portion;
  const words = letters.map((l) => LABELS[l]);
  const label = words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0];
  return `${label[0].toUpperCase()}${label.slice(1)} (${portion}${which ? `, ${which}` : ""})`;
}

function told(portions, level, say) {
  return portions.filter((p) => p.apart).map((p) => say({
    name: nameOf(p.portion, named(portions, p.portion).length > 1 ? p.configuration_b : null),
    before: p.a.mean_ns ?? NaN, after: p.b.mean_ns ?? NaN, low: p.difference.low_ns ?? NaN,
    high: p.difference.high_ns ?? NaN, level }));
}

function sentenceOf(portions, level) {
  const words = told(portions, level, changeSentence);
  if (portions.length === 0) return "The two have no portion in common";
  if (words.length === 0) return NOTHING;
  return `From A to B: ${words.join("; ")}${words.length < portions.length
    ? "; no other portion differs measurably" : ""}`;
}

/** Both sides' nights at the larger of their levels. */
function levelOf(a, b) {
  const level = Math.max(a.level ?? 0, b.level ?? 0);
  return level > 0 && level < 1 ? level : LEVEL;
}

/** The API's comparison of two experiments. */
export function compared(a, b) {
  const level = levelOf(a, b), portions = portionsOf(a, b, level), words = told(portions, level, changeHeadline);
  const sentence = sentenceOf(portions, level);
  return { a: sideOf(a), b: sideOf(b), level, headline: words.length ? `${words.join(", ")} from A to B` : sentence,
    sentence, same_environment: a.environment === b.environment, portions, total: totalOf(a, b, level),
    environment: differing(a.environment_detail, b.environment_detail), benchmark: differing(a.benchmark, b.benchmark),
    withheld: Boolean(a.withheld || b.withheld) };
}
