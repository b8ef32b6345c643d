#include "tests/unit/runner/test.h"

#include "runner/node/gate.h"

#include <math.h>
#include <string.h>

static const run_gate_bounds bounds = {.cpu_percent = 10, .steal_percent = 2, .temperature_c = 80};

static run_readings_span quiet(double seconds) {
    run_readings_span span = {.seconds = seconds};
    span.before.temperature_c = span.after.temperature_c = NAN;
    return span;
}

static void expect(const run_readings_span *span, const char *says) {
    g_autofree char *reason = run_gate_judge(span, &bounds);
    if ((!says) != (!reason) || (says && !strstr(reason, says)))
        fail_msg("\"%s\" instead of \"%s\"", reason ? reason : "", says ? says : "");
}

/* Three ticks to spare: 3 % of a second's loop, 0.1 % of half a minute's. */
static void test_cpu(void **state) {
    (void)state;
    const struct {
        double seconds, others_percent;
        bool disturbed;
    } cases[] = {{1, 0, false},    {1, 10, false},     {1, 12.9, false}, {1, 13.1, true},
                 {30, 9.9, false}, {30, 10.09, false}, {30, 10.2, true}, {0.1, 39, false},
                 {0.1, 41, true},  {30, 100, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_readings_span span = quiet(cases[i].seconds);
        span.others_cpu_percent = cases[i].others_percent;
        expect(&span, cases[i].disturbed ? "of a processor (bound 10.0 %)" : NULL);
    }
}

static void test_others(void **state) {
    (void)state;
    run_readings_span span = quiet(10);
    expect(&span, NULL);
    span.steal_percent = 2.5;
    expect(&span, "the hypervisor took 2.5 %");
    span = quiet(10);
    span.throttles = 3;
    expect(&span, "slowed down by heat 3 times");
    span = quiet(10);
    span.before.temperature_c = 81;
    expect(&span, "81 degrees");
    span.before.temperature_c = 79;
    expect(&span, NULL);
    span.went_back = true;
    expect(&span, "the kernel's processor clock was set back");
}

static void test_no_gate_is_open(void **state) {
    (void)state;
    cfg_runner config = {.gate_wait_s = 0};
    run_node node = {.config = &config, .stop_fd = -1};
    run_readings since = {0};
    assert_true(run_gate_wait(&node, &since, NULL, NULL, NULL, NULL));
}

/* Nothing is ever below minus one tick: this node does not get idle, and the gate says so. */
static void test_gives_up_with_a_reason(void **state) {
    (void)state;
    cfg_runner config = {
        .gate_wait_s = 1, .idle_cpu_percent = -1000, .disturbed_steal_percent = 100};
    run_node node = {.config = &config, .stop_fd = -1};
    CPU_ZERO(&node.benchmark_cpus);
    run_readings since;
    run_readings_take(&since, &node.benchmark_cpus);
    GError *problem = NULL;
    assert_false(run_gate_wait(&node, &since, NULL, NULL, NULL, &problem));
    assert_error(problem, RUN_ERROR_BUSY,
                 "the node was not idle for 1 s (gate_wait_seconds): "
                 "others used ");
}

typedef struct {
    cfg_runner config;
    char *reason; /* told last */
    bool waited;
} waiting;

static bool become_idle(void *data, GError **error) {
    (void)error;
    waiting *self = data;
    self->waited = self->waited || self->reason;
    self->config.idle_cpu_percent = 1e9;
    return true;
}

static void keep_reason(void *data, const char *reason) {
    waiting *self = data;
    g_free(self->reason);
    self->reason = g_strdup(reason);
    assert_true(!reason || strstr(reason, "of a processor (bound "));
}

/* Bounds cannot hold at first; while the gate waits, and says so, they begin to. */
static void test_opens_when_idle(void **state) {
    (void)state;
    waiting self = {
        .config = {.gate_wait_s = 50, .idle_cpu_percent = -1e9, .disturbed_steal_percent = 100}};
    run_node node = {.config = &self.config, .stop_fd = -1};
    CPU_ZERO(&node.benchmark_cpus);
    /* a window that is long enough: nobody waits for it, so the first tick is of the gate's wait */
    run_readings since = {.at_us = 0};
    assert_true(run_gate_wait(&node, &since, become_idle, keep_reason, &self, NULL));
    assert_true(since.at_us > 0); /* it looked again */
    assert_true(self.waited);
    assert_null(self.reason);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cpu), cmocka_unit_test(test_others),
                                       cmocka_unit_test(test_no_gate_is_open),
                                       cmocka_unit_test(test_gives_up_with_a_reason),
                                       cmocka_unit_test(test_opens_when_idle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
