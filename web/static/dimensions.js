// What is counted beside time: a night's table, and a project's nights, a line a portion.
import { get, list } from "/static/api.js";
import { h, projectPath, replace } from "/static/dom.js";
import { known, percentText } from "/static/format.js";
import { isTime } from "/static/levels.js";
import { cutWords, portionClass, scaleWords, sparkline, swatch, tableOf } from "/static/parts.js";
import { MARKS } from "/static/words.js";

const DECIMALS_BELOW = 100;
/** Those that a project's page offers: what each is called there. */
const CHOICE = { instructions: "Instructions a call", allocations: "Allocations a call",
  bytes: "Bytes allocated a call", cpu_ms: "Processor time of a process, ms", start_ms: "Start of a process until the first call, ms",
  first_ms: "First call of a process, ms", peak_mb: "Peak memory of a process, MB", live_mb: "Live memory at the end of a process, MB",
  growth_mb: "Memory grown in the second half of a process, MB",
  p99_ns: "99th percentile of calls, ns", p99_9_ns: "99.9th percentile of calls, ns", lost_percent: "Records lost, %", written_mb: "Written by a process, MB",
  switches: "Context switches of a process", faults: "Page faults of a process",
  collections: "Garbage collections of a process", pauses_ms: "Garbage collector's pauses of a process, ms",
  size_mb: "Files that a process loads, MB" };

/** Of what its numbers are, where they are no times of calls ("First call of a process, ms"), else "". */
export const dimensionWords = (part) => isTime(part) ? "" : CHOICE[part.dimension] ?? part.dimension;

const LEAST_TOLD = 0.005;

/** "5,210", "2.5"; what is less than nothing, but rounds to it, is 0 */
export function count(value) {
  if (!known(value)) return "–";
  if (value > 0 && value < LEAST_TOLD) return "< 0.01";
  return value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < DECIMALS_BELOW ? 2 : 0 }).replace(/^-0$/, "0");
}

/** "+410 (+8.2 %)" of what moved, else null. */
export function change(portion) {
  if (!portion.direction || !known(portion.before?.mean)) return null;
  if (portion.verdict && portion.verdict !== "anomaly") return null;
  const gap = portion.mean - portion.before.mean;
  const share = portion.before.mean > 0 ? ` (${percentText(100 * gap / portion.before.mean)})` : "";
  return `${MARKS[portion.direction] ?? "●"} ${gap > 0 ? "+" : ""}${count(gap)}${share}`;
}

const titleOf = (d) => d.per === "call" ? d.label : `${d.label} (a process)`;

/** What is no difference has the name of its configuration and not of the portion. of: its time, which knows why it is
  not there. */
function cell(portion, of) {
  const moved = portion ? change(portion) : null;
  const missing = !known(portion?.mean) && of.rule === "configuration-missing" ? of.reason : null;
  return h("td", { class: "number", title: portion?.reason ?? missing }, portion ? count(portion.mean) : "–",
    portion?.portion && portion.portion !== of.portion ? h("div", { class: "small quiet" }, "whole process") : null,
    moved ? h("div", { class: "small" + (portion.direction === "up" ? " loud" : "") }, moved) : null,
    portion?.words ? h("div", { class: "small warn" }, portion.words) : null);
}

/** A row a portion, a column a dimension; portions as the night has them. Less is better of all: what rose is loud. */
export function dimensionTable(dimensions, portions) {
  return tableOf("What was counted", ["Portion", ...dimensions.map(titleOf)], portions.map((p, i) =>
    h("tr", {}, h("th", { scope: "row" }, swatch(p.portion, i), p.portion),
      dimensions.map((d) => cell(d.portions.find((q) => q.configuration === p.configuration), p)))));
}

/** The project's limits that a night did not meet for sure; of the others only how many; null where it has none. */
export function limitLines(limits = []) {
  const broken = (l) => l.state === "above" || l.state === "below";
  const open = limits.filter((l) => l.state !== "met");
  if (open.length === 0) return limits.length ? h("p", { class: "quiet" }, `Limits met: ${limits.length}.`) : null;
  return h("ul", { class: "notice limits" + (open.some(broken) ? " bad" : "") },
    open.map((l) => h("li", { class: broken(l) ? "loud" : null }, l.sentence)));
}

/** Some of them, folded; null where there are none. words: "No confirmed change". */
const folded = (words, dimensions, portions) => dimensions.length === 0 ? null
  : h("details", { class: "fold" }, h("summary", {}, `${words}: `, h("span", { class: "quiet" }, dimensions.map((d) => d.label).join(", "))), dimensionTable(dimensions, portions));

/** Those of which there is something to say in front, and the others folded: of what nobody judged, or could, nobody
  says that it has not changed. */
function tables(e) {
  const moved = e.dimensions.filter((d) => d.portions.some((p) => change(p) || p.words));
  const still = e.dimensions.filter((d) => !moved.includes(d));
  const judged = still.filter((d) => d.portions.some((p) => p.verdict));
  return [moved.length ? dimensionTable(moved, e.portions) : null,
    folded(moved.length ? "Without a confirmed change" : "No confirmed change", judged, e.portions),
    folded("Not judged", still.filter((d) => !judged.includes(d)), e.portions)];
}

