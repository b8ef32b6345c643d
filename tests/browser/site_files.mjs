// A site of files (SITE_URL) beside the service it was made of (BASE_URL): site_files.py starts both.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, axe, openPage, shots, site, waitForChart } from "./site.mjs";

const SITE = process.env.SITE_URL, NAME = process.env.BASE_PROJECT;

/** A page of the site; path: as the site has it. */
async function openFile(look, path) {
  const served = site.base;
  site.base = SITE.replace(/\/$/, "");
  try {
    return await openPage(look, path);
  } finally {
    site.base = served;
  }
}

/** Where the pages are, and what each must show. */
async function places() {
  const nights = (await ask(`/projects/${NAME}/nights`)).items.filter((n) => n.experiment);
  const alerts = (await ask(`/projects/${NAME}/alerts`)).items, incidents = (await ask("/incidents")).items;
  assert.ok(alerts.length > 0 && nights.length > 2);
  return { overview: "/", project: `/projects/${NAME}/`, lines: `/projects/${NAME}/?nights=90&view=lines&value=median`,
    all: "/projects/history/?nights=0", night: `/experiments/?id=${nights[0].experiment}`,
    alert: `/alerts/${alerts[0].id}/`, compare: `/compare/?a=${nights.at(-1).experiment}&b=${nights[0].experiment}`,
    choose: "/compare/", jobs: "/jobs/", help: "/static/reading.html", frameworks: "/static/frameworks.html",
    ...(incidents.length > 0 ? { incident: `/incidents/${incidents[0].id}/` } : {}) };
}

test("every page that reads works from files, asks nobody else, and offers nothing that writes", async () => {
  for (const [name, path] of Object.entries(await places())) {
    const { page, bad, close } = await openFile(name === "project" ? "phone" : "light", path);
    const elsewhere = [];
    page.on("request", (r) => { if (!r.url().startsWith(SITE) && !r.url().startsWith("data:")) elsewhere.push(r.url()); });
    await page.reload();
    await page.waitForSelector("main h1");
    await waitForChart(page);
    if (shots) await page.screenshot({ path: `${shots}/site-${name}.png`, fullPage: true });
    const text = await page.textContent("main");
    assert.doesNotMatch(text, /could not be loaded|Not found|Loading …/, `${name}: ${text.slice(0, 200)}`);
    assert.equal(await page.locator("input[type=password], form.decide, textarea").count(), 0, name);
    assert.match(await page.textContent("#state"), /^written 20\d\d-/, name);
    assert.deepEqual([bad, elsewhere, await axe(page)], [[], [], []], name);
    for (const href of await page.locator("a[href]").evaluateAll((all) => all.map((a) => a.href).filter((a) => a.startsWith(location.origin))))
      assert.ok(href.startsWith(SITE), `${name}: ${href}`);
    await close();
  }
});

test("every link leads to a file", async () => {
  const seen = new Set();
  for (const path of Object.values(await places())) {
    const { page, close } = await openFile("light", path);
    await waitForChart(page);
    for (const href of await page.locator("a[href], link[href]").evaluateAll((all) => all.map((a) => a.href)))
      if (href.startsWith(SITE)) seen.add(href.split("#")[0]);
    await close();
  }
  assert.ok(seen.size > 30);
  for (const href of seen) assert.equal((await fetch(href)).status, 200, href);
});

test("the site answers as the server does", async () => {
  const { page, close } = await openFile("light", "/");
  const nights = (await ask(`/projects/${NAME}/nights?limit=5000`)).items.filter((n) => n.experiment);
  const own = (await ask("/projects/history/nights?limit=5000")).items.filter((n) => n.experiment);
  const alert = (await ask(`/projects/${NAME}/alerts`)).items[0];
  const asked = [`/projects/${NAME}`, `/projects/${NAME}/nights?limit=5000`, "/projects/history/nights?limit=3",
    `/projects/${NAME}/nights?limit=5000&since=${nights[40].night}&until=${nights[3].night}`,
    `/projects/history/nights?limit=10&until=${own[35].night}`, `/projects/${NAME}/alerts?limit=1000`, `/alerts/${alert.id}`,
    "/alerts?state=open&limit=1000", `/experiments/${nights[0].experiment}`, `/experiments/${nights[5].experiment}`, `/experiments/${own[40].experiment}`,
    `/compare?a=${nights[30].experiment}&b=${nights[0].experiment}`, `/compare?a=${own[60].experiment}&b=${own[2].experiment}`,
    `/compare?a=${own[2].experiment}&b=${nights[2].experiment}`];
  const got = await page.evaluate(async ({ root, paths }) => {
    const { answer } = await import(`${root}static/place.js`);
    return Promise.all(paths.map(async (path) => (await answer(path)).json()));
  }, { root: SITE, paths: asked });
  for (const [i, path] of asked.entries()) same(got[i], await ask(path), path);
  const missing = await page.evaluate(async (root) => {
    const { answer } = await import(`${root}static/place.js`);
    return Promise.all(["/projects/none", "/experiments/999999", "/alerts/999999"].map(async (path) => (await answer(path)).status));
  }, SITE);
  assert.deepEqual(missing, [404, 404, 404]);
  await close();
});

