// Nights to walk through: the server's stacked chart and every portion alone, one under the other on
// the same columns, with one cursor, one card, one place in the keyboard's order.
import { columnsOf, LEFT } from "/static/columns.js";
import { commitLink, h, replace, s } from "/static/dom.js";
import { currentTheme } from "/static/frame.js";
import { interval } from "/static/format.js";
import { picture, place as found } from "/static/place.js";
import { multiple, portionsOf } from "/static/multiples.js";
import { contentWidth, swatch } from "/static/parts.js";
import { verdictWords, whichOf } from "/static/words.js";

const PAGE_STEP = 10;
const WIDTH_MAX = 1600, WIDTH_STEP = 20; // few widths, so that the server's cache can help
const DRAG_MIN = 8; // pixels; less is a click
const CARD_WIDTH = 340;

let redraw = null; // of the newest walk; a page has one
addEventListener("themechange", () => redraw?.());
matchMedia("print").addEventListener("change", () => redraw?.());

const widthFor = (room) => Math.max(Math.floor(Math.min(room, WIDTH_MAX) / WIDTH_STEP) * WIDTH_STEP, 240);

function cardContent(night, pattern, marked) {
  return [h("p", {}, h("b", {}, night.night), " ", commitLink(night.commit, pattern),
    night.release ? [" ", h("span", { class: "badge" }, night.release)] : null, " ",
    night.note ? [h("bdi", {}, night.note), " "] : null,
    h("bdi", {}, night.commit?.author ?? "")),
    h("p", { class: "quiet" }, h("bdi", {}, night.commit?.subject ?? "")),
    night.state === "measured"
      ? h("ul", { class: "values" },
        night.portions.map((p, i) => h("li", {}, swatch(p.portion, i), h("b", {}, p.portion), " ",
        whichOf(p, night.portions) ? h("span", { class: "quiet" }, whichOf(p, night.portions), " ") : null, interval(p),
        p.verdict === "ok" ? "" : h("b", {}, ` ${verdictWords(p)}`))))
      : h("p", {}, night.headline),
    night.environment_changed || night.accepted ? h("p", { class: "small" },
      [night.environment_changed ? "new environment" : null,
      night.accepted ? "its change was accepted: a new baseline" : null].filter(Boolean).join(" · ")) : null,
    h("p", { class: "small forfingers" }, "Tap again to open the night."),
    marked ? h("p", { class: "small" }, `Shift-click or Shift-Enter compares with ${marked.night}.`) : null];
}

/** The server's chart as an image with its size known, drawn over by a transparent layer. */
function chartPart(address, nights) {
  let drawnIn = "light"; // told to the style sheet once the picture is there
  const image = h("img", { class: "chart", onload: () => { image.dataset.theme = drawnIn; },
    alt: `${nights.length} nights and their portions; the table below holds the same values.` });
  const cursor = s("line", { class: "cursor", x1: -9, x2: -9, y1: 0 });
  const selection = s("rect", { class: "selection", x: -9, y: 0, width: 0 });
  const layer = s("svg", { class: "layer", "aria-hidden": "true" }, selection, cursor);
  return {
    element: h("div", { class: "chartbox" }, image, layer),
    draw(width) {
      const theme = currentTheme();
      const height = width < 520 ? 320 : 400;
      image.width = width;
      image.height = height;
      for (const [name, v] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) layer.setAttribute(
        name, v);
      cursor.setAttribute("y2", height);
      selection.setAttribute("height", height);
      drawnIn = theme;
      picture(image, address({ width: String(width), height: String(height), theme }));
    },
    move: (x) => { cursor.setAttribute("x1", x); cursor.setAttribute("x2", x); },
    select: (from, to) => { selection.setAttribute("x", Math.min(from, to)); selection.setAttribute("width",
      Math.abs(to - from)); },
  };
}

/**
 * nights    oldest first
 * pattern   the project's commit_url
 * chart     (parameters) => address of the server's chart, or null: only the portions
 * full      nothing is cut off, however far outside it lies
 * onZoom    (first, last) => called with the indices of a dragged range
 * Returns an element; it follows its width and the theme.
 */
export function walk(nights, { pattern = null, chart = null, full = false, onZoom = null } = {}) {
  const card = h("div", { class: "nightcard", "aria-live": "polite", hidden: true });
  const plots = h("div", { class: "multiples" });
  const stack = chart ? chartPart(chart, nights) : null;
  const body = h("div", { class: "walk", tabindex: 0, role: "application",
    "aria-label": "Nights. Left and right arrow keys move, Enter opens a night, Shift-Enter marks one to compare." },
  stack?.element, plots);
  const element = h("div", { class: "walkbox" }, body, card);
  let map = columnsOf(nights, 900), parts = [], at = -1, width = 0, marked = null, dragFrom = null, dragged = false;

  const centre = (i) => map.columns[map.of[i]].x + map.size / 2;

  function place(y) {
    const x = centre(at);
    card.hidden = false;
    card.style.left = `${Math.max(Math.min(x + 16, element.clientWidth - CARD_WIDTH), 0)}px`;
    if (x + 16 > element.clientWidth - CARD_WIDTH) card.style.left = `${Math.max(x - 16 - CARD_WIDTH, 0)}px`;
    card.style.top = `${Math.max(y, 0)}px`;
  }
  function choose(i, y) {
    i = Math.min(Math.max(i, 0), nights.length - 1);
    if (i !== at) {
      at = i;
      for (const part of [stack, ...parts]) part?.move(centre(i));
      replace(card, cardContent(nights[i], pattern, marked));
    }
    place(y);
  }
  function leave() {
    card.hidden = true;
    at = -1;
    for (const part of [stack, ...parts]) part?.move(-9);
  }
  function open(compare) {
    const night = nights[at];
    if (!night?.experiment || night.state === "failed") return;
    if (!compare) { location.href = found(`/experiments/${night.experiment}`); return; }
    if (marked && marked !== night) {
      const [a, b] = [marked, night].sort((p, q) => nights.indexOf(p) - nights.indexOf(q));
      location.href = found(`/compare?a=${a.experiment}&b=${b.experiment}`);
      return;
    }
    marked = night;
    replace(card, cardContent(night, pattern, marked));
  }
  /** Index of the night under a pixel of the picture; in a merged column its first. */
  function nearest(px) {
    const column = Math.min(Math.max(Math.floor((px - LEFT) / map.size), 0), map.columns.length - 1);
    const { first, count } = map.columns[column];
    if (count <= 1) return Math.min(first, nights.length - 1);
    const share = ((px - LEFT) / map.size - column) * count;
    return first + Math.min(Math.max(Math.floor(share), 0), count - 1);
  }
  function draw(room) {
    width = widthFor(room);
    map = columnsOf(nights, width);
    parts = portionsOf(nights).map((p, i, all) => multiple(p, i, nights, map, width, { which: whichOf(p, all), full }))
      .filter(Boolean);
    replace(plots, parts.map((p) => p.element));
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
    if (entry.contentRect.width > 0 && widthFor(entry.contentRect.width) !== width) draw(entry.contentRect.width);
  }).observe(element);
  return element;
}
