// What names a night in an address: the number of its experiment, or a project and a word: "kieker-java@1.7".

export const isNumber = (text) => /^\d+$/.test(text);
const COMMIT_MIN = 4; // digits of a commit that are taken for one

/** "kieker-java@1.7" to its parts; without a word it is the newest night. */
export function splitWish(text) {
  const at = text.indexOf("@");
  return at < 0 ? { project: text, word: "" } : { project: text.slice(0, at), word: text.slice(at + 1) };
}

export const joinWish = (project, word) => word ? `${project}@${word}` : project;

/** The measured night that a word names: a release, a date, the beginning of a commit; nights: newest first. */
export function nightOf(nights, word) {
  const measured = nights.filter((n) => n.state === "measured" && n.experiment);
  if (!word) return measured[0] ?? null;
  const prefix = word.length >= COMMIT_MIN && /^[0-9a-f]+$/i.test(word) ? word.toLowerCase() : null;
  return measured.find((n) => n.release === word) ?? measured.find((n) => n.night === word)
    ?? (prefix && measured.find((n) => n.commit?.sha?.startsWith(prefix))) ?? null;
}

/** Does any of a night's words hold the text? Date, commit, subject, author, release, note. */
export function isFound(night, text) {
  const wanted = text.trim().toLowerCase(), { sha, subject, author } = night.commit ?? {};
  return [night.night, subject, author, night.release, night.note].some((word) => word?.toLowerCase().includes(wanted))
    || Boolean(wanted && sha?.startsWith(wanted));
}

/** Of each commit whose subject, author or note holds the text the newest measured night. */
export function nightsFound(nights, text) {
  const found = new Map();
  for (const n of nights)
    if (n.state === "measured" && n.experiment && isFound(n, text) && !found.has(n.commit?.sha)) found.set(n.commit?.sha, n);
  return [...found.values()];
}

const SUGGESTED_MAX = 200;

/** What to offer for a project: releases first, then the newest nights: [{word, text}]. */
export function suggestions(nights) {
  const measured = nights.filter((n) => n.state === "measured" && n.experiment);
  const about = (n) => [n.night, n.commit?.subject, n.commit?.author].filter(Boolean).join(" ");
  return [...measured.filter((n) => n.release).map((n) => ({ word: n.release, text: about(n) })),
    ...measured.map((n) => ({ word: n.commit?.short ?? n.night, text: about(n) }))].slice(0, SUGGESTED_MAX);
}
