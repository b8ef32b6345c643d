#pragma once
/*
 * views_parts - the JSON objects that several views are made of.
 */
#include "detector/words/counted.h"
#include "server/views/alert_parts.h"
#include "server/views/views.h"

/* srv__drop_empty - a member object whose own member is null becomes null. */
void srv__drop_empty(json_t *object, const char *key, const char *member);

/* srv__only_row - the row with this key; what: what is missing ("job") when there is none. Owned,
 * NULL with error, NOT_FOUND. */
json_t *srv__only_row(srv_store *store, const srv_sql *sql, int64_t id, const char *what,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_view - a job (docs/api.md), owned; NULL with error, NOT_FOUND when there is none. */
json_t *srv__job_view(srv_store *store, int64_t job, bool with_log,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__alert_view - an alert, likewise; srv__alert_views - those of [int64_t], in their order. */
json_t *srv__alert_view(srv_store *store, int64_t alert, GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv__alert_views(srv_store *store, const GArray *alerts,
                         GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__alert_branches - member "branches" of an alert: which other branches have its commit; owned.
 */
json_t *srv__alert_branches(const srv__alert_parts *parts, int64_t id, const json_t *alert);

/* srv__incident_view - an incident, likewise. */
json_t *srv__incident_view(srv_store *store, int64_t incident,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_among - NULL: it is not among them. Borrowed. */
cfg_night *srv__night_among(cfg_night *nights, size_t count, int64_t experiment);

/* srv__incidents_hand_out - each incident that begins with a night among them becomes the night's.
 * nights: from newest to oldest date, at least one, of one project. */
bool srv__incidents_hand_out(srv_store *store, int64_t project, cfg_night *nights, size_t count,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__changes_hand_out - a change whose new level began before the night that told: that night's
 * portion gets "since", the date it began with, and the night that it began with the change in
 * "began". A portion whose change a commit had announced is accepted in advance, in both of these
 * nights. nights: with their portions, likewise. */
bool srv__changes_hand_out(srv_store *store, int64_t project, cfg_night *nights, size_t count,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__bisection_view - the search for an alert's culprit, JSON null when there is none; owned. */
json_t *srv__bisection_view(const srv__alert_parts *parts, int64_t alert);

/* srv__explanation_view - where an alert's change is, JSON null when nobody looked; likewise. */
json_t *srv__explanation_view(const srv__alert_parts *parts, int64_t alert);

/* srv__dimensions_read - what was counted in a night whose portions are there, and its sentence. */
bool srv__dimensions_read(srv_store *store, cfg_night *night,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__counted_words - what is counted of a portion, for its words. */
det_counted srv__counted_words(const cfg_counted *row);
/* srv__alert_counted - member "counted" of an alert and its portions, once these are there. */
void srv__alert_counted(const srv__alert_parts *parts, int64_t id, json_t *alert);

/* srv__night_read - a night with its portions; for cfg_night_clear. srv__night_view - as JSON. */
bool srv__night_read(srv_store *store, int64_t experiment, cfg_night *night,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv__night_view(srv_store *store, int64_t experiment,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__profile_rows - of one configuration and commit of an alert, by loop: {"loop", "calls",
 * "stacks"}; owned, NULL with error. */
json_t *srv__profile_rows(srv_store *store, const srv_profile_name *name,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
