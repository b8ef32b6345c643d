// A real server's project page, as a maintainer opens it: the chart is drawn and the alerts are told.
// BASE_URL, BASE_PROJECT   where and what
// SCREENSHOTS              a folder for pictures
// CHROMIUM                 default /usr/bin/chromium
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { chromium } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const LOOKS = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", isMobile: true, hasTouch: true },
};
const base = process.env.BASE_URL.replace(/\/$/, "");
const project = process.env.BASE_PROJECT;
let browser;

before(async () => {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS });
});
after(() => browser?.close());

for (const [look, options] of Object.entries(LOOKS))
  test(`${look}: the chart and every alert`, async () => {
    const alerts = (await (await fetch(`${base}/api/v1/projects/${project}/alerts`)).json()).items;
    assert.ok(alerts.length > 0, "the demo found something");
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    const wrong = [];
    page.on("console", (message) => message.type() === "error" && wrong.push(message.text()));
    page.on("pageerror", (error) => wrong.push(String(error)));
    await page.goto(`${base}/projects/${project}`);
    const chart = page.locator('img[src*="/charts/"]').first();
    await chart.waitFor();
    const width = await chart.evaluate((image) => image.decode().then(() => image.naturalWidth));
    assert.ok(width > 200, `the chart is drawn, ${width} px wide`);
    for (const alert of alerts)
      await page.locator(`a[href="/alerts/${alert.id}"]`).first().waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} px wider than the window`);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, `demo-${look}.png`), fullPage: true });
    assert.deepEqual(wrong, []);
    await context.close();
  });
