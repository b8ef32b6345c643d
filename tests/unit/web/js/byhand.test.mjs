import assert from "node:assert/strict";
import { test } from "node:test";
import { answering } from "./dom.mjs";
import { alertLevels, levelWords, nightLevels } from "/static/byhand.js";
import { h } from "/static/dom.js";

globalThis.sessionStorage = { getItem: () => "t7", setItem: () => {} };
const NIGHT = { project: "a b", night: "2024-03-05", portions: [{ portion: "I", configuration: "empty" },
  { portion: "W", configuration: "writing" }] };
const LEVEL = { id: 3, night: "2024-03-05", portions: null, alert: null, was: null, reason: "new compiler",
  author: "ada", made_ms: 0 };
const ALERT = { id: 7, project: "p", state: "open", to: { night: "2024-03-05" } };
const page = (content) => h("div", {}, content);

test("what was said, in words", () => {
  assert.equal(levelWords(LEVEL), "A new level begins with this night");
  assert.equal(levelWords({ ...LEVEL, portions: NIGHT.portions }), "A new level of I, W begins with this night");
  assert.equal(levelWords({ ...LEVEL, alert: 7, was: "2024-03-01" }),
    "The level of alert 7 begins with 2024-03-05 instead of 2024-03-01");
  assert.equal(levelWords({ ...LEVEL, alert: 7, night: null, was: "2024-03-01" }),
    "The level of alert 7, which began with 2024-03-01, was removed");
});

test("a level begins with a night, of the portions that are chosen", async () => {
  const asked = answering([201, {}], [201, {}]), done = [];
  const form = page(nightLevels(NIGHT, [], () => done.push(true))).one("form");
  form.all("input").at(-2).value = "new compiler";
  await form.fire("submit", { submitter: form.one("button") });
  assert.equal(asked[0].path, "/api/v1/projects/a%20b/baselines");
  assert.deepEqual(JSON.parse(asked[0].body), { night: "2024-03-05", reason: "new compiler" });
  form.all("input")[1].checked = true;
  await form.fire("submit", { submitter: form.one("button") });
  assert.deepEqual(JSON.parse(asked[1].body), { night: "2024-03-05", reason: "new compiler", portions: ["writing"] });
  assert.deepEqual(done, [true, true]);
});

test("one that is in force says why, and is undone", async () => {
  const asked = answering([200, {}]);
  const box = page(nightLevels(NIGHT, [LEVEL, { ...LEVEL, id: 4, night: "2024-03-06" }], () => {}));
  assert.match(box.textContent, /A new level begins with this night: new compiler \(ada/);
  assert.equal(box.all("form").length, 2, "of this night alone, and the form for another one");
  const form = box.one("form");
  form.one("textarea").value = "it was not";
  await form.fire("submit", { submitter: form.one("button") });
  assert.equal(asked[0].path, "/api/v1/baselines/3/undo");
  assert.deepEqual(JSON.parse(asked[0].body), { reason: "it was not" });
});

test("an alert's level is moved or removed", async () => {
  const asked = answering([201, {}], [409, { detail: "it begins there already" }]);
  const form = page(alertLevels(ALERT, [], () => {})).one("form");
  const [move, remove] = form.all("button").map((b) => Object.assign(b, { value: b.getAttribute("value") }));
  form.one("input").value = "2024-03-02";
  form.all("input").at(-2).value = "seen before";
  await form.fire("submit", { submitter: remove });
  assert.deepEqual(JSON.parse(asked[0].body), { alert: 7, reason: "seen before" });
  await form.fire("submit", { submitter: move });
  assert.deepEqual(JSON.parse(asked[1].body), { alert: 7, reason: "seen before", night: "2024-03-02" });
  assert.match(form.textContent, /Not accepted: it begins there already/);
});

test("one that somebody moved is undone first, and a withdrawn one has no level", () => {
  const moved = page(alertLevels(ALERT, [{ ...LEVEL, alert: 7, was: "2024-03-01" }], () => {}));
  assert.deepEqual(moved.all("button").map((b) => b.textContent), ["Undo"]);
  assert.equal(alertLevels({ ...ALERT, state: "withdrawn" }, [LEVEL], () => {}).length, 0);
});
