// Nights to columns, by the same rules as web/layout/columns.c, so that what the page draws itself stands
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

function isNightly(nights) {
  if (nights.length < 3) return false;
  const days = nights.slice(1).map((night, i) => daysBetween(nights[i], night)).sort((a, b) => a - b);
  return days[(nights.length - 1) >> 1] === 1;
}

/**
 * nights: oldest first; width: of the whole picture.
 * Returns {columns: [{first, count, missing, x}], width of a column, perColumn, of: night index -> column}.
 */
export function columnsOf(nights, width) {
  const room = Math.max(width - LEFT - RIGHT, 1);
  const perColumn = Math.max(Math.ceil(nights.length * COLUMN_MIN / room), 1);
  const nightly = perColumn === 1 && isNightly(nights);
  const columns = [];
  for (let i = 0; i < nights.length; i += perColumn) {
    const missing = nightly && i > 0 ? daysBetween(nights[i - 1], nights[i]) - 1 : 0;
    if (missing > MISSING_SHOWN) columns.push({ first: i, count: 0, missing });
    else for (let k = 0; k < missing; k++) columns.push({ first: i, count: 0, missing: 1 });
    columns.push({ first: i, count: Math.min(perColumn, nights.length - i), missing: 0 });
  }
  const size = room / Math.max(columns.length, 1);
  columns.forEach((column, i) => { column.x = LEFT + i * size; });
  const of = [];
  columns.forEach((column, i) => { for (let k = 0; k < column.count; k++) of[column.first + k] = i; });
  return { columns, size, perColumn, of };
}
