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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(addresses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
