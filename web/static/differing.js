// What differs between two nights' settings, a line each: lists of configurations are taken apart.
import { h } from "/static/dom.js";
import { tableOf } from "/static/parts.js";

const isObject = (v) => v !== null && typeof v === "object" && !Array.isArray(v);
const isNamed = (v) => Array.isArray(v) && v.every((one) => isObject(one) && typeof one.name === "string");
const differs = (a, b) => JSON.stringify(a) !== JSON.stringify(b);

/** The server leaves values of environment variables away and says of those that differ only that they do. */
const isChanged = (a, b) => a === "changed" && b === "changed";

function rowsOf(key, a, b) {
  if (isChanged(a, b)) return [{ key, a: "withheld", b: "withheld, a different value" }];
  if (!differs(a, b)) return [];
  if (!isObject(a) || !isObject(b)) return [{ key, a, b }];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((name) =>
    rowsOf(`${key}.${name}`, name in a ? a[name] : null, name in b ? b[name] : null));
}

/** The lists' members by name, each side's. */
function membersOf(key, a, b) {
  const find = (list, name) => list.find((one) => one.name === name) ?? null;
  return [...new Set([...a, ...b].map((one) => one.name))].flatMap((name) => {
    const [was, is] = [find(a, name), find(b, name)];
    return was && is ? rowsOf(`${key}.${name}`, was, is)
      : [{ key: `${key}.${name}`, a: was ? "there" : null, b: is ? "there" : null }];
  });
}

const text = (v) => v === null || v === undefined ? "–" : typeof v === "object" ? JSON.stringify(v) : String(v);

/** label: of the table; heads: of its columns; rows: as of differing. */
export const settingsTable = (label, heads, rows) => tableOf(label, ["Setting", ...heads], rows.map((d) =>
  h("tr", {}, h("th", { scope: "row" }, d.key.replaceAll("_", " ")), h("td", {}, text(d.a)), h("td", {}, text(d.b)))));

/** rows: [{key, a, b}] as the comparison has them; the same, with nothing in them that is equal. */
export function differing(rows) {
  return rows.flatMap((row) => isNamed(row.a) && isNamed(row.b) ? membersOf(row.key, row.a, row.b) : [row]);
}
