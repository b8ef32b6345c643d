/* SIGTERM and SIGINT as a descriptor, and a sleep that they end. */
#include "tests/unit/runner/test.h"

#include "runner/ground/stop.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static void nobody_asks(void **state) {
    (void)state;
    const int fd = run_stop_open(NULL);
    assert_true(fd >= 0);
    assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC); /* no program of a job gets it */
    assert_false(run_stop_asked(fd));
    assert_false(run_stop_sleep(fd, 1));
    assert_false(run_stop_asked(-1));
    assert_false(run_stop_sleep(-1, 1));
    assert_false(run_stop_sleep(-1, 0));
    assert_false(run_stop_sleep(fd, -5));
    (void)close(fd);
}

/* Blocked, so it does not end us; asked and asked again it is still there. */
static void either_signal(void **state) {
    (void)state;
    static const int signals[] = {SIGTERM, SIGINT};
    for (size_t i = 0; i < G_N_ELEMENTS(signals); i++) {
        const int fd = run_stop_open(NULL);
        assert_int_equal(raise(signals[i]), 0);
        assert_true(run_stop_asked(fd));
        assert_true(run_stop_asked(fd));
        assert_true(run_stop_sleep(fd, INT64_C(3600) * 1000)); /* an hour that ends at once */
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, signals[i]);
        assert_int_equal(sigwaitinfo(&one, NULL), signals[i]);
        assert_false(run_stop_asked(fd));
        (void)close(fd);
    }
}

static void other_signals_do_not_count(void **state) {
    (void)state;
    const int fd = run_stop_open(NULL);
    assert_true(signal(SIGUSR1, SIG_IGN) != SIG_ERR);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_false(run_stop_asked(fd));
    (void)close(fd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_asks),
        cmocka_unit_test(either_signal),
        cmocka_unit_test(other_signals_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
