// The queue, its running jobs, and a server that restarts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "./serve.mjs";
import { openPage, real, site } from "./site.mjs";

test("the queue lists no imported night, and the others by project and night", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/jobs");
  const ended = await page.textContent("[aria-label='Ended jobs']");
  assert.match(ended, /239/);
  assert.doesNotMatch(ended, /2013-01-01/);
  assert.match(await page.textContent("#job-253 h3"), / [0-9a-f]+ against [0-9a-f]+$/, "a trial names both commits");
  assert.deepEqual(bad, []);
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

test("a page survives a restart of the server, and does not move", { timeout: 300_000, skip: real }, async () => {
  const port = site.server.address().port;
  const { page, close } = await openPage("phone", "/jobs");
  await page.waitForFunction(() => document.querySelector("progress")?.value > 0);
  const top = () => page.evaluate(() => document.querySelector("main h1").getBoundingClientRect().top);
  const before = await top();
  site.server.closeAllConnections();
  await new Promise((done) => site.server.close(done));
  await page.waitForFunction(() => document.querySelector(".lost").textContent.includes("connection lost"));
  assert.equal(await top(), before);
  site.server = await serve(port);
  await page.waitForFunction(() => document.querySelector(".lost").textContent === "");
  assert.match(await page.textContent("main h1"), /Queue/);
  await close();
});

test("a job has a page", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/jobs");
  await page.click("[aria-label='Ended jobs'] a:text-is('239')");
  await page.waitForURL(/\/jobs\/239$/);
  await page.waitForSelector("h1:text-is('Job 239: done')");
  assert.equal(await page.locator("details[open]:has(summary:text-is('Log'))").count(), 1);
  await page.goto(`${site.base}/jobs/250`);
  await page.waitForSelector("h1:text-is('Job 250: running')");
  assert.deepEqual(bad, []);
  await close();
});
