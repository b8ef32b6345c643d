#include "server/views/views_columns.h"

#include <glib.h>
#include <math.h>
#include <stdbool.h>

enum { HALF_DIGITS = 3 }; /* of an interval's half width */

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
static double rounded(double value, double step) {
    if (!(step > 0))
        return value;
    return step < 1 ? round(value * round(1 / step)) / round(1 / step) : round(value / step) * step;
}

static json_t *number(double value, double step) {
    const double shown = rounded(value, step);
    if (!isfinite(shown))
        return json_null();
    const bool whole = shown == trunc(shown) && fabs(shown) < 1e15;
    return whole ? json_integer((json_int_t)shown) : json_real(shown);
}

static void put(const column *to, const char *key, json_t *value) {
    json_t *list = json_object_get(to->lists, key);
    if (!list)
        json_object_set_new(to->lists, key, list = json_array());
    json_array_append_new(list, value);
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
    g_autofree char *at =
        g_strdup_printf("%zu", json_array_size(json_object_get(to->lists, "mean_ns")) - 1);
    json_object_set_new(json_object_get(to->lists, "told"), at,
                        json_pack("{s:s*, s:s*, s:s*, s:s*}", "reason", portion->reason, "since",
                                  portion->since, "standing", portion->standing, "words",
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
    return g_strcmp0(json_string_value(json_object_get(one->lists, key)), text) == 0;
}

static bool is_of(const column *one, const cfg_portion *portion) {
    return has(one, "configuration", portion->configuration) &&
           has(one, "portion", portion->portion) && has(one, "parent", portion->parent);
}

static column *column_of(GPtrArray *columns, const cfg_portion *portion) {
    for (guint i = 0; i < columns->len; i++)
        if (is_of(columns->pdata[i], portion))
            return columns->pdata[i];
    column *made =
        column_new(json_pack("{s:{}, s:s?, s:s?, s:s?}", "told", "portion", portion->portion,
                             "configuration", portion->configuration, "parent", portion->parent));
    g_ptr_array_add(columns, made);
    return made;
}

struct srv__columns {
    json_t *items;
    GPtrArray *portions; /* of column */
    column *totals;
};

srv__columns *srv__columns_new(void) {
    srv__columns *columns = g_new(srv__columns, 1);
    *columns = (srv__columns){json_array(), g_ptr_array_new(), column_new(json_object())};
    return columns;
}

static void night_take(srv__columns *to, const cfg_night *night) {
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

void srv__columns_add(srv__columns *columns, const cfg_night *nights, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        night_take(columns, &nights[i]);
}

json_t *srv__columns_end(srv__columns *columns, const char *next) {
    json_t *lists = json_array();
    for (guint k = 0; k < columns->portions->len; k++)
        json_array_append_new(lists, column_end(columns->portions->pdata[k]));
    json_t *page = json_pack("{s:o,s:s?,s:o,s:o}", "items", columns->items, "next", next, "columns",
                             lists, "total", column_end(columns->totals));
    (void)g_ptr_array_free(columns->portions, TRUE);
    g_free(columns);
    return page;
}
