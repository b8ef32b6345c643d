#pragma once
/* verdict_line - a verdict as a line of JSON, in the words of docs/api.md. */
#include "ci/formats/series.h"

/** A verdict of a series' night; all borrowed. */
typedef struct {
    const ci_series *series;
    const char *night;   /* what the night is called */
    const char *portion; /* whose verdict it is */
    double level;        /* of the intervals, as 0.95 */
    const det_verdict *verdict;
} ci_verdict_line;

/** ci_verdict_line_add - the line with its end. */
void ci_verdict_line_add(GString *to, const ci_verdict_line *line);
