/* Buckets of tokens; the clock is an argument. */
#include "tests/unit/test.h"

#include "server/http/rate.h"

#include <glib.h>

static void bucket_empties_and_fills(void **state) {
    (void)state;
    srv_rate *rate = srv_rate_new(2, 3);
    int64_t now_us = 1000000;
    for (int i = 0; i < 3; i++)
        assert_true(srv_rate_take(rate, "10.0.0.1", now_us));
    assert_false(srv_rate_take(rate, "10.0.0.1", now_us));
    assert_true(srv_rate_take(rate, "10.0.0.2", now_us));
    assert_false(srv_rate_take(rate, "10.0.0.1", now_us + 499999));
    assert_true(srv_rate_take(rate, "10.0.0.1", now_us + 500001));
    assert_false(srv_rate_take(rate, "10.0.0.1", now_us + 500001));
    for (int i = 0; i < 3; i++)
        assert_true(srv_rate_take(rate, "10.0.0.1", now_us + 9000000));
    assert_false(srv_rate_take(rate, "10.0.0.1", now_us + 9000000));
    srv_rate_free(rate);
}

static void one_client_has_a_whole_64_of_ipv6(void **state) {
    (void)state;
    const char *const cases[][2] = {{"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
                                    {"2001:db8:1:2::", "2001:db8:1:2::/64"},
                                    {"2001:db8:1:3::6", "2001:db8:1:3::/64"},
                                    {"::ffff:10.0.0.1", "10.0.0.1"},
                                    {"::1", "::1"},
                                    {"10.0.0.1", "10.0.0.1"},
                                    {"unknown", "unknown"},
                                    {"", ""}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char key[SRV_RATE_KEY_SIZE];
        srv_rate_key(cases[i][0], key);
        assert_string_equal(key, cases[i][1]);
    }
    srv_rate *rate = srv_rate_new(1, 2);
    assert_true(srv_rate_take(rate, "2001:db8::1", 0));
    assert_true(srv_rate_take(rate, "2001:db8::2", 0));
    assert_false(srv_rate_take(rate, "2001:db8::3", 0));
    assert_true(srv_rate_take(rate, "2001:db8:0:1::3", 0));
    srv_rate_free(rate);
}

static void what_is_given_back_is_there_again(void **state) {
    (void)state;
    srv_rate *rate = srv_rate_new(1, 2);
    for (int i = 0; i < 10; i++) {
        assert_true(srv_rate_take(rate, "a", 0));
        srv_rate_give(rate, "a", 0);
    }
    assert_true(srv_rate_take(rate, "a", 0));
    assert_true(srv_rate_take(rate, "a", 0));
    assert_false(srv_rate_take(rate, "a", 0));
    srv_rate_give(rate, "a", 0);
    assert_true(srv_rate_take(rate, "a", 0));
    srv_rate_free(rate);
}

static void this_machine_is_known(void **state) {
    (void)state;
    assert_true(srv_rate_is_loopback("127.0.0.1"));
    assert_true(srv_rate_is_loopback("127.8.9.1"));
    assert_true(srv_rate_is_loopback("::1"));
    assert_true(srv_rate_is_loopback("::ffff:127.0.0.1"));
    assert_false(srv_rate_is_loopback("12.7.0.1"));
    assert_true(srv_rate_is_loopback("::ffff:127.255.0.9"));
    assert_true(srv_rate_is_loopback("0:0:0:0:0:0:0:1"));
    assert_false(srv_rate_is_loopback("127.evil.example"));
    assert_false(srv_rate_is_loopback("127.0.0.1.5"));
    assert_false(srv_rate_is_loopback("127."));
    assert_false(srv_rate_is_loopback("::ffff:12.7.0.1"));
    assert_false(srv_rate_is_loopback("::127.0.0.1"));
    assert_false(srv_rate_is_loopback("::1:127.0.0.1"));
    assert_false(srv_rate_is_loopback("2001:db8::1"));
    assert_false(srv_rate_is_loopback("::"));
    assert_false(srv_rate_is_loopback(""));
}

static void zero_means_no_limit(void **state) {
    (void)state;
    srv_rate *rate = srv_rate_new(0, 0);
    for (int i = 0; i < 1000; i++)
        assert_true(srv_rate_take(rate, "::1", 0));
    srv_rate_free(rate);
}

static void a_crowd_does_not_free_the_one_that_is_held_back(void **state) {
    (void)state;
    srv_rate *rate = srv_rate_new(0.001, 1);
    assert_true(srv_rate_take(rate, "bad", 0));
    assert_false(srv_rate_take(rate, "bad", 0));
    for (int i = 0; i < 2000; i++) {
        g_autofree char *name = g_strdup_printf("2001:db8::%x", i);
        assert_true(srv_rate_take(rate, name, 0));
        srv_rate_give(rate, name, 0);
    }
    assert_false(srv_rate_take(rate, "bad", 0));
    srv_rate_free(rate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bucket_empties_and_fills),
        cmocka_unit_test(zero_means_no_limit),
        cmocka_unit_test(one_client_has_a_whole_64_of_ipv6),
        cmocka_unit_test(what_is_given_back_is_there_again),
        cmocka_unit_test(this_machine_is_known),
        cmocka_unit_test(a_crowd_does_not_free_the_one_that_is_held_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
