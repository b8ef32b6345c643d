import assert from "node:assert/strict";
import { test } from "node:test";
import { endWords, importWords, incidentHref, incidentLine, incidentList, meaningOf, openIncidents } from "/static/incidents.js";

/** As little of a document as lines of text need. */
class Plain {
  constructor(text = "") { this.text = text; }
  append(child) { this.text += child.text; }
  setAttribute(name, value) { if (name === "href") this.text += `<${value}>`; }
}
globalThis.Node = Plain;
globalThis.document = { createElement: () => new Plain(), createTextNode: (text) => new Plain(text) };

const incident = (id, state, lasts = false) => ({ id, state, lasts, headline: "Everything × 0.5", sentence: "all 4" });

test("its page", () => assert.equal(incidentHref({ id: 7 }), "/incidents/7"));

test("when it ends by itself is said of its kind", () => {
  assert.match(endWords({ kind: "scale", lasts: false }), /^when seven nights are measured after it, or when it is taken back\.$/);
  assert.match(endWords({ kind: "missing", lasts: true }), /a result again\. After 30 results without one the configuration is taken as removed\.$/);
  assert.match(endWords({ kind: "noise", lasts: true }), /^when the nights are as before/);
});

test("open ones stand at the head, each with its evidence", () => {
  assert.deepEqual(openIncidents([]), []);
  const lines = openIncidents([incident(1, "open"), incident(2, "closed"), incident(3, "open")]);
  assert.deepEqual(lines.map((line) => line.text),
    ["⚑ </incidents/1>Everything × 0.5: all 4", "⚑ </incidents/3>Everything × 0.5: all 4"]);
});

test("a night has the incident that begins with it, closed or not", () =>
  assert.equal(incidentLine(incident(2, "closed")).text, "⚑ </incidents/2>Everything × 0.5: all 4 (closed)"));

test("the list says what lasts, how many are closed, and why", () => {
  assert.equal(incidentList([]), null);
  const { text } = incidentList([incident(1, "open", true), incident(2, "closed")]);
  assert.doesNotMatch(text, /of the machine/, "some are of configurations without a result, and some have no control");
  assert.ok(text.includes("open, lasts"));
  assert.ok(text.includes("1 closed"));
  const removed = { ...incident(3, "closed"), audit: [{ reason: "opened" }, { reason: "still without a result on 2026-01-09: taken as removed" }] };
  const told = incidentList([removed, { ...removed, id: 4, state: "withdrawn" }]).text;
  assert.match(told, /· closed: still without a result on 2026-01-09: taken as removed.*· withdrawn$/);
  assert.doesNotMatch(told, /over/);
});

test("an import is summed up once", () => {
  assert.equal(importWords(null), null);
  assert.equal(importWords({ nights: 537, changes: 21, incidents: 1, quarantined: 0, gaps: [{ configuration: "prometheus", nights: 211 }] }),
    "Last import: 537 results, in which 21 changes and 1 incident were found; prometheus has no value in 211 of them.");
  const one = { nights: 1, changes: 0, incidents: 0, quarantined: 1, gaps: [] }, flaw = { night: "2026-01-02", reason: "configuration none has no result" };
  assert.equal(importWords(one), "Last import: 1 result, in which 0 changes and 0 incidents were found; 1 of them cannot be judged.");
  assert.match(importWords({ ...one, flaws: [flaw] }), /cannot be judged \(2026-01-02: configuration none has no result\)\.$/);
  assert.match(importWords({ ...one, flaws: [flaw, flaw] }), /no result; …\)\.$/);
});

test("what follows from it is said where its sentence does not say so", () => {
  assert.equal(meaningOf({ kind: "noise", state: "closed" }), null, "it is over");
  assert.equal(meaningOf({ kind: "scale" }), null, "a control that has the factor, or has not, is in the sentence");
  assert.equal(meaningOf({ kind: "noise", state: "open" }).text, "Smaller changes cannot be seen meanwhile.");
});
