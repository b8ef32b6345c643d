import "./dom.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { nightCard } from "/static/nightcard.js";
import { cursorLine, markedAs } from "/static/multiples.js";
import { verdictWords } from "/static/words.js";

const portion = (name, mean, more) => ({ portion: name, configuration: name, mean_ns: mean, low_ns: mean - 2, high_ns: mean + 2,
  verdict: "ok", direction: null, ...more });
const night = (more) => ({ night: "2026-03-01", state: "measured", headline: "nothing changed", release: null,
  commit: { sha: "a".repeat(40), short: "aaaaaaaaa", author: "Nora", subject: "a <b> subject" },
  portions: [portion("T", 70), portion("C", 800)], ...more });
/** What is to be seen of the card: the texts of what is not hidden. */
const seen = (node) => node.nodes === undefined ? node.textContent
  : node.hidden ? "" : node.nodes.map(seen).join("");
const textOf = (card) => seen({ ...card.element, nodes: card.element.nodes, hidden: false }).replace(/\s+/g, " ").trim();
const elements = (node) => (node.nodes ?? []).flatMap((child) => [child, ...elements(child)]);

test("a card tells of its night: date, commit, release, values", () => {
  const card = nightCard(null);
  card.show(night({ release: "1.7" }), null);
  assert.match(textOf(card), /^2026-03-01 aaaaaaaaa 1\.7 Nora *a <b> subject *T 70 ± 2 ns *C 800 ± 2 ns *Tap again/);
});

test("from night to night its elements stay and only texts change", () => {
  const card = nightCard(null);
  card.show(night(), null);
  const before = elements(card.element).filter((e) => e.nodes);
  card.show(night({ night: "2026-03-02", portions: [portion("T", 71), portion("C", 805, { verdict: "anomaly", direction: "up", standing: "changed", words: "rose" })] }), null);
  assert.deepEqual(elements(card.element).filter((e) => e.nodes).map((e) => before.indexOf(e)), before.map((_, i) => i));
  assert.match(textOf(card), /^2026-03-02 .*T 71 .*C 805 ± 2 ns rose/);
});

test("a night without values says why, and the next has its own again", () => {
  const card = nightCard("https://example.org/{commit}");
  card.show(night({ state: "failed", headline: "failed: did not build", portions: [] }), null);
  assert.match(textOf(card), /failed: did not build/);
  assert.doesNotMatch(textOf(card), /ns/);
  card.show(night({ portions: [portion("T", 70)] }), null);
  assert.match(textOf(card), /T 70/);
  assert.doesNotMatch(textOf(card), /failed|C 800/);
});

test("what divides the nights, and the one to compare with", () => {
  const card = nightCard(null);
  card.show(night({ environment_changed: true, accepted: true, began: [{ configuration: "C", direction: "up" }] }), { night: "2026-02-01" });
  assert.match(textOf(card), /another environment · a new level begins · its change was accepted: a new baseline/);
  assert.match(textOf(card), /compares with 2026-02-01/);
  card.show(night(), null);
  assert.doesNotMatch(textOf(card), /environment|compares/);
});

test("of several portions with one letter each says which it is", () => {
  const card = nightCard(null);
  card.show(night({ portions: [portion("W", 70, { configuration: "file" }), portion("W", 80, { configuration: "tcp" })] }), null);
  assert.match(textOf(card), /W file 70 .*W tcp 80/);
});

test("a change is marked at the night that its level began with", () => {
  const told = portion("C", 800, { verdict: "anomaly", direction: "up", since: "2026-02-28", words: "rose" });
  assert.equal(markedAs(told, night()).verdict, "ok");
  assert.equal(verdictWords(told), "rose, since 2026-02-28");
  const first = markedAs(portion("C", 800), night({ began: [{ configuration: "C", direction: "down" }] }));
  assert.deepEqual([first.verdict, first.direction], ["anomaly", "down"]);
  const plain = portion("T", 70);
  assert.equal(markedAs(plain, night({ began: [{ configuration: "C", direction: "down" }] })), plain);
  assert.equal(markedAs(portion("C", 800, { verdict: "anomaly" }), night()).verdict, "anomaly");
});

test("the cursor is moved and hidden by its transform alone", () => {
  const { element, move } = cursorLine();
  move(12.34);
  assert.equal(element.style.transform, "translateX(12.3px) scaleY(1)");
  move(null);
  assert.equal(element.style.transform, "");
});
