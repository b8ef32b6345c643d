// Frameworks side by side: the newest night of every project, where it was measured alike, on one scale.
import { get, projectsOf } from "/static/api.js";
import { h, projectPath, replace, s } from "/static/dom.js";
import { start, title } from "/static/frame.js";
import { column, interval, value } from "/static/format.js";
import { contentWidth, portionClass, swatch, tableOf } from "/static/parts.js";
import { isSite } from "/static/place.js";
import { grouped, sharedDepths } from "/static/fit.js";
import { barsOf, cautions, differing, kindsOf, spelled } from "/static/side.js";
import { brief as cut, lettersOf, toldOf } from "/static/words.js";

const PROJECTS_MAX = 200; // one experiment each is loaded
const ROW = 34, BAR = 20, NARROW = 560, LETTER_WIDTH = 7.2, GAP = 10;

/** What must be equal to put two projects on one scale: [[name, text, or null when nobody told], …]. */
function conditionsOf(e) {
  const b = toldOf(e), told = (v, text) => v === null || v === undefined ? null : text;
  return [["recursion depth", told(b.recursion_depth, `recursion depth ${b.recursion_depth}`)],
    ["node", e.node === "imported" ? null : told(e.node, `node ${e.node}`)],
    ["processor", e.environment_detail?.cpu ?? null],
    ["threads", told(b.threads, `${b.threads} ${b.threads === 1 ? "thread" : "threads"}`)],
    ["method time", told(b.method_time_ns, `method time ${value(b.method_time_ns)}`)]];
}

const conditions = (e) => conditionsOf(e).map(([, text]) => text).filter(Boolean).join(" · ")
  || "Measured under unknown conditions";

const depthOf = (e) => toldOf(e).recursion_depth;
const ascending = (numbers) => [...new Set(numbers)].sort((a, b) => a - b);
const wanted = () => { const depth = new URLSearchParams(location.search).get("depth"); return /^\d+$/.test(depth ?? "")
  ? Number(depth) : null; };

/** Which recursion depth is shown: all, or one at which every framework was measured. */
function depthChoice(measured) {
  const every = ascending(measured.map(({ e }) => depthOf(e)).filter(Number.isInteger));
  if (every.length < 2) return null;
  const shared = sharedDepths(measured.map(({ project, e }) =>
    ({ of: `${project.repository} ${project.branch}`, depth: depthOf(e) })));
  if (shared.length === 0) return h("p", { class: "quiet small" },
    "No recursion depth was measured for every framework.");
  const link = (depth, text) => h("a", { href: depth === null ? "/static/frameworks.html" : `?depth=${depth}`,
    "aria-current": depth === wanted() ? "true" : null }, text);
  return h("nav", { class: "ranges", "aria-label": "Recursion depth" }, "Recursion depth", link(null, "all"),
    shared.map((d) => link(d, d)));
}

const nameOf = (b) => b.variant ? `${b.project.title}, ${b.variant}` : b.project.title;

/** A portion's colour; one that holds several letters has stripes of theirs. */
function ink(p, k) {
  const letters = lettersOf(p.portion);
  return letters.length === 1 ? { class: `p-${letters[0]}` } : letters.length > 1
    ? { class: "mix", fill: `url(#mix-${letters.join("")})` } : { class: portionClass(p.portion, k) };
}

const STRIPE = 7;
function stripes(group) {
  const mixes = new Set(group.flatMap((b) => b.chain).map((p) => lettersOf(p.portion)).filter((l) => l.length > 1)
    .map((l) => l.join("")));
  return s("defs", {},
    [...mixes].map((mix) => s("pattern", { id: `mix-${mix}`, patternUnits: "userSpaceOnUse", width: STRIPE * mix.length,
    height: STRIPE, patternTransform: "rotate(45)" },
    [...mix].map((letter, i) => s("rect", { class: `p-${letter}`, x: i * STRIPE, y: 0, width: STRIPE,
      height: STRIPE })))));
}

/** The name of a portion in its bar, as much of it as fits. */
function inside(p, at, wide, y) {
  const text = [spelled(p.portion), p.portion].find((name) => name.length * LETTER_WIDTH + 8 < wide);
  return text ? s("text", { class: "inside", x: at + wide / 2, y: y + BAR / 2 + 5, "text-anchor": "middle" }, text)
    : null;
}

