// Real histories through a real server: every range in every look can be read, and a night that arrives is shown
// without a reload or a jump. Started by histories.py.
// LATE_PROJECT, LATE_NIGHT   a project, and the command (JSON) that brings its newest night
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { firstLoad, LIMIT_BYTES } from "./load.mjs";
import { ask, axe, LOOKS, openPage, shots, site, waitForChart } from "./site.mjs";

const RANGES = [30, 365, 0];
const FOLD = 800; // pixels: what is answered without scrolling
const TYPICAL_NIGHTS = 30;

/** Texts of the plots that cover each other, or leave their plot: read where they are drawn. */
function badTexts() {
  const bad = [];
  for (const plot of document.querySelectorAll("svg.plot")) {
    const own = plot.getBoundingClientRect();
    const texts = [...plot.querySelectorAll("text:not(.ringmark)")].map((e) => ({ text: e.textContent, at: e.getBoundingClientRect() }));
    texts.forEach((a, i) => {
      if (a.at.left < own.left - 1 || a.at.right > own.right + 1) bad.push(`"${a.text}" leaves its plot`);
      for (const b of texts.slice(i + 1))
        if (a.at.left < b.at.right && b.at.left < a.at.right && a.at.top + 2 < b.at.bottom - 2 && b.at.top + 2 < a.at.bottom - 2)
          bad.push(`"${a.text}" covers "${b.text}"`);
    });
  }
  return bad;
}

/** Each end of an interval is off by at most a fiftieth of its half width. */
function sameInterval(one, other, where) {
  assert.equal(typeof one?.low_ns, typeof other?.low_ns, where);
  const slack = (other?.high_ns - other?.low_ns) / 100 + 1e-6 * Math.abs(other?.high_ns);
  for (const key of ["mean_ns", "low_ns", "high_ns"])
    if (typeof other?.[key] === "number") assert.ok(Math.abs(one[key] - other[key]) <= slack, `${where} ${key}: ${one[key]} is not ${other[key]}`);
}

function sameNight(night, row, where) {
  sameInterval(night.total, row.total, where);
  const byName = (portions) => portions.toSorted((a, b) => a.configuration < b.configuration ? -1 : 1);
  const others = byName(row.portions);
  assert.equal(night.portions.length, others.length, where);
  byName(night.portions).forEach((p, i) => {
    const told = ["portion", "configuration", "parent", "verdict", "direction", "reason", "since"];
    for (const key of told) assert.equal(p[key], others[i][key], `${where} ${key}`);
    for (const range of [[p, others[i]], [p.judged, others[i].judged], [p.reference, others[i].reference]]) sameInterval(...range, `${where} ${p.portion}`);
  });
  const head = ({ total, portions, ...rest }) => rest;
  assert.deepEqual(head(night), head(row), where);
}

async function checkPage(page, bad, look, name) {
  await waitForChart(page);
  assert.deepEqual(await axe(page, { all: true }), [], `${name}: accessibility`);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth) - LOOKS[look].viewport.width;
  assert.ok(wider <= 0, `${name}: wider than the window by ${wider} px`);
  const boxes = await page.$$eval(".scroll", (all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.getAttribute("aria-label")));
  assert.deepEqual(boxes, [], `${name}: tables wider than their boxes`);
  assert.deepEqual(await page.evaluate(badTexts), [], `${name}: texts`);
  assert.doesNotMatch(await page.textContent("main"), /\b(NaN|undefined|Infinity|\[object)/, name);
  if (shots) await page.screenshot({ path: join(shots, `${name}-${look}.png`), fullPage: true });
  assert.deepEqual(bad, [], `${name}: errors`);
}

for (const look of Object.keys(LOOKS))
  test(`every history at ${RANGES.join(", ")} nights (0: all), ${look}`, { timeout: 1_500_000 }, async () => {
    const { page, bad, close } = await openPage(look, "/static/reading.html");
    for (const { name } of (await ask("/projects")).items)
      for (const nights of RANGES) {
        await page.goto(`${site.base}/projects/${name}?nights=${nights}`);
        await page.waitForSelector("img.chart");
        await checkPage(page, bad, look, `${name}-${nights}`);
      }
    await close();
  });

