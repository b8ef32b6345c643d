// Made-up answers in the API's exact shapes (docs/api.md), always the same: a Kieker-like history with
// the regression of March 2013, hostile texts, failed nights, a running job.

function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function gauss(next) {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

function hex(next, digits) {
  let out = "";
  while (out.length < digits) out += Math.floor(next() * 16).toString(16);
  return out;
}

const HOSTILE = [
  "<img src=x onerror=alert(1)> & \"quotes\" 'single'",
  "إصلاح كاتب السجلات \u202etxt.exe",
  "🐮 faster moo 👩‍👩‍👧‍👦 in the collector",
  "long " + "subject ".repeat(40),
  "</script><script>window.hacked=1</script>",
];
const SUBJECTS = [
  "#723 add constructor method signatures", "Merge branch 'master'", "Fix typo in the manual",
  "Update AspectJ to 1.7.2", "Refactor the TCP reader", "Add a test for the flow probe",
];

const LETTERS = { none: "T", deactivated: "I", collecting: "C", writing: "W" };
const LABELS = {
  none: "No instrumentation", deactivated: "Deactivated probe",
  collecting: "Collecting data", writing: "Binary file",
};

function interval(mean, half) {
  return { mean_ns: mean, low_ns: mean - half, high_ns: mean + half };
}

/** The same with medians: a little lower, as calls' times lean to the right. */
function both(mean, half) {
  return { ...interval(mean, half), median_ns: mean * 0.96, median_low_ns: mean * 0.96 - half / 2, median_high_ns: mean * 0.96 + half / 2 };
}

function dateOf(start, days) {
  return new Date(Date.parse(start + "T00:00:00Z") + days * 86400e3).toISOString().slice(0, 10);
}

function commitOf(next, i, date) {
  const sha = hex(next, 40);
  const subject = i % 9 === 4 ? HOSTILE[(i / 9 | 0) % HOSTILE.length] : SUBJECTS[i % SUBJECTS.length];
  return {
    sha, short: sha.slice(0, 9), author: i % 7 === 3 ? "Jürgen <b>O'Hara</b>" : "Nils Ehmke",
    time_ms: Date.parse(date + "T01:12:00Z"), subject,
  };
}

function portionsOf(means, halves, marks) {
  const names = Object.keys(means);
  return names.map((name, i) => {
    const parent = i > 0 ? names[i - 1] : null;
    const mean = means[name] - (parent ? means[parent] : 0);
    const half = halves[name] + (parent ? halves[parent] / 2 : 0);
    const letter = LETTERS[name] ?? name;
    const mark = marks[letter] ?? { verdict: "ok", direction: null };
    const reference = interval(mark.before ?? mean * 0.995, half * 0.5);
    return {
      portion: letter, configuration: name, parent, ...both(mean, half), judged: interval(mean, half * 1.5),
      method: parent ? "paired t" : "t", verdict: mark.verdict, direction: mark.direction,
      reference: mark.verdict === "first" ? null : { ...reference, nights: 5, from: 1, to: 5 },
      difference: mark.verdict === "first" ? null : interval(mean - reference.mean_ns, half * 1.1),
      reason: mark.reason ?? "the intervals overlap the reference's",
    };
  });
}

/** Nights of project, newest first. `level(i)` gives the four means in ns; `marks(i)` the verdicts. */
export function history(project, count, { start, level, marks = () => ({}), failed = () => null,
  quarantined = () => null, changed = () => false, release = () => null, accepted = () => false, skip = () => false, first = 1, seed = 7 }) {
  const next = random(seed);
  const nights = [];
  let environment = hex(next, 12);
  for (let i = 0; i < count; i++) {
    const date = dateOf(start, i);
    const commit = commitOf(next, i, date);
    const means = {};
    const halves = {};
    const truth = level(i);
    for (const name of Object.keys(truth)) {
      means[name] = truth[name] * (1 + 0.006 * gauss(next));
      halves[name] = truth[name] * (0.008 + 0.012 * next());
    }
    if (changed(i)) environment = hex(next, 12);
    if (skip(i)) continue;
    const id = first + i;
    const night = {
      experiment: id, job: 100 + id, project, night: date, state: "measured", reason: null, level: 0.99, commit,
      release: release(i), accepted: accepted(i),
      environment, environment_changed: changed(i), finished_ms: Date.parse(date + "T03:41:00Z"),
      loops: 10, total: null, configurations: [], portions: [],
    };
    const why = failed(i) ?? quarantined(i);
    if (why) {
      Object.assign(night, { state: failed(i) ? "failed" : "quarantined", reason: why, loops: 0 });
      if (failed(i)) night.experiment = null;
    } else {
      const names = Object.keys(means);
      const last = names[names.length - 1];
      night.total = both(means[last], halves[last]);
      night.configurations = names.map((name) => ({
        name, label: LABELS[name] ?? name, loops: 10, ...both(means[name], halves[name]) }));
      night.portions = portionsOf(means, halves, i === 0
        ? Object.fromEntries("TICW".split("").map((p) => [p, { verdict: "first", direction: null,
          reason: "the first night of this series" }])) : marks(i));
    }
    nights.unshift(night);
  }
  return nights;
}

const UP = 6; // 2013-03-07
const DOWN = 87; // 2013-05-27

function kiekerLevel(i) {
  const t = 69, on = i >= UP && i < DOWN;
  const deactivated = t + (on ? 820 : 200);
  const collecting = deactivated + (i >= DOWN ? 1620 : on ? 920 : 820);
  return { none: t, deactivated, collecting, writing: collecting + 2650 };
}

function kiekerMarks(i) {
  if (i === UP)
    return { I: { verdict: "anomaly", direction: "up", before: 200,
      reason: "I rose by 620 ± 20 ns (+310 %): its interval no longer overlaps that of 5 nights before" } };
  if (i === DOWN)
    return {
      I: { verdict: "anomaly", direction: "down", before: 820,
        reason: "I fell by 619 ± 25 ns (-75 %): its interval no longer overlaps that of 81 nights before" },
      C: { verdict: "anomaly", direction: "up", before: 920,
        reason: "C rose by 700 ± 80 ns (+76 %): its interval no longer overlaps that of 81 nights before" } };
  if (i === 76) return { W: { verdict: "cleared", direction: "up", reason: "W rose by 90 ns; measured again in turns it did not" } };
  if (i === 88) return { T: { verdict: "suspect", direction: "down", reason: "T fell by 3 ns; both commits are to be measured again" } };
  return {};
}

export const kieker = history("kieker-java", 89, {
  start: "2013-03-01", level: kiekerLevel, marks: kiekerMarks,
  failed: (i) => i === 70 ? "the benchmark crashed: exit status 134 after 1.2 s: java.lang.VerifyError: <init>"
    : i === 78 ? "prepare failed: mvn: could not resolve kieker:1.8-SNAPSHOT" : null,
  quarantined: (i) => i === 74 ? "the standard deviation is as large as the mean" : null,
  changed: (i) => i === 81, accepted: (i) => i === DOWN, release: (i) => ({ 10: "1.7", 60: "1.7.1", 86: "1.8-rc1" })[i] ?? null, skip: (i) => i >= 64 && i < 67,
});

export const thousand = history("opentelemetry-java", 1000, {
  start: "2010-09-01", first: 5000, seed: 3,
  level: (i) => ({ none: 81, deactivated: 81 + 310, collecting: 81 + 310 + 1900 + (i > 600 ? 240 : 0),
    writing: 81 + 310 + 1900 + 4400 }),
  release: (i) => i % 180 === 90 ? `v1.${(i - 90) / 180}.0` : null,
  marks: (i) => i === 601 ? { C: { verdict: "anomaly", direction: "up", before: 1900, reason: "C rose by 240 ns" } } : {},
});

/** The same commit as the newest of kieker, called one level deep instead of ten. */
export const shallow = history("kieker-depth-1", 12, {
  start: "2013-05-17", first: 9000, seed: 5, level: () => ({ none: 25, deactivated: 48, collecting: 215, writing: 490 }),
});
shallow[0].commit = kieker[0].commit;

function alertOf(id, nights, date, portion, before, after) {
  const at = nights.findIndex((n) => n.night === date);
  const to = nights[at], from = nights[at + 1];
  const p = to.portions.find((q) => q.portion === portion);
  const point = (n) => ({ commit: n.commit, night: n.night, experiment: n.experiment });
  return {
    id, project: to.project, portion, direction: p.direction, state: "open", aged: false, level: 0.99,
    raised_ms: Date.parse(date + "T03:42:00Z"), from: point(from), to: point(to), until: point(to),
    before: interval(before, before * 0.02), after: interval(after, after * 0.03),
    difference: { ...interval(after - before, before * 0.04), percent: (after / before - 1) * 100 },
    reason: p.reason, configuration: p.configuration, fixed_by: null, commits: id === 2 ? null : 1,
    repeat: `moowatch run ${to.project}.yaml --commit ${to.commit.sha} --compare ${from.commit.sha}`,
    confirmation: id === 2 ? null : { state: "confirmed", trial: 1, loops: 20, before_ns: before, after_ns: after, mean_ns: after - before,
      low_ns: (after - before) * 0.95, high_ns: (after - before) * 1.05, reason: null },
    audit: id === 1 ? [{ at_ms: Date.parse("2013-03-08T09:00:00Z"), from: "open", to: "acknowledged", author: "ada <b>", reason: "ticket #996" }] : [],
    bisection: id === 3 ? { state: "found", commits: 2, reason: null, started_ms: 0, finished_ms: 1, culprit: to.commit, first: from.commit, last: to.commit,
      steps: [{ commit: to.commit, place: 2, state: "after", trial: 1, loops: 20, before: interval(before, 20), after: interval(after, 30), reason: "as the alert" },
        { commit: from.commit, place: 1, state: "before", trial: 2, loops: 20, before: interval(before, 20), after: interval(before * 1.01, 30), reason: "as before" }] } : null,
  };
}

export const alerts = [
  alertOf(3, kieker, "2013-05-27", "C", 920, 1620),
  alertOf(2, kieker, "2013-05-27", "I", 820, 201),
  alertOf(1, kieker, "2013-03-07", "I", 200, 820),
  alertOf(4, thousand, thousand.find((n) => n.portions.some((p) => p.verdict === "anomaly")).night, "C", 1900, 2140),
];

// one change that moved two portions, and of one of them the processor time, too
{
  const { portion, configuration, direction, before, after, difference, reason, fixed_by, confirmation } = alerts[3];
  const largest = { portion, configuration, direction, before, after, difference, reason, fixed_by, confirmation };
  alerts[3].portions = [largest, { ...largest, portion: "W", configuration: "writing", reason: "W rose with it", fixed_by: 1 },
    { ...largest, portion: "W", configuration: "writing", dimension: "cpu_ms", before: interval(410, 4), after: interval(460, 5),
      difference: { ...interval(50, 6), percent: 12.2 }, reason: null, confirmation: null }];
}

function jobOf(id, state, extra) {
  const night = kieker[0];
  return {
    id, project: "kieker-java", kind: "nightly", priority: 10, state, night: "2013-05-29",
    commit: night.commit, before: null, trial: null, attempts: 1, node: null, queued_ms: Date.now() - 600e3, started_ms: null,
    finished_ms: null, error: null, experiment: null, progress: null, ...extra,
  };
}

export const running = jobOf(250, "leased", {
  node: "blade1", started_ms: Date.now() - 120e3,
  progress: { phase: "measure", configuration: "collecting", loop: 4, loops: 10, done: 14, total: 40,
    eta_seconds: 312, message: "", at_ms: Date.now(), log: "[INFO] Compiling\n\u001b[32mdone\u001b[0m 14\n" },
});

/** The newest night's control is suspect: its commit and the one before, in turn. */
export const again = jobOf(253, "leased", {
  kind: "confirmation", node: "blade2", started_ms: Date.now() - 60e3, before: kieker[1].commit, night: kieker[0].night,
  trial: { id: 3, state: "running", experiment: kieker[0].experiment, batch: 3, loops: 20, maximum: 300, ends_loops: 40,
    questions: [
      { portion: "T", configuration: "none", state: "waiting", whole: null, loops: 20, ends_loops: 40, before: interval(69, 0.5),
        after: interval(66.1, 0.6), difference: interval(-2.9, 0.8), reason: "Measured again, T fell so far", counted: "-12 instructions a call" },
      { portion: "W", configuration: "writing", state: "cleared", whole: "T + I + C + W", loops: 20, ends_loops: null,
        before: interval(3650, 30), after: interval(3655, 35), difference: interval(5, 45), reason: "Measured again, T + I + C + W did not change",
        counted: null }] },
  progress: { phase: "measure", configuration: "none", loop: 3, loops: 10, done: 5, total: 40, eta_seconds: 900,
    message: "", at_ms: Date.now(), log: "" },
});

const LOG = "[INFO] Resolving net.kieker-monitoring:kieker:1.8-SNAPSHOT\n[ERROR] <b>Could not resolve</b>\n" +
  "\u001b[31mred\u001b[0m exit status 1\n" + "at kieker.monitoring.core.Controller.<init>(Controller.java:123)\n".repeat(30);

export const jobs = [
  running, again,
  jobOf(251, "queued", { night: "2013-05-30", kind: "nightly" }),
  jobOf(252, "queued", { attempts: 2, error: "checkout: git: exit status 128 after 0.0 s", project: "opentelemetry-java", kind: "backfill", priority: 1, night: "2013-05-28" }),
  jobOf(240, "failed", { queued_ms: Date.now() - 7300e3, attempts: 3, node: "blade1", started_ms: Date.now() - 7200e3, finished_ms: Date.now() - 7100e3,
    error: "prepare failed: mvn: could not resolve kieker:1.8-SNAPSHOT", log: LOG }),
  jobOf(239, "done", { queued_ms: Date.now() - 99500e3, node: "blade1", started_ms: Date.now() - 90000e3, finished_ms: Date.now() - 88000e3, experiment: 88 }),
  jobOf(200, "done", { node: "imported", night: "2013-01-01", started_ms: 1000, finished_ms: 1000, experiment: 80 }),
  jobOf(238, "cancelled", { queued_ms: Date.now() - 99500e3, finished_ms: Date.now() - 99000e3 }),
];

export function projectOf(name, title, nights, extra) {
  const newest = nights.find((n) => n.state === "measured"), known = newest?.portions ?? [];
  return {
    name, title, repository: "https://github.com/kieker-monitoring/kieker.git", branch: "master", enabled: true,
    commit_url: "https://github.com/kieker-monitoring/kieker/commit/{commit}", problem: null,
    polled_ms: Date.now() - 60e3, next_night_ms: Date.now() + 5 * 3600e3, ageing_days: 30, nights: nights.length,
    queued: 1, settled: false, open: ["1 job queued"], open_alerts: 0, aged_alerts: 0, quiet_nights: 41,
    portions: known.map(({ portion, configuration }) => ({ portion, configuration, label: configuration,
      spark_ns: nights.slice(0, 30).reverse().map((n) => n.portions.find((q) => q.configuration === configuration)?.mean_ns ?? null) })),
    latest: newest ?? null, alert: null, running: null, ...extra,
  };
}

export const projects = [
  projectOf("kieker-java", "Kieker for Java", kieker, { open_alerts: 3, quiet_nights: 1, suspicions: 1, cleared: 2, open: ["1 job queued", "2 jobs running", "1 trial of two commits running"], alert: alerts[0], running }),
  projectOf("kieker-depth-1", "Kieker at depth 1", shallow, { quiet_nights: 12, commit_url: null }),
  projectOf("opentelemetry-java", "OpenTelemetry for Java", thousand, { commit_url: null, repository: "https://github.com/open-telemetry/opentelemetry-java-instrumentation.git", branch: "main" }),
  projectOf("broken", "A project whose repository is gone " + "and whose title is very long ".repeat(8), [], {
    repository: "https://git.example.invalid/gone.git", nights: 0, queued: 0, settled: true, open: [], latest: null, quiet_nights: 0,
    portions: [], problem: "cannot fetch https://git.example.invalid/gone.git: could not resolve host; trying again in 10 minutes",
    commit_url: null }),
  projectOf("fresh", "Just added", [], { nights: 0, queued: 0, settled: true, open: [], latest: null, portions: [], quiet_nights: 0,
    next_night_ms: Date.now() + 3600e3, commit_url: null }),
];

export const nightsOf = { "kieker-java": kieker, "kieker-depth-1": shallow, "opentelemetry-java": thousand, broken: [], fresh: [] };

export const status = {
  version: "0.1.0", started_ms: Date.now() - 86400e3, queue: { queued: 2, leased: 1, failed: 1 },
  nodes: [
    { name: "blade1", seen_ms: Date.now() - 3e3, state: "busy", job: 250, progress: running.progress },
    { name: "blade2", seen_ms: Date.now() - 400e3, state: "silent", job: null, progress: null }],
  problems: ["projects.d/inspectit.yaml:3: unknown key \"brnach\"; did you mean \"branch\"?"],
};

function summaryOf(next, mean) {
  const q = mean * 0.96;
  return { n: 1000000, mean_ns: mean, sd_ns: mean * 0.35, min_ns: mean * 0.8, q1_ns: q * 0.98, median_ns: q,
    q3_ns: q * 1.03, max_ns: mean * (300 + 500 * next()) };
}

export function experiment(night) {
  const next = random(night.experiment);
  const sizes = { none: 0.3, deactivated: 2, collecting: 3.5, writing: 9 };
  return {
    ...night, previous: night.experiment - 1, next: night.experiment + 1, node: "blade1", ended_early: night.experiment % 2 ? null
      : "the node was not idle for 600 s (gate_wait_seconds): others used 40.1 % of a processor (bound 5.0 %); busiest: <b>apt</b> (812)",
    doubts: [{ kind: "silent", configuration: "deactivated", portion: "I",
      sentence: "I: these loops cannot tell deactivated from none. Measure more, or check that it instruments and records." },
    { kind: "dropped", configuration: "writing", portion: null,
      sentence: "writing: 200 of 2000 records reached the receiver (10.0 %); the rest was dropped." },
    { kind: "failed", configuration: "writing", portion: null,
      sentence: "writing: 1 of 10 loops failed; the last: receiver: port 4318: <b>Address</b> already in use" }],
    environment_change: night.environment_changed ? "kernel 6.1.0-10-amd64 → 6.1.0-12-amd64" : null, started_ms: night.finished_ms - 2400e3,
    environment_detail: { detail: { strays: { writing: "1 of 10 loops stood apart" } }, node: "blade1", cpu: "Intel(R) Xeon(R) E5-2650 0 @ 2.00GHz", cores: 16,
      kernel: `Linux 6.1.0-${Number.parseInt(night.environment.slice(0, 2), 16) % 30}-amd64`, governor: "performance", runtime: "OpenJDK 17.0.15",
      harness: "moobench-java 1", parameters: { method_time_ns: 0, recursion_depth: 10, threads: 1,
        total_calls: { none: 2000000, deactivated: 2000000 } } },
    benchmark: { driver: "java", loops: 10, total_calls: 2000000, warmup_calls: 1000000, method_time_ns: 0,
      recursion_depth: night.project.endsWith("-1") ? 1 : 10, threads: 1, rest_seconds: 30, confidence: 0.99 },
    configurations: night.configurations.map((c, k) => ({
      ...c,
      statistics: { ...summaryOf(next, c.mean_ns), n: 10, sd_ns: c.mean_ns * 0.02, low_ns: c.low_ns,
        high_ns: c.high_ns, calls_low_ns: c.mean_ns * 0.999, calls_high_ns: c.mean_ns * 1.001 },
      loop_results: Array.from({ length: 10 }, (_, l) => {
        const broke = k === 3 && l === 6, alone = k === 3 && l === 2;
        const mean = c.mean_ns * (1 + 0.03 * gauss(next)) * (alone ? 1.3 : 1);
        return {
          loop: l + 1, position: l * 4 + k, used: !broke && !(k === 2 && l === 4),
          calls_per_second: broke ? null : Array.from({ length: Math.round(sizes[c.name] ?? 1) }, () => Math.round(1e9 / mean * (1 + 0.02 * gauss(next)))), seconds: sizes[c.name] ?? 1, disturbed: alone || k === 2 && l === 4,
          failed: broke ? "exit status 134 after 1.2 s: # A fatal error <SIGSEGV>" : null,
          summary: broke ? null : summaryOf(next, mean),
          readings: { others_cpu_percent: k === 2 && l === 4 ? 38.5 : 0.3 * next(), load1: 0.1 + next() * 0.2,
            settled: !(k === 1 && l === 3), ...(k === 1 && l === 3 ? { not_settled_by: "the level moved by +4.1 % after 310000 calls" } : {}),
            ...(alone ? { stray: true, disturbed_by: "stands apart: its mean of 9331.0 ns is 11.2 robust standard deviations from 7180.4 ns, the median of 10 loops; its longest call, 25.1 ms, makes 98 % of that" } : {}),
            usage: { every_seconds: 10, cpu_percent: [101, 99 + l, 100], memory_mb: [900, 910 + k, 905], disk_mb: [k, l, 0.2], network_mb: [0, 0, 0.01] } },
          raw: broke ? null : { sha256: hex(next, 64), bytes: 812345,
            url: `/api/v1/experiments/${night.experiment}/raw/${c.name}/${l + 1}`,
            calls_url: `/api/v1/experiments/${night.experiment}/calls/${c.name}/${l + 1}` } };
      }) })),
  };
}

/** The digest of a loop's raw calls: a log-normal body with a tail, slow at first. */
export function calls(night, name) {
  const next = random(night.experiment + name.length);
  const mean = night.configurations.find((c) => c.name === name).mean_ns;
  const edges = Array.from({ length: 121 }, (_, i) => mean * 0.7 * 10 ** (i / 40));
  const counts = edges.slice(1).map((e) =>
    Math.round(1e6 * Math.exp(-((Math.log(e / mean) / 0.12) ** 2)) + 2000 / (e / mean) ** 2 * next()));
  const median = Array.from({ length: 200 }, (_, i) => mean * (1 + 6 * Math.exp(-i / 12)) * (1 + 0.01 * gauss(next)));
  return { histogram: { edges_ns: edges, counts },
    course: { calls: 2000000, warmup_calls: 1000000, bucket_calls: 10000, low_ns: median.map((m) => m * 0.95),
      median_ns: median, high_ns: median.map((m) => m * (1.05 + 0.1 * next())) } };
}

/** A sweep over recursion depth: a portion that grows as a line, one that does not, one value that failed. */
const DEPTHS = [1, 2, 4, 8, 16, 32, 64, 128], MISSING = 64;
const swept = [["T", "none", null, (d) => 60 + 9 * d], ["I", "deactivated", "none", (d) => 20 * d],
  ["W Zipkin", "zipkin", "deactivated", (d) => 300 + 40 * d + d * d / 2]];
const SLOPES = { none: [9, 60], deactivated: [20, 0], zipkin: [104, -320] };
export const sweeps = [{ id: 3, project: projects[0].name, commit: nightsOf[projects[0].name].at(0).commit,
  parameter: "recursion_depth", author: "maria", asked_ms: Date.now() - 864e5, points: DEPTHS.length,
  measured: DEPTHS.length - 1, state: "incomplete", level: 0.99,
  values: DEPTHS.map((value, i) => ({ value, job: 400 + i, node: "blade1", state: value === MISSING ? "failed" : "measured",
    error: value === MISSING ? "measure: StackOverflowError" : null, experiment: value === MISSING ? null : 900 + i,
    portions: value === MISSING ? [] : swept.map(([portion, configuration, parent, at]) => ({ portion, configuration, parent,
      mean_ns: at(value), low_ns: at(value) - 3, high_ns: at(value) + 3 })) })),
  fits: swept.map(([portion, configuration, , at]) => {
    const [slope, start] = SLOPES[configuration];
    return { portion, configuration, points: DEPTHS.length - 1, weighted: true, r_squared: 0.9981,
      slope: { mean_ns: slope, low_ns: slope - 1, high_ns: slope + 1 }, start: { mean_ns: start, low_ns: start - 9, high_ns: start + 9 },
      residuals: DEPTHS.filter((d) => d !== MISSING).map((value) => ({ value, residual_ns: at(value) - start - slope * value })) };
  }) }];
