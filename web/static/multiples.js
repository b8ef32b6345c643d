// Small multiples: every portion on its own scale, with intervals, reference band and rings.
// One place for the pointer and the keyboard walks all of them together.
import { commitLink, h, replace, s } from "/static/dom.js";
import { interval, value } from "/static/format.js";
import { MARKS, nightWords, portionName, verdictWords } from "/static/words.js";
import { contentWidth, portionClass, swatch } from "/static/parts.js";

const HEIGHT = 96, TOP = 14, BOTTOM = 10, LEFT = 66, RIGHT = 14;
const DENSE = 6; // pixels a night; below it dots shrink
const PAGE_STEP = 10;

/** The portions of all nights, by configuration, in the newest night's order. */
export function portionsOf(nights) {
  const found = new Map();
  for (const night of nights.toReversed())
    for (const p of night.portions)
      if (!found.has(p.configuration)) found.set(p.configuration, p);
  return [...found.values()];
}

export const portionIn = (night, configuration) =>
  night.portions.find((p) => p.configuration === configuration) ?? null;

function scaleOf(points) {
  let low = Infinity, high = -Infinity;
  for (const p of points) {
    if (!p || typeof p.mean_ns !== "number") continue;
    low = Math.min(low, p.low_ns ?? p.mean_ns, p.reference?.low_ns ?? Infinity);
    high = Math.max(high, p.high_ns ?? p.mean_ns, p.reference?.high_ns ?? -Infinity);
  }
  if (!(low <= high)) return null;
  const pad = (high - low || Math.abs(high) || 1) * 0.08;
  return { low, high, y: (v) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - (v - low + pad) / (high - low + 2 * pad)) };
}

const n1 = (x) => x.toFixed(1);

function marks(points, nights, x, scale, column) {
  let whiskers = "", dots = "", band = "", gaps = "";
  points.forEach((p, i) => {
    if (nights[i].state !== "measured") {
      const y = HEIGHT - BOTTOM - 5, r = Math.min(4, column / 3);
      gaps += nights[i].state === "failed" ? `M${n1(x(i) - r)} ${y - r}l${n1(2 * r)} ${n1(2 * r)}m0 ${n1(-2 * r)}l${n1(-2 * r)} ${n1(2 * r)}`
        : `M${n1(x(i) - r)} ${y}l${n1(r)} ${n1(-r)}l${n1(r)} ${n1(r)}l${n1(-r)} ${n1(r)}z`;
    }
    if (!p || typeof p.mean_ns !== "number") return;
    whiskers += `M${n1(x(i))} ${n1(scale.y(p.low_ns))}V${n1(scale.y(p.high_ns))}`;
    dots += `M${n1(x(i))} ${n1(scale.y(p.mean_ns))}h0.01`;
    if (p.reference)
      band += `M${n1(x(i) - column / 2)} ${n1(scale.y(p.reference.low_ns))}h${n1(column)}V${n1(scale.y(p.reference.high_ns))}h${n1(-column)}z`;
  });
  return [s("path", { class: "band", d: band }), s("path", { class: column < DENSE ? "whiskers dense" : "whiskers", d: whiskers }),
    s("path", { class: column < DENSE ? "dots dense" : "dots", d: dots }), s("path", { class: "gaps", d: gaps })];
}

function rings(points, x, scale) {
  return points.flatMap((p, i) => {
    if (p?.verdict !== "anomaly") return [];
    const y = scale.y(p.mean_ns), below = y < TOP + 18;
    return [s("circle", { class: "ring", cx: n1(x(i)), cy: n1(y), r: 8 }),
      s("text", { class: "ringmark", x: n1(x(i)), y: n1(below ? y + 21 : y - 12), "text-anchor": "middle" }, MARKS[p.direction] ?? "●")];
  });
}

function boundaries(nights, x, column) {
  return nights.flatMap((night, i) => night.environment_changed && i > 0
    ? [s("line", { class: "boundary", x1: n1(x(i) - column / 2), x2: n1(x(i) - column / 2), y1: 2, y2: HEIGHT - 2 })] : []);
}

