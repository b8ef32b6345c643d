#include "server/pull/pull_batch.h"

#include "server/alarm/trial.h"
#include "server/git/nights.h"
#include "server/pull/pull_rows.h"
#include "server/store/kinds.h"
#include "server/store/projects.h"
#include "sql/pull.h"

#include <math.h>

#define DAY_MS INT64_C(86400000)

static double real_of(const json_t *row, const char *key) {
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : 0;
}

int64_t srv__pull_rounds_next(const srv__pull_pace *pace) {
    const bool first = pace->rounds == 0;
    const double wanted = first ? SRV__PULL_FIRST : ceil((double)pace->rounds / 2);
    const double time_s = first ? pace->left_s / 2 : pace->left_s;
    const double allowed = pace->round_s > 0 ? floor(time_s / pace->round_s) : wanted;
    const double rounds = fmin(fmin(wanted, allowed), SRV__PULL_MOST);
    /* Whatever is known of the time is a guess before the first round: one look must be tried. */
    if (first)
        return (int64_t)fmax(rounds, SRV__PULL_LEAST);
    return rounds >= SRV__PULL_LEAST && pace->left_s > 0 ? (int64_t)rounds : 0;
}

/* After the first job what a loop took is known, building and waiting for the machine included. */
static srv__pull_pace pace_of(const json_t *row, size_t configurations) {
    const double spent_s = real_of(row, "spent_ms") / 1000;
    const double loop_s = real_of(row, "loop_seconds"), loops = real_of(row, "loops");
    srv__pull_pace pace = {.left_s = 60 * real_of(row, "minutes") - spent_s,
                           .rounds = json_integer_value(json_object_get(row, "rounds"))};
    const json_t *body = json_object_get(row, "body");
    if (loops > 0)
        pace.round_s = 2 * (double)configurations * spent_s / loops;
    else if (loop_s > 0)
        pace.round_s = 2 * (double)configurations *
                       (loop_s + fmin(real_of(body, "rest_seconds"), loop_s / 10));
    return pace;
}

bool srv__pull_batch(srv_store *store, int64_t pull, int64_t now_ms, bool *queued, GError **error) {
    json_auto_t *row = NULL;
    int64_t benchmark, job;
    char night[11];
    if (!srv__object(store, SQL(pull_about), SRV__ARGS(SRV__I(pull)), &row, error))
        return false;
    g_autoptr(GHashTable) names =
        srv__words(store, SQL(pull_names_open), SRV__ARGS(SRV__I(pull)), error);
    if (!names)
        return false;
    const srv__pull_pace pace = pace_of(row, g_hash_table_size(names));
    const int64_t rounds = srv__pull_rounds_next(&pace);
    *queued = rounds > 0;
    if (!*queued)
        return true;
    json_t *body = json_object_get(row, "body");
    srv__benchmark_restrict(body, names, (unsigned)rounds);
    json_object_set_new(body, "budget_minutes", json_integer(0));
    srv__rest_shorten(body, real_of(row, "loop_seconds"));
    srv__count_not(body); /* its minutes are for measuring */
    srv_nights_date(now_ms / DAY_MS, night);
    return srv__benchmark_keep(store, body, &benchmark, error) &&
           srv__insert(
               store, SQL(pull_job_insert),
               SRV__ARGS(SRV__I(pull), SRV__I(benchmark), SRV__T(srv__kind_name(SRV_KIND_PULL)),
                         SRV__I(srv__priority(SRV_KIND_PULL)), SRV__T(night), SRV__I(now_ms)),
               &job, error) &&
           srv__pull_job_note(store, job, pull, rounds, error) &&
           srv__event(store, SRV_EVENT_JOB, job);
}
