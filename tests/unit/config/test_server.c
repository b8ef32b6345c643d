#include "tests/unit/test.h"

#include "config/config.h"
#include "file.h"

#include <string.h>

static void server_defaults_and_paths(void **state) {
    (void)state;
    char *path = test_file("data_dir: data\nport: 0\npublic_read: false\n", -1);
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_server) server = cfg_server_load(path, &error);
    assert_null(error);
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *data = g_build_filename(folder, "data", NULL);
    assert_string_equal(server->data_dir, data);
    assert_string_equal(server->shared_dir, data);
    assert_null(server->database);
    assert_true(g_str_has_suffix(server->projects_dir, "/projects.d"));
    assert_string_equal(server->listen, "127.0.0.1");
    assert_int_equal(server->port, 0);
    assert_false(server->public_read);
    assert_false(server->public_details);
    assert_string_equal(server->runner_lines, "");
    assert_int_equal(server->poll_s, 60);
    assert_int_equal(server->lease_s, 60);
    assert_int_equal(server->off_job_days, 30);
    assert_int_equal(server->client_connection_limit, 100);
    assert_int_equal(server->client_requests_per_second, 100);
    assert_int_equal(server->head_timeout_s, 20);
    assert_int_equal(server->body_timeout_s, 120);
    assert_int_equal(server->body_buffer_bytes, 40 << 20);
    assert_int_equal(server->fetch_limit_bytes, INT64_C(4) << 30);
    assert_int_equal(server->mirror_limit_bytes, INT64_C(8) << 30);
    test_file_remove(path);
}

static void a_site_has_a_folder_and_is_public(void **state) {
    (void)state;
    static const char *const bad[][2] = {
        {"site:\n  base: https://x.org\n", "site: needs folder"},
        {"site:\n  folder: f\n  base: x.org\n", "site.base: must begin with http"},
        {"public_read: false\nsite:\n  folder: f\n", "what public_read: false keeps back"}};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = g_strconcat("data_dir: d\n", bad[i][0], NULL);
        char *path = test_file(text, -1);
        assert_null(cfg_server_load(path, &error));
        if (!strstr(error->message, bad[i][1]))
            fail_msg("%s", error->message);
        test_file_remove(path);
    }
    char *path = test_file("data_dir: d\nsite:\n  folder: f\n  base: https://x.org\n", -1);
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *whole = g_build_filename(folder, "f", NULL);
    g_autoptr(cfg_server) server = cfg_server_load(path, NULL);
    assert_string_equal(server->site.folder, whole);
    assert_string_equal(server->site.base, "https://x.org");
    test_file_remove(path);
    path = test_file("data_dir: d\ntls_certificate_file: c\ntls_key_file: k\n"
                     "public_url: https://x.org:8443/\n",
                     -1);
    g_autoptr(cfg_server) named = cfg_server_load(path, NULL);
    assert_string_equal(named->public_url, "https://x.org:8443");
    test_file_remove(path);
}

/* What the section says is in the runner's own file, with whole paths, and is read there again. */
static void a_hosted_runner_has_a_section(void **state) {
    (void)state;
    char *path = test_file("data_dir: d\nrunner:\n  run_as_user: \"bench: it's\"\n"
                           "  gate_wait_seconds: 600\n  disturbed_repeats: 3\n"
                           "  idle_cpu_percent: 2.5\n  benchmark_cpus: \"2\"\n"
                           "  labels: [java, \"a, b\"]\n  ssh_key_file: keys/id\n",
                           -1);
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_server) server = cfg_server_load(path, &error);
    assert_null(error);
    g_autofree char *folder = g_path_get_dirname(path);
    g_autofree char *key = g_build_filename(folder, "keys", "id", NULL);
    g_autofree char *own =
        g_strconcat("server: 'http://h'\ntoken_file: t\nwork_dir: w\n", server->runner_lines, NULL);
    test_file_remove(path);
    path = test_file(own, -1);
    g_autoptr(cfg_runner) runner = cfg_runner_load(path, &error);
    test_file_remove(path);
    if (error)
        fail_msg("%s: %s", error->message, own);
    assert_string_equal(runner->run_as_user, "bench: it's");
    assert_int_equal(runner->gate_wait_s, 600);
    assert_int_equal(runner->disturbed_repeats, 3);
    assert_float_equal(runner->idle_cpu_percent, 2.5, 1e-9);
    assert_string_equal(runner->benchmark_cpus, "2");
    assert_string_equal(runner->labels[1], "a, b");
    assert_string_equal(runner->ssh_key_file, key);
    assert_null(runner->harness_dir);
}

