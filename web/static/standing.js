// What a reader wants to know in the first five seconds, beside the verdict: how sure, which commit, which function, is
// it the machine, what is being done about it. What is not known is not said.
import { commitLink, h, spoken } from "/static/dom.js";
import { bound, interval, known, levelInterval, percentText, time, unitFor, value } from "/static/format.js";
import { isTime, moved } from "/static/levels.js";
import { controlOf } from "/static/parts.js";
import { commitsOf, culpritOf, endOf, isAnswered, isDoubtful, isMissing, isSmall, latestOf, sameCommitWords, sentence, verdictWords, whichOf } from "/static/words.js";

const half = (range) => known(range?.low_ns) && known(range.high_ns) ? (range.high_ns - range.low_ns) / 2 : null;

/** The smallest change of a portion that its night would have shown, in its unit; null: unknown. A change is seen where
  the judged interval and the reference's part; of what was measured again and cleared, where the trial's interval
  ends, unless its loops were all equal: no change is as small as 0. */
function seen({ verdict, confirmation: again, judged, reference }) {
  if (verdict === "cleared" && again?.high_ns - again?.low_ns > 1e-9 * Math.abs(reference?.mean_ns)) return Math.max(Math.abs(again.low_ns), Math.abs(again.high_ns));
  const mine = half(judged), theirs = half(reference);
  return known(mine) && known(theirs) ? mine + theirs : null;
}

/** The same in percent of the reference. */
export function visible(portion) {
  const amount = seen(portion), level = portion.reference?.mean_ns;
  return known(amount) && level > 0 ? 100 * amount / level : null;
}

const MEASURED_AGAIN = {
  confirmed: "Confirmed: both commits were measured again",
  cleared: "Cleared: both commits were measured again, and the change is not there",
  waiting: "Suspected: both commits are to be measured again",
  undecided: "Undecided after both commits were measured again",
  believed: "Unconfirmed: it could not be measured again",
};

/** Do its nights no longer show it, or did somebody say that there is none? Then it is told as what was judged once. */
const isWithdrawn = (alert) => alert.state === "withdrawn";

/** How sure is this alert? Words. */
export function sureWords(alert) {
  if (alert.moved) return sentence(alert.moved);
  const c = alert.confirmation;
  const again = c ? MEASURED_AGAIN[c.state] : null;
  if (again) return again + (c.loops > 0 ? `, at least ${c.loops} loops of each` : "") + "."; // the fewer, which its parent may have
  const { difference: d } = alert;
  const gone = isWithdrawn(alert);
  if (!known(d?.low_ns)) return `It ${gone ? "rested" : "rests"} on the nights alone, and its interval is not known.`;
  const ends = isTime(alert) ? `, ${bound(d, d.low_ns)} to ${bound(d, d.high_ns)}` : ""; // the sentence has those with its unit
  return `${gone ? "As it was judged then, by" : "By"} the nights alone: ${levelInterval(alert.level)}${ends}.`;
}

/** The same of all that one alert moved: not all of it was measured again. */
function sureOfAll(alert) {
  const parts = moved(alert), { level, moved: by, state } = alert;
  const told = parts.map((p) => sureWords({ ...p, level, moved: by, state }));
  if (parts.length < 2) return sureWords(alert);
  const alike = told.filter((words) => words === told[0]).length;
  return alike === parts.length ? told[0] : `${told[0]} That is of ${alike} of the ${parts.length} changes; the alert tells of each.`;
}

/** What reaches to both sides of an alert's levels: an interval where they are a trial's, else what was judged. */
export const rangeWords = ({ confirmation, before, level }) => confirmation?.before_ns === before.mean_ns
  ? `Each with its ${levelInterval(level)}.`
  : "Each with its decision band: a change is told where the two no longer overlap.";

/** Percent of next to nothing say nothing: then the amount itself. */
function visibleSize(p) {
  const amount = seen(p);
  return visible(p) <= 100 ? percentText(visible(p)).replace("+", "") : value(amount, unitFor(amount, p.unit));
}

/** Was it judged that night? Of what is in question, suspect or cannot be compared nothing would have been seen; what
  differs little, or is called no change by somebody, was. */
const isJudged = (portion) => (!portion.standing || portion.standing === "changed") && !isSmall(portion) && !isAnswered(portion);

/** What would have been seen, had something changed. */
export function visibleWords(night) {
  const parts = (night?.portions ?? []).filter((p) => p.parent && isJudged(p) && known(visible(p)))
    .map((p) => `${[p.portion, whichOf(p, night.portions)].filter(Boolean).join(", ")} by ${visibleSize(p)}`);
  if (parts.length === 0) return null;
  const last = parts.pop();
  return `A change of ${parts.length > 0 ? `${parts.join(", ")} or ${last}` : last} would have been seen.`;
}

