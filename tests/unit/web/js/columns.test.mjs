import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf, LEFT, RIGHT } from "/static/columns.js";
import { boundariesOf, boundaryWords, dateTicks } from "/static/multiples.js";

const day = (i) => new Date(Date.UTC(2013, 0, 1) + i * 86400e3).toISOString().slice(0, 10);
const nightsOf = (days) => days.map((i) => ({ night: day(i) }));
const count = (n) => [...Array(n).keys()];

test("nights fill the width", () => {
  const map = columnsOf(nightsOf(count(10)), LEFT + RIGHT + 500);
  assert.equal(map.size, 50);
  assert.deepEqual(map.of, count(10));
  assert.equal(map.columns[3].x, LEFT + 150);
});

test("short gaps are days, long ones a column", () => {
  const map = columnsOf(nightsOf([0, 1, 2, 3, 6, 7, 8, 400, 401]), 2000);
  assert.deepEqual(map.columns.map((c) => c.missing), [0, 0, 0, 0, 1, 1, 0, 0, 0, 391, 0, 0]);
});

test("more nights than pixels are merged", () => {
  const map = columnsOf(nightsOf(count(3650)), 900);
  assert.equal(map.perColumn, 14);
  assert.equal(map.columns.reduce((sum, c) => sum + c.count, 0), 3650);
  assert.equal(map.of[3649], map.columns.length - 1);
});

test("a long gap parts merged nights, and several of one date have gaps between them", () => {
  const map = columnsOf(nightsOf([...count(400), ...count(210).map((i) => 500 + i)]), LEFT + RIGHT + 300);
  assert.deepEqual([map.perColumn, map.columns.length], [7, 58 + 1 + 30]);
  assert.deepEqual(map.columns.slice(57, 60).map(({ first, count: n, missing }) => [first, n, missing]),
    [[399, 1, 0], [400, 0, 100], [400, 7, 0]]);
  assert.deepEqual([map.of[399], map.of[400]], [57, 59]);
  assert.deepEqual(columnsOf(nightsOf([0, 1, 1, 1, 1, 1, 6]), 900).columns.map((c) => c.missing), [0, 0, 0, 0, 0, 0, 4, 0]);
});

test("an axis says a date once, and as many as fit", () => {
  const nights = ["2013-05-01", "2013-05-01", "2013-05-20"].map((night) => ({ night }));
  const texts = (width) => dateTicks(nights, columnsOf(nights, width)).map((t) => t.text);
  assert.deepEqual(texts(900), ["2013-05-01", "2013-05-20"]);
  assert.deepEqual(texts(200), ["2013-05-01"]);
  assert.deepEqual(dateTicks([], columnsOf([], 900)), []);
});

test("no night is no column", () => assert.deepEqual(columnsOf([], 900).columns, []));

test("boundaries of different kinds stand beside each other", () => {
  const nights = nightsOf(count(4));
  Object.assign(nights[0], { environment_changed: true, release: "v0" });
  Object.assign(nights[2], { environment_changed: true, accepted: true, release: "v1" });
  const map = columnsOf(nights, 900);
  assert.deepEqual(boundariesOf(nights, map).map((b) => [b.kind, Math.round(b.x - map.columns[b.kind === "release" && b.x < 200 ? 0 : 2].x)]),
    [["release", 0], ["environment", 0], ["accepted", 3], ["release", 6]]);
});


test("an incident divides, another environment has its own mark", () => {
  const nights = nightsOf(count(4)).map((n) => ({ ...n, incident: null }));
  nights[1].incident = { kind: "scale" };
  nights[2].incident = { kind: "environment" };
  const map = columnsOf(nights, 2000);
  assert.deepEqual(boundariesOf(nights, map), [{ x: map.columns[1].x, kind: "incident" }]);
});

test("lines between nights have names", () => {
  const nights = nightsOf(count(4));
  Object.assign(nights[0], { environment_changed: true });
  Object.assign(nights[1], { incident: { kind: "scale", headline: "Everything × 2" }, release: "1.7" });
  Object.assign(nights[3], { environment_changed: true, note: "JDK 21" });
  assert.equal(boundaryWords(nights), "2013-01-02 release 1.7, 2013-01-02 Everything × 2, 2013-01-04 another environment, 2013-01-04 JDK 21");
  assert.equal(boundaryWords(nightsOf(count(3))), "");
});
