// Which nights a page shows and how, kept in the address:
// ?nights=90&until=2013-05-28&leaf=writing&view=lines&value=median&range=full&beside=1.15.x&find=gradle&only=changes
// nights=0 or nights=all is all; without until, up to the newest.

export const STEPS = [30, 90, 365, 0];
const NIGHTS_MIN = 2, NIGHTS_MAX = 5000; // what the API hands out at most
const DAY_MS = 86400e3;
const WIDER = 4; // how much farther to look for newer nights when a stretch has too few

export function readRange(search = location.search) {
  const query = new URLSearchParams(search);
  const wish = query.get("nights") ?? "", nights = wish === "all" ? 0 : Number.parseInt(wish, 10);
  const until = query.get("until");
  return {
    nights: Number.isInteger(nights) && nights >= 0 && nights <= NIGHTS_MAX ? nights : STEPS[0],
    until: until && /^\d{4}-\d{2}-\d{2}$/.test(until) ? until : null,
    leaf: query.get("leaf") || null,
    view: query.get("view") === "lines" ? "lines" : "bars",
    value: query.get("value") === "median" ? "median" : "mean",
    range: query.get("range") === "full" ? "full" : "typical",
    beside: query.get("beside") || null,
    find: query.get("find") ?? "",
    only: query.get("only") === "changes",
  };
}

/** The address of a range, relative to the page; what is as usual is left out. */
export function rangeAddress(range) {
  const query = new URLSearchParams({ nights: String(range.nights) });
  if (range.until) query.set("until", range.until);
  if (range.leaf) query.set("leaf", range.leaf);
  if (range.view === "lines") query.set("view", "lines");
  if (range.value === "median") query.set("value", "median");
  if (range.range === "full") query.set("range", "full");
  if (range.beside) query.set("beside", range.beside);
  if (range.find) query.set("find", range.find);
  if (range.only) query.set("only", "changes");
  return `?${query}`;
}

const ms = (date) => Date.parse(date + "T00:00:00Z");
const date = (t) => new Date(t).toISOString().slice(0, 10);

/** The range moved to older nights by half of what is shown. shown: newest first. */
export function older(range, shown) {
  return shown.length < 2 ? range : { ...range, until: shown[Math.floor(shown.length / 2)].night };
}

/**
 * The range moved to newer nights by half of what is shown, however long the gaps are.
 * newest   date of the project's newest night, or null
 * between  (since, until) => promise of the nights from one date to the other, newest first
 */
export async function newer(range, shown, newest, between) {
  if (shown.length === 0 || !newest) return { ...range, until: null };
  const last = shown[0].night, wanted = Math.max(Math.floor(shown.length / 2), 1);
  let span = Math.max(ms(last) - ms(shown[shown.length - 1].night), 2 * DAY_MS);
  for (;;) {
    const ahead = date(ms(last) + span), until = ahead < newest ? ahead : newest;
    const found = (await between(date(ms(last) + DAY_MS), until)).filter((n) => n.night > last);
    if (found.length >= wanted && found[found.length - wanted].night < newest) return { ...range,
      until: found[found.length - wanted].night };
    if (until === newest) return { ...range, until: null };
    span *= WIDER;
  }
}

/** factor 2 shows twice as many nights, 0.5 half. shown: how many are shown now. */
export function zoomed(range, shown, factor) {
  return { ...range, nights: Math.min(Math.max(Math.round(shown * factor), NIGHTS_MIN), NIGHTS_MAX) };
}

const MEDIANS = { mean_ns: "median_ns", low_ns: "median_low_ns", high_ns: "median_high_ns" };
const medianOf = (range) => range
  && Object.fromEntries(Object.entries(MEDIANS).map(([mean, median]) => [mean, range[median] ?? null]));

/** Does a night say its medians? Imported ones may not. */
export const hasMedians = (nights) => nights.some((night) => Number.isFinite(night.total?.median_ns));

/** The nights with medians in place of means; what a verdict was made of are means, so that is left out. */
export function asMedians(nights) {
  return nights.map((night) => ({ ...night, total: medianOf(night.total),
    portions: night.portions.map((p) => ({ ...p, ...medianOf(p), judged: null, reference: null })) }));
}

/** Only the chain up to a configuration, root first; all of them without one. */
export function chainOnly(nights, portions, leaf) {
  if (!leaf) return nights;
  const chain = new Set();
  for (let at = leaf; at && !chain.has(at); at = portions.find((p) => p.configuration === at)?.parent) chain.add(at);
  return nights.map((night) => ({ ...night, portions: night.portions.filter((p) => chain.has(p.configuration)) }));
}
