// Where things are in a site of files: below one folder, wherever that is served. It stands in for
// web/static/place.js.
import { answerOf } from "/static/answers.js";
import { drawn } from "/static/stack.js";

export const isSite = true;

const ROOT = new URL("../", import.meta.url).pathname;
const FOLDERS = ["projects", "alerts", "incidents", "sweeps"]; // a folder a page
const NIGHTS = "experiments"; // one page for all: there are too many

const within = () => location.pathname.slice(ROOT.length).replace(/(^|\/)index\.html$/, "$1").replace(/\/$/, "");

/** The page's own address, as on a server. */
export function here() {
  const id = new URLSearchParams(location.search).get("id");
  return `/${within()}${within() === NIGHTS && id ? `/${id}` : ""}`;
}

/** The file of a chart: those of the usual look, of the newest 30 nights (a page's range, unless it says another) or
  of all. */
function chartFile(path, query) {
  const usual = ["until", "leaf", "view", "value", "range"].every((key) => !query.has(key));
  const [, name, ending] = /^\/charts\/(.+)\.(\w+)$/.exec(path) ?? [];
  const shown = new URLSearchParams(location.search).get("nights") ?? "30";
  if (!usual || !name) return null;
  if (shown === "0") return ending === "svg" ? `charts/${name}-all.svg` : null;
  return shown === "30" && (ending === "svg" || ending === "png") ? `charts/${name}.${ending}` : null;
}

const FILES = /^\/(feed\.atom|projects\/[^/]+\/(feed\.atom|badge\.(svg|json)))$/;
const NEWEST = /^\/api\/v1\/projects\/[^/]+\/nights$/;

/** Below ROOT; null: the site has it not. */
function fileOf(path, query) {
  const [kind, name] = path.slice(1).split("/");
  if (path === "/") return "";
  if (path.startsWith("/static/")) return path.slice(1);
  if (FILES.test(path)) return path.slice(1);
  if (NEWEST.test(path)) return `${path.slice(1)}.json`;
  if (kind === "charts") return chartFile(path, query);
  if (kind === "flames") {
    const [, configuration, ending] = /^(.+)\.(\w+)$/.exec(path.split("/")[3]);
    const of = query.get("dimension") === "bytes" ? "bytes/" : "";
    return `flames/${name}/${of}${configuration}-${query.get("view")}-${query.get("theme")}.${ending}`;
  }
  if (kind === NIGHTS) return `${NIGHTS}/?id=${name}`;
  if (FOLDERS.includes(kind) || kind === "embed") return `${kind}/${name}/${query.size ? `?${query}` : ""}`;
  if (kind === "compare" || kind === "jobs") return `${kind}/${query.size ? `?${query}` : ""}`;
  return null;
}

/** Where an address of ours is found: relative ones and those of others stay; null: not here. */
export function place(address) {
  if (typeof address !== "string" || !address.startsWith("/") || address.startsWith("//")) return address;
  const url = new URL(address, "http://here");
  const file = fileOf(url.pathname, url.searchParams);
  return file === null ? null : ROOT + file + url.hash;
}

const fetched = (file) => fetch(`${ROOT}api/v1/${file}`);

/** GET an address of the API, from the files; as much of fetch as the pages use. */
export async function answer(path) {
  const found = await answerOf(path, fetched);
  return { ok: found.status === 200, status: found.status, statusText: found.detail,
    json: () => Promise.resolve(found.status === 200 ? found.body : { detail: found.detail }) };
}

/** Where an experiment is asked for of which portions, means and conditions are enough, or projects of which names are:
  each project's newest one has a file of these, and the names have one, so that these pages stay small. */
export const brief = (path) => `${path}?brief`;

export const events = () => null;

/** Shows a chart or a flame graph in an image: a chart is drawn here, of any range and size. */
export function picture(image, address) {
  const url = new URL(address, "http://here");
  if (!url.pathname.startsWith("/charts/")) {
    image.src = place(address);
    return;
  }
  const name = /^\/charts\/(.+)\.svg$/.exec(url.pathname)[1], query = url.searchParams;
  image.dataset.wanted = address;
  const until = query.get("until") ? `&until=${query.get("until")}` : "";
  answer(`/projects/${name}/nights?limit=${query.get("nights")}${until}`).then((found) => found.json())
    .then(({ items }) => {
      if (image.dataset.wanted === address)
        image.src = `data:image/svg+xml,${encodeURIComponent(drawn(items.toReversed(), query))}`;
    });
}
