#pragma once
/* options - what the bench is asked for on its command line. */
#include "tests/bench/detector/otava.h"

#include <stdint.h>

typedef struct {
    uint64_t seed;
    int histories, quick, rivals;
    int dimensions; /* nothing but the table of false alerts over all dimensions */
    const char *markdown, *figures, *data, *truth, *real;
    otava_program otava;
} options;

#define OPTIONS_USAGE                                                                              \
    "[--quick] [--dimensions] [--seed N] [--histories N] [--markdown FILE] "                       \
    "[--figures DIR] [--otava PYTHON SCRIPT] [--real DIR] [--data DIR --truth FILE]"

/* The texts stay argv's. -1: not to be understood. */
int options_parse(int argc, char **argv, options *o);
