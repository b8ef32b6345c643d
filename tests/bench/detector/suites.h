#pragma once
/*
 * suites - the public nightly histories of seven frameworks (data/suites), judged as an import is.
 *
 * A file a suite: the header names each configuration with the index of its parent ("1 No logging")
 * and beside it the standard deviation over its processes; a row a night; empty: not measured.
 */
#include <stddef.h>

#include "detector/detector.h"

#define SUITE_NIGHTS_MAX 1024

typedef struct {
    char name[64];
    det_chain chain;
    double *value, *deviation; /* [nights * chain.count], NaN: missing */
    size_t nights;
} suite;

/* What is done to a suite from one night on. */
typedef struct {
    const char *name;
    size_t night;              /* SUITE_NIGHTS_MAX: nothing is */
    double factor, of_control; /* of every configuration; of the control beside it */
} suite_fault;

typedef struct {
    size_t judged[DET_CONFIGURATIONS_MAX];  /* portion-nights with a verdict that compares */
    size_t pending[DET_CONFIGURATIONS_MAX]; /* of these */
    size_t moved, told;                     /* accepted below the minimum effect; anomalies */
    size_t unjudged, incidents;             /* portion-nights set aside; incidents opened */
    size_t fault_told, fault_incidents;     /* in the ten nights from the fault on; less those that
                                               the history tells without it */
    size_t fault_first;                     /* nights from the fault to its first incident */
    int fault_kind;                         /* of that one */
    size_t contradictions;                  /* sentences that their numbers do not bear out */
} suite_count;

/** suite_read - NULL with a message on stderr. suite_free accepts NULL. */
suite *suite_read(const char *path);
void suite_free(suite *s);

/** suite_judge - the whole history, with a fault or without (NULL); alarms are printed when loud.
 */
suite_count suite_judge(const suite *s, const suite_fault *fault, int loud);
