// The first visit of a project's page with a year of nights is small.
// BASE_URL, BASE_PROJECT; CHROMIUM default /usr/bin/chromium. Prints one JSON object.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { firstLoad, LIMIT_BYTES } from "./load.mjs";

const base = process.env.BASE_URL.replace(/\/$/, "");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

test(`the first load of a project's page is at most ${LIMIT_BYTES} bytes`, { timeout: 240_000 }, async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS });
  try {
    const { total, bytes, streams, plain } = await firstLoad(browser, base, `/projects/${process.env.BASE_PROJECT}`, "/charts/");
    console.log(JSON.stringify({ total, bytes, streams }));
    assert.ok(Object.keys(bytes).some((path) => path.includes("/nights")), "the nights were not loaded");
    assert.equal(plain, 0, "answers that could have been packed");
    assert.ok(total <= LIMIT_BYTES, `${total} bytes: ${JSON.stringify(bytes)}`);
  } finally {
    await browser.close();
  }
});
