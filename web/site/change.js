// A change in words, as detector/words/change.c has it: the server says the same of the same two nights.

const LARGEST = 1e18, SMALLEST = 1e-6, SHARE_MOST = 1e9, GAP_UNITS = 8, HALF_UNITS = 2, DECIMALS_MAX = 6;
const UNITS = [["ns", 1], ["µs", 1e3], ["ms", 1e6], ["s", 1e9]];

const isTime = (ns) => Number.isFinite(ns) && Math.abs(ns) < LARGEST;
const round = (v) => Math.sign(v) * Math.round(Math.abs(v)); // half away from zero, as C does

function unitOf(ns) {
  let size = Math.abs(ns), unit = 0;
  for (; size >= 999.5 && unit < 3; unit++) size /= 1000;
  return unit;
}

const sizeOf = (unit) => UNITS[unit][1];
const decimals = (v) => Math.abs(v) < 9.995 ? 2 : Math.abs(v) < 99.95 ? 1 : 0;

function decimalsOf(step, units) {
  let size = Math.abs(step), count = 0;
  for (; size < units && count < DECIMALS_MAX; count++) size *= 10;
  return count;
}

function fixed(v, count) {
  const scaled = Math.round(Math.abs(v) * 10 ** count);
  if (!(scaled < 1e15)) return Number.isNaN(v) ? "unknown" : "huge";
  const digits = String(scaled).padStart(count + 1, "0"), whole = digits.slice(0, digits.length - count);
  return `${v < 0 && scaled ? "-" : ""}${whole}${count ? `.${digits.slice(-count)}` : ""}`;
}

const inUnit = (ns, unit, count) => `${fixed(ns / sizeOf(unit), count)} ${UNITS[unit][0]}`;
const signed = (ns, unit, count) => `${ns < 0 ? "" : "+"}${inUnit(ns, unit, count)}`;

/** How two times are written so that their difference can be seen. */
function styleOf(before, after) {
  const large = Math.max(Math.abs(before), Math.abs(after)), small = Math.min(Math.abs(before), Math.abs(after));
  const unit = unitOf(large), own = unitOf(small), size = sizeOf(unit), gap = (after - before) / size;
  const count = Math.max(decimals(large / size), decimalsOf(gap, GAP_UNITS));
  const style = { units: [unit, unit], counts: [count, count], direction: Math.sign(after - before) };
  if (own !== unit && small < large / 10) {
    const at = Math.abs(after) < Math.abs(before) ? 1 : 0;
    style.units[at] = own;
    style.counts[at] = decimals(small / sizeOf(own));
    return style;
  }
  const scale = 10 ** count / size;
  if (Math.abs(gap) < SMALLEST || round(before * scale) === round(after * scale)) {
    style.direction = 0;
    style.counts = Array(2).fill(decimals(large / size));
  }
  return style;
}

const percentOf = (c) => 100 * (c.after - c.before) / c.before;
const hasShare = (c) => c.before > 0 && Number.isFinite(percentOf(c)) && Math.abs(percentOf(c)) < SHARE_MOST
  && decimalsOf(percentOf(c), 1) < DECIMALS_MAX;

function share(percent) {
  return `${percent > 0 ? "+" : ""}${fixed(percent, Math.max(decimals(percent), decimalsOf(percent, 10)))} %`;
}

function levelWords(level) {
  const percent = 100 * level;
  let scale = 1, count = 0;
  for (; count < 4 && Math.abs(Math.round(percent * scale) / scale - percent) > 1e-9; count++) scale *= 10;
  return `${fixed(percent, count)} %`;
}

function hasInterval(c) {
  const mean = c.after - c.before, slack = 1e-9 * (Math.abs(c.before) + Math.abs(c.after));
  return isTime(c.low) && isTime(c.high) && c.low <= mean + slack && c.high >= mean - slack;
}

function differenceWords(c) {
  const mean = c.after - c.before, told = hasInterval(c);
  const most = told ? Math.max(Math.abs(mean), Math.abs(c.low), Math.abs(c.high)) : Math.abs(mean);
  const unit = unitOf(Math.abs(mean) < most / 1000 ? mean : most), size = sizeOf(unit);
  let count = Math.max(decimals(mean / size), decimalsOf(mean / size, GAP_UNITS));
  if (told && c.high > c.low) count = Math.max(count, decimalsOf((c.high - c.low) / 2 / size, HALF_UNITS));
  const level = c.level > 0 && c.level < 1 ? `${levelWords(c.level)} ` : "";
  return ` (${signed(mean, unit, count)}${hasShare(c) ? `, ${share(percentOf(c))}` : ""}${told
    ? `; ${level}interval ${signed(Math.min(c.low, mean), unit, count)} to ${signed(Math.max(c.high, mean), unit, count)}`
    : ""})`;
}

const verb = (direction) => direction > 0 ? "rose" : direction < 0 ? "fell" : "changed";

/** change: {name, before, after, low, high, level}, times in ns, NaN where unknown. */
export function changeSentence(c) {
  if (!isTime(c.before) || !isTime(c.after)) return `${c.name} changed`;
  const { units, counts, direction } = styleOf(c.before, c.after);
  const after = inUnit(c.after, units[1], counts[1]);
  return direction === 0 ? `${c.name} stayed at ${after}`
    : `${c.name} ${verb(direction)} from ${inUnit(c.before, units[0], counts[0])} to ${after}${differenceWords(c)}`;
}

/** The same in a few words. */
export function changeHeadline(c) {
  const gap = Math.abs(c.after - c.before);
  const direction = isTime(c.before) && isTime(c.after) ? styleOf(c.before, c.after).direction : 0;
  if (direction === 0) return `${c.name} ${Number.isFinite(gap) ? "stayed as it was" : "changed"}`;
  if (hasShare(c)) {
    const percent = 100 * gap / c.before;
    return `${c.name} ${verb(direction)} by ${fixed(percent, Math.max(decimals(percent), decimalsOf(percent, 10)))} %`;
  }
  const unit = unitOf(gap), size = gap / sizeOf(unit);
  return `${c.name} ${verb(direction)} by ${inUnit(gap, unit, Math.max(decimals(size), decimalsOf(size, 10)))}`;
}
