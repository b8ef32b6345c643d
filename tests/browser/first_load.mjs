// What the first visit of a project's page brings over the wire: every answer's bytes, headers included.
// BASE_URL, BASE_PROJECT; CHROMIUM default /usr/bin/chromium. Prints one JSON object.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chromium } from "playwright-core";

const LIMIT = 150_000;
const base = process.env.BASE_URL.replace(/\/$/, "");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];

test(`the first load of a project's page is at most ${LIMIT} bytes`, { timeout: 240_000 }, async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS });
  try {
    const page = await browser.newPage();
    const network = await page.context().newCDPSession(page);
    await network.send("Network.enable");
    const paths = new Map(), bytes = {}, open = new Set();
    let plain = 0, streams = 0;
    network.on("Network.requestWillBeSent", ({ requestId }) => open.add(requestId));
    network.on("Network.loadingFailed", ({ requestId }) => open.delete(requestId));
    network.on("Network.responseReceived", ({ requestId, response, type }) => {
      paths.set(requestId, response.url.slice(base.length));
      if (type === "EventSource") { // never ends
        streams += 1;
        open.delete(requestId);
      } else if (/^(text|application\/json|image\/svg)/.test(response.mimeType) && !/gzip|br/.test(response.headers["Content-Encoding"] ?? ""))
        plain += Number(response.headers["Content-Length"]) > 1024 ? 1 : 0;
    });
    network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      bytes[paths.get(requestId)] = encodedDataLength;
      open.delete(requestId);
    });
    await page.goto(`${base}/projects/${process.env.BASE_PROJECT}`);
    await page.locator("svg:visible, img:visible").first().waitFor();
    await page.waitForLoadState("load");
    // The page knows that it has the nights before we are told of their bytes.
    while (open.size > 0 || !Object.keys(bytes).some((path) => path.includes("/nights")))
      await new Promise((later) => setTimeout(later, 50));
    const total = Object.values(bytes).reduce((sum, n) => sum + n, 0);
    console.log(JSON.stringify({ total, bytes, streams }));
    assert.ok(Object.keys(bytes).some((path) => path.includes("/nights")), "the nights were not loaded");
    assert.equal(plain, 0, "answers that could have been packed");
    assert.ok(total <= LIMIT, `${total} bytes: ${JSON.stringify(bytes)}`);
  } finally {
    await browser.close();
  }
});
