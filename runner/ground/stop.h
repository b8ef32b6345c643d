#pragma once
/*
 * stop - SIGTERM and SIGINT as a descriptor, and sleeping that they end.
 *
 * The signals stay blocked in the agent; every wait it does also polls this descriptor.
 */
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* run_stop_open - blocks both signals. Returns the descriptor (close-on-exec), -1 with error. */
int run_stop_open(GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_stop_asked - whether the agent was told to stop; stop_fd may be -1 (never). Consumes
 * nothing. */
bool run_stop_asked(int stop_fd) G_GNUC_WARN_UNUSED_RESULT;

/* run_stop_sleep - sleeps so many milliseconds, or until told to stop (then true). */
bool run_stop_sleep(int stop_fd, int64_t ms);
