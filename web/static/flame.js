// The flame graph of a portion: before, after, or what changed; all of it, or what is below one function. Frames are
// gone through by pointer, finger and keys. What is shown stands in the address, so that it can be linked to.
import { h, replace, s } from "/static/dom.js";
import { VIEWS, addressOf, flameOf, hashOf } from "/static/flamelink.js";
import { fitted, neighbour } from "/static/flamewalk.js";
import { currentTheme } from "/static/frame.js";
import { contentWidth } from "/static/parts.js";
import { isSite, place } from "/static/place.js";

const ROW = 20, ROW_FINGER = 26, GAP = 1; // pixels
const NARROW = 520;
const WIDTH_MIN = 240, WIDTH_MAX = 2400; // as the server draws

const widthNow = () => Math.max(WIDTH_MIN, Math.min(contentWidth(), WIDTH_MAX));

/** What the address asks to be shown of a portion: of its time, or of the bytes that it allocates. A site of files has
  only whole graphs. */
function wanted(configuration, dimension) {
  const linked = flameOf(location.hash);
  return linked?.configuration === configuration && linked.dimension === dimension
    ? { ...linked, frame: isSite ? "" : linked.frame } : { dimension, configuration, view: "difference", frame: "" };
}

async function load(alert, shown) {
  const response = await fetch(place(addressOf(alert, shown,
    { theme: currentTheme(), width: widthNow(), type: "json" })));
  if (!response.ok) throw new Error("The flame graph could not be loaded; reload the page to try again.");
  return response.json();
}

const graphs = (alert, portions, dimension) => (portions ?? []).map((p) =>
  load(alert, wanted(p.configuration, dimension)).catch(() => null));

/**
 * What each portion of an alert's explanation shows first, then each of what it allocates: [graph or null]; so that
 * nothing jumps when it is drawn.
 */
export const loadFlames = (alert, found) => Promise.all(found?.removed_ms ? []
  : [...graphs(alert, found?.portions, "time"), ...graphs(alert, found?.allocations?.portions, "bytes")]);

