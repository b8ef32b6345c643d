/* Which changes a rule asks for, and when they may be told. */
#include "server/notify/notify_rule.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include <limits.h>
#include <string.h>

#define MINUTE INT64_C(60000)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

static void when_it_may_be_told(void **state) {
    (void)state;
    static const struct {
        const char *quiet, *digest;
        int64_t now, then;
    } cases[] = {
        {NULL, NULL, 5 * HOUR, 5 * HOUR},
        {"22:00-06:00", NULL, 21 * HOUR, 21 * HOUR},
        {"22:00-06:00", NULL, 22 * HOUR, DAY + 6 * HOUR},
        {"22:00-06:00", NULL, 23 * HOUR + 1, DAY + 6 * HOUR},
        {"22:00-06:00", NULL, 5 * HOUR, 6 * HOUR},
        {"22:00-06:00", NULL, 6 * HOUR, 6 * HOUR},
        {"09:30-10:00", NULL, 9 * HOUR + 30 * MINUTE, 10 * HOUR},
        {"09:30-10:00", NULL, 10 * HOUR, 10 * HOUR},
        {NULL, "07:00", 6 * HOUR, 7 * HOUR},
        {NULL, "07:00", 7 * HOUR, 7 * HOUR},
        {NULL, "07:00", 7 * HOUR + 1, DAY + 7 * HOUR},
        {"06:00-08:00", "07:00", 3 * HOUR, 8 * HOUR},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *quiet = g_strdup(cases[i].quiet);
        g_autofree char *digest = g_strdup(cases[i].digest);
        const cfg_notify rule = {.quiet_hours = quiet, .digest_at = digest};
        for (int64_t day = 0; day < 20000 * DAY; day += 9999 * DAY)
            assert_int_equal(srv_notify_when(&rule, day + cases[i].now), day + cases[i].then);
    }
}

static void backoff_doubles_up_to_an_hour(void **state) {
    (void)state;
    static const int64_t minutes[] = {1, 1, 2, 4, 8, 16, 32, 60, 60};
    for (unsigned i = 0; i < G_N_ELEMENTS(minutes); i++)
        assert_int_equal(srv_notify_backoff(i), minutes[i] * MINUTE);
    assert_int_equal(srv_notify_backoff(UINT_MAX), HOUR);
}

static void what_a_rule_asks_for(void **state) {
    (void)state;
    static char w[] = "W";
    static char *portions[] = {w};
    static const struct {
        cfg_notify rule;
        bool wanted;
    } cases[] = {
        {{.max_age_days = 14}, true},
        {{.max_age_days = 14, .portions = portions, .portions_count = 1}, false},
        {{.max_age_days = 14, .direction = 1}, true},
        {{.max_age_days = 14, .direction = -1}, false},
        {{.max_age_days = 14, .minimum_percent = 20}, true},
        {{.max_age_days = 14, .minimum_percent = 20.5}, false},
        {{.max_age_days = 2}, false},
    };
    json_t *alert =
        json_pack("{s:s,s:s,s:{s:f},s:{s:{s:I}}}", "portion", "C", "direction", "up", "difference",
                  "percent", 20.0, "to", "commit", "time_ms", (json_int_t)(97 * DAY));
    g_auto(cfg_alert) read = cfg_alert_of(alert);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++)
        assert_int_equal(!wants(&cases[i].rule, &read, 100 * DAY), cases[i].wanted);
    json_decref(alert);
}

static void a_channel_is_where_it_goes(void **state) {
    (void)state;
    static char one[] = "https://example.org/1", two[] = "https://example.org/2";
    cfg_notify a = {.via = CFG_NOTIFY_SLACK, .url = one, .minimum_percent = 5};
    cfg_notify b = {.via = CFG_NOTIFY_SLACK, .url = one, .direction = 1};
    cfg_notify c = {.via = CFG_NOTIFY_SLACK, .url = two};
    cfg_notify d = {.via = CFG_NOTIFY_WEBHOOK, .url = one};
    g_autofree char *first = srv_notify_channel(&a);
    g_autofree char *same = srv_notify_channel(&b);
    g_autofree char *elsewhere = srv_notify_channel(&c);
    g_autofree char *otherwise = srv_notify_channel(&d);
    assert_string_equal(first, same);
    assert_string_not_equal(same, elsewhere);
    assert_string_not_equal(same, otherwise);
    assert_null(strstr(same, "example")); /* it is logged, the address may be secret */
    char ada[] = "ada@example.org", bob[] = "bob@example.org", *to[] = {ada, bob, NULL};
    const cfg_notify mail = {.via = CFG_NOTIFY_MAIL, .to = to, .to_count = 2, .incidents = true};
    g_autofree char *hook = srv_notify_shown(&d), *people = srv_notify_shown(&mail);
    assert_string_equal(hook, "webhook example.org");
    assert_string_equal(people, "mail ada@example.org, bob@example.org (incidents)");
}

static void incidents_and_changes_have_rules_of_their_own(void **state) {
    (void)state;
    json_t *object = json_pack("{s:{s:{s:I}},s:s}", "to", "commit", "time_ms",
                               (json_int_t)1000000000000, "direction", "up");
    g_auto(cfg_alert) read = cfg_alert_of(object);
    cfg_notify rule = {.max_age_days = 14};
    const int64_t soon = INT64_C(1000000000000) + 1, late = soon + INT64_C(15) * 86400000;
    assert_null(wants(&rule, &read, soon));
    assert_non_null(wants_incident(&rule, &read, soon));
    rule.incidents = true;
    assert_non_null(wants(&rule, &read, soon));
    assert_null(wants_incident(&rule, &read, soon));
    assert_non_null(wants_incident(&rule, &read, late));
    json_decref(object);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(incidents_and_changes_have_rules_of_their_own),
        cmocka_unit_test(when_it_may_be_told),
        cmocka_unit_test(backoff_doubles_up_to_an_hour),
        cmocka_unit_test(what_a_rule_asks_for),
        cmocka_unit_test(a_channel_is_where_it_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
