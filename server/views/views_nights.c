#include "server/store/projects.h"
#include "server/views/views_page.h"
#include "server/views/views_parts.h"
#include "web/words/night.h"

#include <string.h>

#define NIGHT_COLUMNS                                                                              \
    "SELECT e.id AS experiment, e.job_id AS job, p.name AS project, e.night, e.state, "            \
    "e.reason, " SRV__COMMIT(                                                                      \
        "r") ", substr(v.hash,1,12) AS environment,"                                               \
             " coalesce((SELECT o.environment_id<>e.environment_id FROM experiment o"              \
             " WHERE o.project_id=e.project_id AND o.hidden=0 AND o.state='measured'"              \
             " AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)"                          \
             " ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1), 0) AS "                  \
             "\"environment_changed?\", e.id IN (SELECT to_experiment FROM alert"                  \
             " WHERE state='accepted') AS \"accepted?\","                                          \
             " e.finished_ms, e.loops, e.total_mean_ns AS \"total.mean_ns\","                      \
             " e.total_low_ns AS \"total.low_ns\", e.total_high_ns AS \"total.high_ns\","          \
             " e.total_median_ns AS \"total.median_ns\", e.total_median_low_ns AS"                 \
             " \"total.median_low_ns\", e.total_median_high_ns AS \"total.median_high_ns\","       \
             " r.release"
#define NIGHT_TABLES                                                                               \
    " FROM experiment e JOIN project p ON p.id=e.project_id JOIN revision r ON r.id=e.revision_id" \
    " LEFT JOIN environment v ON v.id=e.environment_id"

#define PORTIONS                                                                                   \
    "SELECT o.portion, o.configuration, o.parent, o.mean_ns, o.low_ns, o.high_ns, o.median_ns,"    \
    " o.median_low_ns, o.median_high_ns, o.method,"                                                \
    " o.judged_mean_ns AS \"judged.mean_ns\", o.judged_low_ns AS \"judged.low_ns\","               \
    " o.judged_high_ns AS \"judged.high_ns\", o.verdict, o.rule, o.direction,"                     \
    " o.reference_mean_ns AS \"reference.mean_ns\", o.reference_low_ns AS \"reference.low_ns\","   \
    " o.reference_high_ns AS \"reference.high_ns\", o.reference_nights AS \"reference.nights\","   \
    " o.reference_from AS \"reference.from\", o.reference_to AS \"reference.to\","                 \
    " o.difference_mean_ns AS \"difference.mean_ns\","                                             \
    " o.difference_low_ns AS \"difference.low_ns\","                                               \
    " o.difference_high_ns AS \"difference.high_ns\", o.reason, " SRV__CONFIRMATION                \
    " FROM portion o LEFT JOIN suspicion s ON s.id=(SELECT max(x.id) FROM suspicion x"             \
    "  WHERE x.seen_experiment=o.experiment_id AND x.configuration=o.configuration)"               \
    " LEFT JOIN question q ON q.id=s.question_id"                                                  \
    " WHERE o.experiment_id=$1 ORDER BY o.ordinal"

/* An interval without a mean is none. */
static void drop_empty(json_t *object, const char *key) {
    srv__drop_empty(object, key, "mean_ns");
}

static bool night_complete(srv_store *store, json_t *night, bool full, GError **error) {
    int64_t id = json_integer_value(json_object_get(night, "experiment"));
    drop_empty(night, "total");
    json_t *portions = srv__array(store, PORTIONS, SRV__ARGS(SRV__I(id)), error);
    if (!portions)
        return false;
    json_object_set_new(night, "portions", portions);
    size_t i;
    json_t *portion;
    json_array_foreach (portions, i, portion) {
        drop_empty(portion, "judged");
        drop_empty(portion, "reference");
        drop_empty(portion, "difference");
        srv__drop_empty(portion, "confirmation", "state");
    }
    g_autofree char *headline = web_night_headline(night);
    json_object_set_new(night, "headline", json_string(headline));
    if (!full)
        return true;
    json_t *configurations =
        srv__array(store,
                   "SELECT name, label, loops, mean_ns, low_ns, high_ns, median_ns, median_low_ns,"
                   " median_high_ns FROM configuration WHERE experiment_id=$1 ORDER BY ordinal",
                   SRV__ARGS(SRV__I(id)), error);
    if (configurations)
        json_object_set_new(night, "configurations", configurations);
    return configurations != NULL;
}

json_t *srv__night_view(srv_store *store, int64_t experiment, bool full, GError **error) {
    json_t *night;
    if (!srv__object(store, NIGHT_COLUMNS NIGHT_TABLES " WHERE e.id=$1",
                     SRV__ARGS(SRV__I(experiment)), &night, error))
        return NULL;
    if (!night) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "there is no experiment %" G_GINT64_FORMAT, experiment);
        return NULL;
    }
    if (night_complete(store, night, full, error))
        return night;
    json_decref(night);
    return NULL;
}

static char *night_key(const json_t *item) {
    return g_strdup_printf(
        "%s~%" G_GINT64_FORMAT "~%" G_GINT64_FORMAT,
        json_string_value(json_object_get(item, "night")),
        (int64_t)json_integer_value(json_object_get(json_object_get(item, "commit"), "time_ms")),
        (int64_t)json_integer_value(json_object_get(item, "experiment")));
}

json_t *srv_view_nights(srv_store *store, const char *project, srv_dates dates, srv_page page,
                        GError **error) {
    unsigned limit;
    srv__cursor cursor;
    int64_t id;
    if (!srv__page_limit(page, &limit, error) ||
        !srv__cursor_read(page.cursor, true, &cursor, error) ||
        !srv__project_id(store, project, &id, error))
        return NULL;
    json_t *items = srv__array(
        store,
        NIGHT_COLUMNS NIGHT_TABLES
        " WHERE e.project_id=$1 AND e.hidden=0 AND (e.night, e.time_ms, e.id)<($2, $3, $4)"
        " AND e.night<=$5 AND e.night>=$6"
        " ORDER BY e.night DESC, e.time_ms DESC, e.id DESC LIMIT $7",
        SRV__ARGS(SRV__I(id), SRV__T(cursor.night), SRV__I(cursor.time_ms), SRV__I(cursor.id),
                  SRV__T(dates.until ? dates.until : "9999-99-99"),
                  SRV__T(dates.since ? dates.since : ""), SRV__I(limit + 1)),
        error);
    size_t i;
    json_t *night;
    json_array_foreach (items, i, night) {
        if (i < limit && !night_complete(store, night, true, error)) {
            json_decref(items);
            return NULL;
        }
    }
    return items ? srv__page_of(items, limit, night_key) : NULL;
}