/** The night's section; null where nothing was counted. */
export function dimensionSection(e) {
  if (!e.dimensions?.length) return null;
  const counters = [...new Set(e.dimensions.map((d) => d.per === "call" && d.counter).filter(Boolean))];
  const notes = [...new Set(e.dimensions.map((d) => d.note).filter(Boolean))];
  return h("section", { id: "counted" }, h("h2", {}, "What a call does"),
    e.counted ? h("p", { class: "big" }, `${e.counted}.`) : null,
    tables(e),
    e.dimensions.map((d) => d.threads && h("p", { class: "quiet small" }, `Processor by thread, of one processor: ${d.threads}.`)),
    notes.map((note) => h("p", { class: "quiet small" }, `No difference is taken: ${note}.`)),
    h("p", { class: "quiet small" }, counters.length ? `Counted by ${counters.join(" and ")} in short loops of their own` +
      ", compared with the level that was reported last." : "Read from the measured processes.",
    " Each value is the plain mean of this night's loops, and so is its distance from the level before. Verdicts and alerts judge it as times are judged, so their numbers may differ."));
}

const portionOf = (night, dimension, configuration) =>
  night.dimensions?.find((d) => d.dimension === dimension)?.portions.find((p) => p.configuration === configuration);

/** A row a portion of a comparison, a column a dimension that both nights have: "A → B"; null: they have none. */
export function besideTable(portions, a, b) {
  const both = (b.dimensions ?? []).filter((d) => a.dimensions?.some((other) => other.dimension === d.dimension));
  return both.length === 0 ? null : tableOf("What A and B take beside time", ["Portion", ...both.map(titleOf)],
    portions.map((p, i) => h("tr", {}, h("th", { scope: "row" }, swatch(p.portion, i), p.portion),
      both.map((d) => h("td", { class: "number" }, [[a, p.configuration_a], [b, p.configuration_b]]
        .map(([night, name]) => count(portionOf(night, d.dimension, name)?.mean)).join(" → "))))));
}

/** Of a comparison, folded: nothing is asked for before it is opened. */
export function besideFold(c, read = get) {
  const box = h("div", {});
  return h("details", { class: "fold", ontoggle: () => box.textContent ? null
    : Promise.all([c.a, c.b].map((side) => read(`/experiments/${side.experiment}`)))
      .then(([a, b]) => replace(box, besideTable(c.portions, a, b)
        ?? h("p", { class: "quiet" }, "Nothing of it was read in both nights.")))
      .catch((error) => replace(box, h("p", { class: "notice" }, `The counts could not be read: ${error.message}`))) },
  h("summary", {}, h("h2", {}, "Beside time"), h("span", { class: "quiet" }, "processor, start, memory, lost records")), box);
}

function line(nights, portion, index) {
  const { portion: name, configuration } = portion;
  const values = nights.toReversed().map((n) => n.portions.find((p) => p.configuration === configuration)?.mean);
  const last = nights[values.length - 1 - values.findLastIndex(known)], cut = cutWords(values, [], count);
  return last ? h("figure", { class: "course" },
    sparkline(values, portionClass(name, index), name, [], count), h("figcaption", {},
      `${name}: ${count(values.findLast(known))} on ${last.night}; ${values.filter(known).length} values, scale ${scaleWords(values, [], count)}${cut ? ` (${cut})` : ""}`))
    : null;
}

/** A figure a portion of the newest night that counted. */
export function lines(nights) {
  if (nights.length === 0) return h("p", { class: "quiet" }, "This was not counted in any night.");
  return h("div", { class: "courses" }, nights[0].portions.map((p, i) => line(nights, p, i)));
}

/** Of an alert: the course of each dimension beside time that it moved, folded. */
export function dimensionsOf(alert, most) {
  const names = [...new Set((alert.portions ?? [alert]).map((p) => p.dimension ?? "time"))].filter((name) => CHOICE[name]);
  return names.map((name) => {
    const box = h("div", {}), open = !(alert.portions ?? [alert]).some(isTime); // else the times are the evidence
    return h("details", { class: "fold", open, ontoggle: () => box.textContent ? null : draw(box, alert.project, name, most) },
      h("summary", {}, h("h2", {}, CHOICE[name])), box);
  });
}

const nightsOf = (project, name, most, read = list) =>
  read(`${projectPath(project)}/dimensions?dimension=${name}`, most);

/** What is asked for, an element, stands in the box once it has come. */
const fill = (box, asked) => asked.then((element) => replace(box, element))
  .catch((error) => replace(box, h("p", { class: "notice" }, `The counts could not be read: ${error.message}`)));

const draw = (box, project, name, most) => fill(box, nightsOf(project, name, most).then(lines));

/** The first of the choices that any night counted, chosen in the list: what nobody counted is no beginning. */
async function firstCounted(select, project, most, read) {
  for (const name of Object.keys(CHOICE)) {
    const nights = await nightsOf(project, name, most, read);
    if (nights.length === 0) continue;
    select.value = name;
    return lines(nights);
  }
  return h("p", { class: "quiet" }, "Nothing was counted beside time in any night.");
}

/** A project's section, folded: nothing is asked for before it is opened. */
export function dimensionFold(project, most, read = list) {
  const box = h("div", {}), select = h("select", { onchange: () => draw(box, project, select.value, most) },
    Object.entries(CHOICE).map(([name, words]) => h("option", { value: name }, words)));
  let asked = false;
  const element = h("details", { class: "fold", id: "counted", ontoggle: () => {
    if (asked) return;
    asked = true;
    fill(box, firstCounted(select, project, most, read));
  } }, h("summary", {}, h("h2", {}, "What a call does"), h("span", { class: "quiet" },
    "instructions, allocations, processor, start, memory, lost records")), h("label", {}, "Dimension ", select), box);
  return element;
}
