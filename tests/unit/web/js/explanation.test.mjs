import { answering, markup } from "./dom.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";

Object.assign(globalThis, { addEventListener() {}, matchMedia: () => ({ matches: false, addEventListener() {} }) });
const { explanation } = await import("/static/explanation.js");
const { loadFlames } = await import("/static/flame.js");

const found = (more) => ({ state: "done", reason: null, profiler: "perf", unit: "samples", removed_ms: null, profiles: [],
  portions: [{ portion: "C", configuration: "full", sentence: "C rose: `f<b>` is new", functions: [{ name: "f<b>", state: "new",
    caller: null, change: { mean_ns: 430 }, before_units: 0, after_units: 12 }] }], ...more });

test("profiles that were removed: when, the functions, and no flame graph", async () => {
  const asked = answering();
  const gone = found({ removed_ms: Date.UTC(2026, 2, 7) });
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

const allocated = (more) => ({ profiler: "async-profiler", unit: "bytes", reason: null, portions: [{ portion: "I", configuration: "probe",
  sentence: "I allocates 416 bytes a call more: about +384 bytes in `text`", functions: [{ name: "text", state: null, caller: "enter",
    change: { mean_units: 384.25 }, before_units: 1000, after_units: 1384.25 }] }],
profiles: [{ configuration: "probe", end: "after", loops: 5, url: "/api/v1/alerts/4/profiles/probe/after?dimension=bytes" }], ...more });

test("few samples of many calls are told by their digits", () => {
  const [portion] = found().portions, [f] = portion.functions;
  const rows = (before_units, after_units) => explanation(4, found({ portions: [{ ...portion, functions: [{ ...f, before_units, after_units }] }] }),
    []).all("td", "number").map((e) => e.textContent);
  assert.deepEqual(rows(0.000421, 0.01234).slice(1), ["0.000421", "0.0123"]);
  assert.deepEqual(rows(0, 12.34).slice(1), ["0", "12.3"]);
  assert.deepEqual(rows(1.26, 5210.44).slice(1), ["1.26", "5,210.4"]);
});

test("what is allocated is a second picture, with functions in bytes", async () => {
  const both = found({ allocations: allocated() });
  assert.equal((await loadFlames(4, both)).length, 2);
  const section = explanation(4, { ...both, removed_ms: 1 }, []);
  assert.match(section.textContent, /What it allocatesI allocates 416 bytes a call more: about \+384 bytes in text/);
  assert.match(section.textContent, /bytes a call before/);
  assert.match(section.textContent, /\+384\.3/);
  assert.match(markup(section), /profiles\/probe\/after\?dimension=bytes/);
});

test("of a whole process functions are in ms and MB, and of no call", () => {
  const [portion] = found().portions, [f] = portion.functions;
  const told = (unit, most) => explanation(4, found({ unit, portions: [{ ...portion, functions: [{ ...f, change: { mean_units: most },
    before_units: 0, after_units: most }] }] }), []);
  const start = told("ns a start", 24e6);
  assert.match(start.textContent, /ms a start before/);
  assert.doesNotMatch(start.textContent, /a call/);
  assert.deepEqual(start.all("td", "number").map((e) => e.textContent), ["+24", "0", "24"]);
  assert.deepEqual(told("bytes a process", 2 ** 23).all("td", "number").map((e) => e.textContent), ["+8", "0", "8"]);
  assert.match(told("samples a process", 5).textContent, /samples a process before/);
});

test("why nothing is known of allocations is said, and of what has none nothing", () => {
  const none = allocated({ profiler: null, reason: "async-profiler <4.6> cannot be fetched", portions: [], profiles: [] });
  const section = explanation(4, found({ portions: [], allocations: none }), []);
  assert.match(section.textContent, /Allocations were not profiled: async-profiler <4\.6> cannot be fetched/);
  assert.doesNotMatch(explanation(4, found({ portions: [], allocations: null }), []).textContent, /allocates|Allocations/);
});
