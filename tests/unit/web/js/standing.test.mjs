import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom.mjs";
import { controlOf } from "/static/parts.js";
import { causeWords, commitFact, functionFact, leastWords, machineWords, rangeWords, standing, sureWords, visible, visibleWords, whenBy } from "/static/standing.js";

const range = (mean, half) => ({ mean_ns: mean, low_ns: mean - half, high_ns: mean + half });
const portion = (name, mean, more) => ({ portion: name, configuration: name, parent: name === "T" ? null : "T", verdict: "ok",
  ...range(mean, 1), judged: range(mean, mean * 0.01), reference: range(mean, mean * 0.02), ...more });
const night = (more, portions = [portion("T", 90), portion("I", 200)]) => ({ night: "2026-01-02", state: "measured",
  headline: "nothing changed", environment_changed: false, portions, ...more });

test("the smallest visible change is where the two intervals would part", () => {
  assert.ok(Math.abs(visible(portion("I", 200)) - 3) < 1e-9);
  assert.equal(visible(portion("I", 200, { reference: null })), null);
  assert.equal(visible(portion("I", 200, { judged: { low_ns: null, high_ns: 1 } })), null);
  assert.equal(visible(portion("I", 200, { reference: range(-4, 1) })), null);
  assert.equal(visibleWords(night()), "A change of I by 3.00\u202f% would have been seen.");
  assert.match(visibleWords(night({}, ["T", "I", "C", "W"].map((p) => portion(p, 200)))), /^A change of I by .*, C by .* or W by .* would have been seen\.$/);
  const tiny = portion("I", 2, { judged: range(2, 3), reference: range(2, 2) });
  assert.equal(visibleWords(night({}, [portion("T", 90), tiny])), "A change of I by 5.00\u202fns would have been seen.");
  assert.equal(visibleWords(night({}, [{ ...tiny, unit: "spans" }])), "A change of I by 5.00\u202fspans would have been seen.");
  const cleared = portion("I", 200, { verdict: "cleared", confirmation: { low_ns: -5, high_ns: 20 } });
  assert.equal(visibleWords(night({}, [portion("T", 90), cleared])), "A change of I by 10.0\u202f% would have been seen.");
  assert.equal(visibleWords(night({}, [portion("W", 200, { configuration: "file" }), portion("W", 200, { configuration: "tcp" })])),
    "A change of W, file by 3.00\u202f% or W, tcp by 3.00\u202f% would have been seen.");
  assert.equal(visibleWords(night({}, [portion("T", 90)])), null);
  assert.equal(visibleWords(null), null);
});

test("a project says which changes it does not tell", () => {
  const of = (more, unit) => leastWords(night(more, [portion("T", 90, { unit })]));
  const least = { minimum_effect_percent: 5, minimum_effect_ns: 1 };
  assert.equal(of(least), "A change below 5.00\u202f% or 1.00\u202fns is told only where several add up to it.");
  assert.equal(of({ ...least, minimum_effect_ns: 0 }), "A change below 5.00\u202f% is told only where several add up to it.");
  assert.equal(of(least, "MiB"), "A change below 5.00\u202f% is told only where several add up to it.");
  assert.deepEqual([of({}), leastWords(null)], [null, null]);
});

test("of what was not judged nothing would have been seen", () => {
  const of = (standing) => visibleWords(night({}, [portion("T", 90), portion("I", 200), portion("W", 200, { standing })]));
  for (const standing of ["doubtful", "incomparable", "missing"])
    assert.equal(of(standing), "A change of I by 3.00\u202f% would have been seen.");
  assert.match(of("changed"), /^A change of I by .* or W by .* would/);
  assert.equal(visibleWords(night({}, [portion("I", 200, { standing: "doubtful" })])), null);
  for (const rule of ["below-minimum-effect", "answered-false", "set-by-hand"]) // it was seen
    assert.equal(visibleWords(night({}, [portion("T", 90), portion("I", 200), portion("W", 200, { rule })])), of("doubtful"));
});

