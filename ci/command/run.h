#pragma once
/* received - what else the runner wrote down of an experiment: what receivers and verify found
 * again of what was recorded, and whether two commits ran at the same time. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/**
 * ci_received_print - a line for each configuration of which less was found than was expected.
 * folder  of results, with experiment.json; without one, or where nobody counted, nothing is
 * printed
 */
void ci_received_print(const char *folder, FILE *to);

/**
 * ci_received_doubts - what makes the night's figures doubtful, as the API has it
 * (config/doubts.h); owned. folder  of results, with experiment.json; without one only steps that
 * do nothing are told
 */
json_t *ci_received_doubts(const char *folder, json_t *night);
