#include "tests/unit/runner/test.h"

#include "runner/job/job.h"

static const char good[] =
    "{\"id\":17,\"project\":\"p\",\"seed\":42,\"commit\":"
    "\"0123456789abcdef0123456789abcdef01234567\",\"repository\":{\"url\":\"https://h/r.git\","
    "\"branch\":\"main\"},\"benchmark\":{\"driver\":\"native\",\"prepare\":[\"make\"],"
    "\"prepare_timeout_seconds\":900,\"loops\":10,\"method_time_ns\":0,\"recursion_depth\":10,"
    "\"threads\":2,\"loop_timeout_seconds\":600,\"rest_seconds\":30,\"classpath\":[],"
    "\"configurations\":[{\"name\":\"none\",\"options\":[\"-x\"],\"environment\":{\"A\":\"b=c\"},"
    "\"total_calls\":2000,\"warmup_calls\":1000},{\"name\":\"probe\",\"total_calls\":10,"
    "\"warmup_calls\":0}]}}";

/* The good job with the value at a path ("benchmark.loops", "configurations" = its first) set. */
static json_t *changed(const char *path, json_t *value) {
    json_t *job = json_loads(good, 0, NULL);
    json_t *object = job;
    g_auto(GStrv) keys = g_strsplit(path, ".", -1);
    size_t i = 0;
    for (; keys[i + 1]; i++) {
        object = json_object_get(object, keys[i]);
        if (json_is_array(object))
            object = json_array_get(object, 0);
    }
    if (value)
        json_object_set_new(object, keys[i], value);
    else
        json_object_del(object, keys[i]);
    return job;
}

static void test_good(void **state) {
    (void)state;
    json_t *source = json_loads(good, 0, NULL);
    g_autoptr(run_job) job = run_job_parse(source, NULL);
    json_decref(source);
    assert_non_null(job);
    assert_int_equal(job->id, 17);
    assert_int_equal(job->benchmark.driver, CFG_DRIVER_NATIVE);
    assert_string_equal(job->benchmark.prepare[0], "make");
    assert_null(job->benchmark.prepare[1]);
    assert_string_equal(job->benchmark.configurations[0].environment[0].name, "A");
    assert_string_equal(job->benchmark.configurations[0].environment[0].value, "b=c");
    assert_null(job->benchmark.configurations[1].command[0]);
    assert_int_equal(run_job_find(job, "probe"), 1);
    assert_int_equal(run_job_find(job, "x"), -1);
    assert_int_equal(run_job_calls(job, 0), 4000);
    assert_int_equal(run_job_commits(job), 1);
    assert_string_equal(run_job_commit(job, RUN_AFTER), job->commit);
}

