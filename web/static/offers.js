// What one would compare, offered before anybody types.
import { newestFirst } from "/static/news.js";
import { endOf } from "/static/words.js";

const RELEASES = 2;

/** Of a project's nights (newest first) and its alerts: [{text, a, b}], a and b numbers of experiments. */
export function offersOf(nights, alerts) {
  const measured = nights.filter((n) => n.state === "measured" && n.experiment), newest = measured[0];
  const releases = measured.filter((n) => n.release);
  const release = releases.find((n) => n !== newest);
  const alert = newestFirst(alerts).find((a) => a.from.experiment && a.to.experiment);
  const [late, early] = releases.slice(0, RELEASES);
  return [
    release ? { text: `The newest night, ${newest.night}, with the last release, ${release.release}`,
      a: release.experiment, b: newest.experiment } : null,
    alert ? { text: `The two sides of the last alert: ${alert.headline ?? alert.portion}, ${alert.to.night}`,
      a: alert.from.experiment, b: endOf(alert).experiment } : null,
    early ? { text: `The two newest releases, ${early.release} and ${late.release}`, a: early.experiment, b: late.experiment } : null,
    !release && !alert && measured.length > 1 ? { text: `The newest night, ${newest.night}, with the one before`,
      a: measured[1].experiment, b: newest.experiment } : null].filter(Boolean);
}
