// The browser's side of run. BASE_URL, BASE_PROJECT; CHROMIUM default /usr/bin/chromium.
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../browser/package.json", import.meta.url))("playwright-core");
const INTERACTIVE_MS = 300, FRAME_MS = 16, VISITS = 10, MOVES = 120;
const LOOKS = { "newest 30": "", "all nights": "?nights=0", "all, lines": "?nights=0&view=lines" };
const base = process.env.BASE_URL.replace(/\/$/, "");

const sorted = (list) => list.toSorted((a, b) => a - b);
const share = (list, p) => sorted(list)[Math.min(Math.floor(p * list.length), list.length - 1)];

/** Resolves to the ms since the navigation at which the chart's cursor answered for the first time. */
function whenInteractive() {
  return new Promise((done) => {
    const look = () => {
      const walk = document.querySelector(".walk");
      if (!walk) { requestAnimationFrame(look); return; }
      walk.dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true }));
      if (document.querySelector(".nightcard").hidden) requestAnimationFrame(look);
      else done(performance.now());
    };
    look();
  });
}

/** Pans the cursor from the right end to the left, one move a frame: what each move and its layout cost, in ms. */
function pan(moves) {
  return new Promise((done) => {
    const walk = document.querySelector(".walk"), box = walk.getBoundingClientRect(), costs = [];
    function step(i) {
      if (i === moves) { done(costs); return; }
      const from = performance.now();
      walk.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, pointerType: "mouse",
        clientX: box.right - 20 - (box.width - 100) * i / moves, clientY: box.top + 200 }));
      document.body.getBoundingClientRect(); // what the browser would lay out in this frame
      costs.push(performance.now() - from);
      requestAnimationFrame(() => step(i + 1));
    }
    requestAnimationFrame(() => step(0));
  });
}

/** Nodes and attributes that a move of the cursor changes, at most: what a frame asks of the browser, whatever the machine. */
function touched(moves) {
  const walk = document.querySelector(".walk"), box = walk.getBoundingClientRect();
  const seen = new MutationObserver(() => {});
  seen.observe(document.querySelector(".walkbox"), { subtree: true, childList: true, attributes: true, characterData: true });
  let most = 0;
  for (let i = 0; i < moves; i++) {
    walk.dispatchEvent(new PointerEvent("pointermove", { bubbles: true, pointerType: "mouse",
      clientX: box.right - 20 - (box.width - 100) * i / moves, clientY: box.top + 200 }));
    const records = seen.takeRecords();
    if (i > 0) most = Math.max(most, records.reduce((sum, r) => sum + Math.max(1, r.addedNodes.length + r.removedNodes.length), 0));
  }
  seen.disconnect();
  return most;
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true,
  args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"] });
let missed = false;
for (const [name, query] of Object.entries(LOOKS)) {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  const interactive = [], frames = [];
  for (let visit = 0; visit <= VISITS; visit++) {
    await page.goto(`${base}/projects/${process.env.BASE_PROJECT}${query}`, { waitUntil: "commit" });
    const at = await page.evaluate(whenInteractive);
    if (visit === 0) continue; // the browser's own first time
    interactive.push(at);
    frames.push(...await page.evaluate(pan, MOVES));
  }
  const nodes = await page.evaluate(() => document.querySelectorAll("*").length), changes = await page.evaluate(touched, MOVES);
  const figures = { look: name, interactive_ms: { median: share(interactive, 0.5), worst: share(interactive, 1) },
    frame_ms: { median: share(frames, 0.5), p95: share(frames, 0.95), worst: share(frames, 1) }, nodes, changes_per_frame: changes };
  console.log(JSON.stringify(figures, (_, v) => typeof v === "number" ? Math.round(10 * v) / 10 : v));
  missed ||= figures.interactive_ms.median > INTERACTIVE_MS || figures.frame_ms.worst > FRAME_MS;
}
await browser.close();
process.exit(missed ? 1 : 0);
