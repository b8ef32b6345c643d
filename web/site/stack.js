// The chart over the nights, drawn by the browser: a site of files cannot have one of every range, width and theme.
// Columns, range and colours are as in the server's chart (web/layout, web/paint).
import { columnsOf, LEFT, RIGHT } from "/static/columns.js";
import { boundariesOf, markedAs, portionsOf } from "/static/multiples.js";
import { asMedians, chainOnly } from "/static/range.js";
import { typicalRange, wholeRange } from "/static/typical.js";

const TOP = 36, BOTTOM = 44, TICKS = 5, BAR_SHARE = 0.78, BAR_MAX = 64, DATE_ROOM = 84;
const INK = { light: { paper: "#ffffff", ink: "#1b1f24", muted: "#57606a", grid: "#dfe3e8", ring: "#c4002b" },
  dark: { paper: "#15191e", ink: "#e8ecf0", muted: "#a3adb8", grid: "#2d343c", ring: "#ff6b81" } };
const STANDARD = { light: { T: "#6e7781", I: "#e69f00", C: "#009e73", W: "#0072b2" },
  dark: { T: "#9aa4ae", I: "#e69f00", C: "#10b386", W: "#3a97d4" } };
const OTHERS = { light: ["#cc79a7", "#d9c800", "#56b4e9", "#8c564b"], dark: ["#cc79a7", "#f0e442", "#56b4e9", "#b98a80"] };
const UNITS = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
const DASHES = { environment: "5 4", accepted: "8 2 2 2", release: "1.5 2.5", incident: "10 3", note: "3 3",
  baseline: "12 2 2 2" };

