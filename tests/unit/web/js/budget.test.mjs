// How a budget was spent is said by configuration.
import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetWords } from "/static/budget.js";

const night = (budget) => ({ environment_detail: { detail: { budget } } });

test("a night without a budget says nothing", () => {
  assert.equal(budgetWords({ environment_detail: null }), "");
  assert.equal(budgetWords({ environment_detail: { cpu: "x", detail: {} } }), "");
  assert.equal(budgetWords(night({ minutes: 5, spent_minutes: 0, configurations: {} })), "");
});

test("each configuration has its loops and share", () => {
  const words = budgetWords(night({ minutes: 20, spent_minutes: 19.5, rounds: 5, configurations: {
    none: { loops: 1, minutes: 1.95, percent: 10.2 }, full: { loops: 60, minutes: 17.55, percent: 89.8 } } }));
  assert.match(words, /^.+ of .+: none 1 loop \(10\u202f%\), full 60 loops \(90\u202f%\)$/);
});
