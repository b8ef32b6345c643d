// One night in full.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, openPage, real, site } from "./site.mjs";

test("a loop that stands apart is told from a disturbed one", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", site.places.experiment);
  const writing = page.locator("section.loops").last(), collecting = page.locator("section.loops").nth(2);
  await page.click("summary:has-text('Loops') h2");
  await writing.waitFor();
  assert.match(await writing.locator("h3").textContent(), /1 failed, 1 stray/);
  assert.match(await collecting.locator("h3").textContent(), /1 disturbed and left out(?!.*stray)/);
  assert.match(await writing.locator("p.warn").textContent(), /^Loop 3 stands apart: .*makes 98 % of that\. $/);
  assert.equal(await writing.locator(".badge", { hasText: "stray" }).count(), 1);
  assert.equal(await collecting.locator(".badge", { hasText: "disturbed, left out" }).count(), 1);
  assert.match(await page.textContent("main"), /1 of 40 loops was disturbed and left out.*writing: 1 of 10 loops stood apart\./);
  assert.deepEqual(bad, []);
  await close();
});

test("what makes the figures doubtful stands at the head", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", site.places.experiment);
  const doubts = page.locator("ul.doubts li");
  await doubts.first().waitFor();
  const [silent, dropped, failed] = await doubts.allTextContents();
  assert.match(silent, /^I: these loops cannot tell deactivated from none\./);
  assert.match(dropped, /^writing: 200 of 2000 records reached the receiver \(10\.0 %\); the rest was dropped\.$/);
  assert.match(failed, /port 4318: <b>Address<\/b> already in use$/); // what a program printed stays text
  const box = await page.locator("ul.doubts").boundingBox();
  assert.ok(box.y + box.height < await page.locator("h2", { hasText: "Portions" }).evaluate((h2) => h2.getBoundingClientRect().top));
  assert.deepEqual(bad, []);
  await close();
});

test("a level begins with a night by hand, of the portions that are ticked, and is undone", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", site.places.experiment);
  const { project, night, portions } = await ask(`/experiments/${site.places.experiment.split("/").at(-1)}`);
  const sent = [];
  page.on("request", (r) => { if (r.method() === "POST") sent.push([new URL(r.url()).pathname, r.postDataJSON()]); });
  await page.click("summary:has-text('A level by hand')");
  await page.check(`input[name=portion][value=${portions[1].configuration}]`);
  await page.fill("#beginreason", "the node has a new <b>disk</b>");
  await page.fill("#begintoken", "wrong");
  await page.click("button:text('Begin a level')");
  await page.waitForSelector("text=Not accepted: a token with scope run is needed");
  bad.length = 0; // the browser's line about the 401
  await page.fill("#begintoken", "secret");
  await page.click("button:text('Begin a level')");
  const words = `A new level of ${portions[1].portion} begins with this night: the node has a new <b>disk</b> (test, `;
  await page.waitForFunction((said) => document.querySelector("main").textContent.includes(said), words);
  assert.match(await page.textContent("h1 ~ p.big"), /level set by hand: the node has a new <b>disk<\/b>/);
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => { details.open = true; }));
  const [{ id }] = (await ask(`/projects/${project}/baselines`)).items;
  await page.fill(`#level${id}reason`, "wrong night");
  await page.click("button:text-is('Undo')");
  await page.waitForFunction(() => !document.querySelector("main").textContent.includes("begins with this night"));
  assert.deepEqual(sent.slice(1), [
    [`/api/v1/projects/${project}/baselines`, { night, reason: "the node has a new <b>disk</b>", portions: [portions[1].configuration] }],
    [`/api/v1/baselines/${id}/undo`, { reason: "wrong night" }]]);
  assert.deepEqual((await ask(`/projects/${project}/baselines`)).items, []);
  assert.deepEqual(bad, []);
  await close();
});

test("a night leads to the one before and after it", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", "/experiments/88");
  await page.click("text=Next →");
  await page.waitForURL(/\/experiments\/89$/);
  await page.waitForSelector("text=← Previous");
  assert.equal(await page.locator("text=Next →").count(), 0, "it is the newest");
  await page.keyboard.press("[");
  await page.waitForURL(/\/experiments\/88$/);
  assert.deepEqual(bad, []);
  await close();
});
