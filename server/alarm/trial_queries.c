#include "server/alarm/trial_queries.h"

#include "config/model/detection.h"
#include "config/model/interval.h"

#include "server/store/kinds.h"

#include <math.h>
#include <stdlib.h>

static const model_member ends_members[] = {MODEL(srv__trial_ends, revision, "revision_id"),
                                            MODEL(srv__trial_ends, before, "before_id"),
                                            MODEL(srv__trial_ends, node, "node", MODEL_NULL)};
const model_noun srv__trial_ends_model =
    MODEL_NOUN(srv__trial_ends, ends_members, "ends of a trial");

bool srv__trial_commits(srv_store *store, int64_t experiment, int64_t before, srv__trial_ends *ends,
                        GError **error) {
    return srv__one(store,
                    "SELECT e.revision_id, e.node, a.revision_id AS before_id FROM experiment e"
                    " JOIN experiment a ON a.id=$2 WHERE e.id=$1",
                    SRV__ARGS(SRV__I(experiment), SRV__I(before)), &srv__trial_ends_model, ends,
                    NULL, error);
}

GHashTable *srv__trial_names_open(srv_store *store, int64_t trial, bool with_parents,
                                  GError **error) {
    return srv__words(store,
                      "SELECT configuration,"
                      " CASE WHEN stage<>'alone' OR CAST($2 AS BIGINT)=1 THEN parent END"
                      " FROM question WHERE trial_id=$1 AND state='open'",
                      SRV__ARGS(SRV__I(trial), SRV__I(with_parents)), error);
}

bool srv__trial_job_insert(srv_store *store, int64_t trial, int64_t benchmark, int64_t now_ms,
                           int64_t *id, GError **error) {
    return srv__insert(store,
                       "INSERT INTO job(project_id, revision_id, before_id, benchmark_id, branch,"
                       " kind, priority, night, state, only_node, queued_ms) SELECT t.project_id,"
                       " t.after_id, t.before_id, $2, s.branch, t.kind,"
                       " CASE WHEN t.kind='bisection' OR EXISTS(SELECT 1 FROM question q"
                       "  WHERE q.trial_id=t.id AND q.state='yes') THEN CAST($3 AS BIGINT)"
                       " ELSE CAST($4 AS BIGINT) END,"
                       " e.night, 'queued',"
                       " t.node, $5 FROM trial t JOIN series s ON s.id=t.series_id"
                       " JOIN experiment e ON e.id=t.experiment_id WHERE t.id=$1"
                       " RETURNING id",
                       SRV__ARGS(SRV__I(trial), SRV__I(benchmark),
                                 SRV__I(srv__priority(SRV_KIND_BISECTION)),
                                 SRV__I(srv__priority(SRV_KIND_CONFIRMATION)), SRV__I(now_ms)),
                       id, error);
}

bool srv__trial_job_note(srv_store *store, int64_t job, int64_t trial, GError **error) {
    return srv__run(store, "INSERT INTO trial_job(job_id, trial_id) VALUES($1,$2)",
                    SRV__ARGS(SRV__I(job), SRV__I(trial)), NULL, error);
}

bool srv__trial_batch_count(srv_store *store, int64_t trial, GError **error) {
    return srv__run(store, "UPDATE trial SET batches=batches+1 WHERE id=$1",
                    SRV__ARGS(SRV__I(trial)), NULL, error);
}

/* The dimensions whose change says that a call does more, or less; the first one that is there. */
#define COUNTED                                                                                    \
    "SELECT b.dimension, b.mean AS \"before.mean\", b.low AS \"before.low\","                      \
    " b.high AS \"before.high\", a.mean AS \"after.mean\", a.low AS \"after.low\","                \
    " a.high AS \"after.high\""
#define OF_BOTH(before, after, configuration)                                                      \
    " JOIN dimension b ON b.experiment_id=" before " AND b.dimension IN ('instructions','bytes')"  \
    " AND b.configuration=" configuration " JOIN dimension a ON a.experiment_id=" after            \
    " AND a.dimension=b.dimension AND a.configuration=b.configuration AND a.counter=b.counter"
#define THE_FIRST " CASE b.dimension WHEN 'instructions' THEN 0 ELSE 1 END"

