// Real histories through a real server: every range in every look can be read, and a night that arrives is shown
// without a reload or a jump. Started by histories.py.
// LATE_PROJECT, LATE_NIGHT   a project, and the command (JSON) that brings its newest night
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
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
      await close();
    }
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