const NAME_LINE = 18;

/** The lines of a name that stands above its bar: two where one is too short for it. */
const linesOf = (b, room) => b.variant && nameOf(b).length > room ? [`${b.project.title},`, b.variant] : [nameOf(b)];

/** The name at the left of its bar, or above it, where y is that of the bar. */
function label(b, { left, room, y }) {
  const whole = s("title", {}, nameOf(b));
  if (left > 0) return s("text", { class: "label", x: left - GAP, y: y + BAR / 2 + 5, "text-anchor": "end" },
    cut(nameOf(b), room), whole);
  const lines = linesOf(b, room);
  return lines.map((line, k) => s("text", { class: "label", x: 0, y: y - 5 - NAME_LINE * (lines.length - 1 - k) },
    cut(line, room), k === 0 ? whole : null));
}

/** Bars of one kind; all: those that share their scale and the room for names. */
function bars(group, all) {
  const width = contentWidth(), longest = Math.max(...all.map((b) => nameOf(b).length)) * LETTER_WIDTH + GAP;
  const left = width < NARROW ? 0 : Math.min(longest, width * 0.4), right = 120;
  const high = Math.max(...all.map((b) => b.total.high_ns ?? b.total.mean_ns)) || 1;
  const write = column(all.map((b) => b.total));
  const x = (v) => left + (width - left - right) * Math.max(v, 0) / high;
  const room = Math.floor(((left || width) - GAP) / LETTER_WIDTH);
  const lines = Math.max(...group.map((b) => linesOf(b, room).length));
  const above = left === 0 ? NAME_LINE * lines : 0, pitch = ROW + above;
  return h("figure", { class: "frameworks" },
    s("svg", { width, height: group.length * pitch, viewBox: `0 0 ${width} ${group.length * pitch}`, role: "img",
    "aria-label": group.map((b) => `${nameOf(b)}: ${b.chain.map((p) => `${p.portion} ${value(p.mean_ns)}`).join(", ")}`)
      .join("; ") },
  stripes(group), group.map((b, i) => {
    const y = i * pitch + (above > 0 ? above + 2 : 0), { low_ns: low, high_ns: top } = b.total;
    let from = 0;
    return [label(b, { left, room, y }),
    b.chain.map((p, k) => {
      if (!(p.mean_ns > 0)) return null;
      const at = from;
      from += p.mean_ns;
      const wide = x(from) - x(at);
      return [s("rect", { ...ink(p, k), x: x(at), y, width: Math.max(wide, 0.5), height: BAR },
        s("title", {}, `${spelled(p.portion)} ${interval(p)}`)), inside(p, x(at), wide, y)];
    }),
    s("path",
      { class: "whisker",
      d: `M${x(low)} ${y + BAR / 2}H${x(top)}M${x(low)} ${y + 5}v${BAR - 10}M${x(top)} ${y + 5}v${BAR - 10}` }),
    s("text", { class: "label", x: Math.min(x(Math.max(top, from)) + 8, width - right + 8), y: y + BAR / 2 + 5 },
      write(b.total))];
  })));
}

/** T, I, C and W have a column each; what is measured as one takes the columns of all its letters. Other names stand
 * in words. */
function cells(b, writers) {
  const write = (p) => writers.get(p.portion)(p);
  const lettered = b.chain.every((p) => lettersOf(p.portion).length > 0),
  named = (p) => [h("span", { class: "quiet small" }, p.portion, " "), write(p)];
  if (!lettered) return h("td", { colspan: 4, class: "number" }, b.chain.map((p) => h("div", {}, named(p))));
  const found = [];
  for (const letter of "TICW") {
    const p = b.chain.find((q) => lettersOf(q.portion).includes(letter));
    if (!p) found.push(h("td", { class: "number" }, "–"));
    else if (lettersOf(p.portion)[0] === letter) found.push(lettersOf(p.portion).length === 1
      ? h("td", { class: "number" }, write(p))
      : h("td", { class: "number", colspan: lettersOf(p.portion).length }, named(p)));
  }
  return found;
}

