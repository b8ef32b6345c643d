// Levels that people set: those in force for a night or an alert, and the forms to set and undo them.
import { reasonForm } from "/static/decide.js";
import { h, projectPath } from "/static/dom.js";
import { time } from "/static/format.js";

const MOST = 300; // bytes of a reason that the server takes (SRV_BASELINE_BYTES)
const pathOf = (project) => `${projectPath(project)}/baselines`;

/** In words: what was said, of whom it is, and why. */
export function levelWords(level) {
  const of = level.portions ? ` of ${level.portions.map((p) => p.portion).join(", ")}` : "";
  if (!level.alert) return `A new level${of} begins with this night`;
  return level.night ? `The level of alert ${level.alert} begins with ${level.night} instead of ${level.was}`
    : `The level of alert ${level.alert}, which began with ${level.was}, was removed`;
}

/** One in force; done() after it was undone. */
function held(level, done) {
  const undo = reasonForm({ name: `level${level.id}`, done, choices: [["undo", "Undo", "as if it had not been set"]],
    request: (_, reason) => [`/baselines/${level.id}/undo`, { reason }] });
  return h("div", {}, h("p", {}, levelWords(level), ": ", h("bdi", {}, level.reason), " (", h("bdi", {}, level.author),
    ", ", time(level.made_ms), ")"), h("details", {}, h("summary", {}, "Undo"), undo));
}

/** Of a night: levels: the project's in force. */
export function nightLevels(night, levels, done) {
  const boxes = night.portions.map((p) => [p, h("input", { type: "checkbox", name: "portion", value: p.configuration })]);
  const chosen = () => boxes.filter(([, box]) => box.checked).map(([p]) => p.configuration);
  const form = reasonForm({ name: "begin", most: MOST, done, choices: [["begin", "Begin a level",
    "the nights from this one on are compared with one another, not with those before"]],
  fields: h("fieldset", {}, h("legend", {}, "Portions (none chosen: all)"),
    boxes.map(([p, box]) => h("label", { class: "choice" }, box, " ", p.portion))),
  request: (_, reason) => [pathOf(night.project),
    { night: night.night, reason, ...chosen().length ? { portions: chosen() } : {} }] });
  return [levels.filter((l) => l.night === night.night).map((l) => held(l, done)), form];
}

/** Of an alert: moved to another night, or removed; where that was done, how to undo it. */
export function alertLevels(alert, levels, done) {
  const own = levels.filter((l) => l.alert === alert.id);
  if (own.length || alert.state === "withdrawn") return own.map((l) => held(l, done));
  const night = h("input", { id: "movenight", type: "date", value: alert.to.night });
  return [reasonForm({ name: "move", most: MOST, done, choices: [["move", "Move", "its level begins with that night"],
    ["remove", "Remove", "no level begins here; the nights before and after are compared again"]],
  fields: h("div", {}, h("label", { for: "movenight" }, "Night"), night),
  request: (word, reason) => [pathOf(alert.project),
    { alert: alert.id, reason, ...word === "move" ? { night: night.value } : {} }] })];
}
