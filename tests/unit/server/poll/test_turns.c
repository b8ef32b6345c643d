/* Whose repository is asked next: kicked ones first, failing ones last and ever later, but no one
 * waits for ever; one of a family at a time. */
#include "tests/unit/test.h"

#include "server/poll/poller.h"

#include <string.h>

enum { WAIT_MS = 60000 };

typedef struct {
    srv__turns *turns;
    srv_catalog catalog;
    cfg_project projects[4]; /* a, b, c, and c's branch d */
    char names[4][2];
} bench;

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->turns = srv__turns_new(WAIT_MS);
    at->catalog.projects = g_ptr_array_new();
    for (size_t i = 0; i < G_N_ELEMENTS(at->projects); i++) {
        at->names[i][0] = (char)('a' + (char)i);
        at->projects[i].name = at->names[i];
        at->projects[i].enabled = true;
        g_ptr_array_add(at->catalog.projects, &at->projects[i]);
    }
    at->projects[3].main = at->names[2];
    *state = at;
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    srv__turns_free(at->turns);
    g_ptr_array_unref(at->catalog.projects);
    g_free(at);
    return 0;
}

static const cfg_project *next(bench *at, int64_t now_ms, int64_t *due_ms) {
    int64_t due;
    g_autoptr(GArray) asked = g_array_new(FALSE, FALSE, sizeof(const cfg_project *));
    if (!srv__turns_next(at->turns, &at->catalog, now_ms, asked, due_ms ? due_ms : &due))
        return NULL;
    assert_int_equal(asked->len, 1);
    return g_array_index(asked, const cfg_project *, 0);
}

/* The order in which all that are due at this time are asked, one after the other. */
static char *order(bench *at, int64_t now_ms, const char *failing) {
    GString *text = g_string_new(NULL);
    const cfg_project *project;
    while ((project = next(at, now_ms, NULL))) {
        g_string_append(text, project->name);
        srv__turns_end(at->turns, project, now_ms, WAIT_MS, strstr(failing, project->name) != NULL);
    }
    return g_string_free(text, FALSE);
}

#define assert_order(at, now_ms, failing, expected)                                                \
    do {                                                                                           \
        g_autofree char *order_ = order(at, now_ms, failing);                                      \
        assert_string_equal(order_, expected);                                                     \
    } while (0)

static void each_has_its_turn_and_then_none_until_it_is_due(void **state) {
    bench *at = *state;
    int64_t due_ms = 0;
    assert_order(at, 5, "", "abcd");
    assert_null(next(at, 5, &due_ms));
    assert_int_equal(due_ms, 5 + WAIT_MS);
    assert_order(at, 5 + WAIT_MS, "", "abcd");
}

static void one_that_is_being_asked_is_not_asked_again(void **state) {
    bench *at = *state;
    assert_string_equal(next(at, 5, NULL)->name, "a");
    assert_string_equal(next(at, 5, NULL)->name, "b");
    assert_string_equal(next(at, 5, NULL)->name, "c");
    int64_t due_ms = 0;
    assert_null(next(at, 5, &due_ms)); /* d reads c's mirror */
    assert_int_equal(due_ms, INT64_MAX);
    srv__turns_end(at->turns, &at->projects[2], 5, WAIT_MS, false);
    assert_string_equal(next(at, 5, NULL)->name, "d");
}

static void one_that_is_switched_off_has_none(void **state) {
    bench *at = *state;
    at->projects[1].enabled = false;
    assert_order(at, 5, "", "acd");
}

static void a_kicked_one_goes_first_a_second_after_it_was_asked(void **state) {
    bench *at = *state;
    assert_order(at, 0, "", "abcd");
    srv__turns_kick(at->turns, "c");
    srv__turns_kick(at->turns, "nobody");
    int64_t due_ms = 0;
    assert_null(next(at, 999, &due_ms));
    assert_int_equal(due_ms, 1000);
    assert_order(at, 1000, "", "c");
    srv__turns_kick(at->turns, "c");
    assert_order(at, WAIT_MS, "", "cabd");
    srv__turns_kick(at->turns, NULL);
    assert_order(at, WAIT_MS + 1000, "", "abcd");
}

static void a_kick_while_it_is_asked_is_not_lost(void **state) {
    bench *at = *state;
    const cfg_project *a = next(at, 0, NULL);
    srv__turns_kick(at->turns, "a");
    srv__turns_end(at->turns, a, 10, WAIT_MS, false);
    assert_order(at, 20, "", "bcd");
    assert_order(at, 1010, "", "a");
}

