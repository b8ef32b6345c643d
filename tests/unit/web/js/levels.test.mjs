import assert from "node:assert/strict";
import { test } from "node:test";
import { levelsOf, levelsTold, moved } from "/static/levels.js";

const range = (mean_ns) => ({ mean_ns, low_ns: mean_ns - 1, high_ns: mean_ns + 1 });
const part = (configuration, before, after) => ({ configuration, before: range(before), after: range(after) });
const alert = (night, more) => ({ state: "open", aged: false, to: { night }, ...part("deactivated", 20, 220), ...more });
const nights = ["2026-03-09", "2026-03-05", "2026-03-01"].map((night) => ({ night }));

test("both levels of what moved, and of nothing else", () => {
  assert.deepEqual(levelsOf(alert("2026-03-05"), "deactivated"), [19, 21, 219, 221]);
  assert.deepEqual(levelsOf(alert("2026-03-05"), "collecting"), []);
  const both = alert("2026-03-05", { portions: [part("collecting", 400, 900), part("deactivated", 20, 90)] });
  assert.deepEqual(levelsOf(both, "deactivated"), [19, 21, 89, 91]);
  assert.equal(moved(both).length, 2);
  assert.deepEqual(levelsOf(alert("2026-03-05", { before: null }), "deactivated"), [219, 221]);
});

test("a change told in the nights shown is on their scale, also when it was answered", () => {
  const told = (more) => levelsTold([alert("2026-03-05", more)], nights, "deactivated");
  for (const state of ["open", "acknowledged", "accepted", "fixed"])
    assert.equal(told({ state }).length, 4, state);
  for (const more of [{ aged: true }, { state: "withdrawn" }, { state: "false" }, { to: { night: "2026-02-28" } },
    { to: { night: "2026-03-10" } }])
    assert.deepEqual(told(more), [], JSON.stringify(more));
  assert.equal(told({ to: { night: "2026-03-01" } }).length, 4);
  assert.deepEqual(levelsTold([alert("2026-03-05")], [], "deactivated"), []);
});
