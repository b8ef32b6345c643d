#pragma once
/*
 * companion - a program that another one needs while it runs: started before it, ended after it.
 */
#include "runner/process/running.h"

/** run__companion_start - starts it and waits until it is ready; companion NULL: nothing to do.
 * Returns false with error as run_process_run does, with what it said last. */
bool run__companion_start(run__running *self, const run_companion *companion,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/** run__companion_end - ends and reaps it; served, the result of the program it was for, says when
 * that ended because of it. */
void run__companion_end(run__running *self, run_companion *companion, run_process_result *served);
