#include "tests/unit/runner/test.h"

#include "runner/prepare/git.h"
#include "runner/prepare/submodule.h"

static void test_addresses(void **state) {
    (void)state;
    const struct {
        const char *parent, *url, *whole; /* NULL: refused */
    } cases[] = {
        {"https://h/a/b.git", "https://other/x", "https://other/x"},
        {"https://h/a/b.git", "git://other/x", "git://other/x"},
        {"https://h/a/b.git", "../c.git", "https://h/a/c.git"},
        {"https://h/a/b.git/", "../c.git", "https://h/a/c.git"},
        {"https://h/a/b.git", "../../c/d.git", "https://h/c/d.git"},
        {"https://h/a/b.git", "./c.git", "https://h/a/b.git/c.git"},
        {"https://h/a/b.git", "../.././../c", NULL}, /* beyond the host */
        {"https://h/a/b.git", "../../../c", NULL},
        {"https://u:p@h/a/b.git", "../c.git", "https://h/a/c.git"}, /* without the password */
        {"https://u:p@h/a/b.git", "https://h/a/c.git", "https://h/a/c.git"},
        {"git@h:a/b.git", "../c.git", "git@h:a/c.git"},
        {"git@h:b.git", "../c.git", "git@h:c.git"},
        {"git@h:b.git", "../../c.git", NULL},
        {"ssh://git@h/a/b.git", "../c.git", "ssh://git@h/a/c.git"},
        {"ssh://git@h/a/b.git", "git@other:c.git", "git@other:c.git"},
        {"https://h/a/b.git", "git@h:c.git", NULL},
        {"https://h/a/b.git", "ssh://h/c.git", NULL},
        {"https://h/a/b.git", "file:///etc", NULL},
        {"https://h/a/b.git", "/etc", NULL},
        {"ssh://git@h/a/b.git", "/etc", NULL},
        {"/srv/a", "../c", "/srv/c"},
        {"/srv/a", "/srv/c", "/srv/c"},
        {"file:///srv/a", "../c", "file:///srv/c"},
        {"/srv/a", "ext::sh -c id", NULL},
        {"/srv/a", "ext::id", NULL},
        {"/srv/a", "-oProxyCommand=id", NULL},
        {"/srv/a", "https://-x/y", NULL},
        {"/srv/a", "https://h/a b", NULL},
        {"/srv/a", "https://h/a\nb", NULL},
        {"/srv/a", "ftp://h/a", NULL},
        {"/srv/a", "", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *problem = NULL;
        g_autofree char *whole = run_submodule_url(cases[i].parent, cases[i].url, &problem);
        if (g_strcmp0(whole, cases[i].whole) != 0)
            fail_msg("%s + %s: %s", cases[i].parent, cases[i].url, whole);
        if (!cases[i].whole)
            assert_error(problem, RUN_ERROR_JOB, "submodule address");
    }
}

static void test_passwords_are_not_shown(void **state) {
    (void)state;
    const struct {
        const char *text, *url, *shown;
    } cases[] = {
        {"cannot fetch https://u:pw@h/x: no", "https://u:pw@h/x", "cannot fetch https://h/x: no"},
        {"fatal: 's3cret' was refused", "https://u:s3cret@h/x", "fatal: '…' was refused"},
        {"https://u:p@h/pp", "https://u:p@h/pp", "https://h/pp"},
        {"https://h/x", "https://h/x", "https://h/x"},
        {"a@b", "https://h/a@b", "a@b"},
        {"https://t0ken@h/x", "https://t0ken@h/x", "https://h/x"},
        {"https://u:p@w@h/x", "https://u:p@w@h/x", "https://h/x"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *shown = run_git_url_public(cases[i].text, cases[i].url);
        assert_string_equal(shown, cases[i].shown);
    }
    g_autofree char *bare = run_git_url_bare("https://u:pw@h/x");
    g_autofree char *ssh = run_git_url_bare("ssh://git@h/x");
    assert_string_equal(bare, "https://h/x");
    assert_string_equal(ssh, "ssh://git@h/x");
}

#define ID "0123456789012345678901234567890123456789"

static void test_list(void **state) {
    (void)state;
    static const char files[] = "100644 " ID " 0\tREADME\0"
                                "160000 " ID " 0\tlib/a b\0"
                                "160000 " ID " 0\tstray\0"
                                "160000 nonsense 0\tx\0"
                                "160000 " ID " 1\tconflict\0"
                                "cut";
    static const char modules[] = "submodule.one.path\nlib/a b\0"
                                  "submodule.one.url\n../a\0"
                                  "submodule.two.path\nelsewhere\0"
                                  "submodule.nothing\0"
                                  "submodule.three.url\nhttps://h/x";
    g_autoptr(GPtrArray) list =
        run_submodule_list(files, sizeof files - 1, modules, sizeof modules - 1);
    assert_int_equal(list->len, 2);
    const run_submodule *first = list->pdata[0], *second = list->pdata[1];
    assert_string_equal(first->path, "lib/a b");
    assert_string_equal(first->commit, ID);
    assert_string_equal(first->url, "../a");
    assert_string_equal(second->path, "stray");
    assert_null(second->url);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_passwords_are_not_shown),
        cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
