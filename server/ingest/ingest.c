#include "server/ingest/ingest.h"

#include "config/json_text.h"
#include "server/alarm/explanation.h"
#include "server/alarm/series.h"
#include "server/alarm/trial.h"
#include "server/pull/pull.h"
#include "server/queue/queue_internal.h"
#include "server/result/result.h"
#include "server/store/job_kind.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/ingest.h"
#include "sql/queue.h"

#include <math.h>

/* A night that was measured, as its row; borrowed. */
typedef struct {
    const srv__night *night;
    const srv__result *result;
    int64_t environment, series;        /* keys; series 0: quarantined, or of a sweep */
    const det_interval *total, *median; /* response time of the night, of means and of medians */
} srv__experiment_row;

/* Remeasure is set where the project wants it and the node can. What failed before, or could not be
 * used, is no longer this commit's answer. */
static bool experiment_insert(srv_store *store, const srv__experiment_row *row, int64_t *id,
                              GError **error) {
    const srv__night *n = row->night;
    const srv__result *result = row->result;
    g_autofree char *detail = result->detail ? srv_json_canonical(result->detail) : NULL;
    return (!n->tried || srv__is_kind(n->kind, SRV_KIND_SWEEP) ||
            srv__nights_hide(store, n->revision, error)) &&
           srv__insert(store,
                       ASK(experiment_insert, n->project, n->job, n->benchmark, row->environment,
                           srv__arg_key(row->series), n->kind, n->night,
                           n->flaw ? "quarantined" : "measured", n->flaw, result->node,
                           result->started_ms, result->finished_ms, result->rounds, detail,
                           n->result_hash, n->revision, n->remeasure, n->level,
                           srv__is_kind(n->kind, SRV_KIND_SWEEP), SRV__RANGE(*row->total),
                           SRV__RANGE(*row->median)),
                       id, error) &&
           srv__night_count_add(store, *id, error);
}

static bool environment_find(srv_store *store, const char *hash, int64_t *id, GError **error) {
    return srv__number(store, ASK(environment_find, hash), 0, id, error);
}

/* Of an environment, which is kept where it is new. */
static bool environment_key(srv_store *store, const char *hash, const json_t *environment,
                            int64_t *id, GError **error) {
    if (!environment_find(store, hash, id, error))
        return false;
    if (*id != 0)
        return true;
    g_autofree char *body = srv_json_canonical(environment);
    return srv__run(store, ASK(environment_key, hash, body), error) &&
           environment_find(store, hash, id, error);
}

/* Two loops of an import that tell no more than their mean stand for an interval that the file has
 * (ci/formats/imported_lines.c), unless it says that they are the file's own. */
static bool is_stated(const srv__tree *tree, const srv__result *result, int configuration) {
    unsigned n = 0;
    if (configuration < 0 || !json_object_get(result->environment, "imported") ||
        cfg_json_has_word(json_object_get(result->detail, "loops"), tree->name[configuration]))
        return false;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (loop->configuration == (size_t)configuration && loop->used)
            n += loop->summary.n == 0 ? 1 : 3;
    }
    return n == 2;
}

/* Two loops of each that stand for the portions of a file differ as it says. */
static bool is_paired(const srv__result *result) {
    return cfg_json_true(result->detail, "paired");
}

/* Such loops are no sample, and were not paired. */
static void stated_join(srv__figures *out, const srv__tree *tree, const srv__result *result) {
    for (size_t i = 0; i < tree->chain.count; i++) {
        const int parent = tree->chain.parent[i];
        out->stated[i] = is_stated(tree, result, (int)i) || is_stated(tree, result, parent);
        if (out->stated[i] && parent >= 0 && !is_paired(result))
            (void)det_interval_difference(&out->mean.portion[i], &out->mean.configuration[parent],
                                          &out->mean.configuration[i]);
    }
}

/* Does it tell loops of a tool's file, which has a benchmark's one after the other? */
static bool is_of_file(const srv__result *result) {
    if (!json_object_get(result->environment, "imported") || is_paired(result))
        return false;
    for (guint i = 0; i < result->loops->len; i++) {
        const srv__loop *loop = &g_array_index(result->loops, srv__loop, i);
        if (loop->used && loop->summary.n > 0)
            return false;
    }
    return true;
}

/* Loops of a file are no rounds: with an empty one behind them nothing is paired. */
static det_status portions_of(det_portions *out, const srv__tree *tree, const srv__result *result,
                              bool medians, double level) {
    const size_t count = tree->chain.count, own = result->rounds;
    const size_t rounds = own + (is_of_file(result) && own < DET_LOOPS_MAX ? 1 : 0);
    g_autofree double *table = g_new(double, count *own), *wide = g_new(double, count *rounds);
    srv__result_values(result, count, medians, table);
    for (size_t i = 0; i < count * rounds; i++)
        wide[i] = i % rounds < own ? table[i / rounds * own + i % rounds] : NAN;
    return det_portions_of(out, &tree->chain, wide, rounds, level);
}

