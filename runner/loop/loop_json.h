#pragma once
/*
 * loop_json - a finished loop as JSON and back (docs/protocol.md, "loops" of a result).
 */
#include "runner/loop/loop.h"

/* run_loop_json - the loop object; to json_decref. */
json_t *run_loop_json(const run_loop *loop);

/* run_loops_json - an array of them; to json_decref. */
json_t *run_loops_json(const GPtrArray *loops);

/**
 * run_loop_read - the other way round.
 * Returns a loop to run_loop_free, or NULL when it does not say of which configuration and round it
 * is, or went well and has neither raw file nor summary.
 */
run_loop *run_loop_read(const json_t *object);
