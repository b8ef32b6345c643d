import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { ago, bound, bytes, column, duration, interval, judgedWords, level, levelInterval, percent, percentText, signed, signedInterval, time, unitFor, value } from "/static/format.js";

const plain = (text) => text.replace(/[\u202f\u00a0]/g, " ");
const table = (call, cases) => { for (const [given, wanted] of cases) assert.equal(plain(call(...[given].flat())), wanted); };

test("values have three digits and a unit", () => table(value, [[0, "0 ns"], [1, "1.00 ns"], [0.0123, "0.012 ns"], [69.31, "69.3 ns"],
  [999.4, "999 ns"], [1620, "1.62 µs"], [-40, "-40.0 ns"], [1e10, "10.0 s"], [NaN, "–"], [null, "–"], [-0.0001, "0.000 ns"]]));

test("a sign says which way", () => table(signed, [[619, "+619 ns"], [-619, "-619 ns"], [0, "0 ns"]]));

test("an interval has the digits its half width deserves", () => {
  const of = (mean, half) => interval({ mean_ns: mean, low_ns: mean - half, high_ns: mean + half });
  table(of, [[[448, 1423], "0.4 ± 1.4 µs"], [[-6, 4196], "0 ± 4 µs"], [[820, 12], "820 ± 12 ns"], [[201, 9], "201 ± 9 ns"], [[1770, 50], "1.77 ± 0.05 µs"], [[70, 0], "70.0 ns"], [[0, 0], "0 ns"]]);
  assert.equal(interval(null), "–");
  assert.equal(plain(interval({ mean_ns: 5, low_ns: null, high_ns: null })), "5.00 ns");
  assert.equal(plain(interval({ mean_ns: 5000, low_ns: 4900, high_ns: 5100 }, unitFor(1))), "5000 ± 100 ns");
});

const around = (mean, half) => ({ mean_ns: mean, low_ns: mean - half, high_ns: mean + half });

test("a difference has its interval's digits, and so have its ends", () => {
  assert.equal(plain(signedInterval(around(0.348, 0.687))), "+0.3 ± 0.7 ns");
  assert.equal(plain(signedInterval(around(-619, 5))), "-619 ± 5 ns");
  assert.equal(plain(bound(around(0.348, 0.687), 1.035)), "+1.0 ns");
  assert.equal(plain(bound(around(0.348, 0.687), -0.339)), "-0.3 ns");
  assert.equal(bound(around(1, 1), null), "–");
  const wide = around(9060, 8910); // apart from zero, and is seen to be
  assert.deepEqual([wide.low_ns, wide.high_ns].map((ns) => plain(bound(wide, ns))), ["+0.15 µs", "+17.97 µs"]);
  const fell = around(-3810, 920);
  assert.deepEqual([fell.low_ns, fell.high_ns].map((ns) => plain(bound(fell, ns))), ["-4.7 µs", "-2.9 µs"]);
  assert.equal(plain(bound({ mean_ns: 5, low_ns: 0, high_ns: 10 }, 10)), "+10 ns");
});

test("a level is written without zeros that say nothing", () => {
  assert.deepEqual([0.95, 0.999, 0.9999, 0.5].map((l) => plain(level(l))), ["95 %", "99.9 %", "99.99 %", "50 %"]);
  assert.equal(plain(levelInterval(0.99)), "99 % interval");
  assert.equal(levelInterval(null), "interval");
});

test("an interval that is too narrow for the column's unit has its own", () => {
  const write = column([around(15500, 700), around(54400, 1000), around(90.92, 0.12), around(93, 4)]);
  assert.deepEqual([around(90.92, 0.12), around(93, 4)].map((r) => plain(write(r))), ["90.92 ± 0.12 ns", "0.093 ± 0.004 µs"]);
});

test("a column has one unit and as many decimals, where that fits", () => {
  const write = column([around(990, 20), around(1010, 30), around(1500, 11), null]);
  assert.deepEqual([around(990, 20), around(1500, 11), null].map((r) => plain(write(r))), ["0.99 ± 0.02 µs", "1.50 ± 0.01 µs", "–"]);
  assert.equal(plain(write(around(1200, 2))), "1.200 ± 0.002 µs", "an interval is not rounded to nothing");
  assert.equal(plain(write(around(1600, 0.2))), "1.600 ± < 0.001 µs", "nor told as exact where its own digits end");
  assert.equal(plain(write(around(3, 1))), "3.0 ± 1.0 ns", "what would vanish keeps its own unit");
  assert.equal(plain(write(around(1e10, 1e8))), "10.00 ± 0.10 s");
  assert.equal(plain(column([])(around(5, 1))), "5.0 ± 1.0 ns");
});

