import assert from "node:assert/strict";
import { test } from "node:test";
import { isFound, isNumber, joinWish, nightOf, nightsFound, splitWish, suggestions } from "/static/wish.js";

const nights = [
  { experiment: 4, state: "measured", night: "2013-03-04", release: null, commit: { sha: "beef4444", short: "beef4", subject: "fourth" } },
  { experiment: null, state: "failed", night: "2013-03-03", release: "1.8", commit: { sha: "abcd3333", short: "abcd3" } },
  { experiment: 2, state: "measured", night: "2013-03-02", release: "1.7", commit: { sha: "abcd2222", short: "abcd2", subject: "<b>" } },
  { experiment: 1, state: "measured", night: "2013-03-01", commit: { sha: "12345678", short: "12345" } },
];

test("an address is a project and a word", () => {
  assert.deepEqual(splitWish("kieker@1.7"), { project: "kieker", word: "1.7" });
  assert.deepEqual(splitWish("kieker@feature@x"), { project: "kieker", word: "feature@x" });
  assert.deepEqual(splitWish("kieker"), { project: "kieker", word: "" });
  assert.equal(joinWish("kieker", ""), "kieker");
  assert.equal(joinWish("kieker", "1.7"), "kieker@1.7");
  assert.ok(isNumber("17") && !isNumber("1.7") && !isNumber(""));
});

test("a word names a measured night", () => {
  const cases = [["", 4], ["1.7", 2], ["2013-03-01", 1], ["abcd", 2], ["BEEF44", 4], ["1.8", null], ["2013-03-03", null], ["abc", null], ["ffff", null]];
  for (const [word, experiment] of cases) assert.equal(nightOf(nights, word)?.experiment ?? null, experiment, word);
});

test("releases are offered first", () => assert.deepEqual(suggestions(nights).map((s) => s.word), ["1.7", "beef4", "abcd2", "12345"]));

test("nights are found by words of their commits, and of each commit the newest", () => {
  const of = (experiment, sha, subject, author, more) => ({ experiment, state: "measured", night: `2025-07-0${experiment}`, commit: { sha, subject, author }, ...more });
  const all = [of(4, "aa11", "Update to gradle 8.14", "Nora"), of(3, "aa11", "Update to gradle 8.14", "Nora"), of(2, "bb22", "Gradle wrapper", "Sam"),
    of(1, "cc33", "Tests", "Sam", { note: "JDK 21" }), { ...of(5, "dd44", "gradle again", "Sam"), state: "failed", experiment: null }];
  for (const [text, found] of [["gradle", [4, 2]], ["SAM", [2, 1]], ["jdk", [1]], ["cc3", [1]], ["c33", []], ["2025-07-02", [2]], ["maven", []]])
    assert.deepEqual(nightsFound(all, text).map((n) => n.experiment), found, text);
  assert.equal(isFound({ night: "2025-07-01", commit: null }, "x"), false);
});
