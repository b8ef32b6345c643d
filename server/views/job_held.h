#pragma once
/* job_held - why nobody takes a queued job just now, in words. */
#include "server/store/store.h"

/**
 * srv_view_jobs_held - gives every queued job the member "held": a sentence that names the nodes
 * which could do it and why none of them does (silent since when, paused by whom), that measuring
 * again has used its minutes up, or null when one of them asks for work. What waits for an
 * artifact, or is not queued, gets null. jobs       array of jobs as in docs/api.md silent_ms  a
 * node that was not heard of for so long is silent Three queries, and one more for every kind of
 * node that is missed.
 */
bool srv_view_jobs_held(srv_store *store, json_t *jobs, int64_t silent_ms, int64_t now_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
