#pragma once
/* outputs - one night written for other tools, to files that options name. */
#include "ci/command/command.h"

typedef struct {
    char *markdown, *junit, *plot_csv, *html, *chart; /* file or "-"; NULL: not asked for */
    char *title; /* the project's, where it is known; NULL: it is not */
} ci_outputs;

/* Rows for an option table. */
#define CI_OUTPUTS_ENTRIES(o)                                                                      \
    CI_PATH("markdown", &(o).markdown, "Write a Markdown summary", "FILE"),                        \
        CI_PATH("junit", &(o).junit, "Write JUnit XML, one test case per portion", "FILE"),        \
        CI_PATH("plot-csv", &(o).plot_csv, "Write CSV for Jenkins' Plot plugin", "FILE"),          \
        CI_PATH("html", &(o).html, "Write an HTML fragment", "FILE"),                              \
        CI_PATH("chart", &(o).chart, "Draw to FILE.svg, .png or .pdf", "FILE")

/**
 * ci_outputs_write - all that was asked for; "-" is stdout.
 * nights  for the chart, array; NULL: the night alone
 */
bool ci_outputs_write(const ci_outputs *outputs, const char *title, const json_t *night,
                      const json_t *nights, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_outputs_stdout - true when one of them takes stdout, so nothing else should be printed. */
bool ci_outputs_stdout(const ci_outputs *outputs);

/** ci_write - text to a file or, for "-", to stdout. */
bool ci_write(const char *path, const char *text, GError **error) G_GNUC_WARN_UNUSED_RESULT;