function table(group, text) {
  const all = group.flatMap((b) => b.chain), total = column(group.map((b) => b.total));
  const writers = new Map(all.map((p) => [p.portion, column(all.filter((q) => q.portion === p.portion))]));
  return tableOf(`Portions of each framework, ${text}`, ["Framework", "Night",
    ...[..."TICW"].map((n, i) => [swatch(n, i), n, " ", h("span", { class: "quiet small" }, spelled(n))]), "Total"],
  group.map((b) => h("tr", {},
    h("th", { scope: "row", class: "wraps" }, h("a", { href: projectPath(b.project.name) }, b.project.title),
      b.variant ? h("div", { class: "quiet small" }, b.variant) : null),
    h("td", {}, h("a", { href: `/experiments/${b.e.experiment}` }, b.e.night)), cells(b, writers),
    h("td", { class: "number" }, total(b.total)))));
}

/** One group: bars and table on one scale, why it stands apart, and of what to beware. */
function section(text, items, first) {
  const group = barsOf(items), mine = conditionsOf(items[0].e);
  const kinds = kindsOf(group), apart = items === first ? [] : differing(mine, conditionsOf(first[0].e));
  if (group.length === 0) return null;
  return h("section", {}, h("h2", {}, text), apart.length ? h("p", { class: "quiet" },
    `On a scale of its own: ${apart.join(", ")} ${apart.length === 1 ? "differs" : "differ"} from the first group's.`)
    : null,
    cautions(group, items.map(({ e }) => conditionsOf(e))).map((caution) => h("p", { class: "warn small" }, caution)),
    kinds.map(([kind, alike]) => [kinds.length > 1 ? h("h3", {}, "Measured apart: ", h("span", { class: "quiet" }, kind)) : null,
      bars(alike, group)]), table(group, text), compareLinks(items));
}

function compareLinks(group) {
  if (group.length < 2 || isSite) return null;
  const first = group[0];
  return h("p", { class: "small" }, `Against ${first.project.title}: `,
    group.slice(1).map(({ project, e }, i) => [i ? " · " : "",
    h("a", { href: `/compare?a=${first.e.experiment}&b=${e.experiment}` }, project.title)]));
}

/** Benchmarks that stand by themselves have no portions to be compared. */
const isChain = ({ e }) => e.portions.some((p) => p.parent);

function show(all, main) {
  title("Frameworks");
  const measured = all.filter(isChain), alone = all.filter((one) => !isChain(one));
  const shown = wanted() === null ? measured : measured.filter(({ e }) => depthOf(e) === wanted());
  const groups = grouped(shown, ({ e }) => conditions(e)).sort((a, b) => b[1].length - a[1].length);
  replace(main, h("h1", {}, "Frameworks side by side"),
    h("p", { class: "quiet" },
      "The latest result of each project, slowest first; branches follow their project. Only results from the same node with the same parameters share a scale."),
    depthChoice(measured),
    measured.length === 0 ? h("p", {}, all.length ? "No project has portions yet." : "Nothing has been measured yet.") : shown.length === 0
      ? h("p", { class: "notice" }, `Nothing was measured at recursion depth ${wanted()}. `,
        h("a", { href: "/static/frameworks.html" }, "Show all"))
        : groups.map(([text, items]) => section(text, items, groups[0][1])),
    alone.length ? h("p", { class: "quiet small" }, "Not drawn, because their benchmarks are unrelated: ",
      alone.map(({ project }, i) => [i ? ", " : "", h("a", { href: projectPath(project.name) }, project.title)]), ".") : null);
}

async function load() {
  const projects = (await projectsOf()).filter((p) => p.latest?.experiment).slice(0,
    PROJECTS_MAX);
  const experiments = await Promise.all(projects.map((p) => get(`/experiments/${p.latest.experiment}`)
    .catch(() => null)));
  return projects.map((project, i) => ({ project: { ...project,
    title: `${project.title || project.name}${project.main ? `, ${project.branch}` : ""}` },
    e: experiments[i] }))
    .filter(({ e }) => e && e.portions.length > 0);
}

start({ load, show, events: { night: () => true } });
