import assert from "node:assert/strict";
import { test } from "node:test";
import { offersOf } from "/static/offers.js";

const night = (experiment, release = null, state = "measured") => ({ experiment, release, state, night: `2026-01-${String(experiment).padStart(2, "0")}` });
const alert = (from, to) => ({ from: { experiment: from }, to: { experiment: to, night: `2026-01-${String(to).padStart(2, "0")}` },
  raised_ms: to, headline: "Writing (W) rose by 5 %" });
const pairs = (nights, alerts) => offersOf(nights, alerts).map(({ a, b }) => [a, b]);

test("the newest night with the last release, an alert's two sides, the two newest releases", () => {
  const nights = [night(9), night(8, "v2"), night(7), night(6, "v1"), night(5, "v0")];
  assert.deepEqual(pairs(nights, [alert(3, 4), alert(6, 7)]), [[8, 9], [6, 7], [6, 8]]);
  assert.match(offersOf(nights, [])[0].text, /2026-01-09, with the last release, v2$/);
});

test("a newest night that is a release is compared with the one before it", () =>
  assert.deepEqual(pairs([night(9, "v2"), night(8, "v1")], []), [[8, 9], [8, 9]]));

test("without releases and alerts it is the night before; of one night nothing", () => {
  assert.deepEqual(pairs([night(9), night(8, null, "failed"), night(7)], []), [[7, 9]]);
  assert.deepEqual(pairs([night(9)], []), []);
  assert.deepEqual(pairs([], []), []);
});
