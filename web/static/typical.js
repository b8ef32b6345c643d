// Which values a picture shows: one absurd night must not flatten all others. Above zero the same rule and numbers as
// web/layout/range.c.

const KEPT = 0.6; // values may stretch the typical height from zero by so much of it
const STRETCH = 0.45; // when they want more, it is cut off here
const OWN_STRETCH = 6,
  OWN_LEVEL = 0.25; // on a scale that does not start at zero: so many heights, or so much of the level
const MARGIN = 0.15; // of the typical height: what is cut off ends so far above the highest that is not
const SPANS_MIN = 4; // of fewer nobody can say which are typical

const ascending = (a, b) => a - b;
const lowest = (values, from) => values.reduce((a, b) => Math.min(a, b), from);

/** [low, high] of all spans [low, high]; with zero, unless the scale is the spans' own. */
export function wholeRange(spans, { own = false } = {}) {
  const from = own ? Infinity : 0;
  return [lowest(spans.map(([low]) => low), from), -lowest(spans.map(([, high]) => -high), from)];
}

/** How far three quarters of the spans reach one way, and all of them, ascending. */
function reachOf(ends) {
  const sorted = ends.toSorted(ascending);
  return { typical: sorted[Math.floor(3 * (sorted.length - 1) / 4)], sorted };
}

function cutEnd({ sorted }, fence, margin) {
  return Math.min(fence, sorted.findLast((v) => v <= fence) + margin);
}

/** The range [low, high] to show of the spans; what lies beyond is cut off. */
export function typicalRange(spans, { own = false } = {}) {
  const [least, most] = wholeRange(spans, { own });
  if (spans.length < SPANS_MIN) return [least, most];
  const floor = own ? -Infinity : 0;
  const up = reachOf(spans.map(([, high]) => Math.max(high, floor))),
    down = reachOf(spans.map(([low]) => Math.max(-low, floor)));
  const typical = up.typical + down.typical, level = Math.max(Math.abs(up.typical), Math.abs(down.typical));
  const stretch = own ? Math.max(typical * OWN_STRETCH, level * OWN_LEVEL) : typical * STRETCH;
  const kept = own ? stretch : typical * KEPT;
  if (!(typical + stretch > 0) || most - least <= typical + kept) return [least, most];
  const moreUp = most - up.typical, moreDown = -least - down.typical;
  const fenceUp = up.typical + Math.min(moreUp, stretch - Math.min(moreDown, stretch / 2));
  const fenceDown = down.typical + Math.min(moreDown, stretch - Math.min(moreUp, stretch / 2));
  return [-least > fenceDown ? -cutEnd(down, fenceDown, typical * MARGIN) : least,
    most > fenceUp ? cutEnd(up, fenceUp, typical * MARGIN) : most];
}

/** Would anything of the spans be cut off? */
export function anyCut(spans, options) {
  const [low, high] = typicalRange(spans, options), [least, most] = wholeRange(spans, options);
  return low > least || high < most;
}
