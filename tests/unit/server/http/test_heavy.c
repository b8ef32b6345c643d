#include "tests/unit/test.h"

#include "server/http/rate.h"

static void one_client_cannot_take_all(void **state) {
    (void)state;
    srv__heavy *heavy = srv__heavy_new();
    for (int i = 0; i < SRV__HEAVY_CLIENT; i++)
        assert_true(srv__heavy_enter(heavy, "192.0.2.1"));
    assert_false(srv__heavy_enter(heavy, "192.0.2.1"));
    assert_true(srv__heavy_enter(heavy, "192.0.2.2"));
    srv__heavy_leave(heavy, "192.0.2.1");
    assert_true(srv__heavy_enter(heavy, "192.0.2.1"));
    assert_false(srv__heavy_enter(heavy, "192.0.2.1"));
    srv__heavy_free(heavy);
}

static void many_clients_share_what_there_is(void **state) {
    (void)state;
    srv__heavy *heavy = srv__heavy_new();
    const char *const clients[] = {"192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8:0:1::1"};
    for (int i = 0; i < SRV__HEAVY_MAX; i++)
        assert_true(srv__heavy_enter(heavy, clients[i / SRV__HEAVY_CLIENT]));
    assert_false(srv__heavy_enter(heavy, "192.0.2.9"));
    assert_false(srv__heavy_enter(heavy, "127.0.0.1"));
    for (int i = 0; i < SRV__HEAVY_MAX; i++)
        srv__heavy_leave(heavy, clients[i / SRV__HEAVY_CLIENT]);
    /* This machine's own may be a proxy's for many. */
    for (int i = 0; i < SRV__HEAVY_MAX; i++)
        assert_true(srv__heavy_enter(heavy, "127.0.0.1"));
    assert_false(srv__heavy_enter(heavy, "127.0.0.1"));
    srv__heavy_free(heavy);
}

static void a_network_of_ipv6_is_one_client(void **state) {
    (void)state;
    srv__heavy *heavy = srv__heavy_new();
    const char *const same[] = {"2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8::4"};
    for (int i = 0; i < SRV__HEAVY_CLIENT; i++)
        assert_true(srv__heavy_enter(heavy, same[i]));
    assert_false(srv__heavy_enter(heavy, "2001:db8::5"));
    srv__heavy_leave(heavy, "2001:db8::9");
    assert_true(srv__heavy_enter(heavy, "2001:db8::5"));
    srv__heavy_free(heavy);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_client_cannot_take_all),
                                       cmocka_unit_test(many_clients_share_what_there_is),
                                       cmocka_unit_test(a_network_of_ipv6_is_one_client)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
