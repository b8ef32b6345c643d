#include "server/transfer/import_stand_in.h"

#include "server/alarm/series.h"
#include "server/ground/fields.h"
#include "server/ingest/ingest_queries.h"
#include "server/result/benchmark.h"

#include <float.h>

#define TEXT_LIMIT 4000u
#define NAME_LIMIT 200u

/* One a configuration, in the chain's order, as a night of it was scaled by. */
static bool factor_check(const json_t *row, const char *configuration, GError **error) {
    static const struct {
        const char *key;
        double low;
    } numbers[] = {{"factor", DBL_MIN},    {"factor_low", 0}, {"factor_high", 0},
                   {"level_ns", -DBL_MAX}, {"share", 0},      {"part", 0}};
    srv__fields in = {.object = row, .where = "stand_in.factors", .error = error};
    const char *name = srv__field_text(&in, "configuration", NAME_LIMIT, SRV__REQUIRED);
    srv__field_text(&in, "portion", NAME_LIMIT, SRV__REQUIRED);
    for (size_t i = 0; i < G_N_ELEMENTS(numbers); i++)
        srv__field_real(&in, numbers[i].key, numbers[i].low, SRV__REQUIRED);
    if (!in.failed && !g_str_equal(name, configuration))
        srv__field_fail(&in, "configuration", "is not the next one of the benchmark");
    return !in.failed;
}

static bool factors_check(const json_t *factors, const srv__tree *tree, GError **error) {
    if (json_array_size(factors) != tree->chain.count) {
        g_set_error_literal(error, SRV_ERROR, SRV_ERROR_INVALID,
                            "stand_in.factors: must be one for each configuration");
        return false;
    }
    for (size_t c = 0; c < tree->chain.count; c++)
        if (!factor_check(json_array_get(factors, c), tree->name[c], error))
            return false;
    return true;
}

/* The series of the node that it stood in for. */
static bool series_of(srv__importing *into, const srv__night *night, const json_t *environment,
                      int64_t *series, GError **error) {
    g_autofree char *hash = srv_json_hash(environment);
    int64_t id;
    return srv__environment_key(into->store, hash, environment, &id, error) &&
           srv__series_find(into->store, night->project, night->branch, night->lineage, id, series,
                            error);
}

bool srv__import_stand_in(srv__importing *into, const srv__night *night, const srv__tree *tree,
                          const json_t *object, srv__stand_in *out, GError **error) {
    srv__fields in = {.object = object, .where = "stand_in", .error = error};
    *out = (srv__stand_in){0};
    if (!object || night->flaw)
        return true;
    out->usual = srv__field_text(&in, "node", NAME_LIMIT, SRV__REQUIRED);
    out->sentence = g_strdup(srv__field_text(&in, "sentence", TEXT_LIMIT, SRV__REQUIRED));
    const json_t *environment = srv__field_json(&in, "environment", JSON_OBJECT, SRV__REQUIRED);
    out->factors = srv__field_json(&in, "factors", JSON_ARRAY, SRV__REQUIRED);
    return !in.failed && factors_check(out->factors, tree, error) &&
           series_of(into, night, environment, &out->series, error);
}
