// The nights around a change, however long the history is.
import { list } from "/static/api.js";

const DAY_MS = 864e5;
const NIGHTS_MAX = 5000;
const WIDER = 8; // how much further off to look where nights are rare
const TRIES = 3; // the last of them looks up to today

const dateOf = (ms) => new Date(ms).toISOString().slice(0, 10);

/** All nights since one date, and at least `count` after another where there are so many; newest first. */
async function since(brief, { from, to }, count, now_ms) {
  for (let tried = 1, days = 2 * count; ; tried++, days *= WIDER) {
    const until_ms = tried < TRIES ? Math.min(Date.parse(to) + days * DAY_MS, now_ms + DAY_MS) : now_ms + DAY_MS;
    const found = await list(`${brief}&since=${from}&until=${dateOf(until_ms)}`, NIGHTS_MAX);
    if (until_ms > now_ms || found.filter((n) => n.night > to).length >= count) return found;
  }
}

/** Of nights, newest first, so many on each side of one: oldest first, none where it is not among them. */
export function near(nights, experiment, count) {
  const at = nights.findIndex((n) => n.experiment === experiment);
  return at < 0 ? [] : nights.slice(Math.max(0, at - count), at + count + 1).toReversed();
}

/** A project's nights from `count` before one date to `count` after another, newest first; a few more may come, fewer
 * only where there are no more. path: the project's in the API. */
export async function nightsAround(path, { from, to }, count, now_ms = Date.now()) {
  const brief = `${path}/nights?portions=brief`;
  const [newer, older] = await Promise.all([since(brief, { from, to }, count, now_ms),
    list(`${brief}&until=${from}`, 2 * count)]); // several may be of one date
  return [...newer, ...older.filter((n) => n.night < from)];
}
