// The queue and the nodes: what runs, what waits, what failed and why.
import { get, getMore, list } from "/static/api.js";
import { reasonForm } from "/static/decide.js";
import { h, projectPath, replace } from "/static/dom.js";
import { pathArgument, reload, start, title } from "/static/frame.js";
import { ago, duration, time } from "/static/format.js";
import { pager, progressBar, row, tableBox } from "/static/parts.js";
import { isSite } from "/static/place.js";
import { byNight, endedWords, isTakenIn } from "/static/runs.js";
import { token, unlock } from "/static/token.js";
import { trialBox } from "/static/trial.js";
import { progressWords } from "/static/words.js";

const one = pathArgument(); // /jobs/7 is the page of one; "" of all
const JOBS_MAX = 300;
const REASON_BYTES = 500;
const bars = new Map(); // job id -> progress bar
const open = new Set(); // ids of the jobs whose log is open
const watched = new Set(); // ids of the running jobs whose output is open

const link = (job) => h("a", { href: projectPath(job.project) }, job.project);
const jobLink = (job) => isSite || one ? job.id : h("a", { href: `/jobs/${job.id}` }, job.id);
/** The commit, and of a trial the one that it is measured in turn with. */
const commits = (job) => [h("code", {}, job.commit?.short ?? ""),
  job.before ? [" against ", h("code", {}, job.before.short)] : null];
const what = (job) => [link(job), ` ${job.night ?? ""} `, commits(job)];

const STATES = { idle: "idle", busy: "measuring", silent: "silent", paused: "paused" };

/** Pause a node, or let it work again: what it has it ends. */
function pause(node) {
  return h("details", {}, h("summary", {}, node.paused ? "Resume this node" : "Pause"), reasonForm({
    choices: [node.paused ? ["resume", "Resume", "it asks for jobs again"] : ["pause", "Pause", "it ends what it measures and gets no new job"]],
    why: !node.paused, name: `${node.name}-`, most: REASON_BYTES, done: reload,
    request: (word, reason) => [`/nodes/${encodeURIComponent(node.name)}`, word === "resume" ? { paused: false } : { paused: true, reason }] }));
}

function nodeWork(node) {
  return node.job && node.progress ? h("div", {}, h("a", { href: `#job-${node.job}` }, `job ${node.job}`), ", ",
    progressWords(node.progress)) : null;
}

function nodes(status) {
  if (status.nodes.length === 0)
    return h("p", {}, "No node has asked for work yet. Start ", h("code", {}, "moowatch-runner"),
      " on an idle machine.");
  return h("ul", { class: "nodes" }, status.nodes.map((n) => h("li", {},
    h("b", {}, n.name), " ", h("span", { class: "badge" + (n.state === "silent" ? " warn" : "") },
      n.state === "busy" && n.progress?.phase === "wait" ? "waiting" : STATES[n.state] ?? n.state),
    h("span", { class: "quiet" }, ` seen ${n.seen_ms ? ago(n.seen_ms) : "never"}`),
    n.labels?.length > 0 ? h("span", { class: "quiet" }, " · ", h("bdi", {}, n.labels.join(", "))) : null,
    n.paused ? h("p", { class: "notice" }, "Paused: it gets no jobs. ", h("bdi", {}, n.paused)) : null, nodeWork(n),
    isSite ? null : pause(n))));
}

/** The end of what a running job printed, as its runner tells it; kept at its end unless somebody scrolled up. */
function outputOf(job) {
  const body = h("pre", { tabindex: 0, "aria-label": `Output of job ${job.id}` });
  const element = h("details", { class: "output", ontoggle: () => {
    if (!element.open) { watched.delete(job.id); return; }
    watched.add(job.id);
    body.scrollTop = body.scrollHeight;
  } }, h("summary", {}, "Last output"), body);
  let refused = ""; // the token that does not open it: it is not asked again with
  function update(next) {
    const mine = token.get();
    if (next.withheld && mine && mine !== refused) { // events come without it
      getMore(`/jobs/${job.id}`, mine).then((whole) => {
        if (whole.withheld) refused = mine;
        else update(whole);
      }).catch(() => { refused = mine; });
      return;
    }
    const text = plain(next.progress?.log ?? "");
    element.hidden = text === "";
    if (body.textContent === text) return;
    const atEnd = body.scrollTop + body.clientHeight >= body.scrollHeight - 8;
    body.textContent = text;
    if (atEnd) body.scrollTop = body.scrollHeight;
  }
  element.open = watched.has(job.id);
  update(job);
  return { element, update };
}

