/* A receiver beside the benchmark: started, watched, counted, and named when something is wrong. */
#include "runner/measure/receiver.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/runner/shell_bench.h"
#include "tests/unit/runner/test.h"

#include "runner/ground/procfs.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

static char ready[] = "up";

/* Prints what it is told to when it is ended. */
#define UNTIL_TOLD(end) "trap '" end "' TERM; echo up; sleep 60 & wait"

typedef struct {
    const cpu_set_t *housekeeping, *benchmark; /* NULL: every processor */
    shell_bench bench;
    cfg_receiver receiver;
    run_attempt attempt;
} place;

static const run_plan_step step = {.configuration = 0, .loop = 1, .attempt = 1};

/* The loop of a benchmark `line` beside a receiver `command`; calls x depth records are expected.
 */
static const run_loop *measure(place *at, const char *folder, const char *line, const char *command,
                               cfg_records records) {
    bench_init(&at->bench, folder, line);
    if (at->housekeeping) {
        at->bench.node.housekeeping_cpus = *at->housekeeping;
        at->bench.node.benchmark_cpus = *at->benchmark;
    }
    at->bench.job.benchmark.recursion_depth = 1;
    at->receiver.command = bench_shell(command);
    at->receiver.ready_timeout_s = at->receiver.ready_timeout_s ? at->receiver.ready_timeout_s : 30;
    at->receiver.records = records;
    at->bench.configurations[0].receiver = &at->receiver;
    at->attempt = (run_attempt){.node = &at->bench.node,
                                .job = &at->bench.job,
                                .checkout = at->bench.checkout,
                                .commit = at->bench.job.commit,
                                .spool = at->bench.spool};
    run_readings_take(&at->attempt.since, &at->bench.node.benchmark_cpus);
    assert_true(run_attempt_measure(&at->attempt, 1, &step, NULL));
    unsigned left = 0;
    assert_int_equal(run_descendants_kill(&left), 0);
    assert_int_equal(left, 0);
    assert_int_equal(run_spool_loops(at->bench.spool)->len, 1);
    return bench_loop(&at->bench, 0);
}

static void clear(place *at) {
    g_strfreev(at->receiver.command);
    g_free(at->attempt.last_log);
    bench_clear(&at->bench);
}

static uint64_t expected(const place *at) {
    return run_job_calls(&at->bench.job, 0) * at->bench.job.benchmark.recursion_depth;
}

static void test_all_came(void **state) {
    place at = {.receiver = {.ready = ready}};
    const run_loop *loop = measure(
        &at, *state, "echo 5", UNTIL_TOLD("echo {\\\"records\\\": 1}; exit 0"), CFG_RECORDS_ALL);
    assert_int_equal(expected(&at), 1);
    assert_null(loop->failed);
    json_t *told = json_object_get(loop->readings, "receiver");
    assert_int_equal(json_integer_value(json_object_get(told, "records")), 1);
    assert_int_equal(json_integer_value(json_object_get(told, "expected")), 1);
    clear(&at);
}

/* A program that makes calls for a time says how many: each of 40 has one record. */
static void test_the_program_says_how_many_calls_it_made(void **state) {
    place at = {.receiver = {.ready = ready}};
    const run_loop *loop =
        measure(&at, *state, "echo '{\"calls\": 40}' >{result}.told; echo 5",
                UNTIL_TOLD("echo {\\\"records\\\": 40}; exit 0"), CFG_RECORDS_ALL);
    assert_null(loop->failed);
    json_t *told = json_object_get(loop->readings, "receiver");
    assert_int_equal(json_integer_value(json_object_get(told, "expected")), 40);
    clear(&at);
}

static void test_it_is_ready_before_the_benchmark_begins(void **state) {
    place at = {.receiver = {.ready = ready}};
    g_autofree char *mark = g_build_filename(*state, "mark", NULL);
    g_autofree char *line = g_strdup_printf("[ -f %s ] && echo 5", mark);
    g_autofree char *command = g_strdup_printf("touch %s; " UNTIL_TOLD("exit 0"), mark);
    assert_null(measure(&at, *state, line, command, CFG_RECORDS_UNCHECKED)->failed);
    clear(&at);
    unlink(mark);
}

