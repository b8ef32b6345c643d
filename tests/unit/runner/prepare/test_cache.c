/* Prepared trees that are kept: what comes out is what went in, or nothing does. */
#include "tests/unit/runner/file.h"

#include "runner/prepare/cache.h"

#include <utime.h>

#define KEY "00112233445566778899aabbccddeeff"
#define OTHER "ffeeddccbbaa99887766554433221100"

typedef struct {
    char *work, *tree, *out;
    cfg_runner config;
    run_node node;
} place;

static int make(void **state) {
    place *p = g_new0(place, 1);
    *state = p;
    if (make_test_folder((void **)&p->work) != 0)
        return -1;
    p->tree = g_build_filename(p->work, "tree", NULL);
    p->out = g_build_filename(p->work, "out", NULL);
    g_autofree char *cache = g_build_filename(p->work, "cache", NULL);
    p->config = (cfg_runner){.work_dir = p->work, .prepared_cache_bytes = 1 << 20};
    p->node = (run_node){.config = &p->config, .stop_fd = -1, .switch_user = true};
    if (g_mkdir_with_parents(cache, 0700) != 0 || g_mkdir_with_parents(p->tree, 0700) != 0)
        return -1;
    g_free(put_file(p->tree, "program", "built", 0755));
    return 0;
}

static int clear(void **state) {
    place *p = *state;
    const int gone = remove_test_folder((void **)&p->work);
    g_free(p->tree);
    g_free(p->out);
    g_free(p);
    return gone;
}

static void put(run_cache *cache, const place *p, const char *key) {
    json_t *record = json_pack("{s:s}", "of", key);
    assert_true(run_cache_put(cache, key, p->tree, record, NULL, NULL, NULL));
    json_decref(record);
}

