#pragma once
/*
 * prepare - the project's own command, once in the checkout, before anything is measured.
 */
#include "runner/prepare/step.h"

/**
 * run_prepare - runs it with its deadline, and with prepare_output_limit_bytes on disk.
 * commit    one of the job's
 * folder    its folder; tree/ below it is the checkout
 * artifact  what {artifact} stands for, or NULL
 * step->log is what it printed, also when it went well.
 * HOME and TMPDIR are empty at first and gone afterwards: no commit can leave anything for another.
 * Errors: RUN_ERROR_JOB when it fails or writes too much, RUN_ERROR_NODE when the disk is full,
 * RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_prepare(const run_prepare_step *step, const char *commit, const char *folder,
                 const char *artifact, GError **error) G_GNUC_WARN_UNUSED_RESULT;
