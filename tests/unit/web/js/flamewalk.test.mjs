import assert from "node:assert/strict";
import { test } from "node:test";
import { fitted, neighbour } from "/static/flamewalk.js";

const frame = (name, row, x, width) => ({ name, row, x, width });
// main above a and b; b above c, d (the widest) and e
const FRAMES = [frame("main", 0, 8, 400), frame("a", 1, 8, 200), frame("b", 1, 208, 180), frame("c", 2, 208, 20),
  frame("d", 2, 228, 100), frame("e", 2, 328, 60)];
const named = (name) => FRAMES.find((f) => f.name === name);
const from = (name, key) => neighbour(FRAMES, named(name), key)?.name ?? null;

test("arrow keys go to what is beside, outwards and into the widest within", () => {
  assert.equal(from("main", "ArrowDown"), "a");
  assert.equal(from("b", "ArrowDown"), "d");
  assert.equal(from("d", "ArrowUp"), "b");
  assert.equal(from("e", "ArrowLeft"), "d");
  assert.equal(from("a", "ArrowRight"), "b");
  assert.equal(from("d", "Home"), "c");
  assert.equal(from("c", "End"), "e");
});

test("at the edge a key stays, and other keys lead nowhere", () => {
  for (const [name, key] of [["main", "ArrowUp"], ["main", "ArrowLeft"], ["b", "ArrowRight"], ["a", "ArrowDown"], ["e", "ArrowDown"]])
    assert.equal(from(name, key), name);
  assert.equal(from("a", "x"), null);
});

test("a frame says as much as it has room for", () => {
  assert.equal(fitted("▲ add +12 ns", 400), "▲ add +12 ns");
  assert.equal(fitted("▲ history_add +484 ns", 80), "▲ history_…");
  assert.equal(fitted("▲ history_add +484 ns", 20), "");
  assert.equal(fitted("🐮🐮🐮🐮🐮🐮", 36), "🐮🐮🐮…");
});