test("what suits ten years of nights is said by some of them, whichever part is looked at", () => {
  const nights = Array.from({ length: 3650 }, (_, i) => i % 20 === 0 ? null : around(1500 + i % 7, 20));
  assert.equal(plain(column(nights)(around(990, 20))), "0.99 ± 0.02 µs");
  const late = [...Array.from({ length: 3000 }, () => around(1500, 20)), ...Array.from({ length: 650 }, () => around(15, 2))];
  assert.equal(plain(column(late)(around(1500, 20))), "1.50 ± 0.02 µs", "of most, not of the newest or the oldest");
  assert.equal(plain(column(late.toReversed())(around(1500, 20))), "1.50 ± 0.02 µs");
});

test("percent needs something to compare with", () => {
  table(percent, [[[620, around(200, 20)], "+310 %"], [[-6, { mean_ns: 100, low_ns: null }], "-6.00 %"]]);
  for (const [difference, before] of [[1, around(0, 0)], [116200, around(222, 20)], [1, around(-5, 1)], [1, around(5, 33)], [1, null]])
    assert.equal(percent(difference, before), null);
  table(percentText, [[0, "0 %"], [9.96, "+9.96 %"], [9.996, "+10.0 %"], [0.3, "+0.30 %"], [-0.0026, "-0.0026 %"], [281.4, "+281 %"]]);
});

test("what is no time keeps its unit, however large it is", () => {
  const range = { mean_ns: 123456, low_ns: 123000, high_ns: 123912, unit: "spans" };
  assert.equal(plain(interval(range)), "123456 ± 456 spans");
  assert.equal(plain(column([range])({ ...range, mean_ns: 5, low_ns: 4, high_ns: 6 })), "5 ± 1 spans");
  assert.equal(plain(value(0.5, unitFor(0.5, "%"))), "0.500 %");
  assert.equal(plain(bound({ ...range, low_ns: 100, high_ns: 300, mean_ns: 200 }, 100)), "+100 spans");
});

test("durations leave out what is nothing", () => table(duration, [[42, "42 s"], [300, "5 min"], [312, "5 min 12 s"], [7260, "2 h 1 min"], [-1, "unknown"]]));

test("times are told from now", () => {
  assert.equal(ago(0, 5 * 60e3), "5 minutes ago");
  assert.equal(ago(86400e3, 0), "tomorrow");
});

test("a time says its zone, and itself in UTC", () => {
  const shown = time(Date.UTC(2026, 10, 27, 17, 32));
  assert.match(shown.textContent, /\b(UTC|GMT|[A-Z]{3,5})([+-]\d\d?(:\d\d)?)?$/);
  assert.equal(shown.getAttribute("title"), "2026-11-27 17:32 UTC");
  assert.equal(time(null).textContent, "never");
});

test("sizes", () => table(bytes, [[12, "12 B"], [812345, "793 KiB"], [3 << 20, "3.0 MiB"], [undefined, "–"]]));

test("what was judged is told where it is not what was measured", () => {
  const of = (mean_ns) => judgedWords({ mean_ns: 90, low_ns: 89, high_ns: 91, judged: { mean_ns } }, interval);
  assert.equal(plain(of(93.3)), "judged at 93.3 ns");
  assert.deepEqual([of(90.01), of(null), judgedWords({ mean_ns: 90 }, interval)], [null, null, null]);
});

test("a difference of percentages is one of points", () => {
  const range = { mean_ns: 3.9, low_ns: 3.7, high_ns: 4.1, unit: "%" };
  assert.equal(plain(signedInterval(range)), "+3.90 ± 0.20 points");
  assert.equal(plain(bound(range, range.low_ns)), "+3.70 points");
  assert.equal(plain(interval(range)), "3.90 ± 0.20 %");
  assert.equal(plain(signedInterval({ ...range, unit: "percent" })), "+3.90 ± 0.20 points");
});
