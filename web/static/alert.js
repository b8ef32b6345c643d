// One alert: what moved, from which night to which, how sure, and the evidence.
import { get, list, projectOf } from "/static/api.js";
import { near, nightsAround } from "/static/around.js";
import { backportWords } from "/static/branches.js";
import { areSearched, commitList, commitsBetween, commitsWords } from "/static/between.js";
import { alertLevels } from "/static/byhand.js";
import { answerOf, decide, decisionsOf, decisionsTold, doneOf, whenWords } from "/static/decide.js";
import { explanation } from "/static/explanation.js";
import { loadFlames } from "/static/flame.js";
import { commitLink, crumbs, h, projectPath, replace, s, safeHref } from "/static/dom.js";
import { pathArgument, reload, start, title } from "/static/frame.js";
import { interval, time, unitFor, unitOf, value } from "/static/format.js";
import { count, dimensionsOf, dimensionWords } from "/static/dimensions.js";
import { isTime, levelsOf, moved } from "/static/levels.js";
import { portionsOf } from "/static/multiples.js";
import { commandBox, contentWidth, portionClass, row, swatch, tableOf } from "/static/parts.js";
import { isSite } from "/static/place.js";
import { commitFact, factList, functionFact, machineFact, rangeWords, sureWords } from "/static/standing.js";
import { loopsWords, openJobs, trialBox, trialEvent, trialOf, trialTitle } from "/static/trial.js";
import { walk } from "/static/walk.js";
import { endOf, endsWords, fromWords, MARKS, stateWords } from "/static/words.js";

const id = pathArgument();
const AROUND = 15; // nights shown before and after the change
const LEVELS_MAX = 500;
const INCIDENTS_MAX = 1000;

/** Before and after as intervals on one scale, in the portion's colour: apart or overlapping is seen at once. */
function ranges(alert, colour) {
  const width = Math.min(contentWidth(), 760), left = 64, right = 140;
  const all = [alert.before, alert.after].flatMap((r) => [r.low_ns, r.high_ns]);
  const low = Math.min(...all, 0), high = Math.max(...all);
  const x = (v) => left + (width - left - right) * (v - low) / (high - low || 1);
  const unit = unitOf(alert.after);
  const line = (name, r, y) => [
    s("text", { class: "tick", x: left - 10, y: y + 4, "text-anchor": "end" }, name),
    s("line", { class: "range", x1: x(r.low_ns), x2: Math.max(x(r.high_ns), x(r.low_ns) + 2), y1: y, y2: y }),
    s("circle", { class: "dot", cx: x(r.mean_ns), cy: y, r: 5 }),
    s("text", { class: "label", x: x(r.high_ns) + 10, y: y + 4 }, interval(r, unit))];
  return h("figure", { class: "dotsbox" },
    s("svg", { class: `dotplot rangeplot ${colour}`, width, height: 84, viewBox: `0 0 ${width} 84`, role: "img",
    "aria-label": `Before ${interval(alert.before)}, after ${interval(alert.after)}` },
  line("before", alert.before, 16), line("after", alert.after, 44),
  s("line", { class: "grid", x1: x(low), x2: width - right, y1: 62, y2: 62 }),
  s("text", { class: "tick", x: x(low), y: 78 }, value(low, unitFor(low, alert.unit))),
  s("text", { class: "tick", x: x(high), y: 78, "text-anchor": "end" }, value(high, unitFor(high, alert.unit)))),
  h("figcaption", {}, rangeWords(alert)));
}

function point(name, p, pattern) {
  return [name, p.experiment ? h("a", { href: `/experiments/${p.experiment}` }, p.night) : p.night,
    commitLink(p.commit, pattern), h("bdi", {}, p.commit?.author ?? ""), h("bdi", {}, p.commit?.subject ?? ""),
    p.undated ? "unknown date" : time(p.commit?.time_ms)];
}

/** What stands between the last night before and the first after: who may have done it. */
function suspects(alert, found, nights, pattern) {
  if ((found.total === 0 && !found.reason) || !areSearched(alert, found)) return null;
  const one = found.total === 1 ? `It is the only commit between ${endsWords(alert)}.` : null;
  const list = one ? h("p", { class: "quiet small" }, one) : commitList(found, nights, pattern);
  return one || alert.bisection?.state !== "found" ? list : h("details", {},
    h("summary", {}, `All ${commitsWords(found)} between ${endsWords(alert)}`), list);
}

