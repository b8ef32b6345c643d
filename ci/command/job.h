#pragma once
/* job - follow one of the server's jobs to its end. */
#include "ci/command/client.h"

/**
 * ci_job_wait - ask until the job has ended, with a bar on a terminal.
 * timeout_s  how long; 0: ask once
 * Returns the job (owned), or NULL with error (CI_ERROR_TIMEOUT, CI_ERROR_SERVER). A server that is
 * away for a moment is asked again until the time is up.
 */
json_t *ci_job_wait(ci_client *client, json_int_t job, unsigned timeout_s,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_job_ended - how a job's end is answered: CI_OK for done, with error for failed, cancelled. */
ci_exit ci_job_ended(const json_t *job, GError **error);
