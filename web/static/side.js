// What is put side by side on the page of frameworks: a bar a leaf of each tree, and what they have in common.
import { behindMain } from "/static/branches.js";
import { grouped } from "/static/fit.js";
import { lettersOf, portionName } from "/static/words.js";

/** "instrumentation + collection" of "I+C"; a name of its own stays. */
export const spelled = (portion) => lettersOf(portion).map((l) => portionName(l).toLowerCase()).join(" + ") || portion;

/** The chains from the root to every leaf: [{leaf, chain}]. */
export function leavesOf(portions) {
  return portions.filter((p) => !portions.some((q) => q.parent === p.configuration)).map((leaf) => {
    const chain = [];
    for (let at = leaf; at && !chain.includes(at); at = portions.find((p) =>
      p.configuration === chain[0].parent)) chain.unshift(at);
    return { leaf, chain };
  });
}

/** measured: [{project, e}] to bars {project, e, leaf, chain, total, label},
  the dearest first; what has no value is left out. */
export function barsOf(measured) {
  return measured.flatMap(({ project, e }) => {
    const leaves = leavesOf(e.portions);
    return leaves.map(({ leaf, chain }) => {
      const total = e.configurations.find((c) => c.name === leaf.configuration);
      return { project, e, leaf, chain, total, variant: leaves.length > 1 ? total?.label || leaf.configuration : "" };
    });
  }).filter((b) => b.total?.mean_ns > 0 && !b.total.unit).sort((a, b) => b.total.mean_ns - a.total.mean_ns);
}

/** What is measured apart from what, without the control: "instrumentation, collection + writing". */
const kindOf = (bar) => bar.chain.filter((p) => p.parent).map((p) => spelled(p.portion)).join(", ") || "the method alone";

/** Bars of one kind beside each other, since only their portions can be compared: [[kind, bars], …], each in the
 * given order but further branches behind their project, the kind of the first bar first. */
export const kindsOf = (bars) => grouped(bars, kindOf)
  .map(([kind, items]) => [kind, behindMain(items, (bar) => bar.project)]);

/** Why these may not be put beside each other, a sentence each; conditions: [[name, text or null], …] of every one. */
export function cautions(bars, conditions) {
  const unknown = conditions[0].map(([name]) => name).filter((_, i) => conditions.some((c) => c[i][1] === null));
  const merged = [...new Set(bars.flatMap((b) => b.chain).filter((p) => lettersOf(p.portion).length > 1)
    .map((p) => spelled(p.portion)))];
  return [unknown.length > 0 ? `Unknown for some: ${unknown.join(", ")}. They may have been measured differently.`
    : null,
    merged.length > 0
      ? `Some measure only the sum of ${merged.join(" and of ")} (striped): compare those by their totals.`
      : null].filter(Boolean);
}

/** In what a group differs from another: names of the conditions. */
export const differing = (mine, other) => mine.filter(([, text], i) => text !== other[i][1]).map(([name]) => name);
