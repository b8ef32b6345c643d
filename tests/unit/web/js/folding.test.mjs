import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOfRow } from "/static/folding.js";

test("each cell stands under its own column's name", () => {
  assert.deepEqual(columnsOfRow([1, 1, 1], 3), [0, 1, 2]);
  assert.deepEqual(columnsOfRow([1, 1], 3), [1, 2], "the first column spans the rows above");
  assert.deepEqual(columnsOfRow([1, 2, 1], 4), [0, 1, 3]);
  assert.deepEqual(columnsOfRow([5], 3), [0], "a row as wide as the table, or wider");
  assert.deepEqual(columnsOfRow([], 3), []);
});
