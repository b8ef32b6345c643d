import assert from "node:assert/strict";
import { test } from "node:test";
import { differing } from "/static/differing.js";

const configuration = (name, environment, more = {}) => ({ name, environment, loops: 3, ...more });

test("lists of configurations are taken apart by name, and what is equal is left out", () => {
  const rows = differing([{ key: "kernel", a: "6.1", b: "6.12" }, { key: "configurations",
    a: [configuration("none", {}), configuration("probe", { OPTS: "-a" })],
    b: [configuration("none", {}), configuration("probe", { OPTS: "-b" }, { loops: 4 })] }]);
  assert.deepEqual(rows, [{ key: "kernel", a: "6.1", b: "6.12" },
    { key: "configurations.probe.environment.OPTS", a: "-a", b: "-b" },
    { key: "configurations.probe.loops", a: 3, b: 4 }]);
});

test("of a value that is withheld it says that it is another one", () => {
  const rows = differing([{ key: "configurations", a: [configuration("probe", { OPTS: "changed", HOME: null })],
    b: [configuration("probe", { OPTS: "changed", HOME: null, NEW: null })] }]);
  assert.deepEqual(rows, [{ key: "configurations.probe.environment.OPTS", a: "withheld", b: "withheld, a different value" }]);
});

test("a configuration that came or went is named", () => {
  assert.deepEqual(differing([{ key: "configurations", a: [configuration("none", {})],
    b: [configuration("none", {}), configuration("tcp", {})] }]), [{ key: "configurations.tcp", a: null, b: "there" }]);
});

test("other values stay as they are", () => {
  const rows = [{ key: "options", a: ["x"], b: ["y"] }, { key: "depth", a: null, b: 3 }];
  assert.deepEqual(differing(rows), rows);
});
