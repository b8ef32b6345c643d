// Two nights side by side: what differs, by how much, how sure, and what could have been seen.
import { ApiError, get, list, projectOf, projectsOf } from "/static/api.js";
import { commitList, commitsBetween, commitsWords } from "/static/between.js";
import { commitLink, h, projectPath, replace, s, safeHref } from "/static/dom.js";
import { start, title } from "/static/frame.js";
import { column, gapUnit, known, levelInterval, percent, percentText, signedInterval, unitFor, value } from "/static/format.js";
import { contentWidth, swatch, tableOf } from "/static/parts.js";
import { isSite } from "/static/place.js";
import { besideFold } from "/static/dimensions.js";
import { chooser } from "/static/chooser.js";
import { differing, settingsTable } from "/static/differing.js";
import { offersOf } from "/static/offers.js";
import { nightList } from "/static/series.js";
import { brief as short, differenceWords, portionWords, whichOf } from "/static/words.js";
import { isNumber, nightOf, nightsFound, splitWish } from "/static/wish.js";

const query = new URLSearchParams(location.search);
const a = query.get("a") ?? "", b = query.get("b") ?? "";
const NIGHTS_MAX = 5000;
const BETWEEN_MAX = 1000; // nights looked through for what to offer
const FOUND_MAX = 20; // nights offered of those that a word may mean
const BETWEEN_AGAIN = 20; // nights that measured a commit once more
const NONE = { items: [], total: 0, reason: null };
const WIDTH_MAX = 760, ROW = 34, LEFT = 40, RIGHT = 16, LETTER = 8;

function head(name, side, pattern) {
  return h("div", {}, h("h2", {}, name, " · ", h("a", { href: `/experiments/${side.experiment}` },
    `${side.project}, ${side.night}`)),
    h("p", {}, commitLink(side.commit, pattern), " ", h("bdi", {}, side.commit?.subject ?? "")),
    h("p", { class: "quiet small" }, h("bdi", {}, side.commit?.author ?? ""),
      side.node === "imported" ? " · imported" : ` · node ${side.node ?? "unknown"}`));
}

/** Differences in percent of A with their intervals, around a zero line. */
function forest(portions, level) {
  const rows = portions.filter((p) => known(p.difference.low_ns) && percent(p.difference.mean_ns, p.a) !== null)
    .map((p) => ({ p, low: 100 * p.difference.low_ns / p.a.mean_ns, mean: p.percent,
      high: 100 * p.difference.high_ns / p.a.mean_ns }));
  if (rows.length === 0) return null;
  const names = rows.map((r) => short(r.p.portion)),
    left = Math.max(LEFT, 16 + LETTER * Math.max(...names.map((n) => n.length)));
  const width = Math.min(contentWidth(), WIDTH_MAX), height = rows.length * ROW + 30;
  const reach = Math.max(...rows.flatMap((r) => [Math.abs(r.low), Math.abs(r.high)])) * 1.05 || 1;
  const x = (v) => left + (width - left - RIGHT) * (v + reach) / (2 * reach);
  return h("figure", { class: "forest" }, s("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": rows.map((r) =>
      `${r.p.portion} ${percentText(r.mean)}, from ${percentText(r.low)} to ${percentText(r.high)}`).join("; ") },
  s("line", { class: "zeroline", x1: x(0), x2: x(0), y1: 0, y2: rows.length * ROW }),
  rows.map((r, i) => {
    const y = i * ROW + ROW / 2;
    return s("g", { class: r.p.claim !== "shown" ? "" : r.mean > 0 ? "apart" : "apart fell" }, s("text", { class: "label", x: 8, y: y + 4 }, names[i]),
      s("line", { class: "range", x1: x(r.low), x2: x(r.high), y1: y, y2: y }),
      s("circle", { class: "dot", cx: x(r.mean), cy: y, r: 5 }));
  }),
  s("text", { class: "tick", x: left, y: height - 6 }, percentText(-reach)),
  s("text", { class: "tick", x: x(0), y: height - 6, "text-anchor": "middle" }, "equal"),
  s("text", { class: "tick", x: width - RIGHT, y: height - 6, "text-anchor": "end" }, percentText(reach))),
  h("figcaption", {},
    `B against A, in percent of A, each with its ${levelInterval(level)}. An interval that does not touch the line is a difference between their loops; nights of one commit may differ by two or three times as much.`));
}

