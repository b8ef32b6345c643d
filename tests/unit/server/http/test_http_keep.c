/* Kept answers and those who wait for one that is being made. */
#include "tests/unit/test.h"

#include "server/http/http_reply.h"
#include "tests/unit/server/folder.h"

#include <string.h>

/* Who waits; only looked at. */
#define WHO(name) ((char[]){name})

typedef struct {
    char *dir;
    srv_changes *changes;
    srv__http_keep *keep;
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->dir = folder_new();
    g_autofree char *database = g_build_filename(at->dir, "x.db", NULL);
    at->changes = srv_changes_open(database, NULL);
    at->keep = srv__http_keep_new(1 << 20, at->changes);
    *state = at;
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    srv__http_keep_free(at->keep);
    srv_changes_close(at->changes);
    folder_free(at->dir);
    g_free(at);
    return 0;
}

static srv__http_kept *made(const char *text) {
    return srv__http_kept_new(srv_reply_bytes("text/plain", g_bytes_new(text, strlen(text)), NULL));
}

static srv__http_what nights(const char *key) {
    return (srv__http_what){.key = key};
}

/* Whoever asks first makes it, the next ones wait, and all are given back at the end. */
static void the_first_makes_it_for_all(void **state) {
    bench *at = *state;
    bool lead;
    srv__http_what what = nights("/a"), other = nights("/b");
    assert_null(srv__http_keep_join(at->keep, &what, WHO("first"), &lead));
    assert_true(lead);
    assert_null(srv__http_keep_join(at->keep, &what, WHO("second"), &lead));
    assert_false(lead);
    assert_null(srv__http_keep_join(at->keep, &what, WHO("third"), &lead));
    assert_false(lead);
    assert_null(srv__http_keep_join(at->keep, &other, WHO("other"), &lead));
    assert_true(lead);
    srv__http_kept *kept = made("answer");
    g_autoptr(GPtrArray) waiters = srv__http_keep_done(at->keep, &what, kept);
    assert_int_equal(waiters->len, 2);
    assert_string_equal(waiters->pdata[0], "second");
    assert_string_equal(waiters->pdata[1], "third");
    srv__http_kept *found = srv__http_keep_join(at->keep, &what, WHO("fourth"), &lead);
    assert_ptr_equal(found, kept);
    assert_false(lead);
    assert_null(srv__http_keep_find(at->keep, "/b"));
    srv__http_kept_unref(found);
    srv__http_kept_unref(kept);
    g_ptr_array_unref(srv__http_keep_done(at->keep, &other, NULL));
}

static void what_failed_is_made_again(void **state) {
    bench *at = *state;
    bool lead;
    srv__http_what what = nights("/a");
    assert_null(srv__http_keep_join(at->keep, &what, WHO("first"), &lead));
    assert_null(srv__http_keep_join(at->keep, &what, WHO("second"), &lead));
    g_autoptr(GPtrArray) waiters = srv__http_keep_done(at->keep, &what, NULL);
    assert_int_equal(waiters->len, 1);
    assert_null(srv__http_keep_join(at->keep, &what, WHO("third"), &lead));
    assert_true(lead);
    g_autoptr(GPtrArray) none = srv__http_keep_done(at->keep, &what, NULL);
    assert_int_equal(none->len, 0);
}

/* Who asks after a change must not get what was begun before it. */
static void a_change_divides_those_who_wait(void **state) {
    bench *at = *state;
    bool lead;
    srv__http_what before = nights("/a"), after = nights("/a");
    assert_null(srv__http_keep_join(at->keep, &before, WHO("old leader"), &lead));
    assert_null(srv__http_keep_join(at->keep, &before, WHO("old waiter"), &lead));
    srv_changes_note(at->changes);
    assert_null(srv__http_keep_join(at->keep, &after, WHO("new leader"), &lead));
    assert_true(lead);
    srv__http_kept *old = made("old"), *new = made("new");
    g_autoptr(GPtrArray) old_waiters = srv__http_keep_done(at->keep, &before, old);
    assert_int_equal(old_waiters->len, 1);
    assert_null(srv__http_keep_find(at->keep, "/a"));
    g_autoptr(GPtrArray) new_waiters = srv__http_keep_done(at->keep, &after, new);
    assert_int_equal(new_waiters->len, 0);
    srv__http_kept *found = srv__http_keep_find(at->keep, "/a");
    assert_ptr_equal(found, new);
    srv__http_kept_unref(found);
    srv__http_kept_unref(old);
    srv__http_kept_unref(new);
}

int main(void) {
#define KEEPING(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        KEEPING(the_first_makes_it_for_all),
        KEEPING(what_failed_is_made_again),
        KEEPING(a_change_divides_those_who_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
