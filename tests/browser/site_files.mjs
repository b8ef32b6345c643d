// A site of files (SITE_URL) beside the service it was made of (BASE_URL): site_files.py starts both.
import assert from "node:assert/strict";
import { test } from "node:test";
import "./evidence.mjs"; // explains an alert of the fixtures
import { alerts as explained } from "./fixtures.mjs";
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
  return { overview: "/", project: `/projects/${NAME}/`, medians: `/projects/${NAME}/?nights=90&value=median`,
    all: "/projects/history/?nights=0", night: `/experiments/?id=${nights[0].experiment}`,
    alert: `/alerts/${alerts[0].id}/`, zoomed: `/projects/${NAME}/?nights=17&until=${nights[3].night}`,
    compare: `/compare/?a=${nights[1].experiment}&b=${nights[0].experiment}`, choose: "/compare/", jobs: "/jobs/", help: "/static/reading.html", frameworks: "/static/frameworks.html",
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

/** The same from the site and from the server: [path, of the site, of the server]. */
async function answersOf(page, paths) {
  const got = await page.evaluate(async ({ root, asked }) => {
    const { answer } = await import(`${root}static/place.js`);
    return Promise.all(asked.map(async (path) => (await answer(path)).json()));
  }, { root: SITE, asked: paths });
  return Promise.all(paths.map(async (path, i) => [path, got[i], await ask(path)]));
}

test("the site answers as the server does", async () => {
  const { page, close } = await openFile("light", "/");
  const nights = (await ask(`/projects/${NAME}/nights?limit=5000`)).items.filter((n) => n.experiment);
  const own = (await ask("/projects/history/nights?limit=5000")).items.filter((n) => n.experiment);
  const alert = (await ask(`/projects/${NAME}/alerts`)).items[0];
  const asked = [`/projects/${NAME}`, `/projects/${NAME}/nights?limit=5000`, "/projects/history/nights?limit=3",
    `/projects/${NAME}/nights?limit=5000&since=${nights[40].night}&until=${nights[3].night}`,
    `/projects/history/nights?limit=10&until=${own[35].night}`, `/projects/${NAME}/alerts?limit=1000`, `/alerts/${alert.id}`,
    "/alerts?state=open&limit=1000", `/experiments/${nights[0].experiment}`, `/experiments/${nights[5].experiment}`, `/experiments/${own[40].experiment}`,
    `/compare?a=${nights[1].experiment}&b=${nights[0].experiment}`, `/compare?a=${own[41].experiment}&b=${own[40].experiment}`,
    `/projects/history/dimensions?dimension=instructions&limit=30`];
  for (const [path, got, wanted] of await answersOf(page, asked)) same(got, wanted, path);
  await close();
});

test("each night's comparison with the one before is there", async () => {
  const { page, close } = await openFile("light", "/");
  const nights = (await ask(`/projects/${NAME}/nights?limit=5000`)).items.filter((n) => n.experiment).slice(0, 40);
  const previous = await Promise.all(nights.map(async (n) => (await ask(`/experiments/${n.experiment}`)).previous));
  assert.ok(previous.filter(Boolean).length > 30);
  for (const [path, got, wanted] of await answersOf(page, nights.flatMap((n, i) => previous[i]
    ? [`/compare?a=${previous[i]}&b=${n.experiment}`] : []))) same(got, wanted, path);
  await close();
});

test("what the site has not is missing, and its page says so", async () => {
  const { page, close } = await openFile("light", "/");
  const missing = await page.evaluate(async (root) => {
    const { answer } = await import(`${root}static/place.js`);
    return Promise.all(["/projects/none", "/experiments/999999", "/alerts/999999", "/compare?a=1&b=999999"]
      .map(async (path) => (await answer(path)).status));
  }, SITE);
  assert.deepEqual(missing, [404, 404, 404, 404]);
  await page.goto(`${SITE}compare/?a=1&b=999999`);
  await page.waitForSelector("main h1:text('Not found')");
  assert.match(await page.textContent("main"), /is not in this site; a server has more/);
  await close();
});

const LEFT_OUT = [/^\/projects\/[^/ ]+ running$/, /^\/experiments.* raw$/, /^\/alerts\/.* profiles$/, / next$/]; // is over, stays on the server; lists come whole
const COLUMNS = /portions (mean|low|high)|reference|judged/; // off by a fiftieth of an interval, as on a server

function same(a, b, path) {
  if (typeof a === "number" && typeof b === "number" && a !== b) {
    assert.match(path, COLUMNS);
  } else if (a !== null && b !== null && typeof a === "object" && typeof b === "object") {
    assert.deepEqual(Object.keys(a).sort(), Object.keys(b).sort(), path);
    for (const key of Object.keys(b)) if (!LEFT_OUT.some((away) => away.test(`${path} ${key}`))) same(a[key], b[key], `${path} ${key}`);
  } else {
    assert.equal(a, b, path);
  }
}

test("what a script opens is within the site: a night of the chart, the keys", async () => {
  const { page, bad, close } = await openFile("light", "/projects/history/");
  await waitForChart(page);
  await page.focus(".walk");
  await page.keyboard.press("ArrowLeft");
  await Promise.all([page.waitForURL(`${SITE}experiments/?id=*`), page.keyboard.press("Enter")]);
  await page.waitForSelector("main h1");
  await Promise.all([page.waitForURL(`${SITE}static/reading.html`), page.keyboard.press("?")]);
  await page.goto(`${SITE}404.html`);
  assert.equal(await page.textContent("h1"), "Not found");
  assert.deepEqual(bad, []);
  await close();
});

test("the page of frameworks shows what the server's does, but no comparison of any two", async () => {
  const shown = async ({ page, close }) => {
    await page.waitForSelector("main h2");
    await page.locator("main p:has(> a[href^='/compare'])").evaluateAll((all) => all.forEach((p) => p.remove()));
    const text = await page.textContent("main"), bars = await page.locator("main figure svg").evaluateAll((all) => all.map((s) => s.ariaLabel));
    await close();
    return [text, bars];
  };
  const own = await shown(await openFile("light", "/static/frameworks.html"));
  assert.deepEqual(own, await shown(await openPage("light", "/static/frameworks.html")));
});

test("the chart has the sizes and ranges that the page offers, in both themes", async () => {
  for (const [look, width] of [["phone", 320], ["light", 1180], ["dark", 1180]])
    for (const nights of ["", "?nights=90", "?nights=0"]) {
      const { page, bad, close } = await openFile(look, `/projects/history/${nights}`);
      await waitForChart(page);
      const image = page.locator("img.chart");
      assert.equal(await image.evaluate((img) => img.naturalWidth), width, `${look} ${nights}`);
      assert.match(decodeURIComponent(await image.getAttribute("src")), look === "dark" ? /theme=dark/ : /^(?!.*theme)/);
      assert.deepEqual(bad, []);
      await close();
    }
});

test("a link to a function shows the flame graph that there is, and its table offers no other", async () => {
  const alert = (await ask(`/projects/${NAME}/alerts`)).items[0];
  const made = { ...await ask(`/alerts/${alert.id}`), explanation: explained.find((a) => a.explanation).explanation }, asked = [];
  const { page, bad, close } = await openFile("light", "/");
  await page.route(/\/api\/v1\/alerts\/\d+\.json/, (route) => route.fulfill({ json: made }));
  await page.route(/\/flames\//, (route) => {
    asked.push(decodeURIComponent(new URL(route.request().url()).pathname.split("/").at(-1)));
    return route.fulfill({ json: { frames: [{ name: "probe", words: "probe", row: 0, x: 0, width: 1200, fill: "#e69f00" }], rows: 1, width: 1200, note: "Width" } });
  });
  const { configuration } = made.explanation.portions[0];
  await page.goto(`${SITE}alerts/${alert.id}/#flame=${configuration}/before/probe`);
  await page.waitForSelector("figure.flame svg.frames");
  assert.equal(asked[0], `${configuration},view=before.json`);
  assert.ok(asked.every((name) => !name.includes("frame=")));
  assert.equal(await page.locator("button.name").count(), 0);
  assert.doesNotMatch(await page.textContent("main"), /, below |Profiles \(/);
  assert.deepEqual(bad, []);
  await close();
});

test("a feed leads to where the site is served", async () => {
  const feed = await (await fetch(`${SITE}feed.atom`)).text();
  assert.match(feed, /href="https:\/\/example\.org\/overhead\/alerts\/\d+"/);
  assert.doesNotMatch(feed, /127\.0\.0\.1/);
});

test("what the server had for other pages is a file: charts, badge, a page for frames", async () => {
  for (const [path, type, word] of [["charts/history.svg", "image/svg+xml", "<svg"], ["charts/history,nights=5000.svg", "image/svg+xml", "<svg"], ["charts/history,theme=dark.svg", "image/svg+xml", "<svg"],
    ["projects/history/badge.svg", "image/svg+xml", "<svg"], ["projects/history/badge.json", "application/json", "schemaVersion"],
    ["embed/history/", "text/html", "../../charts/history,height=380,theme=dark,width=900.svg"]]) {
    const response = await fetch(SITE + path);
    assert.equal(response.headers.get("content-type").split(";")[0], type, path);
    assert.ok((await response.text()).includes(word), path);
  }
  const png = new Uint8Array(await (await fetch(`${SITE}charts/history.png`)).arrayBuffer());
  assert.deepEqual([...png.slice(1, 4)], [0x50, 0x4e, 0x47]);
});
