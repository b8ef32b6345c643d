// Numbers and times for people: a unit, sensible digits, the reader's zone with UTC in the title.
import { h } from "/static/dom.js";

const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
const THIN = "\u202f", HARD = "\u00a0";

/** The unit in which |ns| has one to three digits before the point: [name, ns].
  own: the name of a value's unit that is no time. */
export function unitFor(ns, own = null) {
  return own ? [own, 1] : UNITS.find(([, size]) => Math.abs(ns) >= size) ?? UNITS[3];
}

function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text;
}

function threeDigits(value) {
  const size = Math.abs(value);
  return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

export const known = (x) => typeof x === "number" && Number.isFinite(x);

/** "1.77 µs" */
export function value(ns, unit = unitFor(ns)) {
  if (!known(ns)) return "–";
  if (ns === 0) return "0" + THIN + unit[0];
  return fixed(ns / unit[1], threeDigits(ns / unit[1])) + THIN + unit[0];
}

/** "+619 ns" or "-619 ns": the sign of the server's sentences and charts */
export function signed(ns) {
  return known(ns) && ns > 0 ? "+" + value(ns) : value(ns);
}

const DECIMALS_MAX = 3, DECIMALS_OF_SHARE = 6;

/** One significant digit of the half width, two when it starts with a 1. */
function decimalsFor(mean, half) {
  if (!(half > 0)) return threeDigits(mean);
  const exponent = Math.floor(Math.log10(half));
  const digits = half / 10 ** exponent < 2 ? 2 : 1;
  return Math.min(Math.max(digits - 1 - exponent, 0), DECIMALS_MAX);
}

const halfOf = (range) => known(range.low_ns) && known(range.high_ns) && range.high_ns > range.low_ns
  ? (range.high_ns - range.low_ns) / 2 : 0;

/** The unit that suits an interval: its own, or that of its mean, or of its half width when that is larger. */
export const unitOf = (range) =>
  unitFor(known(range?.mean_ns) ? Math.max(Math.abs(range.mean_ns), halfOf(range)) : 0, range?.unit);

/** "1.77 ± 0.05 µs" of anything with mean_ns, low_ns, high_ns; it never breaks over a line. */
export function interval(range, unit = null, decimals = undefined) {
  if (!range || !known(range.mean_ns)) return "–";
  const [name, size] = unit ?? unitOf(range);
  const mean = range.mean_ns / size, half = halfOf(range) / size;
  if (half === 0 && mean === 0) return "0" + THIN + name;
  if (half === 0) return fixed(mean, decimals ?? threeDigits(mean)) + THIN + name;
  const digits = decimals ?? decimalsFor(mean, half);
  const width = fixed(half, digits); // one that rounds to nothing is no exact value
  return `${fixed(mean, digits)}${HARD}±${HARD}${Number(width) === 0 ? `<${HARD}${fixed(10 ** -digits, digits)}` : width}${THIN}${name}`;
}

const middle = (values) => Float64Array.from(values).sort()[values.length >> 1];
const SMALLEST = 0.05, LARGEST = 1e4; // of a unit; what is beyond gets its own
const SAMPLE = 400; // ranges that say what suits all of a column

/** Evenly spread ones of a long list: of ten years of nights each would cost as much as drawing them. */
const sampled = (list) => list.length <= SAMPLE ? list
  : Array.from({ length: SAMPLE }, (_, i) => list[Math.floor(i * list.length / SAMPLE)]);

/** How the intervals of a column are written, (range) => text: one unit and as many decimals in all,
  where that fits. */
export function column(ranges) {
  const there = sampled(ranges.filter((r) => r && known(r.mean_ns)));
  const unit = unitFor(middle(there.map((r) => Math.max(Math.abs(r.mean_ns), halfOf(r)))) ?? 0, there[0]?.unit);
  const decimals = middle(there.filter((r) => halfOf(r) > 0).map((r) => decimalsFor(r.mean_ns / unit[1],
    halfOf(r) / unit[1])));
  return (range) => {
    if (!range || !known(range.mean_ns)) return "–";
    const half = halfOf(range) / unit[1], size = Math.max(Math.abs(range.mean_ns) / unit[1], half);
    if (range.mean_ns !== 0 && !range.unit && (size < SMALLEST || size >= LARGEST)) return interval(range);
    if (half > 0 && Number(half.toFixed(DECIMALS_MAX)) === 0) return interval(range); // "± 0.000" tells nothing
    const gone = half > 0 && decimals !== undefined && Number(half.toFixed(decimals)) === 0;
    return interval(range, unit, half > 0 && !gone ? decimals : undefined);
  };
}

/** "judged at 93.3 ns", where that is not what the night measured by itself (a common factor, or several nights); else
  null. write: of its column. */
export function judgedWords(portion, write) {
  const judged = { ...portion, mean_ns: portion.judged?.mean_ns };
  return known(judged.mean_ns) && write(judged) !== write(portion) ? `judged at ${value(judged.mean_ns, unitOf(judged))}` : null;
}

/** A difference of percentages is one of points, as in the server's sentences: beside it stands its share in %. */
export const gapUnit = (unit) => ["%", "percent"].includes(unit) ? "points" : unit;

const inPoints = (range) => range ? { ...range, unit: gapUnit(range.unit) } : range;

/** "+13 ± 55 ns" of a difference. */
export const signedInterval = (range) => (range && range.mean_ns > 0 ? "+" : "") + interval(inPoints(range));

/** Two digits of the end that is nearer to zero: rounded to it, an interval would hold no change. */
function decimalsOfEnds(range, size) {
  const near = Math.min(Math.abs(range.low_ns), Math.abs(range.high_ns)) / size;
  return near > 0 ? Math.min(Math.max(1 - Math.floor(Math.log10(near)), 0), DECIMALS_MAX) : 0;
}

/** An end of a difference's interval, "+68 ns", with as many digits as the interval deserves. */
export function bound(range, ns) {
  if (!known(ns)) return "–";
  const [name, size] = unitOf(inPoints(range)), half = halfOf(range) / size;
  const decimals = half > 0 ? Math.max(decimalsFor(range.mean_ns / size, half),
    range.low_ns > 0 || range.high_ns < 0 ? decimalsOfEnds(range, size) : 0) : threeDigits(ns / size);
  return (ns > 0 ? "+" : "") + fixed(ns / size, decimals) + THIN + name;
}

const SHARE_MOST = 1e4; // per cent, as in the server's sentences

/** "+310 %" of a change relative to before; null when before is nothing, or may be, to compare with. */
export function percent(difference, before) {
  const some = before?.mean_ns > 0 && !(before.low_ns !== null && before.low_ns <= 0);
  const share = known(difference) && some ? 100 * difference / before.mean_ns : NaN;
  return Math.abs(share) < SHARE_MOST ? percentText(share) : null;
}

/** As the server's sentences have it (det__put_share): three digits, and two where they are small. */
export function percentText(p) {
  const size = Math.abs(p);
  let decimals = p === 0 || size >= 99.95 ? 0 : size < 9.995 ? 2 : 1;
  while (size > 0 && size * 10 ** decimals < 10 && decimals < DECIMALS_OF_SHARE) decimals++;
  return (p > 0 ? "+" : "") + fixed(p, decimals) + THIN + "%";
}

/** "99.9 %" of a level of 0.999; "" when it is not known. */
export const level = (l) => known(l) ? `${Number((100 * l).toFixed(4))}${HARD}%` : "";

/** "99.9 % interval", or "interval". */
export const levelInterval = (l) => `${level(l)} interval`.trimStart();

const absolute = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric", hour: "numeric",
  minute: "2-digit", timeZoneName: "short" });
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const STEPS = [["year", 31536e6], ["month", 2592e6], ["day", 864e5], ["hour", 36e5], ["minute", 6e4]];