static void test_what_is_wrong_is_named(void **state) {
    static const struct {
        const char *line, *command, *says;
        cfg_records records;
        unsigned ready_s;
    } cases[] = {
        {"echo 5", UNTIL_TOLD("echo {\\\"records\\\": 0}; exit 0"),
         "no record arrived, 1 were expected", CFG_RECORDS_SOME, 30},
        {"echo 5", UNTIL_TOLD("echo {\\\"records\\\": 2}; exit 0"),
         "2 records came, 1 were expected", CFG_RECORDS_ALL, 30},
        {"echo 5", UNTIL_TOLD("echo refused: record of class 4; echo {\\\"records\\\": 0}; exit 0"),
         "0 records came, 1 were expected; it refused: record of class 4", CFG_RECORDS_SOME, 30},
        {"echo 5", UNTIL_TOLD("echo bye; exit 0"), "not a JSON object with \"records\"",
         CFG_RECORDS_SOME, 30},
        {"echo 5", UNTIL_TOLD("echo {\\\"records\\\": -1}; exit 0"), "\"records\"",
         CFG_RECORDS_SOME, 30},
        {"echo 5", "echo no licence; exit 3", "ended before it was ready: no licence",
         CFG_RECORDS_SOME, 30},
        {"echo 5", "sleep 60", "was not ready in time", CFG_RECORDS_SOME, 1},
        {"touch mark; sleep 60",
         "echo up; until [ -f mark ]; do sleep 0.02; done; echo full; exit 9",
         "receiver ended meanwhile: up\nfull", CFG_RECORDS_SOME, 30},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        place at = {.receiver = {.ready = ready, .ready_timeout_s = cases[i].ready_s}};
        const run_loop *loop =
            measure(&at, *state, cases[i].line, cases[i].command, cases[i].records);
        if (!loop->failed || !strstr(loop->failed, cases[i].says))
            fail_msg("\"%s\" does not say \"%s\"", loop->failed, cases[i].says);
        clear(&at);
    }
}

/* One that somebody starts again when it ends: the second has counted what came since. Whoever says
 * how far it is counts on. */
static void test_it_begins_anew_in_the_middle(void **state) {
    static const struct {
        const char *first, *says;
    } cases[] = {{"7", "receiver: it counted 7 records and then 1: it began anew in the middle"},
                 {"1", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        place at = {.receiver = {.ready = ready}};
        g_autofree char *command = g_strdup_printf(
            "echo up; until [ -f mark ]; do sleep 0.02; done; (echo {\\\"records\\\": %s}); "
            "trap 'echo {\\\"records\\\": 1}; exit 0' TERM; touch again; sleep 60 & wait",
            cases[i].first);
        const run_loop *loop =
            measure(&at, *state, "touch mark; until [ -f again ]; do sleep 0.02; done; echo 5",
                    command, CFG_RECORDS_SOME);
        if (!cases[i].says)
            assert_null(loop->failed);
        else
            assert_non_null(strstr(loop->failed ? loop->failed : "", cases[i].says));
        clear(&at);
    }
}

/* Sets `apart` to the first two of the processors that this test may use. */
static bool two_processors(cpu_set_t apart[2]) {
    cpu_set_t ours;
    int found = 0;
    assert_int_equal(sched_getaffinity(0, sizeof ours, &ours), 0);
    for (size_t i = 0; i < CPU_SETSIZE && found < 2; i++) {
        if (!CPU_ISSET(i, &ours))
            continue;
        CPU_ZERO(&apart[found]);
        CPU_SET(i, &apart[found++]);
    }
    return found == 2;
}

#define MAY_USE "sed -n s/^Cpus_allowed_list:.//p /proc/self/status"

static void test_it_keeps_off_the_benchmark(void **state) {
    cpu_set_t apart[2];
    if (!two_processors(apart))
        skip();
    place at = {.housekeeping = &apart[0], .benchmark = &apart[1], .receiver = {.ready = ready}};
    g_autofree char *housekeeping = run_cpus_format(&apart[0]);
    g_autofree char *benchmark = run_cpus_format(&apart[1]);
    g_autofree char *line = g_strdup_printf("test $(" MAY_USE ") = %s && echo 5", benchmark);
    const run_loop *loop = measure(
        &at, *state, line,
        UNTIL_TOLD("echo {\\\"records\\\": 1, \\\"cpus\\\": \\\"$(" MAY_USE ")\\\"}; exit 0"),
        CFG_RECORDS_ALL);
    assert_null(loop->failed);
    const json_t *told = json_object_get(loop->readings, "receiver");
    assert_string_equal(json_string_value(json_object_get(told, "cpus")), housekeeping);
    clear(&at);
}

static void test_a_program_that_is_not_there(void **state) {
    place at = {0};
    const run_loop *loop =
        measure(&at, *state, "echo 5", "exec /nonexistent/receiver", CFG_RECORDS_SOME);
    assert_non_null(strstr(loop->failed, "receiver"));
    assert_non_null(strstr(loop->failed, "/nonexistent/receiver"));
    clear(&at);
}

static int listen_somewhere(uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, size), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    *port = ntohs(address.sin_port);
    return fd;
}

