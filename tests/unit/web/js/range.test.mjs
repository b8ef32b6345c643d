import assert from "node:assert/strict";
import { test } from "node:test";
import { asMedians, chainOnly, hasMedians, newer, older, rangeAddress, readRange, zoomed } from "/static/range.js";

const DEFAULTS = { nights: 30, until: null, leaf: null, view: "bars", value: "mean", range: "typical", beside: null, find: "", only: false };
const day = (i) => new Date(Date.UTC(2013, 0, 1) + i * 86400e3).toISOString().slice(0, 10);
const nightsOf = (days) => days.map((i) => ({ night: day(i) })).reverse();

test("an address is read and written the same", () => {
  assert.deepEqual(readRange(""), DEFAULTS);
  for (const range of [DEFAULTS, { nights: 0, until: "2013-05-28", leaf: "tcp & more", view: "lines", value: "median", range: "full", beside: "1.15.x", find: "a b&c", only: true }])
    assert.deepEqual(readRange(rangeAddress(range)), range);
});

test("all nights have a word, and medians are known or not", () => {
  assert.equal(readRange("?nights=all").nights, 0);
  assert.equal(hasMedians([{ total: null }, { total: { median_ns: null } }]), false);
  assert.equal(hasMedians([{ total: null }, { total: { median_ns: 5 } }]), true);
});

test("what is looked for is kept", () => assert.deepEqual(readRange("?find=gradle&only=changes"), { ...DEFAULTS, find: "gradle", only: true }));

test("what is no range is the usual one", () => {
  for (const search of ["?nights=-1", "?nights=5001", "?nights=x", "?until=yesterday", "?until=2013-5-1", "?view=pie", "?value=mode", "?range=half"])
    assert.deepEqual(readRange(search), DEFAULTS, search);
});

test("older is half of what is shown", () => {
  const shown = nightsOf([0, 1, 2, 3]);
  assert.equal(older(DEFAULTS, shown).until, day(1));
  assert.deepEqual(older(DEFAULTS, shown.slice(0, 1)), DEFAULTS);
});

/** Moves from the nights up to `at` and returns [the new end, how often it asked]. */
async function move(days, at, count) {
  const all = nightsOf(days), shown = all.filter((n) => n.night <= day(at)).slice(0, count);
  let asked = 0;
  const range = await newer({ ...DEFAULTS, until: day(at) }, shown, all[0].night, async (since, until) => {
    asked++;
    return all.filter((n) => n.night >= since && n.night <= until);
  });
  return [range.until, asked];
}

test("newer is half of what is shown", async () => {
  const days = Array.from({ length: 100 }, (_, i) => i);
  assert.deepEqual(await move(days, 40, 20), [day(50), 1]);
});

test("newer passes a long gap", async () => {
  const days = [...Array(20).keys(), ...Array.from({ length: 50 }, (_, i) => 700 + i)];
  assert.deepEqual(await move(days, 19, 10), [day(704), 5]);
});

test("newer ends at the newest", async () => {
  assert.deepEqual(await move([...Array(20).keys()], 15, 10), [null, 1]);
  assert.equal((await newer({ ...DEFAULTS, until: day(3) }, [], day(9), null)).until, null);
});

test("a server that does not know since is no trap", async () => {
  const all = nightsOf([...Array(100).keys()]);
  const range = await newer(DEFAULTS, all.slice(60, 80), all[0].night, async (_, until) => all.filter((n) => n.night <= until));
  assert.equal(range.until, day(49));
});

test("zooming keeps two nights and the most the server gives", () => {
  assert.equal(zoomed(DEFAULTS, 30, 0.5).nights, 15);
  assert.equal(zoomed(DEFAULTS, 2, 0.5).nights, 2);
  assert.equal(zoomed(DEFAULTS, 4000, 2).nights, 5000);
});

test("medians take the place of means, without what judges means", () => {
  const portion = { portion: "I", mean_ns: 10, low_ns: 9, high_ns: 11, median_ns: 8, median_low_ns: 7, judged: {}, reference: {}, verdict: "anomaly" };
  const [night] = asMedians([{ total: null, portions: [portion] }]);
  assert.deepEqual(night, { total: null, portions: [{ ...portion, mean_ns: 8, low_ns: 7, high_ns: null, judged: null, reference: null }] });
});

test("a chain ends at its leaf", () => {
  const portions = [["none", null], ["off", "none"], ["file", "off"], ["tcp", "off"]].map(([configuration, parent]) => ({ configuration, parent }));
  const names = (leaf) => chainOnly([{ portions }], portions, leaf)[0].portions.map((p) => p.configuration);
  assert.deepEqual(names("tcp"), ["none", "off", "tcp"]);
  assert.deepEqual(names(null), ["none", "off", "file", "tcp"]);
  const circle = [{ configuration: "a", parent: "b" }, { configuration: "b", parent: "a" }];
  assert.equal(chainOnly([{ portions: circle }], circle, "a")[0].portions.length, 2);
});
