#pragma once
/*
 * reported - upstream's own figures of one configuration, from MooBench's results.yaml.
 *
 * The file was written by code under test. It is parsed by a process of that user, in its cage and
 * with its limits, which hands back two numbers; the agent never parses it.
 */
#include "runner/process/process.h"

#include <jansson.h>

#define RUN_REPORTED_COMMAND "reported"

/**
 * run_reported_read - asks such a process.
 * reader  user, cage, places and limits of code under test
 * path    of results.yaml; a missing or damaged one is not an error: the figures are for comparison
 * only label   of the configuration report  an object that gets "mean_us" and "ci95_us", both
 * finite, or neither Returns false when the agent was told to stop, or cannot start processes
 * (RUN_ERROR_…).
 */
bool run_reported_read(const run_process_spec *reader, const char *path, const char *label,
                       json_t *report, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * run_reported_find - the figures of the last experiment in such a text.
 * Returns {"mean_us", "ci95_us"} to json_decref; NULL when the text has none of that label.
 */
json_t *run_reported_find(const char *text, size_t size, const char *label);

/* run_reported_main - moowatch-runner reported FILE LABEL. The exit status. */
int run_reported_main(int argc, char **argv);
