#include "config/config.h"
#include "config/doubts.h"
#include "config/json_text.h"
#include "config/model/detection.h"
#include "server/result/result.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views.h"
#include "web/words/words.h"

#include <math.h>

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

static void removed_say(cfg_removed *removed) {
    if (removed)
        removed->sentence = removed_sentence(removed->at_ms, removed->rule);
}

/* What a loop's raw file is called for people who want it; kind: "raw" or "calls". */
static char *raw_url(const cfg_night *night, const char *kind, const char *configuration,
                     const cfg_loop *loop) {
    g_autofree char *name = g_uri_escape_string(configuration, NULL, FALSE);
    return g_strdup_printf("/api/v1/experiments/%" G_GINT64_FORMAT "/%s/%s/%" G_GINT64_FORMAT,
                           night->experiment, kind, name, loop->loop);
}

/* A quantile of a configuration is the mean of its loops': none where a loop that counts has none.
 */
static void quantiles_keep_known(json_t *statistics, const cfg_loop *loop) {
    const json_int_t n = cfg_json_integer(loop->summary, "n");
    for (size_t i = 0; loop->used && n > 0 && i < DET_SUMMARY_MEMBERS; i++) {
        const det_summary_member *member = &det_summary_members[i];
        if (isnan(member->probability) || det_summary_knows(member, (size_t)n))
            continue;
        if (member->optional)
            json_object_del(statistics, member->key);
        else
            json_object_set_new(statistics, member->key, json_null());
    }
}

static bool loops_read(srv_store *store, const cfg_night *night, unsigned ordinal, GError **error) {
    cfg_measured *configuration = &night->configurations[ordinal];
    model_list loops;
    if (!srv__many(store, ASK(loop_rows, night->experiment, ordinal), &cfg_loop_model, &loops,
                   error))
        return false;
    configuration->loop_results = loops.items;
    configuration->loop_results_count = loops.count;
    for (unsigned i = 0; i < loops.count; i++) {
        cfg_loop *loop = &configuration->loop_results[i];
        cfg_summary_keep_known(
            loop->summary); /* of a night that was stored before that was asked */
        quantiles_keep_known(configuration->statistics, loop);
        if (!loop->raw_sha256 || !loop->raw_named || night->raw_removed)
            continue;
        loop->raw_url = raw_url(night, "raw", configuration->name, loop);
        loop->calls_url = raw_url(night, "calls", configuration->name, loop);
    }
    return true;
}

static bool configurations_read(srv_store *store, cfg_night *night, GError **error) {
    model_list list;
    if (!srv__many(store, ASK(configuration_rows, night->experiment), &cfg_measured_model, &list,
                   error))
        return false;
    night->configurations = list.items;
    night->configurations_count = list.count;
    bool good = true;
    for (unsigned i = 0; good && i < list.count; i++) {
        cfg_measured *one = &night->configurations[i];
        if (one->stored) /* what the calls say is one text (config/summary_json.h) */
            json_object_update(one->statistics, one->stored);
        good = loops_read(store, night, i, error);
    }
    return good;
}

/* How it was made ready, what was counted, and why it ended early differ from night to night: they
 * are not part of where it was measured. */
static json_t *take_aside(json_t *detail, const char *key) {
    json_t *member = json_incref(json_object_get(detail, key));
    json_object_del(detail, key);
    return member;
}

static bool context_read(srv_store *store, cfg_night *night, GError **error) {
    if (!srv__more(store, ASK(experiment_context, night->experiment), &cfg_night_model, night,
                   error))
        return false;
    night->preparation = take_aside(night->detail, "preparation");
    night->counts = take_aside(night->detail, "counts");
    night->ended_early = json_incref(json_object_get(night->detail, "ended_early"));
    removed_say(night->raw_removed);
    return true;
}

static const char *configuration_label(const cfg_night *night, const char *name) {
    const cfg_measured *one = cfg_night_configuration(night, name);
    return one ? one->label : name;
}

/* Why a portion of several letters is one, once the configurations are there. */
static void joined_put(cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        cfg_portion *portion = &night->portions[i];
        portion->joined =
            web_portion_joined(portion->portion, configuration_label(night, portion->configuration),
                               configuration_label(night, portion->parent));
    }
}

/* By what of a value another one is, at least and at most. Both are above 0. */
static det_interval ratio_of(const det_interval *other, const det_interval *one) {
    return (det_interval){.mean = other->mean / one->mean,
                          .low = other->low / (other->low > 0 ? one->high : one->low),
                          .high = other->high / one->low};
}

