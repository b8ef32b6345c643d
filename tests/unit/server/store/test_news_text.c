/* The lines in which servers tell each other what they have committed. */
#include "tests/unit/test.h"

#include "server/store/db.h"
#include "server/store/news.h"

#include <string.h>

static GArray *events_of(unsigned count) {
    GArray *events = g_array_new(FALSE, FALSE, sizeof(srv__pending));
    for (unsigned i = 0; i < count; i++)
        g_array_append_val(events, ((srv__pending){(srv_event)(i % 4), INT64_MAX - (int64_t)i}));
    return events;
}

static void what_is_written_is_read(void **state) {
    /* 2000: longer than a line may be */
    static const unsigned cases[] = {0, 1, 4, 2000};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GArray) events = events_of(cases[i]);
        g_autoptr(GPtrArray) texts = srv__news_texts(events);
        guint next = 0;
        for (guint t = 0; t < texts->len; t++) {
            srv__news news;
            assert_true(strlen(texts->pdata[t]) <= SRV_DB_TELL_BYTES);
            assert_true(srv__news_read(texts->pdata[t], &news));
            assert_true(news.ours);
            for (guint e = 0; e < news.events->len; e++, next++) {
                const srv__pending *read = &g_array_index(news.events, srv__pending, e);
                assert_int_equal(read->what, g_array_index(events, srv__pending, next).what);
                assert_true(read->id == g_array_index(events, srv__pending, next).id);
            }
            srv__news_clear(&news);
        }
        assert_int_equal(next, events->len);
        assert_int_equal(texts->len > 1, cases[i] == 2000);
    }
}

static void another_server_is_not_us(void **state) {
    srv__news news;
    (void)state;
    assert_true(srv__news_read("0123456789abcdef j12 i3", &news));
    assert_false(news.ours);
    assert_int_equal(news.events->len, 2);
    srv__news_clear(&news);
}

static void a_project_is_asked_for(void **state) {
    static const char *const projects[] = {"kieker", ""};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(projects); i++) {
        srv__news news;
        g_autofree char *text = srv__news_ask_text(projects[i]);
        assert_true(srv__news_read(text, &news));
        assert_true(news.ours);
        assert_string_equal(news.asked, projects[i]);
        srv__news_clear(&news);
    }
}

static void what_is_no_line_is_refused(void **state) {
    static const char *const wrong[] = {"",
                                        "hello",
                                        "0123456789abcde j5",
                                        "0123456789abcdef k5",
                                        "0123456789abcdef N * j5",
                                        "0123456789abcdef j",
                                        "0123456789abcdef j-5",
                                        "0123456789abcdef ? a b",
                                        "0123456789abcdef ?",
                                        "0123456789abcdef  j5",
                                        "0123456789abcdef j5x"};
    (void)state;
    for (size_t i = 0; i < G_N_ELEMENTS(wrong); i++) {
        srv__news news;
        if (srv__news_read(wrong[i], &news))
            fail_msg("'%s' was read", wrong[i]);
        srv__news_clear(&news);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(another_server_is_not_us),
        cmocka_unit_test(a_project_is_asked_for),
        cmocka_unit_test(what_is_no_line_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
