// For the administrator: which tokens there are, who was refused, who changed what.
import { get } from "/static/api.js";
import { h, replace } from "/static/dom.js";
import { reload, start, title } from "/static/frame.js";
import { time } from "/static/format.js";
import { row, tableOf } from "/static/parts.js";
import { endWords, token, unlock } from "/static/token.js";

const ROWS = 200;
const KINDS = [["", "Everything"], ["refused", "Refused"], ["token", "Tokens"], ["alert", "Alerts"],
  ["incident", "Incidents"], ["node", "Nodes"], ["job", "Jobs"]];
let kind = "";

const when = (ms) => ms === null ? "–" : time(ms, { relativeToNow: true });

function tokenRow(t) {
  const word = endWords(t);
  return row([t.name, t.scopes.replaceAll(",", ", "), t.projects?.join(", ") ?? "all", t.node ?? "–",
    when(t.created_ms), t.used_ms === null ? "–" : time(t.used_ms), [t.expires_ms === null ? "never" : time(t.expires_ms),
      word ? [" ", h("span", { class: "badge warn" }, word)] : null],
    t.old_until_ms > Date.now() ? ["old secret until ", time(t.old_until_ms)] : "–"]);
}

function tokens(items) {
  if (items.length === 0) return h("p", { class: "quiet" }, "There are none.");
  return tableOf("Tokens", ["Name", "Scopes", "Projects", "Node", "Made", "Last used (hour)", "Expires", "Rotated"],
    items.map(tokenRow));
}

function auditRow(r) {
  return h("tr", {}, h("td", {}, time(r.last_ms)), h("td", {}, h("span", { class: "badge" +
    (r.kind === "refused" ? " warn" : "") }, r.kind)), h("td", {}, h("bdi", {}, r.who || "–")),
  h("td", {}, r.client || "–"), h("td", {}, h("bdi", {}, r.what)), h("td", { class: "words" }, h("bdi", {}, r.why)),
  h("td", { class: "number" }, r.count > 1 ? r.count.toLocaleString("en") : ""));
}

function audit(items) {
  if (items.length === 0) return h("p", { class: "quiet" }, "Nothing yet.");
  return tableOf("Audit log", ["When", "Kind", "Who", "From", "What", "Why", "Times"], items.map(auditRow));
}

async function load() {
  if (!token.get()) return null;
  const query = new URLSearchParams({ limit: String(ROWS), ...kind ? { kind } : {} });
  try {
    return await Promise.all([get("/tokens", token.get()), get(`/audit?${query}`, token.get())]);
  } catch (error) {
    if ([401, 403, 429].includes(error.status)) return null;
    throw error;
  }
}

function show(found, main) {
  title("Access");
  const again = async () => {
    const more = await load();
    if (more) show(more, main);
    return Boolean(more);
  };
  if (!found) {
    replace(main, h("h1", {}, "Access"),
      unlock("Tokens and the audit log need a token of the scope admin.", again));
    return;
  }
  const [list, log] = found;
  replace(main, h("h1", {}, "Access"),
    h("section", {}, h("h2", {}, `Tokens (${list.items.length})`), tokens(list.items)),
    h("section", {}, h("h2", {}, "Who was refused, who changed what"),
      h("p", { class: "choices", role: "group", "aria-label": "Kind" }, KINDS.map(([word, text]) => h("button",
        { type: "button", "aria-pressed": String(word === kind), onclick: () => { kind = word; reload(); } }, text))),
      audit(log.items),
      log.next ? h("p", { class: "quiet small" }, `The newest ${ROWS}; GET /api/v1/audit has all.`) : null));
}

start({ load, show, events: {} });
