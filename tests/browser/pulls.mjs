// Made-up pull requests in the API's exact shapes (server/openapi.yaml: PullRequest), one in each state.
import { kieker } from "./fixtures.mjs";

const HOUR_MS = 36e5, MINUTES = 60;
const [head, base] = kieker.slice(0, 2).map((night) => night.commit.sha);
const range = (mean, half) => ({ mean_ns: mean, low_ns: mean - half, high_ns: mean + half });

const WORDS = { same: "as before", more: "no answer yet" };

/** What came out for one portion; answer: of PullRequest's portions. */
const portionOf = (portion, configuration, parent, answer, before, difference, sentence) => ({ portion, configuration, parent,
  answer, loops: 40, before: range(before, before * 0.01), after: range(before + difference, before * 0.01),
  difference: range(difference, before * 0.015), least_ns: before * 0.02, seen_ns: before * 0.018, sentence, words: WORDS[answer] ?? answer });
const MEASURED = [
  portionOf("T", "none", null, "same", 69, 0.1, "T is as before: a change of 2 % would have been seen"),
  portionOf("I", "deactivated", "none", "unsure", 200, 6, "I: what was measured cannot tell +6 ns from nothing"),
  portionOf("C", "collecting", "deactivated", "slower", 1620, 410, "C rose from 1.62 µs to 2.03 µs in `signature`"),
  portionOf("W Binary file", "writing", "collecting", "faster", 2650, -300, "W fell from 2.65 µs to 2.35 µs")];

const pullOf = (id, state, headline, more) => ({
  id, project: "kieker-java", provider: "github", number: 40 + id, title: "Log <b>constructors</b>, too: with a title that somebody wrote at length",
  author: "ada <i>", url: `https://github.com/kieker-monitoring/kieker/pull/${40 + id}`, fork: false, commit: head, base, branch: "master",
  state, answer: null, headline, reason: null, minutes: MINUTES, percent: 2, level: 0.99, node: "blade1", job: null, place: null,
  spent_ms: 0, left_seconds: null, asked_ms: Date.now() - id * HOUR_MS, started_ms: null, finished_ms: null, portions: [], ...more });

export const pulls = [
  pullOf(1, "measuring", "Being measured", { job: 254, place: 0, spent_ms: 9e5, left_seconds: 2700,
    portions: MEASURED.map((p) => ({ ...p, ...p.answer === "unsure" ? { answer: "more", words: WORDS.more } : {}, loops: 10, sentence: null })) }),
  pullOf(2, "done", "A portion is slower than at its merge base", { answer: "slower", spent_ms: 31e5, portions: MEASURED }),
  pullOf(3, "held", "From a fork: waits for a maintainer", { fork: true, base: null, node: null, level: null }),
  pullOf(4, "failed", "Not measured", { provider: "submit", number: null, url: null, author: "",
    reason: "prepare: mvn: exit status 1: <script> could not resolve kieker:1.8-SNAPSHOT" })];
