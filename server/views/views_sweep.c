#include "config/json_text.h"
#include "config/model/detection.h"
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
    const json_int_t points = cfg_json_integer(sweep, "points");
    const json_int_t measured = cfg_json_integer(sweep, "measured");
    const bool waits = cfg_json_integer(sweep, "waiting") > 0;
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

static json_t *residuals(const course *c, const det_line *line) {
    json_t *list = json_array();
    for (size_t i = 0; i < c->count; i++)
        json_array_append_new(
            list,
            json_pack("{s:I,s:o}", "value", (json_int_t)c->x[i], "residual_ns",
                      cfg_json_real(c->y[i] - line->start.mean - line->slope.mean * c->x[i])));
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
        "weighted", c.weighted, "slope", model_write(&cfg_interval_ns_model, &line.slope), "start",
        model_write(&cfg_interval_ns_model, &line.start), "r_squared",
        cfg_json_real(line.r_squared), "residuals", residuals(&c, &line));
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
    json_auto_t *view = srv__only_row(store, SQL(sweep_row_get), sweep, "sweep", error);
    return view && complete(store, sweep, view, error) ? json_incref(view) : NULL;
}

const srv_list srv_list_sweeps = {.rows = SQL(sweep_rows), .finish = state_set};