static const model_member facts_members[] = {
    MODEL(srv__trial_facts, series, "series_id"),
    MODEL(srv__trial_facts, body, "body"),
    MODEL(srv__trial_facts, loop_s, "loop_seconds", MODEL_NULL),
    MODEL(srv__trial_facts, bridge, "bridge"),
    MODEL(srv__trial_facts, batches, "batches"),
    MODEL(srv__trial_facts, uncounted, "uncounted")};
const model_noun srv__trial_facts_model = MODEL_NOUN(srv__trial_facts, facts_members, "trial");

bool srv__trial_about(srv_store *store, int64_t trial, srv__trial_facts *facts, GError **error) {
    return srv__one(store,
                    "SELECT t.series_id, b.body AS \"body{\", (SELECT avg(l.seconds) FROM loop l"
                    "  WHERE l.experiment_id=e.id AND l.used=1) AS loop_seconds,"
                    " EXISTS(SELECT 1 FROM bridge g WHERE g.trial_id=t.id) AS \"bridge?\","
                    " t.batches, (SELECT count(*) FROM question q WHERE q.trial_id=t.id"
                    "  AND q.state='open' AND q.counted IS NULL) AS uncounted"
                    " FROM trial t JOIN experiment e"
                    " ON e.id=t.experiment_id JOIN benchmark b ON b.id=e.benchmark_id"
                    " WHERE t.id=$1",
                    SRV__ARGS(SRV__I(trial)), &srv__trial_facts_model, facts, NULL, error);
}

/* "T + I + C + W" */
static char *whole_of(const srv__tree *tree, size_t c) {
    g_autoptr(GString) whole = g_string_new(tree->portion[c]);
    for (int p = tree->chain.parent[c]; p >= 0; p = tree->chain.parent[p]) {
        g_string_prepend(whole, " + ");
        g_string_prepend(whole, tree->portion[p]);
    }
    return g_string_free(g_steal_pointer(&whole), FALSE);
}

bool srv__question_insert(srv_store *store, int64_t trial, const srv__tree *tree,
                          const srv__question *question, int64_t *id, GError **error) {
    const size_t c = question->configuration;
    const int parent = tree->chain.parent[c];
    g_autofree char *whole = whole_of(tree, c);
    return srv__insert(store,
                       "INSERT INTO question(trial_id, configuration, parent, portion,"
                       " expected_ns, state, stage, whole, level_ns)"
                       " VALUES($1,$2,$3,$4,$5,'open',$6,$7,$8)"
                       " RETURNING id",
                       SRV__ARGS(SRV__I(trial), SRV__T(tree->name[c]),
                                 SRV__T(parent >= 0 ? tree->name[parent] : NULL),
                                 SRV__T(tree->portion[c]), SRV__D(question->expected_ns),
                                 SRV__T(question->alone ? "alone" : "both"), SRV__T(whole),
                                 SRV__D(question->alone ? question->level_ns : NAN)),
                       id, error);
}

bool srv__trial_of_question(srv_store *store, int64_t question, int64_t *trial, GError **error) {
    return srv__number(store, "SELECT trial_id FROM question WHERE id=$1",
                       SRV__ARGS(SRV__I(question)), 0, trial, error);
}

json_t *srv__night_benchmark(srv_store *store, int64_t experiment, GError **error) {
    static const model_member member[] = {MODEL_IT(json_t *, "body")};
    static const model_noun noun = MODEL_NOUN(json_t *, member, "benchmark");
    json_t *body;
    return srv__one(store,
                    "SELECT b.body AS \"body{\" FROM experiment e"
                    " JOIN benchmark b ON b.id=e.benchmark_id WHERE e.id=$1",
                    SRV__ARGS(SRV__I(experiment)), &noun, &body, NULL, error)
               ? body
               : NULL;
}

bool srv__trial_insert(srv_store *store, const srv__trial *trial, int64_t now_ms, int64_t *id,
                       GError **error) {
    return srv__insert(store,
                       "INSERT INTO trial(kind, project_id, series_id, after_id, before_id,"
                       " experiment_id, node, state, started_ms) SELECT $2, project_id, id, $3,"
                       " $4, $5, $6, 'running', $7 FROM series WHERE id=$1"
                       " RETURNING id",
                       SRV__ARGS(SRV__I(trial->series), SRV__T(trial->kind), SRV__I(trial->after),
                                 SRV__I(trial->before), SRV__I(trial->experiment),
                                 SRV__T(trial->node), SRV__I(now_ms)),
                       id, error);
}

