import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { calibrationSection, factorWords } from "/static/calibration.js";

const item = (more) => ({ project: "kieker", node: "blade2", usual: "blade1", commit: "5158397b1".repeat(4), runs: 4, usual_runs: 5,
  state: "known", sentence: "on blade2 T takes × 1.000 ± 0.004", portions: [{ portion: "T", factor: { mean: 1, low: 0.996, high: 1.004 } }], ...more });

test("a factor is written with its interval, and what there is none of is a dash", () => {
  assert.equal(factorWords({ mean: 1.0812, low: 1.069, high: 1.093 }), "1.081 ± 0.012");
  assert.equal(factorWords(null), "–");
});

test("where no node is calibrated there is no section", () => {
  assert.equal(calibrationSection(null), null);
  assert.equal(calibrationSection({ items: [], waiting: [] }), null);
});

test("each project and node has its sentence, its factors and on how many runs they stand", () => {
  const section = calibrationSection({ items: [item()], waiting: [{ project: "fresh", sentence: "no night was measured yet" }] });
  assert.deepEqual(section.all("p").map((p) => p.textContent), ["fresh: no night was measured yet.",
    "On blade2 T takes ×\u00a01.000 ± 0.004.", "4 runs of commit 5158397b1 on blade2, 5 on blade1."]);
  assert.deepEqual(section.all("td").map((td) => td.textContent), ["1.000 ± 0.004"]);
  assert.equal(section.all("span", "badge").length, 0);
});

test("a node's name stays as it is at the head of a sentence, and one run is one run", () => {
  const unknown = item({ runs: 1, state: "unknown", sentence: "blade2 does not stand in for blade1", portions: [] });
  const section = calibrationSection({ items: [unknown], waiting: [] });
  assert.deepEqual(section.all("p").map((p) => p.textContent), ["blade2 does not stand in for blade1.",
    "1 run of commit 5158397b1 on blade2, 5 on blade1."]);
  assert.deepEqual(section.all("span", "badge").map((badge) => badge.textContent), ["unknown"]);
  assert.equal(section.all("table").length, 0);
});