/** What its project takes for too small to be told: the floor in ns is of times alone. */
export function leastWords(night) {
  if (!known(night?.minimum_effect_percent)) return null;
  const ns = night.portions.some((p) => !p.unit) && night.minimum_effect_ns > 0 ? ` or ${value(night.minimum_effect_ns)}` : "";
  return `A change below ${percentText(night.minimum_effect_percent).replace("+", "")}${ns} is told only where several add up to it.`;
}

const HIDDEN_MAX = 50; // percent: a control that could have changed by more without being seen clears no machine

const STRANGE = { environment: "Likely: ", harness: "The measurement is suspect: " };

const OF_THE_MACHINE = ["new-environment", "common-scale"]; // rules that say that it is likely

/** A level that moved is likely the machine's where the verdict's rule says so, and the machine is known. */
function strangeWords({ verdict, rule, reason }, unknown) {
  if (verdict !== "environment") return STRANGE[verdict];
  if (unknown && rule === "new-environment") return "The machine is not known, but "; // a suite, or a file of another tool, is
  return unknown ? "The level moved, and the machine is not known: "
    : OF_THE_MACHINE.includes(rule) || reason?.endsWith("the likely cause") ? STRANGE[verdict] : "Perhaps: ";
}

/** Did everything but what the alert tells of move by one factor, as far as that night knows? */
const isApart = (alert, portions) => moved(alert).filter(isTime).every(({ configuration }) =>
  portions.some((p) => p.configuration === configuration && (p.verdict === "anomaly" || p.later)));

/** Is what that portion's night was compared with older than the alert's last night before? Then that one had moved,
  too. nights: newest first, or null. */
function hadMoved({ reference }, alert, nights) {
  const at = (id) => (nights ?? []).findIndex((n) => n.experiment === id);
  return at(alert.from?.experiment) >= 0 && at(reference?.to_experiment) > at(alert.from.experiment);
}

/** The machine changed with what is told, and explains none or a part of it. */
function apartWords({ night, environment_unknown: unknown }, incidents, level) {
  const by = incidents.find((i) => i.kind === "scale" && i.to.night <= night && night <= i.seen?.night);
  return `${unknown ? "The machine is not known, but" : "It"} likely changed, too${by ? ` (${by.headline})` : ""}, and this moved otherwise. ${level ?? ""}`.trim();
}

/** Has a configuration no result that had one in the night before? What was taken away long since is no news.
  nights: newest first; null: not known. */
function isLost(portion, nights) {
  const before = nights?.filter((n) => n.state === "measured")[1];
  return isMissing(portion)
    && (!before || known(before.portions.find((p) => p.configuration === portion.configuration)?.mean_ns));
}

/** Could the control have moved by as much as the alert's portion, and not been seen? */
function couldHide(control, alert) {
  const change = alert && moved(alert).find(isTime)?.difference?.mean_ns;
  return known(change) && known(visible(control)) && seen(control) > Math.abs(change);
}

/** "T, the control, is as before, 90 ± 1 ns.", or is at 90 ± 1 ns, and in brackets what else is known of it. inTurn: of
  commits between which the machine may have moved, where "as before" is of the nights alone. */
function levelWords(control, inTurn) {
  const who = `${control.portion}, the control,`, told = control.verdict === "first" ? "new" : verdictWords(control);
  if (isMissing(control)) return `${who} has no result.`;
  if (control.words) return `${who} is at ${interval(control)} (${told}).`;
  return inTurn ? `${who} is at ${interval(control)}.` : `${who} is ${told}, ${interval(control)}.`;
}

/** Were both commits measured again, in turn, and showed all that this alert says of times, or of what else it is? */
function isConfirmed(alert) {
  const parts = alert ? moved(alert) : [], times = parts.filter(isTime), all = times.length > 0 ? times : parts;
  return all.length > 0 && all.every((p) => p.confirmation?.state === "confirmed");
}

/** What that says of the machine; of the rest of the alert it says nothing. */
function inTurn(control, alert) {
  const all = moved(alert).every((p) => p.confirmation?.state === "confirmed");
  return `${all ? "No" : "For its times, no"}: both commits were measured again, in turn. ${control ? levelWords(control, true) : ""}`.trim();
}

/** Of an alert of no time of calls, of which no night's control says anything; null: it is of one. */
const besideWords = (alert) => !alert || moved(alert).some(isTime) ? null : isConfirmed(alert) ? inTurn(null, alert)
  : "Not known: the control shows the machine by the time of its calls, and this is no time of calls.";

