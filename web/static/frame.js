// What every page has: the bar with state and theme, and the way from loading to shown or error.
import { get, listen, debounce } from "/static/api.js";
import { h, replace } from "/static/dom.js";
import { foldAll } from "/static/folding.js";
import { here, isSite, place } from "/static/place.js";

const HERE = here();

export function currentTheme() {
  if (matchMedia("print").matches) return "light"; // paper is white
  const chosen = document.documentElement.dataset.theme;
  return chosen ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}

function toggleTheme() {
  const next = currentTheme() === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  try { localStorage.setItem("theme", next); } catch { /* only this page then */ }
  dispatchEvent(new Event("themechange"));
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => dispatchEvent(new Event("themechange")));

function navLink(href, text) {
  return h("a", { href, "aria-current": HERE === href ? "page" : null }, text);
}

addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.matches("input, select, textarea")) location.href = place("/static/reading.html");
});

const state = h("span", { class: "state", id: "state" });
const lost = h("span", { class: "lost", role: "status" });

/** "2 nodes: 1 measuring, 1 silent · queue 4" */
function stateWords(status) {
  const count = (word) => status.nodes.filter((n) => n.state === word).length;
  const parts = [["busy", "measuring"], ["idle", "idle"], ["silent", "silent"]]
    .filter(([word]) => count(word) > 0).map(([word, text]) => `${count(word)} ${text}`);
  const nodes = status.nodes.length === 0 ? "no node"
    : `${status.nodes.length} ${status.nodes.length === 1 ? "node" : "nodes"}: ${parts.join(", ")}`;
  return `${nodes} · ${status.queue.queued} queued`;
}

/** "moowatch 0.1.0 (ab0b069c1234)" */
const versionWords = (status) => `moowatch ${status.version}${status.commit ? ` (${status.commit})` : ""}`;

/** "2026-11-22 03:41 UTC": of a site of files, which tells no more than was true then. */
const writtenWords = ({ written_ms }) => `written ${new Date(written_ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;

async function refreshState() {
  try {
    const status = await get("/status");
    replace(state, isSite ? writtenWords(await get("/written")) : stateWords(status));
    replace(document.getElementById("foot"), versionWords(status));
    if (status.read_only) document.documentElement.dataset.readonly = ""; // there is nothing to decide with
    else delete document.documentElement.dataset.readonly;
  } catch {
    replace(state, "");
  }
}

export function title(text) {
  document.title = `${text} · moowatch`;
}

function showError(main, error) {
  const isMissing = error.status === 404, to = (href, text) => place(href) ? h("a", { href }, text) : null;
  main.classList.toggle("text", isMissing); // as pages/missing.html looks
  replace(main, h("section", isMissing ? {} : { class: "notice bad", role: "alert" },
    h("h1", {}, isMissing ? "Not found" : "This page could not be loaded"),
    h("p", {}, isMissing ? `There is nothing at this address: ${error.message}. It may have been removed, or the address is mistyped.`
      : error.message),
    h("p", {}, to("/", "To the overview"), isMissing
      ? [" · ", to("/jobs", "Queue and nodes"), isSite ? null : [" · ", to("/compare", "Compare two nights")]] : null)));
}

/** Fills the bar on top. */
export function frame() {
  replace(document.getElementById("frame"),
    h("a", { class: "brand", href: "/" }, "moowatch"),
    h("nav", { "aria-label": "Pages" }, navLink("/", "Overview"), navLink("/static/frameworks.html", "Frameworks"),
      isSite ? null : navLink("/compare", "Compare"), navLink("/jobs", "Queue"), navLink("/static/reading.html", "Help")),
    state, lost,
    h("button", { type: "button", class: "plain", "aria-label": "Switch between light and dark", onclick: toggleTheme },
      "◐"));
  refreshState();
}

/** Somebody has typed something that a redrawn page would lose. */
function isEditing(main) {
  return [...main.querySelectorAll("textarea, input")].some((field) =>
    field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue);
}

const RETRY_MS = 5000;
let runAgain = () => {};

/** How a thing that can have the focus is found again after the page was redrawn. */
const nameOf = (element) => element.getAttribute("aria-label") ?? element.textContent;

/** A heading that is seen, or the next below, and where it stands: what the reader looks at must not move. */
function placeOf(main) {
  const marks = [...main.querySelectorAll("h1, h2, h3, .walkbox")];
  const mark = marks.find((m) => m.getBoundingClientRect().bottom > 0);
  return mark ? { selector: mark.matches(".walkbox") ? ".walkbox" : mark.tagName, text: mark.textContent,
    top: mark.getBoundingClientRect().top } : null;
}

/** Scrolls by what the page's new content moved that place; a page at its top stays there. */
function keepPlace(main, place) {
  if (!place || globalThis.scrollY === 0) return;
  const same = [...main.querySelectorAll(place.selector)];
  const mark = place.selector === ".walkbox" ? same[0] : same.find((m) => m.textContent === place.text);
  if (mark) globalThis.scrollBy({ top: mark.getBoundingClientRect().top - place.top, behavior: "instant" });
}

/** Loads the page's data again and shows it, keeping the focus on what has the same label again. */
export function reload() {
  runAgain();
}

/**
 * Starts a page: `load()` fetches its data, `show(data, main)` draws it; both run again when
 * an event in `events` says so (name -> (data) => true when the page must be loaded again).
 */
export function start({ load, show, events = {} }) {
  const main = document.getElementById("main");
  frame();
  let shown = false, timer = 0, busy = false;
  let again = null; // what was asked for while it was busy: {forced}

  function draw(data) {
    const focused = main.contains(document.activeElement) && document.activeElement !== main ? document.activeElement
      : null;
    const place = shown ? placeOf(main) : null;
    show(data, main);
    foldAll(main);
    keepPlace(main, place);
    if (focused) [...main.querySelectorAll(focused.tagName)].find((e) =>
      nameOf(e) === nameOf(focused))?.focus({ preventScroll: true });
    shown = true;
  }

  async function run(forced = false) {
    if (busy) { again = { forced: forced || Boolean(again?.forced) }; return; }
    busy = true;
    clearTimeout(timer);
    try {
      const data = await load();
      if (!shown || forced || !isEditing(main)) draw(data);
    } catch (error) {
      if (!shown) showError(main, error);
      if (!error.status || error.status >= 500) timer = setTimeout(() => run(forced), RETRY_MS);
      if (error.status === undefined) console.error(error);
    }
    busy = false;
    const next = again;
    again = null;
    if (next) run(next.forced);
  }

  const soon = debounce(() => { run(); refreshState(); });
  runAgain = () => run(true);
  const on = {};
  for (const name of ["job", "night", "alert", "incident"])
    on[name] = (data) => {
      if (events[name]?.(data)) soon();
      else if (name === "job" && data.state !== "leased") refreshState();
    };
  run();
  listen(on, {
    onState: (word) => replace(lost, word === "lost" ? "connection lost, trying again …" : ""),
    refresh: soon,
  });
}

/** The part of the path after the page's name: "/projects/x" gives "x". */
export function pathArgument() {
  return decodeURIComponent(HERE.split("/")[2] ?? "");
}
