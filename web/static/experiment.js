// One night in full: portions, configurations, loops, environment, raw data, how to repeat it.
import { get, getMore, list, projectOf } from "/static/api.js";
import { budgetWords } from "/static/budget.js";
import { nightLevels } from "/static/byhand.js";
import { commitLink, crumbs, h, projectPath, replace } from "/static/dom.js";
import { callFigures } from "/static/calls.js";
import { readings, throughput, usage } from "/static/course.js";
import { disturbanceWords, figuresWords, isDisturbed, isLeftOut, isSingle, isStandIn, isStray, isUnsettled,
  leftOutWords, loopsOf, loopWords, settingsOf, strayWords, tookWords } from "/static/disturbance.js";
import { dots } from "/static/dots.js";
import { dimensionSection, limitLines } from "/static/dimensions.js";
import { differing, settingsTable } from "/static/differing.js";
import { doubleStack } from "/static/doublestack.js";
import { pathArgument, reload, start, title } from "/static/frame.js";
import { incidentLine } from "/static/incidents.js";
import { bytes, column, duration, interval, judgedWords, known, level, levelInterval, percent, signedInterval, time,
  unitFor, value } from "/static/format.js";
import { commandBox, portionClass, swatch, tableOf, verdictBadge } from "/static/parts.js";
import { isSite, place } from "/static/place.js";
import { token, unlock } from "/static/token.js";
import { openJobs, trialBox, trialEvent, trialOf, trialTitle } from "/static/trial.js";
import { aheadWords, brief, furtherWords, isUndated, portionWords, sentence, toldOf } from "/static/words.js";

const id = pathArgument();
const LEVELS_MAX = 500;
const opened = new Set(); // titles of what the reader unfolded: it stays so when the page is redrawn

/** What was measured before or after; the keys [ and ] lead there, too. */
const neighbour = (experiment, text) => experiment ? h("a", { href: `/experiments/${experiment}` }, text) : null;

function heading(e, project, change) {
  return [
    crumbs(project, e.project, h("span", { class: "neighbours" }, neighbour(e.previous, "← Previous"),
      neighbour(e.next, "Next →"))),
    h("h1", {}, `Night of ${e.night}${furtherWords(e, change?.a)}`),
    h("p", { class: "big" }, commitLink(e.commit, project?.commit_url), " ",
      e.release ? [h("span", { class: "badge" }, `release ${e.release}`), " "] : null,
      e.note ? [h("span", { class: "badge" }, h("bdi", {}, e.note)), " "] : null,
      e.baseline ? [h("span", { class: "badge" }, "level set by hand: ", h("bdi", {}, e.baseline)), " "] : null,
      h("bdi", {}, e.commit?.subject ?? "")),
    h("p", { class: "quiet" }, h("bdi", {}, e.commit?.author || "unknown author"), " · ", isUndated(e, "commit") ? "unknown date" : time(e.commit?.time_ms)),
    aheadWords(e) && h("p", { class: "quiet" }, aheadWords(e)),
    h("p", { class: e.portions.some((p) => p.verdict === "anomaly") || e.state !== "measured" ? "verdict loud big"
      : "verdict big" },
      sentence(e.headline)),
    e.state !== "measured" && e.job && !isSite ? h("p", {}, h("a", { href: `/jobs/${e.job}` }, `Log of job ${e.job}`)) : null,
    e.ended_early ? h("p", { class: "notice" }, sentence(`ended early: ${e.ended_early}`)) : null,
    limitLines(e.limits),
    e.doubts?.length ? h("ul", { class: "notice doubts" }, e.doubts.map((d) => h("li", {}, d.sentence))) : null,
  ];
}

/** By what an interval was made; of one that a file has, or of none, nobody knows. */
const methodOf = (e, portion) => isStandIn(e) || !known(portion.low_ns) ? "–" : portion.method ?? "–";

function judgedLine(portion, write) {
  const words = judgedWords(portion, write);
  return words && h("div", { class: "quiet small" }, words);
}

