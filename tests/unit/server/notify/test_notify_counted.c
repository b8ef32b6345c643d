/* Counts that moved while the time did not: told where the project wants it, once. */
#include "scene.h"

#include <string.h>

#include "tests/unit/server/counts.h"
#include "tests/unit/server/sql_text.h"

static const counts usual = {{300, 350, 1400, 5210}, {0, 0, 1, 2}};
static const counts heavier = {{300, 350, 1400, 5620}, {0, 0, 1, 4}}; /* in W */
static const counts both = {{300, 450, 1500, 5310}, {0, 0, 1, 2}};    /* in I */

static void night(scene *s, const double means[4], const counts *of) {
    (void)counted_night(s->fix, ++s->nights, means, counts_json(of));
}

static int setup(void **state) {
    scene *s = scene_new(CFG_NOTIFY_SLACK);
    s->project.detection.tell_counts = true;
    for (int i = 0; i < 6; i++)
        night(s, quiet, &usual);
    scene_round(s, 0);
    *state = s;
    return 0;
}

static void it_is_told_once(void **state) {
    scene *s = *state;
    night(s, quiet, &heavier);
    for (int i = 0; i < 3; i++) {
        scene_round(s, DAY);
        fix_reopen(s->fix);
    }
    night(s, quiet, &heavier);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_non_null(strstr(body_of(s, 0), "W +410 instructions, +2 allocations a call"));
    assert_non_null(strstr(body_of(s, 0), "no change of the time was seen (yet)"));
    assert_non_null(strstr(body_of(s, 0), "http://127.0.0.1:1/experiments/7"));
}

static void nobody_is_told_who_does_not_want_it(void **state) {
    scene *s = *state;
    s->project.detection.tell_counts = false;
    night(s, quiet, &heavier);
    scene_round(s, DAY);
    s->project.detection.tell_counts = true;
    s->rules[0].incidents = true;
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 0);
}

/* The rule's portions and direction hold for counts as for time. */
static void a_rule_that_does_not_cover_it_is_left_in_peace(void **state) {
    static char portion[] = "C";
    static char *portions[] = {portion};
    scene *s = *state;
    s->rules[0].portions = portions;
    s->rules[0].portions_count = 1;
    night(s, quiet, &heavier);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 0);
}

/* The alert of W says what its counts say; I is told by itself. */
static void what_an_alert_tells_is_not_told_again(void **state) {
    static const counts all = {{300, 450, 1500, 5720}, {0, 0, 1, 4}};
    scene *s = *state;
    night(s, slow, &all);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 2);
    const guint alone = strstr(body_of(s, 0), "(yet)") ? 0 : 1;
    assert_non_null(strstr(body_of(s, alone), "I +100 instructions a call"));
    assert_null(strstr(body_of(s, alone), "W +410"));
    assert_non_null(strstr(body_of(s, 1 - alone), "W +410 instructions, +2 allocations a call"));
}

static void a_suspicion_is_waited_for(void **state) {
    scene *s = *state;
    s->fix->can = json_pack("[s]", "confirmation");
    night(s, quiet, &usual); /* from now on the node can measure again */
    night(s, slow, &both);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 0);
}

static void what_is_told_otherwise_by_then_is_dropped(void **state) {
    static char hours[] = "00:00-23:59";
    scene *s = *state;
    s->rules[0].quiet_hours = hours;
    s->nights++;
    night(s, quiet, &heavier);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 0);
    /* a night comes in between, on which it was so already */
    (void)counted_night(s->fix, 7, quiet, counts_json(&heavier));
    s->rules[0].quiet_hours = NULL;
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_non_null(strstr(body_of(s, 0), "experiments/8"));
}

static void a_webhook_says_night(void **state) {
    scene *s = *state;
    s->rules[0].via = CFG_NOTIFY_WEBHOOK;
    scene_round(s, 0); /* its channel begins here */
    night(s, quiet, &heavier);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    json_t *body = json_loads(body_of(s, 0), 0, NULL);
    assert_string_equal(text_of(body, "event"), "night.counted");
    const json_t *told = json_array_get(json_object_get(body, "nights"), 0);
    assert_int_equal(number_of(told, "id"), 7);
    assert_string_equal(text_of(told, "direction"), "up");
    assert_string_equal(text_of(json_object_get(told, "to"), "night"), "2013-04-07");
    json_decref(body);
}

