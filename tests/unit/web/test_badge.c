#include "nights.h"

#include <string.h>

#include "web/badge.h"

static void a_badge_says_the_state(void **state) {
    (void)state;
    static const struct {
        const char *project, *message, *color;
    } cases[] = {
        {"{\"nights\": 0}", "no data", "lightgrey"},
        {"{\"nights\": 41, \"quiet_nights\": 41}", "quiet for 41 nights", "brightgreen"},
        {"{\"nights\": 41, \"quiet_nights\": 1, \"alert\": null}", "quiet for 1 night",
         "brightgreen"},
        {"{\"nights\": 4, \"problem\": \"gone\"}", "problem", "orange"},
        {"{\"nights\": 4, \"alert\": {\"portion\": \"C\", \"difference\": {\"mean_ns\": 41.2}}}",
         "C +41.2 ns", "red"},
        {"{\"nights\": 4, \"alert\": {\"portion\": \"I\", \"difference\": {\"mean_ns\": -649}}}",
         "I −649 ns", "blue"},
        {"{\"nights\": 4, \"alert\": {\"portion\": \"<b>&\\\"\", \"difference\": {}}}",
         "<b>&\" +0 ns", "red"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *project = json_loads(cases[i].project, 0, NULL);
        assert_non_null(project);
        json_t *shields = web_badge_shields(project);
        assert_string_equal(json_string_value(json_object_get(shields, "message")),
                            cases[i].message);
        assert_string_equal(json_string_value(json_object_get(shields, "color")), cases[i].color);
        g_autoptr(GBytes) svg = web_badge_svg(project);
        gsize size;
        const char *text = g_bytes_get_data(svg, &size);
        g_autofree char *copy = g_strndup(text, size);
        g_autofree char *escaped = g_markup_escape_text(cases[i].message, -1);
        assert_non_null(strstr(copy, escaped));
        assert_null(strstr(copy, "<b>"));
        g_autoptr(GMarkupParseContext) parser =
            g_markup_parse_context_new(&(GMarkupParser){0}, 0, NULL, NULL);
        assert_true(g_markup_parse_context_parse(parser, copy, (gssize)size, NULL));
        assert_true(g_markup_parse_context_end_parse(parser, NULL));
        json_decref(shields);
        json_decref(project);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_badge_says_the_state)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