/** What the control says of the machine. alert: of what is asked, or null. */
function controlWords(control, level, alert) {
  const beside = besideWords(alert);
  if (beside) return beside;
  if (!control) return "No control was measured.";
  if (isDoubtful(control)) return `In question: ${level}`;
  if (control.verdict === "first" || isMissing(control)) return `Not known: ${level}`; // nothing came before it
  if (isConfirmed(alert)) return inTurn(control, alert);
  const differs = control.verdict === "ok" && control.words; // nobody says "as before"
  const word = couldHide(control, alert) ? "Not known" : differs || visible(control) > HIDDEN_MAX ? "Hard to tell" : null;
  const hidden = known(visible(control)) ? ` A change of it by less than ${visibleSize(control)} would not have been seen.` : "";
  return word ? `${word}: ${level}${hidden}` : `No: ${level}`;
}

/** The newest incident of the machine that had begun by that night, and that nobody has closed; else undefined. */
const openIncident = (incidents, night) => incidents.filter((i) => i.state === "open" && i.kind !== "missing" && i.to.night <= night)
  .toSorted((a, b) => a.to.night < b.to.night ? 1 : -1)[0];

/** A measurement that is suspect says nothing of an alert of other portions. */
const concerns = ({ verdict, configuration }, alert) => !alert || verdict !== "harness"
  || moved(alert).some((part) => part.configuration === configuration);

/** Is it the machine? {text, warn}, or null when there is no night to say it. nights: newest first; null: not known;
  alert: of what is asked, or null; incidents: the project's. */
export function machineWords(newest, nights, alert = null, incidents = []) {
  if (!newest) return null;
  const strange = newest.portions.find((p) => STRANGE[p.verdict] && !isMissing(p) && concerns(p, alert));
  const lost = newest.portions.find((p) => isLost(p, nights)), unknown = Boolean(newest.environment_unknown);
  if (lost && !strange)
    return { text: `${lost.portion} has no result on ${newest.night}: its configuration failed or was removed.`, warn: true };
  const control = controlOf(newest.portions), level = control && levelWords(control);
  const beside = besideWords(alert);
  if (strange?.verdict === "environment" && (beside || isConfirmed(alert)))
    return { text: beside ?? inTurn(control, alert), warn: true };
  if (strange?.rule === "common-scale" && alert && isApart(alert, newest.portions))
    return hadMoved(strange, alert, nights)
      ? { text: `${unknown ? "The machine is not known, but" : "No: it"} likely changed before this, by ${alert.from.night}. ${level ?? ""}`.trim(), warn: unknown }
      : { text: apartWords(newest, incidents, level), warn: true };
  if (strange) return { text: strangeWords(strange, unknown) + (strange.reason ?? newest.headline) + ".", warn: true };
  if (unknown) return { text: `Unknown: the machine of an imported night is not compared. ${level ?? ""}`.trim(), warn: false };
  if (newest.disturbed) return { text: `Hard to tell: ${newest.disturbed}. ${level ?? ""}`.trim(), warn: true };
  const open = openIncident(incidents, newest.night);
  if (open) return { text: `Not settled: “${open.headline}” is open, since ${open.to.night}. ${level ?? ""}`.trim(), warn: true };
  const steady = controlWords(control, level, alert);
  if (newest.environment_changed) return { text: `${steady} The environment changed on ${newest.night}.`, warn: true };
  return { text: steady, warn: false };
}

/** A date is not broken at its hyphens. */
const whole = (night) => h("span", { class: "whole" }, night);

/** Which commit did it? One is named only where it is known: between two nights lie several. Without an alert: the
  night's. */
export function commitFact(alert, night, pattern) {
  const told = (commit, more) => [commitLink(commit, pattern), " ", h("bdi", {}, commit?.subject ?? ""), " by ",
    h("bdi", {}, commit?.author || "an unknown author"), more];
  if (!alert) return night ? told(night.commit,
    [night.state === "measured" ? ", the newest measured, " : `, the newest (${night.state}), `, whole(night.night)]) : null;
  if (isWithdrawn(alert)) return null; // no commit did it
  const search = alert.bisection, culprit = culpritOf(alert), same = sameCommitWords(alert), end = endOf(alert);
  if (alert.moved && !culprit) return [`Not known: ${alert.moved}.`];
  if (search?.state === "found") return told(culprit, [search.commits > 1 ? `, found among ${search.commits} commits` : [", on ", whole(end.night)],
    search.told ? `. ${search.told}` : ""]);
  if (same) return [commitLink(end.commit, pattern), " ", same];
  if (culprit) return told(culprit, [", on ", whole(end.night)]);
  const many = commitsOf(alert), at = ({ commit, night: date }) => [commitLink(commit, pattern), " of ", whole(date)];
  const left = search?.left && !search.rest ? `${search.left} left of the ` : "";
  if (alert.slow) return many === 1 ? ["It came slowly, at the latest with ", at(end), "; it was not measured again."]
    : [`It came slowly, with some of the ${many ? `${many} ` : ""}commits after `, at(alert.from), " up to ", at(end),
      "; they were not measured again."];
  return [`${search?.rest ? "Some" : "One"} of ${left}${many > 1 ? many : "the"} commits after `, at(alert.from), " up to ", at(end),
    !search ? "." : search.state === "running" ? search.rest ? "; the search goes on." : "; which one is being searched." : "; the search found no single commit.",
    search?.told ? ` ${search.told}` : ""];
}