function portionTable(e) {
  return tableOf("Portions",
    ["Portion", `Mean ± ${level(e.level)}`.trim(), "Interval by", "Reference ± band", "Difference", "Verdict"],
    e.portions.map((p, i) => [p, i, column([p, p.reference])]).map(([p, i, write]) => [h("tr", {},
      h("th", { scope: "row", class: "wraps" }, swatch(p.portion, i), p.portion, " ", h("span", { class: "quiet small" },
        portionWords(p.portion), ` (${p.configuration}${p.parent ? ` − ${p.parent}` : ""})`)),
      h("td", { class: "number" }, write(p), judgedLine(p, write)), h("td", {}, methodOf(e, p)),
      h("td", { class: "number" }, p.reference ? [write(p.reference),
        h("div", { class: "quiet small" }, p.reference.nights === 1 ? "1 night" : `${p.reference.nights} nights`)] : "–"),
      h("td", { class: "number" }, p.difference ? [signedInterval(p.difference),
        h("div", { class: "quiet small" }, percent(p.difference.mean_ns, p.reference) ?? "")] : "–"),
      h("td", {}, verdictBadge(p))),
    whyRow([p.joined, p.scaling, p.rule === "first-night" ? null : p.reason].filter(Boolean))]),
    `Portions with their ${levelInterval(e.level)} and what they are compared with`);
}

const whyRow = (reasons) => reasons.length === 0 ? null : h("tr", { class: "why" },
  h("td", { colspan: 6 }, reasons.map((text) => h("div", { class: "held small" }, text))));

const NAMES = { sd_ns: "Standard deviation", min_ns: "Min", q1_ns: "Quartile 1", median_ns: "Median",
  q3_ns: "Quartile 3", max_ns: "Max" };
const IN_THE_INTERVAL = ["n", "mean_ns", "low_ns", "high_ns", "calls_low_ns", "calls_high_ns"];

/** [title, key] of every statistic that the configurations have; one this page has no name for is told by its key. */
const statisticsOf = (e) =>
  [...new Set([...Object.keys(NAMES), ...e.configurations.flatMap((c) => Object.keys(c.statistics ?? {}))])]
  .filter((key) => !IN_THE_INTERVAL.includes(key)).map((key) => [NAMES[key] ?? key.replace(/_ns$/, ""), key]);

/** A column that says nothing of any configuration, as of an imported night, is left out. */
function configurationTable(e) {
  const of = (c) => c.statistics ?? {}, unit = (c) => unitFor(c.mean_ns ?? 0, c.unit), standIn = isStandIn(e);
  const unknown = (c, key) => standIn || (isSingle(c) && key === "median_ns");
  const columns = [["Loops", (c) => standIn ? "–" : c.loops],
    [e.benchmark?.driver === "command" ? "Values" : "Calls",
      (c) => of(c).n > 0 && !isSingle(c) ? of(c).n.toLocaleString("en") : "–"],
    [`Mean ± ${level(e.level)}`.trim(), (c) => interval(c, unit(c))],
    ...statisticsOf(e).map(([title, key]) =>
      [title, (c) => unknown(c, key) ? "–" : value(of(c)[key], key === "max_ns" && !c.unit ? undefined : unit(c))]),
    ["Interval over calls", (c) => known(of(c).calls_low_ns) && !isSingle(c)
      ? `${value(of(c).calls_low_ns, unit(c))} to ${value(of(c).calls_high_ns, unit(c))}` : "–"]]
    .filter(([, write]) => e.configurations.some((c) => write(c) !== "–"));
  return tableOf("Configurations", ["Configuration", ...columns.map(([title]) => title)],
    e.configurations.map((c) => h("tr", {},
      h("th", { scope: "row" }, c.label || c.name, " ", h("code", { class: "quiet small" }, c.name)),
      columns.map(([, write]) => h("td", { class: "number" }, write(c))))),
    "Statistics of each configuration over its loops");
}

function loopRow(loop, unit) {
  if (loop.failed)
    return h("tr", { class: "gone" }, h("th", { scope: "row" }, loop.loop),
      h("td", { colspan: 7 }, "failed: ", loop.failed));
  const st = loop.summary ?? {}, spread = st.n === 1 ? [null, null, null] : [st.sd_ns, st.median_ns, st.max_ns];
  const cpu = loop.readings?.others_cpu_percent;
  return h("tr", {}, h("th", { scope: "row" }, loop.loop), [st.mean_ns, ...spread].map((v) =>
    h("td", { class: "number" }, value(v, unitFor(v, unit)))), h("td", { class: "number" }, tookWords(loop)),
  h("td", {}, loop.disturbed ? h("span", { class: "badge warn", title: loop.readings?.disturbed_by ?? "" },
    isStray(loop) ? "stray" : isLeftOut(loop) ? "disturbed, left out" : "disturbed") : null,
    isUnsettled(loop) ? [" ", h("span", { class: "badge warn", title: loop.readings.not_settled_by ?? "" }, "not settled")]
      : null,
    typeof cpu === "number" ? h("span", { class: "quiet small" }, ` others ${cpu.toFixed(1)}\u202f% CPU`) : ""),
  h("td", {}, loop.raw?.url ? [h("a", { href: loop.raw.url, download: true }, `packed, ${bytes(loop.raw.bytes)}`), " ",
    h("a", { href: loop.raw.url + "?format=csv" }, "csv")] : "–"));
}

