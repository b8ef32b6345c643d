#pragma once
/* report - a night as text for people; the same for local results and the server's. */
#include <jansson.h>
#include <stdio.h>

/** ci_report_configurations - the full table: intervals, spread, quartiles; ns a call. */
void ci_report_configurations(const json_t *night, FILE *to);
/** ci_report_portions - portions with their intervals, of means and of medians. */
void ci_report_portions(const json_t *night, FILE *to);