bool srv__trial_of_job(srv_store *store, int64_t job, srv__trial_standing *standing,
                       GError **error) {
    static const model_member members[] = {MODEL(srv__trial_standing, id, "id"),
                                           MODEL(srv__trial_standing, batches, "batches"),
                                           MODEL(srv__trial_standing, series, "series_id"),
                                           MODEL(srv__trial_standing, experiment, "experiment_id"),
                                           MODEL(srv__trial_standing, bisection, "bisection")};
    static const model_noun noun = MODEL_NOUN(srv__trial_standing, members, "trial");
    bool there;
    return srv__one(store,
                    "SELECT t.id, t.batches, t.series_id, t.experiment_id,"
                    " t.kind='bisection' AS \"bisection?\""
                    " FROM trial_job j JOIN trial t ON t.id=j.trial_id WHERE j.job_id=$1",
                    SRV__ARGS(SRV__I(job)), &noun, standing, &there, error);
}

bool srv__questions_fail(srv_store *store, int64_t trial, const char *reason, GError **error) {
    return srv__run(store,
                    "UPDATE question SET state='failed', reason=$2"
                    " WHERE trial_id=$1 AND state='open'",
                    SRV__ARGS(SRV__I(trial), SRV__T(reason)), NULL, error);
}

bool srv__trial_end(srv_store *store, int64_t trial, const char *state, int64_t now_ms,
                    GError **error) {
    return srv__run(store, "UPDATE trial SET state=$2, finished_ms=$3 WHERE id=$1",
                    SRV__ARGS(SRV__I(trial), SRV__T(state), SRV__I(now_ms)), NULL, error);
}

bool srv__trial_job_result(srv_store *store, int64_t job, const char *hash, GError **error) {
    return srv__run(store, "UPDATE trial_job SET result_hash=$2 WHERE job_id=$1",
                    SRV__ARGS(SRV__I(job), SRV__T(hash)), NULL, error);
}

GArray *srv__trial_jobs_stranded(srv_store *store, int64_t before_ms, GError **error) {
    return srv__ids(store,
                    "SELECT j.id FROM trial t JOIN trial_job l ON l.trial_id=t.id"
                    " JOIN job j ON j.id=l.job_id LEFT JOIN node n ON n.name=t.node"
                    " WHERE t.state='running' AND t.node IS NOT NULL AND j.state='queued'"
                    " AND j.queued_ms<$1 AND (coalesce(n.seen_ms, 0)<$1"
                    " OR n.can_confirm=0)",
                    SRV__ARGS(SRV__I(before_ms)), error);
}

bool srv__job_cancel(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                     GError **error) {
    return srv__run(store,
                    "UPDATE job SET state='cancelled', error=$2, finished_ms=$3, lease=NULL,"
                    " lease_expires_ms=NULL WHERE id=$1",
                    SRV__ARGS(SRV__I(job), SRV__T(reason), SRV__I(now_ms)), NULL, error) &&
           srv__run(store, "UPDATE node SET job_id=NULL WHERE job_id=$1", SRV__ARGS(SRV__I(job)),
                    NULL, error);
}

bool srv__series_detection(srv_store *store, int64_t series, cfg_detection *detection,
                           GError **error) {
    static const model_member member[] = {
        {.noun = &cfg_detection_model, .type = MODEL_PART, .name = "detection"}};
    static const model_noun noun = MODEL_NOUN(cfg_detection, member, "project");
    return srv__one(store,
                    "SELECT p.detection AS \"detection{\" FROM series s"
                    " JOIN project p ON p.id=s.project_id WHERE s.id=$1",
                    SRV__ARGS(SRV__I(series)), &noun, detection, NULL, error);
}