function loopSection(c, index, portions) {
  const portion = portions.find((p) => p.configuration === c.name)?.portion ?? "";
  const failed = c.loop_results.filter((l) => l.failed).length;
  const disturbed = c.loop_results.filter((l) => isDisturbed(l) && !l.failed);
  const strays = c.loop_results.filter(isStray);
  const moving = c.loop_results.filter(isUnsettled).length;
  return h("section", { class: "loops" }, h("h3", {}, c.label || c.name, " ", h("span", { class: "quiet" },
    interval(c), failed ? `, ${failed} failed` : "", disturbed.length ? `, ${disturbed.length} disturbed${leftOutWords(disturbed)}` : "",
    strays.length ? `, ${strays.length} stray` : "", moving ? `, ${moving} not settled` : "")),
  moving ? h("p", { class: "warn small" },
    `After warm-up the calls of ${moving} of ${c.loop_results.length} loops had not settled: `,
    c.loop_results.find(isUnsettled).readings.not_settled_by ?? "",
    ` (loop ${c.loop_results.find(isUnsettled).loop}).`) : null,
  strays.length ? h("p", { class: "warn small" }, strays.map((l) => `Loop ${l.loop} ${l.readings.disturbed_by}. `))
    : null,
  dots(c), throughput(c, portionClass(portion, index)),
  h("details", { open: failed > 0 }, h("summary", {}, `Values and raw data of ${c.loop_results.length} loops`),
    tableOf(`Loops of ${c.name}`, ["Loop", "Mean", "Standard deviation", "Median", "Max", "Took", "Node", "Raw calls"],
      c.loop_results.map((l) => loopRow(l, c.unit)))));
}

function budgetLine(e) {
  const words = budgetWords(e);
  return words ? h("p", { class: "quiet" }, "The night's budget: ", words, ".") : null;
}

/** Plain values in a line; objects one by one, folded. */
function listed(values) {
  if (!values.some((x) => x !== null && typeof x === "object")) return values.join(" ");
  return values.map((x, i) => h("details", {}, h("summary", {}, x?.name ?? x?.label ?? String(i + 1)), details(x)));
}

/** Nested objects as nested lists of names and values. */
function details(object) {
  return h("dl", {}, Object.entries(object ?? {}).filter(([, v]) => v !== undefined).map(([key, v]) => [h("dt", {}, key.replaceAll("_", " ")),
    h("dd", {}, typeof v === "number" ? v.toLocaleString("en") : v !== null && typeof v === "object"
      && !Array.isArray(v) ? details(v)
      : Array.isArray(v) ? listed(v) : String(v ?? "–"))]));
}

/** For a POSIX shell: everything between single quotes is plain. */
const quote = (text) => "'" + String(text).replaceAll("'", "'\\''") + "'";

/** What is not the first thing a reader wants: a heading and a line that tell whether to look. */
function fold(heading, line, ...content) {
  const element = h("details", { class: "fold", open: opened.has(heading),
    ontoggle: () => opened[element.open ? "add" : "delete"](heading) },
    h("summary", {}, h("h2", {}, heading), line ? h("span", { class: "quiet" }, line) : null), content);
  return element;
}

function configurations(e) {
  return fold("Configurations",
    `${e.configurations.length}: ${e.configurations.map((c) => `${brief(c.label || c.name, 24)} ${value(c.mean_ns, unitFor(c.mean_ns, c.unit))}`).join(", ")}`,
    h("p", { class: "quiet small" }, figuresWords(e)),
    configurationTable(e));
}

const environmentWords = (e) => [e.node, e.environment_detail?.cpu, e.environment_detail?.kernel,
  e.environment_detail?.runtime].filter((v) => typeof v === "string").join(" · ");
const benchmarkWords = (e) => [e.benchmark?.driver, e.benchmark?.loops && !isStandIn(e) ? `${e.benchmark.loops} loops` : null,
  Number.isInteger(toldOf(e).recursion_depth) ? `recursion depth ${toldOf(e).recursion_depth}`
    : null].filter(Boolean).join(" · ");

/** Of a run that no file dates the night is all that is known. */
const ranAt = (e, at_ms) => isUndated(e, "run") ? e.night : time(at_ms);

