#include "server/alarm/trial_judge.h"

#include <math.h>
#include <stdlib.h>

bool srv__confirm_policy(srv_store *store, int64_t series, det_confirm_policy *policy,
                         GError **error) {
    json_t *row;
    det_confirm_policy_init(policy);
    if (!srv__object(store,
                     "SELECT p.detection AS \"detection{\" FROM series s"
                     " JOIN project p ON p.id=s.project_id WHERE s.id=$1",
                     SRV__ARGS(SRV__I(series)), &row, error))
        return false;
    /* Absent in the settings of a project that was stored by an older version. */
    json_int_t loops =
        json_integer_value(json_object_get(json_object_get(row, "detection"), "remeasure_loops"));
    json_decref(row);
    if (loops > 0)
        policy->maximum = (unsigned)loops;
    policy->step = MIN(policy->step, policy->maximum);
    return true;
}

static bool loop_insert(srv_store *store, int64_t trial, int64_t job, guint place,
                        const srv__loop *loop, const srv__tree *tree, GError **error) {
    char *summary = loop->summary_json ? json_dumps(loop->summary_json, JSON_COMPACT) : NULL;
    char *readings = loop->readings ? json_dumps(loop->readings, JSON_COMPACT) : NULL;
    bool good = srv__run(
        store,
        "INSERT INTO trial_loop(trial_id, job_id, place, configuration, side, loop, position,"
        " used, failed, seconds, mean_ns, summary, readings, raw_sha256)"
        " VALUES($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)",
        SRV__ARGS(SRV__I(trial), SRV__I(job), SRV__I(place),
                  SRV__T(tree->name[loop->configuration]), SRV__I(loop->side), SRV__I(loop->loop),
                  SRV__I(loop->order), SRV__I(loop->used), SRV__T(loop->failed),
                  SRV__D(loop->seconds), SRV__D(loop->failed ? NAN : loop->summary.mean),
                  SRV__T(summary), SRV__T(readings), SRV__T(loop->raw_sha256)),
        NULL, error);
    free(summary);
    free(readings);
    return good;
}

bool srv__trial_loops_insert(srv_store *store, int64_t trial, int64_t job,
                             const srv__result *result, const srv__tree *tree, GError **error) {
    for (guint i = 0; i < result->loops->len; i++)
        if (!loop_insert(store, trial, job, i, &g_array_index(result->loops, srv__loop, i), tree,
                         error))
            return false;
    return true;
}

/* Rounds in which both commits ran both configurations. */
typedef struct {
    GArray *column[4]; /* after, after_parent, before, before_parent: double */
    size_t of_job;     /* how many came with the newest job */
} rounds;

static void rounds_clear(rounds *r) {
    for (int i = 0; i < 4; i++)
        if (r->column[i])
            g_array_free(r->column[i], TRUE);
}

typedef struct {
    int64_t job, loop;
    double value[4];
} one_round;

static void round_keep(rounds *r, const one_round *now, bool has_parent, int64_t newest) {
    if (isnan(now->value[0]) || isnan(now->value[2]) ||
        (has_parent && (isnan(now->value[1]) || isnan(now->value[3]))))
        return;
    for (int i = 0; i < 4; i++)
        g_array_append_val(r->column[i], now->value[i]);
    r->of_job += now->job == newest;
}

static void round_begin(one_round *now, int64_t job, int64_t loop) {
    *now = (one_round){job, loop, {NAN, NAN, NAN, NAN}};
}

static bool rounds_load(srv_store *store, int64_t trial, int64_t job, const char *name,
                        const char *parent, rounds *r, GError **error) {
    *r = (rounds){.of_job = 0};
    for (int i = 0; i < 4; i++)
        r->column[i] = g_array_new(FALSE, FALSE, sizeof(double));
    g_autoptr(srv__query) query =
        srv__query_new(store,
                       "SELECT job_id, loop, configuration=$3, side, mean_ns FROM trial_loop"
                       " WHERE trial_id=$1 AND used=1 AND configuration IN ($2, $3)"
                       " ORDER BY job_id, loop",
                       SRV__ARGS(SRV__I(trial), SRV__T(name), SRV__T(parent ? parent : "")), error);
    if (!query)
        return false;
    GError *failure = NULL;
    one_round now;
    round_begin(&now, 0, 0);
    while (srv__query_next(query, &failure)) {
        int64_t of = srv__query_int(query, 0), loop = srv__query_int(query, 1);
        if (of != now.job || loop != now.loop) {
            round_keep(r, &now, parent != NULL, job);
            round_begin(&now, of, loop);
        }
        now.value[2 * srv__query_int(query, 3) + srv__query_int(query, 2)] =
            srv__query_real(query, 4);
    }
    round_keep(r, &now, parent != NULL, job);
    if (failure)
        g_propagate_error(error, failure);
    return !failure;
}