/* level: between 0 and 1. INVALID where they cannot be evaluated. */
static bool figures_of(srv__figures *out, const srv__tree *tree, const srv__result *result,
                       double level, GError **error) {
    out->level = level;
    det_status status = portions_of(&out->mean, tree, result, false, level);
    if (status == DET_OK) {
        stated_join(out, tree, result);
        status = portions_of(&out->median, tree, result, true, level);
    }
    return status == DET_OK || SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                                         "loops: cannot be evaluated: %s", det_status_text(status));
}

bool srv__night_store(srv_store *store, const srv__night *night, const srv__tree *tree,
                      const srv__result *result, int64_t now_ms, int64_t *experiment,
                      GError **error) {
    srv__experiment_row row = {.night = night, .result = result};
    srv__figures figures;
    const bool judged = !night->flaw && !srv__is_kind(night->kind, SRV_KIND_SWEEP);
    if (!figures_of(&figures, tree, result, night->level, error) ||
        !environment_key(store, result->environment_hash, result->environment, &row.environment,
                         error))
        return false;
    row.total = &figures.mean.configuration[tree->total];
    row.median = &figures.median.configuration[tree->total];
    return (!judged || srv__series_find(store, night->project, night->branch, night->lineage,
                                        row.environment, &row.series, error)) &&
           experiment_insert(store, &row, experiment, error) &&
           srv__rows_insert(store, *experiment, tree, result, &figures, night, error) &&
           (!judged || srv__series_add(store, row.series, *experiment, now_ms, error));
}

static bool rows_remove(srv_store *store, int64_t experiment, GError **error) {
    return srv__run(store, ASK(loops_remove, experiment), error) &&
           srv__run(store, ASK(configurations_remove, experiment), error) &&
           srv__run(store, ASK(portions_remove, experiment), error) &&
           srv__run(store, ASK(dimensions_remove, experiment), error);
}

bool srv__night_replace(srv_store *store, const srv__night *night, const srv__tree *tree,
                        const srv__result *result, int64_t experiment, int64_t series,
                        GError **error) {
    srv__figures figures;
    g_autofree char *detail = result->detail ? srv_json_canonical(result->detail) : NULL;
    if (!figures_of(&figures, tree, result, night->level, error))
        return false;
    const det_interval *total = &figures.mean.configuration[tree->total];
    const det_interval *median = &figures.median.configuration[tree->total];
    return srv__run(store,
                    ASK(experiment_replace, experiment, night->benchmark, srv__arg_key(series),
                        night->flaw ? "quarantined" : "measured", night->flaw, result->finished_ms,
                        result->rounds, detail, night->result_hash, night->level,
                        SRV__RANGE(*total), SRV__RANGE(*median)),
                    error) &&
           rows_remove(store, experiment, error) &&
           srv__rows_insert(store, experiment, tree, result, &figures, night, error);
}

/* What the database says about the job whose result came in. */
typedef struct {
    int64_t job, project, revision, benchmark, minimum_loops;
    double level;
    bool remeasure;
    char *name; /* of the project */
    char *kind, *node, *night, *branch, *commit, *before;
    json_t *body; /* of the benchmark */
} context;

static const model_member detection_members[] = {
    MODEL(context, minimum_loops, "minimum_loops", MODEL_LEFT_OUT),
    MODEL(context, level, "confidence", MODEL_LEFT_OUT),
    MODEL(context, remeasure, "remeasure", MODEL_LEFT_OUT)};
static const model_noun detection_noun = MODEL_NOUN(context, detection_members, "detection");

static const model_member context_members[] = {MODEL(context, name, "project"),
                                               MODEL(context, project, "project_id"),
                                               MODEL(context, revision, "revision_id"),
                                               MODEL(context, benchmark, "benchmark_id"),
                                               MODEL(context, kind, "kind"),
                                               MODEL_NULLS(context, night, node, branch),
                                               MODEL(context, body, "body"),
                                               MODEL_INSIDE(detection_noun, "detection"),
                                               MODEL(context, commit, "sha"),
                                               MODEL(context, before, "before", MODEL_NULL)};
static const model_noun context_noun = MODEL_NOUN(context, context_members, "job");

static void context_clear(context *c) {
    model_clear(&context_noun, c);
}

static bool context_load(srv_store *store, int64_t job, context *c, GError **error) {
    bool there;
    if (!srv__one(store, ASK(ingest_job, job), &context_noun, c, &there, error))
        return false;
    c->job = job;
    return there || SRV__NONE(error, "job", job);
}

