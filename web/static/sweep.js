// One sweep: a parameter of the benchmark at several values, each portion with its line and what the line leaves over.
import { get, projectOf } from "/static/api.js";
import { commitLink, crumbs, h, replace } from "/static/dom.js";
import { pathArgument, start, title } from "/static/frame.js";
import { column, interval, levelInterval, signed, time, value } from "/static/format.js";
import { swatch, tableOf } from "/static/parts.js";
import { course, leftOver, portionLines } from "/static/scaling.js";
import { portionWords } from "/static/words.js";

const id = pathArgument();

const PARAMETERS = {
  recursion_depth: { name: "recursion depth", per: "level", factor: 1, tick: String },
  method_time_ns: { name: "method time", per: "µs of method time", factor: 1000, tick: value },
  threads: { name: "threads", per: "thread", factor: 1, tick: String, zero: "0 threads" },
};

const parameterOf = (sweep) => PARAMETERS[sweep.parameter]
  ?? { name: sweep.parameter, per: "unit", factor: 1, tick: String };

const number = (v) => typeof v === "number";

const times = (range, factor) => Object.fromEntries(Object.entries(range)
  .map(([key, v]) => [key, number(v) ? v * factor : v]));

function fitTable(lines, about, sweep) {
  const fitted = lines.filter(({ fit }) => fit);
  return [tableOf("Fitted lines",
    ["Portion", `Per ${about.per}`, `At ${about.zero ?? `${about.name} 0`}`, "Explained", "Points"],
    fitted.map(({ name, fit, place }) => h("tr", {},
      h("th", { scope: "row" }, swatch(name, place), name, " ", h("span", { class: "quiet small" }, portionWords(name))),
      h("td", { class: "number" }, interval(times(fit.slope, about.factor))),
      h("td", { class: "number" }, interval(fit.start)),
      h("td", { class: "number" }, number(fit.r_squared) ? `${(100 * fit.r_squared).toFixed(2)}\u00a0%` : "–"),
      h("td", { class: "number" }, fit.points)))),
    h("p", { class: "quiet small" }, `± is the ${levelInterval(sweep.level)} of the line, from how the points scatter around it.`)];
}

const STATES = { measured: "measured", quarantined: "quarantined", queued: "queued", leased: "being measured",
  failed: "failed", cancelled: "cancelled", done: "done" };

function valueTable(sweep, lines, about) {
  const residual = (line, x) => line.residuals.find((r) => r.x === x);
  const writes = lines.map(({ points }) => column(points.map(({ y, low, high }) =>
    ({ mean_ns: y, low_ns: low, high_ns: high }))));
  return [tableOf("Values", [about.name, ...lines.map(({ name }, i) => [swatch(name, i), name]), "State"],
    sweep.values.map((v) => h("tr", {}, h("th", { scope: "row", "data-name": about.name }, about.tick(v.value)),
      lines.map((line, i) => {
        const p = v.portions.find(({ configuration }) => configuration === line.configuration);
        const left = residual(line, v.value);
        return h("td", { class: "number" }, p ? writes[i](p) : "–",
          left ? h("div", { class: "quiet small" }, signed(left.y)) : null);
      }),
      h("td", {}, v.experiment ? h("a", { href: `/experiments/${v.experiment}` }, STATES[v.state] ?? v.state)
        : STATES[v.state] ?? v.state, v.error ? h("div", { class: "quiet small" }, v.error) : null)))),
    h("p", { class: "quiet small" }, "Below each value: its residual, the distance from the fitted line.")];
}

const HEADS = { running: "is being measured", done: "is complete", incomplete: "is over; some values have no result" };

function show([sweep, project], main) {
  const about = parameterOf(sweep), lines = portionLines(sweep).map((line, place) => ({ ...line, place })),
    fitted = lines.filter(({ fit }) => fit);
  const axis = { name: about.name, tick: about.tick };
  title(`Sweep of ${about.name}`);
  replace(main,
    crumbs(project, sweep.project),
    h("h1", {}, `Portions over ${about.name}`),
    h("p", { class: "big" }, commitLink(sweep.commit, project?.commit_url), " ", h("bdi", {}, sweep.commit.subject)),
    h("p", {}, `This sweep ${HEADS[sweep.state] ?? sweep.state} (${sweep.measured} of ${sweep.points} values). Asked by `,
      h("bdi", {}, sweep.author), " ", time(sweep.asked_ms),
      ". It does not count as a night: it belongs to no series and raises no alerts."),
    lines.length === 0 ? h("p", { class: "notice" }, "Nothing has been measured yet.") : [
      h("figure", { class: "scaling" }, course(lines, axis)),
      fitted.length ? [h("h2", {}, "Residuals"),
        h("figure", { class: "scaling" }, leftOver(fitted, axis)), fitTable(lines, about, sweep)] : null],
    h("section", {}, h("h2", {}, "Values"), valueTable(sweep, lines, about)));
}

async function load() {
  const sweep = await get(`/sweeps/${id}`);
  return [sweep, await projectOf(sweep.project)];
}

start({ load, show, events: { job: () => true, night: () => true } });
