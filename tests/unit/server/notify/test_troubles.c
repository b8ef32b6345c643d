/* Whoever runs the server hears of each kind of problem once, as long as it lasts. */
#include "tests/unit/test.h"

#include "server/notify/troubles.h"

#include <string.h>

/* sentences divided by '|'; what is news, NULL: nothing is. sent: it was told. */
static void expect_news(GHashTable *told, const char *sentences, const char *news, bool sent) {
    json_auto_t *problems = json_array();
    g_auto(GStrv) each = g_strsplit(sentences, "|", -1);
    for (size_t i = 0; each[i] && *sentences != '\0'; i++)
        json_array_append_new(problems, json_string(each[i]));
    g_autofree char *text = srv_troubles_news(told, problems);
    if (!news)
        assert_null(text);
    else
        assert_string_equal(text, news);
    if (sent)
        srv_troubles_told(told, problems);
}

static void each_kind_is_told_once(void **state) {
    (void)state;
    g_autoptr(GHashTable) told = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    expect_news(told, "", NULL, false);
    expect_news(told, "data_dir: 9 MiB", "- data_dir: 9 MiB\n", false);
    expect_news(told, "data_dir: 8 MiB", "- data_dir: 8 MiB\n", true); /* it could not be sent */
    expect_news(told, "data_dir: 7 MiB", NULL, false);
    expect_news(told, "data_dir: 7 MiB|messages: 1", "- messages: 1\n", true);
    expect_news(told, "messages: 2", NULL, false); /* the other one is over */
    expect_news(told, "data_dir: 6 MiB|messages: 3", "- data_dir: 6 MiB\n", true);
    expect_news(told, "", NULL, false);
    expect_news(told, "messages: 1", "- messages: 1\n", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_kind_is_told_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
