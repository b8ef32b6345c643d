#pragma once
/*
 * projects - the watched repositories as the store knows them.
 */
#include "config/config.h"
#include "server/store/store.h"
#include "server/store/store_sql.h"

/**
 * srv_projects_sync - make the store's projects those of the configuration.
 * projects   [cfg_project*] all of them; one that is missing is disabled, never deleted
 * Queued jobs keep the benchmark they were queued with.
 * Returns false with error; then nothing has changed.
 */
bool srv_projects_sync(srv_store *store, const GPtrArray *projects,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

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

/* srv__lineage - what names the series of a project's nights of a benchmark: its own identity, or
 * what names the series, in that project and its branches, that it continues: of several the one
 * that it shares most configurations with, then the one of most nights. Owned, NULL with error. */
char *srv__lineage(srv_store *store, int64_t project, int64_t benchmark, const json_t *body,
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

/*
 * commits - the rows of the commits that are, or were, to be measured.
 */

/* A commit as git shows it; strings are UTF-8 (the caller has cleaned them) and borrowed. */
typedef struct {
    const char *sha; /* full hex id: 40 or 64 digits */
    const char *author;
    const char *author_email;
    int64_t time_ms; /* committer's time */
    const char *subject;
    const char *parent; /* first parent's id; NULL: unknown or none */
    int64_t place;      /* on its branch's first-parent line, from 1; 0: unknown */
} srv_commit;

/* srv__commit_check - a full commit id, and a date that exists? Error: INVALID. */
bool srv__commit_check(const srv_commit *commit, const char *night,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__revision_keep - the key of a commit's row, made when new; in a transaction. */
bool srv__revision_keep(srv_store *store, int64_t project, const srv_commit *commit, int64_t *id,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * night_count - how many nights a project has, without counting them: a row a year, kept beside the
 * experiments. Inside the transaction that changes those; false with error.
 */

/* srv__night_count_add - this experiment has been inserted. One that is hidden is not a night. */
bool srv__night_count_add(srv_store *store, int64_t experiment,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__nights_hide - what was not measured of this commit is no longer shown. */
bool srv__nights_hide(srv_store *store, int64_t revision, GError **error) G_GNUC_WARN_UNUSED_RESULT;
