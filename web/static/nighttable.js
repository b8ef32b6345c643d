// The table of nights: every portion with its interval; a page at a time, so that 1,000 nights stay quick. It shows the
// nights that a reader looks for; the same as a file.
import { commitLink, h, replace } from "/static/dom.js";
import { column, levelInterval } from "/static/format.js";
import { portionIn, portionsOf } from "/static/multiples.js";
import { commitRuns } from "/static/runs.js";
import { pager, swatch, tableBox, totalOf } from "/static/parts.js";
import { isSite } from "/static/place.js";
import { isFound } from "/static/wish.js";
import { isAnswered, isClear, isMissing, MARKS, notablePortions, verdictWords } from "/static/words.js";

const ROWS = 50, ROWS_NARROW = 20; // on a phone each is a card

function cell(night, portion, write) {
  const p = portionIn(night, portion.configuration);
  if (!p) return "–";
  if (isMissing(p) || isClear(p)) return write(p);
  if (isAnswered(p)) return h("span", { title: p.reason ?? "" }, write(p), h("span", { class: "hidden" }, ` ${verdictWords(p)}`));
  return h("span", { class: p.verdict === "anomaly" ? "loud" : "warn", title: p.reason ?? "" },
    write(p), ` ${MARKS[p.direction] ?? "●"}`, h("span", { class: "hidden" }, verdictWords(p)));
}

/** The sentences behind a night's verdict: a row of its own, as wide as the window and not as the table. */
function reasonRow(night, width) {
  const told = notablePortions(night).filter((p) => p.reason && !isMissing(p));
  if (!told.length) return [];
  return h("tr", { class: "why" }, h("td", { colspan: width },
    h("div", { class: "held small" }, told.map((p) => h("div", {}, p.reason)))));
}

/** run: how many rows from here on are of its commit; 0 where one above tells it. */
function nightRow(night, run, portions, writers, pattern) {
  const name = night.experiment ? h("a", { href: `/experiments/${night.experiment}` }, night.night) : night.night;
  const commit = h("td", { class: "commit" },
    run === 0 ? h("span", { class: "quiet same", title: night.commit.subject ?? "" }, "same commit")
    : commitLink(night.commit, pattern), " ",
    night.release ? [h("span", { class: "badge" }, night.release), " "] : null,
    night.note ? [h("bdi", {}, night.note), " "] : null,
    night.baseline ? ["level set by hand: ", h("bdi", {}, night.baseline), " "] : null,
    run > 1 ? h("span", { class: "badge" }, `for ${run} rows`) : null, run > 1 ? " " : null,
    run === 0 ? null : h("bdi", { class: "subject", title: night.commit?.subject ?? "" }, night.commit?.subject ?? ""));
  if (night.state !== "measured")
    return h("tr", { class: "gone" }, h("th", { scope: "row" }, name, night.state === "failed" && night.job && !isSite
      ? [" ", h("a", { class: "small", href: `/jobs/${night.job}` }, "log")] : null), commit,
      h("td", { colspan: portions.length + 2 }, night.headline));
  return [h("tr", { class: night.environment_changed ? "boundary" : null }, h("th", { scope: "row" }, name), commit,
    portions.map((p, i) => h("td", { class: "number" }, cell(night, p, writers[i]))),
    h("td", { class: "number" }, writers.at(-1)(night.total)),
    h("td", { class: "words" }, night.headline,
      night.environment_changed ? " · another environment" : "",
      night.accepted ? " · accepted" : "")),
  reasonRow(night, portions.length + 4)];
}

/** Is there anything to tell of this night's values? */
const hasNews = (night) => notablePortions(night).length > 0 || night.portions.some((p) => p.later)
  || Boolean(night.environment_changed || night.began || night.accepted || night.baseline);

/** Those that a reader wants: wanted.find is in their words, wanted.only those with news. */
export const nightsWanted = (nights, { find, only }) =>
  nights.filter((n) => (!find || isFound(n, find)) && (!only || hasNews(n)));

