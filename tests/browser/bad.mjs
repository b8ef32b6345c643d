// Histories that have gone wrong in some way, as tests/unit/web/chart/test_bad_input.c has them for the charts.
import { history, projectOf } from "./fixtures.mjs";

const START = "2013-01-01";
const level = { none: 70, deactivated: 270, collecting: 1100, writing: 3750 };
const usual = (name, count, first, more) => history(name, count, { start: START, level: () => level, first, seed: first, ...more });

/** Every text of the nights becomes this one. */
const called = (nights, text) => nights.map((night) => ({ ...night, release: text,
  commit: { ...night.commit, subject: text, author: text },
  configurations: night.configurations.map((c) => ({ ...c, label: text })),
  portions: night.portions.map((p, i) => ({ ...p, portion: `${i}${text}`, reason: text, verdict: i === 2 ? "anomaly" : p.verdict, direction: "up" })) }));

/** Portions by hand: values[night][portion]. */
const exactly = (nights, values) => nights.map((night, n) => ({ ...night,
  portions: night.portions.map((p, i) => {
    const mean = values[n % values.length][i], half = typeof mean === "number" ? Math.abs(mean) * 0.02 : null;
    const range = typeof mean === "number" ? { mean_ns: mean, low_ns: mean - half, high_ns: mean + half } : { mean_ns: mean, low_ns: null, high_ns: null };
    return { ...p, ...range, median_ns: range.mean_ns, median_low_ns: range.low_ns, median_high_ns: range.high_ns, reference: null, difference: null };
  }) }));

const forty = () => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`P${i}`, 10 + 10 * i]));
const CASES = {
  "one-night": usual("one-night", 1, 20000),
  "one-portion": usual("one-portion", 5, 20100, { level: () => ({ none: 70 }) }),
  "gap-of-a-year": usual("gap-of-a-year", 385, 20200, { skip: (i) => i >= 10 && i < 375 }),
  "forty-configurations": usual("forty-configurations", 5, 20700, { level: forty }),
  "long-names": called(usual("long-names", 5, 20800), "w".repeat(300)),
  "right-to-left": called(usual("right-to-left", 5, 20900), "إصلاح كاتب السجلات \u202etxt.exe"),
  "emoji": called(usual("emoji", 5, 21000), "🐮 faster moo 👩‍👩‍👧‍👦"),
  "markup": called(usual("markup", 5, 21100), "</text><script>window.hacked=1</script><img src=x onerror=window.hacked=1>&amp;\"'"),
  "no-numbers": exactly(usual("no-numbers", 5, 21200), [[70, null, 830, 2650], [70, "NaN", 830, 2650], [null, null, null, null], [70, 200, 830, 1e300]]),
  "zeros": exactly(usual("zeros", 5, 21300), [[0, 0, 0, 0]]),
  "negative": exactly(usual("negative", 5, 21400), [[70, 200, -40, 300], [-1, -2, -3, -4], [70, -500, 1, 1]]),
  "1-ns-to-10-s": exactly(usual("1-ns-to-10-s", 5, 21500), [[1, 1, 1, 1], [1, 1000, 1e6, 1e10], [1e3, 1e3, 1e3, 1e3]]),
  "all-failed": usual("all-failed", 5, 21600, { failed: (i) => i % 2 ? "exit status 134" : null, quarantined: (i) => i % 2 ? null : "too wide" }),
};

export const badNights = CASES;
const TITLES = { "long-names": "w".repeat(300), "right-to-left": "إصلاح كاتب السجلات \u202etxt.exe", "emoji": "🐮👩‍👩‍👧‍👦", "markup": "<script>window.hacked=1</script>" };
export const badProjects = Object.entries(CASES).map(([name, nights]) => projectOf(name, TITLES[name] ?? name, nights,
  { repository: `https://example.org/${name}.git`, quiet_nights: nights.filter((n) => n.state === "measured").length, commit_url: null }));
