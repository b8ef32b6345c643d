import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { answerOf } from "../../../../web/site/answers.js";
import { changeHeadline, changeSentence } from "../../../../web/site/change.js";
import { compared } from "../../../../web/site/comparison.js";
import { drawn } from "../../../../web/site/stack.js";
import { studentHalf } from "../../../../web/site/student.js";
import { merge, unpack } from "../../../../web/site/unpack.js";

const near = (a, b, relative = 1e-12) => assert.ok(Math.abs(a - b) <= relative * Math.abs(b), `${a}, ${b}`);

test("what ci/site/columns.c packs is unpacked", () => {
  const lines = readFileSync(new URL("../../ci/site/columns.txt", import.meta.url), "utf8").trim().split("\n");
  assert.equal(lines.length, 19);
  for (const [plain, packed] of lines.map((line) => line.split("\t").map((side) => JSON.parse(side))))
    assert.deepEqual(unpack(packed), plain);
});

test("what was taken away because its night says it comes back", () => {
  const night = { id: 1, commit: { sha: "a", short: "b" }, list: [{ x: 1, y: 2 }, { x: 3, y: 4 }], gone: null };
  assert.deepEqual(merge(night, { commit: { short: "c" }, list: [{}, { y: 5, z: [1] }], own: 7 }),
    { id: 1, commit: { sha: "a", short: "c" }, list: [{ x: 1, y: 2 }, { x: 3, y: 5, z: [1] }], gone: null, own: 7 });
  assert.deepEqual(merge({ a: [1, 2] }, { a: [3] }), { a: [3] });
});

// R: format(qt(1 - (1 - c(.95, .99, .95, .999, .95, .95)) / 2, c(1, 9, 18, 30, 4.7, 1e6)), digits = 15)
test("Student's quantiles are R's", () => {
  for (const [level, v, t] of [[0.95, 1, 12.7062047361747], [0.99, 9, 3.24983554159213], [0.95, 18, 2.10092204024104],
    [0.999, 30, 3.64595863504377], [0.95, 1e6, 1.95996635681601]]) near(studentHalf(level, v), t, 1e-10);
});

test("a change is told as the server tells it", () => {
  const change = { name: "Collection (C)", before: 672, after: 713, low: 30, high: 52, level: 0.95 };
  assert.equal(changeSentence(change), "Collection (C) rose from 672 ns to 713 ns (+41.0 ns, +6.10 %; 95 % interval +30.0 ns to +52.0 ns)");
  assert.equal(changeHeadline(change), "Collection (C) rose by 6.10 %");
  assert.equal(changeSentence({ ...change, after: NaN }), "Collection (C) changed");
  assert.equal(changeHeadline({ ...change, after: 672 }), "Collection (C) stayed as it was");
  assert.equal(changeSentence({ ...change, after: 672 }), "Collection (C) stayed at 672 ns");
  assert.match(changeSentence({ ...change, before: 2, after: 5e6, low: NaN, high: NaN }), /^Collection \(C\) rose from 2\.00 ns to 5\.00 ms \(\+5\.00 ms, \+249999900 %\)$/);
});

const loops = (values) => values.map((mean_ns, i) => ({ loop: i + 1, used: true, failed: null, summary: { mean_ns } }));
const experiment = (id, none, probe) => ({ experiment: id, project: "p", night: `2026-01-0${id}`, level: 0.95, environment: "e",
  environment_detail: { cpu: "x", os: { kernel: `${id}` } }, benchmark: { loops: 3 }, portions: [
    { portion: "T", configuration: "none", parent: null }, { portion: "I", configuration: "probe", parent: "none" }],
  configurations: [{ name: "none", loop_results: loops(none) }, { name: "probe", loop_results: loops(probe) }] });

