import assert from "node:assert/strict";
import { test } from "node:test";
import { alertSentence, nightWords, notablePortions, progressWords, quietWords, suspicionWords, verdictWords } from "/static/words.js";

const portion = (name, verdict, direction = null) => ({ portion: name, verdict, direction });
const night = (...portions) => ({ state: "measured", portions });

test("a night is told by what stood out", () => {
  const cases = [
    [night(portion("T", "ok"), portion("I", "anomaly", "up"), portion("C", "anomaly", "down")), "I rose, C fell"],
    [night(portion("T", "ok")), "nothing new"],
    [night(portion("T", "first"), portion("I", "first")), "first of its series"],
    [night(portion("T", "environment"), portion("I", "environment")), "the environment changed"],
    [night(portion("W", "suspect", "up")), "W suspected, being measured again"],
    [{ state: "failed", reason: null, portions: [] }, "failed: no reason given"],
    [{ state: "quarantined", reason: "too wide", portions: [] }, "quarantined: too wide"],
  ];
  for (const [given, wanted] of cases) assert.equal(nightWords(given), wanted);
});

test("what befell all portions alike is told once", () =>
  assert.equal(notablePortions(night(portion("T", "harness"), portion("I", "harness"), portion("C", "anomaly"))).length, 2));

test("an alert is a sentence", () => {
  const range = (mean, half) => ({ mean_ns: mean, low_ns: mean - half, high_ns: mean + half });
  const alert = { portion: "I", direction: "down", before: range(820, 12), after: range(201, 9), difference: { percent: -75.5 } };
  assert.equal(alertSentence(alert).replace(/[\u202f\u00a0]/g, " "), "Instrumentation fell from 820 ± 12 to 201 ± 9 ns (−76 %)");
  assert.match(alertSentence({ ...alert, portion: "R", direction: null, difference: null }), /^R changed from .*\sns$/);
  const writers = [{ portion: "W", configuration: "ascii" }, { portion: "W", configuration: "binary" }, { portion: "I", configuration: "on" }];
  assert.match(alertSentence({ ...alert, portion: "W", configuration: "binary" }, writers), /^Writing \(binary\) fell/);
  assert.match(alertSentence({ ...alert, configuration: "on" }, writers), /^Instrumentation fell/);
});

test("quiet is told from nothing measured", () => {
  const of = (quiet_nights, ...spark_ns) => quietWords({ quiet_nights, portions: [{ spark_ns }] });
  assert.equal(of(1, 70), "✓ Nothing new for 1 night");
  assert.equal(of(12, 70), "✓ Nothing new for 12 nights");
  assert.equal(of(0, null, 70), "✓ Nothing new since the last known change");
  assert.equal(of(0, null), "No night could be measured yet");
});

test("an unknown verdict is shown as it is", () => assert.equal(verdictWords(portion("T", "moonlight")), "moonlight"));

test("progress", () => {
  assert.equal(progressWords(null), "starting");
  assert.equal(progressWords({ phase: "measure", configuration: "collecting", loop: 4, loops: 10 }), "measuring collecting, loop 4 of 10");
  assert.equal(progressWords({ phase: "prepare", message: "mvn" }), "preparing: mvn");
  assert.equal(suspicionWords({ suspicions: 2 }), "2 suspicions are being measured again");
});