static void a_database_of_a_server(void **state) {
    static const char *const urls[] = {"postgresql://moowatch@db.example.org/moowatch",
                                       "postgres:service=moowatch",
                                       "postgresql:host=/run/postgresql passfile=/etc/moowatch/pw",
                                       "postgresql:host=h passfile=/etc/moowatch/db-password",
                                       "postgresql://u@h/x?passfile=/etc/a:b@c/password",
                                       "postgresql:///x?passfile=/etc/a:b@c"};
    (void)state;
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        g_autofree char *text =
            g_strdup_printf("data_dir: d\nshared_dir: s\ndatabase: '%s'\n", urls[i]);
        char *path = test_file(text, -1);
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_server) server = cfg_server_load(path, &error);
        assert_null(error);
        assert_string_equal(server->database, urls[i]);
        assert_true(g_str_has_suffix(server->shared_dir, "/s"));
        test_file_remove(path);
    }
}

static void runner_defaults(void **state) {
    (void)state;
    char *path = test_file("server: http://127.0.0.1:8300\ntoken_file: t\nwork_dir: w\n"
                           "labels: [java, bare-metal]\n",
                           -1);
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_runner) runner = cfg_runner_load(path, &error);
    assert_null(error);
    assert_string_equal(runner->node, g_get_host_name());
    assert_string_equal(runner->labels[1], "bare-metal");
    assert_null(runner->labels[2]);
    assert_null(runner->run_as_user);
    assert_int_equal(runner->poll_wait_s, 30);
    test_file_remove(path);
}

static const struct {
    const char *name, *text;
    int line;
    const char *word;
    bool runner;
} wrong[] = {
    {"data_dir missing", "port: 80\n", 0, "data_dir", false},
    {"a name to listen on", "data_dir: /d\nlisten: localhost\n", 2, "numeric address", false},
    {"a port in listen", "data_dir: /d\nlisten: 127.0.0.1:80\n", 2, "numeric address", false},
    {"port too large", "data_dir: d\nport: 70000\n", 2, "65535", false},
    {"unknown key", "data_dir: d\n\n\nprot: 1\n", 4, "prot", false},
    {"policy in the ancestors", "data_dir: d\nembed_ancestors: \"*; script-src *\"\n", 2,
     "separated by spaces", false},
    {"an operator that is no address",
     "data_dir: d\nmail:\n  url: smtp://h:25\n  from: a@b\n"
     "  operator: \"a@b\\r\\nBcc: c@d\"\n",
     2, "operator: must be a plain address", false},
    {"link without scheme", "data_dir: d\npublic_url: example.org\n", 2, "http://", false},
    {"link below a path", "data_dir: d\npublic_url: https://example.org/overhead\n", 2,
     "cannot be served below a path", false},
    {"link with a query", "data_dir: d\npublic_url: https://example.org?a\n", 2, "a host alone",
     false},
    {"link with a user", "data_dir: d\npublic_url: https://u:p@example.org\n", 2, "a host alone",
     false},
    {"link without a host", "data_dir: d\npublic_url: https:///\n", 2, "a host alone", false},
    {"no room for one body", "data_dir: d\nbody_buffer_bytes: 1048576\n", 2, "four times", false},
    {"a hosted runner's bound", "data_dir: d\nrunner:\n  node: n\n  process_limit: 0\n", 4,
     "runner.process_limit: 0 is not", false},
    {"what a hosted runner is told", "data_dir: d\nrunner:\n  server: http://h\n", 3, "server",
     false},
    {"a hosted runner's key", "data_dir: d\nrunner:\n  ssh_key_file: /k/%h\n", 3,
     "runner.ssh_key_file", false},
    {"a database of no kind", "data_dir: d\ndatabase: mysql://h/x\n", 2, "postgresql:", false},
    {"a password in sight", "data_dir: d\ndatabase: postgresql://u:secret@h/x\n", 2, "passfile",
     false},
    {"a password in words", "data_dir: d\ndatabase: 'postgresql:user=u password=x'\n", 2,
     "passfile", false},
    {"a password in capitals", "data_dir: d\ndatabase: 'postgresql:user=u PassWord = x'\n", 2,
     "passfile", false},
    {"a password among parameters", "data_dir: d\ndatabase: postgresql://u@h/x?password=y\n", 2,
     "passfile", false},
    {"a password with a question mark", "data_dir: d\ndatabase: postgresql://u:se?cret@h/x\n", 2,
     "passfile", false},
    {"server without scheme", "server: h\ntoken_file: t\nwork_dir: w\n", 1, "http://", true},
    {"a key that ssh would expand",
     "server: http://h\ntoken_file: t\nwork_dir: w\nssh_key_file: /k/%h\n", 4, "ssh_key_file",
     true},
    {"labels not a list", "server: http://h\ntoken_file: t\nwork_dir: w\nlabels: x\n", 4,
     "must be a list", true},
};

