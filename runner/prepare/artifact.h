#pragma once
/*
 * artifact - what CI handed in of a commit, fetched from the server and put where it is used.
 *
 * Only the agent's own server is asked. The bytes are counted and hashed while they come; an
 * archive is unpacked in a process of its own (unpack.h).
 */
#include "runner/prepare/step.h"

/**
 * run_artifact_get - into the new directory `folder`; unpacking has the job's time to prepare.
 * While the server is away it waits, as long as the tick lets it. Errors: RUN_ERROR_JOB (too large,
 * no archive, leads outside), RUN_ERROR_NODE (disk full, damaged on the way), RUN_ERROR_REFUSED,
 * RUN_ERROR_STOPPED, or the tick's own.
 */
bool run_artifact_get(const run_prepare_step *step, const run_job_artifact *artifact,
                      const char *folder, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* run_artifact_path - what {artifact} stands for; to g_free. */
char *run_artifact_path(const run_job_artifact *artifact, const char *folder);
