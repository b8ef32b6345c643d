// Many nights as they come: the portions column by column (docs/api.md, ?portions=columns). A site of files has rows.
import { list } from "/static/api.js";
import { known } from "/static/format.js";

/** Puts each value of a column where its nights are: set(night, place among the values). */
function each(column, nights, set) {
  let at = 0;
  for (let i = 0; i < column.nights.length; i++)
    if (column.nights[i] === "1") set(nights[i], at++);
}

/** The interval from so far below a mean to so far above it, which is as far where nothing is said. */
const ends = (mean, below, above) => known(below) ? { low_ns: mean - below, high_ns: mean + (above ?? below) } : null;

function around(column, at) {
  const mean_ns = column.mean_ns[at], below = column.below_ns[at], above = column.above_ns[at] ?? below;
  return known(below) ? { mean_ns, low_ns: mean_ns - below, high_ns: mean_ns + above }
    : { mean_ns, low_ns: null, high_ns: null };
}

function reference(column, at) {
  const low_ns = column.reference_low_ns[at], width = column.reference_width_ns[at];
  return known(low_ns) ? { low_ns, high_ns: known(width) ? low_ns + width : null } : null;
}

/** Of ten years there are fifteen thousand: each is made at once, with all its members. */
function portionAt(column, at) {
  const { mean_ns, low_ns, high_ns } = around(column, at);
  const portion = { portion: column.portion, configuration: column.configuration, parent: column.parent,
    mean_ns, low_ns, high_ns, judged: ends(mean_ns, column.judged_below_ns[at], column.judged_above_ns[at]),
    verdict: column.verdict[at], direction: column.direction[at], reference: reference(column, at) };
  if (column.unit)
    for (const range of [portion, portion.judged, portion.reference]) if (range) range.unit = column.unit;
  return at in column.told ? Object.assign(portion, column.told[at]) : portion;
}

/** The nights of a page of the list, which get their totals and portions, as of ?portions=brief. */
export function nightsOf({ items, columns, total }) {
  if (!columns) return items;
  for (const night of items) {
    night.total = null;
    night.portions = [];
  }
  each(total, items, (night, at) => { night.total = around(total, at); });
  for (const column of columns)
    each(column, items, (night, at) => night.portions.push(portionAt(column, at)));
  for (const night of items)
    if (night.total && night.portions[0]?.unit) night.total.unit = night.portions[0].unit;
  return items;
}

/**
 * A project's nights, newest first.
 * path     the project's in the API
 * query    {since, until, portions}: dates, and "full" for what the columns leave out, such as medians
 */
export function nightList(path, limit, query = {}) {
  const asked = new URLSearchParams({ portions: "columns", ...query });
  return list(`${path}/nights?${asked}`, limit, nightsOf);
}
