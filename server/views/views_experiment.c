#include "config/doubts.h"
#include "server/result/environment.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views.h"
#include "web/words/portion.h"

/* In words, with the setting that is to blame; owned. */
static char *removed_sentence(int64_t at_ms, const char *rule) {
    g_autoptr(GDateTime) at = g_date_time_new_from_unix_utc(at_ms / 1000);
    g_autofree char *date = g_date_time_format(at, "%Y-%m-%d");
    return g_strdup_printf("The raw data of this night were removed on %s by the server's policy "
                           "(%s); what was computed from them stays.",
                           date,
                           g_strcmp0(rule, "budget") == 0 ? "storage.raw_budget_bytes"
                                                          : "storage.keep_raw_days");
}

/* view has what the store says of it: null, or when and why. */
static void removed_add(json_t *view) {
    json_t *removed = json_object_get(view, "raw_removed");
    if (!json_is_object(removed))
        return;
    g_autofree char *sentence =
        removed_sentence(json_integer_value(json_object_get(removed, "at_ms")),
                         json_string_value(json_object_get(removed, "rule")));
    json_object_set_new(removed, "sentence", json_string(sentence));
}

/* What a loop's raw file is called for people who want it. */
static void raw_url(json_t *loop, int64_t experiment, const char *configuration, bool there) {
    json_t *raw = json_object_get(loop, "raw");
    const bool named = there && json_is_true(json_object_get(raw, "named"));
    json_object_del(raw, "named");
    if (json_is_null(json_object_get(raw, "sha256"))) {
        json_object_set_new(loop, "raw", json_null());
        return;
    }
    g_autofree char *name = g_uri_escape_string(configuration, NULL, FALSE);
    g_autofree char *url = g_strdup_printf(
        "/api/v1/experiments/%" G_GINT64_FORMAT "/raw/%s/%" G_GINT64_FORMAT, experiment, name,
        (int64_t)json_integer_value(json_object_get(loop, "loop")));
    json_object_set_new(raw, "url", named ? json_string(url) : json_null());
    g_autofree char *calls = g_strdup_printf(
        "/api/v1/experiments/%" G_GINT64_FORMAT "/calls/%s/%" G_GINT64_FORMAT, experiment, name,
        (int64_t)json_integer_value(json_object_get(loop, "loop")));
    json_object_set_new(raw, "calls_url", named ? json_string(calls) : json_null());
}

static bool loops_add(srv_store *store, int64_t experiment, size_t ordinal, json_t *configuration,
                      bool raw_there, GError **error) {
    json_t *loops =
        srv__array(store, SQL(loop_rows), SRV__ARGS(SRV__I(experiment), SRV__I(ordinal)), error);
    if (!loops)
        return false;
    size_t i;
    json_t *loop;
    json_array_foreach (loops, i, loop)
        raw_url(loop, experiment, json_string_value(json_object_get(configuration, "name")),
                raw_there);
    json_object_set_new(configuration, "loop_results", loops);
    return true;
}

/* What the calls say is one text (config/summary_json.h). */
static void statistics_merge(json_t *configuration) {
    json_t *stored = json_object_get(configuration, "stored");
    if (json_is_object(stored))
        json_object_update(json_object_get(configuration, "statistics"), stored);
    json_object_del(configuration, "stored");
}

static bool configurations_add(srv_store *store, int64_t id, json_t *view, GError **error) {
    json_t *configurations =
        srv__array(store, SQL(configuration_rows), SRV__ARGS(SRV__I(id)), error);
    if (!configurations)
        return false;
    json_object_set_new(view, "configurations", configurations);
    size_t i;
    json_t *configuration;
    json_array_foreach (configurations, i, configuration) {
        statistics_merge(configuration);
        if (!loops_add(store, id, i, configuration,
                       !json_is_object(json_object_get(view, "raw_removed")), error))
            return false;
    }
    return true;
}

