/* Names that may reach git. */
#include "tests/unit/test.h"

#include "server/git/repo_name.h"

static void accepts_usual_addresses(void **state) {
    (void)state;
    const char *good[] = {"https://github.com/kieker-monitoring/kieker.git",
                          "http://localhost:3000/a/b",
                          "ssh://git@host:2222/a.git",
                          "git://host/a.git",
                          "file:///srv/a.git",
                          "/srv/a.git",
                          "git@github.com:a/b.git",
                          "https://user:secret@host/a.git"};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
        assert_true(srv_repo_url_check(good[i], NULL));
}

static void refuses_addresses_that_do_more(void **state) {
    (void)state;
    g_autofree char *long_one = g_strnfill(3000, 'a');
    g_autofree char *long_url = g_strconcat("https://h/", long_one, NULL);
    const char *bad[] = {NULL,
                         "",
                         "ext::sh -c id",
                         "fd::17/foo",
                         "--upload-pack=id",
                         "-oProxyCommand=id",
                         "relative/path",
                         "file://host/share",
                         "https://",
                         "https://h/a b",
                         "https://h/a\nb",
                         "https://h/\x01",
                         "ftp://h/a",
                         "javascript:alert(1)",
                         "a@b::c",
                         "@host:x",
                         "us er@host:x",
                         "/srv/\xff",
                         long_url};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        if (srv_repo_url_check(bad[i], &error))
            fail_msg("accepted %s", bad[i]);
        assert_non_null(error);
    }
}

static void branches_are_gits(void **state) {
    (void)state;
    g_autofree char *long_one = g_strnfill(256, 'a');
    const char *good[] = {"main", "release/1.x", "feature/#996", "a-b_c.d", "grün", "$(id)", "a;b"};
    const char *bad[] = {NULL, "",     "-f",    "a..b", "a b",  "a\tb",     "a~1",
                         "a^", "a:b",  "a?",    "a*",   "a[b",  "a\\b",     "/a",
                         "a/", "a//b", ".a",    "a/.b", "a.",   "a.lock",   "a@{1}",
                         "@",  "HEAD", "a\x7f", "a\nb", "\xff", "x.lock/y", long_one};
    for (size_t i = 0; i < G_N_ELEMENTS(good); i++)
        if (!srv_repo_branch_check(good[i], NULL))
            fail_msg("refused %s", good[i]);
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        if (srv_repo_branch_check(bad[i], &error))
            fail_msg("accepted %s", bad[i]);
        assert_non_null(error);
    }
}

static void commits_are_hex(void **state) {
    (void)state;
    assert_true(srv_repo_commit_check("5158397"));
    assert_true(srv_repo_commit_check("5158397b15158397b15158397b15158397b15158"));
    const char *bad[] = {NULL,
                         "",
                         "515839",
                         "515839g",
                         "HEAD~1",
                         "main",
                         "5158397b15158397b15158397b15158397b151580"};
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
        assert_false(srv_repo_commit_check(bad[i]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_usual_addresses),
        cmocka_unit_test(refuses_addresses_that_do_more),
        cmocka_unit_test(branches_are_gits),
        cmocka_unit_test(commits_are_hex),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
