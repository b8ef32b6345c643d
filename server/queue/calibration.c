#include "server/queue/calibration.h"

#include "server/alarm/stranded.h"
#include "server/alarm/trial_queries.h"
#include "server/queue/calibration_queries.h"

#include <math.h>
#include <string.h>

#define DAY_MS (INT64_C(24) * 3600 * 1000)
#define SEEN_WITHIN_MS (INT64_C(3600) * 1000) /* a node that is away has no run queued */

static int64_t number_at(const json_t *row, const char *key) {
    return json_integer_value(json_object_get(row, key));
}

static const char *text_at(const json_t *row, const char *key) {
    return json_string_value(json_object_get(row, key));
}

/* The first runs in an environment come a day apart; one that failed is repeated in its turn. */
static bool is_due(const json_t *row, int64_t now_ms) {
    const bool failed = g_strcmp0(text_at(row, "last_state"), "failed") == 0;
    const bool few = number_at(row, "runs") < (int64_t)DET_CALIBRATION_RUNS;
    const int64_t every_ms = number_at(row, "every_ms");
    return number_at(row, "last_ms") + (few && !failed ? MIN(DAY_MS, every_ms) : every_ms) <=
           now_ms;
}

static bool queue(srv_store *store, const json_t *row, int64_t now_ms, GError **error) {
    g_autoptr(GDateTime) now = g_date_time_new_from_unix_utc(now_ms / 1000);
    g_autofree char *night = g_date_time_format(now, "%Y-%m-%d");
    const srv__calibration_run run = {.project = number_at(row, "project"),
                                      .revision = number_at(row, "revision"),
                                      .node = text_at(row, "node"),
                                      .night = night};
    int64_t job;
    srv__concerns(store, text_at(row, "name"));
    return srv__calibration_job_insert(store, &run, now_ms, &job, error) &&
           srv__event(store, SRV_EVENT_JOB, job);
}

/* Are any due? also: queue them. */
static bool look(srv_store *store, int64_t now_ms, bool *any, bool also, GError **error) {
    json_auto_t *rows = srv__calibrations_due(store, now_ms - SEEN_WITHIN_MS, now_ms, error);
    bool good = rows != NULL;
    size_t i;
    json_t *row;
    *any = false;
    json_array_foreach (rows, i, row)
        if (is_due(row, now_ms)) {
            *any = true;
            good = good && (!also || queue(store, row, now_ms, error));
        }
    return good;
}

/* A run that nobody waits for: nothing else is to be told. */
static bool forget(srv_store *store, int64_t job, const char *reason, int64_t now_ms,
                   GError **error) {
    (void)store;
    (void)job;
    (void)reason;
    (void)now_ms;
    (void)error;
    return true;
}

bool srv_calibrations_look(srv_store *store, int64_t now_ms, GError **error) {
    static const srv__stranded left = {
        .list = srv__calibration_jobs_left,
        .reason = "its node did not ask for work for three days, or the project's calibration was "
                  "switched off",
        .failed = forget};
    bool any;
    if (!srv__stranded_cancel(store, &left, now_ms, error) ||
        !look(store, now_ms, &any, false, error))
        return false;
    if (!any)
        return true;
    /* Again inside the transaction: another server may have done it. */
    return srv__begin(store, error) &&
           srv__end(store, look(store, now_ms, &any, true, error), error);
}

/* The runs of one node in one environment. */
typedef struct {
    const char *node;
    int64_t environment, third_ms; /* third_ms: when the third newest ended; 0: there is none */
    size_t runs;
    double *means; /* [DET_CALIBRATION_RUNS_MAX * configurations] */
} side;

static bool run_read(srv_store *store, const srv__tree *tree, int64_t experiment, double *means,
                     GError **error) {
    json_auto_t *rows = srv__calibration_means(store, experiment, error);
    for (size_t c = 0; c < tree->chain.count; c++) {
        size_t i;
        json_t *row;
        means[c] = NAN;
        json_array_foreach (rows, i, row) {
            const json_t *mean = json_object_get(row, "mean_ns");
            if (json_is_number(mean) && g_str_equal(tree->name[c], text_at(row, "name")))
                means[c] = json_number_value(mean);
        }
    }
    return rows != NULL;
}

/* environment 0: the node has measured nothing yet */
static bool side_read(srv_store *store, const srv__tree *tree, const json_t *runs, side *s,
                      GError **error) {
    size_t i;
    json_t *row;
    bool good = true;
    s->means = g_new(double, DET_CALIBRATION_RUNS_MAX * tree->chain.count);
    json_array_foreach (runs, i, row) {
        if (g_strcmp0(text_at(row, "node"), s->node) != 0)
            continue;
        if (s->environment == 0)
            s->environment = number_at(row, "environment");
        if (s->environment != number_at(row, "environment") || s->runs == DET_CALIBRATION_RUNS_MAX)
            continue;
        good = good && run_read(store, tree, number_at(row, "experiment"),
                                s->means + s->runs * tree->chain.count, error);
        if (++s->runs == DET_CALIBRATION_RUNS)
            s->third_ms = number_at(row, "finished_ms");
    }
    return good;
}

/* Of how many runs has this configuration a value? */
static size_t valued(const side *s, const srv__tree *tree, size_t c) {
    size_t count = 0;
    for (size_t run = 0; run < s->runs; run++)
        count += isnan(s->means[run * tree->chain.count + c]) ? 0 : 1;
    return count;
}

