import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { firstChain, miniStack, stackedWords, stackOf } from "/static/ministack.js";

const portion = (name, spark_ns, configuration = name) => ({ portion: name, configuration, spark_ns });
const tree = [{ portion: "T", configuration: "none", parent: null }, { portion: "W", configuration: "file", parent: "none" },
  { portion: "W", configuration: "tcp", parent: "none" }];

test("of several writers the first is stacked", () => {
  const portions = [portion("W", [1], "tcp"), portion("T", [1], "none"), portion("W", [2], "file")];
  assert.deepEqual(firstChain(portions, tree).map((p) => p.configuration), ["none", "file"]);
  assert.deepEqual(firstChain(portions, undefined), portions);
});

test("columns stand on the ground and reach their sum", () => {
  const rects = stackOf([portion("T", [1, 1]), portion("W", [1, 3])], 100, 40);
  assert.deepEqual(rects.map((r) => [r.portion, r.x, r.y, r.height]), [[0, 0, 30, 10], [1, 0, 20, 10], [0, 50, 30, 10], [1, 50, 0, 30]]);
});

test("a missing night is a gap, a negative portion nothing", () => {
  const rects = stackOf([portion("T", [1, null, 1]), portion("C", [-5, 2, 1])], 90, 40);
  assert.deepEqual(rects.map((r) => [r.portion, r.x]), [[0, 0], [0, 60], [1, 60]]);
});

test("nothing measured is nothing drawn", () => {
  for (const chain of [[], [portion("T", [])], [portion("T", [null])], [portion("T", [0])], [portion("T", [-1])]])
    assert.deepEqual(stackOf(chain, 90, 40), []);
});

test("a night far above the others ends at the edge", () => {
  const rects = stackOf([portion("T", [1, 1, 1, 50, 1]), portion("W", [1, 1, 1, 90, 1])], 100, 40);
  assert.ok(rects[0].height > 15 && rects.every((r) => r.y >= 0 && r.y + r.height <= 40 + 1e-9));
  assert.deepEqual(rects.filter((r) => r.cut).map((r) => r.portion), [0]);
});

test("what is stacked is said, and one portion is no stack", () => {
  const [t, file, tcp] = [portion("T", [1, 2], "none"), portion("W", [2, 3], "file"), portion("W", [9, 9], "tcp")];
  assert.equal(stackedWords([t, file], [t, file]), "; below all portions stacked from zero");
  assert.equal(stackedWords([t, file], [t, file, tcp]), "; below T, W stacked from zero");
  assert.match(miniStack([t, file], { mean_ns: 5 }).getAttribute("aria-label"), /^T, W of the last 2 results, stacked; now 5\.00.ns together$/);
  assert.deepEqual([stackedWords([t], [t, file]), miniStack([t], null)], ["", null]);
});
