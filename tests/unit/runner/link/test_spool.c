#include "tests/unit/runner/test.h"

#include "runner/ground/durable.h"
#include "runner/link/spool.h"
#include "runner/loop/loop.h"

#include "tests/unit/runner/link/raw.h"

#include <sys/stat.h>
#include <unistd.h>

static json_t *make_head(int id) {
    return json_pack("{s:{s:i}, s:s, s:i}", "job", "id", id, "lease", "l", "started_ms", 1);
}

static run_spool *make_spool(const char *work, int id) {
    json_t *head = make_head(id);
    run_spool *spool = run_spool_create(work, id, head, NULL);
    json_decref(head);
    assert_non_null(spool);
    return spool;
}

static void add_loop(run_spool *spool, unsigned number, bool failed) {
    g_autofree char *text = g_strdup_printf("1;%u\n1;200\n", number);
    run_loop *loop = run_loop_new("none", NULL, number);
    loop->failed = failed ? g_strdup("exit status 1") : NULL;
    assert_true(run_spool_add(spool, loop, raw_of(spool, failed ? NULL : text), NULL));
}

static char *file_of(const char *work, const char *name) {
    return g_build_filename(work, "spool", "job-7", name, NULL);
}

static void test_comes_back_as_it_was(void **state) {
    run_spool *spool = make_spool(*state, 7);
    add_loop(spool, 1, false);
    add_loop(spool, 2, true);
    add_loop(spool, 3, false);
    run_spool_head(spool)->prepared = json_true();
    assert_true(run_spool_update(spool, NULL));
    json_t *loops = run_loops_json(run_spool_loops(spool));
    run_spool_free(spool);
    g_autoptr(GArray) ids = run_spool_list(*state);
    assert_int_equal(ids->len, 1);
    assert_int_equal(g_array_index(ids, int64_t, 0), 7);
    spool = run_spool_open(*state, 7, NULL);
    json_t *again = run_loops_json(run_spool_loops(spool));
    assert_true(json_equal(again, loops));
    json_decref(again);
    assert_true(json_is_true(run_spool_head(spool)->prepared));
    g_autofree char *raw = run_spool_raw_path(spool, 2);
    const run_durable_raw *kept = &run_loops_at(run_spool_loops(spool), 2)->raw;
    assert_true(run_durable_check(raw, kept->sha256));
    assert_int_equal(kept->uncompressed_bytes, 10);
    json_decref(loops);
    assert_true(run_spool_drop(spool, NULL));
    run_spool_free(spool);
    ids->len = 0;
    g_autoptr(GArray) none = run_spool_list(*state);
    assert_int_equal(none->len, 0);
}

