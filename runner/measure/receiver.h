#pragma once
/*
 * receiver - the program that takes what one configuration writes: where it listens, and whether
 * all of it came.
 *
 * It runs on the housekeeping processors, as code under test does, from before the benchmark's
 * process until after it. At its end (SIGTERM) the last line it prints may be a JSON object;
 * "records" in it is how many records came, one for each activation of the monitored method that
 * was recorded.
 */
#include "runner/driver/driver.h"
#include "runner/job/job.h"
#include "runner/node/node.h"

#include <jansson.h>

typedef struct run_receiver run_receiver;

/**
 * run_receiver_new - of a configuration; NULL when it needs none.
 * values  calls and depth say what is expected
 * folder  of this process; gets the receiver's log. It has the process' scratch
 */
run_receiver *run_receiver_new(const run_node *node, const cfg_configuration *configuration,
                               const run_placeholder *values, const char *folder);
void run_receiver_free(run_receiver *receiver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(run_receiver, run_receiver_free)

/**
 * run_receiver_open - chooses the port, or sees that the one asked for is free.
 * values  its port is set, borrowed from the receiver
 * Returns NULL, or why the loop cannot be measured, to g_free.
 */
char *run_receiver_open(run_receiver *receiver, const char *checkout, run_placeholder *values);

/* run_receiver_companion - to start it by; borrowed. NULL for NULL. */
run_companion *run_receiver_companion(run_receiver *receiver);

/* run_receiver_told - what it counted, with "expected" records, for the readings; json_decref. */
json_t *run_receiver_told(const run_receiver *receiver);

/* run_receiver_judge - NULL when enough came, else why the loop has failed, to g_free. */
char *run_receiver_judge(const run_receiver *receiver);