static void words_of_ones_own(void **state) {
    static char text[] = "{event} {project}: {change}, {range} {commit} {link}";
    scene *s = *state;
    s->rules[0].text = text;
    night(s, quiet, &heavier);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_non_null(strstr(body_of(s, 0), "counted kieker: W +410 instructions, +2 allocations a "
                                          "call, with "));
}

/* The project has a limit from now on, and its counts are not told. */
static void limit_set(scene *s) {
    static char limit[] = "instructions <= 5300";
    static char *limits[] = {limit, NULL};
    s->project.detection.tell_counts = false;
    s->project.detection.limits = limits;
    s->project.detection.limits_count = 1;
    assert_true(srv__run(s->fix->store,
                         sql_text("UPDATE project SET detection=replace(detection, "
                                  "'\"dimensions\":true', '\"dimensions\":true,\"limits\":"
                                  "[\"instructions <= 5300\"]')",
                                  ""),
                         SRV__NO_ARGS, NULL));
    scene_round(s, DAY);
}

static void told_after(scene *s, const counts *of, unsigned count) {
    night(s, quiet, of);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), count);
}

static void a_limit_is_told_when_it_stands_otherwise(void **state) {
    scene *s = *state;
    limit_set(s);
    told_after(s, &usual, 0);
    told_after(s, &heavier, 1);
    assert_non_null(strstr(body_of(s, 0), "5300: 5620 of writing, surely above"));
    assert_non_null(strstr(body_of(s, 0), "http://127.0.0.1:1/experiments/8"));
    told_after(s, &heavier, 1);
    fix_reopen(s->fix);
    scene_round(s, DAY);
    told_after(s, &heavier, 1);
    told_after(s, &usual, 2);
    assert_non_null(strstr(body_of(s, 1), "5300: 5210 of writing, met again"));
    told_after(s, &usual, 2);
    told_after(s, &heavier, 3);
}

/* A limit of whole processes names no portion; what is told has the one that is the dearest. */
static void a_webhook_says_what_a_limit_is_of(void **state) {
    scene *s = *state;
    s->rules[0].via = CFG_NOTIFY_WEBHOOK;
    limit_set(s);
    told_after(s, &usual, 0);
    told_after(s, &heavier, 1);
    json_auto_t *body = json_loads(body_of(s, 0), 0, NULL);
    assert_string_equal(text_of(body, "event"), "night.limited");
    const json_t *told = json_array_get(json_object_get(body, "nights"), 0);
    const json_t *one = json_array_get(json_object_get(told, "portions"), 0);
    assert_string_equal(text_of(told, "portion"), "W");
    assert_string_equal(text_of(one, "portion"), "W");
    assert_string_equal(text_of(one, "configuration"), "writing");
    assert_string_equal(text_of(one, "dimension"), "instructions");
    assert_string_equal(text_of(one, "limit"), "instructions <= 5300");
}

/* Who sets a limit below what it is hears of it at once, of the newest night alone. */
static void a_limit_that_is_set_too_low_is_told_at_once(void **state) {
    scene *s = *state;
    night(s, quiet, &heavier);
    night(s, quiet, &heavier);
    limit_set(s);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_non_null(strstr(body_of(s, 0), "http://127.0.0.1:1/experiments/8"));
    told_after(s, &heavier, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, scene_teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(it_is_told_once),
        TEST(nobody_is_told_who_does_not_want_it),
        TEST(a_rule_that_does_not_cover_it_is_left_in_peace),
        TEST(what_an_alert_tells_is_not_told_again),
        TEST(a_suspicion_is_waited_for),
        TEST(what_is_told_otherwise_by_then_is_dropped),
        TEST(a_webhook_says_night),
        TEST(words_of_ones_own),
        TEST(a_limit_is_told_when_it_stands_otherwise),
        TEST(a_limit_that_is_set_too_low_is_told_at_once),
        TEST(a_webhook_says_what_a_limit_is_of),
    };
    return cmocka_run_group_tests(tests, NULL, scene_end);
}
