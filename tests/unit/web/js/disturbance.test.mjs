import assert from "node:assert/strict";
import { test } from "node:test";
import { disturbanceWords, loopWords, strayWords } from "/static/disturbance.js";

const good = { disturbed: false, readings: {} };
const by = (words) => ({ disturbed: true, readings: { disturbed_by: words } });

test("a night's disturbance is one line: how many, and what most of them suffered from", () => {
  assert.equal(disturbanceWords([good, good]), "no loop was disturbed");
  const others = Array.from({ length: 28 }, (_, i) => by(`others used ${i}.3 % of a processor (bound 5.0 %)`));
  assert.equal(disturbanceWords(others), "28 of 28 loops were disturbed: others used the processors");
  assert.equal(disturbanceWords([good, by("the clock fell: 800 MHz"), by("the clock fell: 900 MHz"), others[0]]),
    "3 of 4 loops were disturbed: the clock fell");
  assert.equal(disturbanceWords([good, { disturbed: true, readings: null }]), "1 of 2 loops was disturbed");
  const out = { ...others[0], used: false };
  assert.equal(disturbanceWords([good, out]), "1 of 2 loops was disturbed and left out: others used the processors");
  assert.equal(disturbanceWords([good, out, { ...out, used: true }]),
    "2 of 3 loops were disturbed (1 left out): others used the processors");
});

test("a loop that stands apart is no disturbed one; failed and unsettled ones are counted", () => {
  const stray = { disturbed: true, readings: { stray: true, disturbed_by: "stands apart: its mean" } };
  assert.equal(disturbanceWords([good, stray]), "no loop was disturbed");
  assert.equal(loopWords([good, stray, { failed: "exit status 1" }, { readings: { settled: false } }]), "4 loops: 1 failed, 1 stood apart, 1 had not settled");
  assert.equal(loopWords([good]), "1 loop, none failed");
});

test("what the runner says of a configuration with too many strays is told", () => {
  assert.deepEqual(strayWords({ environment_detail: { detail: { strays: { full: "5 of 20 loops stand apart" } } } }),
    ["full: 5 of 20 loops stand apart."]);
  assert.deepEqual(strayWords({ environment_detail: null }), []);
});
