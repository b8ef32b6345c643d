#pragma once
/*
 * views_queries - what the JSON of docs/api.md is read with. Rows are those of the API, mostly:
 * a view puts them together.
 */
#include "server/queue/queue_queries.h"
#include "server/store/night_count.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"

/* Columns of a commit, of table revision r. */
#define SRV__COMMIT_FIELDS(r)                                                                      \
    r ".sha AS \"commit.sha\", substr(" r ".sha,1,9) AS \"commit.short\", " r                      \
      ".author AS \"commit.author\", " r ".time_ms AS \"commit.time_ms\", " r                      \
      ".subject AS \"commit.subject\""

/* Columns of what measuring again has shown, of tables suspicion s and question q. */
#define SRV__CONFIRMATION_FIELDS                                                                   \
    "s.state AS \"confirmation.state\", q.trial_id AS \"confirmation.trial\","                     \
    " q.loops AS \"confirmation.loops\", q.before_mean_ns AS \"confirmation.before_ns\","          \
    " q.after_mean_ns AS \"confirmation.after_ns\","                                               \
    " q.difference_mean_ns AS \"confirmation.mean_ns\","                                           \
    " q.difference_low_ns AS \"confirmation.low_ns\","                                             \
    " q.difference_high_ns AS \"confirmation.high_ns\", s.reason AS \"confirmation.reason\""

/* Is alert a open, and has it aged or not? Kept up in time by the alarm (srv_alerts_age): no view
 * asks for the clock. */
#define SRV__ALERT_AGED "(a.state='open' AND a.aged=1)"
#define SRV__ALERT_FRESH "(a.state='open' AND a.aged=0)"

/* Columns of what was counted of a portion, of table dimension d, and what joins that of another
 * night, b: by another counter it would be another thing. */
#define SRV__DIMENSION_FIELDS                                                                      \
    "d.dimension, d.counter, d.portion, d.configuration, d.parent, d.mean, d.low, d.high, d.total"
#define SRV__DIMENSIONS_ALIKE                                                                      \
    " AND b.dimension=d.dimension AND b.configuration=d.configuration"                             \
    " AND coalesce(b.counter,'')=coalesce(d.counter,'')"

/* srv__job_row - a job as docs/api.md has it, but "waiting" is there in any case; owned, NULL with
 * error, NOT_FOUND when there is none. */
