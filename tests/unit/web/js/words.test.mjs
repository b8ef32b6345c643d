import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lettersOf, notablePortions, portionCalled, portionName, portionWords, progressWords, quietWords, sameCommitWords, suspicionWords, VERDICTS, verdictWords } from "/static/words.js";

const portion = (name, verdict, direction = null) => ({ portion: name, verdict, direction });
const night = (...portions) => ({ state: "measured", portions });

test("two nights of one commit are told, since it cannot have made the change", () => {
  const at = (sha) => ({ commit: sha ? { sha } : null });
  assert.match(sameCommitWords({ from: at("a"), to: at("a"), until: at("a") }), /not in this repository/);
  assert.match(sameCommitWords({ from: at("a"), to: at("a") }), /^The same before and after/);
  for (const [from, to, until] of [["a", "b", "b"], ["a", "a", "b"], [null, null, null]])
    assert.equal(sameCommitWords({ from: at(from), to: at(to), until: at(until) }), null);
});

test("what befell all portions alike is told once", () =>
  assert.equal(notablePortions(night(portion("T", "harness"), portion("I", "harness"), portion("C", "anomaly"))).length, 2));

test("verdicts are called as in the sentences that the server makes", () => {
  const source = readFileSync(new URL("../../../../web/words/words.c", import.meta.url), "utf8");
  const table = [...source.matchAll(/\{"(\w+)", "([^"]+)"\}/g)].map(([, verdict, words]) => [verdict, words]);
  assert.ok(table.length > 5);
  assert.deepEqual(Object.fromEntries(table), VERDICTS);
  assert.deepEqual(["up", "down", null].map((d) => verdictWords(portion("I", "anomaly", d))), ["rose", "fell", "changed"]);
});

test("quiet is told from nothing measured", () => {
  const of = (quiet_nights, ...spark_ns) => quietWords({ quiet_nights, portions: [{ spark_ns }] });
  assert.equal(of(1, 70), "✓ Nothing new for 1 night");
  assert.equal(of(12, 70), "✓ Nothing new for 12 nights");
  assert.equal(of(0, null, 70), "✓ Nothing new since the last known change");
  assert.equal(of(0, null), "No night could be measured yet");
});

test("the mark of quiet stands only where the newest night was looked at and is clear", () => {
  const now_ms = Date.parse("2026-03-20");
  const of = (latest) => quietWords({ quiet_nights: 6, portions: [{ spark_ns: [70] }], latest: { night: "2026-03-19", headline: "told", ...latest } }, now_ms);
  assert.equal(of({ portions: [portion("T", "ok")] }), "✓ Nothing new for 6 nights");
  assert.equal(of({ portions: [portion("I", "suspect")] }), "? told");
  assert.equal(of({ portions: [{ ...portion("I", "ok"), rule: "pending" }] }), "? told");
  assert.equal(of({ portions: [{ ...portion("I", "harness"), mean_ns: 5 }] }), "? told");
  assert.equal(of({ night: "2024-11-02", portions: [portion("T", "ok")] }), "Nothing new for 6 nights; the newest is of 2024-11-02");
});

test("a portion in question is not as before", () => {
  const asked = { ...portion("I", "ok"), rule: "pending" };
  assert.equal(verdictWords(asked), "may have changed");
  assert.deepEqual(notablePortions({ portions: [portion("T", "ok"), asked] }), [asked]);
});

test("an unknown verdict is shown as it is", () => assert.equal(verdictWords(portion("T", "moonlight")), "moonlight"));

test("progress", () => {
  assert.equal(progressWords(null), "starting");
  assert.equal(progressWords({ phase: "measure", configuration: "collecting", loop: 4, loops: 10 }), "measuring “collecting”, loop 4 of 10");
  assert.equal(progressWords({ phase: "measure", configuration: "none", loop: 4, loops: 0 }), "measuring “none”, loop 4");
  assert.equal(progressWords({ phase: "wait", configuration: "none", loop: 1, loops: 10,
    message: "others used 204.0 % of a processor (bound 10.0 %)" }),
  "waiting until the node is idle: others used 204.0 % of a processor (bound 10.0 %)");
  assert.equal(progressWords({ phase: "prepare", message: "mvn" }), "preparing: mvn");
  assert.equal(suspicionWords({ suspicions: 1, enabled: false }), "1 suspicion is open");
  assert.equal(suspicionWords({ suspicions: 2 }), "2 suspicions are being measured again");
});

test("a portion is called as in the server's sentences (unit/web/words/test_words)", () => {
  assert.deepEqual(["I+C", "W Zipkin", "W-3", "T", "Zipkin", "Writing", "I+"].map(lettersOf),
    [["I", "C"], ["W"], ["W"], ["T"], [], [], []]);
  assert.equal(portionWords("I+C+W OTLP"), "instrumentation, collection and writing");
  assert.deepEqual(["I", "I+C", "W Zipkin", "Reduction"].map(portionName),
    ["Instrumentation", "Instrumentation and collection", "Writing (W Zipkin)", "Reduction"]);
  assert.deepEqual(["I", "W Zipkin", "Reduction"].map(portionCalled),
    ["Instrumentation (I)", "Writing (W Zipkin)", "Reduction"]);
});
