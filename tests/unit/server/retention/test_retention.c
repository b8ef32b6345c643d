/* Raw data that go by a policy, step by step; what was computed from them stays. */
#include "server/retention/retention.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/server/alarm/trials.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/sql_text.h"
#include "tests/unit/test.h"

#include "kept.h"
#include "server/alarm/alerts.h"
#include "server/store/files.h"
#include "server/views/views.h"

#include <glib/gstdio.h>
#include <unistd.h>

static const cfg_storage a_day = {.keep_raw_days = 1};

/* All steps of a pass; how many removed something. */
static int pass(fixture *fix, const cfg_storage *policy, int64_t now_ms) {
    g_autoptr(GError) error = NULL;
    g_autoptr(srv_retention) retention = srv_retention_new(policy);
    int steps = 0;
    for (bool more = true; more; steps++)
        if (!retention_step(retention, fix->store, fix->raw, now_ms, &more, &error))
            fail_msg("%s", error->message);
    return steps;
}

static char *sha_of(fixture *fix, int64_t experiment) {
    GError *error = NULL;
    char *sha = srv_view_raw(fix->store, experiment, "none", 1, &error);
    assert_no_error(error);
    return sha;
}

static bool is_on_disk(fixture *fix, const char *sha) {
    uint64_t bytes;
    const int fd = srv__place_read(fix->raw, sha, &bytes, NULL);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* What a night shows, without what says where its raw data are. */
static char *figures(fixture *fix, int64_t experiment) {
    json_t *view = srv_view_experiment(fix->store, experiment, NULL), *configuration, *loop;
    size_t i, k;
    assert_non_null(view);
    json_object_del(view, "raw_removed");
    json_array_foreach (json_object_get(view, "configurations"), i, configuration)
        json_array_foreach (json_object_get(configuration, "loop_results"), k, loop) {
            json_object_del(json_object_get(loop, "raw"), "url");
            json_object_del(json_object_get(loop, "raw"), "calls_url");
        }
    char *text = json_dumps(view, JSON_COMPACT | JSON_SORT_KEYS);
    json_decref(view);
    return text;
}

static void what_is_old_goes_and_figures_stay(void **state) {
    fixture *fix = *state;
    const int64_t old = night(fix, 3, before);
    fix->now_ms += 2 * DAY_MS;
    const int64_t young = night(fix, 5, before);
    g_autofree char *sha = sha_of(fix, old), *shown = figures(fix, old);
    const int64_t now_ms = fix->now_ms + HOUR_MS;
    pass(fix, &a_day, now_ms);
    assert_false(has_raw(fix, old));
    assert_true(has_raw(fix, young));
    there(fix, JOB_FILES, JOB_FILES, 1);
    g_autofree char *now = figures(fix, old);
    assert_string_equal(now, shown);
    /* an hour later the files go */
    assert_true(is_on_disk(fix, sha));
    pass(fix, &a_day, now_ms + HOUR_MS);
    assert_true(is_on_disk(fix, sha));
    pass(fix, &a_day, now_ms + HOUR_MS + 1);
    assert_false(is_on_disk(fix, sha));
    there(fix, JOB_FILES, 0, 1);
}

static void a_night_says_that_its_raw_data_have_gone(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    const int64_t old = night(fix, 3, before), young = night(fix, 4, before);
    const cfg_storage budget = {.raw_budget_bytes = 1};
    pass(fix, &a_day, fix->now_ms + DAY_MS); /* the first is an hour older than the second */
    json_t *view = srv_view_experiment(fix->store, old, NULL);
    const json_t *removed = json_object_get(view, "raw_removed");
    assert_string_equal(text_of(removed, "rule"), "age");
    assert_int_equal(number_of(removed, "at_ms"), fix->now_ms + DAY_MS);
    assert_says(text_of(removed, "sentence"),
                "The raw data of this night were removed on 2013-04-18 by the server's policy "
                "(storage.keep_raw_days); what was computed from them stays.");
    const json_t *loop = json_array_get(
        json_object_get(json_array_get(json_object_get(view, "configurations"), 0), "loop_results"),
        0);
    assert_true(json_is_null(json_object_get(json_object_get(loop, "raw"), "url")));
    assert_non_null(text_of(json_object_get(loop, "raw"), "sha256"));
    json_decref(view);
    assert_null(srv_view_raw(fix->store, old, "none", 1, &error));
    assert_srv_error(error, GONE, "were removed on 2013-04-18");
    view = srv_view_experiment(fix->store, young, NULL);
    assert_true(json_is_null(json_object_get(view, "raw_removed")));
    json_decref(view);
    pass(fix, &budget, fix->now_ms + DAY_MS);
    assert_null(srv_view_raw(fix->store, young, "none", 1, &error));
    assert_srv_error(error, GONE, "(storage.raw_budget_bytes)");
}

static void without_a_policy_nothing_goes(void **state) {
    fixture *fix = *state;
    const cfg_storage none = {.keeps = {true, true, true}};
    night(fix, 3, before);
    assert_int_equal(pass(fix, &none, fix->now_ms + 10000 * DAY_MS), 2);
    there(fix, JOB_FILES, 0, 0);
}

static void the_first_of_each_month_stays(void **state) {
    static const struct {
        const char *date;
        bool stays;
    } nights[] = {{"2013-04-03", true}, {"2013-04-17", false}, {"2013-04-30", false},
                  {"2013-05-01", true}, {"2013-05-02", false}, {"2014-05-02", true}};
    fixture *fix = *state;
    const cfg_storage policy = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_FIRST_OF_MONTH] = true}};
    int64_t experiments[G_N_ELEMENTS(nights)];
    for (size_t i = 0; i < G_N_ELEMENTS(nights); i++)
        experiments[i] = fix_measure(fix, "kieker", (int)i + 1, nights[i].date, before);
    pass(fix, &policy, fix->now_ms + 2 * DAY_MS);
    for (size_t i = 0; i < G_N_ELEMENTS(nights); i++)
        if (has_raw(fix, experiments[i]) != nights[i].stays)
            fail_msg("%s", nights[i].date);
}

