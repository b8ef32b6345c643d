#pragma once
/*
 * write - a night (docs/api.md) as other tools like to read it. One file a format.
 *
 * title  the project's, for people; text in the night may come from anybody (commit subjects):
 *        it is escaped for the format, control characters are dropped.
 * Every function returns text owned by the caller, never NULL. Pure.
 */
#include <glib.h>
#include <jansson.h>

/** ci_markdown - GitHub's Markdown: a headline with the verdict, a table of the portions, reasons,
 * and the sentences in the night's "where", if it has any. */
char *ci_markdown(const char *title, const json_t *night);

/** ci_junit - JUnit XML as Jenkins reads it: a suite a night, a case a portion. An anomaly upwards
 * is a failure, a suspect measurement an error, a first night skipped. */
char *ci_junit(const char *title, const json_t *night);

/** ci_plot_csv - Jenkins' Plot plugin: a header of portions, one line of means in ns. */
char *ci_plot_csv(const char *title, const json_t *night);

/** ci_html - a fragment without script or style sheet: headline and table. */
char *ci_html(const char *title, const json_t *night);

/** ci_headline - "Writing (W) rose by 4.10 %", "nothing changed", …: the night's own, or made
 * from its portions. */
char *ci_headline(const json_t *night);