function portionRow(p, i, name) {
  const rose = p.claim === "shown" && p.difference.mean_ns > 0;
  const seen = known(p.detectable_ns)
    ? `${value(p.detectable_ns, unitFor(p.detectable_ns, gapUnit(p.unit)))}${known(p.detectable_percent) ? ` (${percentText(p.detectable_percent).replace("+", "")})` : ""}` : "–";
  return h("tr", {}, h("th", { scope: "row" }, p.portion ? swatch(p.portion, i) : null, name),
    [p.a, p.b].map((side) => h("td", { class: "number" }, column([p.a, p.b])(side))),
    h("td", { class: "number" + (rose ? " loud" : "") }, signedInterval(p.difference),
      h("div", { class: "quiet small" }, percent(p.difference.mean_ns, p.a) ?? "")),
    h("td", {}, h("span", { class: "badge" + (rose ? " loud" : "") }, differenceWords(p))),
    h("td", { class: "number" }, seen));
}

function portionTable(c) {
  const all = c.portions.map((p) => ({ portion: p.portion, configuration: p.configuration_a ?? p.configuration_b }));
  const label = (p, i) => [p.portion, portionWords(p.portion) ? ` ${portionWords(p.portion)}` : null,
    whichOf(all[i], all) ? ` (${whichOf(all[i], all)})` : ""].join("");
  return tableOf("Portions of A and B", ["Portion", "A", "B", "B − A", "Verdict", "Smallest visible difference"],
    [c.portions.map((p, i) => portionRow(p, i, label(p, i))),
      c.total ? portionRow({ ...c.total, portion: null }, 0, "everything on") : null]);
}

const differences = (name, items) => items.length === 0 ? null
  : [h("h3", {}, name), settingsTable(name, ["A", "B"], items)];

/** What happened between A and B on one branch, measured or not, oldest first. */
function between(found, nights, pattern) {
  if (found.total === 0 && !found.reason) return null;
  return h("section", {}, h("h2", {}, found.total ? `${commitsWords(found)} from the older to the newer`
    : "Commits between"),
    h("p", { class: "quiet small" }, "Only the branch's own commits; merged commits are part of their merge."),
    commitList(found, nights, pattern));
}

const OFFERS_PROJECTS = 5; // those with the newest nights: a list, no catalogue
const OFFERS_IMPORTED = 30; // nights of what was imported and is not measured here

/** What one would compare, a line each, of the projects with the newest nights. */
function offers(projects, found) {
  const lines = found.flatMap(({ name, offered }) => offered.map((o) => h("li", {},
    projects.length > 1 ? h("span", { class: "quiet" }, `${projects.find((p) => p.name === name)?.title || name}: `) : null,
    h("a", { href: `/compare?a=${o.a}&b=${o.b}` }, o.text))));
  return lines.length > 0 ? h("ul", { class: "alerts" }, lines) : null;
}

async function findOffers(projects) {
  const newest = projects.filter((p) => p.latest).toSorted((p, q) => p.latest.night < q.latest.night ? 1 : -1)
    .slice(0, OFFERS_PROJECTS);
  return Promise.all(newest.map(async ({ name, repository, enabled }) => {
    const path = projectPath(name), many = enabled || safeHref(repository) ? BETWEEN_MAX : OFFERS_IMPORTED;
    const [nights, alerts] = await Promise.all([list(`${path}/nights?portions=brief`, many), list(`${path}/alerts`, 100)])
      .catch(() => [[], []]);
    return { name, offered: offersOf(nights, alerts) };
  }));
}

