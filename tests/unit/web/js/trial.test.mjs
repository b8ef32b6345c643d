import "./dom.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { countedWords, differenceWords, loopsWords, openWords, questionWords, trialBox, trialEvent, trialLine, trialOf, trialTitle, trialWords } from "/static/trial.js";

const trial = { id: 3, state: "running", experiment: 41, batch: 3, loops: 20, maximum: 300, ends_loops: 40, questions: [] };

test("how far a trial is", () => {
  assert.equal(trialWords(trial), "batch 3, 20 of at most 300 loops of each commit so far; as it stands it would stop at 40");
  assert.equal(trialWords({ ...trial, batch: 1, loops: 0, ends_loops: null }), "batch 1, 0 of at most 300 loops of each commit so far");
});

test("what is known of a portion", () => {
  const open = { state: "waiting", loops: 20, ends_loops: 40 };
  assert.equal(questionWords(open), "open, answered at about 40 loops");
  assert.equal(questionWords({ ...open, ends_loops: 20 }), "open, answered with the next batch");
  const none = { ...open, loops: 0, ends_loops: null };
  assert.equal(questionWords(none, { state: "leased" }), "open: the first batch is under way");
  assert.equal(questionWords(none, { state: "queued" }), "open: the first batch waits for a node", "as after a lease that ran out");
  assert.equal(trialTitle({ state: "leased" }), "Being measured again");
  assert.equal(trialTitle({ state: "queued" }), "Waiting to be measured again");
  assert.equal(questionWords({ ...open, state: "confirmed" }), "confirmed");
  assert.equal(differenceWords({ mean_ns: 120, low_ns: 90, high_ns: 150 }), "+120\u202fns, from +90\u202fns to +150\u202fns");
  assert.equal(differenceWords(null), "–");
});

test("which loops the levels are of, where not all count", () => {
  const reason = "Measured again, 40 loops of each commit in turn, of which the fastest half counts: confirmed";
  assert.equal(loopsWords({ loops: 40, reason }), "40, fastest half");
  assert.equal(loopsWords({ loops: 40, reason: "Measured again, 40 loops of each commit in turn: confirmed" }), "40");
  assert.equal(loopsWords({ loops: null, reason: null }), "–");
});

test("what was counted of both commits stands with the portion, before a loop has been measured", () => {
  const asked = { portion: "I", configuration: "probe", state: "waiting", loops: 0, ends_loops: null, before: null, after: null,
    difference: null, reason: null, counted: "+410 instructions a call" };
  assert.equal(countedWords(asked), "counted first: +410 instructions a call");
  assert.equal(countedWords({ ...asked, counted: null }), "");
  assert.equal(openWords({ questions: [asked] }), "I counted first: +410 instructions a call");
  assert.equal(openWords({ questions: [{ ...asked, difference: { mean_ns: 120, low_ns: 90, high_ns: 150 } }] }),
    "I +120\u202fns, from +90\u202fns to +150\u202fns, counted first: +410 instructions a call");
  assert.equal(openWords({ questions: [{ ...asked, state: "confirmed" }, { ...asked, counted: null }] }), "");
  const commit = { sha: "abc", short: "abc", subject: null };
  const { element } = trialBox({ state: "leased", trial: { ...trial, questions: [asked] }, commit, before: commit }, null);
  assert.match(element.textContent, /open: the first batch is under way ?counted first: \+410 instructions a call$/);
});

test("what is no time is told in its own unit", () => {
  const range = (mean) => ({ mean_ns: mean, low_ns: mean - 1, high_ns: mean + 1 });
  const memory = { portion: "W", configuration: "writing", dimension: "peak_mb", state: "waiting", loops: 20, ends_loops: 40,
    before: range(60), after: range(80), difference: range(20), reason: null, counted: null };
  assert.equal(openWords({ questions: [memory] }), "W Peak memory of a process, MB, +20, from +19 to +21");
  const { element } = trialBox({ trial: { ...trial, questions: [memory] }, commit: null, before: null }, null);
  assert.match(element.textContent, /Peak memory of a process, MB\s*60\s*80\s*\+20, from \+19 to \+21/);
  assert.doesNotMatch(element.textContent, /\u202fns/);
});

test("a line above the chart says what is known so far, and follows the job", () => {
  const known = { portion: "W", state: "waiting", loops: 20, difference: { mean_ns: -58, low_ns: -417, high_ns: 302 }, before: null, after: null };
  const answered = { ...known, portion: "T", state: "cleared" }, waiting = { ...known, portion: "C", difference: null };
  assert.equal(openWords({ questions: [known, answered, waiting] }), "W -58\u202fns, from -417\u202fns to +302\u202fns");
  const line = trialLine({ trial }, "#again");
  assert.equal(line.element.textContent, "Two commits measured again: batch 3, 20 of at most 300 loops of each commit so far; as it stands it would stop at 40.");
  line.update({ trial: { ...trial, batch: 4, loops: 30, ends_loops: null, questions: [known] } });
  assert.match(line.element.textContent, /batch 4, 30 of at most 300 .* So far W .*302.ns\.$/);
  line.update({ trial: null });
  assert.match(line.element.textContent, /batch 4/);
});

test("the box names both commits, and tells their subjects from the sentence", () => {
  const commit = (sha, subject) => ({ sha, short: sha, subject });
  const { element } = trialBox({ trial, commit: commit("abc", "Make it <b>fast</b>"), before: commit("def", "Fix a typo") }, null);
  assert.match(element.textContent, /^abc “Make it <b>fast<\/b>” against def “Fix a typo”: batch 3/);
});

test("of a night's trial the running job is shown", () => {
  const queued = { id: 1, state: "queued", trial }, running = { id: 2, state: "leased", trial };
  assert.equal(trialOf([queued, running], 41), running);
  assert.equal(trialOf([queued, { id: 3, state: "leased", trial: null }], 41), queued);
  assert.equal(trialOf([{ ...running, trial: { ...trial, state: "done" } }], 41), null);
  assert.equal(trialOf([running], 42), null);
});

test("a job's event moves what is shown, and loads the page again when there is more", () => {
  const job = { id: 2, state: "leased", trial }, seen = [], shown = { update: (next) => seen.push(next) };
  assert.equal(trialEvent(job, job, shown, 41), false);
  assert.equal(seen.length, 1);
  assert.equal(trialEvent({ ...job, state: "done" }, job, shown, 41), true);
  assert.equal(trialEvent({ ...job, id: 9 }, job, shown, 41), true, "the next batch");
  assert.equal(trialEvent({ ...job, id: 9, trial: null }, job, shown, 41), false);
  assert.equal(trialEvent(job, null, null, 7), false, "another night's");
  assert.equal(trialEvent(job, null, null, 41), true, "the first batch");
});
