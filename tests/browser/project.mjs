// A project's page by pointer, by finger and by keyboard: ranges, views, two nights compared.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, openPage, real, site, waitForChart } from "./site.mjs";

test("the project page by keyboard", { timeout: 300_000 }, async () => {
  const { page, bad, close } = await openPage("light", site.places.project);
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

test("which function did it stands beside the verdict, and leads to its flame graph", { timeout: 300_000 }, async (t) => {
  if (real) return t.skip("needs an explained alert");
  const { page, bad, close } = await openPage("light", "/projects/kieker-java");
  const facts = await page.$$eval(".standing > div", (all) => all.map((e) => [e.querySelector("dt").textContent, e.querySelector("dd").textContent]));
  assert.deepEqual(facts.map(([term]) => term), ["How sure?", "Which commit?", "Which function?", "Is it the machine?", "What is being done?"]);
  assert.match(facts[2][1], /^\+350 ns in signature, called from probe; \+330 ns in <toString> \(scaled from \+4010 instructions a call\)\.$/);
  await page.click(".standing dd a[href$='#where']");
  await page.waitForURL(/\/alerts\/3#where$/);
  await page.waitForSelector("#where");
  assert.deepEqual(bad, []);
  await close();
});

test("two nights are compared by Shift and Enter", { timeout: 300_000 }, async (t) => {
  if (!site.hasCompare) return t.skip("the server has no comparison");
  const { page, bad, close } = await openPage("light", site.places.project);
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

test("a finger shows a night's values, slides to another, and opens it with a second tap", { timeout: 300_000 }, async () => {
  const { page, bad, close } = await openPage("phone", site.places.project);
  await waitForChart(page);
  await page.locator(".chartbox").evaluate((e) => e.scrollIntoView({ block: "center" }));
  const box = await page.locator(".chartbox").boundingBox();
  const at = (share) => [box.x + 60 + (box.width - 76) * share, box.y + 160];
  await page.touchscreen.tap(...at(0.2));
  const first = await page.textContent(".nightcard b");
  await page.touchscreen.tap(...at(0.8));
  assert.notEqual(await page.textContent(".nightcard b"), first);
  assert.match(await page.textContent(".nightcard"), /Tap again to open/);
  assert.match(page.url(), /\/projects\//);
  await page.touchscreen.tap(...at(0.8));
  await page.waitForURL(/\/experiments\//);
  assert.deepEqual(bad, []);
  await close();
});

test("no table scrolls sideways and nothing of it is cut, phone", { timeout: 300_000 }, async () => {
  for (const name of ["project", "experiment", "jobs", "compare", "alert", "frameworks"].filter((n) => site.places[n])) {
    const { page, close } = await openPage("phone", site.places[name]);
    await page.evaluate(() => { for (const one of document.querySelectorAll("details")) one.open = true; });
    await page.waitForFunction(() => [...document.querySelectorAll(".scroll")].every((e) => e.scrollWidth <= e.clientWidth), null, { timeout: 20_000 })
      .catch(async () => assert.fail(`${name}: ${await page.$$eval(".scroll", (all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute("aria-label")))}`));
    const cut = await page.$$eval(".scroll.folded td", (all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent));
    assert.deepEqual(cut, [], name);
    await close();
  }
});

test("a range is zoomed, moved and kept in the address", { timeout: 300_000 }, async () => {
  const { page, bad, close } = await openPage("light", site.places.project + "?nights=30");
  await page.waitForSelector("table.nights tbody tr");
  await waitForChart(page);
  const before = await page.locator("table.nights tbody tr").count(), first = page.url();
  const chart = page.locator(".chartbox"), wide = (await chart.boundingBox()).width;
  await chart.hover({ position: { x: wide * 0.3, y: 200 } }); // it stands still then
  const box = await chart.boundingBox();
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((n) => document.querySelectorAll("table.nights tbody tr").length < n, before);
  assert.match(page.url(), /nights=\d+&until=\d{4}-\d{2}-\d{2}$/);
  const zoomed = page.url(), kept = await page.locator("table.nights tbody tr").count();
  await page.reload();
  await page.waitForFunction((n) => document.querySelectorAll("table.nights tbody tr").length === n, kept);
  await page.keyboard.press("[");
  await page.waitForFunction((url) => location.href !== url, zoomed);
  await page.goBack();
  await page.waitForFunction((url) => location.href === url, zoomed);
  await page.goBack();
  await page.waitForFunction((url) => location.href === url, first);
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
  const { page, close } = await openPage("light", site.places.project);
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
  const { page, close } = await openPage("light", site.places.project);
  await waitForChart(page);
  assert.match(await page.getAttribute("img.chart", "src"), /theme=light/);
  await page.click("#frame button");
  assert.match(await page.getAttribute("img.chart", "src"), /theme=dark/);
  await page.reload();
  await page.waitForSelector("img.chart[src*='theme=dark']");
  await close();
});

test("pointing at a night shows its values, a click opens it, Shift and click on two compares them", { timeout: 300_000 }, async (t) => {
  const { page, bad, close } = await openPage("light", site.places.project);
  await waitForChart(page);
  const at = async (share, act) => { // where the chart is now: what loads above it moves it
    const box = await page.locator(".chartbox").boundingBox();
    await page.mouse[act](box.x + 60 + (box.width - 76) * share, box.y + box.height / 2);
  };
  await at(0.99, "move");
  const card = await page.textContent(".nightcard");
  const nights = (await ask(`${site.places.project}/nights?limit=1`)).items;
  for (const text of [nights[0].night, nights[0].commit.short, nights[0].commit.author, "±"])
    assert.ok(card.includes(text), `the card lacks ${text}: ${card}`);
  if (site.hasCompare) {
    await page.keyboard.down("Shift");
    await at(0.99, "click");
    await at(0.02, "click");
    await page.keyboard.up("Shift");
    await page.waitForURL(/\/compare\?a=\d+&b=\d+$/);
    await page.goBack();
    await waitForChart(page);
  }
  await at(0.99, "click");
  await page.waitForURL(/\/experiments\/\d+$/);
  assert.deepEqual(bad, []);
  await close();
});

test("lines and medians have their address, and the chart follows", { timeout: 300_000 }, async () => {
  const { page, bad, close } = await openPage("light", site.places.project);
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
  const { page, bad, close } = await openPage("phone", site.places.project);
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

const BRANCHES = [{ project: "kieker-java", branch: "master" }, { project: "kieker-depth-1", branch: "1.15.x" }];

/** The made-up projects, two of them as branches of one repository. */
async function asBranches(route) {
  const response = await route.fetch(), body = await response.json();
  const branched = (p) => {
    const own = BRANCHES.find((b) => b.project === p.name);
    return own ? { ...p, branch: own.branch, branches: BRANCHES, main: own === BRANCHES[0] ? null : BRANCHES[0].project } : p;
  };
  await route.fulfill({ response, json: body.items ? { ...body, items: body.items.map(branched) } : branched(body) });
}

test("a branch is chosen, another stands beside it, and none", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/projects/fresh");
  await page.route(/\/api\/v1\/projects(\/kieker-[^/?]+|\?like=[^/]+)?$/, asBranches);
  await page.goto(`${site.base}/projects/kieker-java?nights=14`);
  const [choice, beside] = [/^Branch /, /^beside /].map((words) => page.locator("label", { hasText: words }).locator("select"));
  await choice.waitFor();
  assert.deepEqual(await choice.locator("option").allTextContents(), ["master", "1.15.x"]);
  assert.deepEqual(await beside.locator("option").allTextContents(), ["1.15.x", "none"]);
  await page.waitForSelector("path.beside", { state: "attached" });
  assert.match(await page.textContent("main"), /Dashed line: the branch 1\.15\.x, as it was last measured by each night\./);
  assert.match(await page.textContent("section[aria-labelledby=branches]"), /1\.15\.x: /);
  await beside.selectOption("none");
  await page.waitForFunction(() => !document.querySelector("path.beside"));
  assert.equal(new URL(page.url()).searchParams.get("beside"), "-");
  await choice.selectOption("1.15.x");
  await page.waitForURL("**/projects/kieker-depth-1?nights=14");
  await page.waitForSelector("path.beside", { state: "attached" });
  assert.equal(await choice.inputValue(), "kieker-depth-1");
  assert.deepEqual(bad, []);
  await close();
});

test("nights are looked for, which the address keeps, and saved as they are seen", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/projects/kieker-java?nights=0");
  const nights = () => page.$$eval("table.nights tbody th", (all) => all.map((e) => e.textContent));
  const all = (await nights()).length;
  await page.fill("[aria-label='Find nights']", "fix typo");
  assert.ok((await nights()).length > 0 && (await nights()).length < all);
  await page.check(".search [type=checkbox]");
  assert.match(page.url(), /find=fix\+typo&only=changes$/);
  await page.fill("[aria-label='Find nights']", "");
  const seen = await nights();
  await page.reload();
  await page.waitForSelector("table.nights");
  assert.deepEqual(await nights(), seen);
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("a:text-is('CSV')")]);
  const lines = (await (await file.createReadStream()).toArray()).join("").trimEnd().split("\r\n");
  assert.equal(file.suggestedFilename(), "kieker-java.csv");
  assert.deepEqual(lines.slice(1).map((line) => line.slice(1, 11)), seen);
  assert.deepEqual(bad, []);
  await close();
});

const PHONE_MOST = 7_000; // pixels of thirty nights with all that is said of them

test("a phone scrolls no further than it must", { timeout: 300_000, skip: real }, async () => {
  for (const path of ["/projects/kieker-java", "/projects/opentelemetry-java?nights=90", "/jobs"]) {
    const { page, close } = await openPage("phone", path);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(height <= PHONE_MOST, `${path}: ${height} px`);
    await close();
  }
});

test("a project's heading counts the alerts of other nights that are open", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", site.places.project);
  assert.deepEqual(await page.locator(".verdict.loud").evaluateAll((all) => all.map((p) => p.textContent.includes("more open"))), [false, true]);
  assert.match(await page.textContent(".verdict.loud >> nth=1"), / and 1 more open$/);
  assert.match(await page.textContent(".standing"), /Alert 3 and 2 more are open, and wait for somebody's decision\./);
  assert.deepEqual(bad, []);
  await close();
});

test("a job that failed hides no open alert, and its log is one click away", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", site.places.project);
  await page.route(`**/api/v1${site.places.project}`, async (route) => {
    const project = await (await route.fetch()).json();
    await route.fulfill({ json: { ...project, problem: "The last job failed: <b>x</b>", latest: { ...project.latest, state: "failed", job: 240 } } });
  });
  await page.reload();
  await page.waitForSelector(".notice.bad");
  assert.equal(await page.textContent(".notice.bad"), "The last job failed: <b>x</b> Log of the newest night");
  assert.ok(await page.locator(".verdict.loud").count() > 0);
  await page.click("text=Log of the newest night");
  await page.waitForSelector("h1:text-is('Job 240: failed')");
  assert.deepEqual(bad, []);
  await close();
});
