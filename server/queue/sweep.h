#pragma once
/*
 * sweep - one parameter of a project's benchmark at several values (benchmark.sweep), asked for by
 * hand: a job of kind "sweep" for each value, all on the node that takes the first. What they
 * measure is hidden from the nights and in no series (views/views_sweep.c shows it).
 */
#include "config/config.h"
#include "server/store/commits.h"

/* What is asked for; borrowed. */
typedef struct {
    const srv_commit *commit;
    const char *night;  /* "YYYY-MM-DD" */
    const char *author; /* who asks */
} srv_sweep_wanted;

/**
 * srv_sweep_add - queue all values of the project's sweep.
 * queued  out: false when a sweep of this commit is under way already
 * sweep   out: its number
 * Returns false with error: NOT_FOUND (project), INVALID (no sweep is configured, id, night,
 * project disabled).
 */
bool srv_sweep_add(srv_store *store, const cfg_project *project, const srv_sweep_wanted *wanted,
                   int64_t now_ms, bool *queued, int64_t *sweep,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
