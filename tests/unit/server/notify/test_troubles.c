/* Whoever runs the server hears of each kind of problem once, as long as it lasts. */
#include "tests/unit/test.h"

#include "server/notify/troubles.h"

#include <string.h>

/* At this minute: sentences divided by '|'; what is news, NULL: nothing is. sent: it was told. */
static void expect_news(GHashTable *told, int minute, const char *sentences, const char *news,
                        bool sent) {
    json_auto_t *problems = json_array();
    g_auto(GStrv) each = g_strsplit(sentences, "|", -1);
    for (size_t i = 0; each[i] && *sentences != '\0'; i++)
        json_array_append_new(problems, json_string(each[i]));
    const int64_t now_ms = (int64_t)minute * 60000;
    g_autofree char *text = srv_troubles_news(told, problems, now_ms);
    if (!news)
        assert_null(text);
    else
        assert_string_equal(text, news);
    if (sent)
        srv_troubles_told(told, problems, now_ms);
}

static void each_kind_is_told_once(void **state) {
    (void)state;
    g_autoptr(GHashTable) told = srv_troubles_new();
    expect_news(told, 0, "", NULL, false);
    expect_news(told, 1, "data_dir: 9 MiB", "- data_dir: 9 MiB\n", false);
    expect_news(told, 2, "data_dir: 8 MiB", "- data_dir: 8 MiB\n", true); /* could not be sent */
    expect_news(told, 3, "data_dir: 7 MiB", NULL, false);
    expect_news(told, 4, "data_dir: 7 MiB|messages: 1", "- messages: 1\n", true);
    expect_news(told, 5, "messages: 2", NULL, false);
    expect_news(told, 64, "data_dir: 6 MiB|messages: 3", NULL, false); /* it hovers: no news */
    expect_news(told, 65, "", NULL, false);
    expect_news(told, 125, "", NULL, false); /* over since an hour */
    expect_news(told, 126, "messages: 1", "- messages: 1\n", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_kind_is_told_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
