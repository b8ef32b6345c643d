import assert from "node:assert/strict";
import { test } from "node:test";
import { aheadWords, culpritOf, differenceWords, endsWords, fromWords, furtherWords, isUndated, lettersOf, notablePortions, portionCalled, portionName, portionWords, progressWords, quietWords, sameCommitWords, stateWords, suspicionWords, toldOf, verdictWords } from "/static/words.js";

const portion = (name, verdict, standing = undefined, more = {}) => ({ portion: name, verdict, standing, ...more });
const night = (...portions) => ({ state: "measured", portions });

test("the older night of what was measured again is not the last one before", () => {
  const of = (more) => fromWords({ confirmation: null, ...more });
  assert.equal(of({}), "last before");
  assert.equal(of({ confirmation: { state: "confirmed" } }), "surely before");
  assert.equal(of({ confirmation: { state: "confirmed" }, moved: "moved by hand" }), "last before");
});

test("what was measured further in a night is no night of its own", () => {
  const of = (night, sha) => ({ night, commit: { sha } }), now = of("2026-01-02", "a");
  assert.deepEqual([of("2026-01-01", "a"), now, of("2026-01-02", "b"), undefined].map((before) => furtherWords(now, before)),
    ["", ", measured again", ", another commit", ""]);
});

test("what people say of the code is their answer, until nights show it", () => {
  assert.equal(stateWords({ state: "fixed", fixed_by: null }), "answered “fixed”");
  assert.equal(stateWords({ state: "fixed", fixed_by: 9 }), "fixed");
  assert.equal(stateWords({ state: "false", fixed_by: null }), "answered “false”");
  assert.equal(stateWords({ state: "accepted", fixed_by: null }), "accepted");
  assert.equal(stateWords({ state: "open", aged: true }), "open, aged");
});

test("two nights of one commit are told, since it cannot have made the change", () => {
  const at = (sha) => ({ commit: sha ? { sha } : null });
  assert.match(sameCommitWords({ from: at("a"), to: at("a"), until: at("a") }), /not this repository: a dependency, the machine, or chance\.$/);
  assert.match(sameCommitWords({ from: at("a"), to: at("a") }), /^Before and after are of the same commit/);
  for (const [from, to, until] of [["a", "b", "b"], ["a", "a", "b"], [null, null, null]])
    assert.equal(sameCommitWords({ from: at(from), to: at(to), until: at(until) }), null);
});

test("an alert of one night lies between two measurements of it", () => {
  const alert = { from: { night: "2026-01-02" }, to: { night: "2026-01-02" } };
  assert.equal(endsWords(alert), "two measurements of one night");
  assert.equal(endsWords({ ...alert, until: { night: "2026-01-03" } }), "the two nights");
});

test("of several commits none is named before the search has found it", () => {
  const ends = { from: { commit: { sha: "a" } }, to: { commit: { sha: "b" } }, until: { commit: { sha: "c" } } };
  assert.equal(culpritOf({ ...ends, commits: 3 }), null);
  assert.equal(culpritOf({ ...ends, commits: null }), null, "nobody knows how many");
  assert.deepEqual(culpritOf({ ...ends, commits: 1 }), { sha: "c" });
  assert.equal(culpritOf({ ...ends, commits: 1, slow: true }), null);
  assert.deepEqual(culpritOf({ from: null, to: ends.to }), { sha: "b" });
  for (const state of ["running", "range", "failed"]) assert.equal(culpritOf({ ...ends, commits: 3, bisection: { state } }), null);
  assert.deepEqual(culpritOf({ ...ends, commits: 3, bisection: { state: "found", culprit: { sha: "d" } } }), { sha: "d" });
});

test("a commit that is dated after its measurement is told", () => {
  const of = (time_ms, started_ms) => aheadWords({ commit: time_ms ? { time_ms } : null, started_ms });
  assert.match(of(2145916800000, 1709600000000), /its date or a clock is wrong/);
  assert.deepEqual([of(1709600000000, 1709600000001), of(null, 1), of(5, null), of(5, 0)], [null, null, null, null]);
});

