// What is news to a reader: an open alert of a recent night; new since the last visit is what was raised after it.

export const NEWS_DAYS = 30;
const DAY_MS = 864e5;
const AWAY_MS = 30 * 60e3; // a reader who was not here for so long comes back for another visit

/** Open, not aged, and of a night of late: what a history taken in tells of last year is none. */
export const isNews = (alert, now = Date.now()) => alert.state === "open" && !alert.aged
  && now - Date.parse(alert.to.night) < NEWS_DAYS * DAY_MS;

/** Open, but no news: for a list that does not shout. */
export const isOld = (alert, now = Date.now()) => alert.state === "open" && !isNews(alert, now);

/** Was it raised after the reader's last visit? All is new to who was never here. */
export const isUnseen = (alert, visit_ms) => visit_ms === null || alert.raised_ms > visit_ms;

/** The newest night's first; of one night, the last raised first. */
export const newestFirst = (alerts) => alerts.toSorted((a, b) => a.to.night === b.to.night ? b.raised_ms - a.raised_ms
  : a.to.night < b.to.night ? 1 : -1);

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
