import assert from "node:assert/strict";
import { test } from "node:test";
import { isNews, isOld, isUnseen, lastVisit, newestFirst, overviewWords } from "/static/news.js";

const NOW = Date.parse("2026-03-31T08:00:00Z");
const alert = (night, more) => ({ state: "open", aged: false, raised_ms: NOW - 1000, to: { night }, ...more });

test("an open alert is news until the server says that it has aged, whatever its night", () => {
  assert.ok(isNews(alert("2026-03-30")) && !isOld(alert("2026-03-30")));
  assert.ok(isNews(alert("2025-03-30")), "a project's ageing_days may be many");
  assert.ok(!isNews(alert("2026-03-30", { aged: true })) && isOld(alert("2026-03-30", { aged: true })));
});

test("what was answered is neither news nor old", () => {
  for (const state of ["acknowledged", "accepted", "false", "fixed", "withdrawn"])
    assert.ok(!isNews(alert("2026-03-30", { state })) && !isOld(alert("2026-03-30", { state })), state);
});

test("the newest night's alert comes first, whenever it was raised", () => {
  const ordered = newestFirst([alert("2026-03-01", { raised_ms: 9 }), alert("2026-03-30", { raised_ms: 1 }), alert("2026-03-30", { raised_ms: 2 })]);
  assert.deepEqual(ordered.map((a) => a.raised_ms), [2, 1, 9]);
});

test("a visit lasts while the reader comes back within half an hour", () => {
  const kept = new Map(), storage = { getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => kept.set(k, v) };
  const minutes = (n) => NOW + n * 60e3;
  assert.equal(lastVisit(storage, minutes(0)), null);
  assert.equal(lastVisit(storage, minutes(20)), null);
  assert.equal(lastVisit(storage, minutes(200)), minutes(20));
  assert.equal(lastVisit(storage, minutes(210)), minutes(20));
  assert.equal(lastVisit({ getItem: () => "no JSON" }, NOW), null);
  assert.ok(isUnseen({ raised_ms: 5 }, null) && isUnseen({ raised_ms: 5 }, 4) && !isUnseen({ raised_ms: 5 }, 5));
});

test("the overview's heading says no more than the newest nights do", () => {
  const of = (state, more) => ({ latest: state && { state, portions: [] }, clear: false, ...more });
  const clear = of("measured", { clear: true }), failed = of("failed"), none = of(null), quarantined = of("quarantined");
  const asked = { clear: false, latest: { state: "measured", portions: [{ standing: "doubtful" }] } };
  assert.deepEqual([[], [none, none], [clear, none], [clear, failed], [failed, failed, asked, clear], [quarantined],
    [{ clear: false, latest: { state: "measured", portions: [{ standing: "missing" }] } }],
    [{ clear: false, latest: { state: "measured", portions: [{ standing: "incomparable" }] } }], [of("measured")],
    [of("measured", { suspicions: 1 })]].map((projects) => overviewWords(projects, 0)),
  ["No project yet", "No night measured yet", "Nothing new", "Nothing certain: 1 project whose newest measurement failed",
    "Nothing certain: 2 projects whose newest measurement failed, 1 project in question",
    "Nothing certain: 1 project whose newest result is not used", "Nothing certain: 1 project not all of which was measured",
    "Nothing certain: 1 project not all of which can be compared with before",
    "Nothing certain: 1 project whose newest night is not clear", "Nothing certain: 1 project in question"]);
  assert.equal(overviewWords([clear, failed], 1), "1 of 2 projects changed");
});
