#pragma once
/* pull - a commit measured against its merge base: asked for, waited for, judged. */
#include "ci/command/client.h"
#include "ci/formats/policy.h"

/** ci_pull_ask - the pull request's number; 0 with error. commit: full id; queue: a merge waits. */
json_int_t ci_pull_ask(ci_client *client, const char *project, const char *commit, bool queue,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_pull_find - the newest one of a commit whose id begins so; 0 with error: none is known. */
json_int_t ci_pull_find(ci_client *client, const char *project, const char *commit,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * ci_pull_wait - until it is over.
 * Returns it (docs/api.md), owned, or NULL with error; CI_ERROR_TIMEOUT: it still runs, and
 * where it stands.
 */
json_t *ci_pull_wait(ci_client *client, json_int_t number, unsigned timeout_s,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** ci_pull_ended - false with error (CI_ERROR_INPUT): it is over, and there is no answer. */
bool ci_pull_ended(const json_t *pull, GError **error);

/**
 * ci_pull_gate - prints a line a portion.
 * policy  of its portions those that are named; a fall fails with `both`, an unsure one with
 *         `strict`; what --allow allows is not looked at
 * Returns CI_OK, CI_FOUND, CI_UNSURE (nobody can tell, or nothing was compared), or with error
 * CI_INPUT (it was not measured) or CI_USAGE (policy names a portion it does not have).
 */
ci_exit ci_pull_gate(const json_t *pull, const ci_policy *policy, bool json, GError **error);
