#include "tests/unit/test.h"

#include "config/credential.h"

#include <string.h>

static void addresses(void **state) {
    (void)state;
    static const struct {
        const char *url, *address, *user, *password, *origin;
    } cases[] = {
        {"https://h.org/a.git", "https://h.org/a.git", NULL, NULL, NULL},
        {"https://u:p@h.org/a.git", "https://h.org/a.git", "u", "p", "credential.https://h.org."},
        {"http://u:p%40%3a@h:8080/a@b", "http://h:8080/a@b", "u",
         "p@:", "credential.http://h:8080."},
        {"https://token@h.org/a", "https://h.org/a", "token", "", "credential.https://h.org."},
        {"https://:p@h.org", "https://h.org", "", "p", "credential.https://h.org."},
        {"https://u:a@b@h.org/a", "https://h.org/a", "u", "a@b", "credential.https://h.org."},
        {"https://u:p%0aq@h/a", "https://h/a", "u", "p%0aq", "credential.https://h."},
        {"https://u:p@h=x/a", "https://h=x/a", NULL, NULL, NULL},
        {"https://h.org/a@b", "https://h.org/a@b", NULL, NULL, NULL},
        {"ssh://git:p@h.org/a", "ssh://git@h.org/a", NULL, NULL, NULL},
        {"ssh://git@h.org/a", "ssh://git@h.org/a", NULL, NULL, NULL},
        {"git@h.org:a.git", "git@h.org:a.git", NULL, NULL, NULL},
        {"/srv/a@b", "/srv/a@b", NULL, NULL, NULL},
        {"file:///srv/a", "file:///srv/a", NULL, NULL, NULL}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(cfg_credential) one;
        cfg_credential_take(cases[i].url, &one);
        assert_string_equal(one.address, cases[i].address);
        if (g_strcmp0(one.user, cases[i].user) != 0 ||
            g_strcmp0(one.password, cases[i].password) != 0)
            fail_msg("%s: \"%s\" \"%s\"", cases[i].url, one.user, one.password);
        assert_int_equal(one.setting != NULL, cases[i].origin != NULL);
        assert_true(!one.setting || g_str_has_prefix(one.setting, cases[i].origin));
        assert_true(!one.setting || *one.password == '\0' || !strstr(one.setting, "u:p"));
    }
}

static void passwords_are_not_shown(void **state) {
    (void)state;
    static const struct {
        const char *text, *url, *shown;
    } cases[] = {
        {"cannot fetch https://u:pw@h/x: no", "https://u:pw@h/x", "cannot fetch https://h/x: no"},
        {"fatal: 's3cret' was refused", "https://u:s3cret@h/x", "fatal: '…' was refused"},
        {"https://u:p@h/pp", "https://u:p@h/pp", "https://h/pp"},
        {"https://h/x", "https://h/x", "https://h/x"},
        {"a@b", "https://h/a@b", "a@b"},
        {"https://t0ken@h/x", "https://t0ken@h/x", "https://h/x"},
        {"https://u:p@w@h/x", "https://u:p@w@h/x", "https://h/x"},
        {"https://me:s3cret@host:8080/a.git?x=@", "https://me:s3cret@host:8080/a.git?x=@",
         "https://host:8080/a.git?x=@"},
        {"cannot reach https://me:s3cret@host:8080/", "https://me:s3cret@host:8080/a.git?x=@",
         "cannot reach https://host:8080/"},
        {"nothing here", "/srv/a", "nothing here"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *shown = cfg_url_hide(cases[i].text, cases[i].url);
        assert_string_equal(shown, cases[i].shown);
    }
    assert_true(cfg_url_has_password("https://me:s3cret@host:8080/a.git?x=@"));
    assert_false(cfg_url_has_password("https://me@host/a"));
    assert_false(cfg_url_has_password("https://host/a@b:c"));
}

static void addresses_that_may_reach_git(void **state) {
    (void)state;
    static const struct {
        const char *url;
        cfg_url_kind kind;
    } cases[] = {{"https://github.com/a/b.git", CFG_URL_WEB},
                 {"http://localhost:3000/a/b", CFG_URL_WEB},
                 {"git://host/a.git", CFG_URL_WEB},
                 {"ssh://git@host:2222/a.git", CFG_URL_SSH},
                 {"git@github.com:a/b.git", CFG_URL_SSH},
                 {"file:///srv/a.git", CFG_URL_LOCAL},
                 {"/srv/a b.git", CFG_URL_LOCAL},
                 {"", CFG_URL_NONE},
                 {"ext::sh -c id", CFG_URL_NONE},
                 {"-oProxyCommand=id", CFG_URL_NONE},
                 {"-u@host:x", CFG_URL_NONE},
                 {"https://-x/y", CFG_URL_NONE},
                 {"https://", CFG_URL_NONE},
                 {"https://h/a b", CFG_URL_NONE},
                 {"/srv/a\nb", CFG_URL_NONE},
                 {"relative/path", CFG_URL_NONE},
                 {"file://host/share", CFG_URL_NONE},
                 {"ftp://h/a", CFG_URL_NONE},
                 {"a@b::c", CFG_URL_NONE},
                 {"@host:x", CFG_URL_NONE}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        if (cfg_url_kind_of(cases[i].url) != cases[i].kind)
            fail_msg("%s", cases[i].url);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(addresses),
                                       cmocka_unit_test(passwords_are_not_shown),
                                       cmocka_unit_test(addresses_that_may_reach_git)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
