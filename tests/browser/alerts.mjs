// Alerts: what is told, what is decided, what is news.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, openPage, real } from "./site.mjs";

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

test("an alert of two portions says each reason once, and no heading twice", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/alerts/4");
  const heads = await page.$$eval("main :is(h1, h2, h3)", (list) => list.map((h) => h.textContent));
  assert.deepEqual(heads, [...new Set(heads)]);
  assert.equal(heads.filter((text) => text.includes("of Writing (W)") || text.includes("Writing (W) ")).length, 3, heads.join("; "));
  const { reason } = await ask("/alerts/4");
  const told = await page.$$eval("main p", (list) => list.map((p) => p.textContent));
  assert.equal(told.filter((text) => text === reason).length, 1);
  assert.equal(told.filter((text) => text === "W rose with it").length, 1);
  assert.equal(told.filter((text) => text === "At least half of it went back with alert 1.").length, 1);
  await close();
});

test("a level by hand has a reason of one line, no longer than the server takes", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/alerts/4");
  const said = () => page.$eval("#movereason", (field) => [field.tagName, field.maxLength, field.validationMessage]);
  await page.waitForSelector("#movereason", { state: "attached" });
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
  await page.fill("#movereason", "ß".repeat(150));
  assert.deepEqual(await said(), ["INPUT", 300, ""]);
  await page.fill("#movereason", "ß".repeat(151));
  assert.deepEqual(await said(), ["INPUT", 300, "The reason is too long: at most 300 bytes."]);
  await page.fill("#movereason", "ticket #996");
  assert.deepEqual(await said(), ["INPUT", 300, ""]);
  await close();
});

test("an alert's level is moved to another night, and put back", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/alerts/4");
  const { project, to } = await ask("/alerts/4");
  const nights = (await ask(`/projects/${project}/nights`)).items, other = nights[nights.findIndex((n) => n.night === to.night) + 1].night;
  await page.waitForSelector("#movereason", { state: "attached" });
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
  await page.fill("#movenight", other);
  await page.fill("#movereason", "ticket #996");
  await page.fill("#movetoken", "secret");
  await page.click("button:text-is('Move')");
  const words = `The level of alert 4 begins with ${other} instead of ${to.night}: ticket #996`;
  await page.waitForFunction((said) => document.querySelector("main").textContent.includes(said), words);
  assert.equal(await page.locator("#movereason").count(), 0, "what was moved is put back before it is moved again");
  const [{ id, alert, night }] = (await ask(`/projects/${project}/baselines`)).items;
  assert.deepEqual([alert, night], [4, other]);
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
  await page.fill(`#level${id}reason`, "it was right");
  await page.click("button:text-is('Undo')");
  await page.waitForSelector("#movereason", { state: "attached" });
  await close();
});

/** Answers the question for an alert as if its search had named another commit first, and a part alone had come with it. */
async function correct(route) {
  const response = await route.fetch(), body = await response.json();
  await route.fulfill({ response, json: { ...body, corrected: "The search had found 9d6643e27; it was not that commit.",
    bisection: { ...body.bisection, told: "Only 50 % of it.", dimension: "start_ms" } } });
}

test("a commit that was named wrongly is taken back", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/alerts/3");
  await page.route("**/api/v1/alerts/3", correct);
  await page.reload();
  await page.waitForFunction(() => document.querySelector("main").textContent.includes("The search had found 9d6643e27"));
  const text = await page.textContent("main");
  for (const once of ["Only 50 % of it.", "Which commit?", "until the first call, ms"]) assert.equal(text.split(once).length, 2, `${once} is said once`);
  assert.equal(await page.locator("[aria-label='Steps of the search']").count(), 1);
  await close();
});

/** Answers the overview's question for open alerts as if all of them had aged. */
async function ageAll(route) {
  const response = await route.fetch(), body = await response.json();
  await route.fulfill({ response, json: { ...body, items: body.items.map((a) => ({ ...a, aged: true })) } });
}

test("an aged change is kept quiet, another is news, new or seen", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/");
  await page.route("**/api/v1/alerts?state=open*", ageAll);
  await page.reload();
  await page.waitForSelector("details.old");
  assert.equal(await page.textContent("h1"), "Nothing certain: 1 project in question"); // a portion of the fixtures is suspect
  assert.equal(await page.locator(".card.alarmed").count(), 0);
  const lines = await page.$$eval(".card p", (all) => all.map((p) => p.textContent));
  assert.ok(lines.some((text) => /^newest night [\d-]+ · /.test(text)), lines.join("; "));
  assert.ok(!lines.some((text) => /newest night [\d-]+: /.test(text)), "the card's verdict says it");
  assert.equal(await page.locator("details.old").evaluate((e) => e.open), false);
  await page.unroute("**/api/v1/alerts?state=open*");
  const open = (await ask("/alerts?state=open")).items;
  const changed = new Set(open.filter((a) => !a.aged).map((a) => a.project)).size;
  const newest = open.map((a) => a.to.night).sort().at(-1);
  const at = Date.parse(newest) + 864e5; // the fixtures' nights are long ago: the reader's clock is set to them
  await page.evaluate((seen) => localStorage.setItem("visit", JSON.stringify({ before: null, seen })), at - 864e5);
  await page.clock.setFixedTime(at);
  await page.reload();
  await page.waitForSelector(".card.alarmed");
  assert.match(await page.textContent("h1"), new RegExp(`^${changed} of \\d+ projects changed$`));
  assert.match(await page.textContent("main"), /since your last visit/);
  await close();
});
