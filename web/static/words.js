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

/** The end that surely has an alert's change: what was measured again may be a later night than the one that it is
  dated to. */
export const endOf = (alert) => alert.until ?? alert.to;

/** What its older night is: a trial's may lie before the last one of the old level. */
export const fromWords = ({ confirmation, moved }) => confirmation && !moved ? "surely before" : "last before";

/** The commit that surely has it: where a search ended, or of that night. */
export function latestOf(alert) {
  const asked = alert.moved ? null : alert.bisection;
  return (asked?.rest ? null : asked?.last) ?? endOf(alert).commit;
}

/** What an alert is. That nothing changed, or that it is over, is what somebody answered, unless nights show it. */
export const stateWords = ({ aged, state, fixed_by }) => aged ? "open, aged"
  : state === "false" || (state === "fixed" && !fixed_by) ? `answered “${state}”` : state;

/** " and 2 more open", behind the first of so many open alerts; "" where there is no other. */
export const moreOpen = (count) => count > 1 ? ` and ${count - 1} more open` : "";

/** How many commits may have done it; null: not known. */
export const commitsOf = ({ from, bisection, commits }) => from ? bisection?.commits ?? commits ?? null : 1;

/** The commit that did it, as far as is known; null: one of several, or somebody moved the change there and nothing was
  measured, and nobody is accused (config/model/alert.h). */
export const culpritOf = (alert) => alert.moved && !alert.bisection?.steps?.length ? null
  : alert.bisection?.culprit ?? (commitsOf(alert) === 1 && !alert.slow ? endOf(alert).commit : null);

/** Of a change between two nights of one commit, which cannot have made it; null of any other. */
export function sameCommitWords({ from, to, until }) {
  const sha = from?.commit?.sha;
  return sha && sha === to?.commit?.sha && (!until?.commit || sha === until.commit.sha)
    ? "Before and after are of the same commit, so it is not this repository: a dependency, the machine, or chance."
    : null;
}

/** What an alert lies between: two nights, or two measurements of one. */
export const endsWords = (alert) => alert.from.night === endOf(alert).night ? "two measurements of one night" : "the two nights";

/** ", measured again" of a night by its page, where what was measured before was of that night, too; else "". */
export const furtherWords = (night, before) => night.night !== before?.night ? ""
  : night.commit?.sha === before.commit?.sha ? ", measured again" : ", another commit";

/** "Nothing changed." of words that begin and end as a part of one. */
export const sentence = (words) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** The benchmark, where it was told how deep to call, with how many threads and for how long; {} of a program that
 * was not. */
export const toldOf = (e) => e.benchmark?.driver === "command" ? {} : e.benchmark ?? {};

/** The verdict of one portion in a few words: the server's, which leaves out what is as before. */
export const verdictWords = (portion) => (portion.words ?? "as before") + (portion.since ? `, since ${portion.since}` : "");

/** Of a difference that two nights show, or do not, in the server's words; a mark where they say that it moved. */
export const differenceWords = ({ claim, words, difference: d }) =>
  (claim ? `${d.mean_ns > 0 ? MARKS.up : MARKS.down} ` : "") + words;

/** Is it in question, or could it not be judged? */
export const isDoubtful = (portion) => portion.standing === "doubtful";

/** Was its configuration not measured? Failed or taken away, that makes none of the others suspect. */
export const isMissing = (portion) => portion.standing === "missing";

/** Did it change as the detector sees it, and somebody said that it did not, or that no level begins there? */
export const isAnswered = ({ rule, later }) => ["answered-false", "set-by-hand"].includes(rule) && !later;

/** Did it change, by less than its project wants to be told? */
export const isSmall = ({ rule, later }) => rule === "below-minimum-effect" && !later;

/** Is it clear, with nothing to tell of it? */
export const isClear = (portion) => !portion.standing && portion.verdict !== "cleared" && !isAnswered(portion);

/** Whose reasons to tell of a night: all that is not clear, what somebody answered, and one portion for what befell
  them all alike. */
export function notablePortions(night) {
  const told = new Set();
  return night.portions.filter((p) => {
    if (isClear(p)) return false;
    const common = ["environment", "harness", "cleared"].includes(p.verdict) ? `${p.verdict} ${p.standing} ${p.words}` : null;
    if (common && told.has(common)) return false;
    told.add(common);
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

/** Of a night whose commit says a time behind its measurement; else null. */
export const aheadWords = ({ commit, started_ms }) => started_ms > 0 && commit?.time_ms > started_ms
  ? "The commit is dated after its measurement, so its date or a clock is wrong. It stands in the night after it was first seen." : null;

/** Is that of an imported night a time that no file told? what: "commit", "run". */
export const isUndated = ({ environment_detail: about }, what) => Boolean(about?.detail?.undated?.includes(what));

const STALE_MS = 14 * 86400000; // of a night's date: what is not measured any more is not clear either

/** "✓ Nothing new for 12 nights", as the server says it. The mark stands where the newest night is clear, and new. */
export function quietWords({ quiet, clear, latest }, now_ms = Date.now()) {
  if (!clear) return quiet;
  return now_ms - Date.parse(latest.night) > STALE_MS ? `${quiet}; the newest is of ${latest.night}` : `✓ ${quiet}`;
}

/** "1 suspicion is to be measured again", or that it is open, where nothing is measured */
export function suspicionWords(project) {
  if (project.enabled === false) return `${project.suspicions} ${project.suspicions === 1 ? "suspicion is" : "suspicions are"} open`;
  return `${project.suspicions} ${project.suspicions === 1 ? "suspicion is" : "suspicions are"} to be measured again`;
}
