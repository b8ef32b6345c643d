#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_columns.h"
#include "server/views/views_parts.h"
#include "sql/views_night.h"
#include "web/words/words.h"

#include <math.h>
#include <string.h>

enum { PIECE = 250 }; /* nights: as JSON values some eight megabytes */

/* No interval is known so well: more digits would be half of the bytes. */
static double to_seven_digits(double value) {
    if (!isfinite(value) || value == 0)
        return value;
    const double digits = 6 - floor(log10(fabs(value)));
    const double scale = pow(10, fabs(digits));
    return digits >= 0 ? round(value * scale) / scale : round(value / scale) * scale;
}

static void shorten(det_interval *interval) {
    interval->mean = to_seven_digits(interval->mean);
    interval->low = to_seven_digits(interval->low);
    interval->high = to_seven_digits(interval->high);
}

/* Of ten years of nights each byte counts. */
static void night_shorten(cfg_night *night) {
    shorten(&night->total);
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        shorten(&portion->now);
        shorten(&portion->judged);
        shorten(&portion->reference);
    }
}

/* What their project takes for too small to be told. */
static bool least_add(srv_store *store, int64_t project, cfg_night *nights, unsigned count,
                      GError **error) {
    json_t *row;
    if (!srv__object(store, SQL(project_detection), SRV__ARGS(SRV__I(project)), &row, error))
        return false;
    const json_t *least = json_object_get(json_object_get(row, "detection"), "minimum_effect_ns");
    for (unsigned i = 0; i < count && json_is_number(least); i++)
        nights[i].minimum_effect_ns = json_number_value(least);
    json_decref(row);
    return true;
}

/* The portions of a night that is there. */
static bool portions_read(srv_store *store, cfg_night *night, GError **error) {
    model_list list;
    if (!srv__many(store, SQL(portion_rows), SRV__ARGS(SRV__I(night->experiment)),
                   &cfg_portion_model, &list, error))
        return false;
    night->portions = list.items;
    night->portions_count = list.count;
    web_night_say(night);
    return true;
}

bool srv__night_read(srv_store *store, int64_t experiment, cfg_night *night, GError **error) {
    bool there;
    int64_t project;
    if (!srv__one(store, SQL(night_row), SRV__ARGS(SRV__I(experiment)), &cfg_night_model, night,
                  &there, error))
        return false;
    if (!there)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "there is no experiment %" G_GINT64_FORMAT, experiment);
    if (there && portions_read(store, night, error) &&
        srv__project_id(store, night->project, &project, error) &&
        least_add(store, project, night, 1, error) &&
        srv__changes_hand_out(store, project, night, 1, error) &&
        srv__incidents_hand_out(store, project, night, 1, error))
        return true;
    cfg_night_clear(night);
    return false;
}

json_t *srv__night_view(srv_store *store, int64_t experiment, GError **error) {
    g_auto(cfg_night) night = {0};
    return srv__night_read(store, experiment, &night, error)
               ? model_write_as(&cfg_night_model, &night, CFG_NIGHT_ALONE)
               : NULL;
}

/* Rows come in the order of their nights: each goes where it belongs while that is at hand. */
typedef struct {
    cfg_night *at, *end;
    const char *list;
    cfg_night other; /* has what is of a night that came meanwhile */
} rows_reader;

static void *row_place(void *user, int64_t owner) {
    rows_reader *reader = user;
    cfg_night *night = reader->at;
    while (night < reader->end && night->experiment != owner)
        night++;
    if (night < reader->end)
        reader->at = night;
    return model_add(&cfg_night_model, night < reader->end ? night : &reader->other, reader->list);
}

/* Of all nights from the first to the last, which is the oldest. */
static bool read_rows(srv_store *store, int64_t project, const model_list *nights,
                      const srv_sql *rows, const model_noun *noun, const char *list,
                      GError **error) {
    cfg_night *newest = nights->items, *oldest = newest + nights->count - 1;
    rows_reader reader = {newest, oldest + 1, list, {0}};
    const bool good = srv__each_struct(
        store, rows,
        SRV__ARGS(SRV__I(project), SRV__T(oldest->night), SRV__I(oldest->commit.time_ms),
                  SRV__I(oldest->experiment), SRV__T(newest->night), SRV__I(newest->commit.time_ms),
                  SRV__I(newest->experiment)),
        noun, row_place, &reader, error);
    cfg_night_clear(&reader.other);
    return good;
}

