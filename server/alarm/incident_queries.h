#pragma once
/*
 * incident_queries - what is asked of incidents, of their audit, and of the nights around them.
 * All inside a transaction where something is written; false or NULL with error.
 */
#include "detector/watch/watch.h"
#include "server/store/store_sql.h"

/* srv__incident_find - that of a kind which begins with a night; id: out, 0: none. */
bool srv__incident_find(srv_store *store, int64_t series, det_incident_kind kind, int64_t since,
                        int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_insert - opened by the night seen; incident->before 0: none before it. */
bool srv__incident_insert(srv_store *store, int64_t series, const det_incident *incident,
                          int64_t seen, int64_t now_ms, int64_t *id,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_update - what the nights show of it now; one that was withdrawn is open again. */
bool srv__incident_update(srv_store *store, int64_t id, const det_incident *incident, int64_t seen,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_note - another state, by whom and why, and an event. */
bool srv__incident_note(srv_store *store, int64_t id, const char *state, const char *author,
                        const char *reason, int64_t now_ms,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_over - it does not last any more; the night that shows it. */
bool srv__incident_over(srv_store *store, int64_t id, int64_t experiment,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incidents_open - the open ones of a series: [{"id","kind","factor","lasts","nights"}];
 * nights: measured ones of the series after the one that opened it. Owned. */
json_t *srv__incidents_open(srv_store *store, int64_t series,
                            GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incidents_of_series - those that stand: [{"id","seen_experiment"}], owned. */
json_t *srv__incidents_of_series(srv_store *store, int64_t series,
                                 GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_state - {"state"}; row: out, owned, NULL when there is none. */
bool srv__incident_state(srv_store *store, int64_t id, json_t **row,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_row - as the API has it, but for its words, ends and audit; row: out, owned, NULL
 * when there is none. */
bool srv__incident_row(srv_store *store, int64_t id, json_t **row,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_end - {"commit","night","experiment"} of a night; row: out, owned. */
bool srv__incident_end(srv_store *store, int64_t experiment, json_t **row,
                       GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_audit - [{"at_ms","from","to","author","reason"}], in order; owned. */
json_t *srv__incident_audit(srv_store *store, int64_t id, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_keys - newest first, below a key; project 0: of all; state NULL: any that stands.
 */
GArray *srv__incident_keys(srv_store *store, int64_t project, const char *state, int64_t below,
                           unsigned count, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incidents_between - those that begin with a shown night of a project from one date to
 * another, in order: [{"experiment","id","kind","state",…}], owned. */
json_t *srv__incidents_between(srv_store *store, int64_t project, const char *since,
                               const char *until, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__incident_match - the one of a project of that kind which begins with a commit's night; id:
 * out, 0: none. srv__incident_answered - how often this answer is there. */
bool srv__incident_match(srv_store *store, int64_t project, const char *kind, const char *commit,
                         int64_t *id, GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__incident_answered(srv_store *store, int64_t id, int64_t at_ms, const char *author,
                            int64_t *there, GError **error) G_GNUC_WARN_UNUSED_RESULT;
