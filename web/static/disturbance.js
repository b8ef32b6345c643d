// What befell the loops of a night, in a line: for the summaries of what is folded; and what its figures are of.
import { duration, known } from "/static/format.js";

/** A loop far from the others of its configuration; the runner marks it as a disturbed one, and measures it again. */
export const isStray = (loop) => loop.readings?.stray === true;
export const isDisturbed = (loop) => Boolean(loop.disturbed) && !isStray(loop);

/** Where enough other loops were not disturbed, it does not count; one that failed does not for that. */
export const isLeftOut = (loop) => isDisturbed(loop) && loop.used === false && !loop.failed;

/** The runner looked at the calls after warm-up and found that their level still moved. */
export const isUnsettled = (loop) => loop.readings?.settled === false;

const CAUSES = [[/^others used/, "others used the processors"]];

/** Why most of the loops were disturbed, without the figures of one of them; "" when nobody said. */
function disturbedBy(loops) {
  const told = new Map();
  for (const { readings } of loops) {
    const text = readings?.disturbed_by?.split(/[;:(]/)[0].trim();
    if (!text) continue;
    const words = CAUSES.find(([form]) => form.test(text))?.[1] ?? text;
    told.set(words, (told.get(words) ?? 0) + 1);
  }
  return [...told].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

/** "2 of 28 loops were disturbed and left out: others used the processors", or that none was. */
export function disturbanceWords(loops) {
  const disturbed = loops.filter(isDisturbed);
  if (disturbed.length === 0) return "no loop was disturbed";
  const why = disturbedBy(disturbed);
  const were = `${disturbed.length} of ${loops.length} loops ${disturbed.length === 1 ? "was" : "were"} disturbed`;
  return `${were}${leftOutWords(disturbed)}${why ? `: ${why}` : ""}`;
}

/** " and left out" of disturbed loops, or how many of them were. */
export function leftOutWords(disturbed) {
  const out = disturbed.filter(isLeftOut).length;
  return out === 0 ? "" : out === disturbed.length ? " and left out" : ` (${out} left out)`;
}

/** "40 loops: 1 failed, 2 stood apart, 1 had not settled", or that all are good. */
export function loopWords(loops) {
  const counts = [[loops.filter((l) => l.failed).length, "failed"], [loops.filter(isStray).length, "stood apart"],
    [loops.filter(isUnsettled).length, "had not settled"]].filter(([n]) => n > 0);
  return `${loops.length} ${loops.length === 1 ? "loop" : "loops"}${counts.length ? ": " : ", none failed"}${counts.map(([n, words]) => `${n} ${words}`).join(", ")}`;
}

/** What the runner says of each configuration of a night that has loops which stand apart, a sentence each. */
export const strayWords = (e) => Object.entries(e.environment_detail?.detail?.strays ?? {})
  .map(([name, words]) => `${name}: ${words}.`);

/** All loops of a night, a configuration after the other. */
export const loopsOf = (e) => e.configurations.flatMap((c) => c.loop_results);

/** Are the loops of an imported night at most two of each? They may be made up for an interval
 * (ci/formats/imported_lines.c), unless the import says that they are the file's. */
export const isStandIn = (e) => e.node === "imported" && !e.environment_detail?.detail?.loops?.length && loopsOf(e).every((l) => !l.seconds && !l.calls)
  && e.configurations.every((c) => c.loop_results.length <= 2);

/** How a night was measured, by name; what stands for the figures of an imported file is no setting of it. */
export function settingsOf(e) {
  if (isStandIn(e)) return { ...e.benchmark, loops: undefined };
  if (e.benchmark?.driver !== "command" || JSON.stringify(e.benchmark).includes("{calls}")) return e.benchmark;
  const untold = { total_calls: undefined, warmup_calls: undefined }; // of a program that chooses its own
  return { ...e.benchmark, ...untold, configurations: e.benchmark.configurations?.map((c) => ({ ...c, ...untold })) };
}

/** How long a loop took; of an imported one nobody said. */
export const tookWords = ({ seconds }) => seconds > 0 ? duration(seconds) : "–";

/** By format: where an imported value's interval comes from, where the import did not say it itself (detail.read). */
const INTERVALS = { bmf: "is stated in the file", criterion: "is stated in the file", github: "is stated in the file",
  google: "is computed, from two repetitions or from their deviation" };

/** Of the figures of a night whose loops stand for them. */
function standInWords({ configurations, environment_detail: about }) {
  if (configurations.every((c) => c.loop_results.length < 2)) return "Imported: no interval was read from the file.";
  const told = about?.detail?.read;
  return `Imported: ${told?.length ? told.join("; ")
    : `an interval ${INTERVALS[about?.imported] ?? "is computed from two loops that the file has"}`}.`;
}

/** Is each loop of a configuration one value, as of a whole run? That has no quartiles. */
export const isSingle = ({ statistics, loops }) => statistics?.n > 0 && statistics.n <= loops;

const CALL_STATISTICS = ["q1_ns", "median_ns", "q3_ns", "min_ns", "max_ns"];

/** Of what the figures of a night's configurations are, as far as the night says it. */
export function figuresWords(e) {
  const has = (keys) => e.configurations.some((c) => !isSingle(c) && keys.some((key) => known(c.statistics?.[key])));
  const single = e.benchmark?.driver === "command" ? "the values that the program told" : "single calls";
  if (isStandIn(e)) return standInWords(e);
  return [e.node === "imported" ? "Mean, interval and standard deviation are of the file's loops."
    : "Mean, interval and standard deviation are of the loops' means: a loop is a fresh process.",
  has(CALL_STATISTICS) ? `Quartiles, minimum and maximum are those of ${single}.` : null,
  has(["calls_low_ns"]) ? "The interval over calls treats all calls as independent, as MooBench does; it decides nothing here." : null]
    .filter(Boolean).join(" ");
}
