/* What a night says beside the time of its portions, as it is told by itself: what it counted, and
 * which limits stand otherwise than before. */
#include "config/json_text.h"
#include "config/limits.h"
#include "detector/watch/watch.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views_night.h"

#include <math.h>

static bool is_anomaly(const char *verdict) {
    return g_strcmp0(verdict, det_verdict_text(DET_VERDICT_ANOMALY)) == 0;
}

/* What a dimension counted of a configuration; NULL: it did not move, or an alert says so. */
static const cfg_counted *moved_of(const cfg_dimension *dimension, const char *configuration) {
    const det_dimension *of = det_dimension_find(dimension->dimension);
    if (!of || !det_dimension_counted(of))
        return NULL;
    for (unsigned i = 0; i < dimension->portions_count; i++)
        if (is_anomaly(dimension->portions[i].verdict) &&
            g_strcmp0(dimension->portions[i].configuration, configuration) == 0)
            return &dimension->portions[i];
    return NULL;
}

/* One portion, as an alert has its own; the first dimension that moved gives direction and size.
 * NULL: none moved. */
static json_t *portion_json(const cfg_night *night, const cfg_portion *portion) {
    det_counted list[DET_DIMENSIONS];
    char text[DET_COUNTED_MAX];
    const cfg_counted *first = NULL;
    size_t count = 0;
    for (unsigned i = 0; i < night->dimensions_count && count < DET_DIMENSIONS; i++) {
        const cfg_counted *moved = moved_of(&night->dimensions[i], portion->configuration);
        if (moved)
            list[count++] = srv__counted_words(moved);
        first = first ? first : moved;
    }
    if (!first)
        return NULL;
    det_counted_change(text, sizeof text, portion->portion, list, count);
    const double before = list[0].before.mean, gap = list[0].after.mean - before;
    return json_pack(
        "{s:s, s:s, s:s?, s:{s:o?}, s:s}", "portion", portion->portion, "configuration",
        portion->configuration, "direction", first->direction, "difference", "percent",
        before != 0 ? json_real(100 * gap / fabs(before)) : json_null(), "sentence", text);
}

/* A night like an alert: what it tells of begins with it, and the first portion is the largest. */
static json_t *told_json(const cfg_night *night, const char *headline, const char *sentence,
                         json_t *portions) {
    const json_t *first = json_array_get(portions, 0);
    const json_int_t id = night->experiment;
    return json_pack(
        "{s:I, s:s, s:s, s:O*, s:O*, s:O*, s:O, s:{s:s, s:o, s:I}}", "id", id, "headline", headline,
        "sentence", sentence, "portion", json_object_get(first, "portion"), "direction",
        json_object_get(first, "direction"), "difference", json_object_get(first, "difference"),
        "portions", portions, "to", "night", night->night, "commit",
        model_write(&cfg_commit_model, &night->commit), "experiment", id);
}

/* What is known of the time of a portion that an alert says nothing of, or of its value. */
static const char *time_words(const cfg_portion *portion) {
    static const char *const words[][2] = {
        {"the time may have changed", "its value may have changed"},
        {"nothing is known of the time", "nothing is known of its value"},
        {"no change of the time was seen (yet)", "no change of its value was seen (yet)"}};
    const unsigned known = cfg_is(portion->rule, "pending")  ? 0
                           : cfg_portion_is_unclear(portion) ? 1
                                                             : 2;
    return words[known][portion->unit != NULL];
}

json_t *srv_view_counted(srv_store *store, int64_t experiment, GError **error) {
    g_auto(cfg_night) night = {0};
    if (!srv_experiment_read(store, experiment, &night, error))
        return NULL;
    static const char several[] = "nothing is known of the time of some of them";
    const char *time = NULL; /* what is said of it */
    json_auto_t *portions = json_array();
    g_autoptr(GString) all = g_string_new(NULL); /* "I +410 instructions a call; C -2 …" */
    for (unsigned i = 0; i < night.portions_count; i++) {
        const cfg_portion *portion = &night.portions[i];
        json_t *one = is_anomaly(portion->verdict) ? NULL : portion_json(&night, portion);
        if (!one)
            continue;
        json_array_append_new(portions, one);
        g_string_append_printf(all, "%s%s", all->len > 0 ? "; " : "",
                               cfg_json_word(one, "sentence", NULL));
        time = time && time != time_words(portion) ? several : time_words(portion);
    }
    g_autofree char *sentence = g_strconcat(all->str, "; ", time, NULL);
    return told_json(&night, all->str, sentence, portions);
}