static void releases_stay_while_they_are_releases(void **state) {
    fixture *fix = *state;
    const cfg_storage policy = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_RELEASES] = true}};
    const int64_t release = night(fix, 3, before), other = night(fix, 4, before);
    const char *set = "UPDATE revision SET release=$1 WHERE sha=$2";
    assert_true(srv__run(fix->store, sql_text(set, "tt"), SRV__ARGS("v1.0", fix_sha(3)), NULL));
    pass(fix, &policy, fix->now_ms + 2 * DAY_MS);
    assert_true(has_raw(fix, release));
    assert_false(has_raw(fix, other));
    assert_true(srv__run(fix->store, sql_text(set, "tt"), SRV__ARGS(NULL, fix_sha(3)), NULL));
    pass(fix, &policy, fix->now_ms + 2 * DAY_MS);
    assert_false(has_raw(fix, release));
}

/* What people are to look at, and what was a real change; their trials, too. */
static void nights_and_trials_of_alerts_stay(void **state) {
    fixture *fix = *state;
    const cfg_storage keeps = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_ALERTS] = true}};
    const int64_t about = suspicious_night(fix);
    const int64_t now_ms = fix->now_ms + 2 * DAY_MS;
    pass(fix, &a_day, now_ms); /* while its trial waits */
    assert_true(has_raw(fix, about));
    there(fix, JOB_FILES, 6 * JOB_FILES, 6);
    run_trial(fix, before, after, about);
    assert_int_equal(alerts(fix), 1);
    const int64_t trials = counted(fix, "SELECT count(*) FROM raw");
    assert_true(trials > 0);
    assert_int_equal(alerts(fix), 1);
    pass(fix, &a_day, now_ms); /* open: in use */
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw"), trials);
    assert_true(srv_alert_set(fix->store, 1, "fixed", "ada", "done", now_ms, NULL));
    pass(fix, &keeps, now_ms);
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw"), trials);
    pass(fix, &a_day, now_ms);
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw"), 0);
}

static void of_a_false_alert_nothing_stays(void **state) {
    fixture *fix = *state;
    const cfg_storage keeps = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_ALERTS] = true}};
    const int64_t about = suspicious_night(fix);
    run_trial(fix, before, after, about);
    assert_true(srv_alert_set(fix->store, 1, "false", "ada", "noise", fix->now_ms, NULL));
    pass(fix, &keeps, fix->now_ms + 2 * DAY_MS);
    assert_int_equal(counted(fix, "SELECT count(*) FROM raw"), 0);
}

