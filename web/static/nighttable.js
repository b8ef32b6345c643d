// The table of nights: every portion with its interval; a page at a time, so that 1,000 nights stay quick.
import { commitLink, h, replace } from "/static/dom.js";
import { column, levelInterval } from "/static/format.js";
import { portionIn, portionsOf } from "/static/multiples.js";
import { commitRuns } from "/static/runs.js";
import { row, swatch, tableBox } from "/static/parts.js";
import { isMissing, MARKS, notablePortions, verdictWords } from "/static/words.js";

const ROWS = 50;

function cell(night, portion, write) {
  const p = portionIn(night, portion.configuration);
  if (!p) return "–";
  if (p.verdict === "ok" || p.verdict === "first" || isMissing(p)) return write(p);
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

/** run: how many nights in a row have its commit; 0 where a newer one of them tells it. */
function nightRow(night, run, portions, writers, pattern) {
  const name = night.experiment ? h("a", { href: `/experiments/${night.experiment}` }, night.night) : night.night;
  const commit = h("td", { class: "commit" },
    run === 0 ? h("span", { class: "quiet", title: night.commit.subject ?? "" }, "same commit")
    : commitLink(night.commit, pattern), " ",
    night.release ? [h("span", { class: "badge" }, night.release), " "] : null,
    night.note ? [h("bdi", {}, night.note), " "] : null,
    night.baseline ? ["level set by hand: ", h("bdi", {}, night.baseline), " "] : null,
    run > 1 ? h("span", { class: "badge" }, `${run} nights`) : null, run > 1 ? " " : null,
    run === 0 ? null : h("bdi", { class: "subject", title: night.commit?.subject ?? "" }, night.commit?.subject ?? ""));
  if (night.state !== "measured")
    return h("tr", { class: "gone" }, h("th", { scope: "row" }, name), commit,
      h("td", { colspan: portions.length + 2 }, night.headline));
  return [h("tr", { class: night.environment_changed ? "boundary" : null }, h("th", { scope: "row" }, name), commit,
    portions.map((p, i) => h("td", { class: "number" }, cell(night, p, writers[i]))),
    h("td", { class: "number" }, writers.at(-1)(night.total)),
    h("td", { class: "words" }, night.headline,
      night.environment_changed ? " · new environment" : "",
      night.began ? " · a new level begins" : "",
      night.accepted ? " · accepted" : "")),
  reasonRow(night, portions.length + 4)];
}

/** nights: newest first; pattern: the project's commit_url. */
export function nightTable(nights, pattern) {
  const portions = portionsOf(nights.toReversed());
  const measured = nights.filter((n) => n.state === "measured");
  const writers = [...portions.map((p) => column(measured.map((n) => portionIn(n, p.configuration)))),
    column(measured.map((n) => n.total))];
  const body = h("tbody", {});
  const pager = h("p", { class: "pager" });
  const pages = Math.max(Math.ceil(nights.length / ROWS), 1);
  function show(page) {
    const from = page * ROWS;
    const shown = nights.slice(from, from + ROWS), runs = commitRuns(shown);
    replace(body, shown.flatMap((night, i) => nightRow(night, runs[i], portions, writers, pattern)));
    const button = (to, text) => h("button", { type: "button", disabled: to < 0 || to >= pages, onclick: () => {
      show(to);
      pager.querySelector("button:not([disabled])")?.focus();
    } }, text);
    replace(pager, button(page - 1, "Newer"),
      ` ${from + 1}–${Math.min(from + ROWS, nights.length)} of ${nights.length} `,
      button(page + 1, "Older"));
  }
  show(0);
  return h("div", {},
    tableBox("Nights", h("table", { class: "nights" },
      h("caption", { class: "hidden" },
        `Nights, newest first: each portion's mean and ${levelInterval(nights[0]?.level)}`),
      h("thead", {}, row(["Night", "Commit",
        ...portions.map((p, i) => [swatch(p.portion, i), p.portion, " ",
          h("span", { class: "quiet small" }, p.configuration)]),
        "Total", "Verdict"], "th")), body)),
    pages > 1 ? pager : null);
}