test("an alert says how it was made sure", () => {
  const alert = { level: 0.95, difference: range(120, 30), confirmation: null };
  assert.equal(sureWords(alert), "By the nights alone: 95\u00a0% interval, +90\u202fns to +150\u202fns.");
  assert.equal(sureWords({ ...alert, difference: {} }), "It rests on the nights alone, and its interval is not known.");
  assert.equal(sureWords({ ...alert, dimension: "peak_mb" }), "By the nights alone: 95\u00a0% interval.", "megabytes are no ns");
  for (const [state, words] of [["confirmed", /^Confirmed: .*, at least 20 loops of each\.$/], ["waiting", /^Suspected: both commits are to be measured again/],
    ["undecided", /^Undecided/], ["believed", /^Unconfirmed: it could not be measured again/]])
    assert.match(sureWords({ ...alert, confirmation: { state, loops: 20 } }), words);
});

test("a withdrawn alert tells what was judged once, and names nobody", () => {
  const end = (sha, night) => ({ night, commit: { sha: sha.repeat(40), subject: "did it", author: "Ada" } });
  const alert = { state: "withdrawn", level: 0.95, difference: range(42.4, 1.7), confirmation: null, commits: 1, bisection: null,
    from: end("a", "2026-01-02"), to: end("b", "2026-01-05"), explanation: { portions: [{ sentence: "I rose: +40 ns in `f`" }] } };
  assert.equal(sureWords(alert), "As it was judged then, by the nights alone: 95\u00a0% interval, +40.7\u202fns to +44.1\u202fns.");
  assert.equal(sureWords({ ...alert, difference: {} }), "It rested on the nights alone, and its interval is not known.");
  assert.match(standing({ latest: night(), enabled: true, open: [] }, null, { ...alert, id: 1, portions: [alert, { ...alert, state: undefined }] }).textContent,
    /^How sure\?As it was judged then, .*44\.1\u202fns\.Is it/);
  for (const told of [commitFact, functionFact]) assert.equal(told(alert), null);
  const open = { ...alert, state: "open" };
  for (const told of [commitFact, functionFact]) assert.notEqual(told(open, null, null), null);
});

test("of several changes one that was measured again makes the others no surer", () => {
  const part = (confirmation, more) => ({ difference: range(120, 30), confirmation, ...more }), done = { state: "confirmed", loops: 5 };
  const of = (...portions) => standing({ latest: night(), enabled: true, open: [] }, null,
    { id: 4, level: 0.95, state: "open", from: null, to: { night: "2026-01-02", experiment: 9, commit: { sha: "a".repeat(40), short: "a".repeat(9) } }, ...portions[0], portions }).textContent;
  assert.match(of(part(done), part(done)), /How sure\?Confirmed: both commits were measured again, at least 5 loops of each\.Which/);
  assert.match(of(part(done), part(null, { dimension: "p99_ns" })),
    /How sure\?Confirmed: .* at least 5 loops of each\. That is of 1 of the 2 changes; the alert tells of each\.Which/);
});

test("which function? says what the verdict does not", () => {
  const said = {
    "C rose: +484\u202fns in `history_add` (new), called from `f` (scaled from +4622 instructions a call)":
      "+484\u202fns in `history_add` (new), called from `f` (scaled from +4622 instructions a call).",
    "W Zipkin rose; no function explains half of it, the most is +0.3\u202fµs in `g` (scaled from +90 instructions a call)":
      "No function explains half of it, the most is +0.3\u202fµs in `g` (scaled from +90 instructions a call).",
    "I fell, but its instructions did not change (0 a call): the cause may be the layout of the code":
      "Its instructions did not change (0 a call): the cause may be the layout of the code.",
    "C rose: about +560\u202fns (+500\u202fns to +620\u202fns) in `f` (from samples: +12 a call in 5 loops)":
      "About +560\u202fns (+500\u202fns to +620\u202fns) in `f` (from samples: +12 a call in 5 loops).",
    "C rose, but its samples did not change (0 a call in 5 loops): the cause may be waiting (locks, input, output)":
      "Its samples did not change (0 a call in 5 loops): the cause may be waiting (locks, input, output).",
  };
  for (const [sentence, cause] of Object.entries(said)) assert.equal(causeWords(sentence), cause);
});

test("levels of a trial have intervals, those of nights alone bands", () => {
  const alert = { level: 0.95, before: { mean_ns: 200 }, confirmation: { state: "confirmed", before_ns: 200 } };
  assert.equal(rangeWords(alert), "Each with its 95\u00a0% interval.");
  for (const confirmation of [null, { state: "believed", before_ns: null }])
    assert.match(rangeWords({ ...alert, confirmation }), /decision band/);
});