function show([c, project, commits, nights, projects, wrong], main) {
  title("Comparison");
  if (!c) {
    if (isSite) {
      replace(main, h("h1", {}, "Compare two nights"), h("p", {},
        "A night's page, an alert's and an incident's lead to the comparisons that this site has. A server compares any two."));
      return;
    }
    replace(main, h("h1", {}, "Compare two nights"), wrong ? wrongWish(wrong) : offers(projects, nights),
      h("p", { class: "quiet" }, "Any two commits, releases, branches or frameworks:"), chooser(projects, a, b));
    return;
  }
  const pattern = project?.commit_url, isTakenIn = [c.a, c.b].some((side) => side.node === "imported");
  replace(main, h("h1", {}, c.headline), c.portions.length ? null : h("p", { class: "big" }, c.sentence),
    c.doubt ? h("p", { class: "notice" }, `${c.doubt}.`) : null,
    isTakenIn ? h("p", { class: "notice" }, "The machine of an imported night is not compared: what differs may come from it.") : null,
    c.same_environment ? null : h("section", { class: "notice bad" }, h("h2", {}, "Measured in different environments"),
      h("p", {}, "What differs below may come from the machine and not from the code."),
      differences("Environment", c.environment)),
    h("div", { class: "columns" }, head("A", c.a, pattern),
      head("B", c.b, c.b.project === c.a.project ? pattern : projects.find((p) => p.name === c.b.project)?.commit_url)),
    isSite ? null : h("p", {}, h("a", { href: `/compare?a=${encodeURIComponent(b)}&b=${encodeURIComponent(a)}` }, "Swap A and B")),
    c.portions.length ? [forest(c.portions, c.level), portionTable(c)] : null,
    h("p", { class: "quiet small" },
      "Welch's intervals over the loops, round by round; of nights that were imported without their loops, from the intervals that the files state. “Smallest visible difference”: anything smaller would be lost in the noise of these two. ",
      [...c.portions, c.total].some((p) => p?.words?.startsWith("not shown"))
        ? "“Not shown to have changed”: two nights may differ by so much by chance, and loops do not show that." : null),
    c.portions.length && !isSite ? besideFold(c) : null,
    c.same_environment ? differences("Environment", c.environment) : null, differences("Benchmark", differing(c.benchmark)),
    between(commits, nights, pattern),
    isSite ? null : h("section", {}, h("h2", {}, "Compare others"),
      chooser(projects, a || String(c.a.experiment), b || String(c.b.experiment), c)));
}

/** What an address named, and no night is; the nights that it may mean, each as its side of the address. */
function wrongWish({ message, side, nights = [] }) {
  const address = (n) => `/compare?${new URLSearchParams({ a, b, [side]: String(n.experiment) })}`;
  return h("div", { class: "notice", role: "alert" }, h("p", {}, message), nights.length ? h("ul", {},
    nights.slice(0, FOUND_MAX).map((n) => h("li", {}, h("a", { href: address(n) }, n.night), " ", commitLink(n.commit), " ",
      h("bdi", {}, n.commit?.subject ?? ""), h("span", { class: "quiet" }, " · ", h("bdi", {}, n.commit?.author ?? ""))))) : null);
}

/** The number of the experiment that an address names: "17", "kieker-java@1.7", or a commit's subject or author. */
async function experimentOf(text, side) {
  if (isNumber(text)) return text;
  const { project, word } = splitWish(text);
  const nights = await list(`${projectPath(project)}/nights?portions=brief`, NIGHTS_MAX);
  const found = word ? nightsFound(nights, word) : [];
  const night = nightOf(nights, word) ?? (found.length === 1 ? found[0] : null);
  if (night) return String(night.experiment);
  throw Object.assign(new ApiError(404, found.length > 0 ? `“${word}” is said of ${found.length} commits that were measured:`
    : `Project ${project} has no measured night that “${word}” names: give a release, the beginning of a commit, a date, or a part of a subject or author.`),
  { side, nights: found });
}

/** The newest nights from one to the other, as many as may have measured the commits that are listed. */
const nightsOf = (path, from, to, commits) => commits.items.length === 0 ? []
  : nightList(path, commits.items.length + BETWEEN_AGAIN, { since: from.night, until: to.night }).catch(() => []);

async function load() {
  if (!a || !b) {
    const projects = await projectsOf();
    return [null, null, NONE, isSite ? [] : await findOffers(projects), projects];
  }
  const projects = await projectsOf();
  let c;
  try {
    const [first, second] = await Promise.all([experimentOf(a, "a"), experimentOf(b, "b")]);
    c = await get(`/compare?a=${first}&b=${second}`);
  } catch (error) {
    if (error.status !== 404 || isSite) throw error;
    return [null, null, NONE, [], projects, error]; // with the form, to try again
  }
  const path = projectPath(c.a.project), project = await projectOf(c.a.project);
  const other = projects.find((p) => p.name === c.b.project);
  if (!project || project.repository !== other?.repository || project.branch !== other.branch) return [c, project, NONE,
    [], projects];
  if (isSite || !safeHref(project.repository)) // imported: no commits to ask for
    return [c, project, NONE, [], projects];
  const [from, to] = [c.a, c.b].sort((p, q) => (p.night < q.night ? -1 : 1));
  const commits = await commitsBetween(project.name, from.commit?.sha, to.commit?.sha);
  return [c, project, commits, await nightsOf(path, from, to, commits), projects];
}

start({ load, show });
