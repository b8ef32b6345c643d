import assert from "node:assert/strict";
import { test } from "node:test";
import { fit, grouped, sharedDepths } from "/static/fit.js";

// R: options(digits=10); coef(lm(c(60, 110, 520, 1010) ~ c(1, 2, 10, 20))) gives 11.87969925 and 50.07518797
test("a line is the one of least squares", () => {
  const line = fit([[1, 60], [2, 110], [10, 520], [20, 1010]].map(([x, y]) => ({ x, y })));
  assert.ok(Math.abs(line.slope - 50.07518797) < 1e-8 && Math.abs(line.start - 11.87969925) < 1e-8, JSON.stringify(line));
});

test("points at one place make a level line", () => assert.deepEqual(fit([{ x: 5, y: 1 }, { x: 5, y: 3 }]), { slope: 0, start: 2 }));

test("shared is what every framework has", () => {
  const items = (table) => table.flatMap(([of, ...depths]) => depths.map((depth) => ({ of, depth })));
  assert.deepEqual(sharedDepths(items([["a", 10, 1, 20], ["b", 20, 10, 10], ["c", 10, 20]])), [10, 20]);
  assert.deepEqual(sharedDepths(items([["a", 1], ["b", 10]])), []);
  assert.deepEqual(sharedDepths(items([["a", undefined, 3]])), [3]);
  assert.deepEqual(sharedDepths([]), []);
});

test("groups keep their order", () =>
  assert.deepEqual(grouped([3, 1, 4, 1, 5], (n) => n % 2), [[1, [3, 1, 1, 5]], [0, [4]]]));
