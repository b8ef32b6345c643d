/* Profiles of an alert over HTTP: what they are saved as, and what is refused. */
#include "tests/unit/test.h"

#include "tests/unit/server/desk.h"

#include "server/alarm/explanation.h"
#include "sql/explanation.h"

static void add_profile(desk *at, const char *dimension, const char *stacks) {
    assert_true(srv__begin(at->fix->store, NULL));
    assert_true(srv__run(at->fix->store,
                         ASK(profile_insert, 1, dimension, "deactivated", true, 1, 10, stacks),
                         NULL));
    assert_true(srv__end(at->fix->store, true, NULL));
}

/* Of time and of bytes, with a name for each. */
static void a_download_is_named_after_what_it_is_of(void **state) {
    desk *at = *state;
    const struct {
        const char *query, *stacks, *name;
    } cases[] = {{"", "m;f 7\n", "alert-1-deactivated-before.collapsed"},
                 {"?dimension=time", "m;f 7\n", "alert-1-deactivated-before.collapsed"},
                 {"?dimension=bytes", "m;new 8\n", "alert-1-deactivated-before-bytes.collapsed"}};
    desk_measure(at);
    add_profile(at, SRV_PROFILE_TIME, "m;f 7\n");
    add_profile(at, SRV_PROFILE_BYTES, "m;new 8\n");
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *target =
            g_strconcat("/api/v1/alerts/1/profiles/deactivated/before", cases[i].query, NULL);
        g_autofree char *answer = desk_call(at, "GET", target, at->admin, NULL, 200);
        g_autofree char *named = answer_header(answer, "Content-Disposition");
        g_autofree char *expected = g_strdup_printf("attachment; filename=\"%s\"", cases[i].name);
        assert_string_equal(named, expected);
        assert_string_equal(answer_body(answer), cases[i].stacks);
    }
}

static void what_is_wrong_is_said(void **state) {
    desk *at = *state;
    static const desk_refusal cases[] = {
        {"/api/v1/alerts/1/profiles/none/between", NULL, 400, "must be before or after"},
        {"/api/v1/alerts/1/profiles/none/before?dimension=objects", NULL, 400,
         "dimension must be time or bytes"},
        {"/flames/1/none.svg?dimension=objects", NULL, 400, "dimension must be time or bytes"},
        {"/flames/1/none.gif", NULL, 404, "ends in .svg, .png or .json"},
        {"/flames/1/none.svg?view=between", NULL, 400, "view must be"},
        {"/flames/1/none.svg?theme=red", NULL, 400, "theme must be light or dark"}};
    desk_measure(at);
    desk_refuses(at, "GET", at->admin, cases, G_N_ELEMENTS(cases));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        DESK_TEST(a_download_is_named_after_what_it_is_of),
        DESK_TEST(what_is_wrong_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
