import assert from "node:assert/strict";
import { test } from "node:test";
import { ago, bytes, duration, interval, percent, percentText, signed, unitFor, value } from "/static/format.js";

const plain = (text) => text.replaceAll("\u202f", " ");
const table = (call, cases) => { for (const [given, wanted] of cases) assert.equal(plain(call(...[given].flat())), wanted); };

test("values have three digits and a unit", () => table(value, [[0, "0 ns"], [1, "1.00 ns"], [0.0123, "0.012 ns"], [69.31, "69.3 ns"],
  [999.4, "999 ns"], [1620, "1.62 µs"], [-40, "−40.0 ns"], [1e10, "10.0 s"], [NaN, "–"], [null, "–"], [-0.0001, "0.000 ns"]]));

test("a sign says which way", () => table(signed, [[619, "+619 ns"], [-619, "−619 ns"], [0, "0 ns"]]));

test("an interval has the digits its half width deserves", () => {
  const of = (mean, half) => interval({ mean_ns: mean, low_ns: mean - half, high_ns: mean + half });
  table(of, [[[820, 12], "820 ± 12 ns"], [[201, 9], "201 ± 9 ns"], [[1770, 50], "1.77 ± 0.05 µs"], [[70, 0], "70.0 ns"]]);
  assert.equal(interval(null), "–");
  assert.equal(plain(interval({ mean_ns: 5, low_ns: null, high_ns: null })), "5.00 ns");
  assert.equal(plain(interval({ mean_ns: 5000, low_ns: 4900, high_ns: 5100 }, unitFor(1))), "5000 ± 100 ns");
});

test("percent needs something to compare with", () => {
  table(percent, [[[620, 200], "+310 %"], [[-6, 100], "−6.0 %"]]);
  assert.equal(percent(1, 0), null);
  assert.equal(percent(1, -5), null);
  table(percentText, [[0, "0.0 %"], [9.96, "+10.0 %"]]);
});

test("durations leave out what is nothing", () => table(duration, [[42, "42 s"], [300, "5 min"], [312, "5 min 12 s"], [7260, "2 h 1 min"], [-1, "unknown"]]));

test("times are told from now", () => {
  assert.equal(ago(0, 5 * 60e3), "5 minutes ago");
  assert.equal(ago(86400e3, 0), "tomorrow");
});

test("sizes", () => table(bytes, [[12, "12 B"], [812345, "793 KiB"], [3 << 20, "3.0 MiB"], [undefined, "–"]]));
