#include "tests/unit/test.h"

#include "config/units.h"

static void times(void **state) {
    (void)state;
    const struct {
        const char *unit;
        double ns;
    } rows[] = {{"ns", 1},
                {"us", 1e3},
                {"µs", 1e3},
                {"\u03bcs", 1e3},
                {"ms", 1e6},
                {"s", 1e9},
                {"min", 60e9},
                {"hr/op", 3600e9}, /* JMH's -tu HOURS, and DAYS */
                {"day/op", 86400e9},
                {"ms/op", 1e6},
                {"s/iter", 1e9},
                {"ns per call", 1},
                {"seconds", 1e9},
                {"parsec", 0},
                {"", 0},
                {"MB", 0},
                {"n", 0},
                {"second", 1e9},
                {"millisecond", 1e6},
                {"median ms", 1e6},
                {"median cpu", 0},
                {"ns/byte", 0},
                {"MB/s", 0},
                {"B/op", 0},
                {"ms per run", 1e6},
                {"median ms per call", 1e6},
                {"min ns", 0}, /* the smallest one, not minutes */
                {"min ms", 0},
                {"max ns", 0},
                {"ns per byte", 0},
                {"ms per MB", 0},
                {"ns per", 0},
                {"ns of", 0},
                {"s total", 0},
                {"ns/op each", 0},
                {"min/op", 60e9},
                {"hr/op", 3600e9},
                {"ps", 1e-3}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_true(cfg_unit_ns(rows[i].unit) == rows[i].ns);
    assert_true(cfg_unit_ns(NULL) == 0);
}

static void rates(void **state) {
    (void)state;
    assert_true(cfg_unit_rate_ns("ops/s") == 1e9);
    assert_true(cfg_unit_rate_ns("ops/ms") == 1e6 && cfg_unit_rate_ns("ops/day") == 86400e9);
    assert_true(cfg_unit_rate_ns("iter/sec") == 1e9 && cfg_unit_rate_ns("op/us") == 1e3);
    assert_true(cfg_unit_rate_ns("Kops/s") == 1e6 && cfg_unit_rate_ns("kop/s") == 1e6);
    assert_true(cfg_unit_rate_ns("Mops/s") == 1e3 && cfg_unit_rate_ns("Gops/s") == 1);
    assert_true(cfg_unit_rate_ns("ns/op") == 0);
    static const char *const none[] = {"MB/s",  "GB/s",   "GiB/s",   "KB/sec", "bytes/s",
                                       "bit/s", "Mbit/s", "Melem/s", "m/s",    "MHz/s"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_true(cfg_unit_rate_ns(none[i]) == 0);
    assert_true(cfg_unit_rate_ns("ops") == 0);
    assert_true(cfg_unit_rate_ns("ops/") == 0);
    assert_true(cfg_unit_rate_ns(NULL) == 0);
}

/* A change of the prefix is no change of the value. */
static void values_of_either_kind(void **state) {
    (void)state;
    cfg_unit unit;
    assert_true(cfg_unit_of("Mops/s", &unit) && cfg_unit_to_ns(&unit, 50) == 20);
    assert_true(cfg_unit_of("Kops/s", &unit) && cfg_unit_to_ns(&unit, 50000) == 20);
    assert_true(cfg_unit_of("us/op", &unit) && cfg_unit_to_ns(&unit, 2) == 2000);
    assert_true(cfg_unit_from_ns(&unit, 2000) == 2);
    assert_true(cfg_unit_of("Kops/s", &unit) && cfg_unit_from_ns(&unit, 20) == 50000);
    assert_false(cfg_unit_of("MB/s", &unit) || cfg_unit_of("", &unit) || cfg_unit_of(NULL, &unit));
}

static void what_a_load_test_counts(void **state) {
    (void)state;
    static const char *const throughputs[] = {"req/s",     "requests/sec", "krecords/s",
                                              "queries/s", "spans/ms",     "Mmsg/s"};
    static const char *const others[] = {"ops/s", "iter/sec", "Mops/s", "1/s",   "calls/s",
                                         "MB/s",  "ms/req",   "req",    "req/h", ""};
    for (size_t i = 0; i < sizeof throughputs / sizeof *throughputs; i++)
        assert_true(cfg_unit_is_throughput(throughputs[i]));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(cfg_unit_is_throughput(others[i]));
    assert_false(cfg_unit_is_throughput(NULL));
    assert_true(cfg_unit_ns("ms/req") == 1e6 && cfg_unit_rate_ns("req/s") == 1e9);
}

/* In letters of any size, with words and blanks around it. */
static void other_spellings(void **state) {
    (void)state;
    static const char *const units[] = {"ops / s",
                                        "Ops / Sec",
                                        "OPS/S",
                                        "requests/Second",
                                        "Requests Per Second",
                                        "req/s/core",
                                        "req/s per core",
                                        "requests/s total",
                                        "req/s (mean)",
                                        "ops/s avg",
                                        "avg fps",
                                        "fps avg",
                                        "RPM",
                                        "tpm",
                                        "eps",
                                        "mbps",
                                        "k qps",
                                        "s^-1"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        assert_true(cfg_unit_is_rate(units[i]));
}

static void what_is_so_many_a_time(void **state) {
    (void)state;
    static const char *const units[] = {"req/s",
                                        "ops/sec",
                                        "spans/ms",
                                        "req/hour",
                                        "requests/minute",
                                        "krec/h",
                                        "MB/s",
                                        "B/min",
                                        "KiB/days",
                                        "requests per second",
                                        "ops per sec",
                                        "events_per_hour",
                                        "req-per-s",
                                        "MB/op per second",
                                        "rps",
                                        "QPS",
                                        "tps",
                                        "FPS",
                                        "ops",
                                        "kops",
                                        "GOPS",
                                        "Hz",
                                        "kHz",
                                        "MHz",
                                        "bps",
                                        "Mbps",
                                        "MBps",
                                        "MiBps",
                                        "IOPS",
                                        "kIOPS",
                                        "GFLOPS",
                                        "pps"};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        assert_true(cfg_unit_is_rate(units[i]));
}

static void what_is_not(void **state) {
    (void)state;
    static const char *const others[] = {"",
                                         "ns",
                                         "s/op",
                                         "ns per call",
                                         "MB",
                                         "%",
                                         "B/op",
                                         "drops",
                                         "per second",
                                         "pods",
                                         "hops",
                                         "mops/x",
                                         "req/x",
                                         "per",
                                         "req per ",
                                         "person",
                                         "M",
                                         "Mi",
                                         "s",
                                         "hours",
                                         "ms/req/page",
                                         "ops/frame",
                                         "ops per frame",
                                         "k",
                                         "m ",
                                         "Per Second",
                                         "steps",
                                         "maps",
                                         "GiB"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(cfg_unit_is_rate(others[i]));
    assert_false(cfg_unit_is_rate(NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(times),
                                       cmocka_unit_test(rates),
                                       cmocka_unit_test(values_of_either_kind),
                                       cmocka_unit_test(what_a_load_test_counts),
                                       cmocka_unit_test(what_is_so_many_a_time),
                                       cmocka_unit_test(what_is_not),
                                       cmocka_unit_test(other_spellings)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
