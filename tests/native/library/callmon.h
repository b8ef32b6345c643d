#pragma once
/* callmon - a small monitoring library for C programs built with -finstrument-functions. */
#include <stdbool.h>
#include <stdint.h>

/* One ended activation. */
struct record {
    uint64_t operation; /* address of the function */
    uint64_t trace;     /* one number a thread and outermost activation */
    int64_t enter_ns;
    int64_t exit_ns;
    uint32_t order; /* of entering within the trace, from 0 */
    uint32_t depth; /* activations around this one */
    uint64_t thread;
};

/* controller.c: is anything to be recorded? From CALLMON_MODE: deactivated, collecting, writing. */
bool controller_active(void);

/* writer.c: takes a finished record; keeps it in the file CALLMON_FILE when the mode is writing. */
bool writer_open(const char *path);
void writer_put(const struct record *record);
void writer_close(void);