/* However old: its result is still to come. */
static void a_job_that_is_not_over_keeps_its_files(void **state) {
    fixture *fix = *state;
    fix_add(fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix);
    json_decref(fix_upload(fix, job_id(leased), text_of(leased, "lease"), 100));
    json_decref(leased);
    pass(fix, &a_day, fix->now_ms + 1000 * DAY_MS);
    there(fix, 1, 0, 0);
}

static void the_oldest_beyond_the_budget_go(void **state) {
    fixture *fix = *state;
    int64_t experiments[6];
    for (int i = 0; i < 6; i++)
        experiments[i] = night(fix, i + 1, before);
    const int64_t all = counted(fix, "SELECT CAST(sum(bytes) AS BIGINT) FROM raw");
    const cfg_storage policy = {.raw_budget_bytes = (uint64_t)all / 2 + 50,
                                .keeps = {[CFG_KEEP_FIRST_OF_MONTH] = true}};
    pass(fix, &policy, fix->now_ms);
    const int64_t rest = counted(fix, "SELECT CAST(sum(bytes) AS BIGINT) FROM raw");
    assert_true(rest <= (int64_t)policy.raw_budget_bytes);
    static const bool stays[] = {true, false, false, false, true, true}; /* the first is kept */
    for (int i = 0; i < 6; i++)
        assert_int_equal(has_raw(fix, experiments[i]), stays[i]);
    pass(fix, &policy, fix->now_ms);
    there(fix, 3 * JOB_FILES, 3 * JOB_FILES, 3);
}

/* The budget is of each. */
static void a_project_does_not_pay_for_another(void **state) {
    fixture *fix = *state;
    fix_sync(fix, "kieker", "otel", NULL);
    const int64_t small = fix_measure(fix, "otel", 1, "2013-04-01", before);
    for (int day = 1; day <= 4; day++)
        night(fix, day, before);
    const int64_t all = counted(fix, "SELECT CAST(sum(bytes) AS BIGINT) FROM raw");
    const cfg_storage policy = {.raw_budget_bytes = (uint64_t)all / 2};
    pass(fix, &policy, fix->now_ms);
    assert_true(has_raw(fix, small));
    assert_true(counted(fix, "SELECT count(*) FROM raw_job WHERE removed_ms IS NOT NULL") > 0);
}

/* Many nights: many steps, and each writes a bounded number of rows. */
static void a_step_is_small(void **state) {
    enum { NIGHTS = 20, JOBS_A_STEP = 16 };
    fixture *fix = *state;
    g_autoptr(srv_retention) retention = srv_retention_new(&a_day);
    bool more = true;
    int64_t rows = (int64_t)NIGHTS * JOB_FILES;
    for (int day = 1; day <= NIGHTS; day++)
        night(fix, day, before);
    while (more) {
        assert_true(
            retention_step(retention, fix->store, fix->raw, fix->now_ms + 9 * DAY_MS, &more, NULL));
        const int64_t left = counted(fix, "SELECT count(*) FROM raw");
        assert_in_range(rows - left, 0, JOBS_A_STEP * JOB_FILES);
        rows = left;
    }
    assert_int_equal(rows, 0);
    more = true;
    for (int steps = 0; more; steps++) {
        assert_true(retention_step(retention, fix->store, fix->raw, fix->now_ms + 10 * DAY_MS,
                                   &more, NULL));
        assert_in_range(steps, 0, 20);
    }
    there(fix, 0, 0, NIGHTS);
}

/* A file that cannot be removed is tried again, and nothing is forgotten. */
static void what_cannot_be_removed_is_tried_again(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_retention) retention = srv_retention_new(&a_day);
    const int64_t now_ms = fix->now_ms + 9 * DAY_MS;
    const int64_t old = night(fix, 3, before);
    g_autofree char *sha = sha_of(fix, old);
    g_autofree char *name = g_strconcat(sha + 2, ".csv.zst", NULL);
    g_autofree char *path = g_strdup_printf("%s/raw/%.2s/%s", fix->dir, sha, name);
    pass(fix, &a_day, now_ms);
    /* a folder in its place */
    assert_int_equal(g_unlink(path), 0);
    assert_int_equal(g_mkdir(path, 0700), 0);
    bool more = true, good = true;
    GError *error = NULL;
    for (int i = 0; i < 10 && good && more; i++)
        good = retention_step(retention, fix->store, fix->raw, now_ms + 2 * HOUR_MS, &more, &error);
    assert_false(good);
    assert_false(more);
    assert_srv_error(error, INTERNAL, "cannot remove");
    assert_true(counted(fix, "SELECT count(*) FROM gone") > 0);
    assert_int_equal(g_rmdir(path), 0);
    pass(fix, &a_day, now_ms + 2 * HOUR_MS);
    there(fix, 0, 0, 1);
}

