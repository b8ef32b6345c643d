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

typedef struct {
    double low, high;
} ends;

static double number_of(const json_t *object, const char *key) {
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

static ends ends_of(const json_t *object) {
    return (ends){number_of(object, "low_ns"), number_of(object, "high_ns")};
}

/* One in the last digit that an interval leaves: a power of ten; 0: no interval says it. */
static double step_of(ends interval) {
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
static void put_around(const column *to, const char *const keys[2], double mean, ends interval) {
    const double step = step_of(interval);
    const double below = mean - interval.low, above = interval.high - mean;
    const bool same = fabs(above - below) <= MAX(1.001 * step, 1e-6 * fabs(mean));
    const double half = same ? (interval.high - interval.low) / 2 : below;
    put(to, keys[0], isfinite(above) ? number(half, step) : json_null());
    put(to, keys[1], same ? json_null() : number(above, step));
}

/* Returns the mean as it is shown. */
static double put_mean(const column *to, const json_t *range) {
    static const char *const keys[2] = {"below_ns", "above_ns"};
    const double step = step_of(ends_of(range));
    const double mean = rounded(number_of(range, "mean_ns"), step);
    put(to, "mean_ns", number(mean, step));
    put_around(to, keys, mean, ends_of(range));
    return mean;
}

static void put_reference(const column *to, const json_t *reference) {
    const ends band = ends_of(reference);
    const double step = step_of(band);
    put(to, "reference_low_ns", number(band.low, step));
    put(to, "reference_width_ns", number(band.high - band.low, step));
}

static void put_word(const column *to, const char *key, const json_t *portion) {
    put(to, key, json_incref(json_object_get(portion, key)));
}

/* What only few portions have, by the place among the column's values. */
static void put_told(const column *to, const json_t *portion) {
    static const char *const keys[] = {"reason", "since"};
    json_t *told = json_object();
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        if (json_object_get(portion, keys[i]))
            json_object_set(told, keys[i], json_object_get(portion, keys[i]));
    g_autofree char *at =
        g_strdup_printf("%zu", json_array_size(json_object_get(to->lists, "mean_ns")) - 1);
    if (json_object_size(told) > 0)
        json_object_set(json_object_get(to->lists, "told"), at, told);
    json_decref(told);
}

static void portion_put(const column *to, const json_t *portion) {
    static const char *const judged[2] = {"judged_below_ns", "judged_above_ns"};
    const double mean = put_mean(to, portion);
    put_around(to, judged, mean, ends_of(json_object_get(portion, "judged")));
    put_reference(to, json_object_get(portion, "reference"));
    put_word(to, "verdict", portion);
    put_word(to, "direction", portion);
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

static const char *const names[] = {"portion", "configuration", "parent"};

static bool is_of(const column *one, const json_t *portion) {
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (!json_equal(json_object_get(one->lists, names[i]), json_object_get(portion, names[i])))
            return false;
    return true;
}

static column *column_of(GPtrArray *columns, json_t *portion) {
    for (guint i = 0; i < columns->len; i++)
        if (is_of(columns->pdata[i], portion))
            return columns->pdata[i];
    column *made = column_new(json_pack("{s:{}}", "told"));
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        json_object_set(made->lists, names[i], json_object_get(portion, names[i]));
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

static void night_take(srv__columns *to, json_t *night) {
    const size_t at = json_array_size(to->items);
    const json_t *total = json_object_get(night, "total");
    size_t i;
    json_t *portion;
    json_array_foreach (json_object_get(night, "portions"), i, portion) {
        column *one = column_of(to->portions, portion);
        column_at(one, at);
        portion_put(one, portion);
    }
    if (json_is_object(total)) {
        column_at(to->totals, at);
        (void)put_mean(to->totals, total);
    }
    json_object_del(night, "portions");
    json_object_del(night, "total");
    json_array_append(to->items, night);
}

void srv__columns_add(srv__columns *columns, json_t *nights) {
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night)
        night_take(columns, night);
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