// R: a <- c(30, 32, 31); b <- c(40, 43, 41); t.test(b, a) of the differences round by round
test("two nights are compared round by round", () => {
  const c = compared(experiment(1, [70, 71, 72], [100, 103, 103]), experiment(2, [70, 70, 71], [110, 113, 112]));
  const portion = c.portions[1];
  assert.deepEqual([portion.a.mean_ns, portion.b.mean_ns, portion.difference.n, portion.apart], [31, 124 / 3, 3, true]);
  near(portion.difference.mean_ns, 31 / 3);
  near(portion.percent, 100 / 3);
  assert.match(c.sentence, /^From A to B: Instrumentation \(I\) rose from 31\.0 ns to 41\.3 ns/);
  assert.match(c.sentence, /; no other portion differs measurably$/);
  assert.deepEqual(c.environment, [{ key: "os.kernel", a: "1", b: "2" }]);
  assert.equal(c.total.configuration_b, "probe");
  assert.equal(c.benchmark.length, 0);
});

test("nights with nothing in common, and single loops", () => {
  const a = experiment(1, [70], [100]), b = { ...experiment(2, [70], [100]), portions: [] };
  assert.equal(compared(a, b).sentence, "The two have no portion in common");
  assert.equal(compared(a, b).total, null);
  const alone = compared(a, experiment(2, [70], [120]));
  assert.deepEqual([alone.portions[1].difference.mean_ns, alone.portions[1].difference.low_ns, alone.portions[1].apart], [20, null, false]);
  assert.equal(alone.headline, "No portion differs measurably");
});

const night = (id, date) => ({ experiment: id, night: date, state: "measured", portions: [] });
const BRANCHES = [{ branch: "main", project: "p" }, { branch: "1.x", project: "p~1.x" }, { branch: "0.x", project: "p~0.x" }];
const FILES = { "names.json": ["p", "p~1.x"], "projects/p.json": { name: "p", branches: BRANCHES },
  "projects/p~1.x.json": { name: "p~1.x", branches: BRANCHES },
  "projects/p~1.x/nights/index.json": { months: [["2026-02", 1, [9]]] }, "projects/p~1.x/nights/2026-02.json.gz": [night(8, "2026-02-03")],
  "projects/p~1.x/alerts.json.gz": { items: [{ id: 5, state: "open" }], next: null },
  "projects/p/nights/index.json": { months: [["2026-02", 2, [4, 3]], ["2026-01", 2, [2, 1]]] },
  "projects/p/nights/2026-02.json.gz": [night(4, "2026-02-02"), night(3, "2026-02-01")],
  "projects/p/nights/2026-01.json.gz": [night(2, "2026-01-31"), night(1, "2026-01-30")],
  "projects/p/experiments/2026-01.json.gz": [{ experiment: 2, node: "n" }, { experiment: 1, node: "m" }],
  "projects/p/loops/2026-01.json.gz": [{ experiment: 2, loops: 20 }, { experiment: 1, loops: 10 }],
  "projects/p/alerts.json.gz": { items: [{ id: 7, state: "open" }, { id: 6, state: "fixed" }], next: null },
  "projects/p/commits.json.gz": { "a..b": { items: [1], total: 1, reason: null } },
  "places/index.json": [1, 0], "places/1.json.gz": [{ id: 1002, project: "p", month: null }], "experiments/1002.json.gz": { experiment: 1002 },
  "places/0.json.gz": [{ id: 1, project: "p", month: "2026-01" }, { id: 4, project: "p", month: "2026-02" },
    { id: 9, project: "p", month: null }],
  "projects.json": { items: [{ name: "p", latest: { experiment: 4 } }, { name: "p~1.x", latest: null }, { name: "q", latest: { experiment: 2 } }] },
  "titles.json": { items: [{ name: "p", title: "P" }], next: null },
  "projects/p/latest.json.gz": { experiment: 4, node: "o" },
  "projects/p/brief.json.gz": { experiment: 4 }, "projects/q/brief.json.gz": { experiment: 3 },
  "experiments/9.json.gz": { experiment: 9 }, "alerts/index.json": [7], "alerts/7.json": { id: 7 },
  "jobs.json": { items: [{ id: 1, state: "done", project: "p" }, { id: 2, state: "queued", project: "p" }], next: null } };