static char *problem_of(const char *flaw, const char *gap) {
    if (flaw)
        return g_strdup_printf("The last result is quarantined: %s", flaw);
    return gap ? g_strdup_printf("The last result has a gap: %s", gap) : NULL;
}

static bool job_end(srv_store *store, const context *c, int64_t experiment, const char *problem,
                    int64_t now_ms, GError **error) {
    return srv__run(store, ASK(project_job_problem, c->project, problem), error) &&
           srv__run(store, ASK(node_seen_with, c->job, now_ms), error) &&
           srv__job_done(store, c->job, experiment, now_ms, error) &&
           srv__event(store, SRV_EVENT_NIGHT, experiment);
}

/* A result that has come in, and what has become of it. */
typedef struct {
    const json_t *body;
    const char *hash; /* of the body without its lease */
    int64_t job, now_ms;
    srv__tree tree;
    srv__result *result; /* owned; NULL: it has none, or */
    GError *malformed;   /* owned */
    int64_t experiment;  /* out: the night that it is, or that its trial is about */
    int64_t pull;        /* out: the pull request that it is of, instead; 0: of none */
    bool created;        /* out, false: it was there already */
    char *flaw;          /* out, owned: why it is quarantined, NULL: it is not */
} arrival;

/* Has the commit nights that were not measured? */
static bool ingest_tried(srv_store *store, int64_t revision, bool *tried, GError **error) {
    int64_t some;
    const bool good = srv__number(store, ASK(ingest_tried, revision), 0, &some, error);
    *tried = good && some != 0;
    return good;
}

static bool take_in(srv_store *store, const context *c, arrival *a, GError **error) {
    const srv__tree *tree = &a->tree;
    const srv__result *result = a->result;
    bool tried;
    if (!ingest_tried(store, c->revision, &tried, error))
        return false;
    g_autofree char *lineage = srv__lineage(store, c->project, c->benchmark, c->body, error);
    if (!lineage)
        return false;
    a->flaw = srv__result_flaw(result, tree, c->minimum_loops);
    const srv__night night = {.project = c->project,
                              .job = c->job,
                              .revision = c->revision,
                              .benchmark = c->benchmark,
                              .kind = c->kind,
                              .night = c->night,
                              .branch = c->branch,
                              .lineage = lineage,
                              .result_hash = a->hash,
                              .level = c->level,
                              .remeasure = c->remeasure,
                              .tried = tried,
                              .flaw = a->flaw};
    g_autofree char *gap = srv__result_gap(result, tree, c->minimum_loops);
    g_autofree char *problem = problem_of(a->flaw, gap);
    return srv__raw_check_rows(store, result, error) &&
           srv__night_store(store, &night, tree, result, a->now_ms, &a->experiment, error) &&
           job_end(store, c, a->experiment, problem, a->now_ms, error);
}

static bool trial_take_in(srv_store *store, const context *c, arrival *a, GError **error) {
    return srv__raw_check_rows(store, a->result, error) &&
           srv__number(store, ASK(trial_night, c->job), 0, &a->experiment, error) &&
           srv__run(store, ASK(node_seen_with, c->job, a->now_ms), error) &&
           srv__job_done(store, c->job, a->experiment, a->now_ms, error) &&
           srv__trial_take(store, c->job, a->result, a->hash, &a->tree, a->now_ms, error);
}

/* Of a pull request: no night either. */
static bool pull_take_in(srv_store *store, arrival *a, GError **error) {
    const srv__pull_result taken = {
        .job = a->job, .result = a->result, .tree = &a->tree, .hash = a->hash};
    return srv__raw_check_rows(store, a->result, error) &&
           srv__run(store, ASK(node_seen_with, a->job, a->now_ms), error) &&
           srv__job_done(store, a->job, 0, a->now_ms, error) &&
           srv__pull_take(store, &taken, a->now_ms, &a->pull, error);
}

/* Profiles: no night, nothing that is judged. */
static bool explain_take_in(srv_store *store, const char *lease, arrival *a, GError **error) {
    const srv__explanation_result result = {.job = a->job, .body = a->body, .hash = a->hash};
    if (!srv__explanation_there(store, &result, &a->experiment, error))
        return false;
    if (a->experiment != 0)
        return true;
    a->created = true;
    return srv_queue_holds(store, a->job, lease, error) &&
           srv__explanation_take(store, &result, a->now_ms, &a->experiment, error) &&
           srv__run(store, ASK(node_seen_with, a->job, a->now_ms), error) &&
           srv__job_done(store, a->job, a->experiment, a->now_ms, error);
}

typedef struct {
    int64_t id;
    char *hash, *state, *reason;
} earlier_result;

