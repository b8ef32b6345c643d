// Frameworks side by side: the newest night of every project, where it was measured alike, on one scale;
// and portions over recursion depth, where one repository is measured at several.
import { get, list } from "/static/api.js";
import { h, replace, s } from "/static/dom.js";
import { start, title } from "/static/frame.js";
import { interval, unitFor, value } from "/static/format.js";
import { apart, contentWidth, portionClass, row, swatch, tableBox } from "/static/parts.js";
import { fit, grouped, sharedDepths } from "/static/fit.js";
import { brief, portionName } from "/static/words.js";

const PROJECTS_LISTED = 1000, PROJECTS_MAX = 200; // one experiment each is loaded
const LABEL = 16; // between the baselines of two labels
const ROW = 34, BAR = 20, NAME = 190, NARROW = 560;

/** What must be equal to put two projects on one scale, the recursion depth aside. */
function otherConditions(e) {
  const b = e.benchmark ?? {}, d = e.environment_detail ?? {};
  return [`node ${e.node ?? "unknown"}`, d.cpu, `${b.threads ?? "?"} ${b.threads === 1 ? "thread" : "threads"}`,
    `method time ${value(b.method_time_ns ?? 0)}`].filter(Boolean).join(" · ");
}

const depthOf = (e) => e.benchmark?.recursion_depth;
const ascending = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);
const wanted = () => { const depth = new URLSearchParams(location.search).get("depth"); return /^\d+$/.test(depth ?? "") ? Number(depth) : null; };

/** Which recursion depth is shown: all, or one at which every framework was measured. */
function depthChoice(measured) {
  const every = ascending(measured.map(({ e }) => depthOf(e)).filter(Number.isInteger));
  if (every.length < 2) return null;
  const shared = sharedDepths(measured.map(({ project, e }) => ({ of: `${project.repository} ${project.branch}`, depth: depthOf(e) })));
  if (shared.length === 0) return h("p", { class: "quiet small" }, "No recursion depth was measured for every framework.");
  const link = (depth, text) => h("a", { href: depth === null ? "/static/frameworks.html" : `?depth=${depth}`, "aria-current": depth === wanted() ? "true" : null }, text);
  return h("nav", { class: "ranges", "aria-label": "Recursion depth" }, "Recursion depth", link(null, "all"), shared.map((d) => link(d, d)));
}

const conditions = (e) => `recursion depth ${e.benchmark?.recursion_depth ?? "?"} · ${otherConditions(e)}`;

/** The chain from the root to the last leaf of the first branch. */
function chainOf(e) {
  const chain = [];
  let at = e.portions.find((p) => !p.parent);
  while (at && !chain.includes(at)) {
    chain.push(at);
    at = e.portions.find((p) => p.parent === chain[chain.length - 1].configuration);
  }
  return chain;
}

function bars(group) {
  const width = contentWidth(), left = width < NARROW ? 0 : NAME, right = 120;
  const high = Math.max(...group.map(({ e }) => e.total?.high_ns ?? 0)) || 1;
  const x = (v) => left + (width - left - right) * Math.max(v, 0) / high;
  const pitch = left === 0 ? ROW + 18 : ROW;
  return h("figure", { class: "frameworks" }, s("svg", { width, height: group.length * pitch, viewBox: `0 0 ${width} ${group.length * pitch}`, role: "img",
    "aria-label": group.map(({ project, e }) => `${project.title}: ${chainOf(e).map((p) => `${p.portion} ${value(p.mean_ns)}`).join(", ")}`).join("; ") },
  group.map(({ project, e }, i) => {
    const y = i * pitch + (left === 0 ? 20 : 0), unit = unitFor(high);
    let from = 0;
    return [s("text", { class: "label", x: left === 0 ? 0 : left - 10, y: left === 0 ? y - 5 : y + BAR / 2 + 5, "text-anchor": left === 0 ? "start" : "end" },
      brief(project.title, 24)),
    chainOf(e).map((p, k) => {
      if (!(p.mean_ns > 0)) return null;
      const at = from;
      from += p.mean_ns;
      const wide = x(from) - x(at);
      return [s("rect", { class: portionClass(p.portion, k), x: x(at), y, width: Math.max(wide, 0.5), height: BAR },
        s("title", {}, `${p.portion} ${interval(p)}`)),
      wide > 16 && p.portion.length === 1 ? s("text", { class: "inside", x: x(at) + wide / 2, y: y + BAR / 2 + 5, "text-anchor": "middle" }, p.portion) : null];
    }),
    e.total ? [s("path", { class: "whisker", d: `M${x(e.total.low_ns)} ${y + BAR / 2}H${x(e.total.high_ns)}M${x(e.total.low_ns)} ${y + 5}v${BAR - 10}M${x(e.total.high_ns)} ${y + 5}v${BAR - 10}` }),
      s("text", { class: "label", x: Math.min(x(Math.max(e.total.high_ns, from)) + 8, width - right + 8), y: y + BAR / 2 + 5 }, interval(e.total, unit))] : null];
  })));
}

function table(group) {
  const names = [...new Set(group.flatMap(({ e }) => e.portions.map((p) => p.portion)))];
  return tableBox("Portions of each framework", h("table", {},
    h("thead", {}, row(["Project", "Night", ...names.map((n, i) => [swatch(n, i), n, " ", h("span", { class: "quiet small" }, portionName(n) === n ? "" : portionName(n).toLowerCase())]), "Total"], "th")),
    h("tbody", {}, group.map(({ project, e }) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: `/projects/${encodeURIComponent(project.name)}` }, project.title)),
      h("td", {}, h("a", { href: `/experiments/${e.experiment}` }, e.night)),
      names.map((n) => h("td", { class: "number" }, e.portions.filter((p) => p.portion === n).map((p) => h("div", {}, interval(p))))),
      h("td", { class: "number" }, interval(e.total)))))));
}

