import { answering, markup } from "./dom.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { addEventListener() {}, matchMedia: () => ({ matches: false, addEventListener() {} }) });
const { explanation } = await import("/static/explanation.js");
const { loadFlames } = await import("/static/flame.js");

const found = (more) => ({ state: "done", reason: null, profiler: "perf", unit: "samples", pruned_ms: null, profiles: [],
  portions: [{ portion: "C", configuration: "full", sentence: "C rose: `f<b>` is new", functions: [{ name: "f<b>", state: "new",
    caller: null, change: { mean_ns: 430 }, before_units: 0, after_units: 12 }] }], ...more });

test("profiles that were removed: when, the functions, and no flame graph", async () => {
  const asked = answering();
  const gone = found({ pruned_ms: Date.UTC(2026, 2, 7) });
  assert.deepEqual(await loadFlames(4, gone), []);
  assert.equal(asked.length, 0);
  const section = explanation(4, gone, []);
  assert.match(section.textContent, /The profiles were removed .*2026.*There is no flame graph without them\./);
  assert.match(section.textContent, /C rose: f<b> is new/);
  assert.equal(section.one("figure"), null);
  assert.equal(section.one("button"), null);
  assert.match(markup(section), /<td><code><bdi>f&lt;b>/);
});

test("what the runner noted beside a finished explanation is told", () => {
  const noted = explanation(4, found({ portions: [], reason: "the binary is stripped" }), []);
  assert.match(noted.textContent, /the binary is stripped/);
  assert.match(explanation(4, found({ state: "failed", portions: [], reason: "no perf" }), []).textContent, /There is no explanation: no perf/);
});
