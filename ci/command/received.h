#pragma once
/* received - how much of what was recorded came to the receivers of a run. */
#include <stdio.h>

/**
 * ci_received_print - a line for each configuration of which less came than was expected.
 * folder  of results, with experiment.json; without one, or without receivers, nothing is printed
 */
void ci_received_print(const char *folder, FILE *to);
