import "./dom.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { h } from "/static/dom.js";
import { ALONE, asOf, backportWords, behindMain, besideOf, branchChoice, branchLines, branchProblems, otherBranches, withFurther } from "/static/branches.js";

const branches = [{ branch: "main", project: "kieker", enabled: true },
  { branch: "1.15.x", project: "kieker~1.15.x", enabled: true }, { branch: "1.14.x", project: "kieker~1.14.x", enabled: false }];
const main = { name: "kieker", branch: "main", branches }, release = { name: "kieker~1.15.x", branch: "1.15.x", branches };
const alone = { name: "otel", branch: "main", branches: [{ branch: "main", project: "otel", enabled: true }] };

const today = new Date().toISOString().slice(0, 10);

test("beside a branch is the one that was asked for, or the first other", () => {
  assert.equal(besideOf(main, null).branch, "1.15.x");
  assert.equal(besideOf(main, "1.14.x").branch, "1.14.x");
  assert.equal(besideOf(main, "gone").branch, "1.15.x");
  assert.equal(besideOf(release, null).branch, "main");
  assert.equal(besideOf(main, ALONE), null);
  assert.equal(besideOf(alone, null), null);
  assert.equal(besideOf({ name: "old" }, null), null);
});

test("another branch stands in each night as it was measured last", () => {
  const night = (at, state = "measured") => ({ night: `2013-04-0${at}`, state });
  const others = [night(2), night(4), night(5, "failed"), night(7)];
  assert.deepEqual(asOf([1, 2, 3, 4, 5, 6, 7].map((at) => night(at)), others).map((n) => n?.night.slice(-1) ?? null),
    [null, "2", "2", "4", "4", "4", "7"]);
  assert.deepEqual(asOf([], others), []);
  assert.deepEqual(asOf([night(1)], []), [null]);
});

test("a branch is chosen, and another one beside it", () => {
  const asked = [], [branch, beside] = branchChoice(main, besideOf(main, null), { go: (p) => asked.push(p), beside: (b) => asked.push(b) });
  assert.equal(branch.textContent, "Branch main1.15.x1.14.x");
  assert.equal(beside.textContent, "beside 1.15.x1.14.xnone");
  assert.equal(branchChoice(alone, null, {}), null);
});

test("the other branches are told in a line each", () => {
  const projects = [{ ...main }, { ...release, enabled: true, quiet: "Nothing new for 3 nights", clear: true, latest: { night: today }, portions: [], alert: null, problem: "branch 1.15.x is not (or no longer) in the repository" },
    { name: "kieker~1.14.x", branch: "1.14.x", enabled: false, problem: "old" }];
  assert.equal(otherBranches(main, projects).textContent,
    "Other branches1.15.x: ✓ Nothing new for 3 nights.1.14.x: no longer measured; its nights are kept.");
  assert.equal(otherBranches(alone, projects), null);
  assert.deepEqual(branchProblems(main, projects).map((e) => e.textContent), ["Branch 1.15.x: branch 1.15.x is not (or no longer) in the repository"]);
  assert.deepEqual(branchProblems(alone, projects), []);
  const told = { ...projects[1], alert: { id: 4, state: "open", aged: false, sentence: "I rose" } };
  assert.match(otherBranches(main, [told]).textContent, /1\.15\.x: I rose/);
  assert.match(otherBranches(main, [{ ...told, open_alerts: 3 }]).textContent, /1\.15\.x: I rose and 2 more open$/);
  assert.match(otherBranches(main, [{ ...told, enabled: false }]).textContent, /1\.15\.x: I rose/);
});

test("what other branches say of a commit is told with a link to theirs", () => {
  const sha = "abc1234567890", alert = { branches: [{ sentence: "1.15.x has this fix as abc123456", commit: sha }, { sentence: "1.14.x lacks this fix", commit: null }] };
  const told = h("p", {}, backportWords(alert, "https://example.org/{commit}"));
  assert.equal(told.textContent, "1.15.x has this fix as abc123456. 1.14.x lacks this fix. ");
  assert.equal(told.all("a")[0].getAttribute("href"), `https://example.org/${sha}`);
});

test("further branches go with their project", () => {
  const list = [{ name: "a~1", branch: "1", main: "a" }, { name: "b", main: null }, { name: "a", main: null }, { name: "c~1", branch: "1", main: "c" }];
  assert.deepEqual(withFurther(list).map((p) => [p.name, p.further.map((o) => o.name)]), [["b", []], ["a", ["a~1"]], ["c~1", []]]);
  const bars = [{ of: list[0] }, { of: list[2] }, { of: list[1] }, { of: list[2] }, { of: list[3] }];
  assert.deepEqual(behindMain(bars, (bar) => bar.of).map((bar) => bar.of.name), ["a", "b", "a", "a~1", "c~1"]);
  assert.equal(branchLines([{ name: "a~1", branch: "1", enabled: true, quiet: "Nothing new for 2 nights", clear: true, latest: { night: today }, portions: [], alert: null }]).textContent,
    "1: ✓ Nothing new for 2 nights.");
});