function compareLinks(group) {
  if (group.length < 2) return null;
  const first = group[0];
  return h("p", { class: "small" }, `Against ${first.project.title}: `, group.slice(1).map(({ project, e }, i) => [i ? " · " : "",
    h("a", { href: `/compare?a=${first.e.experiment}&b=${e.experiment}` }, project.title)]));
}

/** Figure 11.6: a portion's mean over recursion depth, with the fitted line. */
function scaling(about, measured) {
  const commits = new Set(measured.map(({ e }) => e.commit?.sha));
  const lines = new Map();
  for (const { e } of measured)
    for (const p of chainOf(e)) {
      if (!lines.has(p.portion)) lines.set(p.portion, []);
      lines.get(p.portion).push({ x: depthOf(e), y: p.mean_ns, low: p.low_ns, high: p.high_ns });
    }
  const width = Math.min(contentWidth(), 560), height = 260, left = 64, right = 36, top = 10, bottom = 40;
  const all = [...lines.values()].flat();
  const xMax = Math.max(...all.map((p) => p.x)), yMax = Math.max(...all.map((p) => p.high ?? p.y));
  const x = (v) => left + (width - left - right) * v / (xMax || 1), y = (v) => height - bottom - (height - top - bottom) * v / (yMax || 1);
  const depths = [...new Set(all.map((p) => p.x))].sort((a, b) => a - b);
  return h("section", {}, h("h2", {}, "Over recursion depth"), h("p", { class: "quiet small" }, about),
    commits.size > 1 ? h("p", { class: "warn small" }, `The newest nights are of ${commits.size} different commits; so differences may come from the commits.`) : null,
    h("div", { class: "columns" }, h("figure", { class: "scaling" }, s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Portions over recursion depth ${depths.join(", ")}` },
      [0, yMax / 2, yMax].map((v) => [s("line", { class: "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }), s("text", { class: "tick", x: left - 6, y: y(v) + 4, "text-anchor": "end" }, value(v))]),
      depths.map((d) => s("text", { class: "tick", x: x(d), y: height - 22, "text-anchor": "middle" }, d)),
      s("text", { class: "tick", x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, "recursion depth"),
      apart([...lines].map(([name, points]) => ({ name, y: y(points.reduce((last, p) => (p.x >= last.x ? p : last)).y) })), LABEL)
        .map((label) => s("text", { class: "label", x: width - right + 10, y: label.y + 4 }, label.name.slice(0, 3))),
      [...lines].map(([name, points], i) => {
        const line = fit(points);
        return s("g", { class: portionClass(name, i) }, s("path", { class: "line", d: `M${x(0)} ${y(line.start)}L${x(xMax)} ${y(line.start + line.slope * xMax)}` }),
          points.map((p) => [s("line", { class: "whisker", x1: x(p.x), x2: x(p.x), y1: y(p.low ?? p.y), y2: y(p.high ?? p.y) }), s("circle", { cx: x(p.x), cy: y(p.y), r: 4 })]));
      }))),
    tableBox("Fitted lines", h("table", {}, h("thead", {}, row(["Portion", "Cost per level", "At depth 0"], "th")), h("tbody", {}, [...lines].map(([name, points], i) => {
      const line = fit(points);
      return h("tr", {}, h("th", { scope: "row" }, swatch(name, i), name), h("td", { class: "number" }, value(line.slope)), h("td", { class: "number" }, value(line.start)));
    }))))));
}

function show(measured, main) {
  title("Frameworks");
  const shown = wanted() === null ? measured : measured.filter(({ e }) => depthOf(e) === wanted());
  const groups = grouped(shown, ({ e }) => conditions(e)).sort((a, b) => b[1].length - a[1].length);
  const where = ({ project, e }) => `${project.repository} · branch ${project.branch} · ${otherConditions(e)}`;
  const deep = grouped(measured, (m) => where(m) + chainOf(m.e).map((p) => p.configuration)) // other configurations make another line
    .filter(([, items]) => new Set(items.map(({ e }) => depthOf(e))).size > 1).map(([, items]) => [where(items[0]), items]);
  replace(main, h("h1", {}, "Frameworks side by side"),
    h("p", { class: "quiet" }, "The newest measured night of each project. Only results from the same node with the same parameters share a scale."),
    depthChoice(measured),
    measured.length === 0 ? h("p", {}, "Nothing has been measured yet.") : shown.length === 0
      ? h("p", { class: "notice" }, `Nothing was measured at recursion depth ${wanted()}. `, h("a", { href: "/static/frameworks.html" }, "Show all")) : groups.map(([text, items]) =>
      h("section", {}, h("h2", {}, text), bars(items), table(items), compareLinks(items))),
    deep.length ? deep.map(([text, items]) => scaling(text, items)) : h("p", { class: "quiet small" },
      "Measure one repository as several projects that differ in recursion_depth, and their portions are drawn over it here."));
}

async function load() {
  const projects = (await list("/projects", PROJECTS_LISTED)).filter((p) => p.latest?.experiment).slice(0, PROJECTS_MAX);
  const experiments = await Promise.all(projects.map((p) => get(`/experiments/${p.latest.experiment}`).catch(() => null)));
  return projects.map((project, i) => ({ project: { ...project, title: project.title || project.name }, e: experiments[i] }))
    .filter(({ e }) => e && e.portions.length > 0);
}

start({ load, show, events: { night: () => true } });
