// The commits between two that were measured, as the project's mirror has them.
import { get } from "/static/api.js";
import { commitLink, h, projectPath } from "/static/dom.js";

const COMMITS_MAX = 200; // shown; of more the newest

/** The branch's commits after one and up to the other: {items, total, reason}; a list that cannot be had says why. */
export async function commitsBetween(project, after, until) {
  if (!after || !until || after === until) return { items: [], total: 0, reason: null };
  return get(`${projectPath(project)}/commits?after=${after}&until=${until}&limit=${COMMITS_MAX}`)
    .catch((error) => ({ items: [], total: 0, reason: error.message }));
}

/** found: as above; nights: those that may have measured one of them; pattern: the project's commit_url. */
export function commitList(found, nights, pattern) {
  if (found.items.length === 0) return found.reason ? h("p", { class: "quiet" },
    `They cannot be listed: ${found.reason}.`) : null;
  const measured = new Map(nights.filter((n) => n.experiment).map((n) => [n.commit?.sha, n]));
  const left = found.total - found.items.length;
  return [left > 0 ? h("p", { class: "quiet small" },
    `The newest ${found.items.length} of ${found.total}; ${left} older ones are left out.`) : null,
    h("ol", { class: "between", start: left + 1, tabindex: 0, "aria-label": "Commits" }, found.items.map((commit) => {
      const night = measured.get(commit.sha);
      return h("li", {}, commitLink(commit, pattern), " ", h("bdi", {}, commit.subject),
        h("span", { class: "quiet" }, " · ", h("bdi", {}, commit.author)),
        night ? [" ", h("a", { class: "small", href: `/experiments/${night.experiment}` }, `night of ${night.night}`)]
          : null);
    }))];
}

/** "12 commits", "1 commit" */
export const commitsWords = (found) => `${found.total} ${found.total === 1 ? "commit" : "commits"}`;

/** Are they those among which an alert's commit was searched for? Later nights may have dated the change anew: then
  these are neither all that the search looked at, nor is the commit surely among them. */
export const areSearched = ({ bisection }, found) =>
  !(bisection?.commits > 0) || [0, bisection.commits].includes(found.total);