/* Each way in which a kill or a bad disk can leave a loop behind: that loop goes, others stay. */
static void test_damage(void **state) {
    const struct {
        const char *name, *text; /* text NULL: the file is removed */
        size_t left;
    } cases[] = {{"2.csv.zst", "short", 2},    {"2.csv.zst", NULL, 2},  {"2.json", "{\"conf", 2},
                 {"2.json", NULL, 2},          {"2.json", "{}", 2},     {"2.json", "[]", 2},
                 {"4.csv.zst", "raw only", 3}, {"4.json.new", "{}", 3}, {"x.json", "{}", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_spool *spool = make_spool(*state, 7);
        for (unsigned n = 1; n <= 3; n++)
            add_loop(spool, n, false);
        run_spool_free(spool);
        g_autofree char *path = file_of(*state, cases[i].name);
        assert_true(!cases[i].text ? unlink(path) == 0
                                   : g_file_set_contents(path, cases[i].text, -1, NULL));
        spool = run_spool_open(*state, 7, NULL);
        assert_int_equal(run_spool_loops(spool)->len, cases[i].left);
        add_loop(spool, 9, false); /* and one can go on from there */
        run_spool_free(spool);
        spool = run_spool_open(*state, 7, NULL);
        assert_int_equal(run_spool_loops(spool)->len, cases[i].left + 1);
        assert_true(run_spool_drop(spool, NULL));
        run_spool_free(spool);
    }
}

static void test_damaged_head(void **state) {
    run_spool_free(make_spool(*state, 7));
    g_autofree char *path = file_of(*state, "job.json");
    assert_true(g_file_set_contents(path, "{\"job\":", -1, NULL));
    GError *problem = NULL;
    assert_null(run_spool_open(*state, 7, &problem));
    assert_error(problem, RUN_ERROR_NODE, "damaged");
    assert_null(run_spool_open(*state, 8, &problem));
    assert_error(problem, RUN_ERROR_NODE, "damaged");
    assert_true(g_file_set_contents(path, "{\"job\":{\"id\":\"7\"}}", -1, NULL));
    assert_null(run_spool_open(*state, 7, &problem));
    assert_error(problem, RUN_ERROR_NODE, "job.json: \"job.id\" must be a whole number from 1");
}

static void test_forget_loops(void **state) {
    run_spool *spool = make_spool(*state, 7);
    add_loop(spool, 1, false);
    add_loop(spool, 2, true);
    assert_true(run_spool_forget_loops(spool, NULL));
    add_loop(spool, 3, false);
    run_spool_free(spool);
    spool = run_spool_open(*state, 7, NULL);
    assert_int_equal(run_spool_loops(spool)->len, 1);
    assert_true(run_spool_drop(spool, NULL));
    run_spool_free(spool);
}

static void test_a_file_that_cannot_be_written_changes_nothing(void **state) {
    run_spool *spool = make_spool(*state, 7);
    add_loop(spool, 1, false);
    g_autofree char *temporary = file_of(*state, "2.json.new");
    assert_int_equal(mkdir(temporary, 0700), 0); /* no file can be made under that name */
    run_loop *loop = run_loop_new("none", NULL, 2);
    GError *problem = NULL;
    assert_false(run_spool_add(spool, loop, raw_of(spool, "1;5\n"), &problem));
    assert_error(problem, RUN_ERROR_NODE, "cannot create");
    assert_int_equal(run_spool_loops(spool)->len, 1);
    assert_int_equal(rmdir(temporary), 0);
    run_spool_free(spool);
    spool = run_spool_open(*state, 7, NULL);
    assert_int_equal(run_spool_loops(spool)->len, 1);
    assert_true(run_spool_drop(spool, NULL));
    run_spool_free(spool);
}

/* A trial's loop that does not say which of the two commits it ran is none. */
static void test_loops_of_a_trial_keep_their_commit(void **state) {
    json_t *head = json_pack("{s:{s:i, s:s, s:s}, s:s, s:i}", "job", "id", 7, "commit", "aa",
                             "before", "bb", "lease", "l", "started_ms", 1);
    run_spool *spool = run_spool_create(*state, 7, head, NULL);
    json_decref(head);
    const char *commits[] = {"aa", "bb", "cc", NULL, "bb"};
    for (unsigned i = 0; i < 5; i++) {
        run_loop *loop = run_loop_new("none", commits[i], i + 1);
        loop->failed = g_strdup("exit status 1");
        assert_true(run_spool_add(spool, loop, NULL, NULL));
    }
    run_spool_free(spool);
    spool = run_spool_open(*state, 7, NULL);
    const int kept[] = {1, 2, 5};
    const GPtrArray *loops = run_spool_loops(spool);
    assert_int_equal(loops->len, 3);
    for (guint i = 0; i < 3; i++) {
        assert_int_equal(run_loops_at(loops, i)->number, kept[i]);
        assert_string_equal(run_loops_at(loops, i)->commit, commits[kept[i] - 1]);
    }
    assert_int_equal(run_spool_next(spool), 6);
    assert_true(run_spool_drop(spool, NULL));
    run_spool_free(spool);
}

/* Drivers that read values keep no raw calls; a restart must not measure those loops again. */
static void test_values_without_raw_calls_come_back(void **state) {
    run_spool *spool = make_spool(*state, 7);
    run_loop *whole = run_loop_new("none", NULL, 1);
    whole->summary = (det_summary){.n = 1, .mean = 7.5};
    run_loop *half = run_loop_new("none", NULL, 2);
    assert_true(run_spool_add(spool, whole, NULL, NULL));
    assert_true(run_spool_add(spool, half, NULL, NULL));
    run_spool_free(spool);
    spool = run_spool_open(*state, 7, NULL);
    assert_int_equal(run_spool_loops(spool)->len, 1);
    assert_int_equal(run_loops_at(run_spool_loops(spool), 0)->number, 1);
    assert_close(run_loops_at(run_spool_loops(spool), 0)->summary.mean, 7.5, 0);
    assert_true(run_spool_drop(spool, NULL));
    run_spool_free(spool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_comes_back_as_it_was),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_damaged_head),
        cmocka_unit_test(test_forget_loops),
        cmocka_unit_test(test_values_without_raw_calls_come_back),
        cmocka_unit_test(test_loops_of_a_trial_keep_their_commit),
        cmocka_unit_test(test_a_file_that_cannot_be_written_changes_nothing)};
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
