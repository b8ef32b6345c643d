#include "tests/unit/nights_of.h"
#include "tests/unit/web/nights.h"

#include <string.h>

#include "web/pages/embed.h"

static json_t *project(const char *title) {
    return json_pack("{s:s, s:s, s:s, s:b, s:n, s:{s:s, s:[]}}", "name", "kieker java", "title",
                     title, "quiet", "Nothing new for 1 night", "clear", 1, "alert", "latest",
                     "night", "2026-04-30", "portions");
}

static char *page(json_t *p, json_t *n, const web_embed_options *o) {
    g_auto(model_list) list = nights_of(n);
    char *html = web_embed_page(p, &list, o);
    json_decref(p);
    json_decref(n);
    return html;
}

static void a_quiet_project_has_verdict_chart_and_table(void **state) {
    (void)state;
    g_autofree char *html = page(project("Kieker"), nights(15), NULL);
    assert_non_null(strstr(html, "Nothing new for 1 night, the newest of 2026-04-30."));
    assert_non_null(strstr(html, "/charts/kieker%20java.svg?nights=30&amp;"));
    assert_non_null(strstr(html, "prefers-color-scheme: dark"));
    assert_non_null(strstr(html, "<b>I</b> 200 ± 10 ns"));
    size_t rows = 0;
    for (const char *at = html; (at = strstr(at, "<th scope=\"row\">")); at++)
        rows++;
    assert_int_equal(rows, WEB_EMBED_ROWS);
}

/* Only a clear night has its date: what else is said is the server's (web_quiet_words). */
static void a_night_that_is_not_clear_is_told(void **state) {
    (void)state;
    json_t *p = project("Kieker");
    json_object_set_new(p, "quiet", json_string("? Writing (W) may have changed"));
    json_object_set_new(p, "clear", json_false());
    g_autofree char *html = page(p, nights(15), NULL);
    assert_non_null(strstr(html, "<p class=\"verdict\">? Writing (W) may have changed.</p>"));
    assert_null(strstr(html, "the newest of"));
}

/* In the table, too: a value in question is no value as before. */
static void a_portion_in_question_is_marked(void **state) {
    (void)state;
    json_t *list =
        json_pack("[{s:s, s:s, s:[{s:s,s:f,s:s,s:s},{s:s,s:n,s:s}]}]", "night", "2026-04-30",
                  "state", "measured", "portions", "portion", "I", "mean_ns", 5., "verdict", "ok",
                  "rule", "pending", "portion", "W", "mean_ns", "verdict", "harness");
    g_autofree char *html = page(project("Kieker"), list, NULL);
    assert_non_null(strstr(html, "<b class=\"warn\">may have changed</b>"));
    assert_non_null(strstr(html, "<b class=\"warn\">no result</b>"));
    assert_non_null(strstr(html, "5.00 ns"));
    assert_null(strstr(html, "±")); /* without an interval there is none of zero */
}

static void wishes_reach_the_chart(void **state) {
    (void)state;
    web_embed_options o = {.nights = 90,
                           .theme = "dark",
                           .leaf = "tcp&x",
                           .view = WEB_VIEW_LINES,
                           .range = WEB_RANGE_FULL,
                           .of = WEB_OF_MEDIAN};
    g_autofree char *html = page(project("Kieker"), nights(1), &o);
    assert_non_null(strstr(html,
                           "nights=90&amp;width=900&amp;height=380&amp;theme=dark"
                           "&amp;view=lines&amp;value=median&amp;range=full&amp;leaf=tcp%26x\""));
    assert_non_null(strstr(html, "data-theme=\"dark\""));
    assert_null(strstr(html, "prefers-color-scheme"));
}

/* In the order of the sources the first one that fits is shown. */
static void a_narrow_frame_has_a_picture_of_its_own(void **state) {
    (void)state;
    static const char *const sources[] = {
        "<source media=\"(max-width: 560px) and (prefers-color-scheme: dark)\" width=\"400\" "
        "height=\"320\" srcset=\"/charts/kieker%20java.svg?nights=30&amp;width=400&amp;height=320"
        "&amp;theme=dark\">",
        "<source media=\"(max-width: 560px)\" width=\"400\" height=\"320\" "
        "srcset=\"/charts/"
        "kieker%20java.svg?nights=30&amp;width=400&amp;height=320&amp;theme=light\">",
        "<source media=\"(prefers-color-scheme: dark)\" width=\"900\" height=\"380\" "
        "srcset=\"/charts/"
        "kieker%20java.svg?nights=30&amp;width=900&amp;height=380&amp;theme=dark\">",
        "<img "
        "src=\"/charts/kieker%20java.svg?nights=30&amp;width=900&amp;height=380&amp;theme=light\" "
        "width=\"900\" height=\"380\""};
    g_autofree char *html = page(project("Kieker"), nights(1), NULL);
    const char *at = html;
    for (size_t i = 0; i < G_N_ELEMENTS(sources); i++) {
        at = strstr(at, sources[i]);
        assert_non_null(at);
    }
    web_embed_options dark = {.theme = "dark"};
    g_autofree char *chosen = page(project("Kieker"), nights(1), &dark);
    assert_non_null(strstr(chosen, "(max-width: 560px)"));
    assert_null(strstr(chosen, "theme=light"));
}

