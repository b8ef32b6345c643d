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

static bool state_read(srv_store *store, const srv_sql *sql, const srv__arg *args,
                       srv__series_state *state, GError **error) {
    g_autoptr(GBytes) packed = NULL;
    *state = (srv__series_state){0};
    if (!srv__blob(store, sql, args, &state->experiment, &state->place, &packed, error))
        return false;
    if (packed)
        state->bytes = state_unpack(g_bytes_get_data(packed, &state->size), &state->size);
    return true;
}

bool srv__series_state_but(srv_store *store, int64_t series, const char *dimension,
                           int64_t experiment, srv__series_state *state, GError **error) {
    return state_read(store, ASK(series_state_but, series, experiment, dimension), state, error);
}

bool srv__series_state_upto(srv_store *store, int64_t series, const char *dimension, int64_t place,
                            srv__series_state *state, GError **error) {
    return state_read(store, ASK(series_state_upto, series, place, dimension), state, error);
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
    typedef struct {
        char *night;
        bool remeasure;
    } about;
    static const model_member members[] = {MODELS(about, night, remeasure)};
    static const model_noun noun = MODEL_NOUN(about, members, "night");
    MODEL_HELD(about, of, noun);
    const bool good = srv__more(store, ASK(night_about, experiment), &noun, &of, error);
    g_strlcpy(label, of.night ? of.night : "", size);
    *remeasure = of.remeasure;
    return good;
}
