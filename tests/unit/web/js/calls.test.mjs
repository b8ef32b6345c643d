import assert from "node:assert/strict";
import { test } from "node:test";
import { roomOf } from "./dom.mjs";
import { callFigures } from "/static/calls.js";

const course = { median_ns: [900, 300, 100, 100], low_ns: [800, 200, 90, 90], high_ns: [1000, 400, 110, 110], calls: 4000, warmup_calls: 1000 };
const configuration = (more = {}) => ({ name: "full", portion: "W", histogram: { edges_ns: [100, 1000, 10000], counts: [3, 1] }, course, ...more });
const points = (path) => [...path.getAttribute("d").matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

test("the share of calls goes from none to all, on a logarithmic axis", () => {
  roomOf(640);
  const [spread] = callFigures([configuration()]);
  assert.deepEqual(points(spread.one("path", "line")), [[60, 154], [324, 46], [588, 10]]); // 0, 3/4, 1
  const ticks = spread.all("text").map((t) => t.textContent.replace(/[\u202f\u00a0]/g, " "));
  assert.deepEqual(ticks.slice(0, 5), ["0 %", "25 %", "50 %", "75 %", "100 %"]);
  assert.deepEqual(ticks.slice(5), ["100 ns", "200 ns", "500 ns", "1 µs", "2 µs", "5 µs", "10 µs"]);
});

test("a wide spread has decades alone, and every line its configuration's colour", () => {
  roomOf(640);
  const wide = configuration({ histogram: { edges_ns: [10, 1e7], counts: [1] } });
  const [spread] = callFigures([wide, configuration({ name: "tcp", portion: "W-2" })]);
  assert.equal(spread.all("text").length, 5 + 7);
  assert.deepEqual(spread.all("path").map((p) => p.getAttribute("class")), ["line p-W", "line p-1"]);
});

test("a class at zero does not break the axis", () => {
  const [spread] = callFigures([configuration({ histogram: { edges_ns: [0, 10, 100], counts: [1, 1] } })]);
  for (const [x, y] of points(spread.one("path", "line"))) assert.ok(Number.isFinite(x) && Number.isFinite(y) && x >= 60);
});

test("what has no calls has no figure", () => {
  const none = configuration({ histogram: null, course: { ...course, median_ns: [], low_ns: [], high_ns: [] } });
  const [spread, courses] = callFigures([none, configuration({ histogram: { edges_ns: [], counts: [] } })]);
  assert.equal(spread, null);
  assert.equal(courses.all("figure").length, 1);
});

test("the course shades what was warm-up and cuts a single pause off", () => {
  roomOf(640);
  const highs = [...Array(200).fill(110), 1e9], flat = Array(201).fill(100);
  const [, courses] = callFigures([configuration({ course: { median_ns: flat, low_ns: flat, high_ns: highs, calls: 4000, warmup_calls: 1000 } })]);
  const warmup = courses.one("rect", "warmup");
  assert.deepEqual(["x", "width"].map((name) => Number(warmup.getAttribute(name))), [60, 132]); // a quarter of 528
  for (const [, y] of points(courses.one("path", "area"))) assert.ok(y >= 10 && y <= 154);
  const [, y] = points(courses.one("path", "line"))[0];
  assert.ok(y < 154 / 2, "the usual calls are not flattened by it");
  assert.match(courses.one("svg").getAttribute("aria-label"), /the first 1000 of 4000 calls are warm-up/);
});
