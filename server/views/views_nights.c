#include "config/json_text.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views_night.h"
#include "web/words/words.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>

/*
 * columns - many nights with their portions as columns, for charts: what repeats stands
 * once, numbers alike lie together, and none has digits that its interval makes noise.
 *
 * The bytes are a third of the brief nights', packed; docs/api.md and web/static/series.js have
 * the same words. Of what comes out, means and ends of intervals are off by at most a fiftieth
 * of the interval's half width.
 */

enum {
    HALF_DIGITS = 3, /* of an interval's half width */
    DIGITS_MORE = 4  /* at most, where one would be rounded twice */
};

/* The values of one portion, or of the totals, newest first. */
typedef struct {
    json_t *lists;   /* {key: list} */
    GString *nights; /* a letter a night: 1 where it has this portion */
} column;

/* One in the last digit that an interval leaves: a power of ten; 0: no interval says it. */
static double step_of(det_interval interval) {
    const double half = (interval.high - interval.low) / 2;
    return isfinite(half) && half > 0 ? pow(10, floor(log10(half)) + 1 - HALF_DIGITS) : 0;
}

/* The multiple of a power of ten whose text is as short as it can be: divided, where the power is
 * no whole number, for only that rounds right. */
static double multiple(double value, double step) {
    return step < 1 ? round(value * round(1 / step)) / round(1 / step) : round(value / step) * step;
}

/* Do its digits end in a 5, with zeros behind it or not? */
static bool ends_in_five(double shown, double step) {
    double digits = fabs(round(step < 1 ? shown * round(1 / step) : shown / step));
    while (digits >= 10 && digits < 1e15 && fmod(digits, 10) == 0)
        digits /= 10;
    return fmod(digits, 10) == 5;
}

/* Who shows fewer digits rounds once more: 1244.66 must not become 1.25 by way of 1245, so what
 * ends in a 5 that it does not have keeps a digit more. */
static double rounded(double value, double step) {
    if (!(step > 0) || !isfinite(value))
        return value;
    double shown = multiple(value, step);
    for (int i = 0; i < DIGITS_MORE && shown != value && ends_in_five(shown, step); i++)
        shown = multiple(value, step /= 10);
    return shown;
}

static json_t *number(double value, double step) {
    const double shown = rounded(value, step);
    if (!isfinite(shown))
        return json_null();
    const bool whole = shown == trunc(shown) && fabs(shown) < 1e15;
    return whole ? json_integer((json_int_t)shown) : json_real(shown);
}

static void put(const column *to, const char *key, json_t *value) {
    json_array_append_new(cfg_json_member(to->lists, key, json_array()), value);
}

/* How far an interval reaches below a mean, as that is shown, and above it, which stays null where
 * it is the same. */
static void put_around(const column *to, const char *const keys[2], double mean,
                       det_interval interval) {
    const double step = step_of(interval);
    const double below = mean - interval.low, above = interval.high - mean;
    const bool same = fabs(above - below) <= MAX(1.001 * step, 1e-6 * fabs(mean));
    const double half = same ? (interval.high - interval.low) / 2 : below;
    put(to, keys[0], isfinite(above) ? number(half, step) : json_null());
    put(to, keys[1], same ? json_null() : number(above, step));
}

/* Returns the mean as it is shown. */
static double put_mean(const column *to, det_interval range) {
    static const char *const keys[2] = {"below_ns", "above_ns"};
    const double step = step_of(range), mean = rounded(range.mean, step);
    put(to, "mean_ns", number(mean, step));
    put_around(to, keys, mean, range);
    return mean;
}

static void put_reference(const column *to, det_interval band) {
    const double step = step_of(band);
    put(to, "reference_low_ns", number(band.low, step));
    put(to, "reference_width_ns", number(band.high - band.low, step));
}

static json_t *word(const char *text) {
    return text ? json_string(text) : json_null();
}

/* What only few portions have, by the place among the column's values. */
static void put_told(const column *to, const cfg_portion *portion) {
    if (!portion->reason && !portion->since && !portion->words)
        return;
    g_autofree char *at = g_strdup_printf("%zu", cfg_json_count(to->lists, "mean_ns") - 1);
    json_object_set_new(json_object_get(to->lists, "told"), at,
                        json_pack("{s:s*, s:s*, s:s*, s:s*, s:s*, s:s*}", "reason", portion->reason,
                                  "rule", portion->rule, "since", portion->since, "later",
                                  portion->later, "standing", portion->standing, "words",
                                  portion->words));
}

static void portion_put(const column *to, const cfg_portion *portion) {
    static const char *const judged[2] = {"judged_below_ns", "judged_above_ns"};
    const double mean = put_mean(to, portion->now);
    put_around(to, judged, mean, portion->judged);
    put_reference(to, portion->reference);
    put(to, "verdict", word(portion->verdict));
    put(to, "direction", word(portion->direction));
    put_told(to, portion);
}

static column *column_new(json_t *lists) {
    column *made = g_new(column, 1);
    *made = (column){lists, g_string_new(NULL)};
    return made;
}

/* The letters end with the newest night that has it: the others have none. */
static void column_at(const column *to, size_t night) {
    while (to->nights->len < night)
        g_string_append_c(to->nights, '0');
    g_string_append_c(to->nights, '1');
}

/* Its lists, owned by the caller. */
static json_t *column_end(column *done) {
    json_t *lists = done->lists;
    json_object_set_new(lists, "nights", json_string(done->nights->str));
    (void)g_string_free(done->nights, TRUE);
    g_free(done);
    return lists;
}

