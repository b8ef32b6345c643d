// Numbers and times for people: a unit, sensible digits, the reader's zone with UTC in the title.
import { h } from "/static/dom.js";

const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
const THIN = "\u202f";

/** The unit in which |ns| has one to three digits before the point: [name, ns]. */
export function unitFor(ns) {
  return UNITS.find(([, size]) => Math.abs(ns) >= size) ?? UNITS[3];
}

function fixed(value, decimals) {
  const text = value.toFixed(decimals);
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "\u2212");
}

function threeDigits(value) {
  const size = Math.abs(value);
  return size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

const known = (x) => typeof x === "number" && Number.isFinite(x);

/** "1.77 µs" */
export function value(ns, unit = unitFor(ns)) {
  if (!known(ns)) return "–";
  if (ns === 0) return "0" + THIN + unit[0];
  return fixed(ns / unit[1], threeDigits(ns / unit[1])) + THIN + unit[0];
}

/** "+619 ns" or "−619 ns" */
export function signed(ns) {
  return known(ns) && ns > 0 ? "+" + value(ns) : value(ns);
}

/** One significant digit of the half width, two when it starts with a 1. */
function decimalsFor(mean, half) {
  if (!(half > 0)) return threeDigits(mean);
  const exponent = Math.floor(Math.log10(half));
  const digits = half / 10 ** exponent < 2 ? 2 : 1;
  return Math.min(Math.max(digits - 1 - exponent, 0), 3);
}

/** "1.77 ± 0.05 µs" of anything with mean_ns, low_ns, high_ns. */
export function interval(range, unit) {
  if (!range || !known(range.mean_ns)) return "–";
  const [name, size] = unit ?? unitFor(range.mean_ns);
  const mean = range.mean_ns / size;
  if (!known(range.low_ns) || !known(range.high_ns) || range.high_ns <= range.low_ns)
    return fixed(mean, threeDigits(mean)) + THIN + name;
  const half = (range.high_ns - range.low_ns) / 2 / size;
  const decimals = decimalsFor(mean, half);
  return `${fixed(mean, decimals)} ± ${fixed(half, decimals)}${THIN}${name}`;
}

/** "+310 %" of a change relative to before; null when before is nothing to compare with. */
export function percent(difference, before) {
  if (!known(difference) || !known(before) || before <= 0) return null;
  return percentText(100 * difference / before);
}

export function percentText(p) {
  const decimals = Math.abs(p) >= 10 ? 0 : 1;
  return (p > 0 ? "+" : "") + fixed(p, decimals) + THIN + "%";
}

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
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
