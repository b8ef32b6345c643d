// Walks every page in light, dark and phone size, made-up histories that have gone wrong as well.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { badNights } from "./bad.mjs";
import { PAGES_DIR } from "./serve.mjs";
import { ask, axe, LOOKS, openPage, real, shots, site, waitForChart } from "./site.mjs";

const NIGHT_HEIGHT_MAX = 2200; // pixels of a night at 1280, folded
const SHIFT_MAX = 0.05; // half of what counts as good
const OTHER_LEVEL = /(?<![\d.+\u2212-])95[\u00a0\u202f ]%/; // the made-up nights have intervals of 99 %

/** No page says another level than its nights. */
async function levels(page, path) {
  const all = await page.evaluate(() => document.body.textContent + [...document.querySelectorAll("[aria-label], [title], [alt]")]
    .map((e) => `${e.getAttribute("aria-label")} ${e.title} ${e.alt}`).join("\n"));
  assert.doesNotMatch(all, OTHER_LEVEL, path);
  if (path === site.places.project || path === site.places.experiment || path === site.places.compare) assert.match(all, /99[\u00a0 ]% interval/, path);
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
    for (const [name, path] of Object.entries(site.places)) {
      const { page, bad, close } = await openPage(look, path);
      await waitForChart(page);
      assert.deepEqual(await axe(page, { all: true }), [], `${name}: accessibility`);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth) - LOOKS[look].viewport.width;
      assert.ok(wider <= 0, `${name}: wider than the window by ${wider} px`);
      assert.equal(await page.evaluate(() => globalThis.hacked), undefined, `${name}: a text became a script`);
      const shift = await page.evaluate(() => globalThis.layoutShift);
      assert.ok(shift < SHIFT_MAX, `${name}: the layout shifted by ${shift} once it was shown`);
      if (!real) await levels(page, path);
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
        await page.goto(site.base + path);
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

test("no chart says another level than its nights", { timeout: 60_000, skip: real }, async () => {
  const drawn = await (await fetch(`${site.base}/charts/kieker-java.svg`)).text();
  assert.match(drawn, /its 99 % interval/);
  assert.doesNotMatch(drawn, OTHER_LEVEL);
});

test("pages show an alert's sentence as the API says it", { timeout: 300_000, skip: real }, async () => {
  const { sentence, headline, project } = await ask("/alerts/3");
  for (const [path, wanted] of [["/alerts/3", sentence], [`/projects/${project}`, sentence], ["/", sentence], [`/embed/${project}`, sentence]]) {
    const { page, close } = await openPage("light", path);
    assert.ok((await page.textContent("main")).includes(wanted), `${path}: ${wanted}`);
    if (path === "/alerts/3") assert.equal(await page.title(), `${headline} · moowatch`);
    await close();
  }
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
  const context = await site.browser.newContext(LOOKS.dark);
  const page = await context.newPage();
  const bad = [];
  page.on("console", (m) => { if (m.type() === "error") bad.push(m.text()); });
  const wiki = createServer((_, response) => response.writeHead(200, { "content-type": "text/html" })
    .end(`<link rel="icon" href="data:,"><h1>A wiki</h1><iframe title="overhead" width="900" height="700" src="${site.base}${site.places.embed}"></iframe>`));
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
  await page.goto(`${site.base}/no-such-page`);
  assert.match(await page.textContent("main h1"), /Not found/);
  assert.equal(await page.locator("#frame nav a").count(), 5);
  await close();
});