static bool has(const column *one, const char *key, const char *text) {
    return g_strcmp0(cfg_json_word(one->lists, key, NULL), text) == 0;
}

static bool is_of(const column *one, const cfg_portion *portion) {
    return has(one, "configuration", portion->configuration) &&
           has(one, "portion", portion->portion) && has(one, "parent", portion->parent) &&
           has(one, "unit", portion->unit);
}

static column *column_of(GPtrArray *columns, const cfg_portion *portion) {
    for (guint i = 0; i < columns->len; i++)
        if (is_of(columns->pdata[i], portion))
            return columns->pdata[i];
    column *made =
        column_new(json_pack("{s:{}, s:s?, s:s?, s:s?, s:s*, s:s*}", "told", "portion",
                             portion->portion, "configuration", portion->configuration, "parent",
                             portion->parent, "unit", portion->unit, "better", portion->better));
    g_ptr_array_add(columns, made);
    return made;
}

typedef struct {
    json_t *items;
    GPtrArray *portions; /* of column */
    column *totals;
} night_columns;

/* Of no night yet. */
static night_columns *columns_new(void) {
    night_columns *columns = g_new(night_columns, 1);
    *columns = (night_columns){json_array(), g_ptr_array_new(), column_new(json_object())};
    return columns;
}

static void night_take(night_columns *to, const cfg_night *night) {
    const size_t at = json_array_size(to->items);
    for (unsigned i = 0; i < night->portions_count; i++) {
        column *one = column_of(to->portions, &night->portions[i]);
        column_at(one, at);
        portion_put(one, &night->portions[i]);
    }
    if (isfinite(night->total.mean)) {
        column_at(to->totals, at);
        (void)put_mean(to->totals, night->total);
    }
    json_array_append_new(to->items, model_write_as(&cfg_night_model, night, CFG_NIGHT_COLUMNS));
}

/* The next brief nights. */
static void columns_add(night_columns *columns, const cfg_night *nights, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        night_take(columns, &nights[i]);
}

/* {"items", "next", "columns", "total"}, owned by the caller; columns is freed. next: cursor of the
 * next page or NULL. */
static json_t *columns_end(night_columns *columns, const char *next) {
    json_t *lists = json_array();
    for (guint k = 0; k < columns->portions->len; k++)
        json_array_append_new(lists, column_end(columns->portions->pdata[k]));
    json_t *page = json_pack("{s:o,s:s?,s:o,s:o}", "items", columns->items, "next", next, "columns",
                             lists, "total", column_end(columns->totals));
    (void)g_ptr_array_free(columns->portions, TRUE);
    g_free(columns);
    return page;
}

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
    json_auto_t *row = NULL;
    if (!srv__object(store, ASK(project_detection, project), &row, error))
        return false;
    const json_t *of = json_object_get(row, "detection");
    for (unsigned i = 0; i < count && json_is_object(of); i++) {
        nights[i].minimum_effect_ns = cfg_json_number(of, "minimum_effect_ns");
        nights[i].minimum_effect_percent = cfg_json_number(of, "minimum_effect_percent");
    }
    return true;
}

/* The portions of a night that is there. */
static bool portions_read(srv_store *store, cfg_night *night, GError **error) {
    model_list list;
    if (!srv__many(store, ASK(portion_rows, night->experiment), &cfg_portion_model, &list, error))
        return false;
    night->portions = list.items;
    night->portions_count = list.count;
    return true;
}

bool srv__night_read(srv_store *store, int64_t experiment, cfg_night *night, GError **error) {
    bool there;
    int64_t project;
    if (!srv__one(store, ASK(night_row, experiment), &cfg_night_model, night, &there, error))
        return false;
    if ((there || SRV__NONE(error, "experiment", experiment)) &&
        srv__project_id(store, night->project, &project, error) &&
        portions_read(store, night, error) && least_add(store, project, night, 1, error) &&
        srv__changes_hand_out(store, project, night, 1, error) &&
        srv__incidents_hand_out(store, project, night, 1, error)) {
        web_night_say(night);
        return true;
    }
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
    const bool good = srv__each_struct(store, rows,
                                       SRV__ARGS(project, oldest->night, oldest->commit.time_ms,
                                                 oldest->experiment, newest->night,
                                                 newest->commit.time_ms, newest->experiment),
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
                   &cfg_portion_model, "portions", error) ||
        !srv__changes_hand_out(store, project, all, nights->count, error))
        return false;
    for (unsigned i = 0; i < nights->count; i++) {
        web_night_say(&all[i]);
        if (brief)
            night_shorten(&all[i]);
    }
    return brief || (least_add(store, project, all, nights->count, error) &&
                     read_rows(store, project, nights, SQL(configuration_heads_between),
                               &cfg_measured_model, "configurations", error));
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
        !srv__many(store,
                   ASK(night_rows, id, cursor.night, cursor.time_ms, cursor.id,
                       dates.until ? dates.until : "9999-99-99", dates.since ? dates.since : "",
                       limit + 1),
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
    columns_add(user, nights, count);
    return true;
}

json_t *srv_view_nights_columns(srv_store *store, const char *project, srv_dates dates,
                                srv_page page, GError **error) {
    g_autofree char *next = NULL;
    night_columns *columns = columns_new();
    const srv_nights_taker taker = {true, add_columns, columns};
    const bool good = srv_nights_each(store, project, dates, page, &taker, &next, error);
    json_auto_t *view = columns_end(columns, next);
    return good ? json_incref(view) : NULL;
}
