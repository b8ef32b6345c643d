#include "server/views/views.h"
#include "server/views/views_calibration_queries.h"

#include <math.h>

static const char *text_at(const json_t *row, const char *key) {
    return json_string_value(json_object_get(row, key));
}

static int64_t number_at(const json_t *row, const char *key) {
    return json_integer_value(json_object_get(row, key));
}

static char *date_of(int64_t ms) {
    g_autoptr(GDateTime) at = g_date_time_new_from_unix_utc(ms / 1000);
    return g_date_time_format(at, "%Y-%m-%d");
}

/* Portion by portion, to the calibration that they are of. */
static void hand_out(void *user, int64_t calibration, json_t *portion) {
    json_t *portions = g_hash_table_lookup(user, &calibration);
    if (portions)
        json_array_append_new(portions, portion);
    else
        json_decref(portion);
}

/* Why nothing is known now though it was; static, NULL: it still is. */
static const char *past(const json_t *row, int64_t now_ms) {
    if (json_is_true(json_object_get(row, "benchmark_changed")))
        return "the project's benchmark is another one since then; its nodes measure the "
               "reference anew";
    return number_at(row, "until_ms") <= now_ms ? "its runs are older than calibration.limit_days"
                                                : NULL;
}

static void factors_say(GString *text, const json_t *portions) {
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion) {
        const json_t *factor = json_object_get(portion, "factor");
        const double low = json_number_value(json_object_get(factor, "low"));
        const double high = json_number_value(json_object_get(factor, "high"));
        g_string_append_printf(
            text, "%s%s takes × %.3f ± %.3f", i > 0 ? ", " : "", text_at(portion, "portion"),
            json_number_value(json_object_get(factor, "mean")), (high - low) / 2);
    }
}

static char *sentence_of(const json_t *row, const char *problem) {
    g_autoptr(GString) text = g_string_new(NULL);
    const int64_t take_over_ms = number_at(row, "take_over_ms");
    if (problem) {
        g_string_append_printf(text, "%s does not stand in for %s: %s", text_at(row, "node"),
                               text_at(row, "usual"), problem);
        return g_string_free(g_steal_pointer(&text), FALSE);
    }
    g_autofree char *until = date_of(number_at(row, "until_ms"));
    g_string_append_printf(text, "on %s ", text_at(row, "node"));
    factors_say(text, json_object_get(row, "portions"));
    g_string_append_printf(text, " of what it takes on %s; this holds until %s",
                           text_at(row, "usual"), until);
    if (take_over_ms > 0)
        g_string_append_printf(text,
                               "; it takes over when %s is silent for %" G_GINT64_FORMAT " hours",
                               text_at(row, "usual"), take_over_ms / 3600000);
    else
        g_string_append(text, "; it does not take over: calibration.take_over_hours is 0");
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void complete(json_t *row, int64_t now_ms) {
    const char *problem = text_at(row, "problem"), *over = problem ? NULL : past(row, now_ms);
    g_autofree char *sentence = sentence_of(row, problem ? problem : over);
    json_object_set_new(row, "state", json_string(problem ? "unknown" : over ? "past" : "known"));
    json_object_set_new(row, "sentence", json_string(sentence));
    if (number_at(row, "until_ms") == 0)
        json_object_set_new(row, "until_ms", json_null());
    json_object_set_new(row, "take_over_hours",
                        json_integer(number_at(row, "take_over_ms") / 3600000));
    static const char *const own[] = {"id", "problem", "benchmark_changed", "take_over_ms"};
    for (size_t i = 0; i < G_N_ELEMENTS(own); i++)
        json_object_del(row, own[i]);
}

static bool items_complete(srv_store *store, json_t *items, int64_t now_ms, GError **error) {
    g_autoptr(GHashTable) portions = g_hash_table_new(g_int64_hash, g_int64_equal);
    g_autofree int64_t *ids = g_new0(int64_t, json_array_size(items) + 1);
    size_t i;
    json_t *row;
    json_array_foreach (items, i, row) {
        json_t *list = json_array();
        ids[i] = number_at(row, "id");
        json_object_set_new(row, "portions", list);
        g_hash_table_insert(portions, &ids[i], list);
    }
    if (!srv__calibration_factors(store, hand_out, portions, error))
        return false;
    json_array_foreach (items, i, row)
        complete(row, now_ms);
    return true;
}

static void wait_say(json_t *row) {
    const bool measured = json_is_true(json_object_get(row, "measured"));
    const bool usual = json_is_string(json_object_get(row, "usual"));
    json_object_set_new(
        row, "sentence",
        json_string(!measured ? "the reference commit (calibration.commit) is not among the "
                                "commits that were measured: name one of a night"
                    : !usual  ? "no night was measured yet; the others are compared with the "
                                "node of the newest night"
                              : "no other node with the project's labels has measured the "
                                "reference commit yet"));
    json_object_del(row, "measured");
    json_object_del(row, "usual");
}

json_t *srv_view_calibrations(srv_store *store, int64_t now_ms, GError **error) {
    json_t *items = srv__calibration_rows(store, error);
    json_t *waiting = items ? srv__calibration_waits(store, error) : NULL;
    size_t i;
    json_t *row;
    if (!waiting || !items_complete(store, items, now_ms, error)) {
        json_decref(items);
        json_decref(waiting);
        return NULL;
    }
    json_array_foreach (waiting, i, row)
        wait_say(row);
    return json_pack("{s:o,s:o}", "items", items, "waiting", waiting);
}
