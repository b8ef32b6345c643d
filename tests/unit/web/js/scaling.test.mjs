import assert from "node:assert/strict";
import { test } from "node:test";
import { roomOf } from "./dom.mjs";
import { course, leftOver, portionLines, rangeOf, roomy, spaced } from "/static/scaling.js";

const at = (value, ...means) => ({ value, portions: ["none", "off"].slice(0, means.length).map((configuration, i) =>
  ({ portion: "TI"[i], configuration, mean_ns: means[i], low_ns: means[i] - 1, high_ns: means[i] + 1 })) });
const SWEEP = { values: [at(1, 10, 20), at(2, 12), at(4, 16, 80), { value: 8, portions: [] }],
  fits: [{ portion: "T", configuration: "none", slope: { mean_ns: 2 }, start: { mean_ns: 8 },
    residuals: [{ value: 1, residual_ns: 0 }, { value: 2, residual_ns: 0.5 }, { value: 4, residual_ns: -0.5 }] }] };

test("each portion has the values at which it was measured, and its line where there is one", () => {
  const [t, i] = portionLines(SWEEP);
  assert.deepEqual([t.name, t.points.map((p) => [p.x, p.y]), t.line], ["T", [[1, 10], [2, 12], [4, 16]], { slope: 2, start: 8 }]);
  assert.deepEqual(t.residuals, [{ x: 1, y: 0 }, { x: 2, y: 0.5 }, { x: 4, y: -0.5 }]);
  assert.deepEqual([i.name, i.points.map((p) => p.x), i.line, i.residuals], ["I", [1, 4], null, []]);
  assert.deepEqual(portionLines({ values: [], fits: [] }), []);
});

test("values have room beside each other, and the last one stands", () => {
  const wide = (v) => v * 4;
  assert.deepEqual(roomy([1, 2, 4, 8, 16, 32, 64, 128], wide, 26), [1, 8, 16, 32, 64, 128]);
  assert.deepEqual(roomy([1, 2, 3], wide, 26), [1, 3]);
  assert.deepEqual(roomy([7], wide), [7]);
  assert.deepEqual(roomy([], wide), []);
});

test("a scale holds 0 and all that there is", () => {
  assert.deepEqual(rangeOf([3, 9, NaN]), [0, 9]);
  assert.deepEqual(rangeOf([-2, 5]), [-2, 5]);
  assert.deepEqual(rangeOf([]), [0, 0]);
});

test("the vertical scale's values do not cover each other, and 0 stands", () => {
  const y = (v) => 100 - v;
  assert.deepEqual(spaced([0, -63, 6], y, String), [0, -63]);
  assert.deepEqual(spaced([0, 80, 40], y, String), [0, 80, 40]);
  assert.deepEqual(spaced([0, 80, 40], y, () => "0 ns"), [0]);
});

test("a fitted line that rises above the points ends within the chart", () => {
  roomOf(800);
  const points = [{ x: 1, y: 10 }, { x: 128, y: 99 }];
  const [path] = course([{ name: "C", points, line: { slope: 1.2, start: 7 } }], "depth").all("path", "line");
  const ends = path.getAttribute("d").match(/ [0-9.-]+/gu).map(Number);
  assert.ok(ends.every((v) => v >= 10 && v <= 220), ends.join());
});

const count = (node, name) => (node.tag === name ? 1 : 0) + (node.nodes ?? []).reduce((sum, n) => sum + count(n, name), 0);

test("a point and a whisker for each value, a dashed line for each fit", () => {
  globalThis.innerWidth = 800;
  const lines = portionLines(SWEEP), drawn = course(lines, "recursion depth");
  assert.equal(drawn.getAttribute("aria-label"), "Portions over recursion depth 1, 2, 4");
  assert.deepEqual([count(drawn, "circle"), count(drawn, "path")], [5, 1]);
  const left = leftOver(lines.filter(({ fit }) => fit), { name: "method time", tick: (v) => `${v} ns` });
  assert.equal(left.getAttribute("aria-label"), "Residuals over method time");
  assert.equal(count(left, "circle"), 3);
  assert.match(left.outerHTML ?? left.textContent, /4 ns/);
});

test("a joined name has room for its wide letters", () => {
  const room = (width, name) => {
    roomOf(width);
    const lines = [{ name, points: [{ x: 1, y: 2 }], residuals: [], line: null }];
    const drawn = course(lines, "threads"), [label] = drawn.all("text", "label");
    assert.equal(label.textContent, name);
    return Number(drawn.getAttribute("width")) - Number(label.getAttribute("x"));
  };
  for (const width of [1280, 390]) {
    assert.ok(room(width, "C+W") >= 34); // as wide as Chromium draws it in 13 px, and one more
    assert.ok(room(width, "I+C+W") >= 50);
  }
});

test("a line is named beside its end, in full where there is room", () => {
  const named = (name) => [{ name, points: [{ x: 1, y: 10 }, { x: 8, y: 40 }], line: null }];
  const labelOf = (room, name) => {
    roomOf(room);
    const drawn = course(named(name), "threads"), [label] = drawn.all("text", "label");
    const room_px = Number(drawn.getAttribute("width")) - Number(label.getAttribute("x"));
    assert.ok(room_px >= 8 * [...label.textContent].length, `"${label.textContent}" has ${room_px} px`);
    return label.textContent;
  };
  assert.equal(labelOf(1280, "W Zipkin"), "W Zipkin");
  assert.equal(labelOf(1280, "W with a very long name"), "W with a very…");
  assert.equal(labelOf(390, "W Zipkin"), "W Zip…");
  assert.equal(labelOf(390, "T"), "T");
});

test("where nothing is left over, the scale has one line", () => {
  roomOf(800);
  const residuals = [{ x: 1, y: 0 }, { x: 2, y: 0 }];
  const drawn = leftOver([{ name: "T", residuals }], "threads");
  assert.equal(drawn.all("line", "grid").length, 1);
  const some = leftOver([{ name: "T", residuals: [{ x: 1, y: -5 }, { x: 2, y: 7 }] }], "threads");
  assert.equal(some.all("line", "grid").length, 3);
});