#define IDENTITY                                                                                   \
    "data_dir: d\nidentities:\n  - issuer: https://forge\n    audience: https://us\n"              \
    "    repository: own/lib\n    branch: main\n"

static void jobs_of_a_forge_have_rules(void **state) {
    (void)state;
    static const struct {
        const char *text, *says; /* NULL: it is right */
    } cases[] = {
        {IDENTITY "    scope: runner\n    node: n\n    minutes: 5\n", NULL},
        {IDENTITY "    scope: run\n    projects: [lib]\n", NULL},
        {IDENTITY "    scope: admin\n", "scope must be runner, run, submit or read"},
        {IDENTITY "    scope: run\n    node: n\n", "node is for the scope runner"},
        {IDENTITY "    scope: runner\n    projects: [lib]\n", "projects for the other scopes"},
        {IDENTITY "    scope: run\n    minutes: 0\n", "identities[0].minutes"},
        {"data_dir: d\nidentities:\n  - {issuer: http://forge, audience: a, repository: r, "
         "branch: b, scope: run}\n",
         "issuer must be https://"},
        {"data_dir: d\nidentities:\n  - {issuer: https://forge}\n", "audience"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *path = test_file(cases[i].text, -1);
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_server) server = cfg_server_load(path, &error);
        test_file_remove(path);
        if (cases[i].says ? !error || !strstr(error->message, cases[i].says) : !server)
            fail_msg("case %zu: %s", i, error ? error->message : "it is taken");
        if (server)
            assert_int_equal(server->identities[0].minutes, i == 0 ? 5 : 360);
    }
}

static void wrong_file_names_its_line(void **state) {
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        char *path = test_file(wrong[i].text, -1);
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_server) server = wrong[i].runner ? NULL : cfg_server_load(path, &error);
        g_autoptr(cfg_runner) runner = wrong[i].runner ? cfg_runner_load(path, &error) : NULL;
        test_file_remove(path);
        assert_null(server);
        assert_null(runner);
        g_autofree char *place = g_strdup_printf("file.yaml:%d: ", wrong[i].line);
        if (wrong[i].line && !strstr(error->message, place))
            fail_msg("%s: line %d is not named: %s", wrong[i].name, wrong[i].line, error->message);
        if (!strstr(error->message, wrong[i].word))
            fail_msg("%s: \"%s\" is not said: %s", wrong[i].name, wrong[i].word, error->message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(server_defaults_and_paths),
        cmocka_unit_test(a_database_of_a_server),
        cmocka_unit_test(runner_defaults),
        cmocka_unit_test(a_site_has_a_folder_and_is_public),
        cmocka_unit_test(a_hosted_runner_has_a_section),
        cmocka_unit_test(jobs_of_a_forge_have_rules),
        cmocka_unit_test(wrong_file_names_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
