#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_columns.h"
#include "server/views/views_page.h"
#include "server/views/views_parts.h"
#include "sql/views_night.h"
#include "web/words/night.h"

#include <math.h>
#include <string.h>

enum { PIECE = 250 }; /* nights: as JSON values some eight megabytes */

/* An interval without a mean does not count. */
static void drop_empty(json_t *object, const char *key) {
    srv__drop_empty(object, key, "mean_ns");
}

static void headline_put(json_t *night) {
    g_autofree char *headline = web_night_headline(night);
    json_object_set_new(night, "headline", json_string(headline));
}

/* Once its portions are there. */
static void night_say(json_t *night) {
    size_t i;
    json_t *portion;
    drop_empty(night, "total");
    json_array_foreach (json_object_get(night, "portions"), i, portion) {
        drop_empty(portion, "judged");
        drop_empty(portion, "reference");
        drop_empty(portion, "difference");
    }
    headline_put(night);
}

static void members_delete(json_t *object, const char *const *names) {
    for (; *names; names++)
        json_object_del(object, *names);
}

/* No interval is known so well: more digits would be half of the bytes. */
static double to_seven_digits(double value) {
    if (!isfinite(value) || value == 0)
        return value;
    const double digits = 6 - floor(log10(fabs(value)));
    const double scale = pow(10, fabs(digits));
    return digits >= 0 ? round(value * scale) / scale : round(value / scale) * scale;
}

static void numbers_shorten(json_t *object) {
    static const char *const names[] = {"mean_ns", "low_ns", "high_ns"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        json_t *number = json_object_get(object, names[i]);
        if (json_is_real(number))
            json_real_set(number, to_seven_digits(json_real_value(number)));
    }
}

/* Of a brief portion: what only its night's headline was made of; null where there is no interval.
 */
static void portion_shorten(json_t *portion) {
    static const char *const ranges[] = {"judged", "reference"};
    json_object_del(portion, "difference");
    json_object_del(portion, "rule");
    for (size_t i = 0; i < G_N_ELEMENTS(ranges); i++) {
        srv__drop_empty(portion, ranges[i], "low_ns");
        json_object_del(json_object_get(portion, ranges[i]), "mean_ns");
        numbers_shorten(json_object_get(portion, ranges[i]));
    }
    numbers_shorten(portion);
    if (json_is_null(json_object_get(portion, "reason")))
        json_object_del(portion, "reason");
}

/* Likewise for a brief night: of ten years of nights each byte counts. */
static void night_say_briefly(json_t *night) {
    static const char *const unread[] = {"project", "environment", "finished_ms", "loops", NULL};
    static const char *const medians[] = {"median_ns", "median_low_ns", "median_high_ns", NULL};
    size_t i;
    json_t *portion;
    headline_put(night);
    json_array_foreach (json_object_get(night, "portions"), i, portion)
        portion_shorten(portion);
    drop_empty(night, "total");
    members_delete(json_object_get(night, "total"), medians);
    numbers_shorten(json_object_get(night, "total"));
    members_delete(night, unread);
}

static bool night_complete(srv_store *store, json_t *night, bool full, GError **error) {
    int64_t id = json_integer_value(json_object_get(night, "experiment"));
    json_t *portions = srv__array(store, SQL(portion_rows), SRV__ARGS(SRV__I(id)), error);
    if (!portions)
        return false;
    json_object_set_new(night, "portions", portions);
    night_say(night);
    if (!full)
        return true;
    json_t *configurations =
        srv__array(store, SQL(configuration_heads), SRV__ARGS(SRV__I(id)), error);
    if (configurations)
        json_object_set_new(night, "configurations", configurations);
    return configurations != NULL;
}

json_t *srv__night_view(srv_store *store, int64_t experiment, bool full, GError **error) {
    json_t *night;
    if (!srv__object(store, SQL(night_row), SRV__ARGS(SRV__I(experiment)), &night, error))
        return NULL;
    if (!night) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "there is no experiment %" G_GINT64_FORMAT, experiment);
        return NULL;
    }
    if (night_complete(store, night, full, error) && srv__changes_of_night(store, night, error) &&
        srv__incident_of_night(store, night, error))
        return night;
    json_decref(night);
    return NULL;
}

/* All nights from one to another, both included. */
typedef struct {
    int64_t project;
    srv__night_key oldest, newest;
} night_span;

/* Rows come in the order of their nights: each goes where it belongs while that is at hand. */
typedef struct {
    json_t *nights;
    size_t count, at;
    const char *list;
    void (*end)(json_t *night); /* all of its rows are there; may be NULL */
} rows_reader;

static void reader_open(rows_reader *reader) {
    json_object_set_new(json_array_get(reader->nights, reader->at), reader->list, json_array());
}

