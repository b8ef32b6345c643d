// Nights to columns, by the same rules as web/layout/dates.c, so that what the page draws itself stands
// exactly under the bars of the server's chart.

export const LEFT = 60, RIGHT = 16; // as TICK_ROOM and MARGIN in web/layout/layout.c
const COLUMN_MIN = 3; // pixels; narrower columns are merged
const MISSING_SHOWN = 3; // missing days shown one by one; a longer gap is one column

function day(date) {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date + "T00:00:00Z") : NaN;
  return Number.isNaN(ms) ? null : ms / 86400e3;
}

function daysBetween(a, b) {
  const from = day(a.night), to = day(b.night);
  return from === null || to === null ? 1 : to - from;
}

/** Is the median of the distances at most a day? */
function isNightly(nights) {
  return nights.length >= 3
    && nights.slice(1).filter((night, i) => daysBetween(nights[i], night) <= 1).length > (nights.length - 1) >> 1;
}

/** Days without a night before the one at i that have columns of their own. Where nights share columns, only a gap
  that is as long as some columns has one. */
function gapBefore(nights, i, perColumn) {
  const missing = daysBetween(nights[i - 1], nights[i]) - 1;
  return perColumn === 1 || missing > MISSING_SHOWN * perColumn ? missing : 0;
}

/**
 * nights: oldest first; width: of the whole picture.
 * Returns {columns: [{first, count, missing, x}], width of a column, perColumn, of: night index -> column}.
 */
export function columnsOf(nights, width) {
  const room = Math.max(width - LEFT - RIGHT, 1);
  const perColumn = Math.max(Math.ceil(nights.length * COLUMN_MIN / room), 1);
  const nightly = isNightly(nights);
  const columns = [];
  for (let i = 0, count; i < nights.length; i += count) {
    const missing = nightly && i > 0 ? gapBefore(nights, i, perColumn) : 0;
    if (missing > MISSING_SHOWN) columns.push({ first: i, count: 0, missing });
    else for (let k = 0; k < missing; k++) columns.push({ first: i, count: 0, missing: 1 });
    for (count = 1; count < perColumn && i + count < nights.length; count++)
      if (nightly && gapBefore(nights, i + count, perColumn) > 0) break;
    columns.push({ first: i, count, missing: 0 });
  }
  const size = room / Math.max(columns.length, 1);
  columns.forEach((column, i) => { column.x = LEFT + i * size; });
  const of = [];
  columns.forEach((column, i) => { for (let k = 0; k < column.count; k++) of[column.first + k] = i; });
  return { columns, size, perColumn, of };
}
