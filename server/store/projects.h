#pragma once
/*
 * projects - the watched repositories as the store knows them.
 */
#include "config/config.h"
#include "server/store/store.h"

/**
 * srv_projects_sync - make the store's projects those of the configuration.
 * projects   [cfg_project*] all of them; one that is missing is disabled, never deleted
 * Queued jobs keep the benchmark they were queued with.
 * Returns false with error; then nothing has changed.
 */
bool srv_projects_sync(srv_store *store, const GPtrArray *projects,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_projects_off - what is left of those that were watched, are not, and were not put away:
 * [{"name","nights","alerts","jobs"}], owned; NULL with error. */
json_t *srv_projects_off(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_projects_hashes - project → hash of what nights are picked, measured and judged by; owned,
 * both char*. */
GHashTable *srv_projects_hashes(const GPtrArray *projects) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_id - the key of a project's row. Error: NOT_FOUND. */
bool srv__project_id(srv_store *store, const char *project, int64_t *id,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_missing - sets NOT_FOUND: nothing is called so, or what it is called now. False. */
bool srv__project_missing(srv_store *store, const char *project, GError **error);

/* srv__benchmark_keep - the key of a benchmark's row, made when new; in a transaction. */
bool srv__benchmark_keep(srv_store *store, const json_t *body, int64_t *id,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * srv_project_polled - note that the repository was asked for news.
 * next_night_ms   when the next night is picked, 0 when unknown
 * problem         a sentence of what is wrong, NULL: nothing is
 * failed          it could not be asked
 */
bool srv_project_polled(srv_store *store, const char *project, int64_t polled_ms,
                        int64_t next_night_ms, const char *problem, bool failed,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* "YYYY-MM-DD", empty when there is none. */
typedef struct {
    char oldest[11]; /* of what the schedule brought: where the project's history begins */
    char newest[11]; /* of all: the poller may skip the nights before it */
} srv_project_span;

/** srv_project_nights - the oldest and the newest night ever queued for the project. */
bool srv_project_nights(srv_store *store, const char *project, srv_project_span *span,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
