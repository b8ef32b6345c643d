// Walks every page in light, dark and phone size, by pointer and by keyboard.
// BASE_URL       walk this server instead of the made-up one (BASE_PROJECT names the project, default: the first)
// SCREENSHOTS    a folder for pictures
// CHROMIUM       default /usr/bin/chromium
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { badNights } from "./bad.mjs";
import { PAGES_DIR, serve } from "./serve.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const LOOKS = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", isMobile: true, hasTouch: true },
};
const LIMIT_MS = 120_000; // of a machine that hangs
const NIGHT_HEIGHT_MAX = 2200; // pixels of a night at 1280, folded
const SHIFT_MAX = 0.05; // half of what counts as good

let server, base, browser, places, hasCompare = false;
const shots = process.env.SCREENSHOTS;
const real = Boolean(process.env.BASE_URL);

async function ask(path) {
  const response = await fetch(base + "/api/v1" + path);
  assert.equal(response.status, 200, path);
  return response.json();
}

/** A server on a port that the system gives to nobody by itself: between its end and its restart it stays free. */
async function serveWhereNobodyComes() {
  for (;;) {
    try {
      return await serve(10_000 + Math.floor(Math.random() * 20_000));
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
    }
  }
}

/** Addresses of one page of each kind, found through the API. */
async function findPlaces() {
  const projects = (await ask("/projects")).items;
  const name = process.env.BASE_PROJECT ?? projects[0].name;
  const nights = (await ask(`/projects/${name}/nights`)).items;
  const alerts = (await ask(`/projects/${name}/alerts`)).items;
  const found = { overview: "/", project: `/projects/${name}`, jobs: "/jobs", help: "/static/reading.html", frameworks: "/static/frameworks.html", choose: "/compare" };
  const measured = nights.find((n) => n.state === "measured" && n.experiment);
  const other = nights.findLast((n) => n.state === "measured" && n.experiment && n !== measured);
  hasCompare = (await fetch(base + "/compare")).ok; // a server may not serve it yet
  if (measured && other && hasCompare) found.compare = `/compare?a=${other.experiment}&b=${measured.experiment}`;
  if (measured) found.experiment = `/experiments/${measured.experiment}`;
  if (alerts.length > 0) found.alert = `/alerts/${alerts[0].id}`;
  found.lines = `/projects/${name}?nights=90&view=lines&value=median`;
  found.embed = `/embed/${name}`;
  if (!real) Object.assign(found, { empty: "/projects/fresh", broken: "/projects/broken",
    many: "/projects/opentelemetry-java?nights=0" });
  return found;
}

before(async () => {
  if (!real) server = await serveWhereNobodyComes();
  base = (process.env.BASE_URL ?? `http://127.0.0.1:${server.address().port}`).replace(/\/$/, "");
  if (shots) mkdirSync(shots, { recursive: true });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS });
  places = await findPlaces();
});

after(async () => {
  await browser?.close();
  server?.closeAllConnections();
  server?.close();
});

/** A page that collects what must not happen: console errors, exceptions, policy violations, failed requests. */
async function openPage(look, path) {
  const context = await browser.newContext(LOOKS[look]);
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.addInitScript(() => {
    globalThis.layoutShift = 0;
    new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) globalThis.layoutShift += e.value; })
      .observe({ type: "layout-shift", buffered: true });
  });
  const bad = [];
  page.on("console", (m) => { if (m.type() === "error") bad.push(m.text()); });
  page.on("pageerror", (e) => bad.push(String(e)));
  page.on("response", (r) => { if (r.status() >= 400) bad.push(`${r.status()} ${r.url()}`); });
  await page.goto(base + path);
  await page.waitForSelector("main h1");
  return { page, bad, close: () => context.close() };
}