static const model_member earlier_members[] = {
    MODEL(earlier_result, id, "id"), MODEL(earlier_result, hash, "result_hash"),
    MODEL(earlier_result, state, "state"), MODEL(earlier_result, reason, "reason", MODEL_NULL)};
static const model_noun earlier_noun = MODEL_NOUN(earlier_result, earlier_members, "result");

/* A result that is there already: the same one is fine. Sets experiment, and flaw when it was
 * quarantined; experiment 0: there is none. */
static bool earlier(srv_store *store, arrival *a, GError **error) {
    MODEL_HELD(earlier_result, row, earlier_noun);
    bool there;
    if (!srv__one(store, ASK(ingest_earlier, a->job), &earlier_noun, &row, &there, error))
        return false;
    const bool same = !there || g_str_equal(row.hash, a->hash);
    if (!same)
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "job %" G_GINT64_FORMAT " already has another result; discard this one",
                    a->job);
    else if (there && g_str_equal(row.state, "quarantined"))
        a->flaw = g_strdup(row.reason);
    a->experiment = same ? row.id : a->experiment;
    return same;
}

/* Its series is made of the node's name: a result of another one would be another's night. */
static bool node_is_the_jobs(const context *c, const srv__result *result, GError **error) {
    if (!c->node || g_strcmp0(c->node, result->node) == 0)
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "node: the job was given to %s, the result says %s", c->node, result->node);
}

/* What needs no database is done first, while other transactions may go on. */
static void result_prepare(const context *c, arrival *a) {
    const srv__commits commits = {c->commit, c->before, false};
    if (!srv__is_kind(c->kind, SRV_KIND_EXPLAIN) &&
        srv__tree_read(&a->tree, c->body, &a->malformed))
        a->result = srv__result_read(a->body, &a->tree, commits, &a->malformed);
    if (a->result && !c->before) /* two commits are measured in turn, and lose no single loops */
        srv__result_leave_out(a->result, &a->tree, c->minimum_loops);
}

/* One that nobody has sent before. */
static bool take_new(srv_store *store, const context *c, arrival *a, GError **error) {
    a->created = true;
    if (!srv_queue_holds(store, a->job, cfg_json_word(a->body, "lease", NULL), error))
        return false;
    if (!a->result) {
        g_propagate_error(error, g_steal_pointer(&a->malformed));
        return false;
    }
    if (!node_is_the_jobs(c, a->result, error))
        return false;
    return srv__is_trial(c->kind)                 ? trial_take_in(store, c, a, error)
           : srv__is_kind(c->kind, SRV_KIND_PULL) ? pull_take_in(store, a, error)
                                                  : take_in(store, c, a, error);
}

static bool ingest(srv_store *store, const context *c, arrival *a, GError **error) {
    if (srv__is_kind(c->kind, SRV_KIND_EXPLAIN))
        return explain_take_in(store, cfg_json_word(a->body, "lease", NULL), a, error);
    if (!(srv__is_kind(c->kind, SRV_KIND_PULL)
              ? srv__pull_there(store, a->job, a->hash, &a->pull, error)
              : earlier(store, a, error)))
        return false;
    return a->experiment != 0 || a->pull != 0 || take_new(store, c, a, error);
}

/* The lease may be another one when a lost answer made the runner come again. */
static char *result_hash(json_t *body) {
    json_auto_t *copy = json_copy(body); /* not deep: nothing in it is changed */
    json_object_del(copy, "lease");
    return srv_json_hash(copy);
}

json_t *srv_ingest_result(srv_store *store, int64_t job, json_t *body, int64_t now_ms,
                          bool *created, GError **error) {
    *created = false;
    if (!json_is_object(body))
        return SRV__NULL(error, SRV_ERROR, SRV_ERROR_INVALID, "a result must be a JSON object");
    context c;
    if (!context_load(store, job, &c, error)) {
        context_clear(&c);
        return NULL;
    }
    g_autofree char *hash = result_hash(body);
    arrival a = {.body = body, .hash = hash, .job = job, .now_ms = now_ms};
    result_prepare(&c, &a);
    bool good = srv__begin_project(store, c.project, error);
    if (good)
        good = srv__end(store, ingest(store, &c, &a, error), error);
    context_clear(&c);
    srv__result_free(a.result);
    g_clear_error(&a.malformed);
    g_autofree char *flaw = a.flaw;
    if (!good)
        return NULL;
    *created = a.created;
    if (a.pull != 0)
        return json_pack("{s:I}", "pull_request", (json_int_t)a.pull);
    if (!flaw)
        return json_pack("{s:I}", "experiment", (json_int_t)a.experiment);
    return SRV__NULL(error, SRV_ERROR, SRV_ERROR_REJECTED,
                     "stored as experiment %" G_GINT64_FORMAT ", but quarantined: %s", a.experiment,
                     flaw);
}
