import assert from "node:assert/strict";
import { test } from "node:test";
import { answering, markup } from "./dom.mjs";
import { areSearched, commitList, commitsBetween, commitsWords } from "/static/between.js";

const commit = (sha, more = {}) => ({ sha, short: sha.slice(0, 4), subject: `did ${sha}`, author: "N", ...more });

test("nothing lies between a commit and itself, and the server is not asked", async () => {
  const asked = answering();
  for (const [after, until] of [["a", "a"], [null, "b"], ["a", undefined]])
    assert.deepEqual(await commitsBetween("p", after, until), { items: [], total: 0, reason: null });
  assert.equal(asked.length, 0);
});

test("a list that cannot be had says why", async () => {
  const asked = answering([200, { items: [], total: 3 }], [404, { detail: "the mirror has not been fetched" }]);
  assert.deepEqual(await commitsBetween("a/b", "x", "y"), { items: [], total: 3 });
  assert.equal(asked[0].path, "/api/v1/projects/a%2Fb/commits?after=x&until=y&limit=200");
  const found = await commitsBetween("p", "x", "y");
  assert.equal(found.reason, "the mirror has not been fetched");
  assert.equal(commitList(found, [], null).textContent, "They cannot be listed: the mirror has not been fetched.");
  assert.equal(commitList({ items: [], reason: null }, [], null), null);
});

test("those that were measured lead to their nights, and what is left out is counted", () => {
  const nights = [{ experiment: 9, night: "2024-03-05", commit: { sha: "bbbbbb" } }, { commit: { sha: "aaaaaa" } }];
  const [left, list] = commitList({ items: [commit("bbbbbb"), commit("aaaaaa")], total: 12 }, nights, "https://h/{commit}");
  assert.equal(left.textContent, "The newest 2 of 12; 10 older ones are left out.");
  assert.equal(list.getAttribute("start"), "11");
  assert.deepEqual(list.all("a").map((a) => a.getAttribute("href")),
    ["https://h/bbbbbb", "/experiments/9", "https://h/aaaaaa"]);
  const [none, whole] = commitList({ items: [commit("cccccc", { subject: "<b>" })], total: 1 }, nights, null);
  assert.equal(none, null);
  assert.match(markup(whole), /<bdi>&lt;b><\/bdi>/);
});

test("counted in words", () => {
  assert.deepEqual([0, 1, 12].map((total) => commitsWords({ total })), ["0 commits", "1 commit", "12 commits"]);
});

test("commits of another range than the search went through are not told as its", () => {
  const of = (bisection, total) => areSearched({ bisection }, { total });
  assert.deepEqual([of(null, 3), of({ commits: 3 }, 3), of({ commits: 9 }, 0), of({ commits: 9 }, 3), of({ commits: 9 }, 1)],
    [true, true, true, false, false]);
});
