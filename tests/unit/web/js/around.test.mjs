import assert from "node:assert/strict";
import { test } from "node:test";
import { answering } from "./dom.mjs";
import { near, nightsAround } from "/static/around.js";

const DAY_MS = 864e5, NOW_MS = Date.parse("2026-11-22T09:00:00Z");
const night = (date) => ({ night: date });
const daily = (newest, count) => Array.from({ length: count }, (_, i) =>
  night(new Date(Date.parse(newest) - i * DAY_MS).toISOString().slice(0, 10)));
const page = (items) => [200, { items, next: null }];
const questions = (asked) => asked.map(({ path }) => path.replace("/api/v1/projects/p/nights?portions=brief&", ""));

test("of a long history only the nights around are asked for", async () => {
  const asked = answering(page(daily("2024-03-13", 14)), page(daily("2024-02-29", 6)));
  const nights = await nightsAround("/projects/p", { from: "2024-02-29", to: "2024-03-03" }, 5, NOW_MS);
  assert.deepEqual(questions(asked), ["since=2024-02-29&until=2024-03-13&limit=5000", "until=2024-02-29&limit=10"]);
  assert.deepEqual(nights.map((n) => n.night), daily("2024-03-13", 19).map((n) => n.night), "newest first, each once");
});

test("where nights are rare, the next ones are found further off", async () => {
  const near = [night("2024-03-02"), night("2024-03-01")], far = [night("2024-05-01"), night("2024-04-01"), ...near];
  const asked = answering(page(near), page([night("2024-03-01"), night("2024-01-01")]), page(far));
  const nights = await nightsAround("/projects/p", { from: "2024-03-01", to: "2024-03-01" }, 3, NOW_MS);
  assert.deepEqual(questions(asked), ["since=2024-03-01&until=2024-03-07&limit=5000", "until=2024-03-01&limit=6",
    "since=2024-03-01&until=2024-04-18&limit=5000"]);
  assert.deepEqual(nights.map((n) => n.night), [...far.map((n) => n.night), "2024-01-01"]);
});

test("nothing is asked for beyond today", async () => {
  const asked = answering(page([night("2026-11-21")]), page([night("2026-11-21"), night("2026-11-20")]));
  const nights = await nightsAround("/projects/p", { from: "2026-11-21", to: "2026-11-21" }, 15, NOW_MS);
  assert.equal(asked.length, 2);
  assert.deepEqual(nights.map((n) => n.night), ["2026-11-21", "2026-11-20"]);
});

test("several nights of one date are all of the change's own, and come once", async () => {
  const same = Array.from({ length: 4 }, (_, i) => ({ night: "2025-01-03", experiment: 9 - i }));
  answering(page([...daily("2025-01-08", 5), ...same]), page([...same, ...daily("2025-01-02", 2)]));
  const nights = await nightsAround("/projects/p", { from: "2025-01-03", to: "2025-01-03" }, 3, NOW_MS);
  assert.deepEqual(nights.filter((n) => n.night === "2025-01-03").map((n) => n.experiment), [9, 8, 7, 6]);
  assert.equal(nights.length, 11);
});

test("behind an old change that nearly nothing followed, three questions find what there is", async () => {
  const own = [night("2016-01-05")], last = [night("2020-01-01"), ...own];
  const asked = answering(page(own), page(own), page(own), page(last));
  const nights = await nightsAround("/projects/p", { from: "2016-01-05", to: "2016-01-05" }, 15, NOW_MS);
  assert.deepEqual(questions(asked).filter((q) => q.includes("since")).map((q) => q.match(/until=([^&]+)/)[1]),
    ["2016-02-04", "2016-09-01", "2026-11-23"]);
  assert.deepEqual(nights.map((n) => n.night), ["2020-01-01", "2016-01-05"]);
});

test("of the nights around one, as many on each side, oldest first", () => {
  const nights = [6, 5, 4, 3, 2, 1].map((experiment) => ({ experiment }));
  const of = (experiment) => near(nights, experiment, 2).map((n) => n.experiment);
  assert.deepEqual([of(4), of(6), of(2), of(9)], [[2, 3, 4, 5, 6], [4, 5, 6], [1, 2, 3, 4], []]);
});
