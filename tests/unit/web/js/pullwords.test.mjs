// What a pull request's page says of the changes that it ignores, and of where it stands.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerWords, baseWords, ignoredWords, spentWords, standingOf, titleOf } from "/static/pullwords.js";

const portion = (mean_ns, least_ns) => ({ before: { mean_ns }, least_ns });

test("the least change in nanoseconds is said where it is more than the share", () => {
  const pull = { percent: 5, portions: [portion(400, 20), portion(25, 10)] };
  assert.equal(ignoredWords(pull), "changes below 5 % of a portion, or below 10.0\u202fns, are ignored");
});

test("it is not said where the share is always more, or nothing was measured", () => {
  assert.equal(ignoredWords({ percent: 5, portions: [portion(400, 20), { before: null, least_ns: null }] }),
    "changes below 5 % of a portion are ignored");
});

test("an answer in the server's words, and marked where it changed", () => {
  assert.equal(answerWords({ answer: "same", words: "differs little" }), "differs little");
  assert.equal(answerWords({ answer: "slower", words: "slower" }), "▲ slower");
});

test("its place and the time that is left", () => {
  assert.equal(standingOf({ place: 2, left_seconds: 60 }), "Place 2 in the queue, at most 1 min of measuring left.");
  assert.equal(standingOf({ place: 0, left_seconds: 60 }), "At most 1 min of measuring left.", "the headline says that it is measured");
  assert.equal(standingOf({ place: null, left_seconds: null }), "");
});

test("what was answered without measuring promises nothing", () => {
  const pull = { state: "done", spent_ms: 0, minutes: 10 };
  assert.equal(spentWords(pull), "Nothing was measured for it");
  assert.equal(baseWords(pull), "(not kept)");
  assert.equal(spentWords({ ...pull, state: "waiting" }), "To be measured for at most 10 min");
  assert.equal(baseWords({ state: "waiting" }), "not known yet");
  assert.equal(spentWords({ ...pull, spent_ms: 120000 }), "Measured for 2 min of at most 10 min");
});

test("GitLab calls it a merge request", () => {
  assert.equal(titleOf({ provider: "gitlab", number: 7 }), "Merge request 7");
  assert.equal(titleOf({ provider: "submit", number: null, commit: "0123456789abcdef" }), "Commit 012345678");
});
