#include "server/alarm/stand_in.h"

#include "server/alarm/stand_in_queries.h"

#include <math.h>
#include <string.h>

static double real_at(const json_t *row, const char *key) {
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static det_factor factor_of(const json_t *row) {
    return (det_factor){.factor = {.mean = real_at(row, "factor"),
                                   .low = real_at(row, "factor_low"),
                                   .high = real_at(row, "factor_high")},
                        .level = real_at(row, "level_ns"),
                        .share = real_at(row, "share"),
                        .part = real_at(row, "part")};
}

/* [configurations] in the tree's order; unknown where there is no row. */
static void factors_read(const json_t *rows, const srv__tree *tree, det_factor *out) {
    for (size_t c = 0; c < tree->chain.count; c++) {
        size_t i;
        json_t *row;
        out[c] = factor_of(NULL);
        json_array_foreach (rows, i, row)
            if (g_str_equal(json_string_value(json_object_get(row, "configuration")),
                            tree->name[c]))
                out[c] = factor_of(row);
    }
}

/* "Measured on blade2 instead of blade1. There T takes × 1.00 ± 0.01, …" */
static char *sentence_of(const srv__stand_in_wanted *wanted, const char *usual,
                         const det_factor *factors) {
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "measured on %s instead of %s, which was silent; there ",
                           wanted->result->node, usual);
    for (size_t c = 0; c < wanted->tree->chain.count; c++) {
        const det_interval *f = &factors[c].factor;
        g_string_append_printf(text, "%s%s takes × %.3f ± %.3f", c > 0 ? ", " : "",
                               wanted->tree->portion[c], f->mean, (f->high - f->low) / 2);
    }
    g_string_append_printf(text, ": judged as %s would have shown it", usual);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

/* Can this very night be scaled? */
static bool is_scalable(const srv__stand_in_wanted *wanted, const det_factor *factors) {
    const size_t count = wanted->tree->chain.count;
    g_autofree double *means = g_new(double, count * wanted->result->rounds);
    srv__result_means(wanted->result, count, means);
    return det_calibration_scale(factors, &wanted->tree->chain, wanted->result->rounds, means) ==
           DET_OK;
}

/* Of a node that stands in for nobody: if it is because of its environment, that is said. */
static bool void_say(srv_store *store, const srv__stand_in_wanted *wanted, GError **error) {
    g_autofree char *problem = g_strdup_printf("the environment of %s has changed since its runs;"
                                               " it measures the reference anew",
                                               wanted->result->node);
    return srv__stand_in_void(store, wanted, problem, error);
}

bool srv__stand_in_find(srv_store *store, const srv__stand_in_wanted *wanted, srv__stand_in *out,
                        GError **error) {
    json_auto_t *row = NULL;
    det_factor factors[DET_CONFIGURATIONS_MAX];
    *out = (srv__stand_in){0};
    if (!srv__stand_in_series(store, wanted, &row, error))
        return false;
    if (!row)
        return void_say(store, wanted, error);
    const int64_t calibration = json_integer_value(json_object_get(row, "calibration"));
    json_auto_t *rows = srv__stand_in_factors(store, calibration, error);
    if (!rows)
        return false;
    factors_read(rows, wanted->tree, factors);
    if (is_scalable(wanted, factors))
        *out =
            (srv__stand_in){.calibration = calibration,
                            .series = json_integer_value(json_object_get(row, "series")),
                            .sentence = sentence_of(
                                wanted, json_string_value(json_object_get(row, "usual")), factors)};
    return true;
}

bool srv__stand_in_keep(srv_store *store, const srv__stand_in *stand_in, int64_t experiment,
                        GError **error) {
    if (stand_in->series == 0)
        return true;
    return stand_in->factors ? srv__stand_in_insert_told(store, stand_in, experiment, error)
                             : srv__stand_in_insert(store, stand_in, experiment, error);
}

/* The factors of a night; any: out, another node than the usual one measured it. */
static bool night_factors(srv_store *store, int64_t experiment, const srv__tree *tree,
                          det_factor *out, bool *any, GError **error) {
    json_auto_t *rows = srv__stand_in_rows(store, experiment, error);
    *any = json_array_size(rows) > 0;
    factors_read(rows, tree, out);
    return rows != NULL;
}

static bool is_same(const det_factor *a, const det_factor *b, size_t count) {
    for (size_t c = 0; c < count; c++)
        if (a[c].factor.mean != b[c].factor.mean || a[c].share != b[c].share)
            return false;
    return true;
}

/* The series moves from one node to another: what neither factor says for certain adds up. */
static void unsure_add(const det_factor *factors, const srv__tree *tree, size_t rounds,
                       const double *means, double *unsure) {
    double more[DET_CONFIGURATIONS_MAX];
    det_calibration_unsure(factors, &tree->chain, rounds, means, more);
    for (size_t c = 0; c < tree->chain.count; c++)
        unsure[c] = hypot(unsure[c], more[c]);
}

bool srv__stand_in_night(srv_store *store, int64_t experiment, const srv__tree *tree, size_t rounds,
                         double *means, srv__stand_in_view *out, GError **error) {
    det_factor now[DET_CONFIGURATIONS_MAX], last[DET_CONFIGURATIONS_MAX];
    int64_t before;
    bool moved, was_moved;
    *out = (srv__stand_in_view){0};
    if (!night_factors(store, experiment, tree, now, &moved, error) ||
        !srv__stand_in_before(store, experiment, &before, error) ||
        !night_factors(store, before, tree, last, &was_moved, error))
        return false;
    const bool scaled = moved && det_calibration_scale(now, &tree->chain, rounds, means) == DET_OK;
    for (size_t c = 0; c < tree->chain.count; c++)
        out->factor[c] = scaled ? now[c].factor.mean : 1;
    if (before == 0 || (moved && was_moved && is_same(now, last, tree->chain.count)))
        return true;
    if (scaled)
        unsure_add(now, tree, rounds, means, out->unsure);
    if (was_moved)
        unsure_add(last, tree, rounds, means, out->unsure);
    return true;
}
