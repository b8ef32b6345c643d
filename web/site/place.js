// Where things are in a site of files: below one folder, wherever that is served. It stands in for web/static/place.js.
// The files are the server's answers as they came (web/site/site.c); which file has which stands in web/site/writer.h.
import { nightsOf } from "/static/series.js";

export const isSite = true;

const ROOT = new URL("../", import.meta.url).pathname;
const FOLDERS = ["projects", "alerts", "incidents", "sweeps", "embed"]; // a folder a page
const NIGHTS = "experiments"; // one page for all: there are too many
const NEVER = ["limit", "cursor", "since", "v", "scale", "like"];
const USUAL = ["nights=30", "theme=light", "view=difference", "portions=full"];

const part = (text) => encodeURIComponent(text).replaceAll("%40", "@")
  .replace(/[!*'()]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function queryName(query, path) {
  const counts = ([key, value]) => !NEVER.includes(key) && !USUAL.includes(`${key}=${value}`)
    && !(key === "until" && path.endsWith("/nights")) && !(key === "width" && path.startsWith("/flames/"));
  return [...query].filter(counts).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `,${key}=${part(`${key}=${value}` === "portions=brief" ? "columns" : value)}`).join("");
}

/** The file that has the answer to GET address, below ROOT: the rule of web/site/writer.c. */
export function nameOf(address) {
  const { pathname, searchParams } = new URL(address, "http://here"), query = queryName(searchParams, pathname);
  const name = pathname.slice(1).split("/").map((text) => part(decodeURIComponent(text))).join("/");
  if (!pathname.startsWith("/api/v1/"))
    return query ? name.replace(/\.[^./]*$/, (ending) => query + ending) : name;
  const packed = /^\/api\/v1\/(experiments\/|compare$)|\/nights$/.test(pathname);
  return `${name}${query}.json${packed ? ".gz" : ""}`;
}

const urlOf = (name) => ROOT + name.split("/").map(encodeURIComponent).join("/");
const within = () => location.pathname.slice(ROOT.length).replace(/(^|\/)index\.html$/, "$1").replace(/\/$/, "");

/** The page's own address, as on a server. */
export function here() {
  const id = new URLSearchParams(location.search).get("id");
  return `/${within()}${within() === NIGHTS && id ? `/${id}` : ""}`;
}

const WIDTHS = [320, 640, 960, 1180], RANGES = ["30", "90", "365", "5000"]; // drawn by web/site/site.c
const OTHERWISE = ["until", "leaf", "view", "value", "range"];

/** The width of charts in so much room. */
export const chartWidth = (room) => WIDTHS.findLast((width) => width <= room) ?? WIDTHS[0];

function hasChart(path, query) {
  const nights = query.get("nights") ?? RANGES[0];
  if (OTHERWISE.some((key) => query.has(key))) return false;
  if (path.endsWith(".png")) return nights === RANGES[0];
  return path.endsWith(".svg") && (query.has("width") ? RANGES : [RANGES[0], RANGES.at(-1)]).includes(nights);
}

const FILES = /^\/(static\/.*|feed\.atom|projects\/[^/]+\/(feed\.atom|badge\.(svg|json)))$/;
const ANSWERS = /^\/(flames\/.*|api\/v1\/(experiments\/\d+|projects\/[^/]+\/nights))$/;

/** Below ROOT; null: the site has it not. */
function fileOf(path, query) {
  const [kind, name] = path.slice(1).split("/");
  if (path === "/" || FILES.test(path)) return path.slice(1);
  if (ANSWERS.test(path) || (kind === "charts" && hasChart(path, query)))
    return nameOf(`${path}?${query}`).split("/").map(encodeURIComponent).join("/");
  if (kind === NIGHTS) return `${NIGHTS}/?id=${name}`;
  if (FOLDERS.includes(kind)) return `${kind}/${name}/${query.size ? `?${query}` : ""}`;
  if (kind === "jobs" || (kind === "compare" && query.has("a"))) return `${kind}/${query.size ? `?${query}` : ""}`;
  return null;
}

/** Where an address of ours is found: relative ones and those of others stay; null: not here. */
export function place(address) {
  if (typeof address !== "string" || !address.startsWith("/") || address.startsWith("//")) return address;
  const url = new URL(address, "http://here"), file = fileOf(url.pathname, url.searchParams);
  return file === null ? null : ROOT + file + url.hash;
}

const GZIP = [0x1f, 0x8b]; // a file that the web server has not unpacked on its way
// What is over when somebody reads it, or stays on the server.
const AWAY = { projects: { running: null }, experiments: { raw: null }, alerts: { profiles: [] } };

async function bodyOf(response, name) {
  const away = AWAY[/^api\/v1\/(\w+)/.exec(name)?.[1]] ?? {};
  const bytes = new Uint8Array(await response.arrayBuffer()), isPacked = GZIP.every((byte, i) => bytes[i] === byte);
  const text = await new Response(isPacked
    ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")) : bytes).text();
  const body = JSON.parse(text, (key, value) => Object.hasOwn(away, key) ? away[key] : value);
  return body.columns ? { items: nightsOf(body), next: null } : body;
}

const known = new Map();

/** What a file holds; each is asked for once. */
function read(name) {
  if (!known.has(name))
    known.set(name, fetch(urlOf(name)).then(async (response) =>
      ({ status: response.status, body: response.ok ? await bodyOf(response, name) : null })));
  return known.get(name);
}

/** Lists are whole in their files. */
function asked(body, query) {
  if (!Array.isArray(body.items)) return body;
  const from = query.get("since") ?? "", to = query.get("until") ?? "9";
  const items = body.items.filter(({ night }) => typeof night !== "string" || (night >= from && night <= to));
  return { ...body, items: items.slice(0, Number(query.get("limit") ?? 100)), next: null };
}

/** GET an address of the API, from the files; as much of fetch as the pages use. */
export async function answer(path) {
  const { searchParams } = new URL(path, "http://here"), { status, body } = await read(nameOf(`/api/v1${path}`));
  return { ok: status === 200, status, statusText: "", json: () => Promise.resolve(body ? asked(body, searchParams)
    : { detail: `${path} is not in this site; a server has more` }) };
}

export const events = () => null;
