// Which nights a page shows, kept in the address: ?nights=90&until=2013-05-28&leaf=writing
// nights=0 is all; without until, up to the newest.

export const STEPS = [30, 90, 365, 0];
const NIGHTS_MIN = 2, NIGHTS_MAX = 5000; // what the API hands out at most
const DAY_MS = 86400e3;

export function readRange() {
  const query = new URLSearchParams(location.search);
  const nights = Number.parseInt(query.get("nights") ?? "", 10);
  const until = query.get("until");
  return {
    nights: Number.isInteger(nights) && nights >= 0 && nights <= NIGHTS_MAX ? nights : STEPS[0],
    until: until && /^\d{4}-\d{2}-\d{2}$/.test(until) ? until : null,
    leaf: query.get("leaf") || null,
  };
}

/** The address of a range, relative to the page. */
export function rangeAddress(range) {
  const query = new URLSearchParams({ nights: String(range.nights) });
  if (range.until) query.set("until", range.until);
  if (range.leaf) query.set("leaf", range.leaf);
  return `?${query}`;
}

const ms = (date) => Date.parse(date + "T00:00:00Z");
const date = (t) => new Date(t).toISOString().slice(0, 10);

/** The range moved by half of what is shown: direction -1 older, +1 newer. shown: newest first. */
export function panned(range, shown, newest, direction) {
  if (shown.length < 2) return { ...range, until: null };
  if (direction < 0) return { ...range, until: shown[Math.floor(shown.length / 2)].night };
  const span = Math.max(ms(shown[0].night) - ms(shown[shown.length - 1].night), 2 * DAY_MS);
  const until = date(ms(shown[0].night) + span / 2);
  return { ...range, until: newest && until >= newest ? null : until };
}

/** factor 2 shows twice as many nights, 0.5 half. shown: how many are shown now. */
export function zoomed(range, shown, factor) {
  return { ...range, nights: Math.min(Math.max(Math.round(shown * factor), NIGHTS_MIN), NIGHTS_MAX) };
}