bool srv__trial_loop_insert(srv_store *store, int64_t trial, int64_t job, guint place,
                            const srv__loop *loop, const srv__tree *tree, GError **error) {
    return srv__run(
        store,
        "INSERT INTO trial_loop(trial_id, job_id, place, configuration, before, loop, position,"
        " used, failed, seconds, mean_ns, summary, readings, raw_sha256, duet)"
        " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15)",
        SRV__ARGS(SRV__I(trial), SRV__I(job), SRV__I(place),
                  SRV__T(tree->name[loop->configuration]), SRV__I(loop->before), SRV__I(loop->loop),
                  SRV__I(loop->position), SRV__I(loop->used), SRV__T(loop->failed),
                  SRV__D(loop->seconds), SRV__D(loop->failed ? NAN : loop->summary.mean),
                  SRV__T(loop->summary_text), SRV__T(loop->readings_text), SRV__T(loop->raw_sha256),
                  SRV__I(loop->duet)),
        NULL, error);
}

bool srv__question_answer(srv_store *store, int64_t id, const det_confirm_result *result,
                          size_t ends_loops, GError **error) {
    static const char *const states[] = {[DET_CONFIRM_MORE] = "open",
                                         [DET_CONFIRM_YES] = "yes",
                                         [DET_CONFIRM_NO] = "no",
                                         [DET_CONFIRM_MOVED] = "open",
                                         [DET_CONFIRM_UNDECIDED] = "undecided"};
    static const det_interval none = {.mean = NAN, .low = NAN, .high = NAN};
    const bool moved = result->state == DET_CONFIRM_MOVED;
    const det_interval *before = moved ? &none : &result->before,
                       *after = moved ? &none : &result->after,
                       *difference = moved ? &none : &result->difference;
    return srv__run(
        store,
        "UPDATE question SET state=$2, loops=$3, evidence=$4, before_mean_ns=$5,"
        " before_low_ns=$6, before_high_ns=$7, after_mean_ns=$8, after_low_ns=$9,"
        " after_high_ns=$10, difference_mean_ns=$11, difference_low_ns=$12,"
        " difference_high_ns=$13, reason=$14, ends_loops=$15,"
        " stage=CASE WHEN CAST($16 AS BIGINT)=1 THEN 'moved' ELSE stage END WHERE id=$1",
        SRV__ARGS(SRV__I(id), SRV__T(states[result->state]), SRV__I(result->loops),
                  SRV__D(result->evidence), SRV__D(before->mean), SRV__D(before->low),
                  SRV__D(before->high), SRV__D(after->mean), SRV__D(after->low),
                  SRV__D(after->high), SRV__D(difference->mean), SRV__D(difference->low),
                  SRV__D(difference->high), SRV__T(result->reason), SRV__I(ends_loops),
                  SRV__I(moved)),
        NULL, error);
}

static const model_member counted_members[] = {
    MODEL(srv__counted, dimension, "dimension", MODEL_NULL),
    MODEL_A(srv__counted, before, cfg_interval_model, MODEL_PART, "before"),
    MODEL_A(srv__counted, after, cfg_interval_model, MODEL_PART, "after")};
const model_noun srv__counted_model = MODEL_NOUN(srv__counted, counted_members, "count");

bool srv__question_count(srv_store *store, int64_t id, const srv__counted *counted,
                         GError **error) {
    json_auto_t *json = model_write(&srv__counted_model, counted);
    char *text = json_dumps(json, JSON_COMPACT);
    const bool good = srv__run(store, "UPDATE question SET counted=$2 WHERE id=$1",
                               SRV__ARGS(SRV__I(id), SRV__T(text)), NULL, error);
    free(text);
    return good;
}

GArray *srv__means_read(srv_store *store, const char *sql, const srv__arg *args, GError **error) {
    g_autoptr(srv__query) query = srv__query_new(store, sql, args, error);
    if (!query)
        return NULL;
    g_autoptr(GArray) means = g_array_new(FALSE, FALSE, sizeof(srv__trial_mean));
    srv_db_step step;
    while ((step = srv__query_next(query, error)) == SRV_DB_ROW) {
        const srv__trial_mean mean = {.job = srv__query_int(query, 0),
                                      .loop = srv__query_int(query, 1),
                                      .before = srv__query_int(query, 2) != 0,
                                      .of_parent = srv__query_int(query, 3) != 0,
                                      .mean_ns = srv__query_real(query, 4),
                                      .duet = srv__query_int(query, 5) != 0};
        g_array_append_val(means, mean);
    }
    return step == SRV_DB_END ? g_steal_pointer(&means) : NULL;
}