test("is it the machine?", () => {
  const calm = [night({ night: "2026-01-04" }), night({ night: "2026-01-03" }), night(), night({ environment_changed: true }), night({ night: "2026-01-01" })];
  assert.deepEqual(machineWords(calm[0], calm), { warn: false,
    text: "No: T, the control, is as before, 90.0\u00a0±\u00a01.0\u202fns." });
  const moved = night({ environment_changed: true });
  assert.deepEqual([machineWords(moved, [moved]).warn, /The environment changed on 2026-01-02\./.test(machineWords(moved, [moved]).text)], [true, true]);
  const broken = night({}, [portion("T", 90, { verdict: "environment", standing: "incomparable", rule: "control-moved", reason: "T moved by 5 %" })]);
  assert.deepEqual(machineWords(broken, [broken]), { warn: true, text: "Perhaps: T moved by 5 %." });
  const alert = { portions: [{ portion: "I", confirmation: { state: "confirmed" } }] };
  assert.match(machineWords({ ...broken, portions: [{ ...broken.portions[0], words: "the control moved" }] }, null, alert).text,
    /^No: both commits were measured again, in turn\. T, the control, is at 90.*ns \(the control moved\)\.$/);
  assert.equal(machineWords(calm[0], calm, alert).text,
    "No: both commits were measured again, in turn. T, the control, is at 90.0\u00a0±\u00a01.0\u202fns.", "as before is of the nights");
  const mixed = { portions: [...alert.portions, { portion: "I", dimension: "cpu_ms" }] };
  assert.match(machineWords(calm[0], calm, mixed).text, /^For its times, no: both commits were measured again, in turn\. T/);
  alert.portions[0].dimension = "cpu_ms";
  assert.equal(machineWords(broken, null, alert).text, "No: both commits were measured again, in turn.");
  assert.match(machineWords(night(), null, alert).text, /^No: both commits were measured again, in turn\.$/);
  alert.portions[0].confirmation.state = "believed";
  assert.match(machineWords(broken, null, alert).text, /^Not known: .* this is no time of calls\.$/);
  delete alert.portions[0].dimension;
  assert.match(machineWords(broken, null, alert).text, /^Perhaps: /);
  const some = night({}, [portion("I", 90, { verdict: "environment", standing: "incomparable",
    rule: "machine-unclear", reason: "all but the control moved in this environment" })]);
  assert.equal(machineWords(some, [some]).text, "Perhaps: all but the control moved in this environment.", "no more than its rule says");
  assert.equal(machineWords({ ...broken, environment_unknown: true }, [broken]).text,
    "The level moved, and the machine is not known: T moved by 5 %.");
  const suite = night({}, [portion("T", 90, { verdict: "environment", standing: "incomparable", rule: "new-environment",
    reason: "the environment changed, a new baseline begins here: suite a → b" })]);
  assert.equal(machineWords({ ...suite, environment_unknown: true }, [suite]).text,
    "The machine is not known, but the environment changed, a new baseline begins here: suite a → b.", "what an import compares is told");
  assert.equal(machineWords(null, []), null);
  const imported = { ...calm[0], environment_unknown: true };
  assert.match(machineWords(imported, [imported, imported]).text, /^Unknown: the machine of an imported night is not compared\. T, the control, is as before/);
  const asked = night({}, [{ ...portion("T", 90), verdict: "suspect", standing: "doubtful", words: "suspected, to be measured again" }]);
  assert.match(machineWords(asked, [asked]).text, /^In question: T, the control, is at 90.*ns \(suspected, to be measured again\)\.$/);
  const differs = night({}, [portion("T", 90, { words: "not shown to have changed" }), portion("I", 200)]);
  assert.match(machineWords(differs, [differs]).text, /^Hard to tell: T, the control, is at 90.*ns \(not shown to have changed\)/);
  const large = { portions: [{ portion: "I", difference: { mean_ns: 42 }, confirmation: { state: "believed" } }] };
  assert.match(machineWords(differs, [differs], large).text, /^Hard to tell: T, the control, is at 90.*ns \(not shown to have changed\)/, "no less under an alert");
  large.portions[0].confirmation.state = "confirmed";
  assert.match(machineWords(differs, [differs], large).text, /^No: both commits were measured again, in turn\. T, the control, is at 90.*ns \(not shown to have changed\)\.$/);
  const dated = night({}, [portion("T", 90, { words: "rose, as a later measurement showed" }), portion("I", 200)]);
  assert.match(machineWords(dated, [dated]).text, /^Hard to tell: T, the control, is at 90.*ns \(rose, as a later measurement showed\)/);
  const answered = night({}, [portion("T", 90, { rule: "answered-false", words: "no change here, as somebody said" }), portion("I", 200)]);
  assert.match(machineWords(answered, [answered]).text, /^Hard to tell: T, the control, is at 90.*ns \(no change here, as somebody said\)/);
  const gone = night({}, [portion("T", null, { verdict: "harness", standing: "missing", words: "no result" }), portion("I", 200)]);
  assert.match(machineWords(gone, [gone, { ...gone, night: "2026-01-01" }]).text, /^Not known: T, the control, has no result\.$/);
  const first = night({}, [portion("T", 90, { verdict: "first" }), portion("I", 200)]);
  assert.match(machineWords(first, [first]).text, /^Not known: T, the control, is new/);
});

