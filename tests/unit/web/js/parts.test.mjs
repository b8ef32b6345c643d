import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { markup, roomOf } from "./dom.mjs";
import { apart, contentWidth, copyButton, cutWords, pager, portionClass, progressBar, row, scaleWords, sparkline, tableBox, totalOf, verdictBadge } from "/static/parts.js";

const plain = (text) => text.replace(/[\u202f\u00a0]/g, " ");

test("the four portions have colours of their own, others take turns", () => {
  assert.deepEqual([["T"], ["W", 9], ["TI", 1], ["", 2], ["W-2", 7], ["X"]].map((given) => portionClass(...given)),
    ["p-T", "p-W", "p-1", "p-2", "p-3", "p-0"]);
});

test("a total says of which configuration it is where it is not above all others", () => {
  const of = (...pairs) => totalOf(pairs.map(([configuration, parent = null]) => ({ configuration, parent })));
  assert.equal(of(), null);
  assert.equal(of(["none"], ["off", "none"], ["write", "off"]), null);
  assert.equal(of(["none"], ["off", "none"], ["file", "off"], ["tcp", "off"]), "file");
  assert.equal(of(["parse"], ["print"]), "parse", "unrelated benchmarks");
});

test("only a change is loud", () => {
  const of = (verdict, direction, standing) => verdictBadge({ verdict, direction, standing });
  assert.equal(of("anomaly", "up").getAttribute("class"), "badge loud");
  assert.match(of("anomaly", "up").textContent, /^▲ /);
  assert.match(of("anomaly", "down").textContent, /^▼ /);
  assert.match(of("anomaly", null).textContent, /^● /);
  for (const standing of ["doubtful", "incomparable", "missing"]) assert.equal(of("ok", null, standing).getAttribute("class"), "badge warn");
  assert.equal(of("ok").getAttribute("class"), "badge");
});

test("the width is what the page's padding leaves", () => {
  roomOf(700.9);
  assert.equal(contentWidth(), 660);
});

test("a bar moves with its job", () => {
  const { element, update } = progressBar({ progress: null });
  const bar = element.one("progress");
  assert.equal(bar.value, 0);
  for (const [progress, percent, left] of [[{ done: 0, total: 0, phase: "checkout" }, 0, ""],
    [{ done: 1, total: 3, phase: "measure", eta_seconds: 300 }, 33, "about 5 min left"],
    [{ done: 3, total: 3, phase: "upload", eta_seconds: null }, 100, ""]]) {
    update({ progress });
    assert.equal(bar.value, percent);
    assert.equal(element.all("span")[1].textContent, left);
  }
});

test("values far outside are cut off, and told", () => {
  const quiet = Array.from({ length: 30 }, (_, i) => 100 + i % 3);
  assert.equal(cutWords(quiet), "");
  assert.equal(cutWords([]), "");
  assert.equal(plain(cutWords([...quiet, 9000])), "1 value cut off, up to 9.00 µs");
  assert.equal(cutWords([...quiet, 9000], [9000]), "", "a level that is told is shown");
  assert.equal(plain(cutWords([...quiet, 2])), "1 value cut off, down to 2.00 ns");
  assert.equal(plain(cutWords([...quiet, 9000, 2])), "2 values cut off, up to 9.00 µs, down to 2.00 ns");
  assert.equal(plain(cutWords([...quiet, 9000, null, 12000])), "2 values cut off, up to 12.0 µs");
});

test("a line has gaps where nothing was measured, and arrows where it leaves", () => {
  const line = (values) => sparkline(values, "p-T", "T");
  assert.equal(line([]), null);
  assert.equal(line([null, null]), null);
  assert.equal(line([5]).one("path").getAttribute("d"), "M120.0 24.0h0.01");
  assert.equal(line([1, null, 3]).one("path").getAttribute("d").match(/M/g).length, 2);
  const cut = line([...Array.from({ length: 30 }, (_, i) => 100 + i % 3), 9000]);
  assert.equal(cut.all("path").length, 2);
  assert.match(cut.getAttribute("aria-label"), /^T: from .* to .*; 1 value cut off/);
  const told = sparkline([...Array.from({ length: 30 }, (_, i) => 100 + i % 3), 9000], "p-T", "T", [100, 9000]);
  assert.equal(told.all("path").length, 1, "nothing is cut off");
  for (const number of cut.one("path").getAttribute("d").match(/-?[\d.]+/g)) assert.ok(number >= 0 && number <= 240);
});

