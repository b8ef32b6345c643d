// The pages against made-up answers: node serve.mjs [port]. The real server has the same addresses.
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { badNights, badProjects } from "./bad.mjs";
import { audit, incidents, PROFILES, tokens } from "./evidence.mjs";
import * as fixtures from "./fixtures.mjs";
import { levelAt, levelsOf, setLevel, undoLevel } from "./levels.mjs";
import { pulls } from "./pulls.mjs";

// What has gone wrong is there by its address, not in the lists.
const data = { ...fixtures, nightsOf: { ...fixtures.nightsOf, ...badNights } };
const everyProject = [...data.projects, ...badProjects];
const HERE = fileURLToPath(new URL(".", import.meta.url));
const STATIC = `${HERE}/../../web/static/`;
export const PAGES_DIR = process.env.MOOWATCH_PAGES ?? `${HERE}/../../build/dev/web/pages/`; // made from a template at build time
const CHART = process.env.MOOWATCH_CHART ?? `${HERE}/../../build/dev/tests/browser/moowatch-chart`;

// Sentences and headlines are made by the program that makes them for the real server.
const withLatest = everyProject.map((p) => p.latest).filter(Boolean);
const nights = [...Object.values(data.nightsOf).flat(), ...withLatest];
const alerts = [...data.alerts, ...everyProject.map((p) => p.alert).filter(Boolean)];
const said = JSON.parse(execFileSync(CHART, ["words"], { input: JSON.stringify({ nights, projects: everyProject, alerts }), maxBuffer: 1 << 28 }));
nights.forEach((night, i) => {
  night.headline = said.nights[i].headline;
  night.portions.forEach((p, k) => Object.assign(p, said.nights[i].portions[k]));
});
everyProject.forEach((project, i) => Object.assign(project, said.projects[i]));
alerts.forEach((alert, i) => Object.assign(alert, said.alerts[i]));

const TYPES = { ".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml" };
const CSP = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const HEADERS = { "content-security-policy": CSP, "x-content-type-options": "nosniff", "cache-control": "no-cache" };

function send(response, status, type, body) {
  response.writeHead(status, { ...HEADERS, "content-type": type });
  response.end(body);
}
const json = (response, body) => send(response, 200, "application/json", JSON.stringify(body));
const problem = (response, status, detail) => send(response, status, "application/problem+json",
  JSON.stringify({ type: "about:blank", title: "Problem", status, detail }));
const missing = (response, what) => problem(response, 404, `${what} does not exist`);

function page(items, query) {
  const limit = Math.min(Number(query.get("limit") ?? 100), 5000);
  const from = Number(query.get("cursor") ?? 0);
  return { items: items.slice(from, from + limit), next: from + limit < items.length ? String(from + limit) : null };
}

function findExperiment(id, make) {
  for (const nights of Object.values(data.nightsOf)) {
    const night = nights.find((n) => String(n.experiment) === id);
    if (night) return make(night);
  }
  return null;
}

function events(response) {
  response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream" });
  const job = structuredClone(data.running);
  const timer = setInterval(() => {
    job.progress.done = (job.progress.done + 1) % 41;
    job.progress.eta_seconds = (40 - job.progress.done) * 12;
    job.progress.log = `<i>${job.progress.done}</i>\n\u001b[32mdone\u001b[0m\n`;
    response.write(`event: job\ndata: ${JSON.stringify(job)}\n\n`);
  }, 1000);
  response.write(": hb\n\n");
  response.on("close", () => clearInterval(timer));
}

function chart(response, name, format, query) {
  const nights = data.nightsOf[name];
  if (!nights) return missing(response, `project ${name}`);
  const title = everyProject.find((p) => p.name === name).title;
  const known = ["nights", "until", "theme", "width", "height", "scale", "leaf", "view", "value", "range"].filter((k) => query.has(k));
  const child = execFile(CHART, [format, `title=${title}`, ...known.map((k) => `${k}=${query.get(k)}`)],
    { encoding: "buffer", maxBuffer: 1 << 26 }, (error, file) => error
      ? send(response, 500, "text/plain", String(error))
      : send(response, 200, { svg: "image/svg+xml", png: "image/png", pdf: "application/pdf" }[format], file));
  child.stdin.end(JSON.stringify(nights));
}

function compare(response, a, b) {
  const pair = { a: findExperiment(a, data.experiment), b: findExperiment(b, data.experiment) };
  if (!pair.a || !pair.b) return missing(response, `experiment ${pair.a ? b : a}`);
  const child = execFile(CHART, ["compare"], { maxBuffer: 1 << 26 }, (error, text) =>
    error ? send(response, 500, "text/plain", String(error)) : send(response, 200, "application/json", text));
  child.stdin.end(JSON.stringify(pair));
}

