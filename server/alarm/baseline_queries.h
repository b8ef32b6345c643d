#pragma once
/* baseline_queries - what is asked of levels that people set. Inside a transaction; false or NULL
 * with error. */
#include "server/alarm/baselines.h"
#include "server/store/store_sql.h"

/* A row to be; portions: JSON text, NULL: all. from, to, old_state: of the alert; 0, NULL: none. */
typedef struct {
    int64_t project;
    const srv_baseline *said;
    const char *portions, *old_state;
    int64_t from, to;
} srv__baseline_row;

bool srv__baseline_insert(srv_store *store, const srv__baseline_row *row, int64_t now_ms,
                          int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baseline_end - changed: out, 0: there is none, or it was undone before. */
bool srv__baseline_end(srv_store *store, int64_t id, const char *author, int64_t now_ms,
                       int64_t *changed, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baseline_get - {"project","night","alert","series","from","to","old_state","was"}: was: the
 * night of to; row: out, owned, NULL when there is none in force. */
bool srv__baseline_get(srv_store *store, int64_t id, json_t **row,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baselines_of_series - those in force: {"id","night","portions","alert","was","reason",
 * "author"}, the oldest first; owned. */
json_t *srv__baselines_of_series(srv_store *store, int64_t series,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baselines_of_night - {"id","portions"} of those in force of a project's night; owned. */
json_t *srv__baselines_of_night(srv_store *store, int64_t project, const char *night,
                                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baseline_alert - {"state","series","from","to","night","held"}; held: the baseline in force
 * that holds it; row: out, owned, NULL: the project has no such alert. */
bool srv__baseline_alert(srv_store *store, int64_t project, int64_t alert, json_t **row,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baseline_alert_portions - [{"portion","configuration"}]; owned. _night_portions - those of a
 * project's measured night. */
json_t *srv__baseline_alert_portions(srv_store *store, int64_t alert,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv__baseline_night_portions(srv_store *store, int64_t project, const char *night,
                                     GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baseline_alert_of - the alert that stands with a level from this night on, 0: none. moved:
 * an alert that is to begin there; only others of its series that share a portion are in its way;
 * 0: any is. */
bool srv__baseline_alert_of(srv_store *store, int64_t project, const char *night, int64_t moved,
                            int64_t *alert, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baseline_alert_move - its two nights, and nothing else. */
bool srv__baseline_alert_move(srv_store *store, int64_t alert, int64_t from, int64_t to,
                              GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baseline_series - the series that were measured in a project's night; owned. */
GArray *srv__baseline_series(srv_store *store, int64_t project, const char *night,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__baseline_place - {"id","before"}: the first experiment of a series on or after a night, and
 * the one before, 0: it is the series' first; row: out, owned, NULL when there is none. */
bool srv__baseline_place(srv_store *store, int64_t series, const char *night, json_t **row,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;