test("of an imported night a time may be none", () => {
  const of = (undated) => ["commit", "run"].map((what) => isUndated({ environment_detail: { detail: { undated } } }, what));
  assert.deepEqual([of(["commit", "run"]), of(["commit"]), of(undefined), isUndated({}, "run")], [[true, true], [true, false], [false, false], false]);
});

test("nobody told a program of one's own how deep to call", () => {
  const of = (driver) => toldOf({ benchmark: { driver, recursion_depth: 10 } }).recursion_depth;
  assert.deepEqual([of("native"), of("moobench"), of("command"), toldOf({}).recursion_depth], [10, 10, undefined, undefined]);
});

test("a difference is told in the server's words, with a mark where one says that it moved", () => {
  const of = (mean_ns, claim, words) => differenceWords({ claim, words, difference: { mean_ns } });
  const said = [of(2, "shown", "rose"), of(-2, "asked", "may have fallen"), of(1, undefined, "no difference seen"),
    of(1, undefined, "not shown to have changed")];
  assert.deepEqual(said, ["▲ rose", "▼ may have fallen", "no difference seen", "not shown to have changed"]);
});

test("what befell all portions alike is told once", () =>
  assert.equal(notablePortions(night(portion("T", "harness", "doubtful"), portion("I", "harness", "doubtful"), portion("C", "anomaly", "changed"))).length, 2));

test("a portion without a result hides no reason of another", () => {
  const lost = portion("W", "harness", "missing"), suspect = portion("I", "harness", "doubtful");
  assert.deepEqual(notablePortions(night(lost, suspect)), [lost, suspect]);
});

test("a verdict is called as the server calls it", () => {
  assert.equal(verdictWords(portion("I", "ok")), "as before");
  assert.equal(verdictWords(portion("I", "harness", "missing", { words: "no result" })), "no result");
  assert.equal(verdictWords(portion("I", "anomaly", "changed", { words: "rose", since: "2026-01-02" })), "rose, since 2026-01-02");
});

test("the mark of quiet stands only where the newest night is clear, and new", () => {
  const of = (quiet, clear, date) => quietWords({ quiet, clear, latest: { night: date } }, Date.parse("2026-03-20"));
  assert.equal(of("Nothing new for 6 nights", true, "2026-03-19"), "✓ Nothing new for 6 nights");
  assert.equal(of("Nothing new for 6 nights", true, "2024-11-02"), "Nothing new for 6 nights; the newest is of 2024-11-02");
  assert.equal(of("? Writing (W) may have changed", false, "2026-03-19"), "? Writing (W) may have changed");
  assert.equal(quietWords({ quiet: "No night measured yet", clear: false, latest: null }), "No night measured yet");
});

test("the reason of a portion in question is told", () => {
  const asked = portion("I", "ok", "doubtful", { words: "may have changed" }), cleared = portion("C", "cleared");
  assert.deepEqual(notablePortions({ portions: [portion("T", "ok"), asked, cleared] }), [asked, cleared]);
});

test("progress", () => {
  assert.equal(progressWords(null), "starting");
  assert.equal(progressWords({ phase: "measure", configuration: "collecting", loop: 4, loops: 10 }), "measuring “collecting”, loop 4 of 10");
  assert.equal(progressWords({ phase: "measure", configuration: "none", loop: 4, loops: 0 }), "measuring “none”, loop 4");
  assert.equal(progressWords({ phase: "wait", configuration: "none", loop: 1, loops: 10,
    message: "others used 204.0 % of a processor (bound 10.0 %)" }),
  "waiting until the node is idle: others used 204.0 % of a processor (bound 10.0 %)");
  assert.equal(progressWords({ phase: "prepare", message: "mvn" }), "preparing: mvn");
  assert.equal(suspicionWords({ suspicions: 1, enabled: false }), "1 suspicion is open");
  assert.equal(suspicionWords({ suspicions: 2 }), "2 suspicions are to be measured again");
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