GArray *srv__trial_means(srv_store *store, int64_t trial, const char *name, const char *parent,
                         GError **error) {
    return srv__means_read(store, SRV__MEANS " FROM trial_loop WHERE trial_id=$1" SRV__MEANS_OF,
                           SRV__ARGS(SRV__I(trial), SRV__T(name), SRV__T(parent ? parent : "")),
                           error);
}

static const char *const stages[] = {
    [DET_STAGE_BOTH] = "both", [DET_STAGE_ALONE] = "alone", [DET_STAGE_MOVED] = "moved", NULL};

static const model_member question_members[] = {
    MODEL(srv__open_question, id, "id"),
    MODEL(srv__open_question, configuration, "configuration"),
    MODEL(srv__open_question, parent, "parent", MODEL_NULL),
    MODEL(srv__open_question, portion, "portion"),
    MODEL(srv__open_question, stage, "stage", .words = stages),
    MODEL(srv__open_question, whole, "whole", MODEL_NULL),
    MODEL(srv__open_question, level_ns, "level_ns", MODEL_NULL),
    MODEL(srv__open_question, expected_ns, "expected_ns"),
    MODEL_A(srv__open_question, counted, srv__counted_model, MODEL_OWN, "counted", MODEL_NULL),
    MODEL(srv__open_question, search, "search"),
    MODEL_A(srv__open_question, detection, cfg_detection_model, MODEL_PART, "detection")};
static const model_noun question_noun =
    MODEL_NOUN(srv__open_question, question_members, "question");

bool srv__trial_questions(srv_store *store, int64_t trial, model_list *questions, GError **error) {
    return srv__many(store,
                     "SELECT q.id, q.configuration, q.parent, q.portion, q.stage, q.whole, "
                     "q.level_ns, q.expected_ns,"
                     " q.counted AS \"counted{\", t.kind='bisection' AS \"search?\","
                     " p.detection AS \"detection{\" FROM question q"
                     " JOIN trial t ON t.id=q.trial_id JOIN project p ON p.id=t.project_id"
                     " WHERE q.trial_id=$1 AND q.state='open'",
                     SRV__ARGS(SRV__I(trial)), &question_noun, questions, error);
}

bool srv__trial_counted(srv_store *store, int64_t trial, const char *configuration,
                        srv__counted *counted, bool *there, GError **error) {
    return srv__one(store,
                    COUNTED " FROM trial t JOIN experiment x ON x.series_id=t.series_id"
                            " AND x.revision_id=t.after_id AND x.state='measured'"
                            " JOIN experiment y ON y.series_id=t.series_id"
                            " AND y.revision_id=t.before_id"
                            " AND y.state='measured'" OF_BOTH("y.id", "x.id", "$2") //
                    " WHERE t.id=$1 ORDER BY" THE_FIRST ", x.id DESC, y.id DESC LIMIT 1",
                    SRV__ARGS(SRV__I(trial), SRV__T(configuration)), &srv__counted_model, counted,
                    there, error);
}

bool srv__night_counted(srv_store *store, int64_t before, int64_t after, const char *configuration,
                        srv__counted *counted, bool *there, GError **error) {
    return srv__one(store,
                    COUNTED " FROM experiment x" OF_BOTH("$1", "x.id", "$3") //
                    " WHERE x.id=$2 ORDER BY" THE_FIRST " LIMIT 1",
                    SRV__ARGS(SRV__I(before), SRV__I(after), SRV__T(configuration)),
                    &srv__counted_model, counted, there, error);
}

/*
 * The two ends: the nights of the alert, of which the earlier one is the last that nobody disputes;
 * where there was a trial, its newer commit, since that is known to be changed and the date of a
 * small change is uncertain.
 */
#define ENDS                                                                                       \
    " f.revision_id AS from_id, coalesce(t.after_id, e.revision_id)"                               \
    " AS to_id FROM alert a JOIN experiment f ON f.id=a.from_experiment"                           \
    " JOIN experiment e ON e.id=a.to_experiment"                                                   \
    " LEFT JOIN suspicion s ON s.series_id=a.series_id AND s.configuration=a.configuration"        \
    "  AND s.seen_experiment=a.seen_experiment AND s.to_experiment=a.to_experiment"                \
    "  AND s.state='confirmed'"                                                                    \
    " LEFT JOIN question q ON q.id=s.question_id LEFT JOIN trial t ON t.id=q.trial_id"

