// Access: shut without a token of the administrator; with it, tokens and the audit log.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { axe, LOOKS, openPage, real, shots } from "./site.mjs";

for (const look of Object.keys(LOOKS))
  test(`the administrator sees tokens and the audit log, ${look}`, { timeout: 300_000, skip: real }, async () => {
    const { page, bad, close } = await openPage(look, "/static/access.html");
    await page.fill("input[type=password]", "wrong");
    await page.click("button:text('Show')");
    await page.waitForSelector("text=This token does not give access");
    bad.length = 0; // the refusal itself
    await page.fill("input[type=password]", "secret");
    await page.click("button:text('Show')");
    await page.waitForSelector("h2:text('Tokens (3)')");
    const text = await page.textContent("main");
    assert.match(text, /blade1.*soon.*old secret until/);
    assert.match(text, /expired/);
    assert.match(text, /1,204/);
    assert.deepEqual(await axe(page), [], "accessibility");
    const wider = await page.evaluate(() => document.documentElement.scrollWidth) - LOOKS[look].viewport.width;
    assert.ok(wider <= 0, `wider than the window by ${wider} px`);
    if (shots) await page.screenshot({ path: join(shots, `access-open-${look}.png`), fullPage: true });
    await page.click("button:text('Refused')");
    await page.waitForFunction(() => !document.querySelector("main").textContent.includes("ticket #996"));
    assert.match(await page.textContent("main"), /192\.0\.2\.7/);
    assert.deepEqual(bad, []);
    await close();
  });
