// The card of the night under the cursor. Its elements stay: from night to night only texts change, since it is shown
// anew in every frame while the cursor pans.
import { commitLink, h, replace } from "/static/dom.js";
import { interval } from "/static/format.js";
import { portionClass } from "/static/parts.js";
import { verdictWords, whichOf } from "/static/words.js";

/** A piece of the card whose text changes; without one it is hidden. */
function piece(tag, attributes) {
  const element = h(tag, attributes, "");
  let shown = null;
  return { element, show(text) {
    if (text === shown) return;
    shown = text;
    element.textContent = text;
    element.hidden = text === "";
  } };
}

/** A portion's line: its swatch, name, which of several, value and verdict. */
function portionLine() {
  const swatch = h("span", { "aria-hidden": "true" }), name = piece("b", {}), which = piece("span", { class: "quiet" }),
    value = piece("span", {}), verdict = piece("b", {});
  const element = h("li", {}, swatch, name.element, " ", which.element, " ", value.element, " ", verdict.element);
  let coloured = null;
  return { element, show(p, i, all) {
    const colours = `swatch ${portionClass(p.portion, i)}`;
    if (colours !== coloured) swatch.setAttribute("class", coloured = colours);
    name.show(p.portion);
    which.show(whichOf(p, all) ?? "");
    value.show(interval(p));
    verdict.show(p.words ? verdictWords(p) : "");
    element.hidden = false;
  } };
}

const boundaryWords = (night) => [night.environment_changed ? "another environment" : null,
  night.began ? "a new level begins" : null, night.baseline ? "a new level, set by hand" : null,
  night.accepted ? "its change was accepted: a new baseline" : null].filter(Boolean).join(" · ");

/** pattern: the project's commit_url. Returns {element, show(night, marked)}; marked: to compare with, or null. */
export function nightCard(pattern) {
  const date = piece("b", {}), commit = h("span", {}), release = piece("span", { class: "badge" }),
    author = piece("bdi", {}), subject = piece("bdi", {}), list = h("ul", { class: "values" }), state = piece("p", {}),
    boundary = piece("p", { class: "small" }), compare = piece("p", { class: "small" }), lines = [];
  const element = h("div", { class: "nightcard", "aria-live": "polite", hidden: true },
    h("p", {}, date.element, " ", commit, " ", release.element, " ", author.element),
    h("p", { class: "quiet" }, subject.element), list, state.element, boundary.element,
    h("p", { class: "small forfingers" }, "Tap again to open the night."), compare.element);
  let sha = null;
  function showPortions(portions) {
    while (lines.length < portions.length) {
      lines.push(portionLine());
      list.append(lines.at(-1).element);
    }
    lines.forEach((line, i) => i < portions.length ? line.show(portions[i], i, portions)
      : (line.element.hidden = true));
  }
  return { element, show(night, marked) {
    const measured = night.state === "measured";
    date.show(night.night);
    if (sha !== night.commit?.sha) replace(commit, commitLink(night.commit, pattern));
    sha = night.commit?.sha;
    release.show(night.release ?? "");
    author.show(night.commit?.author ?? "");
    subject.show(night.commit?.subject ?? "");
    showPortions(measured ? night.portions : []);
    state.show(measured ? "" : night.headline);
    boundary.show(boundaryWords(night));
    compare.show(marked ? `Shift-click or Shift-Enter compares with ${marked.night}.` : "");
  } };
}