static void test_receiver(void **state) {
    (void)state;
    const struct {
        const char *receiver, *says;
    } cases[] = {
        {"{\"command\":[\"r\"],\"port\":0,\"ready_timeout_seconds\":30,\"records\":\"all\"}", NULL},
        {"{\"command\":[],\"port\":0,\"ready_timeout_seconds\":30,\"records\":\"all\"}",
         "receiver.command"},
        {"{\"command\":[\"r\"],\"port\":65536,\"ready_timeout_seconds\":30,\"records\":\"all\"}",
         "port"},
        {"{\"command\":[\"r\"],\"port\":0,\"ready_timeout_seconds\":0,\"records\":\"all\"}",
         "ready_timeout_seconds"},
        {"{\"command\":[\"r\"],\"port\":0,\"ready_timeout_seconds\":30,\"records\":\"most\"}",
         "receiver.records"},
        {"{\"command\":[\"r\"],\"port\":0,\"ready_timeout_seconds\":30,\"ready\":7,"
         "\"records\":\"some\"}",
         "ready"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *source =
            changed("benchmark.configurations.receiver", json_loads(cases[i].receiver, 0, NULL));
        GError *problem = NULL;
        g_autoptr(run_job) job = run_job_parse(source, &problem);
        json_decref(source);
        if (cases[i].says) {
            assert_null(job);
            assert_error(problem, RUN_ERROR_JOB, cases[i].says);
            continue;
        }
        assert_non_null(job);
        assert_string_equal(job->benchmark.configurations[0].receiver->command[0], "r");
        assert_int_equal(job->benchmark.configurations[0].receiver->records, CFG_RECORDS_ALL);
        assert_null(job->benchmark.configurations[1].receiver);
    }
}

#define SHA256 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void test_artifact(void **state) {
    (void)state;
    const struct {
        const char *name, *sha256, *url;
        json_int_t bytes;
        bool good;
    } cases[] = {{"a-1.0+b.tar.gz", SHA256, "/api/v1/x", 5, true},
                 {"../a", SHA256, "/x", 5, false},
                 {"a/b", SHA256, "/x", 5, false},
                 {".a", SHA256, "/x", 5, false},
                 {"a", "abc", "/x", 5, false},
                 {"a", SHA256, "http://h/x", 5, false},
                 {"a", SHA256, "//h/x", 5, false},
                 {"a", SHA256, "x", 5, false},
                 {"a", SHA256, "/x", 0, false},
                 {"a", SHA256, "/x", -1, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GError *problem = NULL;
        json_t *source = changed("benchmark.artifact", json_string(cases[i].name));
        json_object_set_new(source, "artifact",
                            json_pack("{s:s, s:s, s:s, s:I}", "name", cases[i].name, "sha256",
                                      cases[i].sha256, "url", cases[i].url, "bytes",
                                      cases[i].bytes));
        g_autoptr(run_job) job = run_job_parse(source, &problem);
        json_decref(source);
        if ((job != NULL) != cases[i].good)
            fail_msg("case %zu", i);
        if (job) {
            assert_string_equal(run_job_artifact_of(job, RUN_AFTER)->url, cases[i].url);
            assert_null(run_job_artifact_of(job, RUN_BEFORE));
        } else {
            assert_error(problem, RUN_ERROR_JOB, "job: \"artifact.");
        }
    }
    /* A benchmark that needs one and a job without it do not fit. */
    json_t *source = changed("benchmark.artifact", json_string("a.jar"));
    GError *problem = NULL;
    assert_null(run_job_parse(source, &problem));
    assert_error(problem, RUN_ERROR_JOB, "job: \"artifact.");
    json_decref(source);
}

/* A trial's job: its own kind, the older commit, and a root that had a parent. */
static json_t *trial_of(const char *kind, json_t *before) {
    json_t *job = changed("benchmark.configurations.parent", json_null());
    json_object_set_new(job, "kind", json_string(kind));
    if (before)
        json_object_set_new(job, "before", before);
    return job;
}

static void test_trial(void **state) {
    (void)state;
    const char older[] = "89abcdef0123456789abcdef0123456789abcdef";
    const char *kinds[] = {"confirmation", "bisection"};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        json_t *source = trial_of(kinds[i], json_string(older));
        g_autoptr(run_job) job = run_job_parse(source, NULL);
        json_decref(source);
        assert_non_null(job);
        assert_int_equal(run_job_commits(job), 2);
        assert_string_equal(run_job_commit(job, RUN_AFTER), job->commit);
        assert_string_equal(run_job_commit(job, RUN_BEFORE), older);
    }
    json_t *plain = trial_of("backfill", json_null());
    g_autoptr(run_job) job = run_job_parse(plain, NULL);
    json_decref(plain);
    assert_non_null(job);
    assert_int_equal(run_job_commits(job), 1);
}

