#include "server/alarm/series_rows.h"

#include "config/packed.h"
#include "sql/series.h"

#include <math.h>

#define STATE_BYTES_MAX (64u * 1024 * 1024)

/* The state as it was saved. Nothing when it is damaged: then the nights are judged again. */
static void *state_unpack(const void *packed, size_t *size) {
    uint64_t whole;
    void *bytes = cfg_packed_length(packed, *size, &whole) && whole <= STATE_BYTES_MAX
                      ? g_malloc(whole)
                      : NULL;
    *size = bytes && cfg_packed_unblock(bytes, whole, packed, *size) ? whole : 0;
    return bytes;
}

static bool state_read(srv__query *query, srv__series_state *state, GError **error) {
    *state = (srv__series_state){0};
    if (!query)
        return false;
    const srv_db_step step = srv__query_next(query, error);
    if (step == SRV_DB_ROW) {
        const void *bytes = srv__query_blob(query, 2, &state->size);
        state->experiment = srv__query_int(query, 0);
        state->place = srv__query_int(query, 1);
        state->bytes = state_unpack(bytes, &state->size);
    }
    return step != SRV_DB_ERROR;
}

bool srv__series_state_but(srv_store *store, int64_t series, const char *dimension,
                           int64_t experiment, srv__series_state *state, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store, ASK(series_state_but, series, experiment, dimension), error);
    return state_read(query, state, error);
}

bool srv__series_state_upto(srv_store *store, int64_t series, const char *dimension, int64_t place,
                            srv__series_state *state, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store, ASK(series_state_upto, series, place, dimension), error);
    return state_read(query, state, error);
}

bool srv__series_state_put(srv_store *store, int64_t series, const char *dimension,
                           const srv__series_state *state, GError **error) {
    g_autofree void *packed = g_malloc(cfg_packed_room(state->size));
    const size_t size = cfg_packed_block(packed, state->bytes, state->size);
    if (size == 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                         "not enough memory to save the state of the detector");
    return srv__run(store,
                    ASK(series_state_put, series, state->place, state->experiment,
                        srv__arg_blob(packed, size), dimension),
                    error);
}

bool srv__night_about(srv_store *store, int64_t experiment, char *label, size_t size,
                      bool *remeasure, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(store, ASK(night_about, experiment), error);
    if (!query)
        return false;
    const srv_db_step step = srv__query_next(query, error);
    const char *night = step == SRV_DB_ROW ? srv__query_text(query, 0) : NULL;
    g_strlcpy(label, night ? night : "", size);
    *remeasure = step == SRV_DB_ROW && srv__query_int(query, 1) != 0;
    return step != SRV_DB_ERROR;
}

/* The configuration's place in the tree, which may have more of them than the night. */
static size_t place_of(const srv__tree *tree, const char *name) {
    for (size_t i = 0; i < tree->chain.count; i++)
        if (g_str_equal(tree->name[i], name))
            return i;
    return tree->chain.count;
}

bool srv__night_ordinals(srv_store *store, int64_t experiment, const srv__tree *tree,
                         int64_t *ordinals, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(store, ASK(night_ordinals, experiment), error);
    if (!query)
        return false;
    for (size_t c = 0; c < tree->chain.count; c++)
        ordinals[c] = -1;
    srv_db_step step;
    while ((step = srv__query_next(query, error)) == SRV_DB_ROW) {
        const size_t c = place_of(tree, srv__query_text(query, 1));
        if (c < tree->chain.count)
            ordinals[c] = srv__query_int(query, 0);
    }
    return step == SRV_DB_END;
}

/* A loop that counts. */
typedef struct {
    size_t place;
    int64_t loop;
    double mean;
} loop_cell;

static size_t place_at(const int64_t *ordinals, size_t count, int64_t ordinal) {
    size_t c = 0;
    while (c < count && ordinals[c] != ordinal)
        c++;
    return c;
}

static double *table_of(const GArray *cells, size_t count, size_t rounds) {
    double *means = g_new(double, count *rounds);
    for (size_t i = 0; i < count * rounds; i++)
        means[i] = NAN;
    for (guint i = 0; i < cells->len; i++) {
        const loop_cell *cell = &g_array_index(cells, loop_cell, i);
        means[cell->place * rounds + (size_t)cell->loop - 1] = cell->mean;
    }
    return means;
}

double *srv__night_means(srv_store *store, int64_t experiment, const int64_t *ordinals,
                         size_t count, size_t *rounds, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(store, ASK(night_means, experiment), error);
    if (!query)
        return NULL;
    g_autoptr(GArray) cells = g_array_sized_new(FALSE, FALSE, sizeof(loop_cell), 64);
    int64_t last = 1;
    srv_db_step step;
    while ((step = srv__query_next(query, error)) == SRV_DB_ROW) {
        loop_cell cell = {.place = place_at(ordinals, count, srv__query_int(query, 0)),
                          .loop = srv__query_int(query, 1)};
        last = MAX(last, cell.loop);
        if (cell.place == count || cell.loop < 1 || srv__query_int(query, 2) == 0)
            continue;
        cell.mean = srv__query_real(query, 3);
        g_array_append_val(cells, cell);
    }
    *rounds = (size_t)last;
    return step == SRV_DB_END ? table_of(cells, count, *rounds) : NULL;
}

static double *spread_out(json_t *const *loops, size_t count, size_t rounds) {
    double *means = g_new(double, count *MAX(rounds, 1));
    for (size_t c = 0; c < count; c++)
        for (size_t l = 0; l < rounds; l++) {
            const json_t *value = json_array_get(loops[c], l);
            means[c * rounds + l] = json_is_number(value) ? json_number_value(value) : NAN;
        }
    return means;
}