/** " on 2026-01-05, with 2559ae666", behind an alert's sentence: the commit that did it, or that surely has it; between
  two measurements of one commit it was none. */
export function whenBy(alert, pattern) {
  const culprit = culpritOf(alert), night = alert.to.night;
  if (!culprit && sameCommitWords(alert)) return [` on ${night}, between two measurements of `, commitLink(endOf(alert).commit, pattern)];
  if (!culprit && alert.moved) return [` on ${night}, as somebody moved it`];
  const search = alert.bisection;
  return [alert.slow ? ` slowly after ${alert.from.night}, ` : ` on ${night}, `, culprit && search?.alone ? `${search.of} ` : "", !culprit ? "at the latest with " : search?.rest ? "partly with " : "with ",
    commitLink(culprit ?? latestOf(alert), pattern)];
}

/** Where is it? What the profiles say of the portion that moved most; null: nobody looked, or it is not known. */
export function functionFact(alert) {
  const found = alert?.explanation, first = found?.portions?.[0];
  if (alert && isWithdrawn(alert)) return null;
  if (found?.state === "waiting") return "Both commits will be profiled when the node is free.";
  return first ? h("a", { href: `/alerts/${alert.id}#where` }, spoken(causeWords(first.sentence))) : null;
}

/** alert: the newest that is news, or null; what waits for a person is no "nothing". */
function doingFact(project, alert) {
  const open = project.open ?? [];
  const next = project.enabled && project.next_night_ms ? [" The next night is due ",
    time(project.next_night_ms, { relativeToNow: true }), "."] : null;
  return [open.length > 0 ? `${open.join(", ")}.` : project.enabled ? "Nothing is queued or being measured."
    : project.import ? "Nothing is measured here: its nights were imported."
      : "Nothing: this project is no longer measured.", next,
  alert && [" ", h("a", { href: `/alerts/${alert.id}` }, `Alert ${alert.id}`), project.open_alerts > 1
    ? ` and ${project.open_alerts - 1} more are open, and wait for somebody's decision.`
    : " is open, and waits for somebody's decision."]];
}

/** The sentence of an explanation without what the verdict says already: which portion moved. From what its time was
  scaled stays: it is a share, and was not measured. */
export const causeWords = (told) => sentence(told.replace(/^.*? (?:rose|fell|changed)(?:: |; |, but )/u, ""));

/** The same as it stands on a page; null without a night. */
export function machineFact(night, nights, alert = null, incidents = []) {
  const machine = night?.state === "measured" ? machineWords(night, nights, alert, incidents) : null;
  return machine && h("span", { class: machine.warn ? "warn" : null }, machine.text);
}

/** facts: [[question, answer], …]; what has no answer is left out. */
export const factList = (facts) => h("dl", { class: "standing" }, facts.filter(([, text]) => text)
  .map(([term, text]) => h("div", {}, h("dt", {}, term), h("dd", {}, text))));

/** Under an alert it is asked of the alert's night; where that is not shown, the newest is told as what it is. */
function machineOf(alert, newest, nights, incidents) {
  if (!alert) return machineFact(newest, nights, null, incidents);
  const at = (nights ?? []).findIndex((n) => n.experiment === alert.to.experiment);
  if (at >= 0) return machineFact(nights[at], nights.slice(at), alert, incidents);
  const fact = machineFact(newest, nights, alert, incidents);
  return fact && h("span", {}, "Of the newest night, ", whole(newest.night), ": ", fact);
}

/** The facts as a list; alert: the newest that is news, or null;
  nights: newest first, or null when the page shows others; incidents: the project's. */
export function standing(project, nights, alert, incidents = []) {
  const newest = project.latest;
  return factList([["How sure?", alert ? sureOfAll(alert) : visibleWords(newest)],
    ["Which commit?", commitFact(alert, newest, project.commit_url)],
    ["Which function?", functionFact(alert)],
    ["Is it the machine?", machineOf(alert, newest, nights, incidents)],
    ["What is being done?", doingFact(project, alert)]]);
}