/** What is said of each part where there are several, what took it back, and its levels on a scale; placeOf(part): of
 * its portion, which has the colour. A trial's reason is among the facts. */
function portions(alert, placeOf) {
  const several = moved(alert).length > 1;
  const isTold = (reason, { confirmation }) => reason && !alert.moved && reason !== confirmation?.reason;
  return [isTold(alert.reason, alert) ? h("p", {}, alert.reason) : null, moved(alert).map((p) => [
    several ? [h("h2", { class: "part" }, swatch(p.portion, placeOf(p)), `${MARKS[p.direction] ?? "●"} ${p.sentence}`),
      h("p", {}, sureWords({ ...p, level: alert.level, moved: alert.moved, state: alert.state })),
      isTold(p.reason, p) && p.reason !== alert.reason ? h("p", {}, p.reason) : null] : null,
    p.fixed_by ? h("p", {}, "At least half of it went back with ", h("a", { href: `/alerts/${p.fixed_by}` }, `alert ${p.fixed_by}`), ".") : null,
    isTime(p) ? ranges({ ...p, level: alert.level }, portionClass(p.portion, placeOf(p))) : null])].flat(3);
}

/** The nights around the change: of its portions those that moved, beside the control, which tells whether the machine
 * did. */
function evidence(alert, project, around) {
  return around.length === 0 ? null : h("section", {}, h("h2", {}, "Evidence"), walk(around,
    { pattern: project?.commit_url, levels: (configuration) => levelsOf(alert, configuration),
      only: (configuration) => moved(alert).some((m) => isTime(m) && m.configuration === configuration) }));
}

/** What was decided last, or where it can be. */
function doneFact(alert) {
  if (alert.state !== "open" || decisionsOf(alert).length > 0) return answerOf(alert);
  return isSite ? "Nobody has answered it." : ["Nobody has answered it. ", h("a", { href: "#decide" }, "Decide")];
}

/** What a reader asks first, as the night of the change has it. */
function facts(alert, project, nights, incidents) {
  const at = nights.findIndex((n) => n.experiment === alert.to.experiment);
  return factList([["How sure?", moved(alert).length > 1 ? null : sureWords(alert)],
    ["Which commit?", commitFact(alert, null, project?.commit_url)],
    ["Which function?", functionFact(alert)],
    ["Is it the machine?", machineFact(nights[at], nights.slice(at), alert, incidents)],
    ["What is being done?", doneFact(alert)]]);
}

/** The search for the culprit: which commits were measured, and what they showed. What it found is among the facts. */
function bisection(alert, pattern) {
  const found = alert.bisection;
  if (!found?.steps?.length && !found?.reason) return null;
  const of = dimensionWords(found), level = (r) => of ? count(r?.mean_ns) : interval(r);
  const range = found.state === "range" && found.first ? h("p", {}, found.rest && found.left ? "The largest part of it lies in "
    : "It lies in ", commitLink(found.first, pattern), " to ", commitLink(found.last, pattern), ".") : null;
  return h("section", {}, h("h2", {}, "The search for its commit"), range, found.reason ? h("p", {}, found.reason) : null,
    of && h("p", { class: "quiet small" }, of),
    found.steps?.length ? tableOf("Steps of the search", ["Commit", "Subject", "Verdict", "Before", "After", "Loops"],
      found.steps.map((step) => h("tr", {}, h("td", {}, commitLink(step.commit, pattern)),
        h("td", {}, h("bdi", {}, step.commit?.subject ?? "")),
        h("td", { title: step.reason ?? "" }, step.saw),
        [level(step.before), level(step.after), loopsWords(step)].map((text) => h("td", { class: "number" }, text)))))
      : null);
}

