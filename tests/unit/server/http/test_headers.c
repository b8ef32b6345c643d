/* Who the client is, in the words of each proxy; and which headers are clear. */
#include "server/http/headers.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include <string.h>

static void each_proxy_is_understood(void **state) {
    (void)state;
    static const struct {
        const char *list;
        unsigned back;
        const char *client;
    } cases[] = {
        {"203.0.113.7", 1, "203.0.113.7"}, /* nginx, HAProxy, Apache, Caddy, Envoy, AWS */
        {"2001:db8::7", 1, "2001:db8::7"},
        {"2001:DB8:0:0:0:0:0:7", 1, "2001:db8::7"},
        {"198.51.100.1, 203.0.113.7", 1, "203.0.113.7"},
        {"198.51.100.1,203.0.113.7", 2, "198.51.100.1"},
        {"203.0.113.7:50001", 1, "203.0.113.7"}, /* Azure, IIS; AWS with the client's port */
        {"[2001:db8::7]:50001", 1, "2001:db8::7"},
        {"[2001:db8::7]", 1, "2001:db8::7"},
        {"\"[2001:db8::7]:50001\"", 1, "2001:db8::7"}, /* as the header Forwarded has it */
        {"\"203.0.113.7:50001\"", 1, "203.0.113.7"},
        {"fe80::7%eth0", 1, "fe80::7"},
        {"[fe80::7%25eth0]:80", 1, "fe80::7"},
        {"::ffff:203.0.113.7", 1, "::ffff:203.0.113.7"},
        {" \t203.0.113.7 ", 1, "203.0.113.7"},
        {"198.51.100.1, 203.0.113.7", 9, "198.51.100.1"},
        {"198.51.100.1, 203.0.113.7", 0, "203.0.113.7"},
        {"", 1, "unknown"},
        {"198.51.100.1,", 1, "unknown"},
        {"unknown", 1, "unknown"},
        {"203.0.113.7.8", 1, "unknown"},
        {"127.1", 1, "unknown"},
        {"[", 1, "unknown"},
        {"\"", 1, "unknown"},
        {":", 1, "unknown"},
        {"203.0.113.7:50001:1", 1, "unknown"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char client[INET6_ADDRSTRLEN];
        headers_client(cases[i].list, cases[i].back, client);
        assert_string_equal(client, cases[i].client);
    }
}

static void what_is_no_header_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *value;
        unsigned status;
    } cases[] = {
        {"Host", "localhost", 0},
        {"x-a_b.c~1", "a\tb", 0},
        {"X", "\xc3\xa4", 0},
        {"X", NULL, 0},
        {"", "a", 400},
        {"X ", "a", 400},
        {"X\tY", "a", 400},
        {"X(", "a", 400},
        {"X", "a\rb", 400},
        {"X", "\x7f", 400},
        {"X", "\x1b[0m", 400},
        {"Transfer-Encoding", "gzip", 400},
        {"transfer-ENCODING", "Chunked", 0},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        srv__headers_look look = {0};
        const char *name = cases[i].name, *value = cases[i].value;
        (void)headers_look_at(&look, MHD_HEADER_KIND, name, strlen(name), value,
                              value ? strlen(value) : 0);
        assert_int_equal(look.status, cases[i].status);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_proxy_is_understood),
        cmocka_unit_test(what_is_no_header_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
