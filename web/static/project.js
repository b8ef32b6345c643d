// A project: verdict, Figure 11.15 over every portion on its own scale, the alerts, the table.
import { get, list, projectsOf } from "/static/api.js";
import { asOf, backportWords, besideOf, branchChoice, branchProblems, otherBranches } from "/static/branches.js";
import { dimensionFold } from "/static/dimensions.js";
import { commitLink, h, projectPath, replace, safeHref } from "/static/dom.js";
import { pathArgument, reload, start, title } from "/static/frame.js";
import { levelInterval, time } from "/static/format.js";
import { importWords, incidentList, openIncidents } from "/static/incidents.js";
import { levelsTold } from "/static/levels.js";
import { isNews, isOld, newestFirst, unclearWords } from "/static/news.js";
import { isAsked, portionIn, portionsOf, spanOf } from "/static/multiples.js";
import { csvOf, nightsWanted, nightTable } from "/static/nighttable.js";
import { progressBar, totalOf } from "/static/parts.js";
import { isSite, place } from "/static/place.js";
import { asMedians, chainOnly, hasMedians, newer, older, rangeAddress, readRange, STEPS, zoomed } from "/static/range.js";
import { nightList } from "/static/series.js";
import { leastWords, standing, whenBy } from "/static/standing.js";
import { trialBox, trialLine } from "/static/trial.js";
import { anyCut } from "/static/typical.js";
import { walk } from "/static/walk.js";
import { MARKS, moreOpen, quietWords, stateWords } from "/static/words.js";

const NIGHTS_MAX = 5000; // what the API hands out at most
const ALERTS_MAX = 1000;
const SWEEPS_MAX = 10;
const OLD_SHOWN = 8; // so many old alerts need not be folded
const name = pathArgument();
const path = projectPath(name);
let bar = null, trialParts = []; // of the running job
let range = readRange();
let shownNights = [], project = null, siblings = [], beside = null; // what the page shows now, for the keys

function go(next) {
  range = { ...next, find: range.find, only: range.only }; // what is looked for may be younger than the link
  history.pushState(null, "", rangeAddress(range));
  reload();
}

const between = (since, until) => nightList(path, NIGHTS_MAX, { since, until });

async function toNewer() {
  go(await newer(range, shownNights, project.latest?.night, between).catch(() => ({ ...range, until: null })));
}

addEventListener("popstate", () => {
  range = readRange();
  reload();
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")
    || !project) return;
  if (event.key === "[") go(older(range, shownNights));
  else if (event.key === "]") toNewer();
  else if (event.key === "f") go({ ...range, range: range.range === "full" ? "typical" : "full" });
  else if (event.key === "+") go(zoomed(range, shownNights.length, 0.5));
  else if (event.key === "-") go(zoomed(range, shownNights.length, 2));
});

const failedJob = () => project.latest?.state === "failed" ? project.latest.job : null;
const logLink = () => failedJob() && !isSite
  ? [" ", h("a", { class: "small", href: `/jobs/${failedJob()}` }, "Log of the newest night")] : null;

function verdict(alerts) {
  const open = newestFirst(alerts.filter((a) => isNews(a))), old = alerts.filter((a) => isOld(a)).length;
  const older = old > 0 ? [" ", h("a", { class: "small", href: "#alerts" },
    `${old} open ${old === 1 ? "alert" : "alerts"} of older nights`)] : null;
  if (open.length > 0) {
    const newest = open[0].to; // what one commit did to several portions is one piece of news
    const told = open.filter((a) => a.to.experiment === newest.experiment);
    const more = moreOpen(1 + open.length - told.length);
    return told.map((a, i) =>
      h("p", { class: "verdict loud big" }, `${MARKS[a.direction] ?? "●"} `,
        h("a", { href: `/alerts/${a.id}` }, a.sentence), i < told.length - 1 ? null
          : [more && [" ", h("a", { class: "small", href: "#alerts" }, more.trim())], older]));
  }
  if (project.nights === 0)
    return h("p", { class: "verdict big" }, "No night measured yet. The next is due ",
      time(project.next_night_ms, { relativeToNow: true }), ".");
  if (project.problem && failedJob()) return null; // it says why
  return h("p", { class: `verdict big${unclearWords(project) ? " warn" : ""}` }, quietWords(project) + ".",
    logLink(), older);
}

/** The configurations that end a chain: with several writers, one of them is stacked. */
const leavesOf = (portions) => portions.filter((p) => !portions.some((q) => q.parent === p.configuration));