static const double *column(const rounds *r, int i) {
    return (const double *)(const void *)r->column[i]->data;
}

static bool answer_keep(srv_store *store, int64_t id, const det_confirm_result *result,
                        GError **error) {
    const char *state = result->state == DET_CONFIRM_YES  ? "yes"
                        : result->state == DET_CONFIRM_NO ? "no"
                                                          : "open";
    return srv__run(store,
                    "UPDATE question SET state=$2, loops=$3, evidence=$4, before_mean_ns=$5,"
                    " before_low_ns=$6, before_high_ns=$7, after_mean_ns=$8, after_low_ns=$9,"
                    " after_high_ns=$10, difference_mean_ns=$11, difference_low_ns=$12,"
                    " difference_high_ns=$13, reason=$14 WHERE id=$1",
                    SRV__ARGS(SRV__I(id), SRV__T(state), SRV__I(result->loops),
                              SRV__D(result->evidence), SRV__D(result->before.mean),
                              SRV__D(result->before.low), SRV__D(result->before.high),
                              SRV__D(result->after.mean), SRV__D(result->after.low),
                              SRV__D(result->after.high), SRV__D(result->difference.mean),
                              SRV__D(result->difference.low), SRV__D(result->difference.high),
                              SRV__T(result->reason)),
                    NULL, error);
}

static bool question_judge(srv_store *store, int64_t trial, int64_t job, const json_t *question,
                           const det_confirm_policy *policy, bool *open, bool *useless,
                           GError **error) {
    const char *parent = json_string_value(json_object_get(question, "parent"));
    rounds r;
    det_confirm_result result;
    bool good = rounds_load(store, trial, job,
                            json_string_value(json_object_get(question, "configuration")), parent,
                            &r, error);
    *useless = good && r.of_job == 0;
    *open = true;
    if (good) {
        const det_confirm_sample sample = {.before = column(&r, 2),
                                           .before_parent = parent ? column(&r, 3) : NULL,
                                           .after = column(&r, 0),
                                           .after_parent = parent ? column(&r, 1) : NULL,
                                           .loops = r.column[0]->len,
                                           .parent_loops = r.column[1]->len};
        det_status status = det_confirm_judge(
            &result, policy, json_string_value(json_object_get(question, "portion")),
            json_number_value(json_object_get(question, "expected_ns")), &sample,
            json_number_value(json_object_get(question, "confidence")));
        if (status == DET_OK) {
            *open = result.state == DET_CONFIRM_MORE;
            good = answer_keep(store, json_integer_value(json_object_get(question, "id")), &result,
                               error);
        } else if (status != DET_ESHORT) {
            g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "the detector failed: %s",
                        det_status_text(status));
            good = false;
        }
    }
    rounds_clear(&r);
    return good;
}

bool srv__trial_judge(srv_store *store, int64_t trial, int64_t job,
                      const det_confirm_policy *policy, size_t *open, size_t *useless,
                      GError **error) {
    *open = *useless = 0;
    json_t *questions =
        srv__array(store,
                   "SELECT q.id, q.configuration, q.parent, q.portion, q.expected_ns,"
                   " p.detection AS \"detection{\" FROM question q"
                   " JOIN trial t ON t.id=q.trial_id JOIN project p ON p.id=t.project_id"
                   " WHERE q.trial_id=$1 AND q.state='open'",
                   SRV__ARGS(SRV__I(trial)), error);
    if (!questions)
        return false;
    size_t i;
    json_t *question;
    bool good = true;
    json_array_foreach (questions, i, question) {
        bool is_open, is_useless;
        json_object_set(question, "confidence",
                        json_object_get(json_object_get(question, "detection"), "confidence"));
        good = good &&
               question_judge(store, trial, job, question, policy, &is_open, &is_useless, error);
        if (!good)
            break;
        *open += is_open;
        *useless += is_open && is_useless;
    }
    json_decref(questions);
    return good;
}
