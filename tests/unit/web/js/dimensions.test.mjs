import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { besideFold, besideTable, change, count, dimensionFold, dimensionSection, dimensionsOf, dimensionTable, limitLines, lines } from "/static/dimensions.js";

const portions = [{ portion: "T", configuration: "none" }, { portion: "I", configuration: "deactivated" }];
const instructions = { dimension: "instructions", label: "instructions", per: "call", counter: "callgrind", portions: [
  { portion: "T", configuration: "none", mean: 300, before: { mean: 300 }, direction: null },
  { portion: "I", configuration: "deactivated", mean: 5410, before: { mean: 5000 }, direction: "up" }] };
const peak = { dimension: "peak_mb", label: "MB at most", per: "process", counter: null, portions: [
  { portion: "T", configuration: "none", mean: 8.25, before: null, direction: null }] };

test("counts have as many digits as say something", () => {
  assert.equal(count(5210.4), "5,210");
  assert.equal(count(2.5), "2.5");
  assert.equal(count(-0.5), "-0.5");
  assert.equal(count(0.0008), "< 0.01", "a few lost records are not none");
  assert.deepEqual([-0.001, -0].map(count), ["0", "0"]);
  assert.equal(count(null), "–");
});

test("a change is told where the count moved", () => {
  assert.match(change(instructions.portions[1]), /\+410 \(\+8\.20\u202f%\)$/);
  assert.equal(change(instructions.portions[0]), null);
  assert.match(change({ mean: 96, before: { mean: 0 }, direction: "up" }), /\+96$/);
  assert.equal(change({ mean: 96, before: null, direction: "up" }), null);
});

test("what is suspected or was cleared is not told", () => {
  const moved = { ...instructions.portions[1], verdict: "anomaly" };
  assert.match(change(moved), /\+410/);
  assert.equal(change({ ...moved, verdict: "suspect" }), null);
  assert.equal(change({ ...moved, verdict: "cleared" }), null);
});

test("an alert has a fold for each dimension beside time", () => {
  const folds = dimensionsOf({ project: "p", portions: [{ dimension: "time" }, { dimension: "cpu_ms" }, { dimension: "cpu_ms" },
    { dimension: "peak_mb" }, {}] }, 30);
  assert.deepEqual(folds.map((f) => f.textContent), ["Processor time of a process, ms", "Peak memory of a process, MB"]);
});

test("a row a portion, a column a dimension", () => {
  const text = dimensionTable([instructions, peak], portions).textContent;
  assert.match(text, /Portioninstructions.*MB at most \(a process\)/);
  assert.match(text, /T300.*8\.25/);
  assert.match(text, /I5,410.*\+410.*–$/);
});

test("what is not there says which configuration has no result", () => {
  const reason = "I is not judged on 2026-01-02: Deactivated has no result";
  const missing = [portions[0], { ...portions[1], rule: "configuration-missing", reason }];
  const titles = (table) => table.all("td").map((e) => e.getAttribute("title"));
  assert.deepEqual(titles(dimensionTable([peak], missing)), [null, reason]);
  assert.deepEqual(titles(dimensionTable([peak], portions)), [null, null], "nobody read it");
  assert.deepEqual(titles(dimensionTable([instructions], missing)), [null, null], "a whole process has its value");
});

test("a night that counted nothing has no section", () => {
  assert.equal(dimensionSection({ dimensions: [], portions }), null);
  assert.equal(dimensionSection({ portions }), null);
  const text = dimensionSection({ dimensions: [instructions], counted: "I +410 instructions a call", portions }).textContent;
  assert.match(text, /I \+410 instructions a call\./);
  assert.match(text, /Counted by callgrind in short loops/);
  assert.match(dimensionSection({ dimensions: [peak], counted: null, portions }).textContent, /Read from the measured processes/);
});

test("a process of another number of calls is no difference, and why is said once", () => {
  const note = "processes of other numbers of calls are not taken apart: deactivated (10 calls, none 50)";
  const whole = (more) => ({ ...peak, ...more, note, portions: [peak.portions[0], { portion: "deactivated", configuration: "deactivated",
    parent: null, mean: 1630, before: null, direction: null }] });
  const text = dimensionSection({ dimensions: [whole({ dimension: "cpu_ms" }), whole({ dimension: "faults" })], portions }).textContent;
  assert.match(text, /I1,630whole process1,630whole process/);
  assert.deepEqual(text.match(/No difference is taken: [^.]*/g), [`No difference is taken: ${note}`]);
  assert.doesNotMatch(dimensionSection({ dimensions: [peak], portions }).textContent, /whole process|No difference/);
});

test("whose processor time it is stands below the table", () => {
  const section = (threads) => dimensionSection({ dimensions: [{ ...peak, dimension: "cpu_ms", threads }], counted: null, portions }).textContent;
  assert.match(section("writing: main 97 %, kieker-writer 4.1 %"), /Processor by thread, of one processor: writing: main 97 %, kieker-writer 4\.1 %\./);
  assert.doesNotMatch(section(undefined), /Processor by thread/);
});