function runningJob(job) {
  const bar = progressBar(job);
  const output = outputOf(job), trial = job.trial ? trialBox(job, null) : null;
  bars.set(job.id, { update: (next) => { for (const part of [bar, output, trial]) part?.update(next); } });
  return h("article", { class: "card", id: `job-${job.id}` }, h(one ? "h2" : "h3", {}, what(job)),
    h("p", { class: "quiet small" }, `${job.kind}, on ${job.node ?? "a node"}, started `,
      time(job.started_ms, { relativeToNow: true })), bar.element, trial?.element, output.element,
    job.attempts > 1 ? logOf(job, "Log of the previous attempt") : null);
}

/** What a waiting job waits for beside its turn, or why it waits again. */
function note(job) {
  if (job.unmatched_labels) return ["no node has the labels: ", h("b", {}, job.unmatched_labels.join(", "))];
  if (job.held) return job.held;
  if (job.waiting) return ["waiting for artifact ", h("b", {}, job.waiting.artifact), ", until ",
    time(job.waiting.until_ms)];
  return job.error ?? "–";
}

function waiting(jobs) {
  if (jobs.length === 0) return h("p", { class: "quiet" }, "No job is waiting.");
  return tableBox("Waiting jobs",
    h("table", { class: "dense" }, h("thead", {}, row(["Job", "What", "Kind", "Waiting since", "Attempts", "Note"], "th")),
    h("tbody", {},
      jobs.map((j) =>
        row([jobLink(j), what(j), j.kind, time(j.queued_ms, { relativeToNow: true }), j.attempts, note(j)])))));
}

/** Terminal colours and other control characters are not text. */
const plain = (text) => text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replace(/[^\P{Cc}\n\t]/gu, "");

function logOf(job, name = "Log") {
  if (isSite) return null;
  const body = h("pre", { tabindex: 0, "aria-label": `Log of job ${job.id}` }, "Loading …");
  const lock = h("div", {});
  let loaded = false;
  const ask = async () => {
    const whole = await getMore(`/jobs/${job.id}`, token.get());
    body.hidden = Boolean(whole.withheld);
    body.textContent = plain(whole.log || "The log is empty.");
    if (!whole.withheld) replace(lock);
    return !whole.withheld;
  };
  const element = h("details", { ontoggle: async () => {
    if (!element.open) { open.delete(job.id); return; }
    open.add(job.id);
    if (loaded) return;
    loaded = true;
    try {
      if (!await ask()) replace(lock, unlock("Logs need a token of the scope read.", ask));
    } catch (error) {
      loaded = false;
      body.textContent = `The log could not be loaded: ${error.message}`;
    }
  } }, h("summary", {}, name), body, lock);
  element.open = open.has(job.id) || one || location.hash === `#job-${job.id}`;
  return element;
}

function failedJob(job) {
  return h("article", { class: "card", id: `job-${job.id}` }, h(one ? "h2" : "h3", {}, what(job)),
    h("p", { class: "loud" }, job.error ?? "no reason given"),
    h("p", { class: "quiet small" },
      `${job.attempts} ${job.attempts === 1 ? "attempt" : "attempts"}, last on ${job.node ?? "no node"}, ended `,
      time(job.finished_ms, { relativeToNow: true })), logOf(job));
}

const NIGHTS_SHOWN = 20; // on a page of ended jobs
let endedPage = 0;

