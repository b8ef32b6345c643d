import assert from "node:assert/strict";
import { test } from "node:test";
import { cutLabels, cutsOf, rangeBeside, scaleOf } from "/static/multiples.js";

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

test("the levels of an alert are on its scale, however few nights have the new one", () => {
  const points = [...Array.from({ length: 14 }, (_, i) => at(900 + i % 3, 5)), at(1620, 10), at(1630, 10)];
  assert.ok(scaleOf(points).high < 1600);
  assert.ok(scaleOf(points, false, [880, 910, 1600, 1640]).high >= 1640);
  assert.equal(scaleOf(points, false, [null, undefined]).high, scaleOf(points).high);
});

test("an absurd night of the branch beside does not flatten the nights", () => {
  const points = [at(70, 1), at(72, 3)], beside = [null, 80, 80, 81, 80, 81, 24000];
  const { high } = scaleOf(points, false, rangeBeside(beside, false));
  assert.ok(high >= 81 && high < 120, high);
  assert.equal(scaleOf(points, true, rangeBeside(beside, true)).high, 24000);
  assert.deepEqual(rangeBeside([null, undefined], false), []);
});

test("a narrow band belongs to the scale", () => assert.equal(scaleOf([at(70, 1, { low_ns: 68, high_ns: 70 })]).low, 68));

test("one value without an interval has a scale around it", () => {
  const { y } = scaleOf([{ mean_ns: 5, low_ns: null, high_ns: null }]);
  assert.ok(Number.isFinite(y(5)));
  assert.equal(scaleOf([null, null]), null);
});

test("thousands of points are no problem", () => assert.equal(scaleOf(Array.from({ length: 5000 }, (_, i) => at(i, 1))).high, 5000));

test("a night far outside is cut off, and its value written", () => {
  const points = [...Array.from({ length: 9 }, () => at(70, 1)), at(24000, 5)];
  const scale = scaleOf(points), map = { size: 10, columns: points.map((_, i) => ({ x: 60 + 10 * i })) };
  assert.ok(scale.high < 80);
  assert.deepEqual(cutsOf(points, scale, map).map(({ x, above, ns }) => [x, above, ns]), [[155, true, 24000]], "the value that the card tells");
  assert.equal(scaleOf(points, true).high, 24005);
  assert.deepEqual(cutsOf(points, scaleOf(points, true), map), []);
});

test("where only an interval leaves the scale, its end is written", () => {
  const map = { columns: [{ x: 0 }, { x: 10 }], size: 10 }, scale = { low: 50, high: 100, y: (v) => v };
  const ns = (point) => cutsOf([point, null], scale, map).map((cut) => [cut.above, cut.ns]);
  assert.deepEqual(ns(at(90, 30)), [[true, 120]]);
  assert.deepEqual(ns(at(120, 100)), [[true, 120], [false, 20]]);
  assert.deepEqual(ns(at(20, 5)), [[false, 20]]);
  assert.deepEqual(ns(at(75, 5)), []);
});

test("of values that would cover each other the farthest is written", () => {
  const labels = cutLabels([{ x: 100, ns: 5e6 }, { x: 110, ns: 7e6 }, { x: 120, ns: 6e6 }, { x: 300, ns: 1e6 }, { x: 399, ns: 2e6 }].map((c) => ({ ...c, above: true })), 400);
  assert.deepEqual(labels.map((l) => l.ns), [7e6, 1e6, 2e6]);
  assert.ok(labels.every((l, i) => l.from + l.room <= (labels[i + 1]?.from ?? 400)));
});