/* A job that profiles two commits, with the project's own profiler or without. */
static void test_explain(void **state) {
    (void)state;
    json_t *source = trial_of("explain", json_string("89abcdef0123456789abcdef0123456789abcdef"));
    GError *problem = NULL;
    assert_null(run_job_parse(source, &problem));
    assert_error(problem, RUN_ERROR_JOB, "explain_minutes");
    json_object_set_new(source, "explain_minutes", json_integer(12));
    g_autoptr(run_job) plain = run_job_parse(source, NULL);
    assert_int_equal(plain->explain_s, 720);
    json_object_set_new(source, "explain_minutes", json_real(0.5));
    g_autoptr(run_job) half = run_job_parse(source, NULL);
    assert_int_equal(half->explain_s, 30);
    assert_null(plain->profile_command[0]);
    assert_null(plain->profile_root);
    json_object_set_new(source, "profile_command", json_pack("[s, s]", "perf", "{profile}"));
    json_object_set_new(source, "profile_root", json_string("main"));
    g_autoptr(run_job) own = run_job_parse(source, NULL);
    assert_string_equal(own->profile_command[1], "{profile}");
    assert_string_equal(own->profile_root, "main");
    assert_null(own->profile_of);
    json_object_set_new(source, "profile_of", json_string("start"));
    g_autoptr(run_job) start = run_job_parse(source, NULL);
    assert_string_equal(start->profile_of, "start");
    json_object_set_new(source, "profile_of", json_string("locks"));
    assert_null(run_job_parse(source, &problem));
    assert_error(problem, RUN_ERROR_JOB, "a newer server needs a newer runner");
    json_object_del(source, "profile_of");
    json_object_set_new(source, "profile_command", json_string("perf"));
    assert_null(run_job_parse(source, &problem));
    assert_error(problem, RUN_ERROR_JOB, "profile_command");
    json_decref(source);
}

static void test_bad_trial(void **state) {
    (void)state;
    const struct {
        const char *kind;
        json_t *before;
        const char *says;
    } cases[] = {
        {"confirmation", NULL, "\"before\""},
        {"bisection", json_null(), "\"before\""},
        {"confirmation", json_integer(1), "\"before\""},
        {"confirmation", json_string("HEAD~1"), "commit id"},
        {"confirmation", json_string("--upload-pack=x"), "commit id"},
        {"confirmation", json_string("0123456789ABCDEF0123456789abcdef01234567"), "commit id"},
        {"confirmation", json_string("0123456789abcdef0123456789abcdef01234567"), "differs from"},
        {"nightly", json_string("89abcdef0123456789abcdef0123456789abcdef"), "newer runner"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GError *problem = NULL;
        json_t *source = trial_of(cases[i].kind, cases[i].before);
        assert_null(run_job_parse(source, &problem));
        json_decref(source);
        assert_error(problem, RUN_ERROR_JOB, cases[i].says);
    }
}

typedef struct {
    const char *path;
    json_t *value;
    const char *says;
} bad_case;

static void expect_bad(const bad_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        GError *problem = NULL;
        json_t *source = changed(cases[i].path, cases[i].value);
        run_job *job = run_job_parse(source, &problem);
        json_decref(source);
        if (job)
            fail_msg("case %zu (%s) was taken", i, cases[i].path);
        assert_error(problem, RUN_ERROR_JOB, cases[i].says);
    }
}

static void test_bad(void **state) {
    (void)state;
    const bad_case cases[] = {
        {"id", json_integer(0), "\"id\""},
        {"id", json_string("17"), "\"id\""},
        {"project", NULL, "\"project\""},
        {"project", json_string("a\nb"), "\"project\""},
        {"seed", json_integer(-1), "\"seed\""},
        {"commit", json_string("main"), "commit id"},
        {"commit", json_string("--upload-pack=x"), "commit id"},
        {"repository", NULL, "\"repository.url\""},
        {"repository.url", json_string("ext::sh -c id"), "\"repository.url\""},
        {"repository.url", json_string("--upload-pack=id"), "\"repository.url\""},
        {"repository.url", json_string("ssh://-oProxyCommand=id/x"), "\"repository.url\""},
        {"repository.url", json_string("relative/path"), "\"repository.url\""},
        {"repository.branch", json_string("-x"), "\"repository.branch\""},
        {"repository.branch", json_string("a..b"), "\"repository.branch\""},
        {"repository.branch", json_string("a:b"), "\"repository.branch\""},
        {"repository.branch", json_string("a*"), "\"repository.branch\""},
    };
    expect_bad(cases, G_N_ELEMENTS(cases));
}

