/* Names that nobody may guess: version 4, all bits but the six of its form drawn anew. */
#include "tests/unit/test.h"

#include "server/ground/auth_random.h"

#include <string.h>

enum { DRAWN = 2000, BITS = 128 };

static void a_name_has_the_form_of_version_4(void **state) {
    (void)state;
    char name[SRV_AUTH_UUID_SIZE];
    assert_true(srv_auth_uuid(name, NULL));
    assert_true(g_uuid_string_is_valid(name));
    assert_int_equal(name[14], '4');
    assert_non_null(strchr("89ab", name[19]));
}

/* Each free bit is set in about half of them: 2,000 draws are within 9 standard deviations (200).
 */
static void every_free_bit_is_drawn(void **state) {
    (void)state;
    unsigned ones[BITS] = {0};
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (unsigned i = 0; i < DRAWN; i++) {
        char name[SRV_AUTH_UUID_SIZE];
        assert_true(srv_auth_uuid(name, NULL));
        assert_true(g_hash_table_add(seen, g_strdup(name)));
        for (unsigned at = 0, bit = 0; name[at] != '\0'; at++)
            for (int k = 3; name[at] != '-' && k >= 0; k--)
                ones[bit++] += (unsigned)g_ascii_xdigit_value(name[at]) >> k & 1;
    }
    for (unsigned bit = 0; bit < BITS; bit++) {
        const bool fixed = (bit >= 48 && bit < 52) || bit == 64 || bit == 65;
        if (!fixed && (ones[bit] < DRAWN / 2 - 200 || ones[bit] > DRAWN / 2 + 200))
            fail_msg("bit %u is set in %u of %d", bit, ones[bit], DRAWN);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_has_the_form_of_version_4),
        cmocka_unit_test(every_free_bit_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
