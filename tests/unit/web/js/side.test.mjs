import assert from "node:assert/strict";
import { test } from "node:test";
import { barsOf, cautions, differing, kindsOf, spelled } from "/static/side.js";

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

test("bars whose portions are measured alike stand together, the kind of the dearest first", () => {
  const bar = (name, ...portions) => ({ name, project: { name, main: null }, chain: [portion("T", "none", null), ...portions.map((p) => portion(p, p, "none"))] });
  const bars = [bar("a", "I", "C", "W"), bar("b", "I+C+W Basic"), bar("c", "I", "C", "W Zipkin"), bar("d", "I", "C+W"), bar("e")];
  assert.deepEqual(kindsOf(bars).map(([kind, alike]) => [kind, alike.map((b) => b.name).join("")]),
    [["instrumentation, collection, writing", "ac"], ["instrumentation + collection + writing", "b"],
      ["instrumentation, collection + writing", "d"], ["the method alone", "e"]]);
});

test("what cannot be compared is told, with the reason", () => {
  const bars = barsOf([framework("a", { on: 2 })]);
  const conditions = [["threads", null], ["node", "node x"]];
  assert.deepEqual(cautions(bars, [conditions]), ["Unknown for some: threads. They may have been measured differently.",
    "Some measure only the sum of instrumentation + collection (striped): compare those by their totals."]);
  assert.deepEqual(differing([["threads", "2 threads"], ["node", "x"]], [["threads", "1 thread"], ["node", "x"]]), ["threads"]);
});
