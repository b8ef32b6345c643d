#pragma once
/*
 * write - a night (docs/api.md) as other tools like to read it. One file a format.
 *
 * title  the project's, for people; text in the night may come from anybody (commit subjects):
 *        it is escaped for the format, control characters are dropped.
 * Every function returns text owned by the caller, never NULL. Pure.
 */
#include "config/model/night.h"

/** ci_markdown - GitHub's Markdown: a headline with the verdict, a table of the portions, reasons,
 * and the sentences in the night's "where", if it has any. */
char *ci_markdown(const char *title, const json_t *night);

/** ci_junit - JUnit XML as Jenkins reads it: a suite a night, a case a portion and a limit; what is
 * passed, failed, skipped and an error stands in docs/ci.md. The gate's policy is in the night's
 * "failed" (without it: what got worse, and nobody had announced), "unsure" and "asked". */
char *ci_junit(const char *title, const json_t *night);

/** ci_csv_field - a quoted field that no spreadsheet takes for a formula. */
void ci_csv_field(GString *to, const char *text);

/** ci_plot_csv - Jenkins' Plot plugin: a header of portions, one line of means in ns. */
char *ci_plot_csv(const char *title, const json_t *night);

/** ci_unit_words - "nanoseconds per call", the unit of all its portions, or "each in its unit"; the
 * night's, or static. */
const char *ci_unit_words(const cfg_night *night);

/** ci_html - a fragment without script or style sheet: headline and table. */
char *ci_html(const char *title, const json_t *night);

/** ci_headline - "Writing (W) rose by 4.10 %", "nothing changed", …: the night's own, or made
 * from its portions. */
char *ci_headline(const json_t *night);

/*
 * history_write - a project's nights (docs/api.md) as files for other programs. Pure; text is the
 * caller's. nights: oldest first.
 */

/**
 * ci_history - csv: a line a portion of a night; json: the nights, one a line; github:
 * github-action-benchmark's data.js, a bench a portion; bmf: Bencher Metric Format, openmetrics:
 * OpenMetrics 1.0 with its "# EOF", both of the newest measured night. NULL: no such format.
 */
char *ci_history(const char *format, const char *project, const json_t *nights);

/*
 * otep - releases in the form of OpenTelemetry's benchmarks repository (OTEP 5109): one point a
 * release, each an array of {name, unit, value, extra} as github-action-benchmark's
 * customSmallerIsBetter takes it.
 */

/**
 * ci_otep_point - one experiment (docs/api.md) as {"release","commit","date","benches"}; owned.
 * A bench for each configuration with calls: its median, "ns"; beside it "<name> allocations",
 * "B/op", where the tool counted them. extra: the environment as key=value, one a line.
 */
json_t *ci_otep_point(const json_t *experiment);