const n1 = (v) => v.toFixed(1);
const known = (v) => typeof v === "number" && Number.isFinite(v);
const plain = (text) => String(text).replace(/[<>&"]/g, (c) => `&#${c.charCodeAt(0)};`);
const colourOf = (name, i, theme) => STANDARD[theme][name] ?? OTHERS[theme][i % OTHERS[theme].length];

function text(x, y, words, { anchor = "start", fill, size = 11 }) {
  return `<text x="${n1(x)}" y="${n1(y)}" text-anchor="${anchor}" fill="${fill}" font-size="${size}">${plain(words)}</text>`;
}

const line = (x1, y1, x2, y2, stroke, more = "") =>
  `<path d="M${n1(x1)} ${n1(y1)}L${n1(x2)} ${n1(y2)}" stroke="${stroke}" fill="none" ${more}/>`;

/** The first chain, root first: what is stacked. */
function firstChain(portions) {
  const chain = [];
  let next = portions.find((p) => !p.parent);
  while (next && !chain.includes(next)) {
    chain.push(next);
    next = portions.find((p) => p.parent === chain.at(-1).configuration);
  }
  return chain.length > 0 ? chain : portions;
}

const median = (values) => {
  const sorted = values.toSorted((a, b) => a - b), half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
};

/** A column's value of each of the chain's portions, null where none was measured; of several nights the median. */
function valuesOf(column, nights, chain) {
  const held = nights.slice(column.first, column.first + column.count).filter((n) => n.state === "measured");
  return chain.map(({ configuration }) => {
    const found = held.map((n) => n.portions.find((p) => p.configuration === configuration)?.mean_ns).filter(known);
    return found.length > 0 ? median(found) : null;
  });
}

/** A round step that makes about TICKS of them. */
function stepOf(span) {
  const rough = span / TICKS, power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].find((k) => k * power >= rough) * power;
}

function scaleOf(columns, { lines, full, height }) {
  const present = columns.map((c) => c.values.filter(known)).filter((v) => v.length > 0);
  const spans = present.map((v) => lines ? [Math.min(...v, 0), Math.max(...v)]
    : [v.filter((x) => x < 0).reduce((a, b) => a + b, 0), v.filter((x) => x > 0).reduce((a, b) => a + b, 0)]);
  const [low, high] = (full ? wholeRange : typicalRange)(spans.length > 0 ? spans : [[0, 1]]);
  const step = stepOf(high - low || 1), bottom = Math.floor(low / step) * step;
  const top = Math.ceil(high / step + 0.2) * step, within = (v) => Math.min(Math.max(v, bottom), top);
  return { low: bottom, high: top, step,
    y: (v) => TOP + (height - TOP - BOTTOM) * (1 - (within(v) - bottom) / (top - bottom)) };
}

function axis(scale, width, ink) {
  const [unit, size] = UNITS.find(([, s]) => Math.max(Math.abs(scale.high), Math.abs(scale.low)) >= s) ?? UNITS[3];
  const digits = Math.max(0, -Math.floor(Math.log10(scale.step / size) + 1e-9)), parts = [];
  for (let v = scale.low; v <= scale.high + scale.step / 2; v += scale.step)
    parts.push(line(LEFT, scale.y(v), width - RIGHT, scale.y(v), ink.grid),
      text(LEFT - 6, scale.y(v) + 4, (v / size).toFixed(Math.min(digits, 3)), { anchor: "end", fill: ink.muted }));
  return parts.concat(text(4, 14, `${unit} per call`, { fill: ink.muted })).join("");
}

function bars(columns, chain, scale, size, theme) {
  const wide = Math.min(size * BAR_SHARE, BAR_MAX), paths = chain.map(() => "");
  let cuts = "";
  for (const { x, values } of columns) {
    let above = 0, below = 0;
    const left = x + (size - wide) / 2;
    values.forEach((v, i) => {
      if (!known(v)) return;
      const from = v < 0 ? below : above, to = from + v;
      if (v < 0) below = to;
      else above = to;
      const top = scale.y(Math.max(from, to)), high = scale.y(Math.min(from, to)) - top;
      if (high > 0) paths[i] += `M${n1(left)} ${n1(top)}h${n1(wide)}v${n1(high)}h${n1(-wide)}z`;
    });
    if (above > scale.high) cuts += `M${n1(x + size / 2 - 3.5)} ${TOP - 2}l3.5 -4l3.5 4`;
  }
  return { ink: paths.map((d, i) => `<path d="${d}" fill="${colourOf(chain[i].portion, i, theme)}"/>`).join(""), cuts };
}

function curves(columns, chain, scale, size, theme) {
  return chain.map(({ portion }, i) => {
    let d = "", pen = false;
    for (const { x, values } of columns) {
      if (known(values[i])) d += `${pen ? "L" : "M"}${n1(x + size / 2)} ${n1(scale.y(values[i]))}${pen ? "" : "h0.01"}`;
      pen = known(values[i]);
    }
    return `<path d="${d}" fill="none" stroke="${colourOf(portion, i, theme)}" stroke-width="2" stroke-linecap="round"/>`;
  }).join("");
}

/** A ring's mark above each column in which a portion of the chain changed. */
function marks(columns, nights, chain, size, ink) {
  const changed = (night) => night.portions.map((p) => markedAs(p, night)).find((p) => p.verdict === "anomaly" && chain.some((c) => c.configuration === p.configuration));
  return columns.flatMap(({ x, first, count }) => {
    const found = nights.slice(first, first + count).map(changed).find(Boolean);
    return found ? [text(x + size / 2, TOP + 10, found.direction === "down" ? "▼" : "▲", { anchor: "middle", fill: ink.ring, size: 12 })] : [];
  }).join("");
}

function dates(columns, nights, height, width, ink) {
  let free = LEFT;
  return columns.filter((c) => c.count > 0).flatMap(({ x, first }) => {
    if (x < free || x + DATE_ROOM > width) return [];
    free = x + DATE_ROOM;
    return [text(x, height - BOTTOM + 16, nights[first].night, { fill: ink.muted })];
  }).join("");
}

function legend(chain, height, width, theme, ink) {
  let x = LEFT;
  return chain.map(({ portion }, i) => {
    const at = x, room = 22 + 7 * String(portion).length;
    x += room;
    return x > width ? "" : `<rect x="${n1(at)}" y="${height - 17}" width="10" height="10" fill="${colourOf(portion, i, theme)}"/>${text(at + 14, height - 8, portion, { fill: ink.ink })}`;
  }).join("");
}

/**
 * An SVG of nights (oldest first), as a chart's address asks for it: theme, width, height, leaf, view, value, range.
 */
export function drawn(nights, query) {
  const theme = query.get("theme") === "dark" ? "dark" : "light", ink = INK[theme];
  const width = Number(query.get("width") ?? 900), height = Number(query.get("height") ?? 380);
  const shown = query.get("value") === "median" ? asMedians(nights) : nights;
  const portions = portionsOf(shown), leaf = query.get("leaf"), lines = query.get("view") === "lines";
  const kept = chainOnly(shown, portions, leaf), all = leaf ? portionsOf(kept) : portions;
  const chain = lines ? all : firstChain(all), map = columnsOf(nights, width);
  const columns = map.columns.map((c) => ({ ...c, values: valuesOf(c, kept, chain) }));
  const scale = scaleOf(columns, { lines, full: query.get("range") === "full", height });
  const stack = lines ? { ink: curves(columns, chain, scale, map.size, theme), cuts: "" } : bars(columns, chain, scale, map.size, theme);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif">
<rect width="${width}" height="${height}" fill="${ink.paper}"/>${axis(scale, width, ink)}${stack.ink}
${boundariesOf(nights, map).map(({ x, kind }) => line(x, TOP, x, height - BOTTOM, ink.muted, `stroke-dasharray="${DASHES[kind]}"`)).join("")}
${stack.cuts ? `<path d="${stack.cuts}" fill="none" stroke="${ink.ink}"/>` : ""}${marks(columns, nights, chain, map.size, ink)}
${line(LEFT, scale.y(0), width - RIGHT, scale.y(0), ink.ink)}${dates(columns, nights, height, width, ink)}${legend(chain, height, width, theme, ink)}</svg>`;
}
