#include "server/alarm/series_rows.h"

#include "config/packed.h"
#include "sql/series.h"

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
