// A project: verdict, Figure 11.15, every portion on its own scale, the table, the alerts.
import { get, list } from "/static/api.js";
import { commitLink, h, replace, safeHref } from "/static/dom.js";
import { currentTheme, pathArgument, start, title } from "/static/frame.js";
import { time } from "/static/format.js";
import { multiples } from "/static/multiples.js";
import { nightTable } from "/static/nighttable.js";
import { contentWidth, progressBar } from "/static/parts.js";
import { alertSentence, MARKS } from "/static/words.js";

const NIGHTS_MAX = 5000; // what the API hands out at most
const CHART_WIDTH_MAX = 1600;
const RANGES = [[30, "30 nights"], [90, "90"], [365, "365"], [0, "all"]];
const name = pathArgument();
const path = `/projects/${encodeURIComponent(name)}`;
let bar = null;

/** How many nights to show, from the address: ?nights=90; 0 is all. */
function wantedNights() {
  const wanted = Number.parseInt(new URLSearchParams(location.search).get("nights") ?? "", 10);
  return RANGES.some(([n]) => n === wanted) ? wanted : RANGES[0][0];
}

function verdict(project, alerts) {
  const open = alerts.filter((a) => a.state === "open");
  if (project.problem) return h("p", { class: "notice bad" }, project.problem);
  if (open.length > 0) {
    const newest = open[0].to; // what one commit did to several portions is one piece of news
    return [open.filter((a) => a.to.experiment === newest.experiment).map((a) =>
      h("p", { class: "verdict loud big" }, `${MARKS[a.direction] ?? "●"} `, h("a", { href: `/alerts/${a.id}` }, alertSentence(a)))),
    h("p", {}, `on ${newest.night}, with `, commitLink(newest.commit, project.commit_url), " ",
      h("bdi", {}, `“${newest.commit?.subject ?? ""}”`), " by ", h("bdi", {}, newest.commit?.author ?? "an unknown author"))];
  }
  if (project.nights === 0)
    return h("p", { class: "verdict big" }, "No night measured yet. The next is due ",
      time(project.next_night_ms, { relativeToNow: true }), ".");
  return h("p", { class: "verdict big" }, `✓ Nothing new for ${project.quiet_nights} ${project.quiet_nights === 1 ? "night" : "nights"}.`);
}

function ranges(shown, total) {
  return h("nav", { class: "ranges", "aria-label": "Range of nights" }, RANGES.map(([n, text]) =>
    h("a", { href: `?nights=${n}`, "aria-current": n === shown ? "true" : null }, n === 0 ? `all ${total}` : text)));
}

/** The chart as an image: its size is known before it is loaded, so nothing jumps. */
function chart(nights, count) {
  const image = h("img", { class: "chart", alt: "" });
  const figure = h("figure", { class: "chartbox" }, image);
  const address = (ending, more) => `/charts/${encodeURIComponent(name)}.${ending}?` +
    new URLSearchParams({ nights: String(count || Math.max(nights.length, 1)), ...more });
  function draw(width) {
    const size = { width: String(Math.max(Math.round(width / 20) * 20, 240)), height: width < 520 ? "320" : "400" };
    image.width = Number(size.width);
    image.height = Number(size.height);
    image.alt = `Bars of ${nights.length} nights, stacked from their portions; the table below holds the same values.`;
    const newest = nights[0];
    image.src = address("svg", { ...size, theme: currentTheme() }) + (newest ? `&v=${newest.experiment ?? newest.job}` : "");
  }
  let width = Math.min(contentWidth(), CHART_WIDTH_MAX);
  draw(width);
  addEventListener("themechange", () => { if (figure.isConnected) draw(width); });
  new ResizeObserver(([entry]) => {
    const next = Math.min(Math.floor(entry.contentRect.width), CHART_WIDTH_MAX);
    if (next > 0 && Math.abs(next - width) >= 20) draw(width = next);
  }).observe(figure);
  figure.append(h("figcaption", { class: "small" }, "Download: ",
    h("a", { href: address("svg", {}) }, "SVG"), " ", h("a", { href: address("png", { scale: "2" }) }, "PNG"), " ",
    h("a", { href: `/api/v1${path}/nights?limit=${NIGHTS_MAX}` }, "JSON")));
  return figure;
}

function alertList(alerts, project) {
  if (alerts.length === 0) return h("p", { class: "quiet" }, "No alert so far.");
  return h("ul", { class: "alerts" }, alerts.map((a) => h("li", {},
    h("span", { class: a.state === "open" ? "loud" : "quiet" }, `${MARKS[a.direction] ?? "●"} `),
    h("a", { href: `/alerts/${a.id}` }, alertSentence(a)), ` on ${a.to.night}, `,
    commitLink(a.to.commit, project.commit_url), ` · ${a.state}`)));
}

function about(project) {
  const href = safeHref(project.repository ?? "");
  return h("p", { class: "quiet small" }, href ? h("a", { href, rel: "noopener" }, project.repository) : project.repository,
    ` · branch ${project.branch} · last looked `, time(project.polled_ms, { relativeToNow: true }),
    " · next night ", time(project.next_night_ms), project.queued ? ` · ${project.queued} queued` : "");
}

function show([project, nights, alerts], main) {
  title(project.title || project.name);
  const count = wantedNights();
  const shown = count === 0 ? nights : nights.slice(0, count);
  bar = project.running ? { id: project.running.id, ...progressBar(project.running) } : null;
  replace(main, h("h1", {}, project.title || project.name), verdict(project, alerts), about(project), bar?.element,
    nights.length === 0 ? null : [
      ranges(count, project.nights),
      h("section", { "aria-labelledby": "stack" }, h("h2", { id: "stack" }, "Night by night"), chart(shown, count)),
      h("section", { "aria-labelledby": "alone" }, h("h2", { id: "alone" }, "Each portion on its own scale"),
        h("p", { class: "quiet small" }, "Dots are means, lines their 95 % interval, the band is what they are compared with. ",
          "The scales do not start at zero. ◯ with ▲ or ▼: an anomaly; × failed, ◇ quarantined; dashed: the environment changed."),
        multiples(shown.toReversed(), project.commit_url)),
      h("section", { "aria-labelledby": "alerts" }, h("h2", { id: "alerts" }, "Alerts"), alertList(alerts, project)),
      h("section", { "aria-labelledby": "nights" }, h("h2", { id: "nights" }, "Values"), nightTable(shown, project.commit_url)),
    ]);
}

const mine = (data) => data.project === name;

start({
  load: () => Promise.all([get(path), list(`${path}/nights`, wantedNights() || NIGHTS_MAX), list(`${path}/alerts`, 1000)]),
  show,
  events: {
    night: mine,
    alert: mine,
    job: (job) => {
      if (!mine(job)) return false;
      if (job.state === "leased" && bar?.id === job.id) { bar.update(job); return false; }
      return true;
    },
  },
});