/* "W takes 1.85 times as long (1.79 to 1.91) with 8 threads as with 1", where both can be told from
 * nothing. What more threads add to the method is a portion on top of the method itself. */
static void scaling_put(const cfg_night *night, cfg_portion *portion, json_int_t threads) {
    g_autofree char *suffix = g_strdup_printf(CFG_THREADS_NAME, (unsigned)threads);
    if (threads == 0 || !g_str_has_suffix(portion->configuration, suffix))
        return;
    g_autofree char *name =
        g_strndup(portion->configuration, strlen(portion->configuration) - strlen(suffix));
    const cfg_portion *one = cfg_night_portion(night, name);
    if (!one || !(one->now.low > 0))
        return;
    const det_interval ratio = ratio_of(&portion->now, &one->now);
    const double more = one->parent ? 0 : 1; /* the method itself */
    const json_int_t usual = cfg_json_integer(night->benchmark, "threads");
    if (ratio.low + more > 0)
        portion->scaling = g_strdup_printf(
            "%s takes %.3g times as long (%.3g to %.3g) with %" JSON_INTEGER_FORMAT
            " threads as with %" JSON_INTEGER_FORMAT,
            one->portion, ratio.mean + more, ratio.low + more, ratio.high + more, threads, usual);
}

static void scalings_put(cfg_night *night) {
    size_t i;
    const json_t *one;
    cfg_json_each (night->benchmark, "configurations", i, one) {
        const char *name = cfg_json_word(one, "name", NULL);
        cfg_portion *portion = cfg_night_portion(night, name);
        if (portion)
            scaling_put(night, portion, cfg_json_integer(one, "threads"));
    }
}

/* In words, against the measured night before: of any series, so that a way back is told too. */
static bool change_read(srv_store *store, cfg_night *night, GError **error) {
    g_autofree char *body = NULL;
    if (!srv__text(store, ASK(experiment_environment, night->previous), &body, error))
        return false;
    json_auto_t *before = body ? json_loads(body, 0, NULL) : NULL;
    g_autofree char *words = before && night->environment_detail
                                 ? srv__environment_difference(before, night->environment_detail)
                                 : NULL;
    if (words && words[0] != '\0')
        night->environment_change = g_steal_pointer(&words);
    return true;
}

bool srv_experiment_read(srv_store *store, int64_t experiment, cfg_night *night, GError **error) {
    if (!srv__night_read(store, experiment, night, error))
        return false;
    night->expectations = srv__array(store, ASK(expectation_rows, experiment), error);
    if (!night->expectations || !srv__dimensions_read(store, night, error) ||
        !srv__night_threads(store, night, error) || !srv__limits_read(store, night, error) ||
        !context_read(store, night, error) || !change_read(store, night, error) ||
        !configurations_read(store, night, error)) {
        cfg_night_clear(night);
        return false;
    }
    if (json_is_object(night->environment_detail) && night->detail)
        json_object_set(night->environment_detail, "detail", night->detail);
    joined_put(night);
    scalings_put(night);
    srv__dimensions_note(night);
    cfg_doubts(night);
    return true;
}

json_t *srv_view_experiment(srv_store *store, int64_t experiment, GError **error) {
    g_auto(cfg_night) night = {0};
    return srv_experiment_read(store, experiment, &night, error)
               ? model_write_as(&cfg_night_model, &night, CFG_NIGHT_EXPERIMENT)
               : NULL;
}

char *srv_view_raw(srv_store *store, int64_t experiment, const char *configuration, int64_t loop,
                   GError **error) {
    g_auto(cfg_night) night = {0};
    g_autofree char *sha = NULL;
    model_begin(&cfg_night_model, &night);
    if (!srv__text(store, ASK(raw_of_loop, experiment, configuration, loop), &sha, error) ||
        !srv__more(store, ASK(raw_removed, experiment), &cfg_night_model, &night, error))
        return NULL;
    removed_say(night.raw_removed);
    if (sha && night.raw_removed)
        g_set_error_literal(error, SRV_ERROR, SRV_ERROR_GONE, night.raw_removed->sentence);
    else if (!sha)
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "experiment %" G_GINT64_FORMAT " has no raw file of %s, loop %" G_GINT64_FORMAT,
                    experiment, configuration, loop);
    return night.raw_removed ? NULL : g_steal_pointer(&sha);
}