/* How a limit stands, as people know it: a night that is unsure takes nothing back. */
typedef enum { STANDS_MET, STANDS_UNSURE, STANDS_BROKEN } stands;

#define NIGHTS_BACK 30 /* in which each limit says once where it surely stands */

/* What people know after a night, by what they knew before. */
static stands stands_after(stands before, const cfg_limited *one) {
    return cfg_limit_broken(one)                                  ? STANDS_BROKEN
           : cfg_is(one->state, "met")                            ? STANDS_MET
           : cfg_is(one->state, "unsure") && before == STANDS_MET ? STANDS_UNSURE
                                                                  : before;
}

/* The night before, with its limits; there: out, was it looked at? */
static bool night_before(srv_store *store, int64_t experiment, cfg_night *before, bool *there,
                         GError **error) {
    int64_t id = 0;
    if (!srv__number(store, ASK(limits_looked_before, experiment), 0, &id, error))
        return false;
    *there = id > 0;
    return id == 0 ||
           (srv__night_read(store, id, before, error) &&
            srv__dimensions_read(store, before, error) && srv__limits_read(store, before, error));
}

/* known: out, of the night's limits, what people know from the nights before it, the newest first,
 * until each surely stood somewhere: one that nobody looked at, since there was no limit or nobody
 * to tell, says nothing. */
static bool stands_before(srv_store *store, const cfg_night *night, stands *known, GError **error) {
    g_autofree bool *sure = g_new0(bool, night->limits_count + 1);
    unsigned open = night->limits_count;
    int64_t at = night->experiment;
    bool there = true;
    for (unsigned i = 0; there && open > 0 && i < NIGHTS_BACK; i++) {
        g_auto(cfg_night) before = {0};
        if (!night_before(store, at, &before, &there, error))
            return false;
        at = before.experiment;
        for (unsigned k = 0; k < MIN(before.limits_count, night->limits_count); k++) {
            if (sure[k])
                continue;
            const cfg_limited *one = &before.limits[k];
            sure[k] = cfg_limit_broken(one) || cfg_is(one->state, "met");
            open -= sure[k];
            known[k] = cfg_limit_broken(one)          ? STANDS_BROKEN
                       : cfg_is(one->state, "unsure") ? STANDS_UNSURE
                                                      : known[k];
        }
    }
    return true;
}

static json_t *limit_json(const cfg_limited *one, stands now) {
    g_auto(cfg_limit) limit = {0};
    g_autofree char *sentence =
        g_strconcat("limit ", one->sentence, now == STANDS_MET ? ", met again" : "", NULL);
    if (!cfg_limit_read(one->limit, &limit, NULL))
        limit = (cfg_limit){0};
    return json_pack("{s:s?, s:s?, s:s?, s:s, s:s*, s:s, s:s}", "portion", one->portion,
                     "configuration", one->configuration, "dimension", one->dimension, "direction",
                     (now == STANDS_MET) != limit.least ? "down" : "up", "better",
                     limit.least ? "higher" : NULL, "limit", one->limit, "sentence", sentence);
}

json_t *srv_view_limited(srv_store *store, int64_t experiment, GError **error) {
    g_auto(cfg_night) night = {0};
    if (!srv_experiment_read(store, experiment, &night, error))
        return NULL;
    g_autofree stands *known = g_new0(stands, night.limits_count + 1);
    if (!stands_before(store, &night, known, error))
        return NULL;
    json_auto_t *portions = json_array();
    g_autoptr(GString) all = g_string_new(NULL);
    for (unsigned i = 0; i < night.limits_count; i++) {
        const stands now = stands_after(known[i], &night.limits[i]);
        if (now == known[i])
            continue;
        json_array_append_new(portions, limit_json(&night.limits[i], now));
        g_string_append_printf(
            all, "%s%s", all->len > 0 ? "; " : "",
            cfg_json_word(json_array_get(portions, json_array_size(portions) - 1), "sentence",
                          NULL));
    }
    return told_json(&night, all->str, all->str, portions);
}
