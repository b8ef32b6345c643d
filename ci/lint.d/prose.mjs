// Reads prose as a careful editor would: README, docs, man pages. Finds wordy phrases, repeated words, clichés
// (write-good) and sentences that nobody reads to their end.
// Usage: node prose.mjs FILE ...   Exit status 1: something was found.
// Off, since they flag what a manual has to say: passive (a program does it, and which one is clear), adverb and
// weasel ("only", "many", "several" are facts here, with their numbers beside them), so ("So" says what follows), eprime.
import { readFileSync } from "node:fs";
import writeGood from "write-good";

// The first three are terms of the field and of our settings, "A B B A" is an order; the rest is plain English.
const WORDS = ["therefore", "portion", "minimum", "maximum", "B", "it is", "it was", "all of", "however", "in between"];
const CHECKS = { passive: false, adverb: false, weasel: false, eprime: false, so: false, thereIs: true,
  illusion: true, tooWordy: true, cliches: true,
  whitelist: WORDS.flatMap((word) => [word, word[0].toUpperCase() + word.slice(1)]) };
const SENTENCE_WORDS = 45;

const blank = (text) => text.replace(/[^\n]/g, " ");

/** Code, tables, addresses and comments are no prose; lines keep their numbers. */
function proseOfMarkdown(text) {
  return text.replace(/^```[\s\S]*?^```/gm, blank).replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/^\|.*$/gm, blank).replace(/`[^`]*`/g, (code) => "…" + blank(code.slice(1)))
    .replace(/\]\([^)]*\)/g, blank).replace(/^#+ .*$/gm, (heading) => heading + ".").replace(/\*\*/g, "  ");
}

/** Macros are not: what follows .SH, .TP, .BR is a name or an option. */
function proseOfRoff(text) {
  return text.replace(/^\.nf$[\s\S]*?^\.fi$/gm, blank).replace(/^['.].*$/gm, (macro) => "." + blank(macro.slice(1)))
    .replace(/\\f[A-Z]/g, "   ").replace(/\\(?=-)/g, " ").replace(/\\[&e]/g, "  ");
}

const lineOf = (text, index) => text.slice(0, index).split("\n").length;

/** A sentence ends at a full stop, a list item, an empty line. */
function longSentences(text) {
  const found = [];
  let from = 0;
  for (const end of [...text.matchAll(/[.!?:;](?=[\s)*_]|$)|\n\s*\n|\n\s*(?:[-*]|\d+\.) /g)].map((m) => m.index).concat(text.length)) {
    const words = text.slice(from, end).split(/\s+/).filter((word) => /[A-Za-z]{2}/.test(word));
    if (words.length > SENTENCE_WORDS)
      found.push({ index: from + text.slice(from).search(/\S/), reason: `a sentence of ${words.length} words; at most ${SENTENCE_WORDS}` });
    from = end;
  }
  return found;
}

let count = 0;
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  const prose = file.endsWith(".md") ? proseOfMarkdown(text) : proseOfRoff(text);
  for (const { index, reason } of [...writeGood(prose, CHECKS), ...longSentences(prose)]) {
    console.error(`${file}:${lineOf(prose, index)}: ${reason}`);
    count++;
  }
}
process.exit(count ? 1 : 0);