/** A site of FILES, and what was asked of it; packed as it is, and unpacked on its way as some servers do. */
function served(packed) {
  const asked = [];
  return { asked, fetched: async (file) => {
    asked.push(file);
    const text = JSON.stringify(FILES[file]);
    return file in FILES ? new Response(packed && file.endsWith(".gz") ? gzipSync(text) : text) : new Response("", { status: 404 });
  } };
}

test("answers come from the files that have them, and only those", async () => {
  for (const packed of [true, false]) {
    const { asked, fetched } = served(packed);
    const ask = async (path) => (await answerOf(path, fetched)).body;
    assert.deepEqual((await ask("/projects/p/nights?limit=1")).items.map((n) => n.experiment), [4]);
    assert.ok(!asked.includes("projects/p/nights/2026-01.json.gz"));
    assert.deepEqual((await ask("/projects/p/nights?limit=9&until=2026-02-01")).items.map((n) => n.experiment), [3, 2, 1]);
    assert.deepEqual((await ask("/projects/p/nights?since=2026-01-31&until=2026-02-01")).items.map((n) => n.experiment), [3, 2]);
    assert.deepEqual(await ask("/experiments/1"), { ...night(1, "2026-01-30"), node: "m", loops: 10 });
    assert.deepEqual(await ask("/experiments/9"), { experiment: 9 });
    assert.ok(!asked.includes("places/1.json.gz"));
    assert.deepEqual(await ask("/experiments/1002"), { experiment: 1002 });
    assert.deepEqual((await ask("/projects/p/alerts?state=open")).items.map((a) => a.id), [7]);
    assert.deepEqual((await ask("/jobs?state=queued&project=p&limit=5")).items.map((j) => j.id), [2]);
    assert.equal((await ask("/projects/p/commits?after=a&until=b&limit=200")).total, 1);
    assert.match((await ask("/projects/p/commits?after=a&until=c")).reason, /has only the commits of alerts/);
    assert.equal(new Set(asked).size, asked.length, "each file once");
  }
});

test("a project's newest experiment costs no month, and one that is newest no more is found in its month", async () => {
  const { asked, fetched } = served(true);
  assert.deepEqual((await answerOf("/experiments/4", fetched)).body, { experiment: 4, node: "o" });
  assert.deepEqual(asked.filter((file) => file.startsWith("projects")), ["projects/p/nights/index.json", "projects/p/latest.json.gz"]);
  assert.equal((await answerOf("/experiments/1", fetched)).body.node, "m");
});

test("two nights are compared by their loops' means, without what else is known of a loop", async () => {
  const { asked, fetched } = served(true);
  await answerOf("/compare?a=1&b=4", fetched);
  assert.ok(asked.includes("projects/p/experiments/2026-01.json.gz"));
  assert.ok(!asked.some((file) => file.includes("/loops/")));
});

test("where projects are named and nothing more, their names are enough", async () => {
  const { asked, fetched } = served(true);
  assert.deepEqual((await answerOf("/projects?brief", fetched)).body.items, [{ name: "p", title: "P" }]);
  assert.deepEqual(asked, ["titles.json"]);
});

test("where all projects are shown, the newest of each is brief", async () => {
  const { asked, fetched } = served(true);
  assert.deepEqual((await answerOf("/experiments/4?brief", fetched)).body, { experiment: 4 });
  assert.deepEqual(asked, ["projects.json", "projects/p/brief.json.gz"]);
  assert.equal((await answerOf("/experiments/1?brief", fetched)).body.node, "m");
  assert.equal((await answerOf("/experiments/2?brief", fetched)).status, 404); // no place of it, and q has another by now
});

