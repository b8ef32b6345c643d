// The overview: a card a project, what is news first.
import { get, list, projectsOf } from "/static/api.js";
import { branchLines, branchProblems, withFurther } from "/static/branches.js";
import { h, projectPath, replace } from "/static/dom.js";
import { start, title } from "/static/frame.js";
import { ago, known, time, unitFor, value } from "/static/format.js";
import { levelsOf } from "/static/levels.js";
import { isNews, isOld, isUnseen, lastVisit, newestFirst, overviewWords, unclearWords } from "/static/news.js";
import { MARKS, moreOpen, portionName, progressWords, quietWords, suspicionWords, whichOf } from "/static/words.js";
import { isSite } from "/static/place.js";
import { whenBy } from "/static/standing.js";
import { cutWords, portionClass, progressBar, scaleWords, sparkline, swatch } from "/static/parts.js";
import { firstChain, miniStack, stackedWords } from "/static/ministack.js";

const ALERTS_MAX = 1000;
const FILTER_FROM = 8; // projects; fewer are seen at a glance
const archived = new URLSearchParams(location.search).has("archived"); // those that were put away
const bars = new Map(); // project name -> progress bar on the page
let visit_ms = null; // when the reader's last visit ended
try { visit_ms = lastVisit(localStorage); } catch { /* a browser that forbids it */ }

/** The portion to draw: the alarmed one, else the one that moved most against its median. */
function portionThatMatters(project) {
  const alarmed = project.portions.find((p) => p.configuration === project.alert?.configuration)
    ?? project.portions.find((p) => p.portion === project.alert?.portion);
  if (alarmed) return alarmed;
  const move = (p) => {
    const present = p.spark_ns.filter(known).sort((a, b) => a - b);
    const last = p.spark_ns.findLast(known);
    const median = present[present.length >> 1];
    return median > 0 ? Math.abs(last - median) / median : 0;
  };
  return project.portions.reduce((best, p) => (!best || move(p) > move(best) ? p : best), null);
}

function verdict(project) {
  const { alert, news, old } = project;
  if (alert)
    return h("p", { class: "verdict loud" }, isUnseen(alert, visit_ms)
      ? [h("span", { class: "badge loud" }, "new"), " "] : null,
      `${MARKS[alert.direction] ?? "●"} `, h("a", { href: `/alerts/${alert.id}` }, alert.sentence),
      whenBy(alert, project.commit_url),
      moreOpen(news.length));
  if (project.problem && project.latest?.state === "failed") return null; // it says why
  if (project.nights === 0) return h("p", { class: "verdict quiet" }, "No night measured yet.");
  return h("p", { class: unclearWords(project) ? "verdict warn" : "verdict" }, quietWords(project), old.length > 0
    ? h("span", { class: "quiet" }, ` · ${old.length} open from before`) : null);
}

/** The levels of what is news of a portion, no farther than its nights reach. */
function levelsWithin(news, { configuration, spark_ns }) {
  const nights = spark_ns.filter(known), [low, high] = [Math.min(...nights), Math.max(...nights)];
  return news.flatMap((a) => levelsOf(a, configuration)).map((v) => Math.min(Math.max(v, low), high));
}

function spark(project) {
  const portion = portionThatMatters(project), there = portion?.spark_ns.filter(known).length;
  if (!(there > 1)) return null; // one is no line: its values stand below
  const index = project.portions.indexOf(portion), which = whichOf(portion, project.portions);
  const shown = levelsWithin(project.news, portion);
  const unit = project.latest?.portions.find((p) => p.configuration === portion.configuration)?.unit;
  const write = unit ? (v) => value(v, unitFor(v, unit)) : undefined;
  const cut = cutWords(portion.spark_ns, shown, write);
  const stacked = firstChain(project.portions, project.latest?.portions);
  const drawn =
    sparkline(portion.spark_ns, portionClass(portion.portion, index), portionName(portion.portion), shown, write);
  return h("figure", {}, drawn,
    h("figcaption", {},
      `${portion.portion}${which ? ` (${which})` : ""} alone, ${there} values, scale ${scaleWords(portion.spark_ns, shown, write)}${cut ? ` (${cut})` : ""}${stackedWords(stacked, project.portions)}`), miniStack(stacked, project.latest?.total));
}

