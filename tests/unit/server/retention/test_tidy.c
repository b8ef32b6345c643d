/* Raw data, then artifacts' files, step by step, each looked at once in a pass. */
#include "kept.h"

#include "server/retention/tidy.h"
#include "server/store/gone.h"
#include "tests/unit/server/alarm/trials.h"

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
        assert_true(srv__gone_add(w->fix->store, SRV__GONE_ARTIFACTS, sha,
                                  w->fix->now_ms - SRV__GONE_AFTER_MS - 1, NULL));
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

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(a_pass_removes_both),
        TEST(files_that_are_left_begin_no_second_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