double *srv__night_dimension(srv_store *store, int64_t experiment, const char *dimension,
                             const int64_t *ordinals, size_t count, size_t *rounds,
                             GError **error) {
    json_t *loops[DET_CONFIGURATIONS_MAX] = {NULL};
    g_autoptr(srv__query) query =
        srv__query_new(store, ASK(night_dimension, experiment, dimension), error);
    srv_db_step step = query ? SRV_DB_ROW : SRV_DB_ERROR;
    *rounds = 0;
    while (query && (step = srv__query_next(query, error)) == SRV_DB_ROW) {
        const size_t c = place_at(ordinals, count, srv__query_int(query, 0));
        if (c == count || loops[c])
            continue;
        loops[c] = json_loads(srv__query_text(query, 1), 0, NULL);
        *rounds = MAX(*rounds, json_array_size(loops[c]));
    }
    double *means = step == SRV_DB_END ? spread_out(loops, count, *rounds) : NULL;
    for (size_t c = 0; c < count; c++)
        json_decref(loops[c]);
    return means;
}

bool srv__night_same_tree(srv_store *store, int64_t experiment, const srv__tree *tree, bool *same,
                          GError **error) {
    static const model_member member[] = {MODEL_IT(char *, "name")};
    static const model_noun noun = MODEL_NOUN(char *, member, "configuration");
    g_auto(model_list) list = {0};
    if (!srv__many(store, ASK(night_same_tree, experiment), &noun, &list, error))
        return false;
    char *const *names = list.items;
    *same = list.count == tree->chain.count;
    for (size_t i = 0; *same && i < tree->chain.count; i++)
        *same = g_str_equal(names[i], tree->name[i]);
    return true;
}

static const char *direction_text(int direction) {
    return direction > 0 ? "up" : direction < 0 ? "down" : NULL;
}

bool srv__verdict_put(srv_store *store, int64_t experiment, int64_t ordinal, const det_verdict *v,
                      bool cleared, GError **error) {
    bool anomaly = v->verdict == DET_VERDICT_ANOMALY;
    return srv__run(
        store,
        ASK(verdict_put, experiment, ordinal, cleared ? "cleared" : det_verdict_text(v->verdict),
            det_rule_text(v->rule), direction_text(v->direction), SRV__RANGE(v->night),
            SRV__RANGE(v->reference), v->reference_nights, srv__arg_key(v->reference_from),
            srv__arg_key(v->reference_to), SRV__RANGE(v->difference),
            srv__arg_key(anomaly ? v->to : 0), srv__arg_key(anomaly ? v->from : 0), v->reason),
        error);
}

bool srv__dimension_verdict_put(srv_store *store, int64_t experiment, const char *dimension,
                                int64_t ordinal, const det_verdict *v, bool cleared,
                                GError **error) {
    return srv__run(store,
                    ASK(dimension_verdict_put, experiment, dimension, ordinal,
                        cleared ? "cleared" : det_verdict_text(v->verdict),
                        direction_text(v->direction), v->reason, SRV__RANGE(v->reference),
                        srv__arg_key(v->reference_to), det_rule_text(v->rule)),
                    error);
}

static det_interval interval_of(srv__query *query, int column) {
    return (det_interval){.mean = srv__query_real(query, column),
                          .low = srv__query_real(query, column + 1),
                          .high = srv__query_real(query, column + 2)};
}

static srv__outcome_state state_of(const char *text) {
    static const char *const names[] = {[SRV__OUTCOME_WAITING] = "waiting",
                                        [SRV__OUTCOME_CONFIRMED] = "confirmed",
                                        [SRV__OUTCOME_CLEARED] = "cleared",
                                        [SRV__OUTCOME_BELIEVED] = "believed",
                                        [SRV__OUTCOME_UNDECIDED] = "undecided"};
    for (size_t i = SRV__OUTCOME_WAITING; i < G_N_ELEMENTS(names); i++)
        if (g_str_equal(text, names[i]))
            return (srv__outcome_state)i;
    return SRV__OUTCOME_NONE;
}

bool srv__suspicion_get(srv_store *store, srv__watched of, const char *configuration, int64_t seen,
                        int64_t to, srv__outcome *out, GError **error) {
    *out = (srv__outcome){.state = SRV__OUTCOME_NONE};
    g_autoptr(srv__query) query = srv__query_new(
        store, ASK(suspicion_get, of.series, configuration, seen, to, of.dimension), error);
    if (!query)
        return false;
    const srv_db_step step = srv__query_next(query, error);
    if (step == SRV_DB_ROW) {
        out->state = state_of(srv__query_text(query, 0));
        const char *reason = srv__query_text(query, 1);
        g_strlcpy(out->reason, reason ? reason : "", sizeof out->reason);
        out->before = interval_of(query, 2);
        out->after = interval_of(query, 5);
        out->difference = interval_of(query, 8);
    }
    return step != SRV_DB_ERROR;
}

bool srv__suspicion_insert(srv_store *store, const srv__suspicion_row *row, int64_t now_ms,
                           GError **error) {
    const det_verdict *v = row->verdict;
    return srv__run(store,
                    ASK(suspicion_insert, row->series, row->configuration, v->direction, row->seen,
                        v->to, v->from, row->question, now_ms, row->dimension),
                    error);
}

bool srv__expectation_insert(srv_store *store, int64_t project, const srv__expectation_row *row,
                             GError **error) {
    const srv__announcement *item = row->item;
    return srv__run(store,
                    ASK(expectation_insert, project, item->place, item->sha, item->author,
                        item->time_ms, item->subject, item->text, row->portions, row->direction,
                        row->percent, row->ns, row->reason, row->problem),
                    error);
}