/** A flame graph of the made-up profiles, drawn by what draws the real ones. */
function flame(response, [alert, file], query) {
  const [configuration, type] = file.split(".");
  const found = data.alerts.find((a) => String(a.id) === alert)?.explanation, bytes = query.get("dimension") === "bytes";
  const portion = (bytes ? found?.allocations : found)?.portions.find((p) => p.configuration === configuration);
  if (!portion) return missing(response, `flame graph ${alert}/${file}`);
  const child = execFile(CHART, ["flame"], { maxBuffer: 1 << 26 }, (error, text) =>
    error ? send(response, 500, "text/plain", String(error)) : send(response, 200, type === "json" ? "application/json" : "image/svg+xml", text));
  child.stdin.end(JSON.stringify({ ...PROFILES, ...Object.fromEntries(query), width: Number(query.get("width") ?? 900), type,
    title: portion.sentence, unit: bytes ? "bytes" : "instructions", scale_ns: bytes ? null : portion.change_ns / (portion.after_units - portion.before_units) }));
}

const EMBED_CSP = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *";

function embed(response, name) {
  const project = everyProject.find((p) => p.name === name);
  if (!project) return missing(response, `project ${name}`);
  const child = execFile(CHART, ["embed"], { maxBuffer: 1 << 26 }, (error, text) => {
    response.writeHead(error ? 500 : 200, { ...HEADERS, "content-type": "text/html; charset=utf-8", "content-security-policy": EMBED_CSP });
    response.end(error ? String(error) : text);
  });
  child.stdin.end(JSON.stringify({ project, nights: data.nightsOf[name] }));
}

/** Where the chart's bars stand: [[index of the night, left edge of its column], …]. */
export function chartColumns(nights, width) {
  return new Promise((done, failed) => {
    const child = execFile(CHART, ["columns", `width=${width}`], { maxBuffer: 1 << 26 },
      (error, text) => error ? failed(error) : done(JSON.parse(text)));
    child.stdin.end(JSON.stringify(nights));
  });
}

/** Each night's commit, and before it one that no night took. */
function commits(response, name, query) {
  const line = data.nightsOf[name].toReversed().flatMap((n) => [{ ...n.commit, sha: n.commit.sha.slice(0, -4) + "0000", short: n.commit.sha.slice(0, 9), subject: "between two nights" }, n.commit]);
  const [from, to] = ["after", "until"].map((key) => line.findIndex((c) => c.sha === query.get(key)));
  if (from < 0 || to <= from) return json(response, { items: [], total: 0, reason: "the later commit does not come after the earlier one on the branch" });
  const items = line.slice(from + 1, to + 1);
  json(response, { items: items.slice(-Number(query.get("limit") ?? 100)), total: items.length, reason: null });
}

/** What a person decides, as the server takes it: a token, then a reason are asked for; undefined: it was refused. */
async function decided(response, request) {
  if (!isAdmin(request)) return problem(response, 401, "a token with scope run is needed");
  let text = "";
  for await (const part of request) text += part;
  const body = JSON.parse(text);
  return body.reason ? body : problem(response, 400, "reason: must not be empty; it is stored with the change");
}

async function setState(response, request, alert) {
  const body = await decided(response, request);
  if (!body) return;
  const { state, reason } = body;
  alert.audit = [...alert.audit, { at_ms: Date.now(), from: alert.state, to: state, author: "test", reason }];
  alert.state = state;
  json(response, alert);
}

async function beginLevel(response, request, project) {
  const body = await decided(response, request);
  if (!body) return;
  const { id } = setLevel(project, body, { nights: data.nightsOf[project], alert: data.alerts.find((a) => a.id === body.alert) });
  json(response, { baseline: id });
}

async function endLevel(response, request, id) {
  if (!await decided(response, request)) return;
  if (undoLevel(id)) json(response, { baseline: Number(id) });
  else missing(response, `level ${id}`);
}

/** A night as portions=brief has it (openapi.yaml: NightBrief). */
function briefly({ project, environment, finished_ms, loops, configurations, total, portions, ...night }) {
  const ends = (range) => range && { low_ns: range.low_ns, high_ns: range.high_ns };
  const mean = (range) => range && { mean_ns: range.mean_ns, low_ns: range.low_ns, high_ns: range.high_ns };
  return { ...night, total: mean(total), portions: portions.map((p) => ({ portion: p.portion, configuration: p.configuration, parent: p.parent,
    ...mean(p), judged: ends(p.judged), verdict: p.verdict, direction: p.direction, reference: ends(p.reference),
    ...p.words && p.verdict !== "first" ? { reason: p.reason } : {}, ...p.standing ? { standing: p.standing } : {}, ...p.words ? { words: p.words } : {}, ...p.since ? { since: p.since } : {} })) };
}

const isAdmin = (request) => request.headers.authorization === "Bearer secret";