function runDetails(e) {
  const json = `/api/v1/experiments/${encodeURIComponent(id)}`;
  return h("dl", {}, h("dt", {}, "node"), h("dd", {}, e.node ?? "–"), h("dt", {}, "started"),
    h("dd", {}, ranAt(e, e.started_ms)),
    h("dt", {}, "finished"), h("dd", {}, ranAt(e, e.finished_ms)),
    prepared(e), place(json) ? [h("dt", {}, "data"), h("dd", {}, h("a", { href: json }, "JSON"))] : null);
}

function repeat(e) {
  const command = h("code", {},
    "curl -X POST -H \"Authorization: Bearer $MOOWATCH_TOKEN\" -H 'Content-Type: application/json' -d ",
    quote(JSON.stringify({ commit: e.commit?.sha ?? "", night: e.night })), " ",
    quote(`${location.origin}/api/v1${projectPath(e.project)}/jobs`));
  return fold("Repeat this", "measure the same commit again",
    h("p", { class: "quiet small" }, "Puts the same commit into the queue again; the token needs the scope ",
    h("code", {}, "run"), "."),
    commandBox(command));
}

function nodeSection(e) {
  const figures = readings(e.configurations);
  if (figures.length === 0) return null;
  const loops = loopsOf(e), disturbed = loops.filter(isDisturbed).length;
  return fold("Was the node idle?", h("span", { class: disturbed ? "warn" : null }, disturbanceWords(loops)),
    h("p", { class: "quiet" }, "From the first loop at the left to the last",
      disturbed && disturbed <= loops.length / 3 ? "; disturbed ones are dashed." : "."),
    strayWords(e).map((words) => h("p", { class: "warn" }, words)),
    h("div", { class: "courses" }, figures), usageSection(e.configurations));
}

function usageSection(configurations) {
  const figures = usage(configurations);
  const seconds = configurations.flatMap((c) => c.loop_results)
    .find((l) => l.readings?.usage)?.readings.usage.every_seconds;
  return figures.length ? [h("h3", {}, "What the node used"),
    h("p", { class: "quiet" }, "Benchmark included, loop after loop",
    seconds ? `, a sample every ${seconds}\u202fs` : "", "."), h("div", { class: "courses" }, figures)] : null;
}

/** The calls are many: their digests are asked for once the reader unfolds them. */
function callSection(e) {
  const loops = e.configurations.flatMap((c) => {
    const url = c.loop_results.find((l) => l.raw?.calls_url)?.raw.calls_url;
    return url ? [{ name: c.name, portion: e.portions.find((p) => p.configuration === c.name)?.portion, url }] : [];
  });
  if (loops.length === 0) return e.raw_removed ? h("p", { class: "quiet" }, e.raw_removed.sentence) : null;
  const body = h("div", { class: "callbox" }, h("p", { class: "quiet", role: "status" }, "Reading the calls …"));
  const section = fold("Calls", "how long they took, and when they settled",
    h("p", { class: "quiet small" }, "Of the first loop of each configuration."), body);
  let asked = false;
  const ask = () => {
    if (asked || !section.open) return;
    asked = true;
    Promise.all(loops.map(async (loop) => ({ ...loop, ...await get(loop.url.replace(/^\/api\/v1/, "")) })))
      .then((digests) => replace(body, callFigures(digests)))
      .catch((error) => replace(body, h("p", { class: "notice" }, `The calls could not be read: ${error.message}`)));
  };
  section.addEventListener("toggle", ask);
  ask();
  return section;
}

/** What was otherwise when it was measured before: the verdict in words and every setting that differs. */
function since(e, change) {
  if (e.portions.length === 0) return null; // a failed night has neither values nor an environment
  if (!change) return e.environment_changed ? h("p", { class: "notice" }, "Another environment than before",
    e.environment_change ? `: ${e.environment_change}.` : ".") : null;
  const settings = differing([...change.environment, ...change.benchmark]), same = furtherWords(e, change.a);
  return h("section", { "aria-labelledby": "since" },
    h("h2", { id: "since" }, `Since the ${same ? "measurement" : "night"} before`),
    h("p", {}, h("b", {}, "A is "), h("a", { href: `/experiments/${change.a.experiment}` },
      same ? "an earlier measurement of this night" : `the night of ${change.a.night}`), ", ",
      commitLink(change.a.commit), h("b", {}, ", B this one. "), change.sentence, ". ",
      h("a", { href: `/compare?a=${e.previous}&b=${id}` }, "Compare them")),
    e.node === "imported" ? h("p", { class: "quiet" }, "The machines of imported nights are not compared: what differs may come from them.")
      : settings.length === 0 ? h("p", { class: "quiet" }, "Environment and benchmark are the same.")
      : [h("p", { class: "warn" }, "Measured differently", e.environment_change ? ` (${e.environment_change})` : "",
        ", so what differs may come from the machine and not from the code:"),
        settingsTable("What differs in environment and benchmark", ["Before", "Now"], settings)]);
}

