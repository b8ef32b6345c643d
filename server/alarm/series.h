#pragma once
/*
 * series - the detector over the stored nights of one project, branch, benchmark and environment.
 *
 * A night at the end costs one step of the detector (its state is stored). A night that comes in
 * between, as back-fill does, makes the detector go over the series again; verdicts from there on
 * are rewritten and alerts reconciled: none is raised twice, one that no longer follows is
 * narrowed to where the change is now, or withdrawn.
 */
#include "server/result/result.h"
#include "server/store/store_sql.h"

/* srv__series_find - the series an experiment belongs to, made when new. */
bool srv__series_find(srv_store *store, int64_t project, const char *branch, const char *identity,
                      int64_t environment, int64_t *series,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv__series_add - judge an experiment that has just been stored as measured.
 * Inside a transaction; its loops and portions are stored already.
 */
bool srv__series_add(srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__series_again - judge from this experiment on once more: a suspicion of it has its answer. */
bool srv__series_again(srv_store *store, int64_t series, int64_t experiment, int64_t now_ms,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
