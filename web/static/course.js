// What happened during the loops: calls per second, and the node's state while they ran.
import { h, s } from "/static/dom.js";
import { typicalRange, wholeRange } from "/static/typical.js";

const WIDTH = 320, HEIGHT = 64, PAD = 4, DASH = 3;
const SECONDS_MIN = 3; // fewer full seconds are no course

function path(values, x, y) {
  let out = "", pen = false;
  values.forEach((v, i) => {
    if (!Number.isFinite(v)) { pen = false; return; }
    const lone = !pen && !Number.isFinite(values[i + 1]); // a dash, for a point is hardly seen
    out += `${pen ? "L" : "M"}${(x(i) - (lone ? DASH / 2 : 0)).toFixed(1)} ${y(v).toFixed(1)}${lone ? `h${DASH}` : ""}`;
    pen = true;
  });
  return out;
}

const round = (v) => v >= 100 ? Math.round(v).toLocaleString("en") : v >= 1 ? v.toFixed(1) : v.toFixed(2);

/**
 * lines: arrays of numbers over the same axis; marks: indices to mark on the first line; whole: peaks are what it is
 * about, else few that lie far outside are cut off and the caption says where.
 */
function plot(lines, label, className, { marks = [], whole = false } = {}) {
  const all = lines.flat().filter(Number.isFinite);
  if (all.length === 0) return null;
  const [least, most] = wholeRange(all.map((v) => [v, v])), [low, high] = whole ? [least, most]
    : typicalRange(all.map((v) => [v, v]));
  const words = `${label}, at most ${round(most)}${high < most ? `; cut off above ${round(high)}` : ""}${low > least ? `; cut off below ${round(low)}` : ""}`;
  const longest = Math.max(...lines.map((l) => l.length));
  const x = (i) => longest > 1 ? PAD + (WIDTH - 2 * PAD) * i / (longest - 1) : WIDTH / 2;
  const y = (v) => HEIGHT - PAD - (HEIGHT - 2 * PAD) * (Math.min(Math.max(v, low), high) - low) / (high - low || 1);
  return h("figure", { class: "course" },
    s("svg", { class: className, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": words },
      lines.map((line) => s("path", { class: "line", d: path(line, x, y), "vector-effect": "non-scaling-stroke" })),
      marks.map((i) => s("line", { class: "mark", x1: x(i), x2: x(i), y1: 0, y2: HEIGHT,
        "vector-effect": "non-scaling-stroke" }))),
    h("figcaption", {}, words));
}

/** Calls per second of each loop; null when the loops were too short for it. */
export function throughput(configuration, className) {
  const lines = configuration.loop_results.map((l) => l.calls_per_second ?? []).filter((l) => l.length >= SECONDS_MIN);
  return lines.length ? plot(lines, "Calls per second, one line per loop", className) : null;
}

const NAMES = { others_cpu_percent: "CPU time of others, %", load1: "load over a minute",
  steal_percent: "stolen by the hypervisor, %",
  temperature_c: "temperature, °C", frequency_mhz: "clock, MHz", running: "threads running or waiting to run",
  memory_available_mb: "memory available, MB" };

/** Of a pair, before and after the loop, what lies between the two. */
const reading = (value) => Array.isArray(value) ? (value[0] + value[1]) / 2 : value;

/** The idle proof: each reading over the loops in the order they ran; disturbed loops are marked. */
export function readings(configurations) {
  const loops = configurations.flatMap((c) => c.loop_results).filter((l) => l.readings)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
  const keys = [...new Set(loops.flatMap((l) => Object.keys(l.readings)))].filter((k) =>
    loops.some((l) => Number.isFinite(reading(l.readings[k]))));
  const disturbed = loops.flatMap((l, i) => l.disturbed ? [i] : []);
  const marks = disturbed.length <= loops.length / 3 ? disturbed : []; // else they mark nothing
  return keys.map((key) => plot([loops.map((l) => reading(l.readings[key]))], NAMES[key] ?? key.replaceAll("_", " "), "p-T",
    { marks, whole: true })).filter(Boolean);
}

const USES = [["cpu_percent", "CPU in use by all, % of one"], ["memory_mb", "memory in use, MB"],
  ["disk_mb", "read and written, MB a sample"],
  ["network_mb", "received and sent, MB a sample"]];

/** What the whole node used over time, all loops one after the other in the order they ran,
  as MooBench's controller logs it. */
export function usage(configurations) {
  const samples = configurations.flatMap((c) => c.loop_results).filter((l) => l.readings?.usage)
    .sort((a, b) => (a.position ?? 0) - (b.position ?? 0)).map((l) => l.readings.usage);
  return USES.map(([key, label]) => {
    const line = samples.flatMap((u) => [...(u[key] ?? []), null]); // a gap between two loops
    return line.some(Number.isFinite) ? plot([line], label, "p-T", { whole: true }) : null;
  }).filter(Boolean);
}