const WAYS = { build: "built", cache: "taken from the cache, once built", checkout: "checked out" };

/** How the commit was made ready before anything was measured, and how long that took. */
function prepared(e) {
  const ways = e.preparation ?? [];
  return ways.length === 0 ? null : [h("dt", {}, "prepared"), ways.map((p) => h("dd", {}, [
    `${WAYS[p.from] ?? p.from}${p.seconds === undefined ? "" : ` in ${duration(p.seconds)}`}`,
    p.artifact ? `from ${p.artifact.name} (${p.artifact.sha256.slice(0, 12)})` : null,
    `${duration(p.checkout_seconds)} for its files`].filter(Boolean).join(", ")))];
}

/** Values of environment variables come with a token alone. */
function locked(e) {
  const has = (e.benchmark?.configurations ?? []).some((c) => Object.keys(c.environment ?? {}).length > 0);
  return e.withheld && has && !isSite ? unlock("The values of environment variables need a token of the scope read.",
    async () => {
      const whole = await getMore(`/experiments/${encodeURIComponent(id)}`, token.get());
      if (!whole.withheld) reload();
      return !whole.withheld;
    }) : null;
}

let shown = null; // the night

function show([e, project, change, jobs, levels], main) {
  shown = e;
  title(`${e.night} · ${project?.title ?? e.project}`);
  replace(main, heading(e, project, change), e.incident ? incidentLine(e.incident) : null, again(e, project, jobs),
    e.portions.length ? h("section", {}, h("h2", {}, "Portions"), portionTable(e)) : null,
    h("div", { class: "columns" }, e.portions.length ? doubleStack(e) : null, since(e, change)), dimensionSection(e),
    e.expectations?.length ? expectations(e.expectations, project?.commit_url) : null,
    e.configurations.length ? [configurations(e),
      isStandIn(e) ? null : fold("Loops", loopWords(loopsOf(e)), budgetLine(e),
        e.configurations.map((c, i) => loopSection(c, i, e.portions))),
      callSection(e), nodeSection(e)] : null,
    fold("Environment", environmentWords(e), details({ series: e.environment, ...e.environment_detail })),
    fold("Benchmark", benchmarkWords(e), locked(e), details(settingsOf(e))),
    fold("Run", ["begun ", ranAt(e, e.started_ms)], runDetails(e)),
    isSite ? null : byHand(e, levels), isSite || e.node === "imported" || project?.enabled === false ? null : repeat(e));
}

/** A level that begins with this night because somebody says so. */
function byHand(e, levels) {
  return e.state !== "measured" ? null : fold("A level by hand", e.baseline ? h("bdi", {}, e.baseline) : "none",
    nightLevels(e, levels, reload));
}

/** What the night's commits announced about their overhead, and what could not be understood of it. */
function expectations(list, pattern) {
  return h("section", {}, h("h2", {}, "Announced"),
    h("ul", {}, list.map((x) => h("li", {}, commitLink(x.commit, pattern), " ",
    h("bdi", {}, x.commit.author), ": ", h("code", {}, h("bdi", {}, x.text)),
    x.problem ? h("p", { class: "notice" }, "Not understood: ", x.problem) : null))));
}

let trialShown = null, trialJob = null; // of the job that measures this night's commit again

/** Who suspects this night sees at once what is done about it. */
function again(e, project, jobs) {
  trialJob = trialOf(jobs, e.experiment);
  trialShown = trialJob ? trialBox(trialJob, project?.commit_url) : null;
  return trialShown ? h("section", {}, h("h2", {}, trialTitle(trialJob)), trialShown.element) : null;
}

async function load() {
  const e = await getMore(`/experiments/${encodeURIComponent(id)}`, token.get());
  return [e, ...await Promise.all([projectOf(e.project),
    e.previous ? getMore(`/compare?a=${e.previous}&b=${encodeURIComponent(id)}`, token.get()).catch(() => null) : null,
    openJobs(e.project),
    e.baseline && !isSite ? list(`${projectPath(e.project)}/baselines`, LEVELS_MAX).catch(() => []) : []])];
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  const to = { "[": shown?.previous, "]": shown?.next }[event.key];
  if (to) location.href = place(`/experiments/${to}`);
});

start({ load, show, events: { night: (data) => String(data.experiment) === id,
  job: (job) => trialEvent(job, trialJob, trialShown, Number(id)) } });
