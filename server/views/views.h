#pragma once
/*
 * views - what the store holds, as the JSON of docs/api.md.
 *
 * Every function returns JSON owned by the caller, or NULL with error (NOT_FOUND, INVALID for a
 * invalid cursor, BUSY, INTERNAL). Lists are {"items","next"}. Nothing is changed.
 */
#include "config/model/night.h"
#include "detector/profile/contrast.h"
#include "server/alarm/explanation.h"
#include "server/store/store.h"
#include "web/chart/claim.h"

#include <glib.h>

#define SRV_PAGE_DEFAULT 100u
#define SRV_PAGE_LIMIT 5000u

/**
 * srv_view_status - {"version","started_ms","queue","nodes","problems"}
 * silent_ms   a node not seen for so long is "silent"
 * problems    [char*] of the configuration; NULL: none
 */
json_t *srv_view_status(srv_store *store, int64_t started_ms, int64_t silent_ms,
                        const GPtrArray *problems, int64_t now_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv_view_projects - by name. page: its limit 0 and cursor NULL, all; cursor: a name. archived:
 * those that were put away instead, all of them. */
json_t *srv_view_projects(srv_store *store, srv_page page, bool archived,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv_view_projects_counted - what is counted of all projects, in two questions however many there
 * are: {"items": rows without their parts, "portions": [{"project","portion","configuration",
 * "mean_ns"}] of each newest night}. */
json_t *srv_view_projects_counted(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv_view_projects_like - only a project and those of the same repository: its other branches and
 * other ways to measure it. NOT_FOUND. */
json_t *srv_view_projects_like(srv_store *store, const char *name,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv_view_project(srv_store *store, const char *project,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Oldest and newest night wanted, "YYYY-MM-DD", both included; NULL: no bound. brief: of each
 * portion only what charts and tables show. */
typedef struct {
    const char *since, *until;
    bool brief;
} srv_dates;

/* srv_nights_page - a project's nights, newest first. nights: out, of cfg_night, for
 * model_list_clear also after an error. next: out, the cursor of the next page, owned; NULL: this
 * is the last. */
bool srv_nights_page(srv_store *store, const char *project, srv_dates dates, srv_page page,
                     model_list *nights, char **next, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Who takes nights a piece at a time. */
typedef struct {
    bool brief;
    /* Borrows the piece; false ends it, with error. */
    bool (*take)(void *user, const cfg_night *nights, unsigned count, GError **error);
    void *user;
} srv_nights_taker;

/* srv_nights_each - the same in pieces, so that the memory of thousands is that of a few hundred.
 */
bool srv_nights_each(srv_store *store, const char *project, srv_dates dates, srv_page page,
                     const srv_nights_taker *taker, char **next,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* The same, brief, with the portions column by column. */
json_t *srv_view_nights_columns(srv_store *store, const char *project, srv_dates dates,
                                srv_page page, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_view_dimension - the nights that counted a dimension, newest first, each with its portions;
 * INVALID: there is no such dimension. */
json_t *srv_view_dimension(srv_store *store, const char *project, const char *dimension,
                           srv_page page, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv_experiment_read - a night with all there is of it; for cfg_night_clear. NOT_FOUND.
 * srv_view_experiment - as JSON. */
bool srv_experiment_read(srv_store *store, int64_t experiment, cfg_night *night,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv_view_experiment(srv_store *store, int64_t experiment,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_view_limited - the project's limits that stand otherwise with a night than before it, like an
 * alert: surely exceeded, exceeded perhaps, or met again. Without "portions": none does. */
json_t *srv_view_limited(srv_store *store, int64_t experiment,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_view_counted - the counts of a night that moved while their portions' time did not, like an
 * alert: {"id" (the experiment),"headline","sentence","portion","direction","difference":
 * {"percent"},"portions","to": {"night","commit","experiment"}}. */
json_t *srv_view_counted(srv_store *store, int64_t experiment,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_view_raw - the SHA-256 of one loop's raw file, owned by the caller. */
char *srv_view_raw(srv_store *store, int64_t experiment, const char *configuration, int64_t loop,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* What is listed: of incidents without a state all but the withdrawn ones; of levels those in
 * force; of artifacts those that are there. The first four of all projects, too; the audit log
 * (store_audit.h) by kind in place of state. */
typedef struct srv_list srv_list;
extern const srv_list srv_list_alerts, srv_list_incidents, srv_list_jobs, srv_list_audit,
    srv_list_sweeps, srv_list_pulls, srv_list_notes, srv_list_baselines, srv_list_artifacts;

/* srv_view_list - newest first. project: NULL: of all. state: NULL: any. */
json_t *srv_view_list(srv_store *store, const srv_list *list, const char *project,
                      const char *state, srv_page page, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/**
 * srv_view_profile - the collapsed stacks of an alert's profile, all loops; to g_free.
 * NULL with error: NOT_FOUND.
 */
char *srv_view_profile(srv_store *store, const srv_profile_name *name,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv_alerts_newest - so many of them: [cfg_alert], out. */
bool srv_alerts_newest(srv_store *store, const char *project, unsigned limit, model_list *alerts,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv_open_changes - what the open alerts of a project tell of, the newest first:
 * [{"portion","configuration","dimension","direction","unit","better"}]. */
json_t *srv_open_changes(srv_store *store, const char *project,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv_view_alert(srv_store *store, int64_t alert, GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv_view_incident(srv_store *store, int64_t incident,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv_incidents_across - what moved between two experiments of a series that is not the code, by
 * its incidents: "Everything × 1.08 since 2026-11-27", and the factor from a to b; out, its words
 * owned. */
bool srv_incidents_across(srv_store *store, int64_t a, int64_t b, web_moved *moved,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv_alerts_across - of which configurations alerts between two experiments of a series tell, and
 * in which direction from a to b: [{"configuration","direction"}]. NULL with error. */
json_t *srv_alerts_across(srv_store *store, int64_t a, int64_t b,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv_view_job - the job with its "log". */
json_t *srv_view_job(srv_store *store, int64_t job, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_view_project_of - the name of the project that a thing is of, owned by the caller; NULL with
 * error, NOT_FOUND. */
typedef enum {
    SRV_THING_JOB,
    SRV_THING_SWEEP,
    SRV_THING_ALERT,
    SRV_THING_INCIDENT,
    SRV_THING_EXPERIMENT,
    SRV_THING_PULL,
    SRV_THING_NOTE,
    SRV_THING_BASELINE
} srv_thing;
char *srv_view_project_of(srv_store *store, srv_thing thing, int64_t id,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_view_sweep - one with its "values" and "fits". */
json_t *srv_view_sweep(srv_store *store, int64_t sweep, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv_view_pull - a pull request with its "portions". */
json_t *srv_view_pull(srv_store *store, int64_t pull, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* settled - is anything of a project still under way, and what. */

/**
 * srv__settled_add - gives a project's row "settled" (is nothing under way?) and, in place of its
 * counts in "open", an array of what is, a few words each, such as "2 jobs queued".
 */
bool srv__settled_add(srv_store *store, json_t *project, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * events - what streams are told of a change, as in docs/api.md.
 */

/* srv_event_name - "job", "night" or "alert". */
const char *srv_event_name(srv_event what);

/* srv_event_view - what has changed, as it is now; owned, NULL with error: NOT_FOUND when it has
 * gone since. */
json_t *srv_event_view(srv_store *store, srv_event what, int64_t id,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* job_held - why nobody takes a queued job just now, in words. */

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

/*
 * flames - the profiles of one portion of an alert, as a flame graph takes them.
 */

typedef struct {
    det_stacks *stacks;
    double *calls;
    det_contrast_plan plan; /* calls are borrowed from above */
    double scale_ns;        /* NaN: the profiles do not show the change */
    char *title, *unit;
} srv_flame;

/**
 * srv_flame_load - of the portion that a configuration of the alert adds; before is not looked at.
 * Clear with srv_flame_clear, whatever was returned.
 * False with error: NOT_FOUND.
 */
bool srv_flame_load(srv_flame *flame, srv_store *store, const srv_profile_name *name,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv_flame_clear(srv_flame *flame);
