// What is said of a pull request, on its page and in the list.
import { duration, value } from "/static/format.js";
import { sentence } from "/static/words.js";

const MARKED = { slower: "▲ ", faster: "▼ " };

/** The answer of a portion, in the server's words. */
export const answerWords = ({ answer, words }) => (MARKED[answer] ?? "") + words;

/** "Pull request 7", "Merge request 7", or for what was handed in "Commit 0123456". */
export function titleOf(pull) {
  if (pull.number === null) return `Commit ${pull.commit.slice(0, 9)}`;
  const queue = pull.provider === "merge_group" ? " in the merge queue" : "";
  return `${pull.provider === "gitlab" ? "Merge" : "Pull"} request ${pull.number}${queue}`;
}

export const askedBy = (pull) => pull.author ? `, asked by ${pull.author} ` : ", asked ";

/** "5 % of a portion", and where some portion's share is less than the project's least change, "or below 10 ns". */
export function ignoredWords(pull) {
  const share = (p) => pull.percent / 100 * Math.abs(p.before.mean_ns);
  const floored = pull.portions.find((p) => p.before && p.least_ns > 1.001 * share(p));
  const floor = floored ? `, or below ${value(floored.least_ns)},` : "";
  return `changes below ${pull.percent} % of a portion${floor} are ignored`;
}

const isOver = (pull) => ["done", "failed", "dropped"].includes(pull.state);

/** What stands for a merge base without its id: nothing of one is kept where nothing was measured. */
export const baseWords = (pull) => isOver(pull) ? "(not kept)" : "not known yet";

/** "Measured for 3 min of at most 10 min", or that nothing was, or is to be. */
export const spentWords = (pull) => pull.spent_ms > 0
  ? `Measured for ${duration(pull.spent_ms / 1000)} of at most ${duration(60 * pull.minutes)}`
  : isOver(pull) ? "Nothing was measured for it" : `To be measured for at most ${duration(60 * pull.minutes)}`;

/** Where it stands while it is open: its place in the queue and the time that is left. */
export function standingOf(pull) {
  const parts = [];
  if (pull.place > 0) parts.push(`place ${pull.place} in the queue`);
  if (pull.left_seconds !== null) parts.push(`at most ${duration(pull.left_seconds)} of measuring left`);
  return parts.length > 0 ? sentence(parts.join(", ")) : "";
}
