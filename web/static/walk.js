// Nights to walk through: the server's stacked chart and every portion alone, one under the other on
// the same columns, with one cursor, one card, one place in the keyboard's order.
import { columnsOf, LEFT } from "/static/columns.js";
import { h, replace, s } from "/static/dom.js";
import { currentTheme } from "/static/frame.js";
import { cursorLine, dateAxis, multiple, portionsOf } from "/static/multiples.js";
import { nightCard } from "/static/nightcard.js";
import { chartWidth, isSite, place as found } from "/static/place.js";
import { contentWidth, controlOf } from "/static/parts.js";
import { whichOf } from "/static/words.js";

const PAGE_STEP = 10;
const DRAG_MIN = 8; // pixels; less is a click
const CARD_WIDTH = 340;

let redraw = null; // of the newest walk; a page has one
addEventListener("themechange", () => redraw?.());
matchMedia("print").addEventListener("change", () => redraw?.());

/** The server's chart as an image with its size known, drawn over by a transparent layer. */
function chartPart(address, nights) {
  let drawnIn = "light"; // told to the style sheet once the picture is there
  const image = h("img", { class: "chart", onload: () => { image.dataset.theme = drawnIn; },
    alt: `${nights.length} nights and their portions; the table below holds the same values.` });
  const cursor = cursorLine();
  const selection = s("rect", { class: "selection", x: -9, y: 0, width: 0 });
  const layer = s("svg", { class: "layer", "aria-hidden": "true" }, selection);
  return {
    element: h("div", { class: "chartbox" }, image, layer, cursor.element),
    draw(width) {
      const theme = currentTheme();
      const height = width < 520 ? 320 : 400;
      image.width = width;
      image.height = height;
      for (const [name, v] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) layer.setAttribute(
        name, v);
      selection.setAttribute("height", height);
      drawnIn = theme;
      image.src = found(address({ width: String(width), height: String(height), theme }));
    },
    move: cursor.move,
    select: (from, to) => { selection.setAttribute("x", Math.min(from, to)); selection.setAttribute("width",
      Math.abs(to - from)); },
  };
}

/**
 * nights    oldest first
 * pattern   the project's commit_url
 * chart     (parameters) => address of the server's chart, or null: only the portions
 * full      nothing is cut off, however far outside it lies
 * only      configuration => is its portion drawn? The control always is
 * levels    configuration => values that its portion's scale must show, or undefined
 * beside    another branch, as of multiples.js, or null
 * onZoom    (first, last) => called with the indices of a dragged range
 * Returns an element; it follows its width and the theme.
 */
