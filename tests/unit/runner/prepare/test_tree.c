#include "tests/unit/runner/test.h"

#include "tests/unit/runner/shell.h"

#include "runner/prepare/cache.h"
#include "runner/process/scratch.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool copy_hashed(const char *root, const char *from, const char *to, uint64_t limit,
                        char hash[65], GError **error) {
    g_autofree char *source = g_build_filename(root, from, NULL);
    g_autofree char *target = g_build_filename(root, to, NULL);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    run_tree_copying copying = {.limit_bytes = limit};
    bool good = run_tree_copy(source, target, &copying, sum, error);
    g_strlcpy(hash, g_checksum_get_string(sum), 65);
    return good;
}

static void test_copy_is_the_same(void **state) {
    char hash[65], again[65], other[65];
    assert_true(shell(*state,
                      "rm -rf a b c; mkdir -p a/d/e; echo one > a/d/one; ln -s /etc/passwd a/link;"
                      "ln -s nowhere a/d/dangling; echo x > a/run; chmod 4755 a/run;"
                      "touch -d @1000000000 a/d/one; chmod 555 a/d/e; truncate -s 1T a/sparse;"
                      "mkfifo a/pipe; ln a/run a/hard"));
    assert_true(copy_hashed(*state, "a", "b", 1 << 20, hash, NULL));
    assert_true(shell(*state,
                      "[ $(cat b/d/one) = one ]; [ $(readlink b/link) = /etc/passwd ];"
                      "[ $(readlink b/d/dangling) = nowhere ]; [ $(stat -c %a b/run) = 755 ];"
                      "[ $(stat -c %Y b/d/one) = 1000000000 ]; [ $(stat -c %a b/d/e) = 555 ];"
                      "[ $(stat -c %s b/sparse) = 1099511627776 ]; [ $(stat -c %b b/sparse) = 0 ];"
                      "[ ! -e b/pipe ]; [ $(cat b/hard) = x ]; [ $(stat -c %h b/hard) = 1 ]"));
    /* What was left out does not count, everything else does. */
    assert_true(copy_hashed(*state, "b", "c", 1 << 20, again, NULL));
    assert_string_equal(hash, again);
    const char *const changes[] = {"echo two > b/d/one", "chmod 600 b/run", "touch b/new",
                                   "rm b/link; ln -s /etc/hosts b/link", "mv b/run b/walk"};
    for (size_t i = 0; i < G_N_ELEMENTS(changes); i++) {
        assert_true(shell(*state, "chmod 755 c/d/e; rm -rf c"));
        assert_true(shell(*state, changes[i]));
        assert_true(copy_hashed(*state, "b", "c", 1 << 20, other, NULL));
        assert_string_not_equal(again, other);
        memcpy(again, other, sizeof again);
    }
}

static bool refuse(void *data, GError **error) {
    (void)data;
    g_set_error(error, RUN_ERROR, RUN_ERROR_LOST, "cancelled");
    return false;
}

static void test_bounds_and_stop(void **state) {
    char hash[65];
    GError *problem = NULL;
    assert_true(shell(
        *state, "rm -rf big out; mkdir big; head -c 5000000 /dev/zero | tr '\\0' x > big/file;"
                "for i in $(seq 200); do touch big/$i; done"));
    assert_false(copy_hashed(*state, "big", "out", 1 << 20, hash, &problem));
    assert_error(problem, RUN_ERROR_NODE, "larger than 1 MB");
    problem = NULL;
    g_autofree char *source = g_build_filename(*state, "big", NULL);
    g_autofree char *target = g_build_filename(*state, "out2", NULL);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    run_tree_copying copying = {.limit_bytes = UINT64_MAX, .tick = refuse};
    assert_false(run_tree_copy(source, target, &copying, sum, &problem));
    assert_error(problem, RUN_ERROR_LOST, "cancelled");
    problem = NULL;
    assert_false(copy_hashed(*state, "missing", "out3", 1, hash, &problem));
    assert_error(problem, RUN_ERROR_NODE, "");
}

