#pragma once
/* values - the parts that the readers of imported.h share. */
#include "ci/command/command.h"

/** ci_night_new - an empty night; any text may be NULL, time_ms < 0: unknown. */
json_t *ci_night_new(const char *format, const char *suite, gint64 time_ms);

/**
 * ci_night_value - append a value; what is not a finite number is left out and counted.
 * low, high  NaN: none
 * loops      [n] means of fresh processes, NULL: not known
 */
void ci_night_value(json_t *night, const char *name, double mean_ns, double low_ns, double high_ns,
                    const double *loops_ns, gsize n);
void ci_night_left_out(json_t *night);

/* Each reads one tool's JSON; false: it is not that tool's. nights: array to append to. */
bool ci__import_github(json_t *root, json_t *nights);
bool ci__import_jmh(json_t *root, json_t *nights);
bool ci__import_google(json_t *root, json_t *nights);
bool ci__import_pytest(json_t *root, json_t *nights);
bool ci__import_bmf(json_t *root, json_t *nights);
bool ci__import_hyperfine(json_t *root, json_t *nights);
bool ci__import_gungraun(json_t *root, json_t *nights); /* root: a summary or a list of them */
