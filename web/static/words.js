// Labels, and what is going on. What changed is said by the server: `sentence` and `headline` of an alert, a night, a
// comparison.

const NAMES = { T: "Method time", I: "Instrumentation", C: "Collection", W: "Writing" };
export const MARKS = { up: "▲", down: "▼" };

/** A name with at most so many letters, for where there is no room for more. */
export function brief(text, most = 14) {
  const letters = [...String(text)];
  return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : letters.join("");
}

/** The letters that a portion holds: "I+C" is I and C in one, "W Zipkin" is W; [] of a name of its own. */
export function lettersOf(portion) {
  const found = /^([TICW](?:\+[TICW])*)(?:[ -].*)?$/s.exec(portion);
  return found ? found[1].split("+") : [];
}

/** "instrumentation and collection" of "I+C", "writing" of "W Zipkin"; "" of a name of its own. */
export function portionWords(portion) {
  const words = lettersOf(portion).map((l) => NAMES[l].toLowerCase());
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");
}

/** "Writing" of "W", "Instrumentation and collection" of "I+C", "Writing (W Zipkin)"; a name of its own stays. */
export function portionName(portion) {
  const words = portionWords(portion), letters = lettersOf(portion).join("+");
  if (!words) return portion;
  const name = words[0].toUpperCase() + words.slice(1);
  return portion === letters ? name : `${name} (${portion})`;
}

/** The same and always its short name: "Writing (W)". */
export const portionCalled = (portion) => portionName(portion)
  + (portionWords(portion) && portion === lettersOf(portion).join("+") ? ` (${portion})` : "");

/** Which of several with the same letter, such as two writers: its configuration; else null. */
export const whichOf = (p, portions) => portions.some((q) => q.portion === p.portion
  && q.configuration !== p.configuration) ? p.configuration : null;

/** The same words as web/words/words.c, where the server's sentences are made. */
export const VERDICTS = {
  ok: "as before", first: "first of its series",
  suspect: "suspected, being measured again", cleared: "suspected and cleared",
  environment: "the environment changed", harness: "the measurement is suspect",
};

/** Of a change between two nights of one commit, which cannot have made it; null of any other. */
export function sameCommitWords({ from, to, until }) {
  const sha = from?.commit?.sha;
  return sha && sha === to?.commit?.sha && (!until?.commit || sha === until.commit.sha)
    ? "The same before and after: the change is not in this repository, but in what else was measured, or in the machine."
    : null;
}

/** The verdict of one portion in a few words. */
export function verdictWords(portion) {
  if (isMissing(portion)) return "no result";
  if (isPending(portion)) return "may have changed";
  if (portion.verdict !== "anomaly") return VERDICTS[portion.verdict] ?? portion.verdict ?? "";
  return (portion.direction === "up" ? "rose" : portion.direction === "down" ? "fell" : "changed")
    + (portion.since ? `, since ${portion.since}` : "");
}

/** Is it in question, without being measured again? */
const isPending = (portion) => portion.verdict === "ok" && portion.rule === "pending";

/** Is it in question, or could it not be judged? */
export const isDoubtful = (portion) => portion.verdict === "suspect" || isPending(portion)
  || (portion.verdict === "harness" && !isMissing(portion));

/** Was its configuration not measured? Failed or taken away, that makes none of the others suspect. */
export const isMissing = (portion) => portion.verdict === "harness" && portion.mean_ns === null;

/** Whose reasons to tell of a night: every anomaly, and one portion for what befell them all alike. */
export function notablePortions(night) {
  const told = new Set();
  return night.portions.filter((p) => {
    if (p.verdict === "anomaly" || p.verdict === "suspect") return true;
    if (isPending(p)) return true;
    if (p.verdict === "ok" || p.verdict === "first" || told.has(p.verdict)) return false;
    told.add(p.verdict);
    return true;
  });
}

const PHASES = { checkout: "checking out", prepare: "preparing", wait: "waiting until the node is idle", measure: "measuring", count: "counting", profile: "profiling",
  upload: "uploading" };

/** "measuring “collecting”, loop 4 of 10", or "loop 4" where minutes end it; of a trial's job the loop is one of its
  batch */
export function progressWords(progress) {
  if (!progress) return "starting";
  const phase = PHASES[progress.phase] ?? progress.phase;
  if (["profile", "count"].includes(progress.phase) && progress.configuration) return `${phase} “${progress.configuration}”`;
  if (progress.phase !== "measure" || !progress.configuration)
    return phase + (progress.message ? `: ${progress.message}` : "");
  const of = progress.loops > 0 ? ` of ${progress.loops}` : "";
  return `${phase} “${progress.configuration}”, loop ${progress.loop}${of}`;
}

const STALE_MS = 14 * 86400000; // of a night's date: what is not measured any more is not clear either

/** "✓ Nothing new for 12 nights"; none since a change that somebody decided about, or none measured at all. The mark
  stands only where the newest night was looked at and is clear. */
export function quietWords(project, now_ms = Date.now()) {
  const { latest, quiet_nights: quiet } = project;
  if (quiet === 0 && !project.portions.some((p) => p.spark_ns.some(Number.isFinite))) return "No night could be measured yet";
  if (latest?.portions?.some(isDoubtful)) return `? ${latest.headline}`;
  const words = quiet === 0 ? "Nothing new since the last known change" : `Nothing new for ${quiet} ${quiet === 1 ? "night" : "nights"}`;
  return latest && now_ms - Date.parse(latest.night) > STALE_MS ? `${words}; the newest is of ${latest.night}` : `✓ ${words}`;
}

/** "1 suspicion is being measured again", or that it waits, where nothing is measured */
export function suspicionWords(project) {
  if (project.enabled === false) return `${project.suspicions} ${project.suspicions === 1 ? "suspicion is" : "suspicions are"} open`;
  return `${project.suspicions} ${project.suspicions === 1 ? "suspicion is" : "suspicions are"} being measured again`;
}