const nightLink = (j) => j.experiment ? h("a", { href: `/experiments/${j.experiment}` }, j.kind === "sweep" ? "the value" : "the night")
  : "–";

function endedJob(j, first, count) {
  return h("tr", {}, first ? h("th", { scope: "rowgroup", rowspan: count }, link(j), ` ${j.night ?? ""}`) : null,
    h("td", {}, jobLink(j)), h("td", {}, commits(j)), h("td", {}, j.kind), h("td", {}, j.state),
    h("td", {}, j.started_ms && j.finished_ms ? duration((j.finished_ms - j.started_ms) / 1000) : "–"),
    h("td", {}, time(j.finished_ms, { relativeToNow: true })),
    h("td", {}, nightLink(j)));
}

/** By project and night, a page at a time; what was imported is no job. */
function ended(jobs) {
  const groups = byNight(jobs), count = Math.ceil(groups.length / NIGHTS_SHOWN), words = endedWords(jobs);
  const told = words && h("p", { class: "quiet" }, words);
  if (groups.length === 0) return told;
  const box = h("div", {});
  const pages = pager((at) => `${at + 1} of ${count}`, (at) => {
    endedPage = at;
    replace(box, tableBox("Ended jobs", h("table", { class: "dense" },
      h("thead", {}, row(["Project and night", "Job", "Commit", "Kind", "State", "Took", "Ended", "Result"], "th")),
      groups.slice(at * NIGHTS_SHOWN, (at + 1) * NIGHTS_SHOWN)
        .map((g) => h("tbody", {}, g.jobs.map((j, i) => endedJob(j, i === 0, g.jobs.length)))))));
  });
  pages.show(Math.min(endedPage, count - 1), count);
  return [told, box, pages.element];
}

/** A job by itself, in whatever state it is. */
function showOne(job, main) {
  title(`Job ${job.id}`);
  replace(main, h("p", { class: "crumbs" }, h("a", { href: "/jobs" }, "Queue and nodes")),
    h("h1", {}, `Job ${job.id}: ${job.state === "leased" ? "running" : job.state}`),
    job.state === "leased" ? runningJob(job) : job.state === "failed" ? failedJob(job)
      : job.state === "queued" ? waiting([job]) : isTakenIn(job) ? h("p", {}, "Nothing ran here: its result was imported. ", nightLink(job))
        : [ended([job]), logOf(job)]);
}

function show([status, jobs], main) {
  bars.clear();
  if (one) return void showOne(jobs[0], main);
  title("Queue and nodes");
  const of = (state) => jobs.filter((j) => j.state === state);
  const running = of("leased");
  const section = (text, count, ...content) => h("section", {}, h("h2", {}, text, count > 0 ? ` (${count})` : ""),
    content);
  replace(main, h("h1", {}, "Queue and nodes"),
    section("Nodes", 0, nodes(status)),
    section("Running", running.length, running.length ? running.map(runningJob)
      : h("p", { class: "quiet" }, "No job is running.")),
    section("Waiting", of("queued").length, waiting(of("queued"))),
    section("Failed", of("failed").length, of("failed").length ? of("failed").map(failedJob)
      : h("p", { class: "quiet" }, "No job failed.")),
    section("Ended", 0, ended(jobs.filter((j) => j.state === "done" || j.state === "cancelled"))),
    isSite ? null : h("p", { class: "quiet small" }, h("a", { href: "/static/access.html" }, "Access"),
      ": tokens, and who was refused; for administrators."));
}

start({
  load: async () => { // a list a state: many ended ones hide no other
    if (one) return [null, [await get(`/jobs/${encodeURIComponent(one)}`)]];
    const [status, ...lists] = await Promise.all([get("/status"),
      ...["leased", "queued", "failed", "done", "cancelled"].map((state) => list(`/jobs?state=${state}`, JOBS_MAX))]);
    return [status, lists.flat()];
  },
  show,
  events: { job: (job) => {
    const bar = bars.get(job.id);
    if (job.state === "leased" && bar) { bar.update(job); return false; }
    return true;
  } },
});