test("labels that would overlap move down, in order and no further than needed", () => {
  const at = (items, distance) => apart(items.map((y) => ({ y })), distance).map((item) => item.y);
  assert.deepEqual(at([30, 10, 12], 10), [10, 20, 30]);
  assert.deepEqual(at([0, 100], 10), [0, 100]);
  assert.deepEqual(at([5, 5, 5], 4), [5, 9, 13]);
  assert.deepEqual(at([], 4), []);
  const items = [{ y: 5, text: "b" }, { y: 1, text: "a" }];
  assert.deepEqual(apart(items, 10).map((i) => i.text), ["a", "b"]);
  assert.equal(items[0].y, 5, "what was given stays");
});

test("a table stands in a region with a name", () => {
  assert.equal(markup(tableBox("Nights", row(["a", 1], "th"))), '<div class="scroll" role="region" aria-label="Nights">' +
    '<tr><th scope="col">a</th><th scope="col">1</th></tr></div>');
});

test("text is copied, or selected where copying is forbidden", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const copied = [], selected = [];
  Object.defineProperty(globalThis, "navigator", { configurable: true, value: { clipboard: { writeText: async (t) => copied.push(t) } } });
  globalThis.getSelection = () => ({ selectAllChildren: (node) => selected.push(node) });
  const source = { textContent: "abc" }, button = copyButton(source);
  await button.fire("click");
  assert.deepEqual([copied, button.textContent], [["abc"], "Copied"]);
  mock.timers.tick(2000);
  assert.equal(button.textContent, "Copy");
  navigator.clipboard.writeText = async () => { throw new Error("NotAllowedError"); };
  await button.fire("click");
  assert.deepEqual([selected, button.textContent], [[source], "Selected"]);
  mock.timers.reset();
});

test("a line's scale is told, and a few percent of noise do not fill it", () => {
  assert.equal(plain(scaleWords([1000, 1020, null, 980])), "0.900 µs to 1.10 µs");
  assert.equal(scaleWords([null]), "");
  const ys = sparkline([1000, 1020, 980], "p-W", "W").one("path").getAttribute("d").match(/ ([\d.]+)(?=h|L|$)/g).map(Number);
  assert.ok(Math.max(...ys) - Math.min(...ys) < 10, `noise is drawn ${Math.max(...ys) - Math.min(...ys)} px high`);
  assert.equal(plain(scaleWords([1000, 3000])), "1.00 µs to 3.00 µs");
});

test("a night a little beyond the level that is told is not cut off", () => {
  const nights = [...Array.from({ length: 9 }, (_, i) => 199 + i / 10), 320.2, 320.5, 321];
  assert.deepEqual([cutWords(nights, [199, 320.9]), scaleWords(nights, [199, 320.9])], ["", "199\u202fns to 321\u202fns"]);
  assert.match(cutWords(nights), /^3 values cut off/);
});

test("a scale cuts nothing off by its own rounding", () =>
  assert.equal(cutWords([1128.8636000000001, 1134.746, 1133.8804, 1131.2958, 827.0848, 827.2092, 828.2138, 830.1228]), ""));

test("a pager keeps the focus where one goes on, and leaves it to the other button at the end", async () => {
  const drawn = [], pages = pager((at) => `${at + 1} of 3`, (at) => drawn.push(at));
  pages.show(0, 3);
  const press = async (text) => {
    await pages.element.all("button").find((b) => b.textContent === text).fire("click");
    return [pages.element.textContent, document.activeElement.textContent];
  };
  assert.deepEqual(pages.element.all("button").map((b) => b.getAttribute("disabled")), ["", null]);
  assert.deepEqual(await press("Older"), ["Newer 2 of 3 Older", "Older"]);
  assert.deepEqual(await press("Older"), ["Newer 3 of 3 Older", "Newer"]);
  assert.deepEqual(await press("Newer"), ["Newer 2 of 3 Older", "Newer"]);
  assert.deepEqual(drawn, [0, 1, 2, 1]);
  pages.show(0, 1);
  assert.equal(pages.element.textContent, "", "one page needs no buttons");
});
