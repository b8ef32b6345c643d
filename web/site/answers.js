// The API's answers from a site's files (ci/site has the other side): which file has it, and what of it was asked for.
import { compared } from "/static/comparison.js";
import { merge, unpack } from "/static/unpack.js";

const LIMIT = 100; // of a list, as on a server
const SHARE = 1000; // experiments whose places are in one file (ci/site/site.c)
const PACKED = [0x1f, 0x8b]; // a file that the server has not unpacked on its way
const NO_COMMITS = "a static site has only the commits of alerts; the server has all";

class Missing extends Error {}

async function jsonOf(response) {
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (!PACKED.every((byte, i) => bytes[i] === byte)) return JSON.parse(new TextDecoder().decode(bytes));
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain).json();
}

/** Each file once. */
function reader(fetched) {
  const known = new Map();
  return (file) => {
    if (!known.has(file))
      known.set(file, fetched(file).then(async (response) => {
        if (!response.ok) throw new Missing(`${file} is not in this site`);
        return unpack(await jsonOf(response));
      }));
    return known.get(file);
  };
}

const readers = new WeakMap();
const cut = (items, query) => ({ items: items.slice(0, Number(query.get("limit") ?? LIMIT)), next: null });

async function project(read, name) {
  if (!(await read("names.json")).includes(name)) throw new Missing(`project ${name} does not exist`);
  return read(`projects/${encodeURIComponent(name)}.json`);
}

/** The name that the branch is kept under which was asked for; without one the project's own. */
async function meant(read, name, query) {
  const branch = query.get("branch");
  if (branch === null) return name;
  const found = (await project(read, name)).branches?.find((b) => b.branch === branch);
  if (!found) throw new Missing(`project ${name} has no branch ${branch}`);
  return found.project;
}

/** The newest nights from one date to another, of as many months as hold them. */
async function nights(read, name, query) {
  await project(read, name);
  const folder = `projects/${encodeURIComponent(name)}/nights`, limit = Number(query.get("limit") ?? LIMIT);
  const until = query.get("until") ?? "9", since = query.get("since") ?? "";
  const { months } = await read(`${folder}/index.json`); // the newest first
  const asked = [];
  let whole = 0; // nights that surely count
  for (const [month, count] of months) {
    if (month > until.slice(0, 7) || month < since.slice(0, 7)) continue;
    if (whole >= limit) break;
    asked.push(read(`${folder}/${month}.json.gz`));
    if (month < until.slice(0, 7) && month > since.slice(0, 7)) whole += count;
  }
  const found = (await Promise.all(asked)).flat();
  return cut(found.filter((night) => night.night <= until && night.night >= since), query);
}

/** The configurations' statistics have their mean and interval again, which the file says once. */
function whole(e) {
  const configurations = e.configurations?.map((c) => c.statistics ? { ...c,
    statistics: { mean_ns: c.mean_ns, low_ns: c.low_ns, high_ns: c.high_ns, ...c.statistics } } : c);
  return configurations ? { ...e, configurations } : e;
}

/** In which file an experiment is: {id, project, month}; month null: in one of its own. */
async function placeOf(read, id) {
  const share = Math.floor(Number(id) / SHARE), shares = await read("places/index.json");
  const at = shares.includes(share) && (await read(`places/${share}.json.gz`)).find((e) => String(e.id) === id);
  if (!at) throw new Missing(`experiment ${id} is not in this site`);
  return at;
}

/** A project's newest one has a file of its own; null: it is another one. */
async function latest(read, id, { project: name }) {
  const folder = `projects/${encodeURIComponent(name)}`, { months } = await read(`${folder}/nights/index.json`);
  if (String(months.find(([, , ids]) => ids.length > 0)?.[2][0]) !== id) return null;
  const found = await read(`${folder}/latest.json.gz`);
  return String(found.experiment) === id ? found : null;
}

/** What is enough of a project's newest one where all projects are shown; null: it is another one. */
async function briefly(read, id) {
  const { items } = await read("projects.json");
  const name = items.find((p) => String(p.latest?.experiment) === id)?.name;
  const found = name === undefined ? null : await read(`projects/${encodeURIComponent(name)}/brief.json.gz`);
  return String(found?.experiment) === id ? found : null;
}

/** loops: with what is known of each loop beside its mean. */
async function experiment(read, id, query, loops = true) {
  const brief = query.has("brief") ? await briefly(read, id) : null;
  if (brief) return brief;
  const at = await placeOf(read, id);
  if (!at.month) return whole(await read(`experiments/${id}.json.gz`));
  const newest = await latest(read, id, at);
  if (newest) return whole(newest);
  const folder = `projects/${encodeURIComponent(at.project)}`;
  const files = await Promise.all(["nights", "experiments", ...(loops ? ["loops"] : [])]
    .map((kind) => read(`${folder}/${kind}/${at.month}.json.gz`)));
  return whole(files.map((all) => all.find((e) => e.experiment === at.id)).reduce(merge));
}

async function commits(read, name, query) {
  const all = await read(`projects/${encodeURIComponent(name)}/commits.json.gz`);
  return all[`${query.get("after")}..${query.get("until")}`] ?? { items: [], total: 0, reason: NO_COMMITS };
}

async function listOf(read, file, query) {
  const { items } = await read(file);
  return cut(items.filter((item) => ["project", "state"].every((key) => !query.has(key) || item[key] === query.get(key))), query);
}

async function ofProject(read, name, what, query) {
  if (what === "nights") return nights(read, name, query);
  if (what === "commits") return commits(read, name, query);
  await project(read, name);
  return listOf(read, `projects/${encodeURIComponent(name)}/${what}.json.gz`, query);
}

const LISTS = ["alerts", "jobs"], THINGS = ["alerts", "incidents", "sweeps"];

/** One thing by its number, where a list says that it is there: the browser complains of what is asked for in vain. */
async function thing(read, kind, id) {
  if (!(await read(`${kind}/index.json`)).includes(Number(id))) throw new Missing(`${kind} ${id} does not exist`);
  return read(`${kind}/${id}.json`);
}

async function answered(read, path, query) {
  const [kind, id, what] = path.slice(1).split("/").map(decodeURIComponent);
  if (kind === "projects" && what) return ofProject(read, await meant(read, id, query), what, query);
  if (kind === "projects" && id) return project(read, await meant(read, id, query));
  if (kind === "experiments" && id && !what) return experiment(read, id, query);
  if (kind === "compare") return compared(...await Promise.all(["a", "b"].map((side) => experiment(read, query.get(side), query, false))));
  if (THINGS.includes(kind) && id) return thing(read, kind, id);
  if (LISTS.includes(kind) && !id) return listOf(read, `${kind}.json`, query);
  if (kind === "projects" && query.has("brief")) return read("titles.json");
  if (["projects", "status"].includes(kind) && !id) return read(`${kind}.json`);
  throw new Missing(`${path} is not in this site`);
}

/**
 * What the API answers to GET address (behind /api/v1), as {status, body} or {status, detail}.
 * fetched   (file below api/v1) => promise of a response; what it had is kept for it
 */
export async function answerOf(address, fetched) {
  const url = new URL(address, "http://here");
  if (!readers.has(fetched)) readers.set(fetched, reader(fetched));
  try {
    return { status: 200, body: await answered(readers.get(fetched), url.pathname, url.searchParams) };
  } catch (error) {
    return { status: error instanceof Missing ? 404 : 0, detail: error.message };
  }
}