test("what moved otherwise than the machine is not explained by it", () => {
  const scaled = { verdict: "environment", standing: "incomparable", rule: "common-scale", words: "moved by one factor",
    reason: "T rose by 6 %; one factor for all portions explains it, so the machine is the likely cause" };
  const of = (told, alert, more) => { const at = night({ experiment: 7, ...more }, [portion("T", 90, scaled), portion("I", 200, scaled), portion("C", 801, told)]); return machineWords(at, [at], alert, incidents); };
  const at = (date) => ({ night: date }), incident = { kind: "scale", state: "closed", headline: "2 of 3 configurations × 1.06", to: at("2026-01-01"), seen: at("2026-01-02") };
  const alert = { portion: "C", configuration: "C", difference: range(98, 10) }, level = "T, the control, is at 90.0\u00a0±\u00a01.0\u202fns (moved by one factor).";
  let incidents = [{ ...incident, to: at("2026-01-02"), kind: "noise" }, incident];
  for (const told of [{ verdict: "anomaly", rule: "not-scaled" }, { verdict: "anomaly", rule: "window-interval" }, { rule: "pending", later: "up" }, { ...scaled, later: "up" }])
    assert.deepEqual(of(told, alert), { warn: true, text: `It likely changed, too (2 of 3 configurations × 1.06), and this moved otherwise. ${level}` });
  assert.match(of({ verdict: "anomaly" }, alert, { environment_unknown: true }).text, /^The machine is not known, but likely changed, too \(2 of 3 .*\), and this moved otherwise\. T, /);
  for (const other of [{ seen: at("2026-01-01") }, { to: at("2026-01-03"), seen: at("2026-01-03") }]) { // another change, or the return from it
    incidents = [{ ...incident, ...other }];
    assert.equal(of({ verdict: "anomaly" }, alert).text, `It likely changed, too, and this moved otherwise. ${level}`);
  }
  const since = { ...scaled, reference: { to_experiment: 5 } };
  for (const [from, words] of [[6, "No: it likely changed before this, by 2026-01-01."], [5, "It likely changed, too, and this moved otherwise."]]) {
    const nights = [7, 6, 5].map((experiment) => night({ experiment, night: `2026-01-0${experiment - 5}` }, [portion("T", 90, since), portion("C", 801, { verdict: "anomaly" })]));
    assert.equal(machineWords(nights[0], nights, { ...alert, from: nights[7 - from] }, []).text, `${words} ${level}`);
  }
  assert.match(of(scaled, alert).text, /^Likely: T rose by 6 %; one factor for all portions/, "so the night has this one, too");
  assert.match(of({ verdict: "anomaly" }, null).text, /^Likely: T rose/, "of the night");
  assert.match(of({ verdict: "anomaly" }, { ...alert, confirmation: { state: "confirmed" } }).text, /^No: both commits were measured again, in turn\./);
});

