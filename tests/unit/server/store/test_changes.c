/* The number that tells when a kept answer is old. */
#include "server/store/changes.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/server/database.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"
#include "tests/unit/test.h"

#include "server/store/db.h"
#include "server/store/db_postgres.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"

#include <string.h>
#include <unistd.h>

static const double level[4] = {70, 270, 1400, 3000};

/* It has moved since the last look, or not. */
static void expect_moved(const srv_changes *changes, uint64_t *last, const char *what, bool moved) {
    const uint64_t now = srv_changes_now(changes);
    if ((now != *last) != moved)
        fail_msg("%s: moved is not %d", what, moved);
    *last = now;
}

static void whatever_is_committed_moves_it(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_changes) changes = srv_changes_open(fix->path, NULL);
    uint64_t last = srv_changes_now(changes);
    fix_add(fix, "kieker", 9, "2013-04-09", SRV_KIND_NIGHTLY);
    expect_moved(changes, &last, "a queued job", true);
    json_t *leased = fix_lease(fix);
    expect_moved(changes, &last, "a lease", true);
    json_decref(leased);
    fix_nights(fix, "kieker", 1, 1, level);
    expect_moved(changes, &last, "a night", true);
    assert_true(
        srv__run(fix->store, sql_text("UPDATE project SET title='x'", ""), SRV__NO_ARGS, NULL));
    expect_moved(changes, &last, "a statement by itself", true);
}

static void what_is_not_committed_does_not(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_changes) changes = srv_changes_open(fix->path, NULL);
    uint64_t last = srv_changes_now(changes);
    json_t *view = srv_view_project(fix->store, "kieker", NULL);
    assert_non_null(view);
    json_decref(view);
    expect_moved(changes, &last, "reading", false);
    assert_true(srv__begin(fix->store, NULL));
    assert_true(
        srv__run(fix->store, sql_text("UPDATE project SET title='x'", ""), SRV__NO_ARGS, NULL));
    expect_moved(changes, &last, "before the commit", false);
    assert_false(srv__end(fix->store, false, NULL));
    expect_moved(changes, &last, "rolled back", false);
    assert_true(srv__run(fix->store, sql_text("DELETE FROM note", ""), SRV__NO_ARGS, NULL));
    expect_moved(changes, &last, "no row", false);
}

static void all_who_have_the_database_see_it(void **state) {
    fixture *fix = *state;
    g_autoptr(srv_changes) one = srv_changes_open(fix->path, NULL);
    g_autoptr(srv_changes) other = srv_changes_open(fix->path, NULL);
    const uint64_t before = srv_changes_now(one);
    srv_changes_note(other);
    assert_true(srv_changes_now(one) > before);
}

static void a_folder_that_is_not_there_is_named(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    assert_null(srv_changes_open("/nowhere/db", &error));
    assert_string_equal(error->message, "/nowhere/db-changes cannot be opened: No such file or "
                                        "directory; its folder must be writable");
}

/* A server hears what another one has committed. */

typedef struct {
    fixture *fix;
    srv_changes *changes;
    srv_peers *peers;
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
    at->peers = srv_peers_start(at->fix->path, at->changes,
                                &(srv_peers_calls){.tell = heard, .ask = asked, .user = at}, NULL);
    assert_non_null(at->peers);
    at->other = srv_db_open(at->fix->path, SRV_DB_WRITE);
    return 0;
}

static int teardown(void **state) {
    bench *at = *state;
    void *own = at->fix;
    if (at->other) {
        srv_peers_stop(at->peers);
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
    assert_true(srv_peers_ask(at->fix->store, "kieker", NULL)); /* ours: not heard */
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
    assert_true(at->other->driver->hear(at->other, &text));
    assert_non_null(text);
    g_free(text);
    srv_db_finish(one);
}

#define NEWS_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* The lines in which servers tell each other what they have committed. */

static GArray *events_of(unsigned count) {
    GArray *events = g_array_new(FALSE, FALSE, sizeof(srv__pending));
    for (unsigned i = 0; i < count; i++)
        g_array_append_val(events, ((srv__pending){(srv_event)(i % 4), INT64_MAX - (int64_t)i}));
    return events;
}

static void what_is_written_is_read(void **state) {
    /* 2000: longer than a line may be */
    static const unsigned cases[] = {0, 1, 4, 2000};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GArray) events = events_of(cases[i]);
        g_autoptr(GPtrArray) texts = srv__notice_texts(events);
        guint next = 0;
        for (guint t = 0; t < texts->len; t++) {
            srv__notice notice;
            assert_true(strlen(texts->pdata[t]) <= SRV_DB_TELL_BYTES);
            assert_true(notice_read(texts->pdata[t], &notice));
            assert_true(notice.ours);
            for (guint e = 0; e < notice.events->len; e++, next++) {
                const srv__pending *read = &g_array_index(notice.events, srv__pending, e);
                assert_int_equal(read->what, g_array_index(events, srv__pending, next).what);
                assert_true(read->id == g_array_index(events, srv__pending, next).id);
            }
            notice_clear(&notice);
        }
        assert_int_equal(next, events->len);
        assert_int_equal(texts->len > 1, cases[i] == 2000);
    }
}

static void another_server_is_not_us(void **state) {
    srv__notice notice;
    (void)state;
    assert_true(notice_read("0123456789abcdef j12 i3", &notice));
    assert_false(notice.ours);
    assert_int_equal(notice.events->len, 2);
    notice_clear(&notice);
}

static void a_project_is_asked_for(void **state) {
    static const char *const projects[] = {"kieker", ""};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(projects); i++) {
        srv__notice notice;
        g_autofree char *text = news_ask_text(projects[i]);
        assert_true(notice_read(text, &notice));
        assert_true(notice.ours);
        assert_string_equal(notice.asked, projects[i]);
        notice_clear(&notice);
    }
}

static void what_is_no_line_is_refused(void **state) {
    static const char *const wrong[] = {"",
                                        "hello",
                                        "0123456789abcde j5",
                                        "0123456789abcdef k5",
                                        "0123456789abcdef N * j5",
                                        "0123456789abcdef j",
                                        "0123456789abcdef j-5",
                                        "0123456789abcdef ? a b",
                                        "0123456789abcdef ?",
                                        "0123456789abcdef  j5",
                                        "0123456789abcdef j5x"};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        srv__notice notice;
        if (notice_read(wrong[i], &notice))
            fail_msg("'%s' was read", wrong[i]);
        notice_clear(&notice);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(whatever_is_committed_moves_it),
        FIX_TEST(what_is_not_committed_does_not),
        FIX_TEST(all_who_have_the_database_see_it),
        cmocka_unit_test(a_folder_that_is_not_there_is_named),

        NEWS_TEST(an_event_of_another_server_is_told_here),
        NEWS_TEST(our_own_events_are_not_told_twice),
        NEWS_TEST(a_line_of_a_newer_version_makes_everything_old),
        NEWS_TEST(after_a_break_it_listens_again),
        NEWS_TEST(another_server_asks_for_a_poll),
        NEWS_TEST(what_is_written_alone_is_told_too),

        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(another_server_is_not_us),
        cmocka_unit_test(a_project_is_asked_for),
        cmocka_unit_test(what_is_no_line_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
