#include "tests/unit/test.h"

#include "config/config.h"
#include "file.h"

#include <string.h>

#define HEAD                                                                                       \
    "name: a\nrepository: /tmp/a\nbenchmark:\n  driver: native\n  configurations:\n"               \
    "    - {name: none, portion: T}\nnotify:\n"

static cfg_project *load(const char *rules, GError **error) {
    g_autofree char *text = g_strconcat(HEAD, rules, NULL);
    return test_project(text, -1, error);
}

static void rules_are_read_with_defaults(void **state) {
    (void)state;
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_project) project =
        load("  - {via: mail, to: [nora@example.org, a+b@x.org], portions: [C, W],\n"
             "     minimum_percent: 10, direction: up, quiet_hours: \"22:00-06:30\"}\n"
             "  - {via: slack, url_file: slack.url, digest_at: \"07:00\", incidents: true}\n"
             "  - {via: webhook, url: \"https://example.org/x?y\", secret_file: /etc/key}\n"
             "  - {via: github-status, repository: a/b.c, secret_file: t, max_age_days: 3}\n"
             "  - {via: github-comment, repository: a/b, secret_file: t, app_id: 12, "
             "installation_id: 9007199254740993}\n",
             &error);
    assert_null(error);
    assert_int_equal(project->notify_count, 5);
    const cfg_notify *rule = project->notify;
    assert_string_equal(rule[0].to[1], "a+b@x.org");
    assert_int_equal(rule[0].portions_count, 2);
    assert_int_equal(rule[0].direction, 1);
    assert_int_equal(rule[0].max_age_days, 14);
    assert_true(g_path_is_absolute(rule[1].url_file));
    assert_string_equal(rule[1].digest_at, "07:00");
    assert_int_equal(rule[2].direction, 0);
    assert_true(rule[1].incidents && !rule[0].incidents);
    assert_string_equal(rule[3].url, "https://api.github.com");
    assert_int_equal(rule[3].max_age_days, 3);
    assert_int_equal(rule[3].app_id, 0);
    assert_int_equal(rule[4].app_id, 12);
    assert_true(rule[4].installation_id == UINT64_C(9007199254740993));
}

static void wrong_rules_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *rule, *says;
    } cases[] = {
        {"  - {via: pigeon}\n", ":8"},
        {"  - {via: mail}\n", "a list under \"to\""},
        {"  - {via: mail, to: [a@b.c], incidents: true, portions: [C]}\n", "make it two rules"},
        {"  - {via: mail, to: [a@b.c], incidents: true, direction: up}\n", "make it two rules"},
        {"  - {via: github-issue, repository: a/b, secret_file: t, incidents: true}\n",
         "by mail, slack and webhook"},
        {"  - {via: mail, to: [\"a@b.c\\r\\nBcc: x@y.z\"]}\n", "must be a plain address"},
        {"  - {via: mail, to: [\"a@b.c, x@y.z\"]}\n", "must be a plain address"},
        {"  - {via: mail, to: [\"Nora <a@b.c>\"]}\n", "must be a plain address"},
        {"  - {via: mail, to: [\"a@b.c>\"]}\n", "must be a plain address"},
        {"  - {via: mail, to: [a@b.c], url: \"http://x\"}\n", "takes no url"},
        {"  - {via: slack}\n", "needs url"},
        {"  - {via: slack, url: \"ftp://x\"}\n", "http or https"},
        {"  - {via: slack, url: \"http://\"}\n", "http or https"},
        {"  - {via: slack, url: \"http://x\", url_file: y}\n", "exclude"},
        {"  - {via: webhook, url: \"http://x\", to: [a@b.c]}\n", "for mail"},
        {"  - {via: github-issue, secret_file: t}\n", "needs repository"},
        {"  - {via: github-issue, repository: a/b}\n", "needs secret_file"},
        {"  - {via: github-check, repository: a/b, secret_file: t, app_id: 0}\n", "app_id"},
        {"  - {via: github-check, repository: a/b, secret_file: t, installation_id: 7}\n",
         "goes with the app_id"},
        {"  - {via: slack, url: \"http://x\", text: \"{project} {culprit}\"}\n",
         "unknown placeholder {culprit}; known are {project}, {change}"},
        {"  - {via: slack, url: \"http://x\", text: \"{project\"}\n",
         "a brace without its partner: \"{project\""},
        {"  - {via: slack, url: \"http://x\", text: \"}\"}\n",
         "a brace without its partner: \"}\""},
        {"  - {via: webhook, url: \"http://x\", text: \"{link}\"}\n", "text is for mail"},
        {"  - {via: mail, to: [a@b.c], app_id: 7}\n", "mail takes no"},
        {"  - {via: slack, url: \"http://x\", app_id: 7}\n", "are for GitHub"},
        {"  - {via: github-issue, repository: \"a/b/../c\", secret_file: t}\n", "owner/name"},
        {"  - {via: slack, url: \"http://x\", direction: sideways}\n", "direction"},
        {"  - {via: slack, url: \"http://x\", quiet_hours: \"22-6\"}\n", "quiet_hours"},
        {"  - {via: slack, url: \"http://x\", quiet_hours: \"06:00-06:00\"}\n", "quiet_hours"},
        {"  - {via: slack, url: \"http://x\", digest_at: \"7am\"}\n", "digest_at"},
        {"  - {via: slack, url: \"http://x\", template: \"{nobody}\"}\n", "template"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(cfg_project) project = load(cases[i].rule, &error);
        assert_null(project);
        if (!strstr(error->message, cases[i].says))
            fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].rule, error->message,
                     cases[i].says);
    }
}

static cfg_server *server(const char *mail, GError **error) {
    g_autofree char *text = g_strconcat("data_dir: d\n", mail, NULL);
    char *path = test_file(text, -1);
    cfg_server *loaded = cfg_server_load(path, error);
    test_file_remove(path);
    return loaded;
}

static void mail_of_the_server(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "mail: {from: a@b.c}\n",
        "mail: {url: \"http://x\", from: a@b.c}\n",
        "mail: {url: \"smtp://x\"}\n",
        "mail: {url: \"smtp://x\", from: \"a@b.c\\nX: y\"}\n",
        "mail: {url: \"smtp://x\", from: a@b.c, user: u}\n",
    };
    g_autoptr(GError) error = NULL;
    g_autoptr(cfg_server) good = server("mail: {url: \"smtp://x:25\", from: m@x.org}\n", &error);
    assert_null(error);
    assert_string_equal(good->mail.from, "m@x.org");
    g_autoptr(cfg_server) none = server("", &error);
    assert_null(none->mail.url);
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(cfg_server) bad = server(wrong[i], &error);
        assert_null(bad);
        assert_non_null(strstr(error->message, "mail"));
        g_clear_error(&error);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_read_with_defaults),
        cmocka_unit_test(wrong_rules_are_refused),
        cmocka_unit_test(mail_of_the_server),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
