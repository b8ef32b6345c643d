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

const SUGGESTED_MAX = 200;

/** What to offer for a project: releases first, then the newest nights: [{word, text}]. */
export function suggestions(nights) {
  const measured = nights.filter((n) => n.state === "measured" && n.experiment);
  const about = (n) => `${n.night} ${n.commit?.subject ?? ""}`;
  return [...measured.filter((n) => n.release).map((n) => ({ word: n.release, text: about(n) })),
    ...measured.map((n) => ({ word: n.commit?.short ?? n.night, text: about(n) }))].slice(0, SUGGESTED_MAX);
}