/* Raw data, then artifacts' files, step by step, each looked at once in a pass. */

enum { FILES_OF_A_STEP = 50 };

typedef struct {
    fixture *fix;
    atomic_bool sweeping;
    cfg_storage policy;
    srv_tidy tidy;
} world;

static int tidy_setup(void **state) {
    world *w = g_new0(world, 1);
    w->fix = fix_new();
    fix_sync(w->fix, "kieker", NULL);
    g_autofree char *dir = g_build_filename(w->fix->dir, "artifacts", NULL);
    const srv_artifact_rules rules = {.limit_bytes = 100000, .quota_bytes = 1000000};
    atomic_init(&w->sweeping, false);
    w->policy = (cfg_storage){.keep_raw_days = 1};
    w->tidy = (srv_tidy){.retention = srv_retention_new(&w->policy),
                         .raw = w->fix->raw,
                         .artifacts = srv_artifacts_open(dir, &rules, NULL, w->fix->store, NULL),
                         .sweeping = &w->sweeping};
    assert_non_null(w->tidy.artifacts);
    *state = w;
    return 0;
}

static int tidy_teardown(void **state) {
    world *w = *state;
    srv_artifacts_close(w->tidy.artifacts);
    srv_retention_free(w->tidy.retention);
    fix_free(w->fix);
    g_free(w);
    return 0;
}

/* So many files that nobody names, and whose hour is over. */
static void gone(world *w, unsigned count) {
    assert_true(srv__begin(w->fix->store, NULL));
    for (unsigned i = 0; i < count; i++) {
        g_autofree char *text = g_strdup_printf("file %u", i);
        g_autofree char *sha = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
        assert_true(srv__removal_add(w->fix->store, SRV__REMOVAL_ARTIFACTS, sha,
                                     w->fix->now_ms - SRV__REMOVAL_AFTER_MS - 1, NULL));
    }
    assert_true(srv__end(w->fix->store, true, NULL));
}

static bool step(world *w) {
    g_autoptr(GError) error = NULL;
    bool more;
    if (!srv_tidy_step(&w->tidy, w->fix->store, w->fix->now_ms, &more, &error))
        fail_msg("%s", error->message);
    return more;
}

static void a_pass_removes_both(void **state) {
    world *w = *state;
    const int64_t old = night(w->fix, 3, before);
    w->fix->now_ms += 2 * DAY_MS;
    gone(w, 3);
    while (step(w))
        ;
    assert_false(has_raw(w->fix, old));
    assert_int_equal(counted(w->fix, "SELECT count(*) FROM gone WHERE folder='artifacts'"), 0);
}

/* Files for more than a step: the raw data are looked at again only in the next pass. */
static void files_that_are_left_begin_no_second_pass(void **state) {
    world *w = *state;
    gone(w, 2 * FILES_OF_A_STEP + 1);
    while (!atomic_load(&w->sweeping))
        assert_true(step(w));
    const int64_t old = night(w->fix, 3, before);
    w->fix->now_ms += 2 * DAY_MS;
    assert_true(step(w));
    assert_int_equal(counted(w->fix, "SELECT count(*) FROM gone WHERE folder='artifacts'"), 1);
    assert_false(step(w));
    assert_int_equal(counted(w->fix, "SELECT count(*) FROM gone WHERE folder='artifacts'"), 0);
    assert_true(has_raw(w->fix, old));
    while (step(w))
        ;
    assert_false(has_raw(w->fix, old));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tidy_setup, tidy_teardown)

/* What of a project's raw data goes: by age, by budget, and never what is kept or in use. */

#define DAY_MS INT64_C(86400000)
#define NOW_MS (1000 * DAY_MS)