/* An older server beside this one leaves searched at 0, so that alone does not say it. */
json_t *srv__bisections_wanted(srv_store *store, const char *project, GError **error) {
    return srv__array(store,
                      "SELECT w.id AS alert, o.sha AS \"from\", n.sha AS \"to\""
                      " FROM (SELECT a.id, a.project_id," ENDS
                      " JOIN project x ON x.id=a.project_id WHERE a.state='open' AND x.name=$1"
                      "  AND a.searched=0"
                      "  AND NOT EXISTS (SELECT 1 FROM bisection b WHERE b.alert_id=a.id)"
                      "  AND e.remeasure=1) AS w JOIN project p ON p.id=w.project_id"
                      " JOIN revision o ON o.id=w.from_id JOIN revision n ON n.id=w.to_id"
                      " WHERE p.name=$1 AND p.enabled=1 AND o.id<>n.id ORDER BY w.id",
                      SRV__ARGS(SRV__T(project)), error);
}

static const model_member search_ends_members[] = {
    MODEL(srv__search_ends, project, "project_id"), MODEL(srv__search_ends, from, "from_id"),
    MODEL(srv__search_ends, to, "to_id"), MODEL(srv__search_ends, sha, "sha")};
const model_noun srv__search_ends_model =
    MODEL_NOUN(srv__search_ends, search_ends_members, "ends of a search");

bool srv__bisection_ends(srv_store *store, int64_t alert, srv__search_ends *ends, bool *there,
                         GError **error) {
    return srv__one(store,
                    "SELECT w.project_id, w.from_id, w.to_id, n.sha FROM"
                    " (SELECT a.project_id," ENDS " WHERE a.id=$1) AS w"
                    " JOIN revision n ON n.id=w.to_id",
                    SRV__ARGS(SRV__I(alert)), &srv__search_ends_model, ends, there, error);
}

bool srv__bisection_commit_insert(srv_store *store, int64_t bisection, size_t place,
                                  int64_t revision, const char *state, GError **error) {
    return srv__run(store,
                    "INSERT INTO bisection_commit(bisection_id, place, revision_id, state)"
                    " VALUES($1,$2,$3,$4)",
                    SRV__ARGS(SRV__I(bisection), SRV__I(place), SRV__I(revision), SRV__T(state)),
                    NULL, error);
}

bool srv__bisection_insert(srv_store *store, int64_t alert, int64_t from_id, const char *failure,
                           int64_t now_ms, int64_t *id, GError **error) {
    return srv__insert(store,
                       "INSERT INTO bisection(alert_id, from_id, state, reason, started_ms,"
                       " finished_ms) VALUES($1,$2,$3,$4,$5,$6)"
                       " RETURNING id",
                       SRV__ARGS(SRV__I(alert), SRV__I(from_id),
                                 SRV__T(failure ? "failed" : "running"), SRV__T(failure),
                                 SRV__I(now_ms), SRV__ID(failure ? now_ms : 0)),
                       id, error) &&
           srv__run(store, "UPDATE alert SET searched=1 WHERE id=$1", SRV__ARGS(SRV__I(alert)),
                    NULL, error);
}

bool srv__bisection_of_alert(srv_store *store, int64_t alert, int64_t *bisection, GError **error) {
    return srv__number(store, "SELECT id FROM bisection WHERE alert_id=$1",
                       SRV__ARGS(SRV__I(alert)), 0, bisection, error);
}

bool srv__bisection_bounds(srv_store *store, int64_t bisection, srv__search_bounds *bounds,
                           GError **error) {
    static const model_member members[] = {
        MODEL(srv__search_bounds, alert, "alert_id"), MODEL(srv__search_bounds, from, "from_id"),
        MODEL(srv__search_bounds, low, "low"), MODEL(srv__search_bounds, high, "high")};
    static const model_noun noun = MODEL_NOUN(srv__search_bounds, members, "search");
    return srv__one(store,
                    "SELECT b.alert_id, b.from_id,"
                    " coalesce((SELECT max(c.place) FROM bisection_commit c"
                    "  WHERE c.bisection_id=b.id AND c.state='before'), -1) AS low,"
                    " (SELECT min(c.place) FROM bisection_commit c WHERE c.bisection_id=b.id"
                    "  AND c.state='after') AS high FROM bisection b WHERE b.id=$1",
                    SRV__ARGS(SRV__I(bisection)), &noun, bounds, NULL, error);
}