static void a_failing_one_goes_last_and_ever_later(void **state) {
    bench *at = *state;
    static const int64_t waits[] = {1, 2, 4, 8, 8};
    int64_t now_ms = 0, due_ms = 0;
    at->projects[1].enabled = at->projects[2].enabled = at->projects[3].enabled = false;
    for (size_t i = 0; i < G_N_ELEMENTS(waits); i++) {
        assert_order(at, now_ms, "a", "a");
        assert_null(next(at, now_ms, &due_ms));
        assert_int_equal(due_ms - now_ms, waits[i] * WAIT_MS);
        now_ms = due_ms;
    }
    at->projects[1].enabled = at->projects[2].enabled = at->projects[3].enabled = true;
    assert_order(at, now_ms, "", "bcda");
    assert_order(at, now_ms + WAIT_MS, "", "abcd"); /* forgiven */
    assert_order(at, now_ms + 2 * WAIT_MS, "a", "abcd");
    srv__turns_kick(at->turns, "a");
    assert_order(at, now_ms + 3 * WAIT_MS, "", "bcda");
}

/* c is asked for again as soon as it was asked, a failed last time, b and d are due. */
static void one_that_is_overdue_has_every_second_turn(void **state) {
    bench *at = *state;
    g_autoptr(GString) text = g_string_new(NULL);
    assert_order(at, 0, "a", "abcd");
    for (int64_t now_ms = WAIT_MS; now_ms <= 2 * WAIT_MS + 7000; now_ms += 1000) {
        srv__turns_kick(at->turns, "c");
        const cfg_project *project = next(at, now_ms, NULL);
        g_string_append(text, project->name);
        srv__turns_end(at->turns, project, now_ms, WAIT_MS, false);
    }
    assert_int_equal(strspn(text->str, "c"), WAIT_MS / 1000 + 2);
    assert_string_equal(text->str + WAIT_MS / 1000, "ccacbcdc");
}

/* "bcd": all that are asked by one fetch now. */
static char *together(bench *at, int64_t now_ms) {
    g_autoptr(GArray) asked = g_array_new(FALSE, FALSE, sizeof(const cfg_project *));
    GString *text = g_string_new(NULL);
    int64_t due_ms;
    (void)srv__turns_next(at->turns, &at->catalog, now_ms, asked, &due_ms);
    for (guint i = 0; i < asked->len; i++)
        g_string_append(text, g_array_index(asked, const cfg_project *, i)->name);
    return g_string_free(text, FALSE);
}

#define assert_together(at, now_ms, expected)                                                      \
    do {                                                                                           \
        g_autofree char *together_ = together(at, now_ms);                                         \
        assert_string_equal(together_, expected);                                                  \
    } while (0)

/* a, b and d are of one repository, d is a branch of c; then each with something of its own. */
static void those_of_one_branch_have_one_turn(void **state) {
    bench *at = *state;
    char url[] = "https://example.org/lib.git", branch[] = "main", other[] = "other";
    char *prints[] = {other}, *more[] = {branch};
    for (size_t i = 0; i < G_N_ELEMENTS(at->projects); i++) {
        at->projects[i].repository = i == 2 ? other : url;
        at->projects[i].branch = branch;
    }
    assert_together(at, 5, "abd");
    assert_together(at, 5, ""); /* c's mirror is read for d */
    for (size_t i = 0; i < G_N_ELEMENTS(at->projects); i++)
        srv__turns_end(at->turns, &at->projects[i], 5, WAIT_MS, false);
    srv__turns_kick(at->turns, "b");
    assert_together(at, 1005, "bad");
    srv__turns_end(at->turns, &at->projects[1], 1005, WAIT_MS, true);
    assert_together(at, 5 + WAIT_MS, ""); /* a and d are not done */
    srv__turns_end(at->turns, &at->projects[0], 1005, WAIT_MS, false);
    srv__turns_end(at->turns, &at->projects[3], 1005, WAIT_MS, false);
    at->projects[3].enabled = false;
    char **const own[] = {&at->projects[0].branch, &at->projects[0].releases,
                          &at->projects[0].ssh_key_file};
    for (size_t i = 0; i < G_N_ELEMENTS(own); i++) {
        char *before = *own[i];
        *own[i] = other;
        assert_order(at, (int64_t)(i + 2) * 100 * WAIT_MS, "", i == 0 ? "cab" : "abc");
        *own[i] = before;
    }
    at->projects[0].ssh_host_fingerprints = prints;
    at->projects[1].ssh_host_fingerprints = more;
    at->projects[0].ssh_host_fingerprints_count = at->projects[1].ssh_host_fingerprints_count = 1;
    assert_order(at, 1000 * WAIT_MS, "", "abc");
    at->projects[1].ssh_host_fingerprints = prints;
    assert_together(at, 2000 * WAIT_MS, "ab");
}

int main(void) {
#define TURNS_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        TURNS_TEST(each_has_its_turn_and_then_none_until_it_is_due),
        TURNS_TEST(one_that_is_being_asked_is_not_asked_again),
        TURNS_TEST(one_that_is_switched_off_has_none),
        TURNS_TEST(a_kicked_one_goes_first_a_second_after_it_was_asked),
        TURNS_TEST(a_kick_while_it_is_asked_is_not_lost),
        TURNS_TEST(a_failing_one_goes_last_and_ever_later),
        TURNS_TEST(one_that_is_overdue_has_every_second_turn),
        TURNS_TEST(those_of_one_branch_have_one_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
