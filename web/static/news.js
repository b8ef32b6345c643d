// What is news to a reader: an open alert that has not aged; new since the last visit is what was raised after it.
import { isDoubtful, isMissing } from "/static/words.js";

const AWAY_MS = 30 * 60e3; // a reader who was not here for so long comes back for another visit

/** Open, and not aged: the server counts the days, from the night that showed it or the last decision. */
export const isNews = (alert) => alert.state === "open" && !alert.aged;

/** Open, but no news: for a list that does not shout. */
export const isOld = (alert) => alert.state === "open" && alert.aged;

/** Was it raised after the reader's last visit? All is new to who was never here. */
export const isUnseen = (alert, visit_ms) => visit_ms === null || alert.raised_ms > visit_ms;

/** The newest night's first; of one night, the last raised first. */
export const newestFirst = (alerts) => alerts.toSorted((a, b) => a.to.night === b.to.night ? b.raised_ms - a.raised_ms
  : a.to.night < b.to.night ? 1 : -1);

const STATES = { failed: "whose newest measurement failed", quarantined: "whose newest result is not used" };

/** Why nobody can say that nothing is new in a project, or null: "in question", "whose newest measurement failed". */
export function unclearWords({ latest, clear, suspicions }) {
  if (!latest || clear) return null;
  if (latest.state !== "measured") return STATES[latest.state] ?? `whose newest night is ${latest.state}`;
  const some = (is) => latest.portions?.some(is);
  if (suspicions > 0 || some(isDoubtful)) return "in question";
  if (some(isMissing)) return "not all of which was measured";
  return some((p) => p.standing === "incomparable" || p.verdict === "first") ? "not all of which can be compared with before"
    : "whose newest night is not clear";
}

/** The overview's heading; changed: how many of the projects have news. */
export function overviewWords(projects, changed) {
  const many = (n) => `${n} ${n === 1 ? "project" : "projects"}`;
  if (projects.length === 0) return "No project yet";
  if (changed > 0) return `${changed} of ${many(projects.length)} changed`;
  if (projects.every((p) => !p.latest)) return "No night measured yet";
  const unclear = projects.map(unclearWords).filter(Boolean);
  return unclear.length === 0 ? "Nothing new" : `Nothing certain: ${[...new Set(unclear)]
    .map((words) => `${many(unclear.filter((w) => w === words).length)} ${words}`).join(", ")}`;
}

/** Notes that the reader is here; when the visit before ended, in ms,
  or null when there was none. storage: as localStorage. */
export function lastVisit(storage, now = Date.now()) {
  try {
    const visit = JSON.parse(storage.getItem("visit")) ?? { before: null, seen: null };
    if (visit.seen !== null && now - visit.seen > AWAY_MS) visit.before = visit.seen;
    visit.seen = now;
    storage.setItem("visit", JSON.stringify(visit));
    return visit.before;
  } catch { // a browser that keeps nothing
    return null;
  }
}
