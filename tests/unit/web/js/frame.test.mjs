// When a page is loaded and drawn again; the bar on top is tests/browser's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answering } from "./dom.mjs";

const typed = { value: "a reason", defaultValue: "" }, main = document.getElementById("main");
Object.assign(main, { contains: () => false, querySelectorAll: (tags) => tags.startsWith("textarea") ? [typed] : [] });
Object.assign(globalThis, { matchMedia: () => ({ matches: false, addEventListener() {} }), addEventListener() {}, scrollY: 0,
  EventSource: class { addEventListener() {} close() {} } });
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
