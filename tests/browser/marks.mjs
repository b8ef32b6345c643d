// The pictures of each mark in docs/reading-charts.md, drawn by our own charts.
//   node marks.mjs           makes them anew in docs/images/marks
//   node marks.mjs --check   fails when one is not what the charts draw today
// MOOWATCH_CHART   the program that draws (tests/browser/chart.c)
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { history } from "./fixtures.mjs";

const FOLDER = new URL("../../docs/images/marks/", import.meta.url);
const SIZE = ["width=640", "height=280"];
const level = () => ({ none: 70, deactivated: 270, collecting: 1150, writing: 3400 });
const higher = () => ({ none: 70, deactivated: 270, collecting: 1150, writing: 4300 });
const about = (more) => history("marks", 14, { start: "2026-03-02", level, seed: 11, ...more });
const changed = { verdict: "anomaly", direction: "up", before: 2250 };

/** Each picture by its file's name: what happened in its nights, and how it is drawn. */
const MARKS = {
  changed: [about({ level: (i) => i < 8 ? level() : higher(), marks: (i) => i === 8 ? { W: changed } : {} })],
  asked: [about({ marks: (i) => i === 13 ? { C: { verdict: "suspect", direction: "up" } } : {} })],
  cut: [history("marks", 40, { start: "2026-03-02", seed: 11,
    level: (i) => i === 9 ? { none: 700, deactivated: 2700, collecting: 11500, writing: 340000 } : level() })],
  environment: [about({ changed: (i) => i === 7 })],
  accepted: [about({ level: (i) => i < 8 ? level() : higher(), accepted: (i) => i === 8 })],
  release: [about({ release: (i) => ({ 4: "1.7", 10: "1.8" })[i] ?? null })],
  note: [about().map((n) => n.night === "2026-03-09" ? { ...n, note: "JDK updated" } : n)],
  baseline: [about({ level: (i) => i < 8 ? level() : higher() }).map((n) => n.night === "2026-03-10" ? { ...n, baseline: "#996 is worth it" } : n)],
  incident: [about({ level: (i) => i < 7 ? level() : Object.fromEntries(Object.entries(level()).map(([name, ns]) => [name, 2 * ns])) })
    .map((n) => n.night === "2026-03-09" ? { ...n, incident: { headline: "Everything × 2", kind: "scale" } } : n)],
  missing: [about({ failed: (i) => i === 4 ? "did not build" : null, quarantined: (i) => i === 7 ? "a spread as large as the mean" : null,
    skip: (i) => i === 10 })],
  merged: [history("marks", 600, { start: "2024-07-01", level, seed: 11 })],
  lines: [about({ marks: (i) => i === 8 ? { W: changed } : {}, level: (i) => i < 8 ? level() : higher() }), "view=lines"],
};

let wrong = 0;
mkdirSync(FOLDER, { recursive: true });
for (const [name, [nights, ...options]] of Object.entries(MARKS)) {
  const drawn = execFileSync(process.env.MOOWATCH_CHART, ["svg", ...SIZE, ...options], { input: JSON.stringify(nights) });
  const file = new URL(`${name}.svg`, FOLDER);
  if (!process.argv.includes("--check")) writeFileSync(file, drawn);
  else if (!drawn.equals(readFileSync(file))) {
    console.error(`docs/images/marks/${name}.svg is not what the charts draw: run node tests/browser/marks.mjs`);
    wrong += 1;
  }
}
process.exit(wrong > 0 ? 1 : 0);
