import assert from "node:assert/strict";
import { test } from "node:test";
import { scaleOf } from "/static/multiples.js";

const at = (mean_ns, half, reference = null) => ({ mean_ns, low_ns: mean_ns - half, high_ns: mean_ns + half, reference });

test("a scale holds every interval", () => {
  const { low, high, y } = scaleOf([at(70, 1), null, at(72, 3)]);
  assert.deepEqual([low, high], [69, 75]);
  assert.ok(y(75) < y(72) && y(72) < y(69));
});

test("a band without nights behind it does not flatten the nights", () => {
  const { low, high, y } = scaleOf([at(70, 1), at(71, 1, { low_ns: -500, high_ns: 900 })]);
  assert.deepEqual([low, high], [66, 75]);
  assert.equal(y(900), y(75)); // cut at the edge
});

test("a narrow band belongs to the scale", () => assert.equal(scaleOf([at(70, 1, { low_ns: 68, high_ns: 70 })]).low, 68));

test("one value without an interval has a scale around it", () => {
  const { y } = scaleOf([{ mean_ns: 5, low_ns: null, high_ns: null }]);
  assert.ok(Number.isFinite(y(5)));
  assert.equal(scaleOf([null, null]), null);
});

test("thousands of points are no problem", () => assert.equal(scaleOf(Array.from({ length: 5000 }, (_, i) => at(i, 1))).high, 5000));
