#include "server/alarm/trial.h"
#include "server/ground/clock.h"
#include "server/pull/pull.h"
#include "server/store/job_kind.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/pull.h"

#include <math.h>

/* What its next job is made from. */
typedef struct {
    double minutes, loop_s; /* loop_s 0: nobody knows */
    int64_t spent_ms, rounds, loops;
    json_t *body;
} facts;

static const model_member facts_members[] = {
    MODELS(facts, minutes, body), MODEL_NULLS(facts, spent_ms, rounds),
    MODEL(facts, loops, "loops"), MODEL(facts, loop_s, "loop_seconds", MODEL_NULL)};
static const model_noun facts_noun = MODEL_NOUN(facts, facts_members, "pull request");

/* What is known of the time a round takes. */
typedef struct {
    double left_s;  /* of the project's minutes */
    double round_s; /* a loop of each wanted configuration and commit; 0: unknown */
    int64_t rounds; /* measured so far */
} pull_pace;

enum { FIRST = 10, LEAST = 3, MOST = 200 };

/* Half as many rounds as were measured so far, so that looks are few, no more than the time left
 * allows; the first job tries FIRST, or what half of the time allows. 0: the time is spent. */
static int64_t pull_rounds_next(const pull_pace *pace) {
    const bool first = pace->rounds == 0;
    const double wanted = first ? FIRST : ceil((double)pace->rounds / 2);
    const double time_s = first ? pace->left_s / 2 : pace->left_s;
    const double allowed = pace->round_s > 0 ? floor(time_s / pace->round_s) : wanted;
    const double rounds = fmin(fmin(wanted, allowed), MOST);
    /* Whatever is known of the time is a guess before the first round: one look must be tried. */
    if (first)
        return (int64_t)fmax(rounds, LEAST);
    return rounds >= LEAST && pace->left_s > 0 ? (int64_t)rounds : 0;
}

/* After the first job what a loop took is known, building and waiting for the machine included. */
static pull_pace pace_of(const facts *f, size_t configurations) {
    const double spent_s = (double)f->spent_ms / 1000;
    const double rest_s = json_number_value(json_object_get(f->body, "rest_seconds"));
    pull_pace pace = {.left_s = 60 * f->minutes - spent_s, .rounds = f->rounds};
    if (f->loops > 0)
        pace.round_s = 2 * (double)configurations * spent_s / (double)f->loops;
    else if (f->loop_s > 0)
        pace.round_s = 2 * (double)configurations * (f->loop_s + fmin(rest_s, f->loop_s / 10));
    return pace;
}

static bool pull_job_note(srv_store *store, int64_t job, int64_t pull, int64_t rounds,
                          GError **error) {
    return srv__run(store, ASK(pull_job_note, job, pull, rounds), error) &&
           srv__run(store, ASK(pull_started, pull), error);
}

static bool batch(srv_store *store, int64_t pull, const facts *f, int64_t now_ms, bool *queued,
                  GError **error) {
    int64_t benchmark, job;
    char night[11];
    g_autoptr(GHashTable) names = srv__words(store, ASK(pull_names_open, pull), error);
    if (!names)
        return false;
    const pull_pace pace = pace_of(f, g_hash_table_size(names));
    const int64_t rounds = pull_rounds_next(&pace);
    *queued = rounds > 0;
    if (!*queued)
        return true;
    json_t *body = f->body;
    srv__benchmark_restrict(body, names, (unsigned)rounds);
    json_object_set_new(body, "budget_minutes", json_integer(0));
    srv__rest_shorten(body, f->loop_s);
    srv__count_not(body); /* its minutes are for measuring */
    srv_day_text(now_ms / SRV_DAY_MS, night);
    return srv__benchmark_keep(store, body, &benchmark, error) &&
           srv__insert(store,
                       ASK(pull_job_insert, pull, benchmark, srv__kind_name(SRV_KIND_PULL),
                           srv__priority(SRV_KIND_PULL), night, now_ms),
                       &job, error) &&
           pull_job_note(store, job, pull, rounds, error) && srv__event(store, SRV_EVENT_JOB, job);
}

bool srv__pull_batch(srv_store *store, int64_t pull, int64_t now_ms, bool *queued, GError **error) {
    MODEL_HELD(facts, f, facts_noun);
    return srv__one(store, ASK(pull_about, pull), &facts_noun, &f, NULL, error) &&
           batch(store, pull, &f, now_ms, queued, error);
}

#define MINUTE_MS 60000.0

/* Of what stays the same all day, so that it is written and told once. */
static char *reason_of(const cfg_project *project, double wanted_ms, int64_t day) {
    char tomorrow[11];
    srv_day_text(day + 1, tomorrow);
    return g_strdup_printf("it needs %g minutes, more than is left of today's %g for pull "
                           "requests of %s; it starts when there is room, or on %s (UTC)",
                           wanted_ms / MINUTE_MS, project->pull_requests.minutes_a_day,
                           project->name, tomorrow);
}

/* Why one that waits is not begun; NULL: it may. changed: out, the reason is a
 * new one. */
static bool pull_waits(srv_store *store, int64_t pull, const char *reason, bool *changed,
                       GError **error) {
    int64_t rows = 0;
    const bool good = srv__change(store, ASK(pull_waits, pull, reason), &rows, error);
    *changed = rows > 0;
    return good;
}

static bool tell(srv_store *store, int64_t pull, const char *reason, GError **error) {
    bool changed;
    return pull_waits(store, pull, reason, &changed, error) &&
           (!changed || srv__event(store, SRV_EVENT_PULL, pull));
}

/* Why one waits, NULL: it need not. A poll that finds the same as the last one writes nothing. */
static bool explain(srv_store *store, int64_t pull, const char *before, const char *reason,
                    GError **error) {
    return g_strcmp0(before, reason) == 0 ||
           (srv__begin(store, error) && srv__end(store, tell(store, pull, reason, error), error));
}

typedef struct {
    double minutes; /* that it may take */
    char *reason;   /* why it waits; NULL: it does not */
} wish;

static const model_member wish_members[] = {MODEL(wish, minutes, "minutes"),
                                            MODEL(wish, reason, "reason", MODEL_NULL)};
static const model_noun wish_noun = MODEL_NOUN(wish, wish_members, "pull request");

static bool look(srv_store *store, const cfg_project *project, int64_t pull, int64_t now_ms,
                 const wish *row, bool *may, GError **error) {
    const int64_t day = now_ms / SRV_DAY_MS;
    const double wanted_ms = row->minutes * MINUTE_MS;
    const double bound_ms = project->pull_requests.minutes_a_day * MINUTE_MS;
    int64_t charged_ms = 0;
    if (bound_ms > 0 &&
        !srv__number(store, ASK(pulls_charged, pull, day * SRV_DAY_MS), 0, &charged_ms, error))
        return false;
    *may = charged_ms == 0 || (double)charged_ms + wanted_ms <= bound_ms;
    g_autofree char *reason = *may ? NULL : reason_of(project, wanted_ms, day);
    return explain(store, pull, row->reason, reason, error);
}

bool srv_pull_today(srv_store *store, const cfg_project *project, int64_t pull, int64_t now_ms,
                    bool *may, GError **error) {
    MODEL_HELD(wish, row, wish_noun);
    bool there;
    return srv__one(store, ASK(pull_wish, pull), &wish_noun, &row, &there, error) &&
           look(store, project, pull, now_ms, &row, may, error);
}