/* A job so many days old. */
static fate_of_raw judged(raw_plan *plan, int64_t days, const char *kept) {
    raw_job job = {.job = 7,
                   .files = 2,
                   .bytes = 100,
                   .stored_ms = NOW_MS - days * DAY_MS,
                   .in_use = g_str_equal(kept, "in_use")};
    for (unsigned keep = 0; keep < CFG_KEEP_COUNT; keep++)
        job.kept[keep] = g_str_equal(kept, cfg_keep_words[keep]);
    const fate_of_raw fate = plan_judge(plan, &job);
    assert_int_equal(plan->place.job, 7);
    assert_int_equal(plan->place.stored_ms, NOW_MS - days * DAY_MS);
    return fate;
}

static void age_counts_in_whole_days_and_more(void **state) {
    const cfg_storage policy = {.keep_raw_days = 10};
    raw_plan plan = {.policy = &policy, .now_ms = NOW_MS, .bytes = 1000};
    (void)state;
    assert_int_equal(judged(&plan, 11, ""), FATE_AGE);
    assert_int_equal(plan.bytes, 900);
    assert_false(plan_ended(&plan));
    assert_int_equal(judged(&plan, 10, ""), FATE_YOUNG);
    assert_int_equal(plan.bytes, 900);
    assert_true(plan_ended(&plan));
}

static void without_days_and_budget_nothing_goes(void **state) {
    const cfg_storage policy = {.keep_raw_days = 0};
    raw_plan plan = {.policy = &policy, .now_ms = NOW_MS, .bytes = INT64_MAX};
    (void)state;
    assert_int_equal(judged(&plan, 999, ""), FATE_YOUNG);
    assert_true(plan_ended(&plan));
}

/* The oldest go until the rest fits. */
static void what_is_beyond_the_budget_goes(void **state) {
    const cfg_storage policy = {.raw_budget_bytes = 250};
    raw_plan plan = {.policy = &policy, .now_ms = NOW_MS, .bytes = 400};
    (void)state;
    assert_int_equal(judged(&plan, 3, ""), FATE_BUDGET);
    assert_false(plan_ended(&plan));
    assert_int_equal(judged(&plan, 2, ""), FATE_BUDGET);
    assert_int_equal(judged(&plan, 1, ""), FATE_YOUNG);
    assert_int_equal(plan.bytes, 200);
    assert_true(plan_ended(&plan));
}

/* What is kept is so by its word in the policy; what is in use always is. */
static void what_is_kept_stays(void **state) {
    static const fate_of_raw fates[CFG_KEEP_COUNT] = {FATE_ALERTS, FATE_RELEASES,
                                                      FATE_FIRST_OF_MONTH};
    (void)state;
    for (unsigned keep = 0; keep < CFG_KEEP_COUNT; keep++) {
        cfg_storage policy = {.keep_raw_days = 1, .raw_budget_bytes = 1};
        raw_plan plan = {.policy = &policy, .now_ms = NOW_MS, .bytes = 400};
        assert_int_equal(judged(&plan, 3, cfg_keep_words[keep]), FATE_AGE);
        assert_int_equal(judged(&plan, 3, "in_use"), FATE_IN_USE);
        policy.keeps[keep] = true;
        assert_int_equal(judged(&plan, 3, cfg_keep_words[keep]), fates[keep]);
        assert_int_equal(judged(&plan, 0, cfg_keep_words[keep]), fates[keep]);
        assert_int_equal(judged(&plan, 0, ""), FATE_BUDGET);
    }
}

static void each_fate_has_a_word(void **state) {
    (void)state;
    for (fate_of_raw fate = 0; fate < FATE_COUNT; fate++)
        assert_non_null(fate_words[fate]);
    assert_true(fate_goes(FATE_AGE) && fate_goes(FATE_BUDGET));
    assert_false(fate_goes(FATE_FIRST_OF_MONTH) || fate_goes(FATE_YOUNG));
}

/* What a policy would keep and remove, told beforehand; nothing is removed by it. */

static const double means[4] = {70, 470, 1600, 3200};

static GArray *report(fixture *fix, const cfg_storage *policy, int64_t now_ms) {
    GError *error = NULL;
    GArray *all = sums_read(fix->store, policy, now_ms, &error);
    assert_no_error(error);
    return all;
}