/** Whether the machines that measure are well. Where no project asks for new nights none is missed. */
function nodes(status, projects) {
  if (status.nodes.length === 0) return projects.some((p) => p.enabled) || projects.length === 0 ? h("p", { class: "notice" },
    "No node has asked for work yet, so nothing is measured. ", h("a", { href: "/jobs" }, "Queue and nodes"))
    : h("p", { class: "quiet small" }, "Nothing is measured here: these are nights that were imported, or of projects that are switched off.");
  const words = (n) => n.state === "busy" && n.progress?.phase === "wait" ? ` ${progressWords(n.progress)}`
    : n.state === "busy" ? ` measuring${n.progress?.total > 0 ? ` ${Math.round(100 * n.progress.done / n.progress.total)}\u202f%` : ""}`
    : n.state === "silent" ? ` silent, seen ${n.seen_ms ? ago(n.seen_ms) : "never"}` : " idle";
  return h("p", { class: "quiet small" }, h("a", { href: "/jobs" }, status.nodes.length === 1 ? "Node" : "Nodes"), ": ",
    status.nodes.map((n, i) => [i ? " · " : "",
    h("span", { class: n.state === "silent" ? "warn" : null }, h("b", {}, n.name), words(n))]));
}

function values(project) {
  if (!project.latest) return null;
  return h("ul", { class: "values" }, project.latest.portions.map((p, i) =>
    h("li", {}, swatch(p.portion, i), h("b", {}, p.portion), " ",
      whichOf(p, project.latest.portions) ? h("span", { class: "quiet" }, p.configuration, " ") : null,
      value(p.mean_ns, unitFor(p.mean_ns, p.unit)))));
}

function footer(project) {
  const latest = project.latest;
  return h("p", { class: "quiet small" },
    latest ? [latest.experiment ? h("a", { href: `/experiments/${latest.experiment}` }, `newest night ${latest.night}`)
      : `newest night ${latest.night}`, latest.state === "failed" ? " failed · " : project.alert ? `: ${latest.headline} · ` : " · "] : null,
    project.enabled ? ["next ", time(project.next_night_ms, { relativeToNow: true })] : "switched off",
    project.suspicions > 0 ? ` · ${suspicionWords(project)}` : null,
    project.queued > 0 ? ` · ${project.queued} ${project.enabled ? "queued" : "in the queue, not measured while switched off"}` : null);
}

function running(project) {
  if (!project.running) return null;
  const bar = progressBar(project.running);
  bars.set(project.name, { id: project.running.id, ...bar });
  return bar.element;
}

function card(project) {
  return h("article", { class: "card" + (hasNews(project) ? " alarmed" : "") },
    h("h2", {}, h("a", { href: projectPath(project.name) }, project.title || project.name)),
    project.problem ? h("p", { class: "notice bad" }, project.problem) : null,
    branchProblems(project, project.further),
    verdict(project), project.further.length > 0 ? branchLines(project.further) : null,
    spark(project), values(project), running(project), footer(project));
}

/** The project with its alerts: alert is the newest that is news, or null. */
function withAlerts(project, alerts) {
  const mine = newestFirst(alerts.filter((a) => a.project === project.name)), news = mine.filter((a) => isNews(a));
  return { ...project, news, old: mine.filter((a) => isOld(a)), alert: news[0] ?? null };
}

/** How much of it the reader has not seen. */
function sinceVisit(news) {
  if (news.length === 0) return null;
  const unseen = news.filter((a) => isUnseen(a, visit_ms)).length;
  return h("p", { class: "quiet small" },
    `${news.length} recent ${news.length === 1 ? "alert waits" : "alerts wait"} for an answer`,
    visit_ms === null ? "." : `, ${unseen === 0 ? "none" : unseen} raised since your last visit ${ago(visit_ms)}.`);
}