/** axe as the page sees it; evaluated by the debugger, so the page's policy stays as it is. */
async function axe(page) {
  await page.evaluate(AXE);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.filter((v) => v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`);
}

async function waitForChart(page) {
  await page.waitForFunction(() => {
    const image = document.querySelector("img.chart");
    return !image || (image.complete && image.naturalWidth > 0);
  });
}

/** A night: what matters first is little, and what is folded is as sound as the rest. */
async function unfold(page, look) {
  const height = () => page.evaluate(() => document.documentElement.scrollHeight);
  const folded = await height();
  assert.ok(look === "phone" || folded <= NIGHT_HEIGHT_MAX, `the night is ${folded} px tall`);
  await page.evaluate(() => { for (const one of document.querySelectorAll("details.fold")) one.open = true; });
  await page.waitForFunction(() => !document.querySelector(".callbox [role=status]"));
  assert.ok(await height() > folded);
  assert.deepEqual(await axe(page), [], "night, unfolded: accessibility");
  const wider = await page.evaluate(() => document.documentElement.scrollWidth) - LOOKS[look].viewport.width;
  assert.ok(wider <= 0, `night, unfolded: wider than the window by ${wider} px`);
}

for (const look of Object.keys(LOOKS)) {
  test(`every page, ${look}`, { timeout: 600_000 }, async () => {
    for (const [name, path] of Object.entries(places)) {
      const { page, bad, close } = await openPage(look, path);
      await waitForChart(page);
      assert.deepEqual(await axe(page), [], `${name}: accessibility`);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth) - LOOKS[look].viewport.width;
      assert.ok(wider <= 0, `${name}: wider than the window by ${wider} px`);
      assert.equal(await page.evaluate(() => globalThis.hacked), undefined, `${name}: a text became a script`);
      const shift = await page.evaluate(() => globalThis.layoutShift);
      assert.ok(shift < SHIFT_MAX, `${name}: the layout shifted by ${shift} once it was shown`);
      if (shots) await page.screenshot({ path: join(shots, `${name}-${look}.png`), fullPage: name !== "many" });
      if (name === "experiment") await unfold(page, look);
      assert.deepEqual(bad, [], `${name}: errors`);
      await close();
    }
  });
}

for (const look of ["light", "phone"])
  test(`what has gone wrong, ${look}`, { timeout: 300_000, skip: real }, async () => {
    const { page, bad, close } = await openPage(look, "/static/reading.html"); // one for all: there are many
    for (const [name, nights] of Object.entries(badNights)) {
      const measured = nights.filter((n) => n.state === "measured");
      const pages = { project: `/projects/${name}`, lines: `/projects/${name}?nights=30&view=lines&value=median`, embed: `/embed/${name}` };
      if (measured.length > 0) pages.night = `/experiments/${measured[0].experiment}`;
      if (measured.length > 1) pages.compare = `/compare?a=${measured[1].experiment}&b=${measured[0].experiment}`;
      for (const [kind, path] of Object.entries(pages)) {
        await page.goto(base + path);
        await page.waitForSelector("main h1");
        await waitForChart(page);
        const wider = await page.evaluate(() => document.documentElement.scrollWidth) - LOOKS[look].viewport.width;
        assert.ok(wider <= 0, `${name}, ${kind}: wider than the window by ${wider} px`);
        assert.equal(await page.evaluate(() => globalThis.hacked), undefined, `${name}, ${kind}: a text became a script`);
        const text = await page.textContent("body");
        assert.doesNotMatch(text, /\b(NaN|undefined|Infinity|\[object)/, `${name}, ${kind}`);
        if (shots) await page.screenshot({ path: join(shots, `bad-${name}-${kind}-${look}.png`), fullPage: true });
        assert.deepEqual(bad, [], `${name}, ${kind}: errors`);
      }
    }
    await close();
  });

test("the project page by keyboard", { timeout: 300_000 }, async () => {
  const { page, bad, close } = await openPage("light", places.project);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
  await page.focus(".walk");
  await page.keyboard.press("End");
  const newest = await page.textContent(".nightcard b");
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await page.textContent(".nightcard b"), newest);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/experiments\//);
  await page.waitForSelector("main h1");
  assert.deepEqual(bad, []);
  await close();
});

test("two nights are compared by Shift and Enter", { timeout: 300_000 }, async (t) => {
  if (!hasCompare) return t.skip("the server has no comparison");
  const { page, bad, close } = await openPage("light", places.project);
  await page.focus(".walk");
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Shift+Enter");
  await page.waitForURL(/\/compare\?a=\d+&b=\d+$/);
  await page.waitForSelector("main h1");
  assert.deepEqual(bad, []);
  await close();
});

test("a range is zoomed, moved and kept in the address", { timeout: 300_000 }, async () => {
  const { page, bad, close } = await openPage("light", places.project + "?nights=30");
  await waitForChart(page);
  const rows = () => page.locator("table.nights tbody tr").count();
  const before = await rows();
  const box = await page.locator(".chartbox").boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 200);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((n) => document.querySelectorAll("table.nights tbody tr").length < n, before);
  assert.match(page.url(), /nights=\d+&until=\d{4}-\d{2}-\d{2}$/);
  const zoomed = page.url(), kept = await rows();
  await page.reload();
  await page.waitForFunction((n) => document.querySelectorAll("table.nights tbody tr").length === n, kept);
  await page.keyboard.press("[");
  await page.waitForFunction((url) => location.href !== url, zoomed);
  await page.goBack();
  await page.goBack();
  await page.waitForFunction((n) => document.querySelectorAll("table.nights tbody tr").length === n, before);
  assert.deepEqual(bad, []);
  await close();
});

test("the page's columns stand exactly under the chart's bars", { timeout: 300_000, skip: real }, async () => {
  const { columnsOf } = await import("../../web/static/columns.js");
  const { chartColumns } = await import("./serve.mjs");
  const fixtures = await import("./fixtures.mjs");
  for (const nights of [fixtures.kieker, fixtures.kieker.slice(0, 7), fixtures.kieker.slice(0, 1), fixtures.thousand])
    for (const width of [240, 380, 900, 1240]) {
      const mine = columnsOf(nights.toReversed(), width);
      for (const [night, x] of await chartColumns(nights, width))
        assert.ok(Math.abs(mine.columns[mine.of[night]].x - x) < 0.01, `${nights.length} nights, ${width} px, night ${night}`);
    }
});

test("every control can be reached and shows its focus", { timeout: 300_000 }, async () => {
  const { page, close } = await openPage("light", places.project);
  const count = await page.locator("a:visible, button:visible:enabled, summary:visible, [tabindex='0']:visible").count();
  const seen = new Set();
  for (let i = 0; i < Math.min(count, 40); i++) {
    await page.keyboard.press("Tab");
    const [where, outline] = await page.evaluate(() => {
      const e = document.activeElement;
      return [[...document.querySelectorAll("*")].indexOf(e), getComputedStyle(e).outlineStyle];
    });
    assert.notEqual(outline, "none", `focus ${i} is not visible`);
    seen.add(where);
  }
  assert.equal(seen.size, Math.min(count, 40));
  await close();
});

test("the theme is kept and the chart follows it", { timeout: 300_000 }, async () => {
  const { page, close } = await openPage("light", places.project);
  await waitForChart(page);
  assert.match(await page.getAttribute("img.chart", "src"), /theme=light/);
  await page.click("#frame button");
  assert.match(await page.getAttribute("img.chart", "src"), /theme=dark/);
  await page.reload();
  await page.waitForSelector("img.chart[src*='theme=dark']");
  await close();
});

test("pointing at a night shows its values, a click opens it, Shift and click on two compares them", { timeout: 300_000 }, async (t) => {
  const { page, bad, close } = await openPage("light", places.project);
  await waitForChart(page);
  const box = await page.locator(".chartbox").boundingBox();
  const at = (share) => page.mouse.move(box.x + 60 + (box.width - 76) * share, box.y + box.height / 2);
  await at(0.99);
  const card = await page.textContent(".nightcard");
  const nights = (await ask(`${places.project}/nights?limit=1`)).items;
  for (const text of [nights[0].night, nights[0].commit.short, nights[0].commit.author, "±"])
    assert.ok(card.includes(text), `the card lacks ${text}: ${card}`);
  if (hasCompare) {
    await page.keyboard.down("Shift");
    await page.mouse.click(box.x + 60 + (box.width - 76) * 0.99, box.y + box.height / 2);
    await page.mouse.click(box.x + 60 + (box.width - 76) * 0.02, box.y + box.height / 2);
    await page.keyboard.up("Shift");
    await page.waitForURL(/\/compare\?a=\d+&b=\d+$/);
    await page.goBack();
    await waitForChart(page);
  }
  await page.mouse.click(box.x + 60 + (box.width - 76) * 0.99, box.y + box.height / 2);
  await page.waitForURL(/\/experiments\/\d+$/);
  assert.deepEqual(bad, []);
  await close();
});

test("a loop that stands apart is told from a disturbed one", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", places.experiment);
  const writing = page.locator("section.loops").last(), collecting = page.locator("section.loops").nth(2);
  await page.click("summary:has-text('Loops') h2");
  await writing.waitFor();
  assert.match(await writing.locator("h3").textContent(), /1 failed, 1 stray/);
  assert.match(await collecting.locator("h3").textContent(), /1 disturbed(?!.*stray)/);
  assert.match(await writing.locator("p.warn").textContent(), /^Loop 3 stands apart: .*makes 98 % of that\. $/);
  assert.equal(await writing.locator(".badge", { hasText: "stray" }).count(), 1);
  assert.match(await page.textContent("main"), /1 of 40 loops was disturbed.*writing: 1 of 10 loops stood apart\./);
  assert.deepEqual(bad, []);
  await close();
});

test("lines and medians have their address, and the chart follows", { timeout: 300_000 }, async () => {
  const { page, bad, close } = await openPage("light", places.project);
  await waitForChart(page);
  const mean = await page.textContent(".multiple .now");
  await page.click(".ways a:text('lines')");
  await page.waitForSelector("img.chart[src*='view=lines']");
  await page.click(".ways a:text('medians')");
  await page.waitForSelector("img.chart[src*='value=median']");
  assert.match(page.url(), /view=lines&value=median$/);
  await waitForChart(page);
  if (!real) assert.notEqual(await page.textContent(".multiple .now"), mean);
  assert.deepEqual(bad, []);
  await close();
});

test("another view jumps nowhere and keeps the focus", { timeout: 300_000 }, async () => {
  const { page, bad, close } = await openPage("phone", places.project);
  await waitForChart(page);
  await page.focus(".ways a:text('lines')");
  const before = await page.evaluate(() => { scrollTo(0, 300); return scrollY; });
  await page.keyboard.press("Enter");
  await page.waitForSelector(".ways a[aria-current]:text('lines')");
  await waitForChart(page);
  assert.deepEqual(await page.evaluate(() => [scrollY, document.activeElement.textContent]), [before, "lines"]);
  await page.goBack();
  await page.waitForSelector(".ways a[aria-current]:text('bars')");
  assert.deepEqual(bad, []);
  await close();
});

test("newer nights are found behind a gap", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/projects/kieker-java?nights=10&until=2013-05-03");
  await waitForChart(page);
  await page.keyboard.press("]");
  await page.waitForFunction(() => location.search.includes("until=2013-05-11"));
  await page.waitForSelector("table.nights >> text=2013-05-11");
  await close();
});

test("two are compared by names that last", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/compare");
  await page.selectOption("#project-a", "kieker-java");
  await page.fill("#night-a", "1.7");
  await page.selectOption("#project-b", "opentelemetry-java");
  await page.click(".chooser button");
  await page.waitForURL(/\/compare\?a=kieker-java@1\.7&b=opentelemetry-java$/);
  await page.waitForSelector("main h2 >> text=A · kieker-java, 2013-03-11");
  await page.waitForSelector("main h2 >> text=B · opentelemetry-java");
  assert.deepEqual(bad, []);
  await close();
});

test("what happened between two is listed, measured or not", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/compare?a=kieker-java@2013-03-20&b=kieker-java@2013-03-10");
  await page.waitForSelector("h2 >> text=20 commits from the older to the newer");
  const items = await page.$$eval("ol.between li", (list) => list.map((li) => li.textContent));
  assert.equal(items.length, 20);
  assert.match(items[0], /between two nights/);
  assert.match(items[19], /night of 2013-03-20$/);
  assert.match(await page.getAttribute("ol.between a", "href"), /^https:\/\/github\.com\/kieker-monitoring\/kieker\/commit\/[0-9a-f]{40}$/);
  await page.goto(`${base}/alerts/3`);
  await page.click("summary:text('All 2 commits between')");
  await page.waitForSelector("ol.between li >> text=between two nights");
  assert.deepEqual(bad, []);
  await close();
});

test("frameworks are compared at a depth that all have", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/static/frameworks.html");
  assert.equal(await page.locator("th a:text('Kieker at depth 1')").count(), 1);
  assert.doesNotMatch(await page.textContent("main"), /depth \?|\? threads/);
  assert.match(await page.textContent("main"), /On a scale of its own: recursion depth differs/);
  assert.equal(await page.$$eval(".scroll", (all) => all.filter((e) => e.scrollWidth > e.clientWidth).length), 0, "tables inside their boxes");
  assert.deepEqual(await page.$$eval(".ranges a", (list) => list.map((a) => a.textContent)), ["all", "10"]);
  await page.click(".ranges a:text('10')");
  await page.waitForURL(/\?depth=10$/);
  await page.waitForSelector(".ranges a[aria-current]:text('10')");
  assert.equal(await page.locator("th a:text('Kieker at depth 1')").count(), 0);
  await page.goto(`${base}/static/frameworks.html?depth=7`);
  await page.waitForSelector("text=Nothing was measured at recursion depth 7");
  assert.deepEqual(bad, []);
  await close();
});

test("a name that names nothing says what to give", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/compare?a=kieker-java@9.9&b=kieker-java");
  assert.match(await page.textContent("main"), /no measured night that “9\.9” names/);
  await close();
});

test("an alert is decided with a reason and a token", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/alerts/2");
  await page.fill("#reason", "expected <b>since</b> the new check");
  await page.fill("#token", "wrong");
  await page.click(".decide button:text('Accept')");
  await page.waitForSelector("text=Not accepted: a token with scope run is needed");
  assert.equal(await page.evaluate(() => document.activeElement.id), "token");
  await page.fill("#token", "secret");
  await page.click(".decide button:text('Accept')");
  await page.waitForSelector("text=open → accepted");
  assert.match(await page.textContent("main"), /expected <b>since<\/b> the new check/);
  await close();
});

test("an alert of two portions says each reason once", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/alerts/4");
  const { reason } = await ask("/alerts/4");
  const told = await page.$$eval("main p", (list) => list.map((p) => p.textContent));
  assert.equal(told.filter((text) => text === reason).length, 1);
  assert.equal(told.filter((text) => text === "W rose with it").length, 1);
  await close();
});

test("no page says another level than its nights", { timeout: 600_000, skip: real }, async () => {
  const wrong = /(?<![\d.+\u2212-])95[\u00a0\u202f ]%/; // the made-up nights have intervals of 99 %
  for (const path of Object.values(places)) {
    const { page, close } = await openPage("light", path);
    const all = await page.evaluate(() => document.body.textContent + [...document.querySelectorAll("[aria-label], [title], [alt]")]
      .map((e) => `${e.getAttribute("aria-label")} ${e.title} ${e.alt}`).join("\n"));
    assert.doesNotMatch(all, wrong, path);
    if (path === places.project || path === places.experiment || path === places.compare) assert.match(all, /99[\u00a0 ]% interval/, path);
    await close();
  }
  const drawn = await (await fetch(`${base}/charts/kieker-java.svg`)).text();
  assert.match(drawn, /its 99 % interval/);
  assert.doesNotMatch(drawn, wrong);
});

test("pages show an alert's sentence as the API says it", { timeout: 300_000, skip: real }, async () => {
  const { sentence, headline, project } = await ask("/alerts/3");
  for (const [path, wanted] of [["/alerts/3", sentence], ["/alerts/3", headline], [`/projects/${project}`, sentence], ["/", sentence], [`/embed/${project}`, sentence]]) {
    const { page, close } = await openPage("light", path);
    assert.ok((await page.textContent("main")).includes(wanted), `${path}: ${wanted}`);
    await close();
  }
});

test("the queue lists no imported night, and the others by project and night", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/jobs");
  const ended = await page.textContent("[aria-label='Ended jobs']");
  assert.match(ended, /239/);
  assert.doesNotMatch(ended, /2013-01-01/);
  assert.deepEqual(bad, []);
  await close();
});

test("an old change is kept quiet, one of these days is news, new or seen", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/");
  assert.equal(await page.textContent("h1"), "Nothing new");
  assert.equal(await page.locator(".card.alarmed").count(), 0);
  assert.equal(await page.locator("details.old").evaluate((e) => e.open), false);
  const newest = (await ask("/alerts")).items.filter((a) => a.state === "open" && !a.aged).map((a) => a.to.night).sort().at(-1);
  const at = Date.parse(newest) + 864e5; // the fixtures' nights are long ago: the reader's clock is set to them
  await page.evaluate((seen) => localStorage.setItem("visit", JSON.stringify({ before: null, seen })), at - 864e5);
  await page.clock.setFixedTime(at);
  await page.reload();
  await page.waitForSelector(".card.alarmed");
  assert.match(await page.textContent("h1"), /^1 of \d+ projects changed$/);
  assert.match(await page.textContent("main"), /since your last visit/);
  await close();
});

test("every page preloads exactly the modules it needs", { skip: real }, () => {
  const folder = new URL("../../web/static/", import.meta.url);
  const text = (name) => readFileSync(new URL(name, folder), "utf8");
  const needs = (name, seen = new Set()) => {
    for (const [, found] of text(name).matchAll(/from "\/static\/([\w.]+)"/g))
      if (!seen.has(found)) needs(found, seen.add(found));
    return seen;
  };
  for (const page of readdirSync(PAGES_DIR).filter((name) => name.endsWith(".html"))) {
    const html = readFileSync(join(PAGES_DIR, page), "utf8");
    const main = /type="module" src="\/static\/([\w.]+)"/.exec(html)[1];
    const preloaded = [...html.matchAll(/modulepreload" href="\/static\/([\w.]+)"/g)].map((m) => m[1]);
    assert.deepEqual(preloaded.sort(), [...needs(main)].sort(), page);
  }
});

test("an embedded project shows in a frame of another place, without script", { timeout: 300_000 }, async () => {
  const context = await browser.newContext(LOOKS.dark);
  const page = await context.newPage();
  const bad = [];
  page.on("console", (m) => { if (m.type() === "error") bad.push(m.text()); });
  const wiki = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" })
    .end(`<link rel="icon" href="data:,"><h1>A wiki</h1><iframe title="overhead" width="900" height="700" src="${base}${places.embed}"></iframe>`));
  await new Promise((done) => wiki.listen(0, "127.0.0.1", done));
  await page.goto(`http://127.0.0.1:${wiki.address().port}/`);
  const frame = page.frameLocator("iframe");
  await frame.locator("h1 a").waitFor();
  assert.match(await frame.locator("img").evaluate((image) => image.decode().then(() => image.currentSrc)), /theme=dark/);
  await frame.locator("summary").click();
  await frame.locator("tbody tr").first().waitFor();
  assert.deepEqual(bad, []);
  await context.close();
  wiki.closeAllConnections();
  wiki.close();
});

