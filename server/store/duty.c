#include "server/store/duty.h"

#include "server/store/store_sql.h"
#include "sql/servers.h"

static bool look(srv_store *store, const srv_duty *duty, json_t **row, GError **error) {
    return srv__object(store, SQL(duty_look), SRV__ARGS(SRV__T(duty->name)), row, error);
}

static bool claim(srv_store *store, const srv_duty *duty, int64_t beat, GError **error) {
    return srv__run(store, SQL(duty_claim),
                    SRV__ARGS(SRV__T(duty->name), SRV__T(duty->own), SRV__I(beat)), NULL, error);
}

/* Remember what is there, and since when. */
static void note(srv_duty *duty, const char *holder, int64_t beat, int64_t now_ms) {
    if (g_str_equal(duty->holder, holder) && duty->beat == beat)
        return;
    g_strlcpy(duty->holder, holder, sizeof duty->holder);
    duty->beat = beat;
    duty->seen_ms = now_ms;
}

/* In a transaction: whoever else looks, looks before or after it. */
static bool beat(srv_store *store, srv_duty *duty, int64_t now_ms, bool *ours, GError **error) {
    json_auto_t *row = NULL;
    if (!look(store, duty, &row, error))
        return false;
    const int64_t last = json_integer_value(json_object_get(row, "beat"));
    const char *holder = json_string_value(json_object_get(row, "holder"));
    if (holder)
        note(duty, holder, last, now_ms);
    *ours =
        !holder || g_str_equal(holder, duty->own) || now_ms - duty->seen_ms >= SRV_DUTY_SILENT_MS;
    return !*ours || claim(store, duty, last + 1, error);
}

bool srv_duty_beat(srv_store *store, srv_duty *duty, int64_t now_ms, GError **error) {
    bool ours = false;
    if (!srv__begin(store, error))
        return false;
    const bool good = beat(store, duty, now_ms, &ours, error);
    if (!srv__end(store, good, error))
        return false;
    duty->held_ms = ours ? now_ms + SRV_DUTY_HELD_MS : 0;
    return true;
}

bool srv_duty_held(const srv_duty *duty, int64_t now_ms) {
    return now_ms < duty->held_ms;
}

bool srv_duty_leave(srv_store *store, srv_duty *duty, GError **error) {
    duty->held_ms = 0;
    return srv__run(store, SQL(duty_leave), SRV__ARGS(SRV__T(duty->name), SRV__T(duty->own)), NULL,
                    error);
}
