// A trial: two commits measured again, batch by batch, until each portion has its answer.
import { list } from "/static/api.js";
import { count, dimensionWords } from "/static/dimensions.js";
import { commitLink, h, replace } from "/static/dom.js";
import { bound, interval } from "/static/format.js";
import { isTime } from "/static/levels.js";
import { swatch, tableOf } from "/static/parts.js";
import { isSite } from "/static/place.js";
import { portionCalled } from "/static/words.js";

/** "batch 3, 20 of at most 300 loops so far; as it stands it would stop at 40" */
export function trialWords(trial) {
  const ends = trial.ends_loops > trial.loops ? `; as it stands it would stop at ${trial.ends_loops}` : "";
  return `batch ${trial.batch}, ${trial.loops} of at most ${trial.maximum} loops of each commit so far${ends}`;
}

const ANSWERS = { confirmed: "confirmed", cleared: "cleared", undecided: "undecided", failed: "failed" };

/** "counted first: +410 instructions a call"; "" where nothing was counted. */
export const countedWords = (question) => question.counted ? `counted first: ${question.counted}` : "";

/** "40, fastest half": how many, and which of them count where that is not all. */
export const loopsWords = ({ loops, reason }) => [loops ?? "–", reason?.match(/fastest \w+(?= counts)/)?.[0]].filter((x) => x != null).join(", ");

/** Does a node measure it just now? What waits for one, or was given back, does not run. */
const isMeasured = (job) => job.state === "leased";

/** The heading of its box. */
export const trialTitle = (job) => isMeasured(job) ? "Being measured again" : "Waiting to be measured again";

/** What is known of one portion: an answer, or when one would come. */
export function questionWords(question, job) {
  if (ANSWERS[question.state]) return ANSWERS[question.state];
  if (question.loops === 0) return isMeasured(job) ? "open: the first batch is under way" : "open: the first batch waits for a node";
  return question.ends_loops > question.loops ? `open, answered at about ${question.ends_loops} loops`
    : "open, answered with the next batch";
}

/** "+120 ns, from +90 ns to +150 ns"; of: whose it is. What is no time has no unit here: dimensionWords says it. */
export function differenceWords(d, of = {}) {
  const write = (end) => isTime(of) ? bound(d, end) : (end > 0 ? "+" : "") + count(end);
  return d ? `${write(d.mean_ns)}, from ${write(d.low_ns)} to ${write(d.high_ns)}` : "–";
}

const HEAD = ["Portion", "Before", "After", "Difference", "Loops", "Stands"];

function questionRow(q, i, job) {
  const level = (range) => isTime(q) ? interval(range) : count(range?.mean_ns);
  const cells = [level(q.before), level(q.after), differenceWords(q.difference, q), loopsWords(q)];
  const counted = countedWords(q), dimension = dimensionWords(q);
  return h("tr", { title: q.reason }, h("th", { scope: "row" }, swatch(q.portion, i), portionCalled(q.portion),
    dimension && h("div", { class: "quiet small" }, dimension), q.whole && h("div", { class: "quiet small" }, `figures of ${q.whole} together`)),
    cells.map((text) => h("td", {}, text)),
    h("td", {}, questionWords(q, job), counted && h("div", { class: "quiet small" }, counted)));
}

/** The two commits, how far it is, and what is known of each portion so far; `update(job)` shows it anew. */
export function trialBox(first, pattern) {
  const box = h("div", { class: "trial" });
  const named = (commit) => [commitLink(commit, pattern), " ", h("bdi", {}, commit?.subject ? `“${commit.subject}”` : "")];
  function update(job) {
    const { trial, commit, before } = job;
    if (!trial) return;
    replace(box, h("p", {}, named(commit), " against ", named(before), ": ", trialWords(trial), "."),
      tableOf("What is known so far", HEAD, trial.questions.map((q, i) => questionRow(q, i, job))));
  }
  update(first);
  return { element: box, update };
}

/** "W -58 ns, from -417 ns to +302 ns, counted first: …" of each portion that is open; "" while nothing is known. */
export const openWords = (trial) => trial.questions.filter((q) => !ANSWERS[q.state] && (q.difference || q.counted))
  .map((q) => `${q.whole ?? q.portion} ${[dimensionWords(q), q.difference && differenceWords(q.difference, q), countedWords(q)].filter(Boolean).join(", ")}`)
  .join("; ");

/** The same in a line above a page's chart, which leads to the box; `update(job)` shows it anew. */
export function trialLine(job, href) {
  const line = h("p", { class: "small" });
  function update({ trial }) {
    if (!trial) return;
    const known = openWords(trial);
    replace(line, h("a", { href }, "Two commits measured again"), `: ${trialWords(trial)}${known ? `. So far ${known}` : ""}.`);
  }
  update(job);
  return { element: line, update };
}

/** Of these jobs the one, running before queued, whose trial is about the night; null without. */
export function trialOf(jobs, experiment) {
  const mine = jobs.filter((j) => j.trial?.state === "running" && j.trial.experiment === experiment);
  return mine.find((j) => j.state === "leased") ?? mine.find((j) => j.state === "queued") ?? null;
}

const JOBS_MAX = 100;

/** The running and the queued jobs of a project; none when they cannot be had. */
export async function openJobs(project) {
  if (isSite) return [];
  const of = (state) => list(`/jobs?project=${encodeURIComponent(project)}&state=${state}`, JOBS_MAX).catch(() => []);
  return (await Promise.all(["leased", "queued"].map(of))).flat();
}

/** A job's event on a page that shows the trial of a night: in place, or true when the page must be loaded again. */
export function trialEvent(job, shownJob, shown, experiment) {
  if (shownJob?.id !== job.id) return job.trial?.experiment === experiment;
  if (job.state === "leased" && job.trial) shown.update(job);
  return job.state !== "leased" || !job.trial;
}
