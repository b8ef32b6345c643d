import assert from "node:assert/strict";
import { test } from "node:test";
import { answering } from "./dom.mjs";
import { nightList, nightsOf } from "/static/series.js";

const pageOf = () => ({
  items: [{ experiment: 3 }, { experiment: 2 }, { experiment: 1 }], next: null,
  total: { nights: "101", mean_ns: [300, 280.5], below_ns: [10, 2.5], above_ns: [null, 4] },
  columns: [
    { portion: "T", configuration: "none", parent: null, nights: "111", mean_ns: [70, 71, null], below_ns: [1.5, null, null],
      above_ns: [null, null, null], judged_below_ns: [2, null, null], judged_above_ns: [3, null, null],
      reference_low_ns: [60, 61, null], reference_width_ns: [20, null, null], verdict: ["ok", "first", null],
      direction: [null, null, null], told: {} },
    { portion: "I", configuration: "probe", parent: "none", nights: "01", mean_ns: [230], below_ns: [5], above_ns: [null],
      judged_below_ns: [null], judged_above_ns: [null], reference_low_ns: [null], reference_width_ns: [null],
      verdict: ["anomaly"], direction: ["up"], told: { 0: { reason: "rose", since: "2024-01-02" } } },
  ],
});

test("columns become nights with the portions that each has", () => {
  const [newest, second, oldest] = nightsOf(pageOf());
  assert.deepEqual(newest, { experiment: 3, total: { mean_ns: 300, low_ns: 290, high_ns: 310 }, portions: [
    { portion: "T", configuration: "none", parent: null, mean_ns: 70, low_ns: 68.5, high_ns: 71.5,
      judged: { low_ns: 68, high_ns: 73 }, verdict: "ok", direction: null, reference: { low_ns: 60, high_ns: 80 } }] });
  assert.equal(second.total, null);
  assert.deepEqual(second.portions.map((p) => p.portion), ["T", "I"]);
  assert.deepEqual(oldest.total, { mean_ns: 280.5, low_ns: 278, high_ns: 284.5 });
});

test("a column of another unit says so to its values", () => {
  const page = pageOf();
  page.columns[0].unit = "%";
  const [newest] = nightsOf(page);
  assert.deepEqual([newest.portions[0].unit, newest.portions[0].judged.unit, newest.total.unit], ["%", "%", "%"]);
});

test("what is not known stays unknown, and what is told of one night is its own", () => {
  const [, second, oldest] = nightsOf(pageOf()), [control, probe] = second.portions;
  assert.deepEqual([control.low_ns, control.high_ns, control.judged], [null, null, null]);
  assert.deepEqual(control.reference, { low_ns: 61, high_ns: null });
  assert.deepEqual([probe.reference, probe.judged, probe.reason, probe.since], [null, null, "rose", "2024-01-02"]);
  assert.deepEqual([oldest.portions[0].mean_ns, oldest.portions[0].low_ns, oldest.portions[0].verdict], [null, null, null]);
  assert.ok(!("reason" in control));
});

test("a list in rows stays as it is", () => {
  const items = [{ experiment: 1, portions: [], total: null }];
  assert.equal(nightsOf({ items, next: null }), items);
});

test("a list is asked for in columns, page by page, unless all of it is wanted", async () => {
  const asked = answering([200, { ...pageOf(), next: "x" }], [200, { items: [{ experiment: 0 }], next: null }], [200, { items: [], next: null }]);
  const nights = await nightList("/projects/p", 4, { until: "2024-02-01" });
  assert.deepEqual(nights.map((n) => n.experiment), [3, 2, 1, 0]);
  await nightList("/projects/p", 4, { portions: "full" });
  assert.deepEqual(asked.map(({ path }) => path), ["portions=columns&until=2024-02-01&limit=4",
    "portions=columns&until=2024-02-01&limit=1&cursor=x", "portions=full&limit=4"].map((q) => `/api/v1/projects/p/nights?${q}`));
});
