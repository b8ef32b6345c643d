// Which values a picture shows: one absurd night must not flatten all others. Above zero the same rule and numbers as
// web/layout/values.c.

const KEPT = 0.6; // values may stretch the typical height from zero by so much of it
const STRETCH = 0.45; // when they want more, it is cut off here
const OWN_STRETCH = 6,
  OWN_LEVEL = 0.25; // on a scale that does not start at zero: so many heights, or so much of the level
const NEWEST = 3; // what both of the two newest reach is typical, too, as far as so often what the others do
const MARGIN = 0.15; // of the typical height: what is cut off ends so far above the highest that is not
const SPANS_MIN = 4; // of fewer nobody can say which are typical

/** [low, high] of all spans [low, high]; with zero, unless the scale is the spans' own. */
export function wholeRange(spans, { own = false } = {}) {
  let least = own ? Infinity : 0, most = own ? -Infinity : 0;
  for (const [low, high] of spans) {
    if (low < least) least = low;
    if (high > most) most = high;
  }
  return [least, most];
}

/** How far three quarters of the spans reach one way; from zero, the level of the newest, too. */
function reachOf(ends, own) {
  const reach = Float64Array.from(ends).sort()[Math.floor(3 * (ends.length - 1) / 4)];
  const newest = Math.min(...ends.slice(-2));
  return !own && newest <= NEWEST * reach ? Math.max(reach, newest) : reach;
}

function cutEnd(ends, reach, fence, margin) {
  const within = ends.reduce((most, v) => v <= fence && v > most ? v : most, reach);
  return Math.min(fence, within + margin);
}

/**
 * The range [low, high] to show of the spans, oldest first; what lies beyond is cut off.
 * cores   what says which are typical, each within its span: medians of columns whose spans are ranges of many
 *         nights; by default the spans themselves
 */
export function typicalRange(spans, { own = false, cores = spans } = {}) {
  const [least, most] = wholeRange(spans, { own });
  if (spans.length < SPANS_MIN) return [least, most];
  const floor = own ? -Infinity : 0;
  const highs = (of) => of.map(([, high]) => Math.max(high, floor)), lows = (of) => of.map(([low]) =>
    Math.max(-low, floor));
  const up = reachOf(highs(cores), own), down = reachOf(lows(cores), own);
  const typical = up + down, level = Math.max(Math.abs(up), Math.abs(down));
  const stretch = own ? Math.max(typical * OWN_STRETCH, level * OWN_LEVEL) : typical * STRETCH;
  const kept = own ? stretch : typical * KEPT;
  if (!(typical + stretch > 0) || most - least <= typical + kept) return [least, most];
  const moreUp = most - up, moreDown = -least - down;
  const fenceUp = up + Math.min(moreUp, stretch - Math.min(moreDown, stretch / 2));
  const fenceDown = down + Math.min(moreDown, stretch - Math.min(moreUp, stretch / 2));
  return [-least > fenceDown ? -cutEnd(lows(spans), down, fenceDown, typical * MARGIN) : least,
    most > fenceUp ? cutEnd(highs(spans), up, fenceUp, typical * MARGIN) : most];
}

/** Would anything of the spans be cut off? */
export function anyCut(spans, options) {
  const [low, high] = typicalRange(spans, options), [least, most] = wholeRange(spans, options);
  return low > least || high < most;
}