/** A text that a spreadsheet would take for a formula begins with an apostrophe: subjects are written by strangers. */
const field = (v) => typeof v === "number" ? String(v)
  : `"${String(v ?? "").replace(/^(?=[=+\-@\t\r])/, "'").replaceAll('"', '""')}"`;

const ENDS = ["mean_ns", "low_ns", "high_ns"];

/** "mean_ns", …, or "mean (%)" of what is no time. */
const endsIn = (unit) => unit ? ENDS.map((end) => end.replace("_ns", ` (${unit})`)) : ENDS;

/** The nights as comma-separated values, a line each. */
export function csvOf(nights) {
  const portions = portionsOf(nights.toReversed());
  const of = (range) => ENDS.map((end) => range?.[end] ?? null);
  return [["night", "commit", "author", "subject", "release", "state", "verdict", ...endsIn(portions[0]?.unit).map((end) => `total ${end}`),
    ...portions.flatMap((p) => [...endsIn(p.unit), "verdict"].map((end) => `${p.portion} (${p.configuration}) ${end}`))],
  ...nights.map((n) => [n.night, n.commit?.sha, n.commit?.author, n.commit?.subject, n.release, n.state, n.headline,
    ...of(n.total),
    ...portions.map((p) => portionIn(n, p.configuration)).flatMap((p) => [...of(p), p && verdictWords(p)])])]
    .map((cells) => cells.map((v) => v === null ? "" : field(v)).join(",") + "\r\n").join("");
}

/** What to look for; keep(next) is told of each change, which is shown at once. */
function search(wanted, keep, count, more) {
  const told = (next) => { Object.assign(wanted, next); keep(next); };
  return h("p", { class: "search" }, h("input", { type: "search", "aria-label": "Find nights", value: wanted.find,
    placeholder: "Commit, subject, author, date", autocomplete: "off", oninput: ({ target }) => {
      target.defaultValue = target.value; // kept in the address: a redrawn page has it again
      told({ find: target.value.trim() });
    } }), h("label", {}, h("input", { type: "checkbox", checked: wanted.only,
    onchange: ({ target }) => { target.defaultChecked = target.checked; told({ only: target.checked }); } }), " only changes"), count, more);
}

/**
 * nights: newest first; pattern: the project's commit_url
 * wanted  as of nightsWanted; keep(next) is called with what of it changes; more: beside the count
 */
export function nightTable(nights, pattern, wanted, keep, more) {
  const portions = portionsOf(nights.toReversed());
  const measured = nights.filter((n) => n.state === "measured");
  const writers = [...portions.map((p) => column(measured.map((n) => portionIn(n, p.configuration)))),
    column(measured.map((n) => n.total))];
  const body = h("tbody", {}), count = h("span", { class: "quiet small", role: "status" });
  const rows = matchMedia("(max-width: 600px)").matches ? ROWS_NARROW : ROWS;
  let found = nights;
  const pages = pager((at) => `${at * rows + 1}–${Math.min((at + 1) * rows, found.length)} of ${found.length}`, (at) => {
    const shown = found.slice(at * rows, (at + 1) * rows), runs = commitRuns(shown);
    replace(body, shown.flatMap((night, i) => nightRow(night, runs[i], portions, writers, pattern)));
  });
  function look() {
    found = nightsWanted(nights, wanted);
    replace(count, found.length < nights.length ? `${found.length} of ${nights.length} nights` : "");
    pages.show(0, Math.ceil(found.length / rows));
  }
  const bar = search(wanted, (next) => { keep(next); look(); }, count, more);
  look();
  return h("div", {}, bar,
    tableBox("Nights", h("table", { class: "nights dense" },
      h("caption", { class: "hidden" },
        `Nights, newest first: each portion's mean and ${levelInterval(nights[0]?.level)}`),
      h("thead", {}, h("tr", {}, ["Night", "Commit",
        ...portions.map((p, i) => [swatch(p.portion, i), p.portion, " ",
          h("span", { class: "quiet small" }, p.configuration)]),
        ["Total", " ", h("span", { class: "small" }, totalOf(portions) ?? "")], "Verdict"].map((cells, i) => h("th", { scope: "col", "data-name": portions[i - 2]?.portion }, cells)))), body)),
    pages.element);
}
