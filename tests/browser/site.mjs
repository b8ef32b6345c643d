// What the tests of pages share: a server (the made-up one, unless BASE_URL names another), a browser, and pages that
// collect what must not happen.
// BASE_URL       this server instead of the made-up one (BASE_PROJECT names the project, default: the first)
// SCREENSHOTS    a folder for pictures
// CHROMIUM       default /usr/bin/chromium
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
export const LOOKS = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", isMobile: true, hasTouch: true },
};
const LIMIT_MS = 120_000; // of a machine that hangs

/** server: the made-up one; places: addresses of one page of each kind; hasCompare: does the server compare nights? */
export const site = { server: null, base: null, browser: null, places: {}, hasCompare: false };
export const shots = process.env.SCREENSHOTS;
export const real = Boolean(process.env.BASE_URL);

export async function ask(path) {
  const response = await fetch(site.base + "/api/v1" + path);
  assert.equal(response.status, 200, path);
  return response.json();
}

/** A server on a port that the system gives to nobody by itself: between its end and its restart it stays free. */
async function serveWhereNobodyComes() {
  for (;;) {
    try {
      return await serve(10_000 + Math.floor(Math.random() * 20_000));
    } catch (error) {
      if (error.code !== "EADDRINUSE") throw error;
    }
  }
}

/** Addresses of one page of each kind, found through the API. */
async function findPlaces() {
  const projects = (await ask("/projects")).items;
  const name = process.env.BASE_PROJECT ?? projects[0].name;
  const nights = (await ask(`/projects/${name}/nights`)).items;
  const alerts = (await ask(`/projects/${name}/alerts`)).items;
  const found = { overview: "/", project: `/projects/${name}`, jobs: "/jobs", help: "/static/reading.html", frameworks: "/static/frameworks.html", choose: "/compare" };
  const measured = nights.find((n) => n.state === "measured" && n.experiment);
  const other = nights.findLast((n) => n.state === "measured" && n.experiment && n !== measured);
  site.hasCompare = (await fetch(site.base + "/compare")).ok; // a server may not serve it yet
  if (measured && other && site.hasCompare) found.compare = `/compare?a=${other.experiment}&b=${measured.experiment}`;
  if (measured) found.experiment = `/experiments/${measured.experiment}`;
  const [sweep] = (await ask(`/projects/${name}/sweeps`)).items;
  if (sweep) found.sweep = `/sweeps/${sweep.id}`;
  const [incident] = (await ask(`/projects/${real ? name : "kieker-depth-1"}/incidents`)).items;
  if (incident) found.incident = `/incidents/${incident.id}`;
  found.access = "/static/access.html";
  found.pulls = `/pull-requests?project=${name}`;
  for (const pull of (await ask(`/projects/${name}/pull-requests`)).items) found[`pull ${pull.state}`] ??= `/pull-requests/${pull.id}`;
  if (alerts.length > 0) found.alert = `/alerts/${alerts[0].id}`;
  found.lines = `/projects/${name}?nights=90&view=lines&value=median`;
  found.embed = `/embed/${name}`;
  if (!real) Object.assign(found, { empty: "/projects/fresh", broken: "/projects/broken",
    bridged: "/projects/kieker-depth-1", flame: "/alerts/3#flame=collecting/after/signature", many: "/projects/opentelemetry-java?nights=0" });
  return found;
}

before(async () => {
  if (!real) site.server = await serveWhereNobodyComes();
  site.base = (process.env.BASE_URL ?? `http://127.0.0.1:${site.server.address().port}`).replace(/\/$/, "");
  if (shots) mkdirSync(shots, { recursive: true });
  site.browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args: FLAGS });
  site.places = await findPlaces();
});

after(async () => {
  await site.browser?.close();
  site.server?.closeAllConnections();
  site.server?.close();
});

/** A page that collects what must not happen: console errors, exceptions, policy violations, failed requests. */
export async function openPage(look, path) {
  const context = await site.browser.newContext(LOOKS[look]);
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.addInitScript(() => {
    globalThis.layoutShift = 0;
    new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) globalThis.layoutShift += e.value; })
      .observe({ type: "layout-shift", buffered: true });
  });
  const bad = [];
  page.on("console", (m) => { if (m.type() === "error") bad.push(m.text()); });
  page.on("pageerror", (e) => bad.push(String(e)));
  page.on("response", (r) => { if (r.status() >= 400) bad.push(`${r.status()} ${r.url()}`); });
  await page.goto(site.base + path);
  await page.waitForSelector("main h1");
  return { page, bad, close: () => context.close() };
}

/** axe as the page sees it; evaluated by the debugger, so the page's policy stays as it is. all: minor ones as well. */
export async function axe(page, { all = false } = {}) {
  await page.evaluate(AXE);
  const result = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  return result.violations.filter((v) => all || v.impact === "serious" || v.impact === "critical")
    .map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 3).join(", ")}`);
}

export async function waitForChart(page) {
  await page.waitForFunction(() => {
    const image = document.querySelector("img.chart");
    return !image || (image.complete && image.naturalWidth > 0);
  });
}
