/* How many rounds the next job of a pull request has. */
#include "server/pull/pull_batch.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "pulls.h"
#include "server/store/store_sql.h"

static void rounds_grow_within_the_time(void **state) {
    (void)state;
    static const struct {
        pull_pace pace;
        int64_t rounds;
    } table[] = {
        {{600, 0, 0}, 10},    /* nothing is known */
        {{600, 1, 0}, 10},    /* there is time */
        {{600, 50, 0}, 6},    /* half of the time, for a first look */
        {{600, 5000, 0}, 3},  /* one look is tried in any case */
        {{500, 10, 10}, 5},   /* half as many more */
        {{500, 10, 41}, 21},  /* and again */
        {{50, 10, 40}, 5},    /* what the time allows */
        {{29, 10, 40}, 0},    /* fewer would say nothing */
        {{-5, 10, 40}, 0},    /* spent */
        {{9e9, 1, 500}, 200}, /* a result has its limits */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(pull_rounds_next(&table[i].pace), table[i].rounds);
}

/* What the pull requests of a day may take: who begins, who waits for the next one, and is told. */

#define DAY_MS INT64_C(86400000)

/* Noon, so that what takes minutes stays in its day. */
static int setup_noon(void **state) {
    const int made = setup(state);
    bench *at = *state;
    at->fix->now_ms = (at->fix->now_ms / DAY_MS + 1) * DAY_MS + DAY_MS / 2;
    return made;
}
#define DAY_TEST(test) cmocka_unit_test_setup_teardown(test, setup_noon, teardown)

/* Asked by the API for the commit of that number; its id. */
static int64_t asked(bench *at, int commit) {
    int64_t id = 0;
    char sha[41];
    g_strlcpy(sha, fix_sha(commit), sizeof sha);
    const srv_pull_facts asked_for = {
        .provider = SRV_PULL_SUBMITTED, .head = sha, .title = "", .author = ""};
    assert_true(srv_pull_ask(at->fix->store, at->project, &asked_for, at->fix->now_ms, &id, NULL));
    return id;
}

static bool may(bench *at, int64_t id) {
    GError *error = NULL;
    bool may = false;
    if (!srv_pull_today(at->fix->store, at->project, id, at->fix->now_ms, &may, &error))
        fail_msg("%s", error->message);
    return may;
}

static void expect_waits(bench *at, int64_t id, const char *headline, const char *reason) {
    json_auto_t *pull = pull_of(at, id);
    assert_string_equal(text_of(pull, "state"), "waiting");
    assert_string_equal(text_of(pull, "headline"), headline);
    if (reason)
        assert_non_null(strstr(text_of(pull, "reason"), reason));
    else
        assert_null(text_of(pull, "reason"));
}

/* While the first one is measured, all that it may take is spoken for. */
static void what_is_measured_counts_whole(void **state) {
    bench *at = *state;
    at->project->pull_requests.minutes_a_day = 2 * PULL_MINUTES - 1;
    const int64_t first = asked(at, 2), second = asked(at, 3);
    assert_true(may(at, first));
    assert_true(may(at, second)); /* nothing has begun */
    begin(at, first, 2);
    assert_false(may(at, second));
    expect_waits(
        at, second, "Waits for tomorrow",
        "it needs 10 minutes, more than is left of today's 19 for pull requests of kieker");
    at->project->pull_requests.minutes_a_day = 2 * PULL_MINUTES;
    assert_true(may(at, second));
    expect_waits(at, second, "Waits for its commits", NULL);
}

/* Once it is over the day is charged with what it took: two minutes of ten. */
static void what_is_over_counts_as_it_was(void **state) {
    bench *at = *state;
    at->project->pull_requests.minutes_a_day = PULL_MINUTES + 2.5;
    const int64_t first = asked(at, 2), second = asked(at, 3), third = asked(at, 4);
    begin(at, first, 2);
    assert_false(may(at, second));
    while (measured(at, base, 60))
        ;
    json_auto_t *over = pull_of(at, first);
    assert_string_equal(text_of(over, "state"), "done");
    const double took = (double)number_of(over, "spent_ms") / 60000;
    at->project->pull_requests.minutes_a_day = PULL_MINUTES + took;
    assert_true(may(at, second));
    begin(at, second, 3);
    assert_false(may(at, third));
}

/* What waited begins on the next day, and says no longer that it waits. */
static void the_next_day_is_another(void **state) {
    bench *at = *state;
    at->project->pull_requests.minutes_a_day = PULL_MINUTES;
    const int64_t first = asked(at, 2), second = asked(at, 3);
    begin(at, first, 2);
    assert_false(may(at, second));
    at->fix->now_ms += DAY_MS;
    assert_true(may(at, second));
    begin(at, second, 3);
    json_auto_t *pull = pull_of(at, second);
    assert_string_equal(text_of(pull, "state"), "measuring");
    assert_null(text_of(pull, "reason"));
}

/* A day that is smaller than one of them still has its first one. */
static void the_first_of_a_day_is_always_measured(void **state) {
    bench *at = *state;
    at->project->pull_requests.minutes_a_day = 1;
    assert_true(may(at, asked(at, 2)));
    begin(at, 1, 2);
    assert_false(may(at, asked(at, 3)));
}

static void without_a_bound_all_begin(void **state) {
    bench *at = *state;
    begin(at, asked(at, 2), 2);
    const int64_t second = asked(at, 3);
    assert_true(may(at, second));
    expect_waits(at, second, "Waits for its commits", NULL);
}

/* One that a day of one minute, which is spent, has no room for. */
static int64_t behind_a_full_day(bench *at) {
    at->project->pull_requests.minutes_a_day = 1;
    begin(at, asked(at, 2), 2);
    return asked(at, 3);
}

static int told;

static void count_pulls(srv_store *store, srv_event what, int64_t id, void *user) {
    (void)store;
    (void)id;
    (void)user;
    told += what == SRV_EVENT_PULL;
}

/* Each poll finds that it waits; people hear of it once a day. */
static void it_is_told_once_a_day(void **state) {
    bench *at = *state;
    const int64_t second = behind_a_full_day(at);
    told = 0;
    srv_store_on_event(at->fix->store, count_pulls, NULL);
    for (int poll = 0; poll < 3; poll++)
        assert_false(may(at, second));
    assert_int_equal(told, 1);
}

/* Until its commits are known it may take a while: what it waited for is over, and people hear so.
 */
static void what_need_not_wait_says_so_no_longer(void **state) {
    bench *at = *state;
    const int64_t second = behind_a_full_day(at);
    assert_false(may(at, second));
    expect_waits(at, second, "Waits for tomorrow", "or on ");
    at->project->pull_requests.minutes_a_day = 0; /* the bound was taken away */
    told = 0;
    srv_store_on_event(at->fix->store, count_pulls, NULL);
    assert_true(may(at, second));
    assert_true(may(at, second));
    expect_waits(at, second, "Waits for its commits", NULL);
    assert_int_equal(told, 1);
}

/* Many wait, and are asked about at every poll: while another writes, none has to wait. */
static void a_poll_that_finds_the_same_writes_nothing(void **state) {
    bench *at = *state;
    const int64_t second = behind_a_full_day(at);
    assert_false(may(at, second));
    srv_store *other = srv_store_open(at->fix->path, NULL);
    assert_non_null(other);
    assert_true(srv__begin(other, NULL));
    assert_false(may(at, second));
    assert_false(srv__end(other, false, NULL));
    srv_store_close(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_grow_within_the_time),
        DAY_TEST(what_is_measured_counts_whole),
        DAY_TEST(what_is_over_counts_as_it_was),
        DAY_TEST(the_next_day_is_another),
        DAY_TEST(the_first_of_a_day_is_always_measured),
        DAY_TEST(without_a_bound_all_begin),
        DAY_TEST(it_is_told_once_a_day),
        DAY_TEST(what_need_not_wait_says_so_no_longer),
        DAY_TEST(a_poll_that_finds_the_same_writes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