test("an open incident of the machine is told however far back it began", () => {
  const calm = [night(), night({ night: "2026-01-01" })], incident = { kind: "scale", state: "open", headline: "Everything × 0.50", to: { night: "2025-10-02" } };
  const of = (more) => machineWords(calm[0], calm, null, [{ ...incident, ...more }]);
  assert.deepEqual(of({}), { warn: true,
    text: "Not settled: “Everything × 0.50” is open, since 2025-10-02. T, the control, is as before, 90.0\u00a0±\u00a01.0\u202fns." });
  for (const other of [{ state: "closed" }, { kind: "missing" }, { to: { night: "2026-01-03" } }])
    assert.match(of(other).text, /^No: T, the control/);
  const project = { latest: calm[0], enabled: true, open: [] };
  assert.match(standing(project, calm, null, [incident]).textContent, /Is it the machine\?Not settled: /);
});

test("where most loops were disturbed the machine is not cleared", () => {
  const loud = night({ disturbed: "7 of 10 loops of I were disturbed or stood apart" });
  assert.deepEqual(machineWords(loud, [loud]), { warn: true,
    text: "Hard to tell: 7 of 10 loops of I were disturbed or stood apart. T, the control, is as before, 90.0\u00a0±\u00a01.0\u202fns." });
});

test("of unrelated benchmarks none is the control", () => {
  const roots = night({}, [{ ...portion("parse", 90), parent: null }, { ...portion("print", 70), parent: null }]);
  assert.equal(machineWords(roots, [roots]).text, "No control was measured.");
  assert.equal(controlOf(roots.portions), null);
  assert.equal(controlOf([portion("parse", 90)]), null, "a value by itself is what is watched");
  assert.equal(controlOf(night().portions).portion, "T");
  assert.equal(controlOf([...roots.portions, ...night().portions]).portion, "T", "what stands alone beside a chain is no part of it");
});

test("another benchmark's suspect measurement says nothing of an alert", () => {
  const of = (name, more) => portion(name, 90, { parent: null, ...more });
  const roots = night({}, [of("parse"), of("print", { verdict: "harness", standing: "doubtful", reason: "print is not judged" })]);
  const words = (name) => machineWords(roots, [roots], { portions: [{ portion: name, configuration: name, difference: range(40, 2) }] }).text;
  assert.equal(words("parse"), "No control was measured.");
  assert.equal(words("print"), "The measurement is suspect: print is not judged.");
});

test("a writer that was taken away makes no night suspect, one that failed just now is told", () => {
  const missing = portion("W", null, { mean_ns: null, verdict: "harness", standing: "missing", rule: "configuration-missing", reason: "W has no result" });
  const without = night({}, [portion("T", 90), portion("I", 200), missing]);
  const had = night({}, [portion("T", 90), portion("I", 200), portion("W", 900)]);
  assert.match(machineWords(without, [without, without, had]).text, /^No: T/);
  const lost = { text: `W has no result on ${without.night}: its configuration failed or was removed.`, warn: true };
  assert.deepEqual(machineWords(without, [without, had]), lost);
  assert.deepEqual(machineWords(without, null), lost);
  assert.deepEqual(machineWords(without, [without]), lost, "a history of one night knows no better");
  const both = night({}, [portion("T", 90, { verdict: "harness", reason: "exactly doubled" }), missing]);
  assert.match(machineWords(both, [both, had]).text, /^The measurement is suspect: exactly doubled/);
});

test("a control that could have moved unseen clears no machine", () => {
  const range = (mean, half) => ({ mean_ns: mean, low_ns: mean - half, high_ns: mean + half });
  const night = (half) => ({ night: "2026-03-01", environment_changed: false, portions: [{ portion: "T", configuration: "none", parent: null, verdict: "ok",
    ...range(460, half), judged: range(460, half), reference: range(300, half) }] });
  assert.match(machineWords(night(90), [night(90)]).text, /^Hard to tell: T, the control, is as before, 460.±.90.ns\. A change of it by less than 60\.0.% would not have been seen\.$/);
  assert.match(machineWords(night(30), [night(30)]).text, /^No: T/);
  const unknown = { ...night(30), environment_unknown: true };
  assert.match(machineWords(unknown, [unknown, unknown]).text, /^Unknown: the machine of an imported night is not compared\. T, the control, is as before/);
});

