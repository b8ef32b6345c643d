/* A server hears what another one has committed. */
#include "tests/unit/test.h"

#include "tests/unit/server/database.h"
#include "tests/unit/server/fixture.h"

#include "server/store/db_postgres.h"
#include "server/store/news.h"

#include <string.h>
#include <unistd.h>

typedef struct {
    fixture *fix;
    srv_changes *changes;
    srv_news *news;
    srv_db *other; /* another server */
    int told[2];   /* a pipe of int64_t: what was heard */
} bench;

static void heard(srv_store *store, srv_event what, int64_t id, void *user) {
    const bench *at = user;
    srv_project_span span;
    /* the store is good for reading */
    if (what == SRV_EVENT_JOB && srv_project_nights(store, "kieker", &span, NULL))
        assert_int_equal(write(at->told[1], &id, sizeof id), sizeof id);
}

/* As a job of number 1000 and more: the length of the project's name. */
static void asked(const char *project, void *user) {
    const bench *at = user;
    const int64_t id = 1000 + (int64_t)strlen(project);
    assert_int_equal(write(at->told[1], &id, sizeof id), sizeof id);
}

static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    void *own;
    fix_setup(&own);
    at->fix = own;
    *state = at;
    if (!database_is_server())
        return 0;
    assert_int_equal(pipe(at->told), 0);
    at->changes = srv_changes_open(at->fix->path, NULL);
    at->news = srv_news_start(at->fix->path, at->changes,
                              &(srv_news_told){.tell = heard, .ask = asked, .user = at}, NULL);
    assert_non_null(at->news);
    at->other = srv_db_open(at->fix->path, SRV_DB_WRITE);
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    void *own = at->fix;
    if (at->other) {
        srv_news_stop(at->news);
        srv_changes_close(at->changes);
        srv_db_close(at->other);
        close(at->told[0]);
        close(at->told[1]);
    }
    g_free(at);
    return fix_teardown(&own);
}

static void tell(bench *at, const char *text) {
    assert_true(srv_db_begin(at->other));
    assert_true(srv_db_tell(at->other, text));
    assert_true(srv_db_commit(at->other));
}

static int64_t next_heard(const bench *at) {
    int64_t id = 0;
    assert_int_equal(read(at->told[0], &id, sizeof id), sizeof id);
    return id;
}

static void an_event_of_another_server_is_told_here(void **state) {
    SKIP_WITHOUT_A_SERVER;
    bench *at = *state;
    const uint64_t all = srv_changes_now(at->changes);
    tell(at, "0123456789abcdef j41");
    assert_int_equal(next_heard(at), 41);
    assert_int_not_equal(srv_changes_now(at->changes), all);
}

/* They are told where they were made, and not again when they come back. */
static void our_own_events_are_not_told_twice(void **state) {
    SKIP_WITHOUT_A_SERVER;
    bench *at = *state;
    fix_add(at->fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    assert_int_equal(at->fix->events->len, 1);
    tell(at, "0123456789abcdef j42");
    assert_int_equal(next_heard(at), 42);
}

static void a_line_of_a_newer_version_makes_everything_old(void **state) {
    SKIP_WITHOUT_A_SERVER;
    bench *at = *state;
    const uint64_t nights = srv_changes_now(at->changes);
    tell(at, "0123456789abcdef z1");
    tell(at, "0123456789abcdef j43");
    assert_int_equal(next_heard(at), 43);
    assert_int_not_equal(srv_changes_now(at->changes), nights);
}

/* All connections but one are ended, as by a restart; then it is heard again. */
static void after_a_break_it_listens_again(void **state) {
    SKIP_WITHOUT_A_SERVER;
    bench *at = *state;
    const uint64_t all = srv_changes_now(at->changes);
    g_autofree char *sql = g_strdup_printf("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                                           " WHERE query='LISTEN moowatch_%u'",
                                           ((srv__postgres *)at->other)->channel);
    srv_db_statement *cut = srv_db_prepare(at->other, sql, "");
    assert_int_equal(srv_db_next(cut), SRV_DB_ROW);
    srv_db_finish(cut);
    /* until it has noticed: what it did not hear may be anything */
    while (srv_changes_now(at->changes) == all)
        g_usleep(10000);
    tell(at, "0123456789abcdef j44");
    assert_int_equal(next_heard(at), 44);
}

static void another_server_asks_for_a_poll(void **state) {
    SKIP_WITHOUT_A_SERVER;
    bench *at = *state;
    assert_true(srv_news_ask(at->fix->store, "kieker", NULL)); /* ours: not heard */
    tell(at, "0123456789abcdef ? opentelemetry");
    assert_int_equal(next_heard(at), 1000 + 13);
}

static void what_is_written_alone_is_told_too(void **state) {
    SKIP_WITHOUT_A_SERVER;
    bench *at = *state;
    char *text = NULL;
    assert_true(srv_db_listen(at->other) >= 0);
    fix_add(at->fix, "kieker", 1, "2013-04-17", SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(at->fix);
    assert_non_null(leased);
    json_decref(leased);
    srv_db_statement *one = srv_db_prepare(at->other, "SELECT 1", "");
    assert_int_equal(srv_db_next(one), SRV_DB_ROW); /* brings what was told */
    assert_true(srv_db_hear(at->other, &text));
    assert_non_null(text);
    g_free(text);
    srv_db_finish(one);
}

#define NEWS_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        NEWS_TEST(an_event_of_another_server_is_told_here),
        NEWS_TEST(our_own_events_are_not_told_twice),
        NEWS_TEST(a_line_of_a_newer_version_makes_everything_old),
        NEWS_TEST(after_a_break_it_listens_again),
        NEWS_TEST(another_server_asks_for_a_poll),
        NEWS_TEST(what_is_written_alone_is_told_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
