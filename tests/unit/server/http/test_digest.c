#include "tests/unit/test.h"

#include "server/http/request.h"

/* printf hello | openssl dgst -sha256 -binary | base64 */
#define HELLO "LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ="
#define HELLO_HEX "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e730433629"

static void a_hash_is_found_among_others(void **state) {
    (void)state;
    static const char *const good[] = {
        "sha-256=:" HELLO ":",
        "sha-512=:AAAA:, sha-256=:" HELLO ":",
        "sha-256=:" HELLO ":, md5=:AAAA:",
        "  sha-256=:" HELLO ":  ",
        "sha-256=:" HELLO ":;p=1",
        "sha-256=:AAAA:,sha-256=:" HELLO ":",
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        char hex[65] = "";
        if (!srv_digest_sha256(good[i], hex))
            fail_msg("%s", good[i]);
        assert_memory_equal(hex, HELLO_HEX, sizeof HELLO_HEX - 1);
        assert_int_equal(hex[64], 0);
    }
}

static void what_is_no_hash_is_refused(void **state) {
    (void)state;
    static const char *const bad[] = {
        NULL,
        "",
        ",,,",
        "sha-256",
        "sha-256=",
        "sha-256=::",
        "sha-256=" HELLO,
        "sha-256=:" HELLO,
        "sha-256=:" HELLO "=:",
        "SHA-256=:" HELLO ":",
        "sha-512=:" HELLO ":",
        "sha-256=:" HELLO ":x",
        "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmC==:",
        "sha-256=:LPJNul-wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:",
        "sha-256=:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824:",
        "sha-256=:" HELLO ":,sha-256=:AAAA:",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char hex[65];
        if (srv_digest_sha256(bad[i], hex))
            fail_msg("%s", bad[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hash_is_found_among_others),
        cmocka_unit_test(what_is_no_hash_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
