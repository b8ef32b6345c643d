import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { anyCut, typicalRange, wholeRange } from "/static/typical.js";

const close = (a, b, what) => a.forEach((v, i) => assert.ok(Math.abs(v - b[i]) < 1e-9, `${what}: ${a} is not ${b}`));

/** {"name", {highs}, {lows}, n, low, high} of the C test: both follow one rule. */
function casesOfC() {
  const text = readFileSync(new URL("../layout/test_range.c", import.meta.url), "utf8");
  const numbers = (list) => list.split(",").map(Number);
  return [...text.matchAll(/\{"([^"]+)",\s*\{([^}]*)\},\s*\{([^}]*)\},\s*(\d+),\s*([-\d.]+),\s*([-\d.]+)\}/g)].map(([, name, highs, lows, n, low, high]) =>
    ({ name, range: [Number(low), Number(high)],
      spans: Array.from({ length: Number(n) }, (_, i) => [numbers(lows)[i] ?? 0, numbers(highs)[i] ?? 0]) }));
}

test("from zero the numbers are those of the server's charts", () => {
  const cases = casesOfC();
  assert.ok(cases.length >= 15);
  for (const { name, spans, range } of cases) close(typicalRange(spans), range, name);
});

const at = (v) => [v - 1, v + 1];

test("a step on a scale of its own is whole, a broken night is not", () => {
  assert.deepEqual(typicalRange([100, 100, 100, 100, 120].map(at), { own: true }), [99, 121]);
  close(typicalRange([100, 100, 100, 100, 27000].map(at), { own: true }), [99, 101.3], "slow");
  close(typicalRange([100, 100, 100, 100, -27000].map(at), { own: true }), [98.7, 101], "negative");
  assert.deepEqual(typicalRange([0, 0, 0, 0, 5].map((v) => [v, v]), { own: true }), [0, 5]);
});

test("a level that many nights hold is never cut off", () => {
  assert.equal(anyCut([1, 1, 1, 9, 9, 1, 1, 9].map(at)), false);
  assert.equal(anyCut([1, 1, 1, 1, 1, 1, 1, 900].map(at), { own: true }), true);
  assert.equal(anyCut([]), false);
});

test("of columns of many nights the medians say what is typical", () => {
  const spans = Array.from({ length: 8 }, (_, i) => [9, i < 2 ? 12 : 1000]), cores = spans.map(() => [10, 10]);
  const [, high] = typicalRange(spans, { cores });
  assert.ok(high > 12 && high <= 14.5, `${high}`);
});

test("thousands of spans are no problem", () => assert.equal(typicalRange(Array.from({ length: 5000 }, (_, i) => [0, i + 1]))[1], 5000));

test("the whole range holds every span, and zero unless the scale is the spans' own", () => {
  const spans = [[5, 9], [2, 3], [7, 8]];
  assert.deepEqual(wholeRange(spans), [0, 9]);
  assert.deepEqual(wholeRange(spans, { own: true }), [2, 9]);
  assert.deepEqual(wholeRange([[-4, -1]]), [-4, 0]);
});