/** What people decided, and the form to decide again. */
function decisions(alert, levels) {
  return h("section", {}, h("h2", { id: "decide" }, "Decisions"), decisionsTold(doneOf(alert), "None yet.", alert.imported),
    isSite ? null : h("details", { open: alert.state === "open" }, h("summary", {}, "Decide"), decide(alert, reload)),
    isSite || !moved(alert).some(isTime) ? null
      : levelsBox(alertLevels(alert, levels, reload), levels.some((l) => l.alert === alert.id)));
}

/** Where its level begins, as people say: shown when somebody has said so. */
const levelsBox = (content, open) => content.length
  ? h("details", { open }, h("summary", {}, "Move or remove this level"), content) : null;

let trialShown = null, trialJob = null, about = null; // of the job that runs for this alert, and its night

function show([alert, project, nights, commits, jobs, flames, levels, incidents], main) {
  title(alert.headline);
  about = alert.to.experiment;
  trialJob = trialOf(jobs, about);
  trialShown = trialJob ? trialBox(trialJob, project?.commit_url) : null;
  const around = near(nights, alert.to.experiment, AROUND), portionsThere = portionsOf(around);
  const placeOf = (part) => Math.max(portionsThere.findIndex((p) => p.configuration === part.configuration), 0);
  replace(main,
    crumbs(project, alert.project),
    h("h1", {}, swatch(alert.portion, placeOf(alert)), `${MARKS[alert.direction] ?? "●"} `,
      moved(alert).length > 1 ? alert.headline : alert.sentence),
    h("p", {}, h("span", { class: "badge" + (alert.state === "open" && !alert.aged ? " loud" : "") },
      stateWords(alert)), whenWords(alert, "raised", alert.raised_ms)),
    alert.counted ? h("p", { class: "big" }, `${alert.counted}.`) : null,
    alert.branches?.length ? h("p", {}, backportWords(alert, project?.commit_url)) : null,
    facts(alert, project, nights, incidents),
    alert.corrected ? h("p", {}, alert.corrected) : null,
    portions(alert, placeOf),
    trialShown ? h("section", {}, h("h2", {}, trialTitle(trialJob)), trialShown.element) : null,
    dimensionsOf(alert, 2 * AROUND),
    h("section", {}, h("h2", {}, "From and to"),
      tableOf("Commits", ["Which", "Night", "Commit", "Author", "Subject", "Committed"], [
        row(point(fromWords(alert), alert.from, project?.commit_url)),
        row(point("first after", alert.to, project?.commit_url)),
        endOf(alert).commit?.sha === alert.to.commit?.sha ? null : row(point(alert.slow ? "told by" : "measured again", endOf(alert), project?.commit_url))]),
      suspects(alert, commits, nights, project?.commit_url)),
    alert.from.experiment && alert.to.experiment
      ? h("p", {}, h("a", { href: `/compare?a=${alert.from.experiment}&b=${endOf(alert).experiment}` }, "Compare both sides")) : null,
    alert.repeat ? [h("p", { class: "quiet small" }, "To measure both commits in turn on your machine; it needs the project’s file, and the repository that is named there:"),
      commandBox(h("code", {}, alert.repeat))] : null,
    bisection(alert, project?.commit_url),
    explanation(alert.id, alert.explanation, flames),
    evidence(alert, project, around),
    decisions(alert, levels));
}

async function load() {
  const alert = await get(`/alerts/${encodeURIComponent(id)}`);
  const path = projectPath(alert.project), owner = projectOf(alert.project);
  const commits = owner.then((project) => safeHref(project?.repository) // what was imported has no commits to ask for
    ? commitsBetween(alert.project, alert.from.commit?.sha, endOf(alert).commit?.sha)
    : { items: [], total: 0, reason: null });
  const nights = nightsAround(path, { from: alert.from.night, to: endOf(alert).night }, AROUND).catch(() => []);
  return [alert, ...await Promise.all([owner, nights, commits,
    openJobs(alert.project), loadFlames(alert.id, alert.explanation),
    isSite ? [] : list(`${path}/baselines`, LEVELS_MAX).catch(() => []),
    list(`${path}/incidents`, INCIDENTS_MAX).catch(() => [])])];
}

start({ load, show, events: { alert: (data) => String(data.id) === id,
  job: (job) => trialEvent(job, trialJob, trialShown, about) } });
