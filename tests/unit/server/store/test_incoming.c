/* Where a raw file is. */
#include "tests/unit/test.h"

#include "server/store/incoming.h"

#include <glib.h>

#define SHA "abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789"

static void a_path_has_two_levels(void **state) {
    (void)state;
    g_autofree char *path = srv_raw_path("/data/raw", SHA);
    assert_string_equal(
        path,
        "/data/raw/ab/cdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789.csv.zst");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_path_has_two_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