/* Is there an entry, and is the copy of it the tree? */
static bool get(run_cache *cache, const place *p, const char *key) {
    json_t *record = NULL;
    assert_true(run_cache_get(cache, key, p->out, NULL, NULL, &record, NULL));
    const bool is = record != NULL;
    if (is) {
        g_autofree char *path = g_build_filename(p->out, "program", NULL), *text = NULL;
        struct stat status;
        assert_string_equal(json_string_value(json_object_get(record, "of")), key);
        assert_true(g_file_get_contents(path, &text, NULL, NULL));
        assert_string_equal(text, "built");
        assert_int_equal(stat(path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0755);
    }
    json_decref(record);
    return is;
}

static char *in_entry(const place *p, const char *key, const char *name) {
    return g_build_filename(p->work, "cache", key, name, NULL);
}

static void out_comes_what_went_in(void **state) {
    place *p = *state;
    g_autoptr(run_cache) cache = run_cache_open(&p->node);
    assert_false(get(cache, p, KEY));
    assert_true(run_cache_bytes(cache) == 0);
    put(cache, p, KEY);
    assert_true(get(cache, p, KEY));
    assert_false(get(cache, p, OTHER));
    assert_true(run_cache_bytes(cache) > 0);
    /* who gets it may do what he likes with it */
    g_free(put_file(p->out, "program", "overwritten", 0600));
    assert_true(get(cache, p, KEY));
}

/* With a user of its own for code under test nobody else was in the folder. */
static void it_outlives_the_agent(void **state) {
    place *p = *state;
    g_autoptr(run_cache) first = run_cache_open(&p->node);
    put(first, p, KEY);
    g_autoptr(run_cache) second = run_cache_open(&p->node);
    assert_true(get(second, p, KEY));
}

/* Without one, code under test could have written it: another agent believes nothing. */
static void of_a_shared_user_nothing_is_believed(void **state) {
    place *p = *state;
    p->node.switch_user = false;
    g_autoptr(run_cache) first = run_cache_open(&p->node);
    put(first, p, KEY);
    assert_true(get(first, p, KEY));
    g_autoptr(run_cache) second = run_cache_open(&p->node);
    assert_false(get(second, p, KEY));
    g_autofree char *gone = in_entry(p, KEY, NULL);
    assert_false(g_file_test(gone, G_FILE_TEST_EXISTS));
}

/* Other bytes, an added file, or an entry that is none: prepared anew, and the entry goes. */
static void what_was_changed_is_not_used(void **state) {
    place *p = *state;
    static const struct {
        const char *file, *text;
        mode_t mode;
        bool shared;
    } cases[] = {{"files/program", "bu1lt", 0755, false}, {"files/program", "built", 0644, false},
                 {"files/more", "x", 0600, false},        {"entry.json", "{}", 0600, false},
                 {"entry.json", "[", 0600, false},        {"files/program", "bu1lt", 0755, true}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        p->node.switch_user = !cases[i].shared;
        g_autoptr(run_cache) cache = run_cache_open(&p->node);
        put(cache, p, KEY);
        g_autofree char *entry = in_entry(p, KEY, NULL);
        g_free(put_file(entry, cases[i].file, cases[i].text, cases[i].mode));
        assert_false(get(cache, p, KEY));
        (void)run_cache_bytes(cache); /* what is no entry is removed when they are listed */
        assert_false(g_file_test(entry, G_FILE_TEST_EXISTS));
    }
}

/* Even when what changed the files changed what is written about them. */
static void of_a_shared_user_the_agent_remembers(void **state) {
    place *p = *state;
    p->node.switch_user = false;
    g_autoptr(run_cache) cache = run_cache_open(&p->node);
    put(cache, p, KEY);
    g_free(put_file(p->tree, "program", "forged", 0755));
    put(cache, p, OTHER);
    g_autofree char *from = in_entry(p, OTHER, NULL), *to = in_entry(p, KEY, NULL);
    assert_true(run_scratch_remove(to, NULL));
    assert_int_equal(rename(from, to), 0);
    assert_false(get(cache, p, KEY));
}

static void age(const place *p, const char *key, time_t seconds) {
    g_autofree char *path = in_entry(p, key, "entry.json");
    const struct utimbuf times = {seconds, seconds};
    assert_int_equal(utime(path, &times), 0);
}

/* The least recently used goes first; to be used makes an entry young. */
static void the_oldest_go_first(void **state) {
    place *p = *state;
    g_autoptr(run_cache) cache = run_cache_open(&p->node);
    put(cache, p, KEY);
    const uint64_t one = run_cache_bytes(cache);
    put(cache, p, OTHER);
    age(p, KEY, 1000);
    age(p, OTHER, 2000);
    assert_true(get(cache, p, KEY));
    run_cache_shrink(cache, one);
    assert_true(get(cache, p, KEY));
    assert_false(get(cache, p, OTHER));
    run_cache_shrink(cache, one - 1);
    assert_false(get(cache, p, KEY));
}

static void the_limit_in_bytes(void **state) {
    place *p = *state;
    g_autoptr(run_cache) cache = run_cache_open(&p->node);
    put(cache, p, KEY);
    const uint64_t one = run_cache_bytes(cache);
    p->config.prepared_cache_bytes = one;
    age(p, KEY, 1000);
    put(cache, p, OTHER); /* there is room for one */
    assert_true(get(cache, p, OTHER));
    assert_false(get(cache, p, KEY));
    p->config.prepared_cache_bytes = one - 1;
    put(cache, p, KEY);
    assert_false(get(cache, p, KEY));
    p->config.prepared_cache_bytes = 0; /* none wanted */
    put(cache, p, KEY);
    assert_false(get(cache, p, KEY));
}

static bool refuse(void *data, GError **error) {
    (void)data;
    g_set_error_literal(error, RUN_ERROR, RUN_ERROR_LOST, "the lease is lost");
    return false;
}

/* A disk without room costs the cache; a lost lease ends the job. */
static void what_ends_the_job(void **state) {
    place *p = *state;
    g_autoptr(run_cache) cache = run_cache_open(&p->node);
    json_t *record = json_object();
    p->config.disk_reserve_bytes = UINT64_MAX / 4;
    assert_true(run_cache_put(cache, KEY, p->tree, record, NULL, NULL, NULL));
    p->config.disk_reserve_bytes = 0;
    assert_false(get(cache, p, KEY));
    for (int i = 0; i < 2000; i++) { /* enough for the tick to be asked */
        g_autofree char *name = g_strdup_printf("file%d", i);
        g_free(put_file(p->tree, name, "", 0600));
    }
    GError *error = NULL;
    p->config.prepared_cache_bytes = 1 << 30;
    assert_false(run_cache_put(cache, KEY, p->tree, record, refuse, NULL, &error));
    assert_error(error, RUN_ERROR_LOST, "the lease is lost");
    g_autofree char *half = in_entry(p, "coming", NULL);
    assert_false(g_file_test(half, G_FILE_TEST_EXISTS));
    json_decref(record);
}

#define IN_PLACE(test) cmocka_unit_test_setup_teardown(test, make, clear)

int main(void) {
    const struct CMUnitTest tests[] = {
        IN_PLACE(out_comes_what_went_in),
        IN_PLACE(it_outlives_the_agent),
        IN_PLACE(of_a_shared_user_nothing_is_believed),
        IN_PLACE(what_was_changed_is_not_used),
        IN_PLACE(of_a_shared_user_the_agent_remembers),
        IN_PLACE(the_oldest_go_first),
        IN_PLACE(the_limit_in_bytes),
        IN_PLACE(what_ends_the_job),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
