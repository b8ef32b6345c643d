import assert from "node:assert/strict";
import { test } from "node:test";
import { barsOf, cautions, differing, spelled } from "/static/side.js";

const portion = (name, configuration, parent) => ({ portion: name, configuration, parent, mean_ns: 1 });
const framework = (title, leaves) => ({ project: { title }, e: {
  portions: [portion("T", "none", null), ...Object.keys(leaves).map((c, i) => portion(`I+C-${i}`, c, "none"))],
  configurations: [{ name: "none", mean_ns: 1 }, ...Object.entries(leaves).map(([name, mean_ns]) => ({ name, label: name.toUpperCase(), mean_ns }))] } });

test("a portion is spelled by the names of its letters", () => {
  assert.equal(spelled("I+C"), "instrumentation + collection");
  assert.equal(spelled("W Zipkin"), "writing");
  assert.equal(spelled("Zipkin"), "Zipkin");
});

test("every leaf is a bar, the dearest first, one without a value is none", () => {
  const bars = barsOf([framework("a", { off: 5, on: 90 }), framework("b", { one: 40 }), framework("c", { gone: null })]);
  assert.deepEqual(bars.map((b) => [b.project.title, b.variant]), [["a", "ON"], ["b", ""], ["a", "OFF"]]);
  assert.deepEqual(bars[0].chain.map((p) => p.configuration), ["none", "on"]);
});

test("what cannot be compared is told, with the reason", () => {
  const bars = barsOf([framework("a", { on: 2 })]);
  const conditions = [["threads", null], ["node", "node x"]];
  assert.deepEqual(cautions(bars, [conditions]), ["Unknown for some: threads. They may have been measured differently.",
    "Some measure only the sum of instrumentation + collection (striped): compare those by their totals."]);
  assert.deepEqual(differing([["threads", "2 threads"], ["node", "x"]], [["threads", "1 thread"], ["node", "x"]]), ["threads"]);
});
