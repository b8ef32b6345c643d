/* Tokens of GitHub Apps in memory: whose they are, until when, and by whose clock. */
#include "tests/unit/test.h"

#include "server/notify/github_tokens.h"

#include <glib.h>
#include <string.h>

static char api[] = "https://api.example", other_api[] = "https://ghe.example";
static char one[] = "kieker/kieker", two[] = "kieker/other";
static const cfg_notify rule = {.app_id = 7, .url = api, .repository = one};

static int setup(void **state) {
    *state = srv_github_tokens_new();
    return 0;
}

static int teardown(void **state) {
    srv_github_tokens_free(*state);
    return 0;
}

/* Whether there is one at this time, by our clock; *skew_s. */
static bool kept(srv_github_tokens *tokens, const cfg_notify *of, int64_t now_s, int64_t *skew_s) {
    char *text = srv_github_token_kept(tokens, of, now_s, skew_s);
    const bool there = text != NULL;
    if (there)
        assert_string_equal(text, "secret");
    srv_github_token_free(text);
    return there;
}

static void a_token_is_used_until_its_last_minute(void **state) {
    static const struct {
        int64_t skew_s, now_s;
        bool there;
    } cases[] = {
        {0, 1000, true},   {0, 3539, true},    {0, 3540, false},   {0, 4000, false},
        {100, 3439, true}, {100, 3440, false}, {-100, 3639, true}, {-100, 3640, false},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        int64_t skew_s = 99;
        srv_github_token_keep(*state, &rule, "secret", 3600, cases[i].skew_s);
        if (kept(*state, &rule, cases[i].now_s, &skew_s) != cases[i].there)
            fail_msg("case %zu", i);
        assert_int_equal(skew_s, cases[i].skew_s);
    }
}

static void it_is_of_one_app_place_and_repository(void **state) {
    const cfg_notify others[] = {{.app_id = 8, .url = api, .repository = one},
                                 {.app_id = 7, .url = other_api, .repository = one},
                                 {.app_id = 7, .url = api, .repository = two}};
    int64_t skew_s = 99;
    srv_github_token_keep(*state, &rule, "secret", 3600, 5);
    for (size_t i = 0; i < G_N_ELEMENTS(others); i++) {
        assert_false(kept(*state, &others[i], 1000, &skew_s));
        assert_int_equal(skew_s, 0);
    }
    const cfg_notify same = {.app_id = 7, .url = api, .repository = one, .installation_id = 3};
    assert_true(kept(*state, &same, 1000, &skew_s));
}

static void one_that_is_good_no_longer_leaves_the_clock(void **state) {
    int64_t skew_s = 99;
    srv_github_token_keep(*state, &rule, "secret", 3600, 5);
    srv_github_token_keep(*state, &rule, NULL, 0, 7);
    assert_false(kept(*state, &rule, 0, &skew_s));
    assert_int_equal(skew_s, 7);
    srv_github_token_keep(*state, &rule, "secret", 3600, 0);
    assert_true(kept(*state, &rule, 0, &skew_s));
}

static void nothing_is_kept_where_nothing_keeps(void **state) {
    (void)state;
    int64_t skew_s = 99;
    srv_github_token_keep(NULL, &rule, "secret", 3600, 5);
    assert_null(srv_github_token_kept(NULL, &rule, 0, &skew_s));
    assert_int_equal(skew_s, 0);
    srv_github_token_free(NULL);
    srv_github_tokens_free(NULL);
}

int main(void) {
#define WITH_TOKENS(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        WITH_TOKENS(a_token_is_used_until_its_last_minute),
        WITH_TOKENS(it_is_of_one_app_place_and_repository),
        WITH_TOKENS(one_that_is_good_no_longer_leaves_the_clock),
        WITH_TOKENS(nothing_is_kept_where_nothing_keeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
