// One pull request: where it stands, and the answer of each portion against its merge base.
import { get, projectOf } from "/static/api.js";
import { commitLink, crumbs, h, replace, safeHref } from "/static/dom.js";
import { pathArgument, start, title } from "/static/frame.js";
import { interval, levelInterval, percent, signedInterval, time } from "/static/format.js";
import { swatch, tableOf } from "/static/parts.js";
import { answerWords, askedBy, baseWords, ignoredWords, spentWords, standingOf, titleOf } from "/static/pullwords.js";
import { portionWords } from "/static/words.js";

const id = pathArgument();

const commit = (sha, pattern) => commitLink({ sha }, pattern);

function answerTable(pull) {
  return [tableOf("Answers", ["Portion", "Answer", "Merge base", "This commit", "Difference", "In percent"],
    pull.portions.map((p, i) => h("tr", {},
      h("th", { scope: "row" }, swatch(p.portion, i), p.portion, " ", h("span", { class: "quiet small" }, portionWords(p.portion))),
      h("td", {}, h("b", {}, answerWords(p))),
      h("td", { class: "number" }, p.before ? interval(p.before) : "–"),
      h("td", { class: "number" }, p.after ? interval(p.after) : "–"),
      h("td", { class: "number" }, p.difference ? signedInterval(p.difference) : "–"),
      h("td", { class: "number" }, p.difference ? percent(p.difference.mean_ns, p.before) : "")))),
    h("p", { class: "quiet small" }, `Times of a call, each with its ${levelInterval(pull.level)}.`),
    h("ul", {}, pull.portions.map((p) => p.sentence ? h("li", {}, h("bdi", {}, p.sentence), ".") : null))];
}

const heldWords = (pull) => "It comes from a fork: its code runs on our machine only after a maintainer sets the label"
  + (pull.provider === "github" ? `, or comments “/moowatch measure ${pull.commit}”.` : ".");

function show([pull, project], main) {
  const href = pull.url ? safeHref(pull.url) : null, pattern = project?.commit_url;
  title(`${titleOf(pull)}: ${pull.headline}`);
  replace(main,
    crumbs(project, pull.project, " / ", h("a", { href: `/pull-requests?project=${encodeURIComponent(pull.project)}` }, "Pull requests")),
    h("h1", {}, pull.headline),
    h("p", { class: "big" }, href ? h("a", { href, rel: "noopener" }, titleOf(pull)) : titleOf(pull), " ", h("bdi", {}, pull.title)),
    h("p", {}, commit(pull.commit, pattern), " against its merge base ", pull.base ? commit(pull.base, pattern) : baseWords(pull), " with ",
      h("bdi", {}, pull.branch), askedBy(pull), time(pull.asked_ms), "."),
    h("p", { role: "status" }, standingOf(pull), pull.job ? [" ", h("a", { href: `/jobs/${pull.job}` }, `job ${pull.job}`)] : null),
    pull.reason ? h("p", { class: "notice" }, h("bdi", {}, pull.reason)) : null,
    pull.state === "held" ? h("p", { class: "notice" }, heldWords(pull)) : null,
    pull.portions.some((p) => p.loops > 0) ? h("section", {}, h("h2", {}, "Portions"), answerTable(pull)) : null,
    h("p", { class: "quiet small" }, spentWords(pull), pull.node ? [" on ", h("bdi", {}, pull.node)] : null, `; ${ignoredWords(pull)}. `,
      "It does not count as a night and belongs to no series."));
}

async function load() {
  const pull = await get(`/pull-requests/${id}`);
  return [pull, await projectOf(pull.project)];
}

start({ load, show, events: { pull_request: (data) => String(data.id) === id, job: () => true } });
