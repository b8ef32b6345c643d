// Pieces that several pages show.
import { h, replace, s } from "/static/dom.js";
import { duration, known, unitFor, value } from "/static/format.js";
import { folding } from "/static/folding.js";
import { typicalRange } from "/static/typical.js";
import { MARKS, progressWords, verdictWords } from "/static/words.js";

/** The colour class of a portion: T, I, C, W have their own, others get one of four by index. */
export function portionClass(name, index = 0) {
  return "TICW".includes(name) && name.length === 1 ? `p-${name}` : `p-${index % 4}`;
}

/** A swatch of a portion's colour; the letter beside it says the same without colour. */
export function swatch(name, index) {
  return h("span", { class: `swatch ${portionClass(name, index)}`, "aria-hidden": "true" });
}

/** The method alone: the only one without a parent that others stand on, or a T by itself. null where there is none, as
  of unrelated benchmarks. */
export function controlOf(portions) {
  const roots = portions.filter((r) => !r.parent && portions.some((p) => p.parent === r.configuration));
  if (portions.length === 1 && portions[0].portion === "T") return portions[0];
  return roots.length === 1 ? roots[0] : null;
}

/** The configuration whose time a night's total is, where that is not above all the others (several writers, unrelated
  benchmarks); else null. portions: parents first. */
export function totalOf(portions) {
  const chain = portions.slice(0, 1);
  for (const p of portions) if (p.parent && p.parent === chain.at(-1).configuration) chain.push(p);
  return chain.length < portions.length ? chain.at(-1).configuration : null;
}

/** "▲ rose" as a badge; quiet for "as before". */
export function verdictBadge(portion) {
  const loud = portion.verdict === "anomaly";
  const warn = portion.standing && !loud;
  return h("span", { class: "badge" + (loud ? " loud" : warn ? " warn" : "") },
    loud ? `${MARKS[portion.direction] ?? "●"} ` : null, verdictWords(portion));
}

/** The width a full-width block will have, so that it can be drawn before it is shown and nothing jumps. */
export function contentWidth() {
  const main = document.getElementById("main");
  const style = getComputedStyle(main);
  return Math.floor(main.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight));
}

/** The running job's bar; `update(job)` moves it without redrawing. */
export function progressBar(job) {
  const bar = h("progress", { max: 100, value: 0, "aria-label": "Progress of the running measurement" });
  const words = h("span", {});
  const left = h("span", { class: "quiet" });
  function update(next) {
    const p = next.progress;
    bar.value = p && p.total > 0 ? Math.round(100 * p.done / p.total) : 0;
    words.textContent = progressWords(p);
    left.textContent = p && typeof p.eta_seconds === "number" ? `about ${duration(p.eta_seconds)} left` : "";
  }
  update(job);
  return { element: h("div", { class: "progress" }, bar, h("div", {}, words, " ", left)), update };
}

const SPAN_MIN = 0.2; // of the level: noise of a few percent is no mountains

const NEAR = 0.05; // of the scale: what lies so little beyond it is not cut off

/** The scale of one portion alone; shown: values that must be within, such as the levels of a change that is told. */
function ownRange(present, shown) {
  const range = typicalRange(present.map((v) => [v, v]), { own: true });
  const [from, to] = [Math.min(range[0], ...shown), Math.max(range[1], ...shown)], slack = (to - from) * NEAR;
  const near = present.filter((v) => v >= from - slack && v <= to + slack);
  const low = Math.min(from, ...near), high = Math.max(to, ...near), middle = (low + high) / 2;
  const reach = Math.max((high - low) / 2, Math.abs(middle) * SPAN_MIN / 2);
  return [Math.min(low, middle - reach), Math.max(high, middle + reach)]; // no end is cut off by its rounding
}

/** "1.62 to 1.98 µs": what a line of values spans from its lower edge to its upper one; "" without a value. write: what
  is no time has its own way. */
export function scaleWords(values, shown = [], write = null) {
  const present = values.filter(known);
  if (present.length === 0) return "";
  const [low, high] = ownRange(present, shown), unit = unitFor(high);
  return [low, high].map((v) => write ? write(v) : value(v, unit)).join(" to ");
}

