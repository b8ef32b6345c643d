import assert from "node:assert/strict";
import { test } from "node:test";
import { answering } from "./dom.mjs";
import { answerOf, decide, decisionsTold, doneOf, reasonForm, whenWords } from "/static/decide.js";

function stored(values = {}) {
  globalThis.sessionStorage = { getItem: (key) => values[key] ?? null, setItem: (key, text) => { values[key] = text; } };
  return values;
}

/** The form of an alert, filled in. */
function formOf(alert = { id: 7, state: "open" }, ...more) {
  const done = [];
  const form = decide(alert, () => done.push(true), ...more);
  form.one("textarea").value = "ticket 12";
  form.one("input").value = "t7";
  return { form, done, buttons: form.all("button") };
}

test("every choice but the one that stands", () => {
  stored();
  const of = (state) => formOf({ id: 7, state }).buttons.map((b) => b.getAttribute("value"));
  assert.deepEqual(of("open"), ["acknowledged", "accepted", "false", "fixed"]);
  assert.deepEqual(of("fixed"), ["acknowledged", "accepted", "false", "open"]);
  const { form, buttons } = formOf({ id: 1, state: "a" }, "/incidents/1/state", [["a", "A", "x"], ["b", "B", "y"]]);
  assert.deepEqual(buttons.map((b) => b.textContent), ["B"]);
  assert.match(form.textContent, /B: y\.$/);
});

test("a decision goes out with its reason, and the tab keeps the token", async () => {
  const values = stored();
  const asked = answering([200, {}]);
  const { form, done, buttons } = formOf();
  await form.fire("submit", { submitter: Object.assign(buttons[1], { value: "accepted" }) });
  assert.equal(asked[0].path, "/api/v1/alerts/7/state");
  assert.deepEqual(JSON.parse(asked[0].body), { state: "accepted", reason: "ticket 12" });
  assert.equal(asked[0].headers.authorization, "Bearer t7");
  assert.deepEqual([values.token, done], ["t7", [true]]);
  assert.ok(buttons.every((b) => b.disabled), "not twice");
  assert.equal(decide({ id: 7 }, () => {}).one("input").getAttribute("value"), "t7");
});

test("a refusal is told, the token asked for again and nothing kept", async () => {
  for (const [answer, tag] of [[[401, { detail: "unknown token" }], "input"], [[403, { detail: "unknown token" }], "input"],
    [[409, { detail: "unknown token" }], "button"]]) {
    const values = stored();
    answering(answer);
    const { form, done, buttons } = formOf();
    await form.fire("submit", { submitter: buttons[0] });
    assert.match(form.textContent, /Not accepted: unknown token/);
    assert.equal(document.activeElement.tag, tag);
    assert.ok(buttons.every((b) => !b.disabled));
    assert.deepEqual([values, done], [{}, []]);
  }
});

test("storage that is forbidden only means to type the token again", async () => {
  const forbid = () => { throw new Error("SecurityError"); };
  globalThis.sessionStorage = { getItem: forbid, setItem: forbid };
  answering([200, {}]);
  const { form, done, buttons } = formOf();
  assert.equal(form.one("input").getAttribute("value"), "");
  await form.fire("submit", { submitter: buttons[0] });
  assert.deepEqual(done, [true]);
});

test("a form that needs no reason asks for none", async () => {
  stored({ token: "t7" });
  const asked = answering([200, {}]);
  const form = reasonForm({ choices: [["resume", "Resume", "it works"]], why: false, done: () => {},
    request: (word) => ["/nodes/n1", { paused: word !== "resume" }] });
  assert.deepEqual(form.all("label").map((label) => label.textContent), ["Token with scope run, kept until this tab is closed"]);
  await form.fire("submit", { submitter: { value: "resume" } });
  assert.deepEqual(JSON.parse(asked[0].body), { paused: false });
});

test("what was decided is told with who and why; nothing is told in words", () => {
  assert.equal(decisionsTold([], "None yet.").textContent, "None yet.");
  const told = decisionsTold([{ at_ms: 0, from: "open", to: "fixed", author: null, reason: "<b>" }], "");
  assert.equal(told.textContent, "never somebody open → fixed: <b>");
});

test("an alert that is open again has been answered", () => {
  const of = (state, audit) => answerOf({ state, audit })?.map((part) => part.textContent ?? part).join("") ?? null;
  const raised = { from: "open", to: "open" }, fixed = { from: "open", to: "fixed", author: "Ada", reason: "reverted" };
  assert.equal(of("open", [raised]), null);
  assert.equal(of("fixed", [raised, fixed]), "answered “fixed” by Ada: reverted");
  assert.equal(of("open", [raised, fixed, { from: "fixed", to: "open", author: null, reason: "it is back" }]), "open again by somebody: it is back");
});

test("what a person moved is told, and the detector's remarks are not", () => {
  const remark = { from: "open", to: "open", author: "detector", reason: "the range is smaller now" };
  const hand = { at_ms: 0, from: "open", to: "open", author: "Ada", reason: "it began a night later" };
  assert.deepEqual(doneOf({ audit: [{ from: "open", to: "open" }, remark, hand] }), [hand]);
  assert.match(decisionsTold([hand], "").textContent, / Ada: it began a night later$/);
});

test("of imported nights no instant is made up", () => {
  const text = (parts) => [parts].flat(Infinity).map((part) => part.textContent ?? part).join("");
  assert.equal(text(whenWords({ imported: true }, "raised", 86400000)), " found in imported nights");
  assert.match(text(whenWords({}, "raised", 86400000)), /^ raised .*1970/);
  const audit = [{ at_ms: 86400000, from: "open", to: "fixed", author: "detector", reason: "alert 4" },
    { at_ms: 86400000, from: "fixed", to: "open", author: "Ada", reason: "no" }];
  assert.match(decisionsTold(audit, "", true).textContent, /^detector open → fixed: alert 4.*1970.* Ada fixed → open: no$/);
  assert.match(decisionsTold(audit, "").textContent, /1970.* detector open → fixed/);
  const aged = { at_ms: 86400000, from: "open", to: "open", author: "ageing", reason: "nothing was decided for 30 days" };
  assert.equal(decisionsTold([aged], "", true).textContent, "ageing: nothing was decided for 30 days");
  assert.match(decisionsTold([audit[1], aged], "", true).textContent, /1970.* ageing: nothing/);
});