function plot(portion, index, nights, width) {
  const points = nights.map((night) => portionIn(night, portion.configuration));
  const scale = scaleOf(points);
  if (!scale) return null;
  const column = (width - LEFT - RIGHT) / nights.length;
  const x = (i) => LEFT + column * (i + 0.5);
  const cursor = s("line", { class: "cursor", y1: 0, y2: HEIGHT, x1: -9, x2: -9 });
  const svg = s("svg", { class: `plot ${portionClass(portion.portion, index)}`, width, height: HEIGHT,
    viewBox: `0 0 ${width} ${HEIGHT}`, "aria-hidden": "true" },
  s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: scale.y(scale.high), y2: scale.y(scale.high) }),
  s("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: scale.y(scale.low), y2: scale.y(scale.low) }),
  s("text", { class: "tick", x: LEFT - 6, y: scale.y(scale.high) + 4, "text-anchor": "end" }, value(scale.high)),
  s("text", { class: "tick", x: LEFT - 6, y: scale.y(scale.low) + 4, "text-anchor": "end" }, value(scale.low)),
  marks(points, nights, x, scale, column), boundaries(nights, x, column), rings(points, x, scale), cursor);
  const last = points.findLast((p) => p);
  return {
    element: h("div", { class: "multiple" },
      h("h3", {}, swatch(portion.portion, index), portion.portion, " ", h("span", { class: "quiet" },
        portionName(portion.portion) === portion.portion ? portion.configuration
          : portionName(portion.portion).toLowerCase(), portion.parent ? "" : " (the control)"),
      h("span", { class: "now" }, interval(last))), svg),
    move: (i) => { cursor.setAttribute("x1", x(i)); cursor.setAttribute("x2", x(i)); },
    nearest: (px) => Math.round((px - LEFT) / column - 0.5),
  };
}

function card(night, pattern) {
  return [h("p", {}, h("b", {}, night.night), " ", commitLink(night.commit, pattern), " ",
    h("bdi", {}, night.commit?.author ?? ""), ": ", h("bdi", {}, night.commit?.subject ?? "")),
  night.state === "measured"
    ? h("ul", { class: "values" }, night.portions.map((p, i) => h("li", {}, swatch(p.portion, i), h("b", {}, p.portion), " ",
      interval(p), p.verdict === "ok" ? "" : ` ${verdictWords(p)}`)))
    : h("p", {}, nightWords(night))];
}

/** nights: oldest first; pattern: the project's commit_url. Returns an element; it follows its width. */
export function multiples(nights, pattern) {
  const info = h("div", { class: "nightcard", "aria-live": "polite" },
    h("p", { class: "quiet" }, "Point at a night or walk with ← and →; Enter or a click opens it."));
  const body = h("div", { class: "multiples", tabindex: 0, role: "application",
    "aria-label": "Portions night by night. Left and right arrow keys walk the nights, Enter opens one." });
  let plots = [], at = -1, drawn = 0;

  function choose(i) {
    i = Math.min(Math.max(i, 0), nights.length - 1);
    if (i === at) return;
    at = i;
    for (const one of plots) one.move(i);
    replace(info, card(nights[i], pattern));
  }
  function open() {
    const night = nights[at];
    if (night?.experiment) location.href = `/experiments/${night.experiment}`;
  }
  function draw(width) {
    drawn = width;
    plots = portionsOf(nights).map((p, i) => plot(p, i, nights, width)).filter(Boolean);
    replace(body, plots.map((p) => p.element));
    if (at >= 0) for (const one of plots) one.move(at);
  }
  body.addEventListener("pointermove", (event) => {
    const svg = body.querySelector("svg.plot");
    if (svg) choose(plots[0].nearest(event.clientX - svg.getBoundingClientRect().left));
  });
  body.addEventListener("click", (event) => { if (event.target.closest("svg")) open(); });
  body.addEventListener("keydown", (event) => {
    const from = at < 0 ? nights.length : at;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, PageUp: from - PAGE_STEP, PageDown: from + PAGE_STEP,
      Home: 0, End: nights.length - 1 }[event.key];
    if (event.key === "Enter") open();
    else if (to !== undefined) choose(to);
    else return;
    event.preventDefault();
  });
  draw(contentWidth());
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width > 0 && width !== drawn) draw(width);
  }).observe(body);
  return h("div", {}, body, info);
}