/* Deeper than any path can be: the commit's own fault, and nothing that another try would mend. */
static void test_too_deep_to_be_of_use(void **state) {
    char hash[65];
    GError *problem = NULL;
    assert_true(shell(*state, "mkdir deep"));
    g_autofree char *top = g_build_filename(*state, "deep", NULL);
    g_autofree char *name = g_strnfill(240, 'a');
    int at = open(top, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (unsigned i = 0; i < 156; i++) {
        assert_int_equal(mkdirat(at, name, 0700), 0);
        int next = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        close(at);
        at = next;
    }
    close(at);
    assert_false(copy_hashed(*state, "deep", "deep-copy", UINT64_MAX, hash, &problem));
    assert_error(problem, RUN_ERROR_JOB, "make it less deep");
}

/* ---- the cache ---- */

typedef struct {
    cfg_runner config;
    run_node node;
    char *folder;
} bench;

static void set_up(bench *at, char *root, uint64_t bytes) {
    at->config = (cfg_runner){.work_dir = root, .prepared_cache_bytes = bytes};
    at->node = (run_node){.config = &at->config, .stop_fd = -1};
    at->folder = g_build_filename(root, "job", NULL);
    assert_true(shell(root, "rm -rf cache job; mkdir cache"));
}

static void put(bench *at, run_cache *cache, const char *key, const char *script) {
    GError *problem = NULL;
    json_t *record = json_pack("{s:s}", "from", "build");
    assert_true(run_scratch_make(at->folder, NULL));
    assert_true(shell(at->folder, script));
    if (!run_cache_put(cache, key, at->folder, record, NULL, NULL, &problem))
        fail_msg("%s", problem->message);
    json_decref(record);
    assert_true(run_scratch_remove(at->folder, NULL));
}

static bool get(bench *at, run_cache *cache, const char *key) {
    GError *problem = NULL;
    json_t *record = NULL;
    if (!run_cache_get(cache, key, at->folder, NULL, NULL, &record, &problem))
        fail_msg("%s", problem->message);
    bool found = record != NULL;
    if (found)
        assert_string_equal(json_string_value(json_object_get(record, "from")), "build");
    json_decref(record);
    return found;
}

static const char *const keys[] = {"00000000000000000000000000000001",
                                   "00000000000000000000000000000002",
                                   "00000000000000000000000000000003"};

static void test_cache_keeps_and_drops(void **state) {
    bench at;
    set_up(&at, *state, 300000);
    g_autoptr(run_cache) cache = run_cache_open(&at.node);
    assert_false(get(&at, cache, keys[0]));
    put(&at, cache, keys[0], "head -c 100000 /dev/zero | tr '\\0' x > big; mkdir d; echo 1 > d/n");
    put(&at, cache, keys[1], "head -c 100000 /dev/zero | tr '\\0' y > big; echo 2 > n");
    assert_true(get(&at, cache, keys[0])); /* the second is now the least recently used */
    assert_true(shell(at.folder, "[ $(cat d/n) = 1 ]"));
    put(&at, cache, keys[2], "head -c 150000 /dev/zero | tr '\\0' z > big");
    assert_true(get(&at, cache, keys[0]));
    assert_false(get(&at, cache, keys[1]));
    assert_true(get(&at, cache, keys[2]));
    put(&at, cache, keys[1], "head -c 400000 /dev/zero | tr '\\0' z > big"); /* too large */
    assert_false(get(&at, cache, keys[1]));
    assert_true(get(&at, cache, keys[2]));
    assert_in_range(run_cache_bytes(cache), 200000, 300000);
    run_cache_shrink(cache, 0);
    assert_int_equal(run_cache_bytes(cache), 0);
    g_free(at.folder);
}

#define PLACE "cache/00000000000000000000000000000001"

static void test_cache_believes_only_what_is_right(void **state) {
    const char *const damages[] = {"echo evil > " PLACE "/files/n", "touch " PLACE "/files/more",
                                   "rm " PLACE "/files/n", "chmod 777 " PLACE "/files/n",
                                   "rm " PLACE "/entry.json", "echo '{' > " PLACE "/entry.json",
                                   /* a hash that fits, written by who may write there */
                                   "echo evil > " PLACE "/files/n; sed -i 's/\"sha256\": "
                                   "*\"[^\"]*/\"sha256\": \"0/' " PLACE "/entry.json"};
    for (size_t i = 0; i < G_N_ELEMENTS(damages); i++) {
        bench at;
        set_up(&at, *state, 300000);
        g_autoptr(run_cache) cache = run_cache_open(&at.node);
        put(&at, cache, keys[0], "echo 1 > n");
        assert_true(shell(*state, damages[i]));
        if (get(&at, cache, keys[0]))
            fail_msg("%s", damages[i]);
        put(&at, cache, keys[0], "echo 1 > n");
        assert_true(get(&at, cache, keys[0]));
        g_free(at.folder);
    }
}

/* Without a user of its own for code under test nothing outlives the agent; with one it does. */
static void test_cache_over_a_restart(void **state) {
    for (int own_user = 0; own_user < 2; own_user++) {
        bench at;
        set_up(&at, *state, 300000);
        at.node.switch_user = own_user != 0;
        at.node.uid = geteuid();
        at.node.gid = getegid();
        run_cache *first = run_cache_open(&at.node);
        put(&at, first, keys[0], "echo 1 > n");
        run_cache_free(first);
        g_autoptr(run_cache) second = run_cache_open(&at.node);
        assert_int_equal(get(&at, second, keys[0]), own_user);
        g_free(at.folder);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy_is_the_same),
        cmocka_unit_test(test_bounds_and_stop),
        cmocka_unit_test(test_too_deep_to_be_of_use),
        cmocka_unit_test(test_cache_keeps_and_drops),
        cmocka_unit_test(test_cache_believes_only_what_is_right),
        cmocka_unit_test(test_cache_over_a_restart),
    };
    return cmocka_run_group_tests(tests, make_test_folder, remove_test_folder);
}