test("a branch is asked for by its own name, as on a server", async () => {
  const { asked, fetched } = served(false);
  const ask = (path) => answerOf(path, fetched);
  assert.equal((await ask("/projects/p?branch=1.x")).body.name, "p~1.x");
  assert.equal((await ask("/projects/p?branch=main")).body.name, "p");
  assert.deepEqual((await ask("/projects/p/nights?branch=1.x")).body.items.map((n) => n.experiment), [8]);
  assert.deepEqual((await ask("/projects/p/alerts?branch=1.x&state=open")).body.items.map((a) => a.id), [5]);
  assert.deepEqual(await ask("/projects/p/nights?branch=none"), { status: 404, detail: "project p has no branch none" });
  assert.equal((await ask("/projects/p?branch=0.x")).status, 404); // a site of some projects only
  assert.ok(asked.every((file) => file in FILES), asked.join());
});

test("what a site has not is asked for in vain nowhere", async () => {
  const { asked, fetched } = served(true);
  for (const path of ["/projects/none", "/experiments/5", "/experiments/5000", "/alerts/8", "/tokens", "/projects/none/nights"])
    assert.equal((await answerOf(path, fetched)).status, 404, path);
  assert.ok(asked.every((file) => file in FILES), asked.join());
  assert.deepEqual(await answerOf("/status", fetched), { status: 404, detail: "status.json is not in this site" });
});

const portion = (name, configuration, parent, mean_ns, more) => ({ portion: name, configuration, parent, mean_ns, low_ns: mean_ns - 1,
  high_ns: mean_ns + 1, median_ns: mean_ns * 2, verdict: "ok", ...more });

test("a chart is drawn of any range, theme, view and size", () => {
  const nights = Array.from({ length: 12 }, (_, i) => ({ experiment: i, night: `2026-01-${String(i + 10)}`, state: i === 3 ? "failed" : "measured",
    release: i === 5 ? "<1.0>" : null, total: { mean_ns: 400 }, portions: i === 3 ? [] : [portion("T", "none", null, 100),
      portion("I", "probe", "none", i > 6 ? 300 : 200, i === 7 ? { verdict: "anomaly", direction: "up" } : {})] }));
  const bars = drawn(nights, new URLSearchParams("width=640&height=400&theme=dark"));
  assert.match(bars, /^<svg [^>]*width="640" height="400"/);
  assert.match(bars, /fill="#9aa4ae"/);
  assert.equal(bars.split("▲").length - 1, 1);
  assert.equal(bars.match(/M[\d.]+ [\d.]+h[\d.]+v[\d.]+h-[\d.]+z/g).length, 22);
  assert.match(bars, /stroke-dasharray="1.5 2.5"/);
  assert.match(bars, />ns per call</);
  const lines = drawn(nights, new URLSearchParams("view=lines&value=median&range=full&leaf=none"));
  assert.match(lines, /stroke="#6e7781"/);
  assert.doesNotMatch(lines, /stroke="#e69f00"/);
  assert.match(drawn([], new URLSearchParams("width=300&height=200")), /<\/svg>$/);
});

test("a missing page sends only to the same host", () => {
  const page = readFileSync(new URL("../../../../web/site/404.html", import.meta.url), "utf8");
  const script = new Function("location", /<script>([^]*)<\/script>/.exec(page)[1]);
  const sentTo = (address) => {
    const location = Object.assign(new URL(address), { replace: (to) => { location.to = new URL(to, address).href; } });
    script(location);
    return location.to;
  };
  assert.equal(sentTo("https://a.example/x/experiments/7#c"), "https://a.example/x/experiments/?id=7#c");
  assert.equal(sentTo("https://a.example//b.example/experiments/7"), "https://a.example//b.example/experiments/?id=7");
  assert.equal(sentTo("https://a.example/projects/none"), undefined);
});
