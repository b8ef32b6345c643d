#pragma once
/*
 * pull_rows - what is asked of pull requests, their jobs, loops and portions.
 */
#include "detector/watch/merge.h"
#include "server/pull/pull.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"

bool srv__pull_portion_insert(srv_store *store, int64_t pull, const srv__tree *tree, size_t c,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

bool srv__pull_job_note(srv_store *store, int64_t job, int64_t pull, int64_t rounds,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_means - as srv__trial_means (alarm/trial_rows.h). */
GArray *srv__pull_means(srv_store *store, int64_t pull, const char *name, const char *parent,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__pull_waits - why one that waits is not begun; NULL: it may. changed: out, the reason is a
 * new one. */
bool srv__pull_waits(srv_store *store, int64_t pull, const char *reason, bool *changed,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