test("what is in question stands in front, with its words and reason", () => {
  const asked = { ...peak, portions: [{ ...peak.portions[0], words: "may have risen", reason: "peak memory of T may have risen" }] };
  const told = dimensionSection({ dimensions: [asked], counted: null, portions });
  assert.equal(told.all("details").length, 0);
  assert.deepEqual(told.all("div", "warn").map((e) => e.textContent), ["may have risen"]);
  assert.ok(told.all("td").some((e) => e.getAttribute("title") === "peak memory of T may have risen"));
  assert.match(told.textContent, /Each value is the plain mean of this night's loops/);
});

test("what moved stands in front, what rose is loud, and the others are folded", () => {
  const fell = { ...peak, portions: [{ ...peak.portions[0], before: { mean: 16 }, direction: "down" }] };
  const section = (...dimensions) => dimensionSection({ dimensions, counted: null, portions });
  assert.deepEqual(section(instructions, fell).all("div", "loud").map((e) => e.textContent), ["▲ +410 (+8.20\u202f%)"]);
  assert.equal(section(instructions, fell).all("details").length, 0);
  const judged = { ...peak, portions: [{ ...peak.portions[0], verdict: "ok" }] };
  assert.match(section(instructions, judged).all("details")[0].textContent, /^Without a confirmed change: .*MB at most/);
  assert.match(section(judged).all("details")[0].textContent, /^No confirmed change: MB at most/);
  assert.match(section(peak).all("details")[0].textContent, /^Not judged: MB at most/);
});

test("limits that are met are counted, the others are told", () => {
  const limit = (state) => ({ limit: "I <= 1 ns", state, sentence: `I <= 1 ns: 2 ns, ${state}` });
  assert.equal(limitLines(undefined), null);
  assert.equal(limitLines([limit("met"), limit("met")]).textContent, "Limits met: 2.");
  const told = limitLines([limit("met"), limit("above"), limit("unknown"), limit("below")]);
  assert.deepEqual(told.all("li").map((e) => e.getAttribute("class")), ["loud", null, "loud"]);
  assert.equal(told.getAttribute("class"), "notice limits bad");
});

const compared = [{ portion: "T", configuration_a: "none", configuration_b: "none" },
  { portion: "I", configuration_a: "deactivated", configuration_b: "off" }];
const renamed = { dimensions: [peak, { ...instructions, portions: instructions.portions.map((p) =>
  ({ ...p, configuration: p.configuration === "none" ? "none" : "off", mean: p.mean + 10 })) }] };

test("two nights stand side by side in what both were read of", () => {
  const text = besideTable(compared, { dimensions: [instructions] }, renamed).textContent;
  assert.match(text, /^Portioninstructions.*T300 → 310.*I5,410 → 5,420$/);
  assert.equal(besideTable(compared, { dimensions: [] }, renamed), null);
  assert.equal(besideTable(compared, {}, {}), null);
});

test("what a comparison has beside time is asked for when it is opened", async () => {
  const asked = [];
  const read = (path) => { asked.push(path); return Promise.resolve(asked.length === 1 ? { dimensions: [instructions] } : renamed); };
  const fold = besideFold({ a: { experiment: 1 }, b: { experiment: 2 }, portions: compared }, read);
  assert.deepEqual(asked, []);
  await fold.fire("toggle");
  assert.deepEqual(asked, ["/experiments/1", "/experiments/2"]);
  assert.match(fold.textContent, /300 → 310/);
  const failed = besideFold({ a: {}, b: {}, portions: [] }, () => Promise.reject(new Error("gone")));
  await failed.fire("toggle");
  assert.match(failed.textContent, /could not be read: gone/);
});

const night = (date, mean) => ({ night: date, experiment: 1, portions: [{ ...portions[1], mean }] });

test("a figure a portion, from the oldest night to the newest; what was not counted is a gap", () => {
  assert.match(lines([]).textContent, /This was not counted in any night/);
  const drawn = lines([night("2026-01-04", null), night("2026-01-03", 5410), night("2026-01-02", null), night("2026-01-01", 5000)]);
  assert.equal(drawn.all("figure").length, 1);
  assert.equal(drawn.textContent, "I: 5,410 on 2026-01-03; 2 values, scale 4,685 to 5,726");
  assert.match(drawn.one("svg").getAttribute("aria-label"), /^I: from 5,000 to 5,410$/);
  const far = lines([300, 310, 290, 305, 4439, 300, 310, 290, 305, 300].map((mean, i) => night(`2026-01-${20 - i}`, mean)));
  assert.match(far.textContent, /^I: 300 on 2026-01-20; 10 values, scale .* to .* \(1 value cut off, up to 4,439\)$/);
  const [old, , late] = drawn.one("path", "line").getAttribute("d").match(/M[\d.]+ [\d.]+/g).map((at) => at.slice(1).split(" ").map(Number));
  assert.ok(late === undefined && old[0] === 4);
  assert.deepEqual(lines([night("2026-01-01", null)]).all("figure"), []);
});

test("a project's counts begin with what was counted", async () => {
  const asked = [], nights = { cpu_ms: [night("2026-01-02", 410)] };
  const of = (there) => dimensionFold("p", 30, (path) => {
    asked.push(path);
    return Promise.resolve(there[path.split("=")[1]] ?? []);
  });
  const settled = () => new Promise((done) => { setTimeout(done, 0); });
  const fold = of(nights), empty = of({});
  await fold.fire("toggle");
  await settled();
  assert.deepEqual(asked.map((path) => path.split("=")[1]), ["instructions", "allocations", "bytes", "cpu_ms"]);
  assert.equal(fold.one("select").value, "cpu_ms");
  assert.match(fold.textContent, /I: 410 on 2026-01-02/);
  await empty.fire("toggle");
  await settled();
  assert.match(empty.textContent, /Nothing was counted beside time in any night\.$/);
});
