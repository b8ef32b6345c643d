// Nodes that measured one reference commit in turn: by which factor each portion differs between them.
import { h } from "/static/dom.js";
import { row, tableBox } from "/static/parts.js";

const fixed = (x) => x.toFixed(3);

/** "1.081 ± 0.012"; "–" where there is none. */
export function factorWords(factor) {
  if (!factor) return "–";
  return `${fixed(factor.mean)} ± ${fixed((factor.high - factor.low) / 2)}`;
}

/** A node's name stays as it is, also at the head; a factor is not parted from its sign. */
const sentence = (words, node) => `${words.startsWith(node) ? words : words.charAt(0).toUpperCase() + words.slice(1)}.`
  .replaceAll("× ", "×\u00a0");

const link = (item) => h("a", { href: `/projects/${encodeURIComponent(item.project)}` }, item.project);

/** One table a project and node: portions differ between projects. */
function calibration(item) {
  return [
    h("h3", {}, link(item), ": ", h("bdi", {}, item.node), " against ", h("bdi", {}, item.usual), " ",
      item.state === "known" ? null : h("span", { class: "badge warn" }, item.state)),
    h("p", { class: item.state === "known" ? null : "warn" }, sentence(item.sentence, item.node)),
    item.portions.length === 0 ? null : tableBox(`Factors of ${item.node}`, h("table", {},
      h("thead", {}, row(["Portion", `${item.node} / ${item.usual}`], "th")),
      h("tbody", {}, item.portions.map((p) => h("tr", {}, h("th", { scope: "row" }, p.portion),
        h("td", { class: "number" }, factorWords(p.factor))))))),
    h("p", { class: "quiet small" }, `${item.runs} ${item.runs === 1 ? "run" : "runs"} of commit ${item.commit.slice(0, 9)} on ${item.node}, `
      + `${item.usual_runs} on ${item.usual}.`),
  ];
}

/** A section, or null where no project's nodes are calibrated. */
export function calibrationSection(calibrations) {
  const { items, waiting } = calibrations ?? { items: [], waiting: [] };
  if (items.length + waiting.length === 0) return null;
  return h("section", { "aria-labelledby": "calibration" }, h("h2", { id: "calibration" }, "Calibration"),
    waiting.map((w) => h("p", {}, link(w), `: ${w.sentence}.`)), items.map(calibration));
}
