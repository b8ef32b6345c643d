// What happened to the machine or the harness, in lines: at the head of a project, and as a list.
import { h } from "/static/dom.js";

const MEANINGS = { broken: "It is not used.",
  missing: "Its portion, and those measured on top of it, are not judged; the others are. Badge and gate wait until it has a result again, unless the project no longer has the configuration.",
  environment: "The nights in it have a reference of their own.",
  noise: "Smaller changes cannot be seen meanwhile." };

/** What follows from it while it is open, where its sentence does not say so; null: nothing. */
export const meaningOf = ({ kind, state }) => MEANINGS[kind] && state === "open" ? h("p", {}, MEANINGS[kind]) : null;

/** When it is closed without anybody's decision. */
export const endWords = ({ kind, lasts }) => !lasts ? "when seven nights are measured after it, or when it is taken back."
  : kind === "missing" ? "when there is a result again. After 30 results without one the configuration is taken as removed." : "when the nights are as before, or when this has lasted so long that it is taken as usual.";

export const incidentHref = (incident) => `/incidents/${incident.id}`;

/** What it is, why we think so, and whether it is over. */
export const incidentLine = (i) => h("p", { class: "notice incident" },
  "⚑ ", h("a", { href: incidentHref(i) }, h("b", {}, i.headline)), `: ${i.sentence}`, i.state === "closed" ? " (closed)" : "");

/** A line for each that is open. */
export const openIncidents = (incidents) => incidents.filter((i) => i.state === "open").map(incidentLine);

/** "open, lasts", or "closed" and why: what was taken as removed is not over. */
export function stateWords({ state, lasts, audit = [] }) {
  const why = state === "closed" ? audit.at(-1)?.reason : null;
  return state + (lasts ? ", lasts" : "") + (why ? `: ${why}` : "");
}

const item = (i) => h("li", {}, h("span", { class: "quiet" }, "⚑ "), h("a", { href: incidentHref(i) }, i.headline),
  ` · ${i.sentence} · ${stateWords(i)}`);

/** All of them; those that are closed are folded. null: there was none. */
export function incidentList(incidents) {
  if (incidents.length === 0) return null;
  const open = incidents.filter((i) => i.state === "open"), closed = incidents.filter((i) => i.state !== "open");
  return h("section", { "aria-labelledby": "incidents" }, h("h2", { id: "incidents" }, "Incidents"),
    open.length ? h("ul", { class: "alerts" }, open.map(item)) : null,
    closed.length ? h("details", {}, h("summary", {}, `${closed.length} closed`), h("ul", { class: "alerts" }, closed.map(item))) : null);
}

const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/* An import of long ago does not know which. */
function firstFlaw({ flaws: [first, ...more] = [] }) {
  return first ? ` (${first.night}: ${first.reason}${more.length ? "; …" : ""})` : "";
}

/** What the newest import has shown, which may be one night of many, in a sentence; null: nothing was imported. */
export function importWords(taken) {
  if (!taken) return null;
  const gaps = taken.gaps.map((g) => `${g.configuration} has no value in ${g.nights} of them`);
  return `Last import: ${many(taken.nights, "result")}, in which ${[many(taken.changes, "change"), many(taken.incidents, "incident")].join(" and ")} were found`
    + [taken.quarantined ? `${taken.quarantined} of them cannot be judged${firstFlaw(taken)}` : null, ...gaps].filter(Boolean).map((t) => `; ${t}`).join("") + ".";
}
