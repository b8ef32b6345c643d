// Made-up answers about what is behind an alert or a night: where a change is (profiles and what was read from them),
// what happened to the machine, who has access and what was done.
import { alerts, shallow } from "./fixtures.mjs";

/** Collapsed stacks of a portion before and after: one function of a deep tree is new, another gone. */
export const PROFILES = {
  before: "probe 900\nprobe;<init> 300\nprobe;signature 400\nprobe;signature;toString 250\nprobe;list_add 800\n"
    + "probe;list_add;malloc [libc.so.6] 350\nprobe;old_check 120\n",
  after: "probe 900\nprobe;<init> 310\nprobe;signature 2400\nprobe;signature;toString 1250\n"
    + "probe;signature;toString;std::basic_string<char, std::char_traits<char> >::append(char const*) 900\nprobe;list_add 800\n"
    + `probe;list_add;malloc [libc.so.6] 360\n${Array.from({ length: 40 }, (_, i) => `probe;list_add;helper_${i} ${1 + i % 3}`).join("\n")}\n`,
};

const range = (mean, half) => ({ mean_ns: mean, low_ns: mean - half, high_ns: mean + half });
const fn = (name, caller, state, ns, before, after) => ({ name, caller, state, change: range(ns, ns * 0.02), before_units: before, after_units: after });
const loud = alerts.find((a) => a.id === 3);
loud.explanation = {
  state: "done", reason: null, profiler: "callgrind", unit: "instructions", job: 260, finished_ms: Date.now() - 3600e3,
  before: loud.from.commit.sha, after: loud.to.commit.sha,
  portions: [{ portion: loud.portion, configuration: loud.configuration, parent: "deactivated", change_ns: 700, before_units: 2870, after_units: 6880,
    sentence: "C rose: +350 ns in `signature`, called from `probe`; +330 ns in `<toString>` (scaled from +4010 instructions a call)",
    functions: [fn("signature", "probe", null, 350, 400, 2400), fn("toString", "signature", null, 175, 250, 1250),
      fn("std::basic_string<char, std::char_traits<char> >::append(char const*)", "toString", "new", 157, 0, 900), fn("old_check", "probe", "gone", -21, 120, 0)] }],
  profiles: ["before", "after"].map((end) => ({ configuration: loud.configuration, end, loops: 1, url: `/api/v1/alerts/3/profiles/${loud.configuration}/${end}` })),
  allocations: { profiler: "async-profiler", unit: "bytes", reason: null,
    portions: [{ portion: loud.portion, configuration: loud.configuration, parent: "deactivated", change_ns: null, before_units: 1040, after_units: 1456,
      sentence: "C allocates 416 bytes a call more: about +384 bytes (+380 bytes to +388 bytes) in `signature`, called from `probe`; +32.0 bytes elsewhere (from samples in 5 loops)",
      functions: [{ name: "signature", caller: "probe", state: null, change: { mean_units: 384, low_units: 380, high_units: 388 }, before_units: 1000, after_units: 1384 }] }],
    profiles: ["before", "after"].map((end) => ({ configuration: loud.configuration, end, loops: 5, url: `/api/v1/alerts/3/profiles/${loud.configuration}/${end}?dimension=bytes` })) },
};

const point = (night) => ({ commit: night.commit, night: night.night, experiment: night.experiment });
const factor = (mean, half) => ({ mean, low: mean - half, high: mean + half });
/** Another environment, joined by a bridge: one portion of the code changed in the same night. */
const entered = shallow[4];
entered.environment_changed = true;
export const incidents = [{
  id: 7, project: "kieker-depth-1", kind: "environment", state: "open", lasts: false, opened_ms: Date.parse(entered.night) + 13e6,
  headline: "Levels before × 1.07 ± 0.01", factor: null, configurations: { moved: 0, seen: 4 },
  sentence: "another environment since " + entered.night + ": kernel 6.1.0-10-amd64 <b>→</b> 6.1.0-12-amd64, runtime OpenJDK 17.0.14 → 17.0.15",
  from: point(shallow[5]), to: point(entered), seen: point(entered), over: null,
  audit: [{ at_ms: Date.parse(entered.night) + 2e7, from: "closed", to: "open", author: "ada <b>", reason: "the new kernel is not understood yet" }],
  bridge: { state: "done", factor: factor(1.07, 0.01),
    sentence: `levels before ${entered.night}: T × 1.07 ± 0.01, I × 1.08 ± 0.03, C unknown; C's own change was confirmed`,
    portions: [{ portion: "T", factor: factor(1.07, 0.01), change: { mean: 0.4, low: -1, high: 1.8 }, changed: "no" },
      { portion: "I", factor: factor(1.08, 0.03), change: null, changed: null },
      { portion: "C", factor: null, change: { mean: 41, low: 30, high: 52 }, changed: "yes" }] },
}, {
  id: 6, project: "kieker-depth-1", kind: "broken", state: "closed", lasts: false, opened_ms: Date.parse(shallow[9].night) + 13e6,
  headline: "Values far outside", factor: null, configurations: { moved: 4, seen: 4 }, sentence: "all 4 configurations far outside the level before",
  from: null, to: point(shallow[9]), seen: point(shallow[9]), over: point(shallow[8]), bridge: null,
  audit: [{ at_ms: 1, from: "open", to: "closed", author: "detector", reason: "the nights are as before" }],
}];
for (const incident of incidents) {
  const { id, kind, state, headline, sentence } = incident;
  shallow.find((n) => n.experiment === incident.to.experiment).incident = { id, kind, state, headline, sentence };
}

const DAY_MS = 864e5;
export const tokens = { items: [
  { name: "admin", scopes: "admin", projects: null, node: null, created_ms: Date.now() - 90 * DAY_MS, used_ms: Date.now() - 36e5, expires_ms: null, old_until_ms: null },
  { name: "blade1", scopes: "runner", projects: null, node: "blade1", created_ms: Date.now() - 40 * DAY_MS, used_ms: Date.now() - 36e5, expires_ms: Date.now() + 3 * DAY_MS, old_until_ms: Date.now() + DAY_MS },
  { name: "ci of a project with a very long name <b>", scopes: "run,read", projects: ["kieker-java", "kieker-depth-1", "opentelemetry-java"], node: null, created_ms: Date.now() - 9 * DAY_MS, used_ms: null, expires_ms: Date.now() - DAY_MS, old_until_ms: null }] };

const entry = (id, kind, more) => ({ id, kind, at_ms: Date.now() - id * 6e6, last_ms: Date.now() - id * 6e6, who: "", client: "", what: "", why: "", count: 1, ...more });
export const audit = [
  entry(1, "refused", { client: "192.0.2.7", what: "POST /api/v1/projects/kieker-java/jobs", why: "the token is not known", count: 1204 }),
  entry(2, "token", { who: "admin", what: "made token blade1", why: "" }),
  entry(3, "alert", { who: "ada <b>", client: "2001:db8::1", what: "alert 1: open → acknowledged", why: "ticket #996, and a reason that somebody wrote at length ".repeat(3) }),
  entry(4, "node", { who: "nora", what: "paused node blade2", why: "new kernel" })];
