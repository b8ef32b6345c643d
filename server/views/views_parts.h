#pragma once
/*
 * views_parts - the JSON objects that several views are made of.
 */
#include "config/model/alert.h"
#include "detector/words/counted.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"

/* srv__only_row - the row with this key; what: what is missing ("job") when there is none. Owned,
 * NULL with error, NOT_FOUND. */
json_t *srv__only_row(srv_store *store, const srv_sql *sql, int64_t id, const char *what,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__job_view - a job (docs/api.md), owned; NULL with error, NOT_FOUND when there is none. */
json_t *srv__job_view(srv_store *store, int64_t job, bool with_log,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__alert_read - an alert with all there is of it; for cfg_alert_clear. NOT_FOUND.
 * srv__alert_explained - its explanation alone; for cfg_alert_clear, also after an error.
 * srv__alerts_read - those of ids, [int64_t], each once, in their order: [cfg_alert], out.
 */
bool srv__alert_read(srv_store *store, int64_t id, cfg_alert *alert,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__alert_explained(srv_store *store, int64_t id, cfg_alert *alert,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool srv__alerts_read(srv_store *store, const GArray *ids, model_list *alerts,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_among - NULL: it is not among them. Borrowed. */
cfg_night *srv__night_among(cfg_night *nights, size_t count, int64_t experiment);

/* srv__incidents_hand_out - each incident that begins with a night among them becomes the night's.
 * nights: from newest to oldest date, at least one, of one project. */
bool srv__incidents_hand_out(srv_store *store, int64_t project, cfg_night *nights, size_t count,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__changes_hand_out - a change whose new level began before the night that told: that night's
 * portion gets "since", the date it began with, and the night that it began with the change in
 * "began"; its portion, and those of the nights between both, know it as "later". A portion whose
 * change a commit had announced is accepted in advance, in both of these nights. What each night
 * told of beside time, and where most of its loops were disturbed. Before their headlines are
 * made. nights: with their portions, likewise. */
bool srv__changes_hand_out(srv_store *store, int64_t project, cfg_night *nights, size_t count,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__dimensions_note - of what grows with calls, once the benchmark is there: which portions are
 * no differences, and why. */
void srv__dimensions_note(cfg_night *night);

/* srv__dimensions_read - what was counted in a night whose portions are there, and its sentence. */
bool srv__dimensions_read(srv_store *store, cfg_night *night,
                          GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__limits_read - the project's limits beside such a night. */
bool srv__limits_read(srv_store *store, cfg_night *night, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__counted_words - what is counted of a portion, for its words. */
det_counted srv__counted_words(const cfg_counted *row);
/* srv__alert_counted - what an alert's nights counted of it and of its portions, in words. */
void srv__alert_counted(cfg_alert *alert);
/* srv__night_threads - of an experiment's processor time, which threads took it. */
bool srv__night_threads(srv_store *store, cfg_night *night,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__alert_threads - of processor time, which threads it is, where one name has most of it. */
bool srv__alert_threads(srv_store *store, cfg_alert *alert,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* srv__night_read - a night with its portions; for cfg_night_clear. srv__night_view - as JSON. */
bool srv__night_read(srv_store *store, int64_t experiment, cfg_night *night,
                     GError **error) G_GNUC_WARN_UNUSED_RESULT;
json_t *srv__night_view(srv_store *store, int64_t experiment,
                        GError **error) G_GNUC_WARN_UNUSED_RESULT;

/*
 * views_page - pages of a list: where the last one ended, and how long this one is.
 *
 * A cursor is the key of the last item shown: "<id>", or "<night>~<time>~<id>". It stays right
 * while the list grows.
 */

typedef struct {
    char night[11];
    int64_t time_ms, id;
} srv__cursor;

/* srv__page_limit - INVALID when too large. */
bool srv__page_limit(srv_page page, unsigned *limit, GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__cursor_read - no cursor gives one that lies behind everything. INVALID. */
bool srv__cursor_read(const char *text, bool with_night, srv__cursor *cursor,
                      GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__page_of - {"items","next"} from up to limit + 1 items (taken); key makes the cursor of an
 * item, owned. */
json_t *srv__page_of(json_t *items, unsigned limit, char *(*key)(const json_t *item));

/* How a list is read: the keys of all, by state, the key that they are below and their number;
 * those of a project, by its key, too; their views, [int64_t] to JSON. Without views keys are whole
 * rows. Or the rows of a project, by its key, the key that they are below and their number. finish
 * puts into a row what is worked out of it; NULL: nothing is. */
struct srv_list {
    const srv_sql *keys, *keys_of_project;
    json_t *(*views)(srv_store *store, const GArray *ids, GError **error);
    const srv_sql *rows;
    void (*finish)(json_t *row);
};