static bool context_add(srv_store *store, int64_t id, json_t *view, GError **error) {
    json_t *row;
    if (!srv__object(store, SQL(experiment_context), SRV__ARGS(SRV__I(id)), &row, error))
        return false;
    json_t *environment = json_object_get(row, "environment_detail");
    /* How it was made ready, and what was counted, differ from night to night: they are not part of
     * where it was measured. */
    static const char *const aside[] = {"preparation", "counts"};
    for (size_t i = 0; i < G_N_ELEMENTS(aside); i++) {
        json_t *member = json_object_get(json_object_get(row, "detail"), aside[i]);
        json_object_set(row, aside[i], member ? member : json_null());
        json_object_del(json_object_get(row, "detail"), aside[i]);
    }
    json_t *ended_early = json_object_get(json_object_get(row, "detail"), "ended_early");
    json_object_set(row, "ended_early", ended_early ? ended_early : json_null());
    if (json_is_object(environment) && !json_is_null(json_object_get(row, "detail")))
        json_object_set(environment, "detail", json_object_get(row, "detail"));
    json_object_del(row, "detail");
    removed_add(row);
    json_object_update(view, row);
    json_decref(row);
    return true;
}

static const char *configuration_label(const json_t *view, const char *name) {
    size_t i;
    json_t *configuration;
    json_array_foreach (json_object_get(view, "configurations"), i, configuration)
        if (g_strcmp0(json_string_value(json_object_get(configuration, "name")), name) == 0)
            return json_string_value(json_object_get(configuration, "label"));
    return name;
}

/* Why a portion of several letters is one. */
static void joined_put(cfg_night *night, const json_t *view) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        portion->joined =
            web_portion_joined(portion->portion, configuration_label(view, portion->configuration),
                               configuration_label(view, portion->parent));
    }
}

/* In words, against the measured night before: of any series, so that a way back is told too. */
static bool change_add(srv_store *store, json_t *view, GError **error) {
    json_t *before;
    if (!srv__object(store, SQL(experiment_environment),
                     SRV__ARGS(SRV__I(json_integer_value(json_object_get(view, "previous")))),
                     &before, error))
        return false;
    json_t *now = json_copy(json_object_get(view, "environment_detail"));
    json_object_del(now, "detail");
    json_t *change = json_null();
    if (before && json_is_object(now)) {
        g_autofree char *words = srv__environment_difference(json_object_get(before, "body"), now);
        change = words[0] != '\0' ? json_string(words) : json_null();
    }
    json_object_set_new(view, "environment_change", change);
    json_decref(now);
    json_decref(before);
    return true;
}

/* What the commits that came with this experiment's have announced; NULL with error. */
static json_t *expectations_of(srv_store *store, int64_t experiment, GError **error) {
    json_t *list = srv__array(store, SQL(expectation_rows), SRV__ARGS(SRV__I(experiment)), error);
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item) {
        int64_t way = json_integer_value(json_object_get(item, "direction"));
        json_object_set_new(item, "direction",
                            way == 0 ? json_null() : json_string(way > 0 ? "up" : "down"));
    }
    return list;
}

json_t *srv_view_experiment(srv_store *store, int64_t experiment, GError **error) {
    g_auto(cfg_night) night = {0};
    if (!srv__night_read(store, experiment, &night, error))
        return NULL;
    json_auto_t *rest = json_object();
    json_t *expectations = expectations_of(store, experiment, error);
    json_object_set_new(rest, "expectations", expectations);
    if (!expectations || !srv__dimensions_add(store, &night, rest, error) ||
        !context_add(store, experiment, rest, error) || !change_add(store, rest, error) ||
        !configurations_add(store, experiment, rest, error))
        return NULL;
    joined_put(&night, rest);
    json_t *view = model_write_as(&cfg_night_model, &night, CFG_NIGHT_EXPERIMENT);
    json_object_update(view, rest);
    json_object_set_new(view, "doubts", cfg_doubts(view));
    return view;
}

char *srv_view_raw(srv_store *store, int64_t experiment, const char *configuration, int64_t loop,
                   GError **error) {
    json_t *row;
    if (!srv__object(store, SQL(raw_of_loop),
                     SRV__ARGS(SRV__I(experiment), SRV__T(configuration), SRV__I(loop)), &row,
                     error))
        return NULL;
    removed_add(row);
    const json_t *removed = json_object_get(row, "raw_removed");
    const bool is_there = !json_is_object(removed);
    char *sha = is_there ? g_strdup(json_string_value(json_object_get(row, "sha"))) : NULL;
    if (!is_there)
        g_set_error_literal(error, SRV_ERROR, SRV_ERROR_GONE,
                            json_string_value(json_object_get(removed, "sentence")));
    json_decref(row);
    if (!sha && is_there)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "experiment %" G_GINT64_FORMAT " has no raw file of %s, loop %" G_GINT64_FORMAT,
                    experiment, configuration, loop);
    return sha;
}
