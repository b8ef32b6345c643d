#pragma once
/* report - a night as text for people; the same for local results and the server's. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/** ci_report_night - all of one experiment: what it is, both tables, and how to read them. */
void ci_report_night(const json_t *night, FILE *to);

/** ci_report_comparison - two experiments; after carries what ci_comparison wrote into it. */
void ci_report_comparison(const json_t *before, const json_t *after, FILE *to);

/** ci_any_rose - did any portion of a compared or judged night? */
bool ci_any_rose(const json_t *night);
