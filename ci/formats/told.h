#pragma once
/* told - what an import left out or concluded, as lines for people. */
#include <glib.h>
#include <jansson.h>
#include <stdio.h>

/** ci_told_nights - a line for each benchmark that is left out of nights (imported.h), with the
 * reason and in how many runs, and for each note. */
void ci_told_nights(GPtrArray *told, const json_t *nights);

/** ci_told_print - the first lines and how many more there are. */
void ci_told_print(const GPtrArray *told, FILE *to);