for (const look of Object.keys(LOOKS))
  test(`every kind of page over real nights, ${look}`, { timeout: 600_000 }, async () => {
    for (const [name, path] of Object.entries(site.places)) {
      const { page, bad, close } = await openPage(look, path);
      await checkPage(page, bad, look, name);
      if (name === "frameworks") assert.doesNotMatch(await page.textContent("main"), /…/, "a name is cut");
      await close();
    }
  });

test(`what came of the longest history is loaded with at most ${LIMIT_BYTES} bytes`, { timeout: 300_000 }, async () => {
  const path = `/projects/${process.env.LATE_PROJECT}`;
  const [alert, incident] = await Promise.all(["alerts", "incidents"].map(async (kind) => (await ask(`${path}/${kind}`)).items.at(-1)));
  const pages = [["/compare", "/nights"], ["/jobs", "/jobs?"], [`${path}?nights=0`, "/charts/"]];
  if (alert) pages.push([`/alerts/${alert.id}`, "/nights"]);
  if (incident) pages.push([`/incidents/${incident.id}`, "/nights"]);
  for (const [page, needed] of pages) {
    const { total, bytes, plain } = await firstLoad(site.browser, site.base, page, needed);
    assert.equal(plain, 0, `${page}: answers that could have been packed`);
    assert.ok(total <= LIMIT_BYTES, `${page}: ${total} bytes: ${JSON.stringify(bytes)}`);
  }
});

test("nights in columns say what they say in rows", { timeout: 300_000 }, async () => {
  const { page, close } = await openPage("light", "/static/reading.html");
  for (const { name } of (await ask("/projects")).items) {
    const rows = (await ask(`/projects/${name}/nights?portions=brief&limit=5000`)).items;
    const nights = await page.evaluate(async (path) => (await import("/static/series.js")).nightList(path, 5000), `/projects/${name}`);
    assert.equal(nights.length, rows.length);
    nights.forEach((night, i) => sameNight(night, rows[i], `${name} ${night.night}`));
  }
  await close();
});

test("the first window answers without scrolling", { timeout: 300_000 }, async () => {
  const { page, close } = await openPage("light", `/projects/${process.env.LATE_PROJECT}`);
  await page.setViewportSize({ width: 1280, height: FOLD });
  await waitForChart(page);
  const bottom = (selector) => page.locator(selector).evaluate((e) => e.getBoundingClientRect().bottom);
  for (const selector of [".verdict", ".standing", ".chartbox"])
    assert.ok(await bottom(selector) <= FOLD, `${selector} ends at ${await bottom(selector)} px`);
  assert.deepEqual(await page.$$eval(".standing dt", (all) => all.map((e) => e.textContent)),
    ["How sure?", "Which commit?", "Is it the machine?", "What is being done?"]);
  await close();
});

test("a night arrives and the page shows it, without a reload or a jump", { timeout: 300_000 }, async () => {
  const path = `/projects/${process.env.LATE_PROJECT}`;
  const { page, bad, close } = await openPage("light", path);
  await waitForChart(page);
  const newest = () => page.locator("table.nights tbody tr").first().textContent();
  const was = await newest();
  await page.evaluate(() => { globalThis.sameDocument = true; });
  const place = () => page.evaluate(() => Math.round(document.querySelector(".walkbox").getBoundingClientRect().top));
  await page.evaluate(() => scrollTo(0, 400));
  await page.focus(".ways a:text('lines')");
  const before = await place();
  const [program, ...words] = JSON.parse(process.env.LATE_NIGHT);
  const late = spawnSync(program, words, { encoding: "utf8" });
  assert.equal(late.status, 0, late.stderr);
  await page.waitForFunction((text) => document.querySelector("table.nights tbody tr").textContent !== text, was);
  await waitForChart(page);
  assert.equal(await page.locator("table.nights tbody tr").count() <= TYPICAL_NIGHTS, true);
  assert.equal(await page.evaluate(() => globalThis.sameDocument), true, "reloaded");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "lines", "focus");
  assert.ok(Math.abs(await place() - before) <= 1, `the chart moved from ${before} to ${await place()}`);
  assert.deepEqual(bad, []);
  await close();
});
