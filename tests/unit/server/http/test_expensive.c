#include "tests/unit/test.h"

#include "server/http/rate.h"

static void one_client_cannot_take_all(void **state) {
    (void)state;
    srv__expensive *expensive = srv__expensive_new();
    for (int i = 0; i < SRV__EXPENSIVE_CLIENT; i++)
        assert_true(srv__expensive_enter(expensive, "192.0.2.1"));
    assert_false(srv__expensive_enter(expensive, "192.0.2.1"));
    assert_true(srv__expensive_enter(expensive, "192.0.2.2"));
    srv__expensive_leave(expensive, "192.0.2.1");
    assert_true(srv__expensive_enter(expensive, "192.0.2.1"));
    assert_false(srv__expensive_enter(expensive, "192.0.2.1"));
    srv__expensive_free(expensive);
}

static void many_clients_share_what_there_is(void **state) {
    (void)state;
    srv__expensive *expensive = srv__expensive_new();
    const char *const clients[] = {"192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1"};
    for (int i = 0; i < SRV__EXPENSIVE_MAX; i++)
        assert_true(srv__expensive_enter(expensive, clients[i / SRV__EXPENSIVE_CLIENT]));
    assert_false(srv__expensive_enter(expensive, "192.0.2.9"));
    assert_false(srv__expensive_enter(expensive, "127.0.0.1"));
    for (int i = 0; i < SRV__EXPENSIVE_MAX; i++)
        srv__expensive_leave(expensive, clients[i / SRV__EXPENSIVE_CLIENT]);
    /* This machine's own may be a proxy's for many. */
    for (int i = 0; i < SRV__EXPENSIVE_MAX; i++)
        assert_true(srv__expensive_enter(expensive, "127.0.0.1"));
    assert_false(srv__expensive_enter(expensive, "127.0.0.1"));
    srv__expensive_free(expensive);
}

static void a_network_of_ipv6_is_one_client(void **state) {
    (void)state;
    srv__expensive *expensive = srv__expensive_new();
    const char *const same[] = {"2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4"};
    for (int i = 0; i < SRV__EXPENSIVE_CLIENT; i++)
        assert_true(srv__expensive_enter(expensive, same[i]));
    assert_false(srv__expensive_enter(expensive, "2001:db8::5"));
    srv__expensive_leave(expensive, "2001:db8::9");
    assert_true(srv__expensive_enter(expensive, "2001:db8::5"));
    srv__expensive_free(expensive);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_client_cannot_take_all),
                                       cmocka_unit_test(many_clients_share_what_there_is),
                                       cmocka_unit_test(a_network_of_ipv6_is_one_client)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
