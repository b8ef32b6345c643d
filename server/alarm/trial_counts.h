#pragma once
/*
 * trial_counts - what a trial's first job counted of both commits: instructions, or bytes where
 * these cannot be. They are the same in every run, so once is enough; they stand with the
 * questions, as does what the commits' nights counted, and the test hears them
 * (det_confirm_question.witness).
 */
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__trial_counts_take - what a job's result counted, for each open question whose portion has
 * both sides; in a transaction. A result without counts changes nothing. */
bool srv__trial_counts_take(srv_store *store, int64_t trial, const srv__result *result,
                            const srv__tree *tree, GError **error) G_GNUC_WARN_UNUSED_RESULT;