static const project_sums *first(const GArray *all) {
    assert_true(all->len > 0);
    return &g_array_index(all, project_sums, 0);
}

static void sums(const GArray *all, fate_of_raw fate, int64_t jobs) {
    const raw_sums *found = &first(all)->fate[fate];
    assert_int_equal(found->jobs, jobs);
    assert_int_equal(found->files, jobs * JOB_FILES);
    assert_true((found->bytes > 0) == (jobs > 0));
}

static void without_raw_data_there_is_nothing_to_say(void **state) {
    fixture *fix = *state;
    const cfg_storage none = {.keep_raw_days = 0};
    GArray *all = report(fix, &none, fix->now_ms);
    assert_int_equal(all->len, 0);
    g_autofree char *text = sums_text(all);
    assert_string_equal(text, "project\traw data\tjobs\tfiles\tbytes\n");
    g_array_unref(all);
}

static void it_says_what_a_pass_does_then(void **state) {
    fixture *fix = *state;
    const cfg_storage policy = {.keep_raw_days = 1, .keeps = {[CFG_KEEP_FIRST_OF_MONTH] = true}};
    fix_nights(fix, "kieker", 1, 4, means);
    fix->now_ms += 2 * DAY_MS;
    fix_nights(fix, "kieker", 5, 5, means);
    GArray *all = report(fix, &policy, fix->now_ms);
    assert_string_equal(first(all)->project, "kieker");
    sums(all, FATE_FIRST_OF_MONTH, 1);
    sums(all, FATE_YOUNG, 1);
    sums(all, FATE_AGE, 3);
    sums(all, FATE_BUDGET, 0);
    g_autofree char *text = sums_text(all);
    assert_says(text, "kieker\tstays: first of its month\t1\t17\t");
    assert_says(text, "kieker\tgoes: too old\t3\t51\t");
    assert_says(text, "kieker\tremoved before\t0\t0\t0\n");
    g_array_unref(all);
    there(fix, 5 * JOB_FILES, 0, 0);
    pass(fix, &policy, fix->now_ms);
    there(fix, 2 * JOB_FILES, 3 * JOB_FILES, 3);
    all = report(fix, &policy, fix->now_ms);
    const raw_sums *removed = &first(all)->removed;
    assert_int_equal(removed->jobs, 3);
    assert_int_equal(removed->files, 3 * JOB_FILES);
    assert_true(removed->bytes > 0);
    sums(all, FATE_AGE, 0);
    g_array_unref(all);
}

static void a_budget_is_told_likewise(void **state) {
    fixture *fix = *state;
    const cfg_storage policy = {.raw_budget_bytes = 1};
    fix_nights(fix, "kieker", 1, 2, means);
    GArray *all = report(fix, &policy, fix->now_ms);
    sums(all, FATE_BUDGET, 2);
    g_autofree char *text = sums_text(all);
    assert_says(text, "kieker\tgoes: over the budget\t2\t34\t");
    g_array_unref(all);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
    const struct CMUnitTest tests[] = {
        CASE(what_is_old_goes_and_figures_stay),
        CASE(a_night_says_that_its_raw_data_have_gone),
        CASE(without_a_policy_nothing_goes),
        CASE(the_first_of_each_month_stays),
        CASE(releases_stay_while_they_are_releases),
        CASE(nights_and_trials_of_alerts_stay),
        CASE(of_a_false_alert_nothing_stays),
        CASE(a_job_that_is_not_over_keeps_its_files),
        CASE(the_oldest_beyond_the_budget_go),
        CASE(a_project_does_not_pay_for_another),
        CASE(a_step_is_small),
        CASE(what_cannot_be_removed_is_tried_again),

        TEST(a_pass_removes_both),
        TEST(files_that_are_left_begin_no_second_pass),

        cmocka_unit_test(age_counts_in_whole_days_and_more),
        cmocka_unit_test(without_days_and_budget_nothing_goes),
        cmocka_unit_test(what_is_beyond_the_budget_goes),
        cmocka_unit_test(what_is_kept_stays),
        cmocka_unit_test(each_fate_has_a_word),

        FIX_TEST(without_raw_data_there_is_nothing_to_say),
        FIX_TEST(it_says_what_a_pass_does_then),
        FIX_TEST(a_budget_is_told_likewise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
