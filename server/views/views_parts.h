#pragma once
/*
 * views_parts - the JSON objects that several views are made of.
 */
#include "detector/words/counted.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"

/*
 * alert_parts - what the view of an alert is put together from, read for many alerts at
 * once: a page of a hundred takes some thirty statements. With PostgreSQL each is a round trip.
 */

/* Rows by alert; those of the last one by experiment. */
typedef enum {
    SRV__ALERT_HEAD,  /* the alert itself, "ageing_days" of its project, its ends by their keys */
    SRV__ALERT_AUDIT, /* {"at_ms","from","to","author","reason"}, in order */
    SRV__ALERT_PORTIONS, /* the largest one, then by size */
    SRV__ALERT_BRANCHES, /* {"branch","project","state","commit","fix"} of the other branches that
                            were asked for its commit; fix: it ended another alert */
    SRV__ALERT_COUNTED,  /* what was counted on both sides: {"dimension","counter","portion",
                            "configuration",…,"before"} */
    SRV__ALERT_SEARCH,   /* for the culprit, between "low" and "high" */
    SRV__ALERT_STEPS,    /* of that search, in the order in which they were made */
    SRV__ALERT_SUSPECTS, /* {"commit","place"}: the first and last that the search leaves */
    SRV__ALERT_WHY,      /* where the change is, as far as somebody looked */
    SRV__ALERT_WHERE,    /* of each portion: what was found in time */
    SRV__ALERT_PROFILES, /* from which profiles */
    SRV__ALERT_BYTES,    /* of each portion: what was found in allocated bytes */
    SRV__ALERT_BYTES_OF, /* from which profiles */
    SRV__ALERT_NAMES,    /* {"portion","configuration"} of all portions of its first night */
    SRV__ALERT_END,      /* by experiment: {"commit","night","experiment"} */
    SRV__ALERT_PARTS
} srv__alert_part;

/* srv__alert_part_rows - one part of one alert (or experiment); owned, NULL with error. */
json_t *srv__alert_part_rows(srv_store *store, srv__alert_part part, int64_t key,
                             GError **error) G_GNUC_WARN_UNUSED_RESULT;

typedef struct {
    GHashTable *rows[SRV__ALERT_PARTS];
} srv__alert_parts;

/* srv__alert_parts_read - all parts of these alerts, [int64_t]; free with srv__alert_parts_free,
 * also when it is false, with error. */
bool srv__alert_parts_read(srv__alert_parts *parts, srv_store *store, const GArray *alerts,
                           GError **error) G_GNUC_WARN_UNUSED_RESULT;
void srv__alert_parts_free(srv__alert_parts *parts);

/* srv__alert_rows - a part's rows, empty where there are none; owned. Several alerts share those by
 * experiment. */
json_t *srv__alert_rows(const srv__alert_parts *parts, srv__alert_part part, int64_t key);
/* srv__alert_only - the only one of them, likewise; NULL: there is none. */
json_t *srv__alert_only(const srv__alert_parts *parts, srv__alert_part part, int64_t key);

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
/* srv__page_of_rows - a project's rows, newest first, as such a page. finish: puts into each what
 * is worked out of it; may be NULL. rows: by project, key that they are below, and count. */
json_t *srv__page_of_rows(srv_store *store, const char *project, srv_page page, const srv_sql *rows,
                          void (*finish)(json_t *row), GError **error) G_GNUC_WARN_UNUSED_RESULT;
/* srv__page_by_id - such a key: the item's "id". */
char *srv__page_by_id(const json_t *item);

/* Where a night stands among its project's; id: the experiment. Its date is borrowed. */
typedef struct {
    const char *night;
    int64_t time_ms, id;
} srv__night_key;

/* srv__night_key_of - of a night as views show it. srv__page_by_night - as srv__page_by_id. */
srv__night_key srv__night_key_of(const json_t *night);
char *srv__page_by_night(const json_t *item);
