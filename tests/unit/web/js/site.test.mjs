import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

location.pathname = "/below/projects/p/"; // of a site in a folder of its host
const { answer, chartWidth, here, nameOf, place } = await import("../../../../web/site/place.js");
const ROOT = new URL("../../../../web/", import.meta.url).pathname; // the folder above the modules' one

test("each answer is looked for in the file that web/site/name.c names", () => {
  const lines = readFileSync(new URL("../site/names.txt", import.meta.url), "utf8").trim().split("\n");
  assert.equal(lines.length, 22);
  for (const [address, name] of lines.map((line) => line.split("\t"))) assert.equal(nameOf(address), name, address);
});

test("addresses are those of files below the site's folder; what it has not has none", () => {
  for (const [address, file] of [["/", ""], ["/static/style.css", "static/style.css"], ["/feed.atom", "feed.atom"],
    ["/projects/p?nights=90#x", "projects/p/?nights=90#x"], ["/projects/p/badge.svg", "projects/p/badge.svg"],
    ["/experiments/7", "experiments/?id=7"], ["/alerts/4", "alerts/4/"], ["/embed/p", "embed/p/"], ["/jobs", "jobs/"],
    ["/compare?a=1&b=2", "compare/?a=1&b=2"], ["/api/v1/experiments/7", "api/v1/experiments/7.json.gz"],
    ["/api/v1/projects/p/nights?limit=5000", "api/v1/projects/p/nights.json.gz"],
    ["/charts/p.svg?nights=90&width=640&height=400&theme=dark&v=1", "charts/p%2Cheight%3D400%2Cnights%3D90%2Ctheme%3Ddark%2Cwidth%3D640.svg"],
    ["/charts/p.svg?nights=30", "charts/p.svg"], ["/charts/p.png?nights=30&scale=2", "charts/p.png"],
    ["/flames/4/a%20b.svg?view=difference&theme=light&width=1200", "flames/4/a%2520b.svg"]])
    assert.equal(place(address), ROOT + file, address);
  for (const address of ["/compare", "/pull-requests", "/charts/p.pdf?nights=30", "/charts/p.svg?nights=31&width=640", "/charts/p.svg?nights=90",
    "/charts/p.svg?nights=30&until=2026-01-01", "/charts/p.png?nights=90", "/api/v1/experiments/7/raw/full/1", "/api/v1/alerts/4/profiles/full/before"])
    assert.equal(place(address), null, address);
  for (const address of ["#main", "https://example.org/", "//example.org/", "?nights=90", null]) assert.equal(place(address), address);
  assert.deepEqual([10, 320, 700, 2000].map(chartWidth), [320, 320, 640, 1180]);
  assert.equal(here().startsWith("/"), true);
});

const night = (experiment, date) => ({ experiment, night: date, state: "measured" });
const list = (items) => ({ items, next: null });
const column = (configuration, nights, mean_ns) => ({ portion: "T", configuration, parent: null, nights, mean_ns, below_ns: mean_ns.map(() => 1),
  above_ns: mean_ns.map(() => null), judged_below_ns: [], judged_above_ns: [], reference_low_ns: [], reference_width_ns: [],
  verdict: [], direction: [], told: {} });
const FILES = { "projects.json": list([{ name: "p", running: { job: 7 } }]),
  "projects/p/nights,portions=columns.json.gz": { ...list([night(3, "2026-02-01"), night(2, "2026-01-31"), night(1, "2026-01-30")]),
    total: { nights: "", mean_ns: [], below_ns: [], above_ns: [] }, columns: [column("none", "101", [70, 71])] },
  "experiments/3.json.gz": { experiment: 3, configurations: [{ loop_results: [{ raw: { url: "/x" }, readings: { running: [1, 2] } }] }] },
  "alerts/4.json": { id: 4, explanation: { profiles: [1, 2] } }, "jobs,state=done.json": list([{ id: 1 }, { id: 2 }]) };

/** A site of FILES, and what was asked of it; packed as it is, and unpacked on its way as some servers do. */
function serve(packed) {
  const asked = [];
  globalThis.fetch = async (url) => {
    const file = decodeURIComponent(url.slice(`${ROOT}api/v1/`.length));
    asked.push(file);
    const text = JSON.stringify(FILES[file]);
    return file in FILES ? new Response(packed && file.endsWith(".gz") ? gzipSync(text) : text) : new Response("", { status: 404 });
  };
  return asked;
}

for (const packed of [true, false])
  test(`answers come from the files, ${packed ? "packed" : "unpacked on their way"}`, async () => {
    const asked = serve(packed);
    const { answer: own } = packed ? { answer } : await import("../../../../web/site/place.js?again");
    const ask = async (path) => (await own(path)).json();
    const ids = async (path) => (await ask(path)).items.map((n) => n.experiment);
    assert.deepEqual(await ids("/projects/p/nights?portions=columns&limit=5000"), [3, 2, 1]);
    assert.deepEqual(await ids("/projects/p/nights?portions=brief&limit=1"), [3]);
    assert.deepEqual(await ids("/projects/p/nights?portions=brief&limit=9&until=2026-01-31"), [2, 1]);
    assert.deepEqual(await ids("/projects/p/nights?portions=brief&limit=9&since=2026-01-31"), [3, 2]);
    const [newest, , oldest] = (await ask("/projects/p/nights?portions=brief&limit=5000")).items;
    assert.deepEqual([newest.portions[0].mean_ns, oldest.portions[0].low_ns, oldest.portions[0].configuration], [70, 70, "none"]);
    assert.deepEqual((await ask("/jobs?state=done&limit=1")).items, [{ id: 1 }]);
    assert.deepEqual(await ask("/experiments/3"), { experiment: 3, configurations: [{ loop_results: [{ raw: null, readings: { running: [1, 2] } }] }] });
    assert.deepEqual(await ask("/alerts/4"), { id: 4, explanation: { profiles: [] } });
    assert.deepEqual((await ask("/projects?like=p")).items, [{ name: "p", running: null }]);
    assert.equal(new Set(asked).size, asked.length, "each file once");
  });

test("what a site has not is missing, as on a server", async () => {
  serve(true);
  const found = await answer("/compare?a=1&b=9");
  assert.deepEqual([found.ok, found.status], [false, 404]);
  assert.match((await found.json()).detail, /^\/compare\?a=1&b=9 is not in this site; a server has more$/);
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