function leafChoice(portions) {
  const leaves = leavesOf(portions);
  if (leaves.length < 2) return null;
  const label = (p) => project.portions.find((q) => q.configuration === p.configuration)?.label ?? p.configuration;
  return h("label", {}, "Up to ",
    h("select", { onchange: (event) => go({ ...range, leaf: event.target.value || null }) },
    h("option", { value: "" }, "the first chain"),
    leaves.map((p) => h("option", { value: p.configuration, selected: range.leaf === p.configuration }, label(p)))));
}

/** The same range of another project's page. */
const toProject = (other) => {
  location.href = place(`${projectPath(other)}${rangeAddress({ ...range, leaf: null, beside: null })}`);
};

/** The same repository measured in another way, for example at another recursion depth. */
function siblingChoice() {
  if (siblings.length < 2) return null;
  return h("label", {}, "Measured as ",
    h("select",
    { onchange: (event) => toProject(event.target.value) },
    siblings.map((p) => h("option", { value: p.name, selected: p.name === name }, p.title || p.name))));
}

/** A link to another range, with an address of its own; followed in place, so that nothing jumps. */
function rangeLink(next, current, text) {
  return h("a", { href: rangeAddress(next), "aria-current": current ? "true" : null, onclick: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(next);
  } }, text);
}

/** Is any portion, or their sum, so far outside in some night that it is cut off? */
function isCut(nights, portions) {
  const measured = nights.filter((n) => n.state === "measured").reverse(), known = (p) => typeof p?.mean_ns === "number";
  return anyCut(measured.map((n) => n.total).filter(known).map(spanOf)
    .map(([low, high]) => [Math.min(low, 0), Math.max(high, 0)]))
    || portions.some((p) =>
      anyCut(measured.map((n) => portionIn(n, p.configuration)).filter(known).map(spanOf), { own: true }));
}

/** Two or more ways to look, of which one is chosen. */
function ways(label, key, choices) {
  return h("span", { class: "ways", role: "group", "aria-label": label },
    choices.map(([word, text]) => rangeLink({ ...range, [key]: word }, range[key] === word, text)));
}

/** The branch and the one beside it stay together where the line ends. */
function branchControl() {
  const choice = branchChoice(project, beside, { go: toProject, beside: (branch) => go({ ...range, beside: branch }) });
  return choice && h("span", { class: "pair" }, choice);
}

function controls(nights, portions) {
  const step = (n) => rangeLink({ ...range, nights: n, until: null }, n === range.nights && !range.until,
    n === 0 ? `all ${project.nights}` : n === STEPS[0] ? `${n} nights` : n);
  const button = (text, label, next, off) => h("button",
    { type: "button", "aria-label": label, title: label, disabled: off, onclick: next }, text);
  const all = nights.length >= project.nights;
  return h("nav", { class: "ranges", "aria-label": "Range of nights" }, STEPS.map(step),
    h("span", { class: "buttons" }, button("←", "Older nights ( [ )", () => go(older(range, nights)), all),
    button("→", "Newer nights ( ] )", toNewer, !range.until),
    button("+", "Fewer nights, closer ( + )", () => go(zoomed(range, nights.length, 0.5)), nights.length <= 2),
    button("−", "More nights ( - )", () => go(zoomed(range, nights.length, 2)), all)),
    h("span", { class: "views" }, isSite ? null : ways("Kind of chart", "view", [["bars", "bars"], ["lines", "lines"]]),
      hasMedians([...nights, project.latest ?? {}]) ? ways("Kind of value", "value", [["mean", "means"], ["median", "medians"]]) : null,
      range.range === "full" || isCut(asShown(nights), portions)
        ? ways("Range of values ( f )", "range", [["typical", "typical range"], ["full", "full range"]]) : null),
    branchControl(), leafChoice(portions), siblingChoice());
}

/** A site of files has the ranges that the page offers, not each number of nights. */
function chartAddress(nights, ending, more) {
  const count = isSite ? range.nights || NIGHTS_MAX : Math.max(nights.length, 1);
  const query = new URLSearchParams({ nights: String(count), ...more });
  if (range.until) query.set("until", range.until);
  if (range.leaf) query.set("leaf", range.leaf);
  if (range.view === "lines") query.set("view", "lines");
  if (isMedian(nights)) query.set("value", "median");
  if (range.range === "full") query.set("range", "full");
  return `/charts/${encodeURIComponent(name)}.${ending}?${query}`;
}

