// Two nights side by side, and frameworks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, real, site } from "./site.mjs";

test("an empty comparison offers what one would compare, and completes what is typed", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/compare");
  const texts = await page.$$eval("main li a", (all) => all.map((a) => a.textContent));
  for (const wanted of [/^The newest night, 2013-05-28, with the last release, 1\.8-rc1$/, /^The two sides of the last alert: /, /^The two newest releases, 1\.7\.1 and 1\.8-rc1$/])
    assert.ok(texts.some((text) => wanted.test(text)), `${wanted}: ${texts}`);
  await page.focus("#night-a");
  await page.waitForFunction(() => document.querySelectorAll("#nights-a option").length > 3);
  await page.click("main li a >> nth=0");
  await page.waitForURL(/\/compare\?a=\d+&b=\d+$/);
  assert.deepEqual(bad, []);
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
  await page.goto(`${site.base}/alerts/3`);
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
  await page.goto(`${site.base}/static/frameworks.html?depth=7`);
  await page.waitForSelector("text=Nothing was measured at recursion depth 7");
  assert.deepEqual(bad, []);
  await close();
});

test("a name that names nothing says what to give", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/compare?a=kieker-java@9.9&b=kieker-java");
  assert.match(await page.textContent("main"), /no measured night that “9\.9” names/);
  await close();
});

test("a part of a subject names a night, or offers those that it may mean beside the form", { timeout: 300_000, skip: real }, async () => {
  const { page, close } = await openPage("light", "/compare?a=kieker-java@typo&b=88");
  await page.waitForSelector("text=“typo” is said of");
  assert.equal(await page.locator(".chooser").count(), 1);
  await page.click(".notice li a >> nth=0");
  await page.waitForURL(/\/compare\?a=\d+&b=88$/);
  await page.waitForSelector("main h2 >> text=A · kieker-java");
  await page.goto(`${site.base}/compare?a=kieker-java@nobody-wrote-this&b=88`);
  await page.waitForSelector("text=has no measured night that “nobody-wrote-this” names");
  assert.equal(await page.inputValue("#night-a"), "nobody-wrote-this");
  await close();
});