test("of an alert the control says no more than it can", () => {
  const nights = [night(), night({ night: "2026-01-01" })], alert = (more) => ({ difference: { mean_ns: 120 }, ...more });
  assert.match(machineWords(nights[0], nights, alert()).text, /^No: T, the control, is as before/);
  assert.equal(machineWords(nights[0], nights, alert({ difference: { mean_ns: -2 } })).text, "Not known: T, the control, is as before, "
    + "90.0\u00a0±\u00a01.0\u202fns. A change of it by less than 3.00\u202f% would not have been seen.");
  assert.equal(machineWords(nights[0], nights, alert({ dimension: "start_ms" })).text,
    "Not known: the control shows the machine by the time of its calls, and this is no time of calls.");
  assert.match(machineWords(nights[0], nights, { portions: [{ dimension: "peak_mb" }, alert()] }).text, /^No: T/);
});

test("under an alert it is its own night's machine that is told of", () => {
  const calm = night({ experiment: 2, night: "2026-01-09" });
  const moved = night({ experiment: 1 }, [portion("T", 95, { verdict: "environment", standing: "incomparable", rule: "common-scale", reason: "T rose, not the code" })]);
  const project = { latest: calm, enabled: true, open: [] };
  const alert = { to: { experiment: 1, night: "2026-01-02", commit: {} }, from: null, difference: range(120, 30), level: 0.95 };
  const machine = (list) => list.textContent.split("Is it the machine?")[1] ?? "";
  assert.match(machine(standing(project, [calm, moved], alert)), /^Likely: T rose/);
  assert.match(machine(standing(project, [calm, moved], null)), /^No: T, the control/);
  assert.match(machine(standing(project, [calm], alert)), /^Of the newest night, 2026-01-09: No: T, the control/);
});

test("who has cleared a suspicion says so", () => assert.equal(sureWords({ confirmation: { state: "cleared", loops: 5 } }),
  "Cleared: both commits were measured again, and the change is not there, at least 5 loops of each."));

test("a list of alerts names the commit that did it, or that surely has it", () => {
  const end = (sha, night) => ({ night, commit: { sha: sha.repeat(40) } });
  const alert = { from: end("a", "2026-01-02"), to: end("b", "2026-01-05"), until: end("c", "2026-01-06") };
  const of = (more) => whenBy({ ...alert, ...more }, null).map((part) => part.textContent ?? part).join("");
  assert.equal(of({ commits: 3 }), " on 2026-01-05, at the latest with ccccccccc");
  const last = { sha: "d".repeat(40) };
  assert.equal(of({ commits: 3, bisection: { last } }), " on 2026-01-05, at the latest with ddddddddd", "where the search ended");
  assert.equal(of({ commits: 3, bisection: { last, rest: "Of the change 20 %" } }), " on 2026-01-05, at the latest with ccccccccc");
  assert.equal(of({ commits: 3, bisection: { culprit: alert.to.commit } }), " on 2026-01-05, with bbbbbbbbb");
  assert.equal(of({ commits: 3, bisection: { culprit: alert.to.commit, rest: "Only 57 %" } }), " on 2026-01-05, partly with bbbbbbbbb");
  assert.equal(of({ commits: 3, bisection: { culprit: alert.to.commit, of: "Writing (W)", alone: "Of W." } }), " on 2026-01-05, Writing (W) with bbbbbbbbb");
  assert.equal(of({ commits: 1, slow: true }), " slowly after 2026-01-02, at the latest with ccccccccc");
  assert.equal(of({ commits: 3, moved: "moved by hand from 2026-01-02 to 2026-01-05" }), " on 2026-01-05, as somebody moved it");
  assert.equal(of({ commits: 0, to: end("a", "2026-01-05"), until: end("a", "2026-01-06") }), " on 2026-01-05, between two measurements of aaaaaaaaa");
});

