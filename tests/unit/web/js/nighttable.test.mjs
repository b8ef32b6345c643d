import "./dom.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { csvOf, nightsWanted, nightTable } from "/static/nighttable.js";

const portion = (name, mean, more) => ({ portion: name, configuration: name.toLowerCase(), parent: null, mean_ns: mean, low_ns: mean - 2, high_ns: mean + 2,
  verdict: "ok", direction: null, ...more });
const night = (i, subject, portions, more) => ({ experiment: i, night: `2026-03-0${i}`, state: "measured", headline: "nothing changed", release: null, note: null,
  commit: { sha: `${i}`.repeat(40), short: `${i}`.repeat(9), author: "Nora", subject }, total: { mean_ns: 100, low_ns: 90, high_ns: 110 }, portions, ...more });
const nights = [night(4, "=HYPERLINK(1)", [portion("T", 70)]), night(3, "Say \"hello\", twice", [portion("T", 90, { verdict: "anomaly", direction: "up", standing: "changed", words: "rose" })]),
  night(2, "Gradle", [], { state: "failed", total: null, headline: "failed: did not build" }), night(1, "Tests", [portion("T", 70)], { environment_changed: true })];

test("nights are looked for by words, and by whether they have news", () => {
  const of = (wanted) => nightsWanted(nights, wanted).map((n) => n.experiment);
  assert.deepEqual(of({ find: "", only: false }), [4, 3, 2, 1]);
  assert.deepEqual(of({ find: "gradle", only: false }), [2]);
  assert.deepEqual(of({ find: "", only: true }), [3, 1]);
  assert.deepEqual(of({ find: "nora", only: true }), [3, 1]);
  assert.deepEqual(of({ find: "nobody", only: false }), []);
});

test("what somebody answered is told of its portion, with who and why", () => {
  globalThis.matchMedia ??= () => ({ matches: false });
  const answered = portion("I", 120, { rule: "answered-false", words: "no change here, as somebody said", reason: "ada answered that nothing changed: a backup ran" });
  const text = nightTable([night(1, "x", [answered])], null, { find: "", only: true }, () => {}, null).one("tbody").textContent;
  assert.match(text, /120.* no change here, as somebody said/);
  assert.match(text, /ada answered that nothing changed: a backup ran/);
  const later = nightTable([night(1, "x", [{ ...answered, later: "up", words: "rose, as a later measurement showed" }])], null, { find: "", only: true }, () => {}, null);
  assert.doesNotMatch(later.one("tbody").textContent, /answered/, "what a later night told stands");
});

test("a file of the nights holds what is seen, and no formula", () => {
  const [head, ...lines] = csvOf(nights).trimEnd().split("\r\n");
  assert.equal(head, '"night","commit","author","subject","release","state","verdict","total mean_ns","total low_ns","total high_ns","T (t) mean_ns","T (t) low_ns","T (t) high_ns","T (t) verdict"');
  const shares = csvOf([night(1, "x", [portion("T", 70, { unit: "%" })])]).split("\r\n")[0];
  assert.match(shares, /,"total mean \(%\)",.*,"T \(t\) mean \(%\)","T \(t\) low \(%\)","T \(t\) high \(%\)","T \(t\) verdict"$/);
  assert.match(lines[0], /,"'=HYPERLINK\(1\)",,"measured","nothing changed",100,90,110,70,68,72,"as before"$/);
  assert.match(lines[1], /"Say ""hello"", twice",.*"rose"$/);
  assert.match(lines[2], /"failed","failed: did not build",,,,,,,$/);
  assert.equal(lines.length, 4);
});

test("the total names its configuration where others are not below it", () => {
  globalThis.matchMedia ??= () => ({ matches: false });
  const head = (portions) => nightTable([night(1, "x", portions)], null, { find: "", only: false }, () => {}, null).all("th")
    .map((th) => th.textContent).find((text) => text.startsWith("Total"));
  const writers = [portion("T", 70), portion("W", 90, { parent: "t" }), portion("W-2", 95, { parent: "t" })];
  assert.equal(head(writers), "Total w");
  assert.equal(head(writers.slice(0, 2)).trim(), "Total");
});

test("what is typed is told to the address, and the table shows it at once", async () => {
  globalThis.matchMedia ??= () => ({ matches: false });
  const kept = [], table = nightTable(nights, null, { find: "", only: false }, (next) => kept.push(next), null);
  const rows = () => table.one("tbody").all("th").map((th) => th.textContent);
  assert.equal(rows().length, 4);
  const [field, box] = table.all("input");
  await field.fire("input", { target: Object.assign(field, { value: " gradle " }) });
  assert.deepEqual(rows(), ["2026-03-02"]);
  await field.fire("input", { target: Object.assign(field, { value: "" }) });
  await box.fire("change", { target: Object.assign(box, { checked: true }) });
  assert.deepEqual(rows(), ["2026-03-03", "2026-03-01"]);
  assert.deepEqual(kept, [{ find: "gradle" }, { find: "" }, { only: true }]);
  assert.match(table.textContent, /2 of 4 nights/);
});

test("of a commit that was measured often only the rows that stand here are counted", () => {
  globalThis.matchMedia ??= () => ({ matches: false });
  const again = nights.map((n) => ({ ...n, commit: nights[0].commit }));
  const text = nightTable(again, null, { find: "", only: false }, () => {}, null).one("tbody").textContent;
  assert.match(text, /for 4 rows/);
  assert.doesNotMatch(text, /measured \d+ times/);
});
