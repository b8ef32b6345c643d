import assert from "node:assert/strict";
import { test } from "node:test";
import { byNight, commitRuns, endedWords, isTakenIn } from "/static/runs.js";

test("a commit is told once for the nights in a row that measured it", () => {
  const of = (...names) => commitRuns(names.map((sha) => ({ commit: sha ? { sha } : null })));
  assert.deepEqual(of("b", "b", "b", "a", "b"), [3, 0, 0, 1, 1]);
  assert.deepEqual(of(null, null, "a"), [1, 1, 1]);
  assert.deepEqual(of(), []);
});

test("what was taken in is no job; the others stand by project and night, the last ended first", () => {
  const job = (id, project, night, finished_ms, more) => ({ id, project, night, queued_ms: 10, finished_ms, ...more });
  const jobs = [job(1, "p", "n1", 20), job(2, "q", "n1", 40), job(3, "p", "n1", 30), job(4, "p", "n2", 5), job(5, "p", "n2", 50, { node: "imported" })];
  assert.deepEqual(byNight(jobs).map((g) => [g.project, g.night, ...g.jobs.map((j) => j.id)]), [["q", "n1", 2], ["p", "n1", 3, 1]]);
  assert.ok(isTakenIn(jobs[3]) && !isTakenIn({ queued_ms: 10, finished_ms: null }));
});

test("that no job is listed is no word that there was none", () => {
  const ran = { queued_ms: 10, finished_ms: 20 }, imported = { queued_ms: 30, finished_ms: 20 };
  assert.equal(endedWords([]), "None yet.");
  assert.equal(endedWords([ran]), null);
  for (const jobs of [[imported], [ran, imported]])
    assert.equal(endedWords(jobs), "Jobs of imported nights are not listed: they ran elsewhere.");
});