test("a commit is named where it is known to have done it, else nobody is accused", () => {
  const end = (sha, night) => ({ night, commit: { sha: sha.repeat(40), subject: `${sha} did it`, author: "Ada" } });
  const [from, to, until] = [end("a", "2026-01-02"), end("b", "2026-01-05"), end("c", "2026-01-06")];
  const of = (more) => [commitFact({ from, to, until: to, bisection: null, commits: null, ...more }, null, null)].flat(Infinity)
    .map((part) => part.textContent ?? part).join("");
  assert.equal(of({ commits: 1 }), "bbbbbbbbb b did it by Ada, on 2026-01-05");
  assert.equal(of({ commits: 3, until }), "One of 3 commits after aaaaaaaaa of 2026-01-02 up to ccccccccc of 2026-01-06.");
  assert.equal(of({}), "One of the commits after aaaaaaaaa of 2026-01-02 up to bbbbbbbbb of 2026-01-05.");
  assert.equal(of({ commits: 3, until, slow: true }),
    "It came slowly, with some of the 3 commits after aaaaaaaaa of 2026-01-02 up to ccccccccc of 2026-01-06; they were not measured again.");
  assert.equal(of({ commits: 1, slow: true }), "It came slowly, at the latest with bbbbbbbbb of 2026-01-05; it was not measured again.");
  const search = (state, culprit) => ({ commits: 3, bisection: { state, commits: 3, culprit } });
  const moved = "moved by hand from 2026-01-02 to 2026-01-05: a release (ada)";
  for (const bisection of [null, { state: "found", commits: 1, culprit: to.commit, steps: [] }])
    assert.equal(of({ commits: 1, bisection, moved }), `Not known: ${moved}.`);
  assert.match(of({ bisection: { ...search("found", to.commit).bisection, steps: [{}] }, moved }), /^bbbbbbbbb b did it by Ada/);
  assert.equal(sureWords({ level: 0.95, difference: {}, moved }), "Moved by hand from 2026-01-02 to 2026-01-05: a release (ada).");
  assert.match(of(search("running", null)), /^One of 3 commits after .*; which one is being searched\.$/);
  assert.match(of({ commits: 12, bisection: { state: "range", commits: 12, left: 3 } }),
    /^One of 3 left of the 12 commits after .*; the search found no single commit\.$/);
  assert.match(of(search("range", null)), /; the search found no single commit\.$/);
  const several = search("range", null);
  several.bisection.rest = several.bisection.told = "Of the change 20 % came with it.";
  assert.match(of(several), /^Some of 3 commits after .*; the search found no single commit\. Of the change 20 % came with it\.$/);
  several.bisection.left = 2;
  assert.match(of(several), /^Some of 3 commits after /);
  several.bisection.state = "running";
  assert.match(of(several), /^Some of 3 commits after .*; the search goes on\. Of the change 20 % came with it\.$/);
  assert.equal(of(search("found", until.commit)), "ccccccccc c did it by Ada, found among 3 commits");
  const part = search("found", until.commit);
  part.bisection.told = "Only 50 % of the change came with it.";
  assert.equal(of(part), "ccccccccc c did it by Ada, found among 3 commits. Only 50 % of the change came with it.");
  assert.equal(of({ bisection: { state: "found", commits: 1, culprit: to.commit } }), "bbbbbbbbb b did it by Ada, on 2026-01-05");
  const unknown = { ...to, commit: { ...to.commit, author: "" } };
  assert.equal(of({ commits: 1, to: unknown, until: unknown }), "bbbbbbbbb b did it by an unknown author, on 2026-01-05");
  assert.match(of({ to: from, until: from }), /^aaaaaaaaa Before and after are of the same commit/);
});

test("what waits for a decision is no nothing", () => {
  const doing = (project, alert) => standing({ open: [], ...project }, null, alert).textContent.match(/What is being done\?(.*)/)[1];
  const alert = { id: 3, level: 0.95, difference: {}, from: { commit: {} }, to: { night: "2026-01-02", commit: {} } };
  const imported = { enabled: false, import: {} };
  assert.equal(doing(imported, null), "Nothing is measured here: its nights were imported.");
  assert.equal(doing(imported, alert), "Nothing is measured here: its nights were imported. Alert 3 is open, and waits for somebody's decision.");
  assert.match(doing({ enabled: true }, alert), /^Nothing is queued or being measured\. Alert 3 is open/);
  assert.match(doing({ enabled: true, open: ["1 job is queued"] }, alert), /^1 job is queued\. Alert 3 is open/);
  assert.match(doing({ enabled: true, open_alerts: 3 }, alert), / Alert 3 and 2 more are open, and wait for somebody's decision\.$/);
  assert.equal(doing({ enabled: false }, null), "Nothing: this project is no longer measured.");
});
