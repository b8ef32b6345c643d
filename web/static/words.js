// Verdicts as sentences.
import { fromTo, percentText, value } from "/static/format.js";

const NAMES = { T: "Method time", I: "Instrumentation", C: "Collection", W: "Writing" };
export const MARKS = { up: "▲", down: "▼" };

/** A name with at most so many letters, for where there is no room for more. */
export function brief(text, most = 14) {
  const letters = [...String(text)];
  return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : letters.join("");
}

export const portionName = (p) => NAMES[p] ?? p;

/** Which of several with the same letter, such as two writers: its configuration; else null. */
export const whichOf = (p, portions) => portions.some((q) => q.portion === p.portion
  && q.configuration !== p.configuration) ? p.configuration : null;

/**
 * "Instrumentation fell from 820 ± 12 to 201 ± 9 ns (−75 %)", and likewise its other portions.
 * portions: all of the project, so that one of two writers is named
 */
export function alertSentence(alert, portions = []) {
  return (alert.portions ?? [alert]).map((p) => portionSentence(p, portions)).join("; ");
}

function portionSentence(alert, portions) {
  const verb = alert.direction === "down" ? "fell" : alert.direction === "up" ? "rose" : "changed";
  const percent = alert.difference?.percent;
  const by = typeof percent === "number" ? ` (${percentText(percent)})` : "";
  const which = whichOf(alert, portions);
  return `${portionName(alert.portion)}${which ? ` (${which})` : ""} ${verb} from ${fromTo(alert.before, alert.after)}${by}`;
}

export const VERDICTS = {
  ok: "as before", first: "first of its series", anomaly: "anomaly",
  suspect: "suspected, being measured again", cleared: "suspected and cleared",
  environment: "the environment changed", harness: "the measurement is suspect",
};

/** The verdict of one portion in a few words. */
export function verdictWords(portion) {
  if (portion.verdict !== "anomaly") return VERDICTS[portion.verdict] ?? portion.verdict ?? "";
  return portion.direction === "up" ? "rose" : portion.direction === "down" ? "fell" : "changed";
}

/** What to tell of a night: every anomaly, and one portion for what befell them all alike. */
export function notablePortions(night) {
  const told = new Set();
  return night.portions.filter((p) => {
    if (p.verdict === "anomaly" || p.verdict === "suspect") return true;
    if (p.verdict === "ok" || p.verdict === "first" || told.has(p.verdict)) return false;
    told.add(p.verdict);
    return true;
  });
}

/** A night's verdict: what stood out, else that nothing did. */
export function nightWords(night) {
  if (night.state === "failed") return "failed: " + (night.reason ?? "no reason given");
  if (night.state === "quarantined") return "quarantined: " + (night.reason ?? "no reason given");
  const words = notablePortions(night).map((p) => p.verdict === "anomaly" || p.verdict === "suspect"
    ? `${p.portion} ${verdictWords(p)}` : verdictWords(p));
  if (words.length > 0) return words.join(", ");
  return night.portions.some((p) => p.verdict === "first") ? "first of its series" : "nothing new";
}

/** "T 69.3 ns" for each portion of a night. */
export function portionValues(night) {
  return night.portions.map((p) => [p, value(p.mean_ns)]);
}

const PHASES = { checkout: "checking out", prepare: "preparing", measure: "measuring", upload: "uploading" };

/** "measuring collecting, loop 4 of 10" */
export function progressWords(progress) {
  if (!progress) return "starting";
  const phase = PHASES[progress.phase] ?? progress.phase;
  if (progress.phase !== "measure" || !progress.configuration)
    return phase + (progress.message ? `: ${progress.message}` : "");
  return `${phase} ${progress.configuration}, loop ${progress.loop} of ${progress.loops}`;
}

/** "✓ Nothing new for 12 nights"; none since a change that somebody decided about, or none measured at all. */
export function quietWords(project) {
  if (project.quiet_nights === 0)
    return project.portions.some((p) => p.spark_ns.some(Number.isFinite)) ? "✓ Nothing new since the last known change"
      : "No night could be measured yet";
  return `✓ Nothing new for ${project.quiet_nights} ${project.quiet_nights === 1 ? "night" : "nights"}`;
}

/** "1 suspicion is being measured again" */
export function suspicionWords(project) {
  return `${project.suspicions} ${project.suspicions === 1 ? "suspicion is" : "suspicions are"} being measured again`;
}
