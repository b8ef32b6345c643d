import assert from "node:assert/strict";
import { test } from "node:test";
import { roomOf } from "./dom.mjs";
import { dots } from "/static/dots.js";

const loop = (number, mean_ns, more = {}) => ({ loop: number, summary: { mean_ns }, ...more });
const configuration = (loops, mean_ns = 100, half = 5) =>
  ({ loop_results: loops, mean_ns, low_ns: mean_ns - half, high_ns: mean_ns + half });

test("a dot a loop, in the order of its size, none outside", () => {
  roomOf(640);
  const figure = dots(configuration([loop(1, 90), loop(2, 110), loop(3, 100)]));
  const xs = figure.all("circle").map((c) => Number(c.getAttribute("cx")));
  assert.ok(xs[0] < xs[2] && xs[2] < xs[1]);
  assert.ok(Math.abs(xs[2] - (xs[0] + xs[1]) / 2) < 1e-9, "the middle one in the middle");
  assert.ok(Math.min(...xs) > 8 && Math.max(...xs) < 600 - 8);
});

test("a disturbed loop is a cross, and told from a stray one", () => {
  const figure = dots(configuration([loop(1, 90), loop(2, 110, { disturbed: true }), loop(3, 130, { readings: { stray: true } })]));
  assert.equal(figure.all("circle").length, 2);
  assert.equal(figure.all("path", "disturbed").length, 1);
  assert.match(figure.one("svg").getAttribute("aria-label"), /loop 2 .*disturbed, loop 3 .*stray$/);
});

test("one loop, or loops that are all the same, stand in the middle", () => {
  roomOf(640);
  for (const c of [{ ...configuration([loop(1, 70)], 70), low_ns: null, high_ns: null }, configuration([loop(1, 70), loop(2, 70)], 70, 0)])
    for (const circle of dots(c).all("circle")) assert.equal(Number(circle.getAttribute("cx")), 300);
});

test("without a loop that was measured there is no figure", () => {
  for (const loops of [[], [{ loop: 1, summary: null, failed: "timeout" }]]) assert.equal(dots(configuration(loops)), null);
});