/** "5 minutes ago" */
export function ago(ms, now = Date.now()) {
  const [unit, size] = STEPS.find(([, step]) => Math.abs(ms - now) >= step) ?? ["second", 1e3];
  return relative.format(Math.round((ms - now) / size), unit);
}

/** <time> in the reader's zone, UTC in the title; null and 0 are "never". */
export function time(ms, { relativeToNow = false } = {}) {
  if (!ms) return h("span", { class: "quiet" }, "never");
  const date = new Date(ms);
  const utc = date.toISOString().slice(0, 16).replace("T", " ") + " UTC";
  return h("time", { datetime: date.toISOString(), title: utc },
    relativeToNow ? ago(ms) : absolute.format(date));
}

/** "5 min 12 s" */
export function duration(seconds) {
  if (!known(seconds) || seconds < 0) return "unknown";
  const whole = Math.round(seconds), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  if (hours > 0) return `${hours} h ${minutes} min`;
  if (minutes === 0) return `${whole} s`;
  return whole % 60 > 0 ? `${minutes} min ${whole % 60} s` : `${minutes} min`;
}

/** "793 KiB" */
export function bytes(n) {
  if (!known(n)) return "–";
  const units = ["B", "KiB", "MiB", "GiB"];
  let i = 0;
  while (n >= 1024 && i < 3) { n /= 1024; i++; }
  return fixed(n, i === 0 || n >= 100 ? 0 : 1) + THIN + units[i];
}
