// Where an alert's change is: the sentence, the functions, the profiles it comes from.
import { h, spoken } from "/static/dom.js";
import { flame } from "/static/flame.js";
import { signed, time } from "/static/format.js";
import { tableOf } from "/static/parts.js";

const SHOWN = 8; // functions of a portion; the rest is in the profiles

const STATE_WORDS = {
  waiting: "Both commits will be profiled when the node has time for it.",
  failed: "There is no explanation:",
};

// Units of a whole process that are told in larger ones; of calls they are as they are.
const TOLD = { "ns a process": ["ms a process", 1e-6], "ns a start": ["ms a start", 1e-6],
  "bytes a process": ["MB a process", 1 / 2 ** 20] };
const told = (unit) => TOLD[unit] ?? [unit?.includes(" a ") ? unit : `${unit} a call`, 1];

/** "5,210.4", "0.000421": there are few samples a call. */
const units = (number) => number.toLocaleString("en",
  Math.abs(number) < 10 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 1 });

function nameOf({ name }, show) {
  const words = h("code", {}, h("bdi", {}, name));
  return show ? h("button", { type: "button", class: "name", onclick: () => show(name) }, words) : words;
}

/** Scaled to time, or bytes as they are. */
const changed = ({ change: { mean_ns, mean_units } }, factor) => {
  if (Number.isFinite(mean_units)) return (mean_units > 0 ? "+" : "") + units(mean_units * factor);
  return Number.isFinite(mean_ns) ? signed(mean_ns) : "–";
};

/** The functions of one portion, the largest change first; a name shows what is below it, where there is a graph. */
function functions(portion, profiled, show) {
  const [unit, factor] = told(profiled);
  const shown = portion.functions.slice(0, SHOWN);
  if (shown.length === 0) return null;
  return tableOf(`Functions of ${portion.portion}, ${unit}`,
    ["Function", "Called from", "Change", `${unit} before`, "after"], shown.map((f) => h("tr", {},
      h("td", {}, nameOf(f, show), f.state ? ` (${f.state})` : ""),
      h("td", {}, f.caller ? h("code", {}, h("bdi", {}, f.caller)) : "–"),
      [changed(f, factor), units(f.before_units * factor), units(f.after_units * factor)]
        .map((text) => h("td", { class: "number" }, text)))));
}

const download = (profile) => h("li", {}, h("a", { href: profile.url, download: "" },
  `${profile.configuration}, ${profile.end}`));

/** What is known of one portion; without its profiles nothing can be drawn. */
function portionParts(alert, portion, { dimension, unit, removed }, first) {
  const graph = removed ? null : flame(alert, portion, dimension, first);
  return [h("p", { class: "big" }, spoken(portion.sentence)), graph?.element, functions(portion, unit, graph?.show)];
}

const downloads = ({ profiler, profiles }) => profiles.length
  ? h("details", {}, h("summary", {}, `Profiles (${profiler}, collapsed stacks)`), h("ul", {}, profiles.map(download)))
  : null;

/** What the portions allocate, where the runner could tell; it is null of anything but a JVM. */
function allocations(alert, { allocations: of, removed_ms: removed }, flames) {
  if (!of) return null;
  const about = { dimension: "bytes", unit: of.unit, removed };
  return [h("h3", {}, "What it allocates"),
    of.reason ? h("p", { class: "quiet" }, "Allocations were not profiled: ", h("bdi", {}, of.reason)) : null,
    of.portions.map((p, i) => portionParts(alert, p, about, flames[i])), downloads(of)];
}

/** What has to be known beside the sentences. */
function standing(found) {
  return [found.state === "done" ? found.reason ? h("p", { class: "quiet" }, h("bdi", {}, found.reason)) : null
    : h("p", { class: "quiet" }, STATE_WORDS[found.state] ?? found.state, found.reason ? ` ${found.reason}` : ""),
  found.removed_ms ? h("p", { class: "quiet" }, "The profiles were removed ", time(found.removed_ms),
    ". There is no flame graph without them.") : null];
}

/** found: an alert's explanation; null: nobody looks for one; flames: of its portions (loadFlames) */
export function explanation(alert, found, flames) {
  if (!found) return null;
  const about = { dimension: "time", unit: found.unit, removed: found.removed_ms };
  return h("section", { id: "where" }, h("h2", {}, "Where is it?"),
    standing(found),
    found.portions.some((p) => Number.isFinite(p.change_ns)) ? h("p", { class: "quiet small" }, "Times are shares of the change as it was known when it was profiled.") : null,
    found.portions.map((p, i) => portionParts(alert, p, about, flames[i])), downloads(found),
    allocations(alert, found, flames.slice(found.portions.length)));
}