/* Runs enough, but a configuration failed in some of them. */
static char *gap_of(const side *from, const side *to, const srv__tree *tree) {
    const side *const sides[] = {from, to};
    for (size_t c = 0; c < tree->chain.count; c++)
        for (size_t i = 0; i < G_N_ELEMENTS(sides); i++) {
            const size_t count = valued(sides[i], tree, c);
            if (count < DET_CALIBRATION_RUNS)
                return g_strdup_printf("of %zu runs on %s only %zu have a value of the "
                                       "configuration %s; three are needed",
                                       sides[i]->runs, sides[i]->node, count, tree->name[c]);
        }
    return g_strdup("the values of a portion and of its parent come from different runs; three "
                    "runs with both are needed");
}

/* Why nothing is known; owned, NULL: all is. */
static char *problem_of(const side *from, const side *to, const json_t *node, det_status status,
                        const det_factor *factors, const srv__tree *tree) {
    const char *failed = text_at(node, "error");
    if (status == DET_ESHORT && failed)
        return g_strdup_printf("the reference commit could not be measured on %s: %s", to->node,
                               failed);
    if (status == DET_ESHORT && from->runs >= DET_CALIBRATION_RUNS &&
        to->runs >= DET_CALIBRATION_RUNS)
        return gap_of(from, to, tree);
    if (status == DET_ESHORT)
        return g_strdup_printf("runs that count so far, in the present environment of each: %zu on "
                               "%s, %zu on %s; three of each are needed",
                               from->runs, from->node, to->runs, to->node);
    if (status != DET_OK)
        return g_strdup("the runs hold numbers that cannot be compared");
    for (size_t c = 0; c < tree->chain.count; c++)
        if (!det_calibration_known(&factors[c], 1))
            return g_strdup_printf("%s has no factor: it may be 0 on one of the two nodes",
                                   tree->portion[c]);
    return NULL;
}

static bool portions_insert(srv_store *store, int64_t calibration, const srv__tree *tree,
                            const det_factor *factors, GError **error) {
    bool good = true;
    for (size_t c = 0; good && c < tree->chain.count; c++)
        good = srv__calibration_portion_insert(
            store, &(srv__calibration_place){calibration, c, tree->name[c], tree->portion[c]},
            &factors[c], error);
    return good;
}

/* What is the same for all nodes of a project. */
typedef struct {
    int64_t project, now_ms, limit_ms;
    const json_t *about, *runs;
    const srv__tree *tree;
    side usual;
} renewal;

static bool compare(srv_store *store, const renewal *r, const json_t *node, GError **error) {
    det_factor factors[DET_CONFIGURATIONS_MAX];
    side to = {.node = text_at(node, "name"), .environment = number_at(node, "environment")};
    int64_t id;
    const bool read = side_read(store, r->tree, r->runs, &to, error);
    g_autofree double *means = to.means;
    if (!read)
        return false;
    const double level =
        json_number_value(json_object_get(json_object_get(r->about, "detection"), "confidence"));
    const det_status status = det_calibration_of(factors, &r->tree->chain, r->usual.means,
                                                 r->usual.runs, to.means, to.runs, level);
    g_autofree char *problem = problem_of(&r->usual, &to, node, status, factors, r->tree);
    const bool both = r->usual.third_ms > 0 && to.third_ms > 0;
    const srv__calibration_row row = {
        .project = r->project,
        .benchmark = number_at(r->about, "benchmark"),
        .revision = number_at(r->about, "revision"),
        .from = r->usual.node,
        .to = to.node,
        .from_environment = r->usual.environment,
        .to_environment = to.environment,
        .from_runs = r->usual.runs,
        .to_runs = to.runs,
        .until_ms = both ? MIN(r->usual.third_ms, to.third_ms) + r->limit_ms : 0,
        .problem = problem};
    return srv__calibration_insert(store, &row, r->now_ms, &id, error) &&
           (status != DET_OK || portions_insert(store, id, r->tree, factors, error));
}

static bool compare_all(srv_store *store, renewal *r, GError **error) {
    json_auto_t *nodes =
        srv__calibration_nodes(store, r->project, text_at(r->about, "usual"), error);
    bool good = nodes && side_read(store, r->tree, r->runs, &r->usual, error);
    size_t i;
    json_t *node;
    json_array_foreach (nodes, i, node)
        good = good && compare(store, r, node, error);
    g_free(r->usual.means);
    return good;
}

bool srv__calibration_renew(srv_store *store, int64_t project, int64_t now_ms, GError **error) {
    json_auto_t *about = NULL;
    srv__tree tree;
    if (!srv__calibrations_drop(store, project, error) ||
        !srv__calibration_about(store, project, &about, error))
        return false;
    if (!about || json_is_null(json_object_get(about, "revision")) ||
        json_is_null(json_object_get(about, "environment")))
        return true;
    renewal r = {
        .project = project,
        .now_ms = now_ms,
        .limit_ms = number_at(about, "limit_ms"),
        .about = about,
        .tree = &tree,
        .usual = {.node = text_at(about, "usual"), .environment = number_at(about, "environment")}};
    json_auto_t *runs = srv__calibration_runs(store, project, about, now_ms - r.limit_ms, error);
    r.runs = runs;
    return runs && srv__tree_read(&tree, json_object_get(about, "body"), error) &&
           compare_all(store, &r, error);
}

bool srv__calibration_check(srv_store *store, int64_t project, int64_t now_ms, GError **error) {
    int64_t other;
    return srv__calibration_other(store, project, &other, error) &&
           (other == 0 || srv__calibration_renew(store, project, now_ms, error));
}
