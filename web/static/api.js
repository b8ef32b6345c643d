// The JSON API: one way to ask, one way to listen.
import { projectPath } from "/static/dom.js";
import { answer, events, isSite } from "/static/place.js";

const TRIES = 3;
const WAIT_MS = 600;
const RECONNECT_MS = 1000;
const RECONNECT_MAX_MS = 30000;

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function problemOf(response) {
  try {
    const body = await response.json();
    return body.detail || body.title || response.statusText;
  } catch {
    return response.statusText || "no reason given";
  }
}

const RANGES = ["judged", "reference", "difference", "before", "after", "a", "b"];

/** What is no time has its unit beside its own numbers: its intervals, and its configuration, get it as well. */
function withUnits(body) {
  if (body === null || typeof body !== "object" || typeof body[0] === "number") return body;
  if (body.unit && (body.configuration || body.configuration_a))
    for (const range of RANGES.filter((key) => body[key])) body[range].unit = body.unit;
  if (body.total && body.portions?.[0]?.unit) body.total.unit = body.portions[0].unit;
  for (const c of body.portions && body.configurations || [])
    c.unit = body.portions.find((p) => p.configuration === c.name)?.unit;
  Object.values(body).forEach(withUnits);
  return body;
}

/** GET path, with a token if there is one; throws ApiError. Tries again while the server restarts (no answer, 502,
  503, 504). */
export async function get(path, token = "") {
  const headers = { accept: "application/json", ...token ? { authorization: `Bearer ${token}` } : {} };
  for (let attempt = 1; ; attempt++) {
    let response = null;
    try {
      response = await answer(path, { headers });
    } catch {
      response = null;
    }
    if (response?.ok) return withUnits(await response.json());
    const passing = !response || [502, 503, 504].includes(response.status);
    if (!passing) throw new ApiError(response.status, await problemOf(response));
    if (attempt >= TRIES)
      throw new ApiError(response?.status ?? 0, "the server does not answer; the page tries again by itself");
    await sleep(WAIT_MS * attempt);
  }
}

/** GET path with the token, or without one where it is refused: what anybody may see is shown in any case. */
export async function getMore(path, token) {
  try {
    return await get(path, token);
  } catch (error) {
    if (!token || ![401, 403, 429].includes(error.status)) throw error;
    return get(path);
  }
}

/** POST path with a token; throws ApiError. Never tried again by itself. */
export async function send(path, body, token) {
  let response;
  try {
    response = await fetch("/api/v1" + path, { method: "POST", body: JSON.stringify(body),
      headers: { accept: "application/json", "content-type": "application/json", authorization: `Bearer ${token}` } });
  } catch {
    throw new ApiError(0, "the server does not answer");
  }
  if (!response.ok) throw new ApiError(response.status, await problemOf(response));
  return response.json();
}

/** A project, or null where it cannot be had: what is shown of something in it does without. */
export const projectOf = (name) => get(projectPath(name)).catch(() => null);

/** All projects, or only one and those of its repository: a list that comes whole. */
export const projectsOf = async (like = null) =>
  (await get(like === null ? "/projects" : `/projects?like=${encodeURIComponent(like)}`)).items;

const PAGE_MAX = 5000; // what the API hands out at most

/** All items of a list, up to limit; page by page where there are more than one answer takes.
  itemsOf: those of a page. */
export async function list(path, limit, itemsOf = (page) => page.items) {
  const items = [];
  let cursor = null;
  do {
    const query = new URLSearchParams({ limit: String(Math.min(limit - items.length, PAGE_MAX)) });
    if (cursor) query.set("cursor", cursor);
    const page = await get(`${path}${path.includes("?") ? "&" : "?"}${query}`);
    items.push(...itemsOf(page));
    cursor = page.next;
  } while (cursor && items.length < limit);
  return items;
}

/**
 * Listens to the server's events with one connection a page, closed while the page is hidden.
 * on      {job, night, alert, incident}: called with the event's data
 * onState called with "live" or "lost"; after a loss, and when shown again, `refresh` is called.
 */
export function listen(on, { onState = () => {}, refresh = () => {} } = {}) {
  if (isSite) return; // files change at the next visit
  let source = null, timer = 0, wait = RECONNECT_MS, missed = false;

  function close() {
    clearTimeout(timer);
    source?.close();
    source = null;
  }

  function open() {
    close();
    source = events();
    source.onopen = () => {
      wait = RECONNECT_MS;
      onState("live");
      if (missed) refresh();
      missed = false;
    };
    source.onerror = () => {
      close();
      missed = true;
      onState("lost");
      timer = setTimeout(open, wait * (0.75 + Math.random() / 2));
      wait = Math.min(wait * 2, RECONNECT_MAX_MS);
    };
    for (const [name, call] of Object.entries(on))
      source.addEventListener(name, (event) => {
        try {
          call(JSON.parse(event.data));
        } catch (error) {
          console.warn("event not understood", name, error);
        }
      });
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      close();
      missed = true;
    } else if (!source) {
      open();
    }
  });
  addEventListener("pagehide", close);
  if (!document.hidden) open();
}

/** Calls run at most once in wait ms, after the last of a burst. */
export function debounce(run, wait = 400) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(run, wait);
  };
}
