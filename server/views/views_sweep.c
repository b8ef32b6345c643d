#include "config/json_text.h"
#include "detector/statistics/portion.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views.h"

#include <math.h>

#define POINTS_MAX 64u /* of one sweep; cfg_sweep has fewer */
#define LEVEL_USUAL 0.95

/* A portion over the values at which it was measured. */
typedef struct {
    double x[POINTS_MAX], y[POINTS_MAX], weight[POINTS_MAX];
    size_t count;
    bool weighted; /* every point has an interval */
} course;

/* Running, done, or incomplete: over, and some values have no result. */
static void state_set(json_t *sweep) {
    const json_int_t points = json_integer_value(json_object_get(sweep, "points"));
    const json_int_t measured = json_integer_value(json_object_get(sweep, "measured"));
    const bool waits = json_integer_value(json_object_get(sweep, "waiting")) > 0;
    json_object_del(sweep, "waiting");
    json_object_set_new(sweep, "state",
                        json_string(waits                ? "running"
                                    : measured == points ? "done"
                                                         : "incomplete"));
}

static course course_of(const json_t *portions, const char *configuration) {
    course c = {.weighted = true};
    size_t i;
    json_t *row;
    json_array_foreach (portions, i, row) {
        const double mean = cfg_json_number(row, "mean_ns");
        const double half = (cfg_json_number(row, "high_ns") - cfg_json_number(row, "low_ns")) / 2;
        if (g_strcmp0(cfg_json_word(row, "configuration", NULL), configuration) != 0 ||
            !isfinite(mean) || c.count == POINTS_MAX)
            continue;
        c.x[c.count] = cfg_json_number(row, "value");
        c.y[c.count] = mean;
        c.weight[c.count] = 1 / (half * half);
        c.weighted = c.weighted && isfinite(half) && half > 0 && isfinite(c.weight[c.count]);
        c.count++;
    }
    return c;
}

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval(const det_interval *i) {
    return json_pack("{s:o,s:o,s:o}", "mean_ns", number(i->mean), "low_ns", number(i->low),
                     "high_ns", number(i->high));
}

static json_t *residuals(const course *c, const det_line *line) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->count; i++)
        json_array_append_new(
            list, json_pack("{s:I,s:o}", "value", (json_int_t)c->x[i], "residual_ns",
                            number(c->y[i] - line->start.mean - line->slope.mean * c->x[i])));
    return list;
}

/* The portion's line, or NULL: fewer than two values were measured. */
static json_t *fit_of(const json_t *portions, const json_t *portion, double level) {
    const course c = course_of(portions, cfg_json_word(portion, "configuration", NULL));
    det_line line;
    if (det_line_fit(&line, c.x, c.y, c.weighted ? c.weight : NULL, c.count, level) != DET_OK)
        return NULL;
    return json_pack(
        "{s:O,s:O,s:I,s:b,s:o,s:o,s:o,s:o}", "portion", json_object_get(portion, "portion"),
        "configuration", json_object_get(portion, "configuration"), "points", (json_int_t)c.count,
        "weighted", c.weighted, "slope", interval(&line.slope), "start", interval(&line.start),
        "r_squared", number(line.r_squared), "residuals", residuals(&c, &line));
}

/* In the order in which the portions first appear. */
static json_t *fits_of(const json_t *portions, double level) {
    json_t *fits = json_array();
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    size_t i;
    json_t *row;
    json_array_foreach (portions, i, row)
        if (g_hash_table_add(seen, g_strdup(cfg_json_word(row, "configuration", NULL)))) {
            json_t *fit = fit_of(portions, row, level);
            if (fit)
                json_array_append_new(fits, fit);
        }
    return fits;
}

/* Each portion goes to its value; level: out, of the intervals. */
static double hand_out(json_t *values, const json_t *portions) {
    double level = (double)NAN;
    size_t i, k;
    json_t *value, *row;
    json_array_foreach (values, i, value) {
        json_t *own = json_array();
        json_array_foreach (portions, k, row)
            if (json_equal(json_object_get(row, "value"), json_object_get(value, "value"))) {
                json_t *portion = json_copy(row);
                json_object_del(portion, "value");
                json_array_append_new(own, portion);
            }
        json_object_set_new(value, "portions", own);
        level = isnan(level) ? cfg_json_number(value, "level") : level;
        json_object_del(value, "level");
    }
    return isnan(level) ? LEVEL_USUAL : level;
}

static bool complete(srv_store *store, int64_t id, json_t *sweep, GError **error) {
    json_auto_t *portions = srv__array(store, ASK(sweep_portion_rows, id), error);
    json_t *values = portions ? srv__array(store, ASK(sweep_value_rows, id), error) : NULL;
    if (!values)
        return false;
    const double level = hand_out(values, portions);
    state_set(sweep);
    json_object_set_new(sweep, "level", json_real(level));
    json_object_set_new(sweep, "values", values);
    json_object_set_new(sweep, "fits", fits_of(portions, level));
    return true;
}

json_t *srv_view_sweep(srv_store *store, int64_t sweep, GError **error) {
    json_t *view;
    if (!srv__object(store, ASK(sweep_row_get, sweep), &view, error))
        return NULL;
    if (view && complete(store, sweep, view, error))
        return view;
    if (!view)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "there is no sweep %" G_GINT64_FORMAT,
                    sweep);
    json_decref(view);
    return NULL;
}

json_t *srv_view_sweeps(srv_store *store, const char *project, srv_page page, GError **error) {
    return srv__page_of_rows(store, project, page, SQL(sweep_rows), state_set, error);
}