/* To the next night; false behind the last. */
static bool reader_step(rows_reader *reader) {
    if (reader->end)
        reader->end(json_array_get(reader->nights, reader->at));
    if (++reader->at == reader->count)
        return false;
    reader_open(reader);
    return true;
}

static void reader_take(void *user, int64_t owner, json_t *row) {
    rows_reader *reader = user;
    json_t *night = json_array_get(reader->nights, reader->at);
    while (night && json_integer_value(json_object_get(night, "experiment")) != owner)
        night = reader_step(reader) ? json_array_get(reader->nights, reader->at) : NULL;
    json_array_append_new(json_object_get(night, reader->list), row);
}

static bool read_rows(srv_store *store, const night_span *span, const srv_sql *rows,
                      rows_reader *reader, GError **error) {
    reader_open(reader);
    if (!srv__each(store, rows,
                   SRV__ARGS(SRV__I(span->project), SRV__T(span->oldest.night),
                             SRV__I(span->oldest.time_ms), SRV__I(span->oldest.id),
                             SRV__T(span->newest.night), SRV__I(span->newest.time_ms),
                             SRV__I(span->newest.id)),
                   reader_take, reader, error))
        return false;
    while (reader->at < reader->count && reader_step(reader))
        ;
    return true;
}

/* All nights of a page, the first count items, with as many questions as one night takes. */
static bool nights_complete(srv_store *store, int64_t project, json_t *items, size_t count,
                            bool brief, GError **error) {
    if (count == 0)
        return true;
    const night_span span = {.project = project,
                             .oldest = srv__night_key_of(json_array_get(items, count - 1)),
                             .newest = srv__night_key_of(json_array_get(items, 0))};
    rows_reader portions = {items, count, 0, "portions", brief ? night_say_briefly : night_say};
    rows_reader configurations = {items, count, 0, "configurations", NULL};
    return srv__incidents_hand_out(store, project, items, count, error) &&
           read_rows(store, &span,
                     brief ? SQL(portion_rows_between_brief) : SQL(portion_rows_between), &portions,
                     error) &&
           srv__changes_hand_out(store, project, items, count, error) &&
           (brief ||
            read_rows(store, &span, SQL(configuration_heads_between), &configurations, error));
}

static json_t *nights_view(srv_store *store, const char *project, srv_dates dates, srv_page page,
                           bool brief, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, true, &cursor, error) ||
        !srv__project_id(store, project, &id, error))
        return NULL;
    json_t *items =
        srv__array(store, SQL(night_rows),
                   SRV__ARGS(SRV__I(id), SRV__T(cursor.night), SRV__I(cursor.time_ms),
                             SRV__I(cursor.id), SRV__T(dates.until ? dates.until : "9999-99-99"),
                             SRV__T(dates.since ? dates.since : ""), SRV__I(limit + 1)),
                   error);
    if (items &&
        nights_complete(store, id, items, MIN(json_array_size(items), limit), brief, error))
        return srv__page_of(items, limit, srv__page_by_night);
    json_decref(items);
    return NULL;
}

json_t *srv_view_nights(srv_store *store, const char *project, srv_dates dates, srv_page page,
                        GError **error) {
    return nights_view(store, project, dates, page, false, error);
}

json_t *srv_view_nights_brief(srv_store *store, const char *project, srv_dates dates, srv_page page,
                              GError **error) {
    return nights_view(store, project, dates, page, true, error);
}

bool srv_view_nights_each(srv_store *store, const char *project, srv_dates dates, srv_page page,
                          const srv_nights_taker *taker, char **next, GError **error) {
    unsigned left;
    bool good = srv__page_limit(page, &left, error);
    *next = g_strdup(page.cursor);
    for (bool more = good; more;) {
        const srv_page piece = {.limit = MIN(left, PIECE), .cursor = *next};
        json_auto_t *view = nights_view(store, project, dates, piece, taker->brief, error);
        good = view && taker->take(taker->user, json_object_get(view, "items"), error);
        left -= piece.limit;
        g_free(*next);
        *next = g_strdup(json_string_value(json_object_get(view, "next")));
        more = good && left > 0 && *next;
    }
    if (!good)
        g_clear_pointer(next, g_free);
    return good;
}

static bool add_columns(void *user, json_t *nights, GError **error) {
    (void)error;
    srv__columns_add(user, nights);
    return true;
}

json_t *srv_view_nights_columns(srv_store *store, const char *project, srv_dates dates,
                                srv_page page, GError **error) {
    g_autofree char *next = NULL;
    srv__columns *columns = srv__columns_new();
    const srv_nights_taker taker = {true, add_columns, columns};
    const bool good = srv_view_nights_each(store, project, dates, page, &taker, &next, error);
    json_t *view = srv__columns_end(columns, next);
    if (good)
        return view;
    json_decref(view);
    return NULL;
}
