import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { readings, throughput, usage } from "/static/course.js";

const moves = (figure) => figure.all("path").map((p) => p.getAttribute("d").match(/M/g)?.length ?? 0);

test("calls per second, a line a loop that was long enough", () => {
  const of = (...seconds) => throughput({ loop_results: seconds.map((calls_per_second) => ({ calls_per_second })) }, "p-W");
  assert.equal(of([1, 2], undefined), null);
  const figure = of([10, 11, 12], [9, null, 9], [1, 2]);
  assert.deepEqual(moves(figure), [1, 2]);
  assert.deepEqual(figure.all("path").map((p) => p.getAttribute("d").match(/h3/g)?.length ?? 0), [0, 2]); // alone: a dash
  assert.match(figure.textContent, /^Calls per second, one line per loop, at most 12\.0/);
});

const loop = (position, readings, more = {}) => ({ position, readings, ...more });

test("readings stand in the order the loops ran, whatever configuration they were of", () => {
  const figures = readings([{ loop_results: [loop(2, { load1: 3 }), loop(0, { load1: 1 })] }, { loop_results: [loop(1, { load1: 2 })] }]);
  assert.equal(figures.length, 1);
  const ys = [...figures[0].one("path").getAttribute("d").matchAll(/ (-?[\d.]+)/g)].map(([, y]) => Number(y));
  assert.deepEqual(ys, [41.3, 22.7, 4]); // 1, 2 and 3, over zero
  assert.match(figures[0].textContent, /^load over a minute, at most 3\.0$/);
});

test("what no loop has a number of is no figure", () => {
  assert.deepEqual(readings([{ loop_results: [loop(0, { frequency_mhz: null, stray: "yes" }), { position: 1 }] }]), []);
  const [figure] = readings([{ loop_results: [loop(0, { odd_thing: 5 }), loop(1, {})] }]);
  assert.match(figure.textContent, /^odd thing/);
});

test("of a pair, before and after the loop, what lies between is drawn", () => {
  const [figure] = readings([{ loop_results: [loop(0, { temperature_c: [40, 44] }), loop(1, { temperature_c: [44, 45] }), loop(2, { temperature_c: [null] })] }]);
  assert.match(figure.textContent, /^temperature, °C, at most 44\.5$/);
  assert.deepEqual(moves(figure), [1]);
});

test("few disturbed loops are marked; many would mark nothing", () => {
  const of = (disturbed) => readings([{ loop_results: Array.from({ length: 9 }, (_, i) => loop(i, { load1: i }, { disturbed: i < disturbed })) }])[0];
  assert.deepEqual([0, 1, 3, 4, 9].map((n) => of(n).all("line", "mark").length), [0, 1, 3, 0, 0]);
});

test("what the node used has a gap between two loops", () => {
  const used = (position, cpu_percent) => loop(position, { usage: { cpu_percent } });
  const figures = usage([{ loop_results: [used(1, [30, 40]), used(0, [10, 20]), loop(2, { load1: 1 })] }]);
  assert.equal(figures.length, 1);
  assert.deepEqual(moves(figures[0]), [2]);
  assert.deepEqual(usage([{ loop_results: [loop(0, { usage: {} })] }]), []);
});
