/* Where a raw file is, and which of both kinds it is. */
#include "tests/unit/test.h"

#include "server/store/raw_path.h"
#include "tests/unit/server/folder.h"

#include <glib.h>
#include <glib/gstdio.h>

#define SHA "abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"

static void a_path_has_two_levels(void **state) {
    (void)state;
    g_autofree char *path = srv_raw_path("/data/raw", SHA, SRV_RAW_CALLS);
    assert_string_equal(
        path, "/data/raw/ab/cdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789.calls");
}

static void the_kind_is_that_of_the_file(void **state) {
    static const char *const suffixes[] = {SRV_RAW_CALLS, SRV_RAW_LINES};
    (void)state;
    char *dir = folder_new();
    g_autofree char *below = g_build_filename(dir, "ab", NULL);
    assert_int_equal(g_mkdir(below, 0700), 0);
    assert_null(srv_raw_suffix(dir, SHA));
    for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        g_autofree char *path = srv_raw_path(dir, SHA, suffixes[i]);
        assert_true(g_file_set_contents(path, "x", 1, NULL));
        assert_string_equal(srv_raw_suffix(dir, SHA), suffixes[i]);
    }
    folder_free(dir);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_path_has_two_levels),
        cmocka_unit_test(the_kind_is_that_of_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