test("a missing thing says so", { timeout: 300_000 }, async () => {
  const { page, close } = await openPage("light", "/projects/no-such-project");
  assert.match(await page.textContent("main h1"), /Not found/);
  await page.goto(`${base}/no-such-page`);
  assert.match(await page.textContent("main h1"), /Not found/);
  assert.equal(await page.locator("#frame nav a").count(), 5);
  await close();
});

test("the running job moves without a reload", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/jobs");
  const first = await page.getAttribute("progress", "value");
  await page.waitForFunction((was) => document.querySelector("progress").getAttribute("value") !== was, first);
  await page.click("details.output summary");
  const printed = await page.textContent("details.output pre");
  assert.doesNotMatch(printed, /\u001b|\[32m/);
  await page.waitForFunction((was) => document.querySelector("details.output pre").textContent !== was, printed);
  assert.match(await page.textContent("details.output pre"), /^<i>\d+<\/i>\ndone\n$/);
  await page.click("details:not(.output):has(pre) summary");
  await page.waitForFunction(() => document.querySelector("details:not(.output) pre").textContent.includes("<b>Could not resolve</b>"));
  await close();
});

test("a page survives a restart of the server", { timeout: 300_000, skip: real }, async () => {
  const port = server.address().port;
  const { page, close } = await openPage("light", "/jobs");
  await page.waitForFunction(() => document.querySelector("progress")?.value > 0);
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await page.waitForFunction(() => document.querySelector(".lost").textContent.includes("connection lost"));
  server = await serve(port);
  await page.waitForFunction(() => document.querySelector(".lost").textContent === "");
  assert.match(await page.textContent("main h1"), /Queue/);
  await close();
});
