/* Which of the servers on a database leads. */
#include "tests/unit/test.h"

#include "tests/unit/server/database.h"
#include "tests/unit/server/fixture.h"

#include "server/leader.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/sql_text.h"

#include <unistd.h>

/* A byte in a pipe each time that it begins to lead. */
static void led(void *user) {
    const int *ends = user;
    assert_int_equal(write(ends[1], "", 1), 1);
}

static void the_only_server_leads(void **state) {
    SKIP_ON_A_SERVER;
    const fixture *fix = *state;
    srv_leader *leader = srv_leader_new(fix->path, led, NULL, NULL);
    assert_true(srv_leader_leads(NULL));
    assert_true(srv_leader_leads(leader));
    assert_true(srv_leader_run(leader, NULL));
    srv_leader_stop(leader);
    assert_true(srv_leader_leads(leader));
    srv_leader_free(leader);
    srv_leader_free(NULL);
}

static void of_two_the_first_leads_until_it_goes(void **state) {
    SKIP_WITHOUT_A_SERVER;
    const fixture *fix = *state;
    char byte;
    int first_led[2], second_led[2];
    assert_int_equal(pipe(first_led) + pipe(second_led), 0);
    srv_leader *first = srv_leader_new(fix->path, led, first_led, NULL);
    srv_leader *second = srv_leader_new(fix->path, led, second_led, NULL);
    assert_false(srv_leader_leads(first));
    assert_true(srv_leader_run(first, NULL));
    assert_int_equal(read(first_led[0], &byte, 1), 1);
    assert_true(srv_leader_leads(first));
    assert_true(srv_leader_run(second, NULL));
    assert_false(srv_leader_leads(second));
    srv_leader_free(first);
    assert_false(srv_leader_leads(second)); /* not before the first one's time is over */
    assert_int_equal(read(second_led[0], &byte, 1), 1);
    assert_true(srv_leader_leads(second));
    srv_leader_free(second);
    for (int i = 0; i < 2; i++) {
        close(first_led[i]);
        close(second_led[i]);
    }
}

/* All connections end, as by a restart: whoever gets the lock leads, and one alone. */
static void who_loses_the_connection_gets_in_line(void **state) {
    SKIP_WITHOUT_A_SERVER;
    const fixture *fix = *state;
    char byte;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    srv_leader *first = srv_leader_new(fix->path, led, ends, NULL);
    srv_leader *second = srv_leader_new(fix->path, led, ends, NULL);
    assert_true(srv_leader_run(first, NULL) && srv_leader_run(second, NULL));
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_true(srv_leader_leads(first) != srv_leader_leads(second));
    assert_true(
        srv__run(fix->store,
                 sql_text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                          " WHERE pid<>pg_backend_pid() AND pid IN (SELECT pid FROM pg_locks"
                          " WHERE locktype='advisory')",
                          ""),
                 SRV__NO_ARGS, NULL, NULL));
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_true(srv_leader_leads(first) != srv_leader_leads(second));
    srv_leader_free(first);
    srv_leader_free(second);
    close(ends[0]);
    close(ends[1]);
}

static void a_database_that_is_not_there_is_an_error(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    assert_null(srv_leader_new("postgresql:host=/nonexistent", led, NULL, &error));
    assert_non_null(error);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(the_only_server_leads),
        FIX_TEST(of_two_the_first_leads_until_it_goes),
        FIX_TEST(who_loses_the_connection_gets_in_line),
        cmocka_unit_test(a_database_that_is_not_there_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
