import assert from "node:assert/strict";
import { test } from "node:test";
import { roomOf } from "./dom.mjs";
import { doubleStack } from "/static/doublestack.js";

const configuration = (name, mean_ns) => ({ name, mean_ns, low_ns: mean_ns - 1, high_ns: mean_ns + 1,
  statistics: { q1_ns: mean_ns - 2, median_ns: mean_ns - 1, q3_ns: mean_ns } });
const portion = (name, of, parent) => ({ portion: name, configuration: of, parent });
const chain = { level: 0.95, configurations: [configuration("none", 100), configuration("probe", 150), configuration("full", 400)],
  portions: [portion("T", "none", null), portion("I", "probe", "none"), portion("W", "full", "probe")] };

const rects = (figure, className) => figure.all("rect", className).map((r) => ({ y: Number(r.getAttribute("y")), height: Number(r.getAttribute("height")) }));

test("both stacks grow from the ground, each portion from the end of the one below", () => {
  roomOf(800);
  const figure = doubleStack(chain);
  for (const className of ["behind", "front"]) {
    const stack = rects(figure, className);
    assert.equal(stack.length, 3);
    for (let i = 1; i < stack.length; i++)
      assert.ok(Math.abs(stack[i].y + stack[i].height - stack[i - 1].y) < 1e-9, `${className} ${i} stands on ${i - 1}`);
  }
  const [t, i, w] = rects(figure, "behind").map((r) => r.height);
  assert.ok(Math.abs(i / t - 0.5) < 1e-9 && Math.abs(w / t - 2.5) < 1e-9, "as high as their portions");
});

test("a label names the sum that it tells: up to its portion", () => {
  roomOf(800);
  const texts = doubleStack(chain).all("text", "label").map((t) => t.textContent);
  assert.deepEqual(texts.filter((t) => !t.startsWith("to ")).map((t) => t[0]), ["T", "T"]);
  assert.equal(texts.filter((t) => t.startsWith("to W  ")).length, 2);
  assert.ok(texts.some((t) => t.endsWith("(398 – 400)  399\u202fns")), "the quartiles of the table");
});

test("labels keep their distance, and on a phone they are shorter", () => {
  const close = { ...chain, configurations: [configuration("none", 400), configuration("probe", 401), configuration("full", 402)] };
  for (const [room, quartilesShown] of [[800, true], [390, false]]) {
    roomOf(room);
    const texts = doubleStack(close).all("text", "label");
    for (const anchor of ["start", "end"]) {
      const ys = texts.filter((t) => t.getAttribute("text-anchor") === anchor).map((t) => Number(t.getAttribute("y")));
      assert.equal(ys.length, 3);
      for (let k = 1; k < ys.length; k++) assert.ok(ys[k - 1] - ys[k] >= 17 - 1e-9);
    }
    assert.equal(texts.some((t) => t.textContent.includes("(")), quartilesShown);
  }
});

test("of a tree the first chain is stacked, and a circle ends", () => {
  roomOf(800);
  const tree = { ...chain, configurations: [...chain.configurations, configuration("tcp", 900)],
    portions: [...chain.portions, portion("W", "tcp", "probe")] };
  assert.equal(rects(doubleStack(tree), "behind").length, 3);
  const circle = { ...chain, portions: [portion("T", "none", null), portion("I", "probe", "none"), portion("X", "none", "probe")] };
  assert.ok(doubleStack(circle));
});

test("nothing measured is nothing drawn", () => {
  const gone = { ...chain, configurations: chain.configurations.map((c) => ({ ...c, mean_ns: null })) };
  for (const e of [gone, { ...chain, portions: [] }, { ...chain, portions: chain.portions.slice(0, 1) }, { ...chain, configurations: [] }]) assert.equal(doubleStack(e), null);
});

test("where no calls are known, such as of an imported night, the means stand alone", () => {
  const imported = { n: 0, median_ns: null }, single = { n: 5, q1_ns: null, median_ns: 100, q3_ns: null }; // a loop is one value
  for (const [room, statistics] of [800, 390].flatMap((width) => [[width, imported], [width, single]])) {
    roomOf(room);
    const figure = doubleStack({ ...chain, configurations: chain.configurations.map((c) => ({ ...c, statistics })) }), [svg] = figure.all("svg");
    assert.equal(rects(figure, "front").length, 3, "in full colours");
    assert.equal(rects(figure, "behind").length, 0);
    assert.deepEqual(figure.all("text", "tick").map((t) => t.textContent), ["mean"]);
    assert.doesNotMatch(svg.getAttribute("aria-label"), /median/);
    assert.match(figure.all("figcaption")[0].textContent, /: mean and its .* over loops\. Medians of the calls are not known\.$/);
    const left = Math.min(...figure.all("rect", "front").map((r) => Number(r.getAttribute("x"))));
    assert.ok(left <= 12, `the bar stands at ${left}: no room is left for another`);
  }
});
