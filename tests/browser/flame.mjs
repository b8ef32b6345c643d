// The flame graph of an alert: gone through by pointer, keys and finger; what is shown can be linked to.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { axe, LOOKS, openPage, real, shots } from "./site.mjs";

const ALERT = "/alerts/3", ROW_MIN = 24; // pixels of a frame for a finger

const frameOf = (page, name) => page.locator(".frames .frame", { has: page.locator(`text=${name}`) }).first();
const at = (page) => page.textContent(".flameat");

test("a click shows what is below a frame, and the address says so", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", ALERT);
  await frameOf(page, "probe").hover();
  assert.match(await at(page), /^▲ probe \+677 ns/);
  await frameOf(page, "signature").click();
  await page.waitForFunction(() => location.hash === "#flame=collecting/difference/signature");
  await page.waitForFunction(() => !document.querySelector(".frames").textContent.includes("probe"));
  assert.match(await page.textContent("figure.flame"), /below signature/);
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".frames").textContent.includes("probe"));
  await page.click("button:text('After')");
  await page.waitForFunction(() => location.hash === "#flame=collecting/after");
  await page.waitForFunction(() => document.querySelector("figure.flame").textContent.includes("costs after"));
  assert.equal(await page.getAttribute("button:text('After')", "aria-pressed"), "true");
  assert.deepEqual(bad, []);
  await close();
});

test("a link to a frame shows it, and a new night does not take it away", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("dark", `${ALERT}#flame=collecting/before/list_add`);
  assert.match(await page.textContent(".frames"), /^list_add 1,?150 instructions|list_add/);
  assert.doesNotMatch(await page.textContent(".frames"), /signature/);
  assert.equal(await page.inputValue(".flamesearch input"), "list_add");
  assert.equal(await page.evaluate(() => document.querySelector(".flamesearch input").defaultValue), "list_add");
  await page.click("button:text('Show all')");
  await page.waitForFunction(() => document.querySelector(".frames").textContent.includes("signature"));
  await page.fill(".flamesearch input", "no_such_function");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("figure.flame").textContent.includes("nothing to show"));
  assert.deepEqual(bad, []);
  await close();
});

test("keys go from frame to frame", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("light", ALERT);
  await page.focus(".flamewalk");
  const press = async (key) => { await page.keyboard.press(key); return at(page); };
  assert.match(await press("ArrowDown"), /^▲ probe/);
  assert.match(await press("ArrowDown"), /^▲ signature/);
  assert.match(await press("End"), /^▼ old_check|helper|list_add/);
  assert.match(await press("ArrowUp"), /^▲ probe/);
  assert.match(await press("ArrowDown"), /^▲ signature/);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.endsWith("/signature"));
  await page.waitForFunction(() => !document.querySelector(".frames").textContent.includes("probe"));
  assert.equal(await page.evaluate(() => document.activeElement.className), "flamewalk");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.querySelector(".frames").textContent.includes("probe"));
  assert.deepEqual(bad, []);
  await close();
});

test("a finger reads a frame first and opens it then", { timeout: 300_000, skip: real }, async () => {
  const { page, bad, close } = await openPage("phone", ALERT);
  const box = await frameOf(page, "signature").boundingBox();
  assert.ok(box.height >= ROW_MIN, `a frame is ${box.height} px high`);
  await frameOf(page, "signature").tap();
  assert.match(await at(page), /^▲ signature/);
  assert.equal(await page.evaluate(() => location.hash), "");
  if (shots) await page.locator("figure.flame").screenshot({ path: join(shots, "flame-tapped-phone.png") });
  const low = { ...LOOKS.phone.viewport, height: 260 }; // of a graph that is higher than the window, too
  await page.setViewportSize(low);
  await frameOf(page, "probe").tap();
  const line = await page.locator(".flameat").first().boundingBox();
  assert.ok(line.y >= 0 && line.y + line.height <= low.height, `what a frame is stands at ${line.y} px of ${low.height}`);
  await page.setViewportSize(LOOKS.phone.viewport);
  await frameOf(page, "signature").tap();
  await frameOf(page, "signature").tap();
  await page.waitForFunction(() => location.hash.endsWith("/signature"));
  const wider = await page.evaluate(() => document.documentElement.scrollWidth) - LOOKS.phone.viewport.width;
  assert.ok(wider <= 0, `wider than the window by ${wider} px`);
  assert.deepEqual(await axe(page), []);
  assert.deepEqual(bad, []);
  await close();
});