/** What is open since long: there for who wants to settle it, and quiet. */
function oldAlerts(projects) {
  const old = newestFirst(projects.flatMap((p) => p.old));
  if (old.length === 0) return null;
  const titles = new Map(projects.map((p) => [p.name, `${p.title || p.name}${p.main ? `, ${p.branch}` : ""}`]));
  return h("details", { class: "old" },
    h("summary", {}, `${old.length} open ${old.length === 1 ? "alert" : "alerts"} of older nights`),
    h("ul", { class: "alerts" },
      old.map((a) => h("li", {}, h("span", { class: "quiet" },
      `${a.to.night} ${MARKS[a.direction] ?? "●"} ${titles.get(a.project)}: `),
      h("a", { href: `/alerts/${a.id}` }, a.sentence)))));
}

/** Of the project or of a further branch of it. */
const hasNews = (p) => [p, ...p.further].some((one) => one.alert);

const rank = (p) => hasNews(p) ? 0 : [p, ...p.further].some((one) => one.problem || unclearWords(one)) ? 1 : 2;

function problems(status) {
  if (status.problems.length === 0) return null;
  return h("section", { class: "notice bad" }, h("h2", {}, "Problems of this server"),
    h("ul", {}, status.problems.map((text) => h("li", {}, h("code", {}, text)))));
}

const filterOf = () => new URLSearchParams(location.search).get("filter") ?? "";

/** Hides the cards whose text lacks what was typed, which the address keeps; "/" jumps there. */
function filterField(cards) {
  const hide = (text) => {
    for (const one of cards) one.hidden = !one.textContent.toLowerCase().includes(text.trim().toLowerCase());
  };
  const field = h("input", { type: "search", id: "filter", placeholder: "Filter projects ( / )", autocomplete: "off",
    value: filterOf(), oninput: () => {
      field.defaultValue = field.value; // a redrawn page has it again
      const query = new URLSearchParams(location.search);
      query.set("filter", field.value);
      if (!field.value) query.delete("filter");
      history.replaceState(null, "", `?${query}`);
      hide(field.value);
    } });
  hide(filterOf());
  return h("p", {}, h("label", { for: "filter", class: "hidden" }, "Filter projects"), field);
}

addEventListener("keydown", (event) => {
  const field = document.getElementById("filter");
  if (event.key !== "/" || !field || event.target.matches("input, textarea, select")) return;
  event.preventDefault();
  field.focus();
});

function show([listed, status, alerts], main) {
  title(archived ? "Archived projects" : "Overview");
  const all = listed.map((p) => withAlerts(p, alerts)), projects = withFurther(all);
  bars.clear();
  const cards = projects.toSorted((a, b) => rank(a) - rank(b)).map(card);
  const filter = projects.length >= FILTER_FROM || filterOf() ? filterField(cards) : null;
  replace(main,
    h("h1", {}, archived ? `${projects.length || "No"} archived ${projects.length === 1 ? "project" : "projects"}` : overviewWords(projects, projects.filter(hasNews).length)),
    sinceVisit(all.flatMap((p) => p.news)), isSite ? null : nodes(status, all), problems(status), filter,
    projects.length === 0 && !archived
      ? h("p", {}, "Put one YAML file per project into ", h("code", {}, "projects.d/"),
        "; it appears here at the next start or reload.")
      : h("div", { class: "cards" }, cards), oldAlerts(all),
    isSite ? null : h("p", { class: "quiet small" }, archived ? h("a", { href: "/" }, "Projects")
      : h("a", { href: "/?archived" }, "Archived projects")));
}

start({
  load: () => Promise.all([archived ? get("/projects?archived=true").then((page) => page.items) : projectsOf(), get("/status"), list("/alerts?state=open", ALERTS_MAX)]),
  show,
  events: {
    night: () => true,
    alert: () => true,
    job: (job) => {
      const bar = bars.get(job.project);
      if (job.state === "leased" && bar?.id === job.id) { bar.update(job); return false; }
      return true;
    },
  },
});
