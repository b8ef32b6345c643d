/* Who may write to a file next. */
#include "tests/unit/test.h"

#include "server/store/db_gate.h"

#include <glib.h>

enum { THREADS = 4, TURNS = 500 };

static void one_is_in_it_at_a_time(void **state) {
    (void)state;
    srv__gate *gate = srv__gate_open("/a"), *again = srv__gate_open("/a");
    srv__gate *other = srv__gate_open("/b");
    assert_ptr_equal(gate, again);
    assert_true(srv__gate_enter(gate, 1));
    assert_false(srv__gate_enter(again, 1));
    assert_true(srv__gate_enter(other, 1));
    srv__gate_leave(gate);
    assert_true(srv__gate_enter(again, 1));
    srv__gate_leave(again);
    srv__gate_leave(other);
    srv__gate_close(other);
    srv__gate_close(again);
    assert_true(srv__gate_enter(gate, 1));
    srv__gate_leave(gate);
    srv__gate_close(gate);
    srv__gate_close(NULL);
}

/* Another one than before: nobody is in it. */
static void who_opens_it_anew_finds_it_free(void **state) {
    (void)state;
    srv__gate *gate = srv__gate_open("/a");
    assert_true(srv__gate_enter(gate, 1));
    srv__gate_close(gate);
    gate = srv__gate_open("/a");
    assert_true(srv__gate_enter(gate, 1));
    srv__gate_close(gate);
}

static int inside, turns;

static void *take_turns(void *user) {
    srv__gate *gate = srv__gate_open(user);
    for (int i = 0; i < TURNS; i++) {
        const bool good = srv__gate_enter(gate, 60000);
        const int before = inside++; /* only the gate is between them */
        turns += good && before == 0;
        inside--;
        srv__gate_leave(gate);
    }
    srv__gate_close(gate);
    return NULL;
}

static void everybody_has_a_turn(void **state) {
    char path[] = "/a";
    GThread *threads[THREADS];
    (void)state;
    for (int i = 0; i < THREADS; i++)
        threads[i] = g_thread_new("turns", take_turns, path);
    for (int i = 0; i < THREADS; i++)
        g_thread_join(threads[i]);
    assert_int_equal(turns, THREADS * TURNS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_is_in_it_at_a_time),
        cmocka_unit_test(who_opens_it_anew_finds_it_free),
        cmocka_unit_test(everybody_has_a_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