export function walk(nights,
  { pattern = null, chart = null, full = false, only = () => true, levels = () => [], beside = null,
    onZoom = null } = {}) {
  const card = nightCard(pattern), cardBox = card.element;
  const plots = h("div", { class: "multiples" });
  const stack = chart ? chartPart(chart, nights) : null;
  const body = h("div", { class: "walk", tabindex: 0, role: "application",
    "aria-label": "Nights. Left and right arrow keys move, Enter opens a night, Shift-Enter marks one to compare." },
  stack?.element, plots);
  const element = h("div", { class: "walkbox" }, body, cardBox);
  let map = null, parts = [], at = -1, width = 0, room = 0, marked = null, dragFrom = null, dragged = false;

  const centre = (i) => map.columns[map.of[i]].x + map.size / 2;

  /** Beside the cursor, within the room; only what the browser can move without laying the page out again. */
  function place(y) {
    const x = centre(at), fits = x + 16 <= room - CARD_WIDTH;
    cardBox.hidden = false;
    cardBox.style.transform = `translate(${Math.max(fits ? x + 16 : x - 16 - CARD_WIDTH, 0)}px, ${Math.max(y, 0)}px)`;
  }
  function choose(i, y) {
    i = Math.min(Math.max(i, 0), nights.length - 1);
    if (i !== at) {
      at = i;
      for (const part of [stack, ...parts]) part?.move(centre(i));
      card.show(nights[i], marked);
    }
    place(y);
  }
  function leave() {
    cardBox.hidden = true;
    at = -1;
    for (const part of [stack, ...parts]) part?.move(null);
  }
  function open(compare) {
    const night = nights[at];
    if (!night?.experiment || night.state === "failed") return;
    if (!compare || isSite) { location.href = found(`/experiments/${night.experiment}`); return; }
    if (marked && marked !== night) {
      const [a, b] = [marked, night].sort((p, q) => nights.indexOf(p) - nights.indexOf(q));
      location.href = found(`/compare?a=${a.experiment}&b=${b.experiment}`);
      return;
    }
    marked = night;
    card.show(night, marked);
  }
  /** Index of the night under a pixel of the picture; in a merged column its first. */
  function nearest(px) {
    const column = Math.min(Math.max(Math.floor((px - LEFT) / map.size), 0), map.columns.length - 1);
    const { first, count } = map.columns[column];
    if (count <= 1) return Math.min(first, nights.length - 1);
    const share = ((px - LEFT) / map.size - column) * count;
    return first + Math.min(Math.max(Math.floor(share), 0), count - 1);
  }
  function draw(wide) {
    room = wide;
    width = chartWidth(room);
    map = columnsOf(nights, width);
    parts = portionsOf(nights).map((p, i, all) => {
      const control = p === controlOf(all);
      return control || only(p.configuration) ? multiple(p, i, nights, map, width,
        { which: whichOf(p, all), control, full, shown: levels(p.configuration), beside }) : null;
    }).filter(Boolean);
    replace(plots, parts.map((p) => p.element), stack || parts.length === 0 ? null : dateAxis(nights, map, width));
    stack?.draw(width);
    leave();
  }
  const px = (event) => event.clientX - body.getBoundingClientRect().left;
  const py = (event) => event.clientY - element.getBoundingClientRect().top;

  body.addEventListener("pointermove", (event) => {
    if (dragFrom !== null) stack?.select(dragFrom, px(event));
    choose(nearest(px(event)), py(event) + 20);
  });
  body.addEventListener("pointerleave", (event) => {
    if (event.pointerType !== "touch" && document.activeElement !== body) leave();
  });
  body.addEventListener("focusout", leave);
  /** A finger first shows a night's values, and opens it when it taps there again; it slides to others. */
  let wasAt = -1;
  body.addEventListener("pointerdown", (event) => {
    dragged = false;
    if (event.pointerType === "touch") {
      wasAt = at;
      choose(nearest(px(event)), py(event) + 20);
    }
    if (event.pointerType === "mouse" && event.button === 0 && onZoom && event.target.closest(".chartbox")) {
      dragFrom = px(event);
      body.setPointerCapture(event.pointerId);
    }
  });
  body.addEventListener("pointerup", (event) => {
    if (dragFrom === null) return;
    const from = dragFrom, to = px(event);
    dragFrom = null;
    stack?.select(-9, -9);
    dragged = Math.abs(to - from) >= DRAG_MIN;
    if (!dragged) return;
    const [first, last] = [nearest(from), nearest(to)].sort((a, b) => a - b);
    if (last > first) onZoom(first, last);
  });
  body.addEventListener("dragstart", (event) => event.preventDefault());
  body.addEventListener("click", (event) => {
    if (event.pointerType === "touch" && at !== wasAt) return;
    if (!dragged && at >= 0 && (event.target === body || event.target.closest(".chartbox, svg"))) open(event.shiftKey);
  });
  body.addEventListener("keydown", (event) => {
    const from = at < 0 ? nights.length : at;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, PageUp: from - PAGE_STEP, PageDown: from + PAGE_STEP,
      Home: 0, End: nights.length - 1 }[event.key];
    if (event.key === "Enter") open(event.shiftKey);
    else if (event.key === "Escape") { marked = null; leave(); }
    else if (to !== undefined) choose(to, 60);
    else return;
    event.preventDefault();
  });
  redraw = () => stack?.draw(width);
  draw(contentWidth());
  new ResizeObserver(([entry]) => {
    room = entry.contentRect.width || room;
    if (entry.contentRect.width > 0 && chartWidth(entry.contentRect.width) !== width) draw(entry.contentRect.width);
  }).observe(element);
  return element;
}
