#include "tests/unit/test.h"

#include "config/options.h"

static void what_is_kept_is_returned(void **state) {
    (void)state;
    char *text = g_strdup("text");
    assert_ptr_equal(cfg_kept(text), text);
    assert_null(cfg_kept(NULL));
}

/* Nothing leaks and nothing is freed twice, as the sanitizers see it. */
static void all_texts_of_a_table_are_kept(void **state) {
    (void)state;
    char *text = NULL, *file = NULL, *absent = NULL, **texts = NULL, **files = NULL;
    int number = 0;
    gboolean yes = FALSE;
    const GOptionEntry entries[] = {
        {"text", 0, 0, G_OPTION_ARG_STRING, &text, NULL, NULL},
        {"file", 0, 0, G_OPTION_ARG_FILENAME, &file, NULL, NULL},
        {"absent", 0, 0, G_OPTION_ARG_STRING, &absent, NULL, NULL},
        {"texts", 0, 0, G_OPTION_ARG_STRING_ARRAY, &texts, NULL, NULL},
        {"files", 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL},
        {"number", 0, 0, G_OPTION_ARG_INT, &number, NULL, NULL},
        {"yes", 0, 0, G_OPTION_ARG_NONE, &yes, NULL, NULL},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    g_auto(GStrv) words = g_strsplit("program --text=a --file=b --texts=c --texts=d --files=e "
                                     "--files=f --number=7 --yes",
                                     " ", -1);
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_option_context_add_main_entries(context, entries, NULL);
    assert_true(g_option_context_parse_strv(context, &words, NULL));
    cfg_options_keep(entries);
    assert_string_equal(text, "a");
    assert_string_equal(file, "b");
    assert_null(absent);
    assert_string_equal(texts[1], "d");
    assert_string_equal(files[1], "f");
    assert_true(number == 7 && yes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_returned),
        cmocka_unit_test(all_texts_of_a_table_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