/** The nights that are seen, as a file that the page itself makes. */
function saveSeen(event) {
  event.preventDefault();
  const href = URL.createObjectURL(new Blob([csvOf(nightsWanted(asShown(shownNights), range))], { type: "text/csv" }));
  h("a", { href, download: `${name}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60e3);
}

/** What is looked for is kept in the address, without another page in the browser's history. */
function keepWanted(next) {
  range = { ...range, ...next };
  history.replaceState(null, "", rangeAddress(range));
}

/** A link to a file, where there is one. */
const download = (address, text) => place(address) ? [h("a", { href: address }, text), " "] : null;

function figure(nights, alerts) {
  const newest = nights[0], portions = portionsOf(nights.toReversed());
  const version = { v: String(newest.experiment ?? newest.job ?? 0) }; // a new night is a new picture
  const drawn = place(chartAddress(nights, "svg", { width: "0" })) !== null;
  const stacked = range.leaf ?? totalOf(portions);
  return h("section", { "aria-labelledby": "nightly" }, h("h2", { id: "nightly", class: "hidden" }, "Night by night"),
    controls(nights, portions),
    walk(chainOnly(asShown(nights), portions, range.leaf).toReversed(), {
      pattern: project.commit_url,
      chart: drawn ? (size) => chartAddress(nights, "svg", { ...size, ...version }) : null,
      full: range.range === "full",
      levels: (configuration) => levelsTold(alerts, nights, configuration),
      beside: beside && { branch: beside.branch,
        nights: asOf(nights.toReversed(), asShown(beside.nights).toReversed()) },
      onZoom: (first, last) => go({ ...range, nights: last - first + 1,
        until: nights[nights.length - 1 - last].night }),
    }),
    portions.length === 0 ? null : h("p", { class: "quiet small" }, !drawn ? "Each portion by itself, on a scale that does not start at zero. "
      : `Above: ${range.view === "lines" ? "the lines of all portions on one scale" : `the stack ${stacked ? `up to ${stacked}` : "of all portions"}`}. Below: each portion by itself, on a scale that does not start at zero. `,
      range.value === "median" && !isMedian(nights) ? "Medians of these nights are not known. " : null, isMedian(nights)
        ? `Dots are medians of the calls, averaged over the processes; thin lines are their ${levelInterval(nights[0].level)}. Verdicts are made of means. `
        : `Dots are means; thin lines are their ${levelInterval(nights[0].level)}; the thick line (this night as it is judged) is compared with the band (the nights before). `,
      beside ? `Dashed line: the branch ${beside.branch}, as it was last measured by each night. ` : null,
      nights.some((n) => n.portions.some(isAsked)) ? "Dashed ◯: both commits are to be measured again. " : null,
      drawn ? "Drag over the chart to zoom in." : null),
    h("p", { class: "small" }, "Download: ", download(chartAddress(nights, "svg", {}), "SVG"),
      download(chartAddress(nights, "png", { scale: "2" }), "PNG"), download(chartAddress(nights, "pdf", {}), "PDF"),
      download(`/api/v1${path}/nights?limit=${NIGHTS_MAX}`, "JSON"),
      h("a", { href: "#nights", onclick: saveSeen, title: "The nights and values that this page shows" }, "CSV"), " · ",
      h("a", { href: `${path}/badge.svg` }, "Badge"), " · ",
      h("a", { href: `${path}/feed.atom` }, "Feed"), " · ",
      h("a", { href: `/embed/${encodeURIComponent(name)}` }, "Embed"), " · ",
      h("a", { href: "/static/reading.html" }, "How to read this")));
}

function alertList(alerts) {
  if (alerts.length === 0) return h("p", { class: "quiet" }, "No alert so far.");
  const old = alerts.filter((a) => isOld(a)), others = alerts.filter((a) => !isOld(a));
  return [others.length ? alertItems(others) : null, old.length === 0 ? null
    : h("details", { open: others.length === 0 && old.length <= OLD_SHOWN },
      h("summary", {}, `${old.length} open and aged: nothing was decided for ${project.ageing_days} days`), alertItems(old))];
}

function alertItems(alerts) {
  return h("ul", { class: "alerts" }, newestFirst(alerts).map((a) => h("li", {},
    h("span", { class: isNews(a) ? "loud" : "quiet" }, `${MARKS[a.direction] ?? "●"} `),
    h("a", { href: `/alerts/${a.id}` }, a.sentence), whenBy(a, project.commit_url), ` · ${stateWords(a)}`,
    a.branches?.length ? [" · ", backportWords(a, project.commit_url)] : null)));
}

function about() {
  const href = safeHref(project.repository ?? "");
  return h("p", { class: "quiet small" }, href ? h("a", { href, rel: "noopener" }, project.repository)
    : project.repository,
    ` · branch ${project.branch}`, project.enabled ? [" · last looked ",
      time(project.polled_ms, { relativeToNow: true })] : " · switched off: history kept",
    project.pull_requests && !isSite
      ? [" · ", h("a", { href: `/pull-requests?project=${encodeURIComponent(name)}` }, "Pull requests")] : null,
    project.cleared > 0 ? ` · ${project.cleared} ${project.cleared === 1 ? "suspicion" : "suspicions"} cleared so far`
      : "");
}

/** The newest sweeps: a parameter of the benchmark at several values, beside the nights. */
function sweepList(sweeps) {
  return sweeps.length === 0 ? null : h("section", {}, h("h2", {}, "Sweeps"), h("ul", {}, sweeps.map((s) => h("li", {},
    h("a", { href: `/sweeps/${s.id}` }, `Over ${s.parameter.replace(/_ns$/, "").replaceAll("_", " ")}`), " of ",
    commitLink(s.commit, project.commit_url), `, ${s.measured} of ${s.points} values, `, time(s.asked_ms)))));
}

const isMedian = (nights) => range.value === "median" && hasMedians(nights);
const asShown = (nights) => isMedian(nights) ? asMedians(nights) : nights;

/** Feed readers look into the head. */
function announceFeed() {
  const href = `${path}/feed.atom`;
  if (!document.head.querySelector(`link[href="${href}"]`))
    document.head.append(h("link", { rel: "alternate", type: "application/atom+xml",
      title: `Alerts of ${project.title || project.name}`, href }));
}

function show([loaded, nights, alerts, projects, incidents, sweeps, other], main) {
  project = loaded;
  siblings = projects.filter((p) => safeHref(p.repository) && p.repository === project.repository
    && p.branch === project.branch); // what was imported has no repository
  beside = other;
  announceFeed();
  shownNights = nights;
  title(project.title || project.name);
  bar = project.running ? { id: project.running.id, ...progressBar(project.running) } : null;
  trialParts = project.running?.trial ? [trialLine(project.running, "#again"),
    trialBox(project.running, project.commit_url)] : [];
  const [trialTold, trialShown] = trialParts;
  const none = project.nights > 0 ? h("p", { class: "notice" }, "No night in this range. ",
    h("a", { href: rangeAddress({ ...range, until: null }) }, "To the newest")) : null;
  replace(main, h("h1", {}, project.title || project.name),
    project.problem ? h("p", { class: "notice bad" }, project.problem, logLink()) : null, verdict(alerts), branchProblems(project, projects),
    openIncidents(incidents),
    standing(project, range.until ? null : nights, newestFirst(alerts.filter((a) => isNews(a)))[0] ?? null, incidents),
    bar?.element, trialTold?.element,
    project.import ? h("p", { class: "quiet small" }, importWords(project.import)) : null,
    nights.length === 0 ? none : [
      figure(nights, alerts),
      trialShown ? h("section", {}, h("h2", { id: "again" }, "Being measured again"), trialShown.element) : null,
      h("section", { "aria-labelledby": "alerts" }, h("h2", { id: "alerts" }, "Alerts"),
        h("p", { class: "quiet small" }, leastWords(project.latest)), alertList(alerts)),
      incidentList(incidents),
      h("section", { "aria-labelledby": "nights" }, h("h2", { id: "nights" }, "Values"),
        nightTable(asShown(nights), project.commit_url, { ...range }, keepWanted, nights.length < project.nights
          ? rangeLink({ ...range, nights: 0, until: null }, false, `Look in all ${project.nights}`) : null)),
      dimensionFold(name, range.nights || NIGHTS_MAX),
    ], otherBranches(project, projects), sweepList(sweeps), about());
}

const mine = (data) => data.project === name;
/** Medians are not among what charts and tables of means need. */
const nightsShown = (of = path) => nightList(of, range.nights || NIGHTS_MAX,
  { ...range.value === "median" ? { portions: "full" } : {}, ...range.until ? { until: range.until } : {} });

/** The branch beside this one, with as many nights of it; null: none. */
async function besideNights(loaded) {
  const other = besideOf(loaded, range.beside);
  return other && { ...other, nights: await nightsShown(projectPath(other.project)).catch(() => []) };
}

/** A branch may be asked for by its own name, which has a page of its own. */
async function toBranch() {
  const branch = new URLSearchParams(location.search).get("branch");
  if (branch) location.replace(place(projectPath((await get(`${path}?branch=${encodeURIComponent(branch)}`)).name)));
}

async function load() {
  await toBranch();
  const loaded = get(path);
  return Promise.all([loaded, nightsShown(),
    list(`${path}/alerts`, ALERTS_MAX), projectsOf(name), list(`${path}/incidents`, ALERTS_MAX),
    list(`${path}/sweeps`, SWEEPS_MAX), loaded.then(besideNights)]);
}

start({
  load,
  show,
  events: {
    night: mine,
    alert: mine,
    incident: mine,
    job: (job) => {
      if (!mine(job)) return false;
      if (job.state === "leased" && bar?.id === job.id) {
        bar.update(job);
        for (const part of trialParts) part.update(job);
        return false;
      }
      return true;
    },
  },
});