static void test_bad_benchmark(void **state) {
    (void)state;
    char nul[] = {'a', '\0', 'b'};
    const bad_case cases[] = {
        {"benchmark", NULL, "\"benchmark.driver\""},
        {"benchmark.driver", json_string("perl"), "newer runner"},
        {"benchmark.prepare", json_string("make"), "\"benchmark.prepare\""},
        {"benchmark.prepare", json_pack("[i]", 1), "\"benchmark.prepare\""},
        {"benchmark.prepare", json_pack("[o]", json_stringn(nul, 3)), "\"benchmark.prepare\""},
        {"benchmark.loops", json_integer(0),
         "\"benchmark.loops\" must be a whole number from 1 to 10000"},
        {"benchmark.loops", json_real(2.5), "\"benchmark.loops\""},
        {"minimum_loops", json_integer(0), "\"minimum_loops\""},
        {"benchmark.precision_percent", json_integer(-1), "\"benchmark.precision_percent\""},
        {"benchmark.precision_percent", json_string("1"), "\"benchmark.precision_percent\""},
        {"benchmark.warmup_evidence", json_integer(1), "\"benchmark.warmup_evidence\""},
        {"benchmark.budget_minutes", json_integer(-1), "\"benchmark.budget_minutes\""},
        {"benchmark.budget_minutes", json_integer(10081), "\"benchmark.budget_minutes\""},
        {"benchmark.confidence", json_integer(1), "\"benchmark.confidence\""},
        {"benchmark.network", json_string("none"), "\"on\" or \"off\""},
        {"benchmark.count", json_string("often"), "\"never\", \"auto\" or \"always\""},
        {"benchmark.count", json_true(), "\"never\", \"auto\" or \"always\""},
        {"benchmark.count_both", json_string("auto"),
         "\"benchmark.count_both\" must be true or false"},
        {"benchmark.in_turn", json_integer(1), "\"benchmark.in_turn\" must be true or false"},
        {"benchmark.configurations.parent", json_string("gone"), "a configuration above"},
        {"benchmark.configurations.parent", json_string("probe"), "a configuration above"},
        /* found by tests/fuzz/runner/fuzz_job: it was the next one, whose name is not read yet */
        {"benchmark.configurations.parent", json_real(99.99), "a configuration above"},
        {"benchmark.threads", json_integer(1025), "\"benchmark.threads\""},
        {"benchmark.loop_timeout_seconds", json_integer(0), "loop_timeout_seconds"},
        {"benchmark.configurations", json_array(), "\"benchmark.configurations\""},
        {"benchmark.configurations.name", json_string("../x"),
         "job: \"benchmark.configurations[0].name\""},
        {"benchmark.configurations.name", json_string("probe"), "differently"},
        {"benchmark.configurations.total_calls", json_integer(1000000000), "all threads"},
        {"benchmark.configurations.warmup_calls", json_integer(2000), "less than total_calls"},
        {"benchmark.configurations.environment", json_pack("{s:s}", "1A", "x"), "environment"},
        {"benchmark.configurations.environment", json_pack("{s:i}", "A", 1), "environment"},
        {"benchmark.configurations.environment", json_array(), "environment"},
    };
    expect_bad(cases, G_N_ELEMENTS(cases));
}

static void test_urls_that_are_taken(void **state) {
    (void)state;
    const char *urls[] = {
        "https://h/r.git", "http://h:8080/r", "ssh://git@h/r",         "git://h/r",
        "file:///srv/r",   "/srv/git/r",      "git@github.com:o/r.git"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        json_t *source = changed("repository.url", json_string(urls[i]));
        g_autoptr(run_job) job = run_job_parse(source, NULL);
        json_decref(source);
        assert_non_null(job);
    }
}

static void test_not_an_object(void **state) {
    (void)state;
    GError *problem = NULL;
    json_t *list = json_array();
    assert_null(run_job_parse(list, &problem));
    assert_error(problem, RUN_ERROR_JOB, "job: JSON must be an object");
    json_decref(list);
}