const LEFT_OUT = new Set(["raw", "running", "next", "written_ms"]); // raw values stay; what runs is over; lists come whole
const CLOSE = 1e-6; // seven digits

const CLOSE_OF_LOOP = 1e-3; // four, but of its mean, which two nights are compared by; of a difference three remain

function same(a, b, path) {
  if (typeof a === "number" && typeof b === "number") {
    const close = /loop_results .*(?<!mean_ns)$|^\/compare/.test(path) ? CLOSE_OF_LOOP : CLOSE;
    assert.ok(Math.abs(a - b) <= close * Math.max(Math.abs(a), Math.abs(b), 1), `${path}: ${a}, ${b}`);
  } else if (a !== null && b !== null && typeof a === "object" && typeof b === "object") {
    assert.deepEqual(Object.keys(a).sort(), Object.keys(b).sort(), path);
    for (const key of Object.keys(b)) if (!LEFT_OUT.has(key)) same(a[key], b[key], `${path} ${key}`);
  } else {
    assert.equal(a, b, path);
  }
}

test("what a script opens is within the site: a night of the chart, the choice of two nights, the keys", async () => {
  const { page, bad, close } = await openFile("light", "/projects/history/");
  await waitForChart(page);
  await page.focus(".walk");
  await page.keyboard.press("ArrowLeft");
  await Promise.all([page.waitForURL(`${SITE}experiments/?id=*`), page.keyboard.press("Enter")]);
  await page.waitForSelector("main h1");
  await Promise.all([page.waitForURL(`${SITE}static/reading.html`), page.keyboard.press("?")]);
  await page.goto(`${SITE}compare/`);
  await page.selectOption("#project-a", "history");
  await page.selectOption("#project-b", "history");
  await page.fill("#night-a", (await ask("/projects/history/nights?limit=9")).items.at(-1).night);
  await Promise.all([page.waitForURL(`${SITE}compare/?a=*`), page.click("form.chooser button")]);
  await page.waitForSelector("main table");
  await page.goto(`${SITE}404.html`);
  assert.equal(await page.textContent("h1"), "Not found");
  assert.deepEqual(bad, []);
  await close();
});

test("the page of frameworks shows what the server's does, of a small file a project", async () => {
  const shown = async ({ page, close }) => {
    const text = await page.textContent("main"), bars = await page.locator("main figure svg").evaluateAll((all) => all.map((s) => s.ariaLabel));
    await close();
    return [text, bars];
  };
  const own = await openFile("light", "/static/frameworks.html"), loaded = [];
  own.page.on("request", (r) => loaded.push(r.url().slice(SITE.length)));
  await own.page.reload();
  await own.page.waitForSelector("main h2");
  const onServer = await openPage("light", "/static/frameworks.html");
  await onServer.page.waitForSelector("main h2");
  assert.deepEqual(await shown(own), await shown(onServer));
  const measured = (await ask("/projects")).items.filter((p) => p.latest?.experiment).map((p) => p.name);
  assert.ok(measured.length > 1);
  assert.deepEqual(loaded.filter((path) => path.endsWith(".gz")).sort(), measured.map((name) => `api/v1/projects/${name}/brief.json.gz`).sort());
});

test("a feed leads to where the site is served", async () => {
  const feed = await (await fetch(`${SITE}feed.atom`)).text();
  assert.match(feed, /href="https:\/\/example\.org\/overhead\/alerts\/\d+"/);
  assert.doesNotMatch(feed, /127\.0\.0\.1/);
});

test("what the server had for other pages is a file: charts, badge, data.js, a page for frames", async () => {
  for (const [path, type, word] of [["charts/history.svg", "image/svg+xml", "<svg"], ["charts/history-all.svg", "image/svg+xml", "<svg"],
    ["projects/history/badge.svg", "image/svg+xml", "<svg"], ["projects/history/badge.json", "application/json", "schemaVersion"],
    ["embed/history/", "text/html", "../../charts/history-dark.svg"]]) {
    const response = await fetch(SITE + path);
    assert.equal(response.headers.get("content-type").split(";")[0], type, path);
    assert.ok((await response.text()).includes(word), path);
  }
  const png = new Uint8Array(await (await fetch(`${SITE}charts/history.png`)).arrayBuffer());
  assert.deepEqual([...png.slice(1, 4)], [0x50, 0x4e, 0x47]);
  assert.match(await (await fetch(`${SITE}projects/history/data.js`)).text(), /^window\.BENCHMARK_DATA = \{/);
});
