// A project's pull requests, the newest first.
import { list, projectOf } from "/static/api.js";
import { crumbs, h, projectPath, replace } from "/static/dom.js";
import { start, title } from "/static/frame.js";
import { time } from "/static/format.js";
import { tableOf } from "/static/parts.js";
import { standingOf, titleOf } from "/static/pullwords.js";

const SHOWN = 200;
const name = new URLSearchParams(location.search).get("project") ?? "";
const HOW = "None yet. To have them measured, set the project's pull_requests.minutes and a webhook, or run moowatch submit --against-merge-base.";

const line = (pull) => h("tr", {},
  h("th", { scope: "row" }, h("a", { href: `/pull-requests/${pull.id}` }, titleOf(pull))),
  h("td", { class: "words" }, h("bdi", {}, pull.title)),
  h("td", { class: "words" }, pull.headline, h("div", { class: "quiet small" }, pull.reason ? h("bdi", {}, pull.reason) : standingOf(pull))),
  h("td", {}, h("code", { title: pull.commit }, pull.commit.slice(0, 9))),
  h("td", {}, h("bdi", {}, pull.author)),
  h("td", {}, time(pull.asked_ms)));

function show([pulls, project], main) {
  const called = project?.title || name;
  title(`Pull requests of ${called}`);
  replace(main,
    crumbs(project, name),
    h("h1", {}, "Pull requests"),
    h("p", {}, "Each is measured in turn with the commit at which it parted from the branch, before it is merged."),
    pulls.length === 0 ? h("p", { class: "quiet" }, HOW)
      : tableOf("Pull requests", ["Which", "Title", "Answer", "Commit", "Author", "Asked"], pulls.map(line)));
}

async function load() {
  return Promise.all([list(`${projectPath(name)}/pull-requests`, SHOWN), projectOf(name)]);
}

start({ load, show, events: { pull_request: (data) => data.project === name } });