/** The picture of frames: {element, mark(frame)}; on: (event, frame) => called with what a pointer does there. */
function picture({ frames, rows, width }, on) {
  const high = width < NARROW ? ROW_FINGER : ROW, height = Math.max(rows, 1) * high;
  const boxes = new Map(frames.map((f) => [f, s("g", { class: "frame", transform: `translate(${f.x} ${f.row * high})`,
    onpointerenter: (event) => on(event, f), onclick: (event) => on(event, f) },
  s("rect", { width: f.width, height: high - GAP, fill: f.fill }),
  s("text", { x: 3, y: high / 2 + 3.5 }, fitted(f.words, f.width)))]));
  let marked = null;
  return { element: s("svg", { class: "frames", width, height, viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" },
    [...boxes.values()]),
  mark(frame) {
    if (marked) marked.setAttribute("class", "frame");
    marked = boxes.get(frame) ?? null;
    marked?.setAttribute("class", "frame marked");
    marked?.scrollIntoView({ block: "nearest" });
  } };
}

/** The ways to look at it: {element, show(shown)}. */
function bar(portion, dimension, go) { // a site of files has no graph of what is below each function
  const names = `frames-${dimension}-${portion.configuration}`;
  const search = h("input", { type: "search", list: names, placeholder: "a function",
    "aria-label": `Show what is below a function of ${portion.portion}` });
  const views = Object.entries(VIEWS).map(([view, words]) => h("button", { type: "button", onclick: () => go({ view }) },
    words));
  return { element: h("div", { class: "flamebar" }, h("span", { class: "choice" }, views),
    isSite ? null : h("form", { class: "flamesearch", onsubmit: (event) => {
      event.preventDefault();
      go({ frame: search.value.trim() });
    } }, search, h("button", { type: "submit" }, "Show what is below"),
    h("button", { type: "button", onclick: () => go({ frame: "" }) }, "Show all")),
    h("datalist", { id: names }, portion.functions.map((f) => h("option", { value: f.name })))),
  show(shown) {
    search.defaultValue = search.value = shown.frame; // not the reader's own: the page may be drawn anew
    Object.keys(VIEWS).forEach((view, i) => views[i].setAttribute("aria-pressed", String(view === shown.view)));
  } };
}

const LABEL = "Flame graph, outermost functions on top. Arrow keys go from frame to frame, Enter shows what is below one, "
  + "Escape shows all.";

/**
 * A figure and show(frame), which goes to a function: of an alert's portion, with the functions it has.
 * dimension: "time", "bytes"; first: what it shows at first (loadFlames), or null: it could not be loaded
 */
export function flame(alert, portion, dimension, first) {
  const { configuration } = portion;
  let shown = wanted(configuration, dimension), graph = first, at = null, drawn = null, told = null;
  const go = (next) => {
    if (isSite && next.frame) return;
    const hash = hashOf({ ...shown, ...next });
    if (hash !== location.hash) location.hash = hash; // tells follow
  };
  const note = h("p", { class: "quiet small" }), line = h("p", { class: "flameat", "aria-live": "polite" });
  const canvas = h("div", { class: "flamewalk", tabindex: 0, role: "application", "aria-label": LABEL });
  const files = h("p", { class: "small" }), controls = bar(portion, dimension, go);
  const hint = () => isSite ? "Point at a frame, or go with the arrow keys, to read it."
    : matchMedia("(pointer: coarse)").matches ? "Tap a frame to read it, again to see what is below it."
    : "Point at a frame, or go with the arrow keys; a click shows what is below.";

  function choose(frame) {
    at = frame;
    drawn?.mark(frame);
    replace(line, frame ? [h("code", {}, h("bdi", {}, frame.words)), " ",
      isSite ? null : h("a", { href: hashOf({ ...shown, frame: frame.name }) }, "Show what is below")]
      : h("span", { class: "quiet" }, hint()));
  }
  /** A pointer over a frame reads it, a click opens it; a finger does one after the other. */
  function pointer(event, frame) {
    if (event.type === "click" && (event.pointerType !== "touch" || told === frame)) go({ frame: frame.name });
    else choose(frame);
    if (event.type === "click") told = frame;
  }
  function draw() {
    controls.show(shown);
    if (!graph) { replace(canvas, h("p", { class: "quiet" }, "The flame graph could not be loaded.")); return; }
    drawn = picture(graph, pointer);
    told = null;
    replace(note, graph.note, shown.frame ? [", below ", h("code", {}, h("bdi", {}, shown.frame))] : null, ".");
    replace(canvas, drawn.element);
    const address = (type) => addressOf(alert, shown, { theme: currentTheme(), width: widthNow(), type });
    replace(files, "Picture: ", h("a", { href: address("svg") }, "SVG"),
      isSite ? null : [" ", h("a", { href: address("png") }, "PNG")]);
    choose(null);
  }
  async function again() {
    const asked = shown;
    const next = await load(alert, asked).catch(() => null);
    if (asked !== shown) return; // something else is wanted by now
    graph = next;
    draw();
  }
  canvas.addEventListener("keydown", (event) => {
    const { frames = [] } = graph ?? {};
    if (event.key === "Escape" && shown.frame) go({ frame: "" });
    else if (event.key === "Enter" && at) go({ frame: at.name });
    else {
      const to = at ? neighbour(frames, at, event.key) : event.key.startsWith("Arrow") ? frames[0] : null;
      if (!to) return;
      choose(to);
    }
    event.preventDefault();
  });
  const follow = (event) => { // until the page is drawn anew
    if (!canvas.isConnected) { globalThis.removeEventListener(event.type, follow); return; }
    shown = { ...wanted(configuration, dimension) };
    again();
  };
  for (const type of ["themechange", "hashchange"]) addEventListener(type, follow);
  draw();
  return { show: isSite ? null : (frame) => go({ frame }),
    element: h("figure", { class: "flame" }, controls.element, note, canvas, line, files) };
}