function api(response, path, query, request) {
  const [kind, id, more] = path.split("/");
  const name = decodeURIComponent(id ?? "");
  if (path === "status") return json(response, data.status);
  if (path === "events") return events(response);
  if (path === "projects") return json(response, page(data.projects, query));
  if (kind === "projects") {
    const project = everyProject.find((p) => p.name === name);
    if (!project) return missing(response, `project ${name}`);
    if (!more) return json(response, project);
    if (more === "nights") {
      const nights = data.nightsOf[name].filter((n) => n.night <= (query.get("until") ?? "9") && n.night >= (query.get("since") ?? ""));
      return json(response, page(query.get("portions") === "brief" ? nights.map(briefly) : nights, query));
    }
    if (more === "commits") return commits(response, name, query);
    if (more === "incidents") return json(response, page(incidents.filter((i) => i.project === name), query));
    if (more === "pull-requests") return json(response, page(pulls.filter((p) => p.project === name).map(({ portions, ...brief }) => brief), query));
    if (more === "sweeps") return json(response, page(data.sweeps.filter((s) => s.project === name), query));
    if (more === "baselines") return request.method === "POST" ? beginLevel(response, request, name) : json(response, page(levelsOf(name), query));
    if (more === "alerts") return json(response, page(data.alerts.filter((a) => a.project === name), query));
  }
  if (kind === "pull-requests") {
    const pull = pulls.find((p) => String(p.id) === id);
    return pull ? json(response, pull) : missing(response, `pull request ${id}`);
  }
  if (kind === "sweeps") {
    const sweep = data.sweeps.find((s) => String(s.id) === id);
    return sweep ? json(response, sweep) : missing(response, `sweep ${id}`);
  }
  if (kind === "incidents") {
    const incident = incidents.find((i) => String(i.id) === id);
    return incident ? json(response, incident) : missing(response, `incident ${id}`);
  }
  if (path === "tokens" || path === "audit") {
    if (!isAdmin(request)) return problem(response, 401, "a token with scope admin is needed");
    return json(response, path === "tokens" ? tokens : page(audit.filter((r) => !query.has("kind") || r.kind === query.get("kind")), query));
  }
  if (path === "compare") return compare(response, query.get("a"), query.get("b"));
  if (path === "jobs") return json(response, page(data.jobs.filter((j) => ["state", "project"].every((key) => !query.has(key) || j[key] === query.get(key))).map(({ log, ...job }) => job), query));
  if (kind === "jobs") {
    const job = data.jobs.find((j) => String(j.id) === id);
    return job ? json(response, { log: "", ...job }) : missing(response, `job ${id}`);
  }
  if (path === "alerts") return json(response, page(data.alerts, query));
  if (kind === "alerts") {
    const alert = data.alerts.find((a) => String(a.id) === id);
    if (alert && more === "state") return setState(response, request, alert);
    return alert ? json(response, alert) : missing(response, `alert ${id}`);
  }
  if (kind === "baselines" && more === "undo") return endLevel(response, request, id);
  if (kind === "experiments" && (!more || more === "calls")) {
    const found = findExperiment(id, more === "calls" ? (night) => data.calls(night, path.split("/")[3]) : data.experiment);
    for (const beside of ["previous", "next"])
      if (found && !more && !findExperiment(String(found[beside]), () => true)) found[beside] = null;
    if (found && !more) found.baseline = levelAt(found.project, found.night);
    return found ? json(response, found) : missing(response, `experiment ${id}`);
  }
  return missing(response, path);
}

const PAGES = { "": "index", projects: "project", experiments: "experiment", jobs: "jobs", alerts: "alert", incidents: "incident", sweeps: "sweep", "pull-requests": "pull", compare: "compare" };

function handle(request, response) {
  const url = new URL(request.url, "http://localhost");
  const path = url.pathname.slice(1);
  if (path.startsWith("api/v1/")) return api(response, path.slice(7), url.searchParams, request);
  const drawn = /^charts\/([^/]+)\.(svg|png|pdf)$/.exec(path);
  if (drawn) return chart(response, decodeURIComponent(drawn[1]), drawn[2], url.searchParams);
  if (path.startsWith("flames/")) return flame(response, path.split("/").slice(1).map(decodeURIComponent), url.searchParams);
  if (path.startsWith("embed/")) return embed(response, decodeURIComponent(path.slice(6)));
  const file = path.startsWith("static/") ? path.slice(7) : path === "pull-requests" ? "pulls.html" : `${PAGES[path.split("/")[0]] ?? "missing"}.html`;
  const from = file.endsWith(".html") ? `${PAGES_DIR}/` : STATIC;
  if (!/^[\w.-]+$/.test(file) || !existsSync(from + file)) return missing(response, path);
  send(response, file === "missing.html" ? 404 : 200, TYPES[extname(file)] ?? "application/octet-stream", readFileSync(from + file));
}

/** Starts the server; resolves to it once it listens, fails when it cannot. */
export function serve(port = 0) {
  return new Promise((done, failed) => {
    const server = createServer(handle);
    server.once("error", failed);
    server.listen(port, "127.0.0.1", () => done(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8086));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
