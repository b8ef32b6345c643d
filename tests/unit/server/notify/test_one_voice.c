/* The sentence of an alert is the same wherever it is told, and says the level that it was made at.
 */
#include "config/config.h"
#include "server/notify/feed.h"
#include "server/notify/notify_words.h"
#include "tests/unit/detector/luck.h"
#include "web/layout/text.h"
#include "web/pages/embed.h"
#include "web/words/alert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static json_t *interval(double mean, double half) {
    return json_pack("{s:f,s:f,s:f}", "mean_ns", mean, "low_ns", mean - half, "high_ns",
                     mean + half);
}

static json_t *portion_of(uint64_t *seed, const char *letter, const char *configuration) {
    const double before = pow(10, 5 * luck_uniform(seed)), half = before * luck_uniform(seed) / 9;
    const double after =
        before * (1 + pow(10, -4 + 4 * luck_uniform(seed)) * (luck_uniform(seed) < 0.5 ? -0.5 : 1));
    return json_pack("{s:s,s:s,s:s,s:s,s:o,s:o,s:o}", "portion", letter, "configuration",
                     configuration, "direction", after > before ? "up" : "down", "reason", "why",
                     "before", interval(before, half), "after", interval(after, half), "difference",
                     interval(after - before, 2 * half));
}

static json_t *alert_of(uint64_t *seed) {
    json_t *alert = portion_of(seed, "W", "binary");
    json_t *commit =
        json_pack("{s:s,s:s,s:s}", "short", "5158397b1", "subject", "subject", "author", "ada");
    json_object_set_new(alert, "id", json_integer(7));
    json_object_set_new(alert, "project", json_string("kieker"));
    json_object_set_new(alert, "state", json_string("open"));
    json_object_set_new(alert, "level", json_real(0.99));
    json_object_set_new(alert, "from",
                        json_pack("{s:s,s:O}", "night", "2013-04-16", "commit", commit));
    json_object_set_new(alert, "to",
                        json_pack("{s:s,s:o}", "night", "2013-04-17", "commit", commit));
    json_t *portions = json_pack("[o]", json_deep_copy(alert));
    if (luck_uniform(seed) < 0.5)
        json_array_append_new(portions, portion_of(seed, "C", "<&>"));
    if (luck_uniform(seed) < 0.5)
        json_array_append_new(portions, portion_of(seed, "W", "ascii"));
    json_object_set_new(alert, "portions", portions);
    web_alert_say(alert, web_words_number(alert, "level"), NULL);
    return alert;
}

static void must_hold(const char *where, const char *text, const char *wanted) {
    if (!strstr(text, wanted))
        fail_msg("%s does not say \"%s\": %s", where, wanted, text);
    if (strstr(text, "; 95 %") || strstr(text, "95 % interval"))
        fail_msg("%s says 95 %%: %s", where, text);
}

static void messages_say_it(const json_t *alerts, const char *sentence, const char *markup) {
    const srv_words words = {"https://o.example.org", "kieker", "raised", alerts, NULL};
    const srv_words own = {"https://o.example.org", "kieker", "raised", alerts, "{sentence}"};
    g_autofree char *text = srv_words_text(&words);
    g_autofree char *filled = srv_words_text(&own);
    g_autofree char *html = srv_words_html(&words, NULL);
    g_autofree char *feed = srv_feed(words.base, "/feed.atom", "title", alerts);
    g_autofree char *issue = srv_words_markdown(&words, NULL);
    g_autoptr(GString) escaped = g_string_new(NULL);
    json_t *slack = srv_words_slack(&words);
    const json_t *block = json_array_get(json_object_get(slack, "blocks"), 0);
    web_text_markdown(escaped, sentence);
    must_hold("the message", text, sentence);
    must_hold("the rule's own words", filled, sentence);
    must_hold("the mail", html, markup);
    must_hold("the feed", feed, markup);
    must_hold("the issue", issue, escaped->str);
    must_hold("Slack", json_string_value(json_object_get(json_object_get(block, "text"), "text")),
              markup);
    json_decref(slack);
}

static void one_sentence_everywhere(void **state) {
    (void)state;
    uint64_t seed = 17;
    for (int i = 0; i < 200; i++) {
        json_t *alert = alert_of(&seed), *alerts = json_pack("[O]", alert);
        json_t *project = json_pack("{s:s,s:s,s:i,s:i,s:O}", "name", "kieker", "title", "Kieker",
                                    "nights", 2, "quiet_nights", 0, "alert", alert);
        const char *sentence = json_string_value(json_object_get(alert, "sentence"));
        g_autofree char *markup = g_markup_escape_text(sentence, -1);
        const model_list nights = {0};
        g_autofree char *embedded = web_embed_page(project, &nights, NULL);
        messages_say_it(alerts, sentence, markup);
        must_hold("the frame", embedded, markup);
        json_decref(project);
        json_decref(alerts);
        json_decref(alert);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_sentence_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
