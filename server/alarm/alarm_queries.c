#include "server/alarm/alarm_queries.h"

#include "config/packed.h"

#include <math.h>

#define STATE_BYTES_MAX (64u * 1024 * 1024)

/* The state as it was saved. An older release stored it unpacked. Nothing when it is damaged: then
 * the nights are judged again. */
static void *state_unpack(const void *packed, size_t *size) {
    uint64_t whole;
    if (!cfg_packed_length(packed, *size, &whole) && whole == 0)
        return g_memdup2(packed, *size);
    void *bytes = whole <= STATE_BYTES_MAX ? g_malloc(whole) : NULL;
    *size = bytes && cfg_packed_unblock(bytes, whole, packed, *size) ? whole : 0;
    return bytes;
}

#define SETTINGS                                                                                   \
    "SELECT e.project_id AS project, b.body AS \"benchmark{\","                                    \
    " p.detection AS \"detection{\", s.remeasure,"                                                 \
    " CASE WHEN e.state='measured' THEN e.id ELSE 0 END AS last,"                                  \
    " (SELECT x.remeasure FROM experiment x WHERE x.id=$2) AS confirms FROM experiment e"          \
    " JOIN benchmark b ON b.id=e.benchmark_id JOIN project p ON p.id=e.project_id"                 \
    " JOIN series s ON s.id=e.series_id WHERE e.id=coalesce((SELECT o.id FROM experiment o"        \
    "  WHERE o.series_id=$1 AND o.state='measured' ORDER BY o.night DESC, o.time_ms DESC,"         \
    "  o.id DESC LIMIT 1), $2)"

#define STATE_BUT                                                                                  \
    "SELECT t.experiment_id, t.place, t.state FROM series_state t WHERE t.series_id=$1"            \
    " AND t.place=(SELECT max(place) FROM series_state WHERE series_id=$1)"                        \
    " AND t.experiment_id=(SELECT o.id FROM experiment o WHERE o.series_id=$1"                     \
    "  AND o.state='measured' AND o.id<>$2 ORDER BY o.night DESC, o.time_ms DESC, o.id DESC"       \
    "  LIMIT 1)"

#define ABOUT "SELECT night, remeasure FROM experiment WHERE id=$1"
#define ORDINALS "SELECT ordinal, name FROM configuration WHERE experiment_id=$1"
#define MEANS "SELECT ordinal, loop, used, mean_ns FROM loop WHERE experiment_id=$1"

bool srv__series_insert(srv_store *store, const srv__series_name *name, GError **error) {
    return srv__run(store,
                    "INSERT INTO series(project_id, branch, identity, environment_id)"
                    " VALUES($1,$2,$3,$4)"
                    " ON CONFLICT(project_id, branch, identity, environment_id) DO NOTHING",
                    SRV__ARGS(SRV__I(name->project), SRV__T(name->branch), SRV__T(name->identity),
                              SRV__I(name->environment)),
                    NULL, error);
}

bool srv__series_key(srv_store *store, const srv__series_name *name, int64_t *series,
                     GError **error) {
    return srv__number(store,
                       "SELECT id FROM series WHERE project_id=$1 AND branch=$2 AND identity=$3"
                       " AND environment_id=$4",
                       SRV__ARGS(SRV__I(name->project), SRV__T(name->branch),
                                 SRV__T(name->identity), SRV__I(name->environment)),
                       0, series, error);
}

bool srv__series_settings(srv_store *store, int64_t series, int64_t experiment, json_t **row,
                          GError **error) {
    return srv__object(store, SETTINGS, SRV__ARGS(SRV__I(series), SRV__I(experiment)), row, error);
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

bool srv__series_state_but(srv_store *store, int64_t series, int64_t experiment,
                           srv__series_state *state, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store, STATE_BUT, SRV__ARGS(SRV__I(series), SRV__I(experiment)), error);
    return state_read(query, state, error);
}

bool srv__series_state_upto(srv_store *store, int64_t series, int64_t place,
                            srv__series_state *state, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store,
                       "SELECT experiment_id, place, state FROM series_state WHERE series_id=$1"
                       " AND place<=$2 ORDER BY place DESC LIMIT 1",
                       SRV__ARGS(SRV__I(series), SRV__I(place)), error);
    return state_read(query, state, error);
}