json_t *srv__job_row(srv_store *store, int64_t job, bool with_log,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_of - {"name"} of the project that a thing is of; row: out, owned, NULL when there is
 * no such thing. */
bool srv__project_of(srv_store *store, srv_thing thing, int64_t id, json_t **row,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_row - a trial as it stands, as seen from one of its jobs: {"id","state","experiment",
 * "batch","loops","maximum","ends_loops"}; owned, NULL with error. */
json_t *srv__trial_row(srv_store *store, int64_t trial, int64_t job,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__trial_question_rows - what it asks, and what is known of each portion; owned, NULL with
 * error. */
json_t *srv__trial_question_rows(srv_store *store, int64_t trial,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_event - {"project","experiment"}; owned, NULL with error, NOT_FOUND. */
json_t *srv__night_event(srv_store *store, int64_t experiment,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__nodes_list - every node as the status has it; one not heard of for silent_ms is "silent";
 * owned, NULL with error. */
json_t *srv__nodes_list(srv_store *store, int64_t silent_ms, int64_t now_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__queue_counts - {"queued","leased","failed"}; row: out, owned. */
bool srv__queue_counts(srv_store *store, json_t **row, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A page of a list, newest first. */
typedef struct {
    int64_t project;   /* 0: of all */
    const char *state; /* NULL: any */
    int64_t below;     /* only keys below this one */
    unsigned count;    /* at most so many */
} srv__page_of_keys;

/* srv__artifact_rows - those of a project that are there, newest first; owned, NULL with error. */
json_t *srv__artifact_rows(srv_store *store, int64_t project, int64_t below, unsigned count,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__profile_rows - of one configuration and commit of an alert, by loop: {"loop", "calls",
 * "stacks"}; owned, NULL with error. */
json_t *srv__profile_rows(srv_store *store, const srv_profile_name *name,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__loop_rows - the loops of a configuration; owned, NULL with error. */
json_t *srv__loop_rows(srv_store *store, int64_t experiment, size_t ordinal,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__configuration_rows - the configurations of a night with their statistics; owned, NULL with
 * error. */
json_t *srv__configuration_rows(srv_store *store, int64_t experiment,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__experiment_context - where and with what a night was measured, its job's log, the measured
 * night before ("previous"); row: out, owned. */
bool srv__experiment_context(srv_store *store, int64_t experiment, json_t **row,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__experiment_environment - {"body"} of the environment of a night; row: out, owned, NULL when
 * it has none. */
bool srv__experiment_environment(srv_store *store, int64_t experiment, json_t **row,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__accepted_in_advance - {"configuration","direction"} of the changes seen in a night that were
 * accepted as they were raised; owned, NULL with error. */
json_t *srv__accepted_in_advance(srv_store *store, int64_t experiment,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__expectation_rows - what the commits that came with a night's have announced; owned, NULL
 * with error. */
json_t *srv__expectation_rows(srv_store *store, int64_t experiment,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__raw_of_loop - {"sha"} of a loop's raw file; row: out, owned, NULL when there is none. */
bool srv__raw_of_loop(srv_store *store, int64_t experiment, const char *configuration, int64_t loop,
                      json_t **row, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__nodes_able - {"name","seen_ms","paused"} of the nodes that could do a job, who was heard of
 * last first; owned, NULL with error. */
json_t *srv__nodes_able(srv_store *store, int64_t job, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__jobs_unasked - {"id","project_id","trial","artifact","only_node"} of the queued jobs from
 * one key to another for which no node that could do them asks; owned, NULL with error. */
json_t *srv__jobs_unasked(srv_store *store, int64_t low, int64_t high, int64_t silent_before_ms,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__jobs_over_budget - queued jobs between two numbers that measure again and have no minutes
 * left: {"id","spent","allowed"}, in minutes of the last 24 hours; owned, NULL with error. */
json_t *srv__jobs_over_budget(srv_store *store, int64_t low, int64_t high, int64_t now_ms,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_keys - state "aged": the open ones that have aged; [int64_t], owned, NULL with error.
 */
GArray *srv__alert_keys(srv_store *store, const srv__page_of_keys *page,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_keys - likewise. */
GArray *srv__job_keys(srv_store *store, const srv__page_of_keys *page,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_names - [{"name"}] of all that were ever configured, branches, too; owned, NULL with
 * error. */
json_t *srv__project_names(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_changed_last - {"night","time_ms","id"} of the night of the newest change that
 * people were told of; row: out, owned, NULL: there was none. */
bool srv__project_changed_last(srv_store *store, int64_t project, json_t **row,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_sparks - {configuration: [its portion's value in each of the last nights, oldest
 * first]}; owned, NULL with error. */
json_t *srv__project_sparks(srv_store *store, int64_t project, unsigned nights,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_rows - all of them, with "id", the "benchmark" and the keys of "latest", "alert" and
 * "running"; owned, NULL with error. */
json_t *srv__project_rows(srv_store *store, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_row - one of them; row: out, owned, NULL when there is none. */
bool srv__project_row(srv_store *store, const char *project, json_t **row,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__project_branches - {"branch","project","enabled"} of all branches of a project, by any of
 * them, the main one first; owned, NULL with error. */
json_t *srv__project_branches(srv_store *store, int64_t project,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* Where a night stands among its project's; id: the experiment. */
typedef struct {
    const char *night;
    int64_t time_ms, id;
} srv__night_key;

/* A page of nights, newest first. */
typedef struct {
    int64_t project;
    srv__night_key before;     /* only older ones */
    const char *since, *until; /* dates, both included */
    unsigned count;            /* at most so many */
} srv__page_of_nights;

/* All nights from one to another. */
typedef struct {
    int64_t project;
    srv__night_key oldest, newest; /* both included */
    bool brief;                    /* only what charts and tables show */
} srv__span;

/* srv__night_row - a night without portions and configurations; row: out, owned, NULL when there is
 * none. */
bool srv__night_row(srv_store *store, int64_t experiment, json_t **row,
                    GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_rows - those of a page; owned, NULL with error. */
json_t *srv__night_rows(srv_store *store, const srv__page_of_nights *page,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__portion_rows - the portions of a night; owned, NULL with error. */
json_t *srv__portion_rows(srv_store *store, int64_t experiment,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__portion_rows_between - those of a span, newest night first, each with its night's key. */
bool srv__portion_rows_between(srv_store *store, const srv__span *span, srv__take take, void *user,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__configuration_heads - the configurations of a night, without their statistics; owned, NULL
 * with error. */
json_t *srv__configuration_heads(srv_store *store, int64_t experiment,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__configuration_heads_between - likewise. */
bool srv__configuration_heads_between(srv_store *store, const srv__span *span, srv__take take,
                                      void *user, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__changes_dated_back - those whose new level began before the night that told, where either
 * night is shown and among the dates: {"seen","began" (experiments),"night" (it began with),
 * "configuration","direction","alert"}; owned, NULL with error. */
json_t *srv__changes_dated_back(srv_store *store, int64_t project, const char *since,
                                const char *until, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__dimension_rows - what was counted of a night's portions: {"dimension","counter","portion",
 * "configuration","parent","mean","low","high","total","verdict","direction","slow","before":
 * {"mean","low","high","experiment"} of the level before it, "experiment" being the last night at
 * that level, or null}, by ordinal; owned, NULL with error. verdict null: it is only shown, or of
 * an older release; then before is the last night that counted it likewise. */
json_t *srv__dimension_rows(srv_store *store, int64_t experiment,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* A page of the nights that counted a dimension, newest first. */
typedef struct {
    const char *dimension;
    srv__page_of_nights nights;
} srv__page_of_counts;

/* srv__counted_nights - {"experiment","night","commit": {"sha","short","time_ms"}};
 * srv__counted_portions - of all of them from one night to another: {"experiment","portion",
 * "configuration","parent","mean","low","high","total"}, in the same order. Owned, NULL with error.
 */
json_t *srv__counted_nights(srv_store *store, const srv__page_of_counts *page,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv__counted_portions(srv_store *store, int64_t project, const char *dimension,
                              const srv__night_key *oldest, const srv__night_key *newest,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;
