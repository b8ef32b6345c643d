// The pictures of docs/images/, from a server that has measured the native demo.
// BASE_URL, BASE_PROJECT   where and what
// OUT                      the folder
// CHROMIUM                 default /usr/bin/chromium
import { join } from "node:path";
import { chromium } from "playwright-core";

const base = process.env.BASE_URL, project = process.env.BASE_PROJECT, out = process.env.OUT;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const WIDTH = 1180, SPACE = 6;
const FORM_WIDTH = 640;

async function ask(path) {
  const response = await fetch(`${base}/api/v1${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return (await response.json()).items;
}

/**
 * A page in each theme (NAME.png, NAME-dark.png): from its top, or that of what `first` names, down to the end of what
 * `last` names.
 */
async function take(browser, name, path, last, { first = null, width = WIDTH, themes = ["light", "dark"] } = {}) {
  for (const theme of themes) {
    const page = await browser.newPage({ viewport: { width, height: 800 }, colorScheme: theme });
    await page.goto(base + path);
    await page.locator("main h1").waitFor();
    await page.waitForLoadState("networkidle", { timeout: 5000 }).catch(() => {}); // the stream of events never ends
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
    const end = await page.locator(last).first().boundingBox();
    const top = first ? (await page.locator(first).first().boundingBox()).y - SPACE : 0;
    await page.screenshot({ path: join(out, `${name}${theme === "dark" ? "-dark" : ""}.png`), fullPage: true,
      clip: { x: 0, y: top, width, height: Math.ceil(end.y + end.height + SPACE - top) } });
    await page.close();
  }
}

const alerts = await ask(`/projects/${project}/alerts`), nights = await ask(`/projects/${project}/nights`);
const rose = alerts.find((a) => a.direction === "up") ?? alerts[0];
const explained = alerts.find((a) => a.direction === "up" && a.explanation?.portions.length > 0);
if (!rose || !explained) throw new Error(`the demo ${rose ? "explained" : "found"} nothing: was the machine busy?`);
const night = nights.find((n) => n.experiment === rose.to.experiment);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS });
try {
  await take(browser, "project", `/projects/${project}`, ".walkbox");
  await take(browser, "alert", `/alerts/${rose.id}`, "section:has([aria-label=Commits])");
  await take(browser, "flame", `/alerts/${explained.id}`, ".flameat", { first: "#where" });
  await take(browser, "decide", `/alerts/${rose.id}`, ".decide", { first: "details:has(> .decide)", width: FORM_WIDTH, themes: ["light"] });
  await take(browser, "night", `/experiments/${night.experiment}`, "section[aria-labelledby=since], main > section:nth-of-type(1)");
} finally {
  await browser.close();
}
