// When a page is loaded and drawn again; the bar on top is tests/browser's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answering } from "./dom.mjs";

const typed = { value: "a reason", defaultValue: "" }, fields = [typed], heard = {}, main = document.getElementById("main");
Object.assign(main, { contains: () => false, querySelectorAll: (tags) => tags.startsWith("textarea") ? fields : [] });
Object.assign(globalThis, { matchMedia: () => ({ matches: false, addEventListener() {} }), addEventListener() {}, scrollY: 0,
  EventSource: class { addEventListener(name, call) { heard[name] = call; } close() {} } });
document.documentElement = { dataset: {} };
document.getElementById = (id) => id === "main" ? main : document.createElement("div");

test("what is asked for while a page is loaded is drawn, though somebody types", async () => {
  answering();
  const { reload, start } = await import("../../../../web/static/frame.js");
  const drawn = [], waiting = [];
  const step = async () => { await new Promise((done) => { setImmediate(done); }); };
  start({ load: () => new Promise((done) => { waiting.push(done); }), show: (data) => drawn.push(data) });
  waiting.shift()("first");
  await step();
  reload(); // it is busy from here
  reload();
  reload();
  waiting.shift()("second");
  await step();
  assert.equal(waiting.length, 1, "once more, however often it was asked");
  waiting.shift()("third");
  await step();
  assert.deepEqual(drawn, ["first", "second", "third"]);
  assert.equal(waiting.length, 0);
});

test("a night that arrives is drawn, but over what somebody chose or typed", async (t) => {
  answering();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { start } = await import("../../../../web/static/frame.js");
  const drawn = [], box = { type: "checkbox", value: "on", defaultValue: "", checked: false, defaultChecked: false };
  const step = async () => { await new Promise((done) => { setImmediate(done); }); };
  start({ load: () => Promise.resolve("nights"), show: (data) => drawn.push(data), events: { night: () => true } });
  await step();
  const counts = [];
  for (const now of [[box], [{ ...box, checked: true }], [typed]]) {
    fields.splice(0, fields.length, ...now);
    heard.night({ data: "{}" });
    t.mock.timers.tick(60_000);
    await step();
    counts.push(drawn.length);
  }
  assert.deepEqual(counts, [2, 2, 2]);
});
