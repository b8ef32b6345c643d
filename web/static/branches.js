// The branches of a project: which one is shown, which one beside it, and how the others are.
import { commitLink, h, projectPath } from "/static/dom.js";
import { isNews } from "/static/news.js";
import { moreOpen, quietWords } from "/static/words.js";

export const ALONE = "-"; // no branch has this name

const othersOf = (project) => (project.branches ?? []).filter((b) => b.project !== project.name);

/** The branch beside the one that is shown: the one that was asked for, else the first other one; null: none. */
export function besideOf(project, asked) {
  const others = othersOf(project);
  if (asked === ALONE) return null;
  return others.find((b) => b.branch === asked) ?? others[0] ?? null;
}

/** How the other branch stood in each of these nights: its newest measured night by then, or null. All oldest first. */
export function asOf(nights, others) {
  const measured = others.filter((n) => n.state === "measured");
  let next = 0;
  return nights.map(({ night }) => {
    while (next < measured.length && measured[next].night <= night) next++;
    return measured[next - 1] ?? null;
  });
}

/** The page of another branch, and one to draw beside it; go(project), beside(branch or ALONE).
  null: there is one only. */
export function branchChoice(project, chosen, { go, beside }) {
  const others = othersOf(project);
  if (others.length === 0) return null;
  return [h("label", {}, "Branch ", h("select", { onchange: (event) => go(event.target.value) },
    project.branches.map((b) => h("option", { value: b.project, selected: b.project === project.name }, b.branch)))),
  h("label", {}, "beside ", h("select", { onchange: (event) => beside(event.target.value) },
    others.map((b) => h("option", { value: b.branch, selected: b === chosen }, b.branch)),
    h("option", { value: ALONE, selected: !chosen }, "none")))];
}

/** What the other branches say of an alert's commit: "1.15.x lacks this fix." */
export function backportWords(alert, pattern) {
  return alert.branches.map(({ sentence, commit }) => {
    const short = commit?.slice(0, 9);
    return commit && sentence.endsWith(short)
      ? [sentence.slice(0, -short.length), commitLink({ sha: commit, short }, pattern), ". "] : `${sentence}. `;
  });
}

function stateOf(project) {
  const alert = project.alert && isNews(project.alert) ? project.alert : null;
  if (alert) return [h("a", { href: `/alerts/${alert.id}` }, alert.sentence), moreOpen(project.open_alerts)];
  return project.enabled ? `${quietWords(project)}.` : "no longer measured; its nights are kept.";
}

/** How branches are, a line each. */
export const branchLines = (branches) => h("ul", { class: "alerts" }, branches.map((p) => h("li", {},
  h("a", { href: projectPath(p.name) }, p.branch), ": ", stateOf(p))));

/** How the other branches are; projects: all of them. null: there is one only. */
export function otherBranches(project, projects) {
  const others = othersOf(project).map((b) => projects.find((p) => p.name === b.project)).filter(Boolean);
  return others.length === 0 ? null : h("section", { "aria-labelledby": "branches" },
    h("h2", { id: "branches" }, "Other branches"), branchLines(others));
}

/** Things in their order, but those of a further branch right behind those of its project; projectOf(thing). */
export function behindMain(things, projectOf) {
  const names = new Set(things.map((t) => projectOf(t).name));
  const isFurther = (t) => names.has(projectOf(t).main);
  return things.filter((t) => !isFurther(t)).flatMap((t, i, mains) => {
    const name = projectOf(t).name, isLast = mains.findLastIndex((m) => projectOf(m).name === name) === i;
    return isLast ? [t, ...things.filter((o) => projectOf(o).main === name)] : [t];
  });
}

/** Projects without further branches, which each has in further. */
export function withFurther(projects) {
  const names = new Set(projects.map((p) => p.name));
  return projects.filter((p) => !names.has(p.main))
    .map((p) => ({ ...p, further: projects.filter((o) => o.main === p.name) }));
}

/** What keeps other branches from being followed, a notice each. */
export function branchProblems(project, projects) {
  return othersOf(project).map((b) => projects.find((p) => p.name === b.project))
    .filter((p) => p?.enabled && p.problem)
    .map((p) => h("p", { class: "notice bad" }, "Branch ",
      h("a", { href: projectPath(p.name) }, p.branch), `: ${p.problem}`));
}