static void an_alert_is_told(void **state) {
    (void)state;
    json_t *p = project("Kieker");
    json_object_set_new(
        p, "alert",
        json_pack("{s:s, s:s, s:{s:f,s:f,s:f}, s:{s:f,s:f,s:f}, s:{s:s, s:{s:s, s:s}}}", "portion",
                  "I", "direction", "up", "before", "mean_ns", 200., "low_ns", 190., "high_ns",
                  210., "after", "mean_ns", 820., "low_ns", 800., "high_ns", 840., "to", "night",
                  "2013-03-07", "commit", "short", "5158397b1", "subject", "#723 <b>"));
    alert_say(json_object_get(p, "alert"), 0.99, NULL);
    g_autofree char *html = page(json_incref(p), json_array(), NULL);
    assert_non_null(strstr(
        html, "▲ Instrumentation (I) rose from 200 ns to 820 ns (+620 ns, "
              "+310 %), on 2013-03-07, with <code>5158397b1</code> <bdi>#723 &lt;b&gt;</bdi>"));
    assert_null(strstr(html, "<table>"));
    assert_null(strstr(html, "more open"));
    json_object_set_new(p, "open_alerts", json_integer(3));
    json_object_set_new(json_object_get(p, "alert"), "from",
                        json_pack("{s:s, s:{s:s}}", "night", "2013-03-04", "commit", "short", "0"));
    g_autofree char *several = page(json_incref(p), json_array(), NULL);
    assert_non_null(strstr(several,
                           ", on 2013-03-07, at the latest with <code>5158397b1</code> <bdi></bdi>"
                           " and 2 more open</p>"));
    json_object_set_new(json_object_get(p, "alert"), "bisection",
                        json_pack("{s:s, s:i, s:{s:s}}", "state", "range", "commits", 9, "last",
                                  "short", "ee86f2c0d"));
    g_autofree char *ended = page(json_incref(p), json_array(), NULL);
    assert_non_null(strstr(ended, ", at the latest with <code>ee86f2c0d</code>"));
    json_object_del(json_object_get(p, "alert"), "bisection");
    json_object_set_new(json_object_get(p, "alert"), "slow", json_true());
    json_object_set_new(json_object_get(p, "alert"), "commits", json_integer(1));
    g_autofree char *slow = page(p, json_array(), NULL);
    assert_non_null(strstr(slow, ", slowly after 2013-03-04, at the latest with <code>5158397"));
}

static void between_two_measurements_of_one_commit_it_was_none(void **state) {
    (void)state;
    json_t *p = project("Kieker");
    json_t *end = json_pack("{s:s, s:{s:s, s:s}}", "night", "2013-03-07", "commit", "sha", "51",
                            "short", "5158397b1");
    json_object_set_new(p, "alert",
                        json_pack("{s:s, s:s, s:O, s:o}", "portion", "I", "direction", "up", "from",
                                  end, "to", end));
    g_autofree char *html = page(p, json_array(), NULL);
    assert_non_null(strstr(html, ", on 2013-03-07, between two measurements of <code>5158397b1<"));
}

/* No text from a repository becomes markup, and nothing needs a script. */
static void hostile_texts_stay_texts(void **state) {
    (void)state;
    json_t *n = nights(2);
    json_object_set_new(json_object_get(json_array_get(n, 0), "commit"), "subject",
                        json_string("</td><script>alert(1)</script>\u202e"));
    g_autofree char *html = page(project("\"><script>x</script>"), n, NULL);
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, " style="));
    assert_null(strstr(html, "\u202e"));
    assert_true(g_utf8_validate(html, -1, NULL));
}

static void what_is_missing_is_no_crash(void **state) {
    (void)state;
    g_autofree char *html = page(json_object(), json_pack("[{}, n]"), NULL);
    assert_non_null(strstr(html, "<p class=\"verdict\">.</p>"));
    json_t *failed = json_pack("[o]", bare_night(0, "failed"));
    g_autofree char *other = page(project("x"), failed, NULL);
    assert_non_null(strstr(other, "failed: "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quiet_project_has_verdict_chart_and_table),
        cmocka_unit_test(a_night_that_is_not_clear_is_told),
        cmocka_unit_test(a_portion_in_question_is_marked),
        cmocka_unit_test(wishes_reach_the_chart),
        cmocka_unit_test(a_narrow_frame_has_a_picture_of_its_own),
        cmocka_unit_test(an_alert_is_told),
        cmocka_unit_test(between_two_measurements_of_one_commit_it_was_none),
        cmocka_unit_test(hostile_texts_stay_texts),
        cmocka_unit_test(what_is_missing_is_no_crash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