/* A job of another driver, with the keys that only it has. */
static json_t *driven(const char *driver, const char *keys, const char *own) {
    json_t *job = changed("benchmark.driver", json_string(driver));
    json_t *benchmark = json_object_get(job, "benchmark");
    json_t *more = json_loads(keys, 0, NULL), *each = json_loads(own, 0, NULL);
    size_t i;
    json_t *one;
    assert_true(more && each);
    json_object_update(benchmark, more);
    json_array_foreach (json_object_get(benchmark, "configurations"), i, one)
        json_object_update(one, each);
    json_decref(more);
    json_decref(each);
    return job;
}

static void expect_driven(const char *driver, const char *keys, const char *own,
                          const char *message) {
    json_t *source = driven(driver, keys, own);
    GError *error = NULL;
    g_autoptr(run_job) job = run_job_parse(source, &error);
    json_decref(source);
    if (!message) {
        if (!job)
            fail_msg("%s", error->message);
        return;
    }
    assert_null(job);
    assert_error(error, RUN_ERROR_JOB, message);
}

#define READ                                                                                       \
    "{\"read\":{\"format\":\"pattern\",\"from\":\"output\",\"scope\":\"line\",\"several\":"        \
    "\"refuse\","                                                                                  \
    "\"time\":\"real\",\"match_limit\":1000,\"timeout_seconds\":10,\"size_limit_bytes\":100,"
#define RUNS "{\"command\":[\"./b\"]}"

static void test_command(void **state) {
    (void)state;
    expect_driven("command", READ "\"pattern\":\"(?<value>.)\",\"unit\":\"ns\"}}", RUNS, NULL);
    expect_driven("command", READ "\"pattern\":\"\"}}", RUNS, "\"benchmark.read.pattern\" must be");
    expect_driven("command", READ "\"pattern\":\"x\",\"from\":\"mail\"}}", RUNS,
                  "\"benchmark.read.from\" must be \"output\" or \"result\"");
    expect_driven("command", READ "\"pattern\":\"x\",\"timeout_seconds\":46}}", RUNS,
                  "from 1 to 45");
    expect_driven("command", READ "\"pattern\":\"x\",\"format\":\"xml\"}}", RUNS,
                  "a newer server needs a newer runner");
    expect_driven("command", "{}", RUNS, "\"benchmark.read.format\"");
    expect_driven("command", READ "\"pattern\":\"x\"}}", "{}",
                  "\"benchmark.configurations[0].command\" must be a program");
    expect_driven("command", READ "\"pattern\":\"x\"}}", "{\"command\":[\"./b\"],\"result\":7}",
                  "\"benchmark.configurations[0].result\" must be a text");
}

static void test_moobench(void **state) {
    (void)state;
    const char *good_keys = "{\"framework\":\"frameworks/K\",\"script\":\"measure.sh\"}";
    expect_driven("moobench", good_keys, "{\"index\":4}", NULL);
    expect_driven("moobench", good_keys, "{}",
                  "\"benchmark.configurations[0].index\" must be a whole number");
    expect_driven("moobench", good_keys, "{\"index\":1000}", "from 0 to 999");
    expect_driven("moobench", "{\"framework\":\"a/../../b\",\"script\":\"s\"}", "{\"index\":4}",
                  "\"benchmark.framework\" must be a relative path");
    expect_driven("moobench", "{\"framework\":\"a\",\"script\":\"/bin/sh\"}", "{\"index\":4}",
                  "\"benchmark.script\" must be a relative path");
    expect_driven("moobench", "{\"framework\":\"a\",\"script\":\"s\",\"results\":\"-x\"}",
                  "{\"index\":4}", "\"benchmark.results\" must be a relative path");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_command),
                                       cmocka_unit_test(test_moobench),
                                       cmocka_unit_test(test_good),
                                       cmocka_unit_test(test_artifact),
                                       cmocka_unit_test(test_receiver),
                                       cmocka_unit_test(test_trial),
                                       cmocka_unit_test(test_explain),
                                       cmocka_unit_test(test_bad_trial),
                                       cmocka_unit_test(test_bad),
                                       cmocka_unit_test(test_bad_benchmark),
                                       cmocka_unit_test(test_urls_that_are_taken),
                                       cmocka_unit_test(test_not_an_object)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