/* All nights of a page, with as many questions as one night takes. */
static bool nights_complete(srv_store *store, int64_t project, const model_list *nights, bool brief,
                            GError **error) {
    cfg_night *all = nights->items;
    if (nights->count == 0)
        return true;
    if (!srv__incidents_hand_out(store, project, all, nights->count, error) ||
        !read_rows(store, project, nights,
                   brief ? SQL(portion_rows_between_brief) : SQL(portion_rows_between),
                   &cfg_portion_model, "portions", error))
        return false;
    for (unsigned i = 0; i < nights->count; i++) {
        web_night_say(&all[i]);
        if (brief)
            night_shorten(&all[i]);
    }
    return srv__changes_hand_out(store, project, all, nights->count, error) &&
           (brief || (least_add(store, project, all, nights->count, error) &&
                      read_rows(store, project, nights, SQL(configuration_heads_between),
                                &cfg_measured_model, "configurations", error)));
}

/* Without the one behind the page; where the next page begins, owned, NULL: this is the last. */
static char *page_end(model_list *nights, unsigned limit) {
    cfg_night *all = nights->items, *last = all + limit - 1;
    if (nights->count <= limit)
        return NULL;
    cfg_night_clear(&all[--nights->count]);
    return g_strdup_printf("%s~%" G_GINT64_FORMAT "~%" G_GINT64_FORMAT, last->night,
                           last->commit.time_ms, last->experiment);
}

bool srv_nights_page(srv_store *store, const char *project, srv_dates dates, srv_page page,
                     model_list *nights, char **next, GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id;
    *next = NULL;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, true, &cursor, error) ||
        !srv__project_id(store, project, &id, error) ||
        !srv__many(store, SQL(night_rows),
                   SRV__ARGS(SRV__I(id), SRV__T(cursor.night), SRV__I(cursor.time_ms),
                             SRV__I(cursor.id), SRV__T(dates.until ? dates.until : "9999-99-99"),
                             SRV__T(dates.since ? dates.since : ""), SRV__I(limit + 1)),
                   &cfg_night_model, nights, error))
        return false;
    *next = page_end(nights, limit);
    return nights_complete(store, id, nights, dates.brief, error);
}

bool srv_nights_each(srv_store *store, const char *project, srv_dates dates, srv_page page,
                     const srv_nights_taker *taker, char **next, GError **error) {
    unsigned left;
    bool good = srv__page_limit(page, &left, error);
    dates.brief = taker->brief;
    *next = g_strdup(page.cursor);
    for (bool more = good; more;) {
        g_auto(model_list) nights = {0};
        g_autofree char *cursor = *next;
        const srv_page piece = {.limit = MIN(left, PIECE), .cursor = cursor};
        good = srv_nights_page(store, project, dates, piece, &nights, next, error) &&
               taker->take(taker->user, nights.items, nights.count, error);
        left -= piece.limit;
        more = good && left > 0 && *next;
    }
    if (!good)
        g_clear_pointer(next, g_free);
    return good;
}

static bool add_columns(void *user, const cfg_night *nights, unsigned count, GError **error) {
    (void)error;
    srv__columns_add(user, nights, count);
    return true;
}

json_t *srv_view_nights_columns(srv_store *store, const char *project, srv_dates dates,
                                srv_page page, GError **error) {
    g_autofree char *next = NULL;
    srv__columns *columns = srv__columns_new();
    const srv_nights_taker taker = {true, add_columns, columns};
    const bool good = srv_nights_each(store, project, dates, page, &taker, &next, error);
    json_t *view = srv__columns_end(columns, next);
    if (good)
        return view;
    json_decref(view);
    return NULL;
}
