// One incident of the machine or the harness: what moved, since when, the nights around it, and what was decided.
import { get, projectOf } from "/static/api.js";
import { near, nightsAround } from "/static/around.js";
import { decide, decisionsTold, whenWords } from "/static/decide.js";
import { commitLink, crumbs, h, projectPath, replace } from "/static/dom.js";
import { pathArgument, reload, start, title } from "/static/frame.js";
import { signedInterval, time } from "/static/format.js";
import { endWords, meaningOf, stateWords } from "/static/incidents.js";
import { row, tableOf } from "/static/parts.js";
import { isSite } from "/static/place.js";
import { walk } from "/static/walk.js";
import { sentence } from "/static/words.js";

const id = pathArgument();
const AROUND = 15; // nights shown before and after it began
const CHOICES = [["closed", "Close", "it is known, and how things are now"], ["open", "Open again", "it is not settled"]];

function point(name, end, pattern) {
  if (!end) return null;
  return row([name, h("a", { href: `/experiments/${end.experiment}` }, end.night), commitLink(end.commit, pattern),
    h("bdi", {}, end.commit?.subject ?? ""), end.undated ? "unknown date"
      : end.commit?.time_ms ? time(end.commit.time_ms) : "–"]);
}

function decisions(incident) {
  return h("section", {}, h("h2", {}, "Decisions"), decisionsTold(incident.audit, ["None yet. It is closed by itself ",
    endWords(incident)],
    incident.imported),
    isSite ? null : h("details", { open: incident.state === "open" }, h("summary", {}, "Decide"),
      decide(incident, reload, `/incidents/${incident.id}/state`, CHOICES)));
}

const ANSWERS = { yes: "changed", no: "not changed", undecided: "undecided", failed: "not measured" };

/** What joins the nights on both sides: the last commit before, measured in the new environment. */
function bridge(b) {
  if (!b) return null;
  return h("section", {}, h("h2", {}, "Bridge"), h("p", {}, sentence(b.sentence)),
    b.portions.length ? tableOf("Bridge", ["Portion", "Levels before ×", "The code's own change", "Confirmed"],
      b.portions.map((p) => row([p.portion, p.factor ? factorText(p.factor) : "unknown",
        p.change ? signedInterval({ mean_ns: p.change.mean, low_ns: p.change.low, high_ns: p.change.high, unit: p.unit }) : "–",
        ANSWERS[p.changed] ?? "the same commit"]))) : null);
}

const factorText = (f) => `${f.mean.toFixed(2)} (${f.low.toFixed(2)} to ${f.high.toFixed(2)})`;

function show([incident, project, nights], main) {
  const pattern = project?.commit_url, around = near(nights, incident.to.experiment, AROUND);
  title(incident.headline);
  replace(main,
    crumbs(project, incident.project),
    h("h1", {}, `⚑ ${incident.headline}`),
    h("p", {}, h("span", { class: "badge" }, stateWords(incident)),
      whenWords(incident, "opened", incident.opened_ms)),
    h("p", { class: "big" }, sentence(incident.sentence)),
    meaningOf(incident),
    bridge(incident.bridge),
    h("section", {}, h("h2", {}, "Nights"), tableOf("Nights", ["Which", "Night", "Commit", "Subject", "Committed"],
      [point("last before", incident.from, pattern), point("first", incident.to, pattern),
        point("opened by", incident.seen, pattern), point("closed with", incident.over, pattern)])),
    incident.from && incident.to ? h("p", {},
      h("a", { href: `/compare?a=${incident.from.experiment}&b=${incident.to.experiment}` }, "Compare the last before with the first"))
      : null,
    around.length ? h("section", {}, h("h2", {}, "Evidence"), walk(around, { pattern })) : null,
    decisions(incident));
}

async function load() {
  const incident = await get(`/incidents/${encodeURIComponent(id)}`);
  const { project, to: { night } } = incident;
  return [incident, ...await Promise.all([projectOf(project),
    nightsAround(projectPath(project), { from: night, to: night }, AROUND).catch(() => [])])];
}

start({ load, show, events: { incident: (data) => String(data.id) === id } });
