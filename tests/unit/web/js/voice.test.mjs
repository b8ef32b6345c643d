// The page's own modules say of made-up nights what the server says: tests/unit/ci/test_one_voice.c makes them, hands
// the API's pages of them over, and knows what is true. Without that program (MOOWATCH_UNIT_CI) nothing is shown.
import "./dom.mjs";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { nightCard } from "/static/nightcard.js";
import { csvOf, nightsWanted, nightTable } from "/static/nighttable.js";
import { verdictBadge } from "/static/parts.js";
import { nightsOf } from "/static/series.js";
import { machineWords } from "/static/standing.js";
import { isAnswered, quietWords, verdictWords } from "/static/words.js";

globalThis.matchMedia ??= () => ({ matches: false });
const ROWS = 50;
const classOf = (element) => element.getAttribute("class") ?? "";

/** What a portion's cell or badge may look like. */
const LOOKS = { clear: "", changed: "loud", doubtful: "warn", incomparable: "warn", missing: "" };

function tableAgrees(nights, truths) {
  const table = nightTable(nights, null, { find: "", only: false }, () => {}, null);
  const rows = table.one("tbody").nodes, at = new Map(rows.map((row, i) => [row, i]));
  const shown = rows.filter((row) => classOf(row) !== "why");
  const names = table.all("th").map((th) => th.getAttribute("data-name")).filter(Boolean);
  assert.equal(shown.length, nights.length);
  shown.forEach((row, i) => {
    const night = nights[i], of = truths[i], cells = row.all("td");
    assert.equal(cells.at(-1).textContent, of.headline, "the table's verdict is the headline");
    if (of.failed) return;
    const loud = cells.some((cell) => cell.all("span", "loud").length > 0);
    assert.equal(loud, of.rose || of.fell, `${night.night}: loud where something changed, ${of.headline}`);
    night.portions.forEach((p, k) => {
      const mark = cells[1 + names.indexOf(p.portion)];
      const inside = mark.all("span")[0];
      const look = p.verdict === "cleared" ? "warn" : LOOKS[of.standing[k]];
      assert.equal(inside ? classOf(inside) : "", look, `${night.night} ${p.portion}: ${of.words[k]}`);
      if (look || isAnswered(p)) assert.ok(mark.textContent.includes(of.words[k]), `${mark.textContent} says ${of.words[k]}`);
    });
    const why = rows[at.get(row) + 1];
    const told = of.standing.some((s) => s !== "clear" && s !== "missing") || night.portions.some(isAnswered)
      || night.portions.some((p) => p.verdict === "cleared");
    assert.equal(Boolean(why) && classOf(why) === "why", told, `${night.night}: reasons of ${of.headline}`);
  });
}

function nightAgrees(night, of) {
  assert.deepEqual(night.portions.map(verdictWords), of.words);
  assert.deepEqual(night.portions.map((p) => p.standing ?? "clear"), of.standing);
  night.portions.forEach((p, k) => {
    const badge = verdictBadge(p), quiet = of.standing[k] === "clear";
    assert.equal(classOf(badge), "badge" + (of.standing[k] === "changed" ? " loud" : quiet ? "" : " warn"));
    assert.ok(badge.textContent.endsWith(of.words[k]));
  });
  const quiet = quietWords({ quiet: of.quiet, clear: of.clear, latest: night }, Date.parse(night.night));
  assert.equal(quiet[0] === "✓", !of.unclear, quiet);
  assert.equal(quiet[0] === "?", of.doubt, quiet);
  if (of.failed) return;
  const words = machineWords(night, [night]).text, control = of.standing[0];
  if (words.startsWith("No: ")) assert.ok(["clear", "changed"].includes(control), `${words}: ${of.headline}`);
  const open = { kind: "scale", state: "open", headline: "Everything × 0.50", to: { night: "2000-01-01" } };
  assert.doesNotMatch(machineWords(night, [night], null, [open]).text, /^No: /, "an incident is open");
  const likely = night.portions.find((p) => p.verdict === "environment")?.rule === "common-scale" ? /^Likely: / : /^$/;
  for (const told of night.portions.filter((p) => p.verdict === "anomaly")) // of an alert by the night alone
    assert.doesNotMatch(machineWords(night, [night], { ...told, confirmation: null }).text, likely, of.headline);
  const card = nightCard(null);
  card.show(night, null);
  of.words.forEach((said) => assert.ok(said === "as before" || card.element.textContent.includes(said)));
  const news = nightsWanted([night], { find: "", only: true }).length > 0;
  if (!news) assert.match(of.headline, /^((nothing changed|no change seen|nothing shown to have changed)( by more than is ignored)?(, but most loops .*)?|.*first of (its|their) series|(.*have? |.*has )?a new level, set by hand)$/);
  if (of.headline === "nothing changed") assert.ok(!news);
}

function pageAgrees({ columns, brief, truths }) {
  const nights = nightsOf(columns);
  assert.equal(nights.length, truths.length);
  nights.forEach((night, i) => nightAgrees(night, truths[i]));
  brief.forEach((night, i) => nightAgrees(night, truths[i]));
  for (let i = 0; i < nights.length; i += ROWS)
    tableAgrees(nights.slice(i, i + ROWS), truths.slice(i, i + ROWS));
  const lines = csvOf(nights).trimEnd().split("\r\n").slice(1);
  lines.forEach((line, i) => {
    assert.ok(line.includes(`"${truths[i].headline}"`), line);
    for (const said of truths[i].words) assert.ok(line.includes(`"${said}"`), `${said}: ${line}`);
  });
}

const program = process.env.MOOWATCH_UNIT_CI;
test("page and table say what the API, gate, status, badge and frame say", { skip: !program }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "voice-")), path = join(folder, "pages");
  try {
    const env = { MOOWATCH_CASES: "3000", ...process.env, MOOWATCH_PAGES: path };
    execFileSync(program, ["ci/test_one_voice"], { env, stdio: "pipe", maxBuffer: 1 << 28 });
    let told = 0;
    for await (const line of createInterface({ input: createReadStream(path) })) {
      const page = JSON.parse(line);
      pageAgrees(page);
      told += page.truths.length;
    }
    assert.equal(told, Number(process.env.MOOWATCH_CASES ?? 3000));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