bool srv__bisection_middle(srv_store *store, int64_t bisection, int64_t low, int64_t high,
                           int64_t *place, int64_t *revision, GError **error) {
    g_autoptr(srv__query) query =
        srv__query_new(store,
                       "SELECT place, revision_id FROM bisection_commit WHERE bisection_id=$1"
                       " AND state='unknown' AND place>$2 AND place<$3"
                       " ORDER BY abs(2*place-$2-$3), place LIMIT 1",
                       SRV__ARGS(SRV__I(bisection), SRV__I(low), SRV__I(high)), error);
    if (!query)
        return false;
    *place = -1;
    const srv_db_step step = srv__query_next(query, error);
    if (step == SRV_DB_ROW) {
        *place = srv__query_int(query, 0);
        *revision = srv__query_int(query, 1);
    }
    return step != SRV_DB_ERROR;
}

bool srv__bisection_end(srv_store *store, int64_t bisection, const srv__bisection_result *result,
                        int64_t now_ms, GError **error) {
    return srv__run(store,
                    "UPDATE bisection SET state=$2, low=$3, high=$4, reason=$5, finished_ms=$6"
                    " WHERE id=$1",
                    SRV__ARGS(SRV__I(bisection), SRV__T(result->state), SRV__I(result->low),
                              SRV__I(result->high), SRV__T(result->reason), SRV__I(now_ms)),
                    NULL, error);
}

static const model_member search_members[] = {
    MODEL(srv__search_question, series, "series_id"),
    MODEL(srv__search_question, seen, "seen_experiment"),
    MODEL(srv__search_question, configuration, "configuration"),
    MODEL(srv__search_question, expected_ns, "expected"),
    MODEL(srv__search_question, node, "node", MODEL_NULL),
    MODEL(srv__search_question, body, "body")};
const model_noun srv__search_question_model =
    MODEL_NOUN(srv__search_question, search_members, "question of a search");

bool srv__bisection_question(srv_store *store, int64_t alert, srv__search_question *question,
                             GError **error) {
    return srv__one(store,
                    "SELECT a.series_id, a.seen_experiment, a.configuration,"
                    " a.difference_mean_ns AS expected, e.node, b.body AS \"body{\" FROM alert a"
                    " JOIN experiment e ON e.id=a.seen_experiment"
                    " JOIN benchmark b ON b.id=e.benchmark_id WHERE a.id=$1",
                    SRV__ARGS(SRV__I(alert)), &srv__search_question_model, question, NULL, error);
}

bool srv__bisection_commit_test(srv_store *store, int64_t bisection, int64_t place,
                                int64_t question, GError **error) {
    return srv__run(store,
                    "UPDATE bisection_commit SET state='testing', question_id=$3"
                    " WHERE bisection_id=$1 AND place=$2",
                    SRV__ARGS(SRV__I(bisection), SRV__I(place), SRV__I(question)), NULL, error);
}

bool srv__bisection_commits_settle(srv_store *store, int64_t trial, GError **error) {
    return srv__run(store,
                    "UPDATE bisection_commit SET state=(SELECT CASE q.state WHEN 'yes' THEN 'after'"
                    " WHEN 'no' THEN 'before' ELSE 'skipped' END FROM question q"
                    " WHERE q.id=bisection_commit.question_id) WHERE state='testing'"
                    " AND question_id IN (SELECT id FROM question WHERE trial_id=$1)",
                    SRV__ARGS(SRV__I(trial)), NULL, error);
}

bool srv__bisection_of_trial(srv_store *store, int64_t trial, int64_t *bisection, GError **error) {
    return srv__number(store,
                       "SELECT c.bisection_id FROM bisection_commit c"
                       " JOIN question q ON q.id=c.question_id WHERE q.trial_id=$1",
                       SRV__ARGS(SRV__I(trial)), 0, bisection, error);
}
