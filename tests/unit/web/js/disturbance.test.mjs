import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { disturbanceWords, figuresWords, isStandIn, loopWords, settingsOf, strayWords, tookWords } from "/static/disturbance.js";

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
  assert.equal(disturbanceWords([good, { ...out, failed: "exit status 1" }]), "1 of 2 loops was disturbed: others used the processors");
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

test("of what a night's figures are is said as far as it is known", () => {
  const night = (node, loops, statistics = {}) => ({ node, configurations: [{ statistics, loop_results: Array(loops).fill({ seconds: 0 }) }] });
  assert.equal(figuresWords(night("imported", 1)), "Imported: no interval was read from the file.");
  const of = (about) => figuresWords({ ...night("imported", 2), environment_detail: about });
  assert.equal(of({ imported: "jmh" }), "Imported: an interval is computed from two loops that the file has.");
  assert.equal(of({ imported: "bmf" }), "Imported: an interval is stated in the file.");
  assert.equal(of({ imported: "github", detail: { read: ["\"range\" is read as a 95 % interval, because it says ±"] } }),
    "Imported: \"range\" is read as a 95 % interval, because it says ±.");
  assert.equal(figuresWords(night("imported", 3)), "Mean, interval and standard deviation are of the file's loops.");
  assert.deepEqual([1, 2, 3].map((n) => isStandIn(night("imported", n))), [true, true, false]);
  const loops = (e) => settingsOf({ ...e, benchmark: { driver: "imported", loops: 2 } }).loops;
  assert.deepEqual([night("imported", 2), night("imported", 3), night("n1", 2)].map(loops), [undefined, 2, 2]);
  const by = (command) => settingsOf({ ...night("n1", 3), benchmark: { driver: "command", total_calls: 9, configurations: [{ command, total_calls: 9 }] } });
  assert.deepEqual([by(["./run"]), by(["./run", "{calls}"])].map((b) => [b.total_calls, b.configurations[0].total_calls]),
    [[undefined, undefined], [9, 9]], "nobody told it how often to call");
  const measured = figuresWords(night("n1", 2, { max_ns: 9, calls_low_ns: 1 }));
  assert.match(measured, /a loop is a fresh process\. Quartiles, minimum and maximum are those of single calls\. The interval over calls .* here\.$/);
  assert.match(figuresWords(night("n1", 2, { max_ns: null })), /a loop is a fresh process\.$/);
  const whole = night("n1", 2, { n: 2, max_ns: 9, calls_low_ns: 1 });
  whole.configurations[0].loops = 2;
  assert.match(figuresWords(whole), /a loop is a fresh process\.$/, "one value a loop has no quartiles");
  assert.match(figuresWords({ ...night("n1", 2, { max_ns: 9 }), benchmark: { driver: "command" } }), /those of the values that the program told\.$/);
});

test("how long a loop took is said where it is known", () =>
  assert.deepEqual([{ seconds: 0 }, { seconds: null }, {}, { seconds: 12 }].map(tookWords), ["–", "–", "–", "12 s"]));