bool srv__series_state_put(srv_store *store, int64_t series, const srv__series_state *state,
                           GError **error) {
    g_autofree void *packed = g_malloc(cfg_packed_room(state->size));
    const size_t size = cfg_packed_block(packed, state->bytes, state->size);
    if (size == 0) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                    "not enough memory to save the state of the detector");
        return false;
    }
    return srv__run(store,
                    "INSERT INTO series_state(series_id, place, experiment_id, state)"
                    " VALUES($1,$2,$3,$4) ON CONFLICT(series_id, place) DO UPDATE"
                    " SET experiment_id=excluded.experiment_id, state=excluded.state",
                    SRV__ARGS(SRV__I(series), SRV__I(state->place), SRV__I(state->experiment),
                              SRV__B(packed, size)),
                    NULL, error);
}

bool srv__series_states_drop(srv_store *store, int64_t series, int64_t place, GError **error) {
    return srv__run(store, "DELETE FROM series_state WHERE series_id=$1 AND place>$2",
                    SRV__ARGS(SRV__I(series), SRV__I(place)), NULL, error);
}

bool srv__series_states_thin(srv_store *store, int64_t series, int64_t place, int64_t apart,
                             GError **error) {
    return srv__run(store,
                    "DELETE FROM series_state WHERE series_id=$1 AND place<=$2 AND place>$2-$3"
                    " AND place%$3<>0",
                    SRV__ARGS(SRV__I(series), SRV__I(place), SRV__I(apart)), NULL, error);
}

GArray *srv__series_nights(srv_store *store, int64_t series, GError **error) {
    return srv__ids(store,
                    "SELECT id FROM experiment WHERE series_id=$1 AND state='measured'"
                    " ORDER BY night, time_ms, id",
                    SRV__ARGS(SRV__I(series)), error);
}

bool srv__series_remeasure(srv_store *store, int64_t series, GError **error) {
    return srv__run(store, "UPDATE series SET remeasure=1 WHERE id=$1", SRV__ARGS(SRV__I(series)),
                    NULL, error);
}

bool srv__series_moved_from(srv_store *store, int64_t experiment, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT v.body AS \"before{\", x.body AS \"after{\", o.id AS experiment"
                       " FROM experiment e"
                       " JOIN environment x ON x.id=e.environment_id"
                       " JOIN experiment o ON o.project_id=e.project_id AND o.hidden=0"
                       " AND o.state='measured' AND o.series_id<>e.series_id"
                       " AND (o.night, o.time_ms, o.id)<(e.night, e.time_ms, e.id)"
                       " JOIN environment v ON v.id=o.environment_id"
                       " JOIN series a ON a.id=e.series_id JOIN series b ON b.id=o.series_id"
                       " WHERE e.id=$1 AND a.identity=b.identity AND a.branch=b.branch"
                       " ORDER BY o.night DESC, o.time_ms DESC, o.id DESC LIMIT 1",
                       SRV__ARGS(SRV__I(experiment)), row, error);
}

bool srv__night_about(srv_store *store, int64_t experiment, char *label, size_t size,
                      bool *remeasure, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store, ABOUT, SRV__ARGS(SRV__I(experiment)), error);
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
    g_autoptr(srv__query) query =
        srv__query_new(store, ORDINALS, SRV__ARGS(SRV__I(experiment)), error);
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
    g_autoptr(srv__query) query =
        srv__query_new(store, MEANS, SRV__ARGS(SRV__I(experiment)), error);
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

bool srv__night_same_tree(srv_store *store, int64_t experiment, const srv__tree *tree, bool *same,
                          GError **error) {
    json_t *names =
        srv__array(store, "SELECT name FROM configuration WHERE experiment_id=$1 ORDER BY ordinal",
                   SRV__ARGS(SRV__I(experiment)), error);
    *same = json_array_size(names) == tree->chain.count;
    for (size_t i = 0; *same && i < tree->chain.count; i++)
        *same = g_strcmp0(json_string_value(json_object_get(json_array_get(names, i), "name")),
                          tree->name[i]) == 0;
    json_decref(names);
    return names != NULL;
}

static const char *direction_text(int direction) {
    return direction > 0 ? "up" : direction < 0 ? "down" : NULL;
}

