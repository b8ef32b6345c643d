// One night in full.
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage, real, site } from "./site.mjs";

test("a loop that stands apart is told from a disturbed one", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", site.places.experiment);
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

test("what makes the figures doubtful stands at the head", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", site.places.experiment);
  const doubts = page.locator("ul.doubts li");
  await doubts.first().waitFor();
  const [silent, dropped, failed] = await doubts.allTextContents();
  assert.match(silent, /^I: these loops cannot tell deactivated from none\./);
  assert.match(dropped, /^writing: 200 of 2000 records came to the receiver \(10\.0 %\); the rest was dropped\.$/);
  assert.match(failed, /port 4318: <b>Address<\/b> already in use$/); // what a program printed stays text
  const box = await page.locator("ul.doubts").boundingBox();
  assert.ok(box.y + box.height < await page.locator("h2", { hasText: "Portions" }).evaluate((h2) => h2.getBoundingClientRect().top));
  assert.deepEqual(bad, []);
  await close();
});