static void test_a_port_in_use(void **state) {
    place at = {0};
    int fd = listen_somewhere(&at.receiver.port);
    const run_loop *loop = measure(&at, *state, "echo 5", "sleep 60", CFG_RECORDS_SOME);
    g_autofree char *says =
        g_strdup_printf("receiver: port %u: Address already in use", at.receiver.port);
    assert_true(g_str_has_prefix(loop->failed, says));
    close(fd);
    clear(&at);
}

/* Ready by its port, with ours as the program. */
static void test_ours(void **state) {
    place at = {0};
    const run_loop *loop =
        measure(&at, *state, "test {port} -gt 0 && echo 5",
                "exec " RECEIVER " --format otlp --port {port}", CFG_RECORDS_SOME);
    assert_non_null(strstr(loop->failed ? loop->failed : "", "no record arrived"));
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(loop->readings, "receiver"), "refused")),
        0);
    clear(&at);
}

static void test_the_last_line_counts(void **state) {
    (void)state;
    static const struct {
        const char *log;
        bool object, counted;
        uint64_t records;
    } cases[] = {
        {NULL, false, false, 0},
        {"", false, false, 0},
        {"\n\n", false, false, 0},
        {"{\"records\": 3}", true, true, 3},
        {"{\"records\": 3}\n\n", true, true, 3},
        {"up\n{\"records\": 0}\n", true, true, 0},
        {"{\"records\": 3}\nbye\n", false, false, 0}, /* not the last */
        {"[3]\n", false, false, 0},
        {"3\n", false, false, 0},
        {"{\"records\": 3\n", false, false, 0},
        {"{}\n", true, false, 0},
        {"{\"records\": -1}\n", true, false, 0},
        {"{\"records\": 2.5}\n", true, false, 0},
        {"{\"records\": \"3\"}\n", true, false, 0},
        {"{\"records\": 9007199254740993}\n", true, true, 9007199254740993},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *told = run_last_object(cases[i].log);
        uint64_t records = 77;
        if (cases[i].object != (told != NULL))
            fail_msg("case %zu: %s", i, cases[i].log);
        assert_int_equal(told_records(told, &records), cases[i].counted);
        assert_int_equal(records, cases[i].counted ? cases[i].records : 77);
        json_decref(told);
    }
}

static void test_a_reading_has_what_was_expected(void **state) {
    (void)state;
    json_t *reading = told_reading(json_pack("{s:i, s:i}", "records", 4, "others", 1), 5);
    json_t *should = json_pack("{s:i, s:i, s:i}", "records", 4, "others", 1, "expected", 5);
    assert_true(json_equal(reading, should));
    json_decref(reading);
    json_decref(should);
    reading = told_reading(NULL, 7); /* it said nothing that counts */
    assert_int_equal(json_object_size(reading), 1);
    assert_int_equal(json_integer_value(json_object_get(reading, "expected")), 7);
    json_decref(reading);
}

/* A program cannot pretend that something else was expected. */
static void test_what_was_expected_is_ours_to_say(void **state) {
    (void)state;
    json_t *reading = told_reading(json_pack("{s:i}", "expected", 1), 20);
    assert_int_equal(json_integer_value(json_object_get(reading, "expected")), 20);
    json_decref(reading);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_came, make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(test_the_program_says_how_many_calls_it_made,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(test_it_is_ready_before_the_benchmark_begins,
                                        make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(test_what_is_wrong_is_named, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(test_it_begins_anew_in_the_middle, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(test_it_keeps_off_the_benchmark, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(test_a_program_that_is_not_there, make_test_folder,
                                        remove_test_folder),
        cmocka_unit_test_setup_teardown(test_a_port_in_use, make_test_folder, remove_test_folder),
        cmocka_unit_test_setup_teardown(test_ours, make_test_folder, remove_test_folder),
        cmocka_unit_test(test_the_last_line_counts),
        cmocka_unit_test(test_a_reading_has_what_was_expected),
        cmocka_unit_test(test_what_was_expected_is_ours_to_say),
    };
    GError *error = NULL;
    return run_descendants_adopt(&error) ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