bool srv__verdict_put(srv_store *store, int64_t experiment, int64_t ordinal, const det_verdict *v,
                      bool cleared, GError **error) {
    bool anomaly = v->verdict == DET_VERDICT_ANOMALY;
    return srv__run(
        store,
        "UPDATE portion SET verdict=$3, rule=$4, direction=$5, judged_mean_ns=$6,"
        " judged_low_ns=$7, judged_high_ns=$8, reference_mean_ns=$9, reference_low_ns=$10,"
        " reference_high_ns=$11, reference_nights=$12, reference_from=$13, reference_to=$14,"
        " difference_mean_ns=$15, difference_low_ns=$16, difference_high_ns=$17, to_experiment=$18,"
        " from_experiment=$19, reason=$20 WHERE experiment_id=$1 AND ordinal=$2",
        SRV__ARGS(SRV__I(experiment), SRV__I(ordinal),
                  SRV__T(cleared ? "cleared" : det_verdict_text(v->verdict)),
                  SRV__T(det_rule_text(v->rule)), SRV__T(direction_text(v->direction)),
                  SRV__D(v->night.mean), SRV__D(v->night.low), SRV__D(v->night.high),
                  SRV__D(v->reference.mean), SRV__D(v->reference.low), SRV__D(v->reference.high),
                  SRV__I(v->reference_nights), SRV__ID(v->reference_from), SRV__ID(v->reference_to),
                  SRV__D(v->difference.mean), SRV__D(v->difference.low), SRV__D(v->difference.high),
                  SRV__ID(anomaly ? v->to : 0), SRV__ID(anomaly ? v->from : 0), SRV__T(v->reason)),
        NULL, error);
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

bool srv__suspicion_get(srv_store *store, int64_t series, const char *configuration, int64_t seen,
                        int64_t to, srv__outcome *out, GError **error) {
    *out = (srv__outcome){.state = SRV__OUTCOME_NONE};
    g_autoptr(srv__query) query = srv__query_new(
        store,
        "SELECT s.state, s.reason, q.before_mean_ns, q.before_low_ns, q.before_high_ns,"
        " q.after_mean_ns, q.after_low_ns, q.after_high_ns, q.difference_mean_ns,"
        " q.difference_low_ns, q.difference_high_ns FROM suspicion s"
        " JOIN question q ON q.id=s.question_id WHERE s.series_id=$1 AND s.configuration=$2"
        " AND s.seen_experiment=$3 AND s.to_experiment=$4",
        SRV__ARGS(SRV__I(series), SRV__T(configuration), SRV__I(seen), SRV__I(to)), error);
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

bool srv__series_nights_count(srv_store *store, int64_t series, int64_t from, int64_t to,
                              int64_t *nights, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM experiment e JOIN experiment a ON a.id=$2"
                       " JOIN experiment z ON z.id=$3 WHERE e.series_id=$1 AND e.state='measured'"
                       " AND (e.night, e.time_ms, e.id)>=(a.night, a.time_ms, a.id)"
                       " AND (e.night, e.time_ms, e.id)<=(z.night, z.time_ms, z.id)",
                       SRV__ARGS(SRV__I(series), SRV__I(from), SRV__I(to)), 0, nights, error);
}

bool srv__suspicions_waiting(srv_store *store, int64_t series, const char *configuration,
                             int64_t direction, int64_t *count, GError **error) {
    return srv__number(store,
                       "SELECT count(*) FROM suspicion WHERE series_id=$1 AND state='waiting'"
                       " AND configuration=$2 AND direction=$3",
                       SRV__ARGS(SRV__I(series), SRV__T(configuration), SRV__I(direction)), 0,
                       count, error);
}

json_t *srv__suspicions_asked(srv_store *store, int64_t series, GError **error) {
    return srv__array(store,
                      "SELECT configuration, direction>0 AS \"up?\", to_experiment"
                      " FROM suspicion WHERE series_id=$1 AND state='waiting' ORDER BY id",
                      SRV__ARGS(SRV__I(series)), error);
}

bool srv__suspicion_insert(srv_store *store, const srv__suspicion_row *row, int64_t now_ms,
                           GError **error) {
    const det_verdict *v = row->verdict;
    return srv__run(store,
                    "INSERT INTO suspicion(series_id, configuration, direction, seen_experiment,"
                    " to_experiment, from_experiment, question_id, state, raised_ms)"
                    " VALUES($1,$2,$3,$4,$5,$6,$7,'waiting',$8)",
                    SRV__ARGS(SRV__I(row->series), SRV__T(row->configuration), SRV__I(v->direction),
                              SRV__I(row->seen), SRV__I(v->to), SRV__I(v->from),
                              SRV__I(row->question), SRV__I(now_ms)),
                    NULL, error);
}

bool srv__suspicions_settle(srv_store *store, int64_t trial, int64_t now_ms, const char *unable,
                            GError **error) {
    return srv__run(store,
                    "UPDATE suspicion SET settled_ms=$2, state=(SELECT CASE q.state"
                    " WHEN 'yes' THEN 'confirmed' WHEN 'no' THEN 'cleared'"
                    " WHEN 'undecided' THEN 'undecided' ELSE 'believed' END"
                    " FROM question q WHERE q.id=suspicion.question_id),"
                    " reason=(SELECT CASE q.state WHEN 'failed' THEN $3 ELSE q.reason END"
                    " FROM question q WHERE q.id=suspicion.question_id)"
                    " WHERE state='waiting' AND question_id IN"
                    " (SELECT id FROM question WHERE trial_id=$1 AND state<>'open')",
                    SRV__ARGS(SRV__I(trial), SRV__I(now_ms), SRV__T(unable)), NULL, error);
}

bool srv__project_benchmark(srv_store *store, int64_t project, json_t **row, GError **error) {
    return srv__object(store,
                       "SELECT b.body AS \"body{\", p.detection AS \"detection{\" FROM project p"
                       " JOIN benchmark b ON b.id=p.benchmark_id WHERE p.id=$1",
                       SRV__ARGS(SRV__I(project)), row, error);
}

bool srv__expectation_insert(srv_store *store, int64_t project, const srv__expectation_row *row,
                             GError **error) {
    const json_t *commit = json_object_get(row->item, "commit");
    return srv__run(
        store,
        "INSERT INTO expectation(project_id, place, sha, author, time_ms, subject, text, portions,"
        " direction, percent, ns, reason, problem) VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,"
        "$13) ON CONFLICT DO NOTHING",
        SRV__ARGS(SRV__I(project), SRV__I(json_integer_value(json_object_get(row->item, "place"))),
                  SRV__T(json_string_value(json_object_get(commit, "sha"))),
                  SRV__T(json_string_value(json_object_get(commit, "author"))),
                  SRV__I(json_integer_value(json_object_get(commit, "time_ms"))),
                  SRV__T(json_string_value(json_object_get(commit, "subject"))),
                  SRV__T(json_string_value(json_object_get(row->item, "text"))),
                  SRV__T(row->portions), SRV__I(row->direction), SRV__D(row->percent),
                  SRV__D(row->ns), SRV__T(row->reason), SRV__T(row->problem)),
        NULL, error);
}

bool srv__expectations_drop(srv_store *store, int64_t project, GError **error) {
    return srv__run(store, "DELETE FROM expectation WHERE project_id=$1",
                    SRV__ARGS(SRV__I(project)), NULL, error);
}

json_t *srv__expectations_of_alert(srv_store *store, int64_t alert, GError **error) {
    return srv__array(
        store,
        "SELECT x.sha, x.author, x.text, x.reason, x.portions AS \"portions{\", x.direction,"
        " x.percent, x.ns, p.detection AS \"detection{\" FROM alert a"
        " JOIN project p ON p.id=a.project_id JOIN experiment f ON f.id=a.from_experiment"
        " JOIN experiment t ON t.id=a.to_experiment JOIN revision o ON o.id=f.revision_id"
        " JOIN revision n ON n.id=t.revision_id JOIN expectation x ON x.project_id=a.project_id"
        " AND x.place>o.place AND x.place<=n.place AND x.problem IS NULL WHERE a.id=$1"
        " ORDER BY x.place DESC, x.id",
        SRV__ARGS(SRV__I(alert)), error);
}

json_t *srv__alert_changes(srv_store *store, int64_t alert, GError **error) {
    return srv__array(store,
                      "SELECT portion, before_mean_ns AS before, difference_mean_ns AS mean,"
                      " difference_low_ns AS low, difference_high_ns AS high FROM alert_portion"
                      " WHERE alert_id=$1 ORDER BY abs(difference_mean_ns) DESC NULLS LAST",
                      SRV__ARGS(SRV__I(alert)), error);
}
