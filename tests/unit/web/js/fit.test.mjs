import assert from "node:assert/strict";
import { test } from "node:test";
import { grouped, sharedDepths } from "/static/fit.js";

test("shared is what every framework has", () => {
  const items = (table) => table.flatMap(([of, ...depths]) => depths.map((depth) => ({ of, depth })));
  assert.deepEqual(sharedDepths(items([["a", 10, 1, 20], ["b", 20, 10, 10], ["c", 10, 20]])), [10, 20]);
  assert.deepEqual(sharedDepths(items([["a", 1], ["b", 10]])), []);
  assert.deepEqual(sharedDepths(items([["a", undefined, 3]])), [3]);
  assert.deepEqual(sharedDepths([]), []);
});

test("groups keep their order", () =>
  assert.deepEqual(grouped([3, 1, 4, 1, 5], (n) => n % 2), [[1, [3, 1, 1, 5]], [0, [4]]]));