/** "2 values cut off, up to 35.6 µs, down to 2.00 ns", or "": values too far outside for their own scale. */
export function cutWords(values, shown = [], write = value) {
  const present = values.filter(known), [low, high] = ownRange(present, shown);
  const out = present.filter((v) => v < low || v > high), most = Math.max(...out), least = Math.min(...out);
  return out.length === 0 ? "" : [`${out.length} ${out.length === 1 ? "value" : "values"} cut off`,
    most > high ? `up to ${write(most)}` : null, least < low ? `down to ${write(least)}` : null].filter(Boolean).join(", ");
}

/** A line of values over nights, without axes; gaps where a value is null, arrows where one lies far outside;
  shown: values that its scale must show. */
export function sparkline(values, className, label, shown = [], write = value) {
  const width = 240, height = 48, pad = 4;
  const present = values.filter(known);
  if (present.length === 0) return null;
  const [low, high] = ownRange(present, shown);
  const x = (i) => values.length > 1 ? pad + (width - 2 * pad) * i / (values.length - 1) : width / 2;
  const y = (v) => high > low ? height - pad - (height - 2 * pad) * (Math.min(Math.max(v, low),
    high) - low) / (high - low) : height / 2;
  let path = "", cuts = "", pen = false;
  values.forEach((v, i) => {
    if (!known(v)) { pen = false; return; }
    path += `${pen ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}${pen ? "" : "h0.01"}`;
    pen = true;
    if (v > high) cuts += `M${(x(i) - 3).toFixed(1)} ${pad}l3 -3l3 3`;
    if (v < low) cuts += `M${(x(i) - 3).toFixed(1)} ${height - pad}l3 3l3 -3`;
  });
  const cut = cutWords(values, shown, write);
  return s("svg", { class: `spark ${className}`, viewBox: `0 0 ${width} ${height}`, role: "img",
    preserveAspectRatio: "none",
    "aria-label": `${label}: from ${write(present[0])} to ${write(present[present.length - 1])}${cut ? `; ${cut}` : ""}` },
  s("path", { d: path, class: "line", "vector-effect": "non-scaling-stroke" }),
  cuts ? s("path", { d: cuts, class: "cuts", "vector-effect": "non-scaling-stroke" }) : null);
}

/** Moves what would overlap apart, downwards from the highest: [{y, …}] in any order, at least distance between two. */
export function apart(items, distance) {
  let below = -Infinity;
  return items.toSorted((a, b) => a.y - b.y).map((item) => {
    below = Math.max(item.y, below + distance);
    return { ...item, y: below };
  });
}

/** A table that folds when it is too wide. */
export function tableBox(label, table) {
  const box = h("div", { class: "scroll", role: "region", "aria-label": label }, table);
  folding(box, table);
  return box;
}

/** The same from the heads of its columns and its lines; caption: what a screen reader says of it. */
export const tableOf = (label, heads, rows, caption = null) => tableBox(label, h("table", {},
  caption && h("caption", { class: "hidden" }, caption), h("thead", {}, row(heads, "th")), h("tbody", {}, rows)));

export function row(cells, tag = "td") {
  return h("tr", {}, cells.map((cell) => h(tag, tag === "th" ? { scope: "col" } : {}, cell)));
}

/**
 * Of what is shown a page at a time: buttons to the newer and the older one, which keep the focus, and words between.
 * words(at); draw(at): shows that page. Returns {element, show(at, pages)}.
 */
export function pager(words, draw) {
  const element = h("p", { class: "pager" });
  function show(at, pages, pressed = null) {
    draw(at);
    const ways = [at - 1, at + 1], off = ways.map((to) => to < 0 || to >= pages);
    const buttons = ["Newer", "Older"].map((text, i) => h("button", { type: "button", disabled: off[i],
      onclick: () => show(ways[i], pages, i) }, text));
    replace(element, pages < 2 ? null : [buttons[0], ` ${words(at)} `, buttons[1]]);
    if (pressed !== null) buttons[off[pressed] ? 1 - pressed : pressed].focus();
  }
  return { element, show };
}

/** A button that copies text; when the browser forbids that, it selects the text. */
export function copyButton(source) {
  const button = h("button", { type: "button", onclick: async () => {
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  } }, "Copy");
  return button;
}

/** A command to be copied; command: a code element. */
export const commandBox = (command) =>
  h("div", { class: "command" }, h("pre", { tabindex: 0 }, command), copyButton(command));
