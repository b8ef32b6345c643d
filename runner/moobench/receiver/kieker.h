#pragma once
/*
 * kieker - records as Kieker's TCP writer sends them.
 *
 * Big endian. -1 (int32), id (int32), length (int32), bytes: a string by its id. Anything else is a
 * record: the id of its class' name, the time of logging (int64), the fields, which only the class
 * tells; those that Kieker's probes for operations make are known, and one that is not is an error,
 * as nobody knows where the next one begins.
 */
#include "runner/moobench/receiver/http.h"

/* One of each activation of the monitored method: operation execution, or the event after it. */
typedef struct {
    uint64_t records;  /* one an activation */
    uint64_t others;   /* metadata, traces, events before an operation, other operations */
    char problem[200]; /* "" : none */
} rcv_kieker_counts;

/**
 * rcv_kieker_read - to the end of the connection.
 * operation  count records of operations whose signature contains it; NULL: of all
 * Returns false when something could not be read; problem says what.
 */
bool rcv_kieker_read(rcv_stream *stream, const char *operation, rcv_kieker_counts *counts);
