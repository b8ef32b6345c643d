/* What anybody wrote into a commit stays text, wherever an alert is told. */
#include "server/notify/notify_send.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/unit/test.h"

#include "config/config.h"
#include "server/notify/feed.h"
#include "server/notify/notify_words.h"
#include "server/views/badge.h"
#include "tests/unit/nights_of.h"

#include <string.h>

#define HOSTILE "<script>x</script>\r\nBcc: a@b.c\n@nora ]]> & `q` \x01"

static char *told_of(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return srv_words_night(&night);
}

static const char *state_of(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return srv_words_night_state(&night);
}

static const char *title_of(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return srv_words_night_title(&night);
}

static char *table_of(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return srv_words_night_markdown(&night, "page", NULL, NULL);
}

static gboolean badge_of(srv_badge *out, const json_t *project, const json_t *json,
                         const char *portion) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return srv_badge_of(out, project, json_is_object(json) ? &night : NULL, portion);
}

static json_t *alert_of(const char *state) {
    json_t *alert = json_pack("{s:i,s:s,s:s,s:s,s:s,s:I,s:s}", "id", 7, "project", "p", "portion",
                              "W", "direction", "up", "state", state, "raised_ms",
                              (json_int_t)86400000, "reason", HOSTILE);
    json_t *commit =
        json_pack("{s:s,s:s,s:s}", "short", "5158397b1", "subject", HOSTILE, "author", HOSTILE);
    json_object_set_new(alert, "from",
                        json_pack("{s:s,s:O}", "night", "2013-04-16", "commit", commit));
    json_object_set_new(alert, "to",
                        json_pack("{s:s,s:o}", "night", "2013-04-17", "commit", commit));
    json_object_set_new(
        alert, "before",
        json_pack("{s:f,s:f,s:f}", "mean_ns", 1332.4, "low_ns", 1300.0, "high_ns", 1360.0));
    json_object_set_new(alert, "after",
                        json_pack("{s:f,s:f,s:n}", "mean_ns", 1387.0, "low_ns", 1370.0, "high_ns"));
    json_object_set_new(alert, "difference",
                        json_pack("{s:f,s:f}", "mean_ns", 54.6, "percent", 4.1));
    json_object_set_new(alert, "audit",
                        json_pack("[{s:I,s:s,s:s}]", "at_ms", (json_int_t)172800000, "author",
                                  HOSTILE, "reason", HOSTILE));
    alert_say(alert, 0.99, NULL);
    return alert;
}

/* No commit lies between two nights of one. */
static void nights_of_one_commit_are_told_as_such(void **state) {
    (void)state;
    json_auto_t *alerts =
        json_pack("[{s:s, s:s, s:{s:s, s:{s:s, s:s}}, s:{s:s, s:{s:s, s:s}}}]", "state", "open",
                  "headline", "W rose", "from", "night", "2026-11-23", "commit", "short",
                  "3ca1b01bf", "sha", "3ca1b01bf0", "until", "night", "2026-11-24", "commit",
                  "short", "3ca1b01bf", "sha", "3ca1b01bf0");
    const srv_words words = {
        "https://o.example.org", "p", "raised", alerts_of(alerts), NULL, NULL, NULL};
    g_autofree char *text = srv_words_text(&words);
    assert_non_null(strstr(text, "between 2026-11-23 and 2026-11-24; before and after are of the "
                                 "same commit 3ca1b01bf"));
    assert_null(strstr(text, "one of the commits"));
    json_object_set_new(json_object_get(json_array_get(alerts, 0), "from"), "night",
                        json_string("2026-11-24"));
    const srv_words one = {
        "https://o.example.org", "p", "raised", alerts_of(alerts), NULL, NULL, NULL};
    g_autofree char *same = srv_words_text(&one);
    assert_non_null(strstr(same, "between two measurements of 2026-11-24; before and after are "));
}

typedef struct {
    int commits;        /* 0: not known */
    const char *search; /* state; "slow": none, of a slow shift; "moved"; NULL: none */
    bool culprit;
    const char *says;
    int left; /* of a search, where not all are */
    const char *rest, *alone;
} accusation;

static json_t *accused(const accusation *of) {
    json_t *alert = json_pack("{s:s, s:s, s:{s:s, s:{s:s}}, s:{s:s, s:{s:s, s:s, s:s}}}", "state",
                              "open", "headline", "W rose", "from", "night", "2026-11-23", "commit",
                              "short", "73c241981", "until", "night", "2026-11-24", "commit",
                              "short", "2559ae666", "subject", "Tests", "author", "Sam");
    if (of->commits > 0)
        json_object_set_new(alert, "commits", json_integer(of->commits));
    const bool searchable = g_strcmp0(of->search, "searchable") == 0;
    const bool slow = g_strcmp0(of->search, "slow") == 0;
    json_object_set_new(alert, "searchable", json_boolean(searchable));
    json_object_set_new(alert, "slow", json_boolean(slow));
    if (g_strcmp0(of->search, "moved") == 0)
        json_object_set_new(alert, "moved", json_string("by hand (ada)"));
    g_autofree char *told = of->rest && of->alone ? g_strjoin(" ", of->rest, of->alone, NULL)
                                                  : g_strdup(of->rest ? of->rest : of->alone);
    if (of->search && !searchable && !slow && !json_object_get(alert, "moved"))
        json_object_set_new(
            alert, "bisection",
            json_pack("{s:s, s:i, s:i, s:s*, s:s*, s:s*, s:s, s:o}", "state", of->search, "commits",
                      of->commits, "left", of->left, "rest", of->rest, "alone", of->alone, "told",
                      told, "of", "Writing (W)", "culprit",
                      of->culprit ? json_pack("{s:s, s:s, s:s}", "short", "8ff023c0f", "subject",
                                              "Cache", "author", "Ada")
                                  : json_null()));
    return alert;
}

/* Of several commits none is named with its author before the search has found it. */
static void nobody_is_accused(void **state) {
    (void)state;
    static const accusation cases[] = {
        {0, NULL, false,
         "one of the commits after 73c241981 of 2026-11-23 up to 2559ae666 of "
         "2026-11-24; which one is not known",
         0, NULL, NULL},
        {0, "searchable", false, "which one is being searched", 0, NULL, NULL},
        {1, NULL, false, "after 73c241981 of 2026-11-23, with 2559ae666 Tests (Sam)", 0, NULL,
         NULL},
        {3, NULL, false, "one of 3 commits after 73c241981 of 2026-11-23 up to 2559ae666", 0, NULL,
         NULL},
        {3, "slow", false,
         "slowly, with some of the 3 commits after 73c241981 of 2026-11-23 up to 2559ae666 of "
         "2026-11-24; they were not measured again",
         0, NULL, NULL},
        {1, "slow", false,
         "slowly, at the latest with 2559ae666 of 2026-11-24; it was not measured again", 0, NULL,
         NULL},
        {1, "moved", false,
         "after 73c241981 of 2026-11-23, at the latest with 2559ae666 of 2026-11-24; by hand (ada)",
         0, NULL, NULL},
        {3, "running", false, "which one is being searched", 0, NULL, NULL},
        {3, "range", false, "the search found no single commit", 0, NULL, NULL},
        {12, "range", false,
         "one of 3 left of the 12 commits after 73c241981 of 2026-11-23 up to 2559ae666", 3, NULL,
         NULL},
        {3, "found", true, "after 73c241981 of 2026-11-23, with 8ff023c0f Cache (Ada)\nOnly half",
         0, "Only half", NULL},
        {3, "range", false,
         "some of 3 commits after 73c241981 of 2026-11-23 up to 2559ae666 of 2026-11-24; the "
         "search "
         "found no single commit\nOf the change",
         0, "Of the change", NULL},
        {12, "range", false, "some of 12 commits after", 3, "Only 47 %", NULL},
        {3, "found", true, "with 8ff023c0f Cache (Ada), of Writing (W)\nOnly half Of W alone", 0,
         "Only half", "Of W alone"},
        {3, "running", false, "which one is being searched\nOf W alone", 0, NULL, "Of W alone"},
        {12, "running", false, "; the search goes on\nOf the change", 3, "Of the change", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *alerts = json_pack("[o]", accused(&cases[i]));
        const srv_words words = {
            "https://o.example.org", "p", "raised", alerts_of(alerts), NULL, NULL, NULL};
        g_autofree char *text = srv_words_text(&words);
        if (!strstr(text, cases[i].says))
            fail_msg("\"%s\" is not in: %s", cases[i].says, text);
        if (cases[i].commits != 1 || cases[i].search)
            assert_null(strstr(text, "Sam"));
        const srv_words found = {
            "https://o.example.org", "p", "found", words.alerts, NULL, NULL, NULL};
        g_autofree char *subject = srv_words_subject(&found);
        assert_string_equal(subject, cases[i].alone
                                         ? "[overhead] p: W rose: the commit of Writing (W)"
                                     : cases[i].rest ? "[overhead] p: W rose: one of its commits"
                                                     : "[overhead] p: W rose: the commit");
    }
}

/* It stood under both changes, of which one was measured again. */
static void what_was_measured_again_is_of_so_many_changes(void **state) {
    (void)state;
    static const char *const says[] = {
        "\nMeasured again: confirmed. That is of 1 of the 2 changes.\n",
        "\nMeasured again: confirmed\n"};
    for (size_t i = 0; i < 2; i++) {
        json_auto_t *again = json_pack("{s:s}", "state", "confirmed");
        json_auto_t *alerts = json_pack("[{s:s, s:s, s:s, s:O, s:[{s:O}, {s:o}]}]", "state", "open",
                                        "headline", "W rose", "reason", "Measured again: confirmed",
                                        "confirmation", again, "portions", "confirmation", again,
                                        "confirmation", i == 0 ? json_null() : json_incref(again));
        const srv_words words = {
            "https://o.example.org", "p", "raised", alerts_of(alerts), NULL, NULL, NULL};
        g_autofree char *text = srv_words_text(&words);
        if (!strstr(text, says[i]))
            fail_msg("%s", text);
    }
}

static void refuse(const char *text, const char *const *bad) {
    for (; *bad; bad++)
        if (strstr(text, *bad))
            fail_msg("\"%s\" is in: %s", *bad, text);
}

static void in_every_format(void **state) {
    (void)state;
    static const char *const anywhere[] = {"\r", "\x01", NULL};
    static const char *const markup[] = {"<script>", "\x01", NULL};
    static const char *const markdown[] = {"<script>", " @nora", "\x01", NULL};
    static const char *const events[] = {"raised", "ended"};
    for (size_t i = 0; i < G_N_ELEMENTS(events); i++) {
        json_t *alerts = json_pack("[o]", alert_of(i > 0 ? "accepted" : "open"));
        const srv_words words = {
            "https://o.example.org", "p", events[i], alerts_of(alerts), NULL, NULL, NULL};
        g_autofree char *subject = srv_words_subject(&words);
        g_autofree char *text = srv_words_text(&words);
        g_autofree char *html = srv_words_html(&words, "chart");
        g_autofree char *issue = srv_words_markdown(&words, "mark");
        g_autofree char *feed = srv_feed(words.base, "/feed.atom", HOSTILE, words.alerts);
        json_t *slack = srv_words_slack(&words);
        char *blocks = json_dumps(slack, 0);
        refuse(subject, anywhere);
        refuse(text, anywhere);
        refuse(html, markup);
        refuse(issue, markdown);
        refuse(feed, markup);
        refuse(blocks, markup);
        assert_null(strstr(text, "\nBcc"));
        assert_non_null(strstr(text, "\nWriting (W) rose from 1.332 µs to 1.387 µs (+54.6 ns"));
        assert_non_null(strstr(issue, "<!-- mark -->"));
        assert_non_null(strstr(feed, "<updated>1970-01-03T00:00:00Z</updated>"));
        free(blocks);
        json_decref(slack);
        json_decref(alerts);
    }
}

static void a_change_of_several_portions_is_told_whole(void **state) {
    (void)state;
    json_t *alert = alert_of("open"), *other = alert_of("open");
    json_object_set_new(other, "portion", json_string("C"));
    json_object_set_new(other, "direction", json_string("down"));
    json_object_set_new(json_object_get(other, "after"), "mean_ns", json_real(1300));
    json_object_set_new(alert, "portions", json_pack("[o,o]", alert_of("open"), other));
    alert_say(alert, 0.99, NULL);
    json_t *alerts = json_pack("[o]", alert);
    const srv_words words = {
        "https://o.example.org", "kieker", "raised", alerts_of(alerts), NULL, NULL, NULL};
    g_autofree char *subject = srv_words_subject(&words);
    assert_string_equal(
        subject, "[overhead] kieker: Writing (W) rose by 4.10 %, Collection (C) fell by 2.43 %");
    g_autofree char *text = srv_words_text(&words);
    assert_non_null(strstr(text,
                           "\nWriting (W) rose from 1.332 µs to 1.387 µs (+54.6 ns, +4.10 %); "
                           "Collection (C) fell from 1.332 µs to 1.300 µs (-32.4 ns, "
                           "-2.43 %)\n"));
    const srv_words over = {
        "https://o.example.org", "kieker", "ended", alerts_of(alerts), NULL, NULL, NULL};
    g_autofree char *ended = srv_words_subject(&over);
    assert_string_equal(
        ended,
        "[overhead] kieker: Writing (W) rose by 4.10 %, Collection (C) fell by 2.43 % (withdrawn)");
    json_decref(alerts);
}

/* "(fixed)" was told of a portion that stays as dear as it was. */
static void what_people_say_of_the_code_is_their_answer(void **state) {
    (void)state;
    static const struct {
        const char *state;
        int fixed_by;
        const char *says;
    } cases[] = {{"fixed", 0, " (answered: fixed)"},
                 {"fixed", 9, " (fixed)"},
                 {"false", 0, " (answered: a false alarm)"},
                 {"accepted", 0, " (accepted as the new level)"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *alert = alert_of(cases[i].state);
        if (cases[i].fixed_by)
            json_object_set_new(alert, "fixed_by", json_integer(cases[i].fixed_by));
        json_auto_t *alerts = json_pack("[o]", alert);
        const srv_words words = {
            "https://o.example.org", "p", "ended", alerts_of(alerts), NULL, NULL, NULL};
        g_autofree char *subject = srv_words_subject(&words);
        assert_true(g_str_has_suffix(subject, cases[i].says));
    }
}

static void people_read_the_title_and_a_link_to_the_commit(void **state) {
    (void)state;
    json_t *alert = alert_of("open");
    json_object_set_new(json_object_get(json_object_get(alert, "to"), "commit"), "sha",
                        json_string("5158397b1ffee"));
    json_object_set_new(alert, "repeat", json_string("moowatch run kieker.yaml --commit 51"));
    json_object_set_new(alert, "commits", json_integer(1));
    json_auto_t *alerts = json_pack("[o]", alert);
    const srv_words words = {"https://o.example.org",
                             "kieker",
                             "raised",
                             alerts_of(alerts),
                             NULL,
                             "Kieker & co",
                             "https://git.example.org/c_c/{commit}"};
    g_autofree char *subject = srv_words_subject(&words), *text = srv_words_text(&words),
                    *html = srv_words_html(&words, NULL), *issue = srv_words_markdown(&words, NULL);
    assert_string_equal(subject, "[overhead] Kieker & co: Writing (W) rose by 4.10 %");
    assert_non_null(strstr(text, "\nhttps://git.example.org/c_c/5158397b1ffee\n"));
    assert_non_null(strstr(text, "\nhttps://o.example.org/alerts/7\n"));
    assert_non_null(strstr(html, "<h3>Kieker &amp; co: "));
    assert_non_null(strstr(issue, "\nTo repeat it, with the project's file and its repository: "
                                  "`moowatch run kieker.yaml --commit 51`"));
    assert_non_null(strstr(html, "<p><a href=\"https://git.example.org/c_c/5158397b1ffee\">"));
    assert_non_null(strstr(issue, "\n<https://git.example.org/c_c/5158397b1ffee>"));
    json_auto_t *slack = srv_words_slack(&words);
    g_autofree char *block = json_dumps(slack, 0);
    assert_non_null(strstr(block, "\\n<https://git.example.org/c_c/5158397b1ffee>"));
    assert_non_null(strstr(block, "|Kieker &amp; co: "));
}

static void a_rule_has_its_own_words(void **state) {
    (void)state;
    json_t *alert = alert_of("open");
    json_object_set_new(alert, "reason", json_string("{link} <b>"));
    json_t *alerts = json_pack("[O,o]", alert, alert);
    srv_words words = {"https://o.example.org",
                       "kieker",
                       "raised",
                       alerts_of(alerts),
                       "{project}: {change} as {sentence}",
                       NULL,
                       NULL};
    g_autofree char *text = srv_words_text(&words);
    assert_non_null(
        strstr(text, "kieker: Writing (W) rose by 4.10 % as Writing (W) rose from 1.332 µs to "));
    /* every name there is says something, and what it says is not looked at for names again */
    for (size_t i = 0; cfg_notify_names[i]; i++) {
        g_autofree char *one = g_strdup_printf("<{%s}>", cfg_notify_names[i]);
        words.text = one;
        g_autofree char *said = srv_words_text(&words);
        assert_null(strstr(said, "<>"));
        assert_null(strstr(said, one));
        g_autofree char *html = srv_words_html(&words, NULL);
        assert_null(strstr(html, "<b>"));
        json_t *slack = srv_words_slack(&words);
        assert_int_equal(json_array_size(json_object_get(slack, "blocks")), 2);
        json_decref(slack);
    }
    words.text = "{reason}";
    g_autofree char *reason = srv_words_text(&words);
    assert_string_equal(reason, "{link} <b>\n\n{link} <b>\n");
    json_decref(alerts);
}

static void subjects_are_short(void **state) {
    (void)state;
    json_t *alerts = json_array();
    for (int i = 0; i < 30; i++)
        json_array_append_new(alerts, alert_of("open"));
    const srv_words words = {"", "kieker", "raised", alerts_of(alerts), NULL, NULL, NULL};
    g_autofree char *subject = srv_words_subject(&words);
    assert_string_equal(subject, "[overhead] kieker: 30 changes: Writing (W) rose by 4.10 %, "
                                 "Writing (W) rose by 4.10 %, Writing (W) rose by 4.10 %, …");
    json_t *slack = srv_words_slack(&words);
    assert_in_range(json_array_size(json_object_get(slack, "blocks")), 1, 50);
    json_decref(slack);
    json_decref(alerts);
}

static json_t *night_of(const char *verdict, bool in_advance) {
    return json_pack("{s:s,s:s,s:[{s:s,s:s,s:s,s:f},{s:s,s:s,s:s,s:f,s:b}]}", "state", "measured",
                     "project", "kieker", "portions", "portion", "T", "verdict", "ok", "direction",
                     "up", "mean_ns", 70.0, "portion", "I", "verdict", verdict, "direction", "up",
                     "mean_ns", 560.0, "accepted_in_advance", (int)in_advance);
}

static void a_change_that_was_announced_is_no_failure(void **state) {
    (void)state;
    static const struct {
        const char *verdict;
        bool in_advance;
        const char *state, *title, *night, *row;
    } cases[] = {
        {"ok", false, "success", "No portion rose", "T 70.0 ns, I 560 ns", "| as before |"},
        {"ok", true, "success", "No portion rose", "T 70.0 ns, I 560 ns", "| as before |"},
        {"anomaly", false, "failure", "A portion rose", "T 70.0 ns, I 560 ns ▲", "▲ **rose** |"},
        {"anomaly", true, "success", "Changed as accepted in advance",
         "T 70.0 ns, I 560 ns ▲ (accepted in advance)", "▲ **rose**, accepted in advance |"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *night = night_of(cases[i].verdict, cases[i].in_advance);
        json_object_set_new(night, "level", json_real(0.99));
        g_autofree char *text = told_of(night);
        g_autofree char *table = table_of(night);
        assert_string_equal(state_of(night), cases[i].state);
        assert_string_equal(title_of(night), cases[i].title);
        assert_string_equal(text, cases[i].night);
        assert_non_null(
            strstr(table, "| before, ns a call [decision band] | now [99 % interval] |"));
        assert_non_null(strstr(table, cases[i].row));
        assert_null(strstr(table, "Before: "));
        /* another portion that nobody announced is a failure all the same */
        json_t *first = json_array_get(json_object_get(night, "portions"), 0);
        json_object_set_new(first, "judged",
                            json_pack("{s:f,s:f}", "low_ns", 79.0, "high_ns", 81.0));
        json_object_set_new(first, "reference", json_pack("{s:f}", "mean_ns", 60.0));
        json_object_set_new(first, "difference", json_pack("{s:f}", "mean_ns", 20.0));
        g_autofree char *apart = table_of(night);
        assert_non_null(strstr(apart, "night alone.\n\n| portion | before"));
        json_object_set_new(first, "verdict", json_string("anomaly"));
        assert_string_equal(state_of(night), "failure");
        assert_string_equal(title_of(night), "A portion rose");
        json_object_set_new(first, "unit", json_string("records/s")); /* of which less is worse */
        json_object_set_new(first, "better", json_string("higher"));
        json_object_set_new(first, "direction", json_string("down"));
        assert_string_equal(title_of(night), "A portion got worse");
        json_object_set_new(first, "direction", json_string("up"));
        assert_string_not_equal(title_of(night), "No portion rose");
        json_decref(night);
    }
}

/* What is faster because it loses more is no success. */
static void a_night_that_loses_more_says_so(void **state) {
    (void)state;
    json_t *night = night_of("anomaly", false);
    json_t *i = json_array_get(json_object_get(night, "portions"), 1);
    json_object_set_new(i, "direction", json_string("down"));
    assert_string_equal(state_of(night), "success");
    json_object_set_new(i, "lost", json_string("I +0.80 % of records lost"));
    json_object_set_new(i, "reason", json_string("I fell, but I +0.80 % of records lost"));
    g_autofree char *text = told_of(night);
    g_autofree char *table = table_of(night);
    assert_string_equal(text, "T 70.0 ns, I 560 ns ▼; I: loses more records");
    assert_string_equal(state_of(night), "error");
    assert_string_equal(title_of(night), "Nobody can tell");
    assert_non_null(strstr(table, "of records lost"));
    json_object_set_new(i, "culprit", json_string("1234567"));
    assert_string_equal(state_of(night), "success");
    json_object_del(i, "culprit");
    json_object_set_new(i, "accepted_in_advance", json_true());
    assert_string_equal(state_of(night), "success");
    json_object_set_new(night, "lost", json_string("S +2.50 % of records lost"));
    g_autofree char *other = told_of(night); /* of another one */
    assert_string_equal(other, "T 70.0 ns, I 560 ns ▼ (accepted in advance); S +2.50 % of "
                               "records lost");
    json_decref(night);
}

/* As the gate: what is surely beyond a limit fails, what may be is in question. */
static void a_night_beyond_its_limits(void **state) {
    (void)state;
    static const struct {
        const char *first, *second, *verdict, *state, *title, *says;
    } cases[] = {
        {"met", "unknown", "ok", "success", "No portion rose", NULL},
        {"above", "unsure", "ok", "failure", "Beyond a limit",
         "W 5.00 ns; beyond peak <= 18 MiB; may be beyond I <= 85 ns"},
        {"below", "above", "ok", "failure", "Beyond a limit",
         "W 5.00 ns; beyond peak <= 18 MiB, I <= 85 ns"},
        {"met", "unsure", "ok", "error", "May be beyond a limit",
         "W 5.00 ns; may be beyond I <= 85 ns"},
        {"met", "above", "suspect", "failure", "Beyond a limit",
         "W 5.00 ns; beyond I <= 85 ns; W: suspected, to be measured again"},
        {"met", "unsure", "suspect", "error", "Nobody can tell", NULL},
        {"met", "above", "anomaly", "failure", "A portion rose", NULL},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_auto_t *night = json_pack(
            "{s:s,s:[{s:s,s:s,s:s,s:i}],s:[{s:s,s:s,s:s},{s:s,s:s,s:s}]}", "state", "measured",
            "portions", "portion", "W", "verdict", cases[i].verdict, "direction", "up", "mean_ns",
            5, "limits", "limit", "peak <= 18 MiB", "state", cases[i].first, "sentence", "peak: 19",
            "limit", "I <= 85 ns", "state", cases[i].second, "sentence", "I: 86");
        assert_string_equal(state_of(night), cases[i].state);
        assert_string_equal(title_of(night), cases[i].title);
        g_autofree char *told = told_of(night), *table = table_of(night);
        if (cases[i].says)
            assert_string_equal(told, cases[i].says);
        assert_true((strstr(table, "\n- I: 86") != NULL) ==
                    !g_str_equal(cases[i].second, "unknown"));
        g_auto(srv_badge) badge = {0};
        json_auto_t *project = json_object();
        assert_true(badge_of(&badge, project, night, NULL));
        assert_string_equal(badge.colour, g_str_equal(cases[i].state, "success")   ? "#2e7d32"
                                          : g_str_equal(cases[i].state, "failure") ? "#b3261e"
                                                                                   : "#8a6100");
    }
}

/* A first night tells of nothing that it did not rise. */
static void a_first_night_says_so(void **state) {
    (void)state;
    json_t *night = night_of("first", false);
    g_autofree char *told = told_of(night);
    assert_string_equal(told, "T 70.0 ns, I 560 ns; I: first of its series");
    assert_string_equal(title_of(night), "Nobody can tell");
    assert_string_equal(state_of(night), "error");
    json_object_set_new(json_array_get(json_object_get(night, "portions"), 0), "verdict",
                        json_string("first"));
    assert_string_equal(title_of(night), "Nothing to compare with yet");
    json_object_set_new(night, "state", json_string("quarantined")); /* it was measured */
    assert_string_equal(title_of(night), "Quarantined");
    json_object_set_new(night, "state", json_string("failed"));
    assert_string_equal(title_of(night), "Not measured");
    json_decref(night);
}

/* "/alerts/0", "after 0000000 … at the latest with 0000000" was told of a test. */
static void a_test_is_told_as_one(void **state) {
    (void)state;
    json_t *alerts = json_pack("[{s:i,s:s,s:s,s:s}]", "id", 0, "state", "test", "headline",
                               "a test message, nothing changed", "sentence", "Nothing changed.");
    const srv_words words = {
        "https://o.example.org", "p", "test", alerts_of(alerts), NULL, NULL, NULL};
    g_autofree char *subject = srv_words_subject(&words), *text = srv_words_text(&words);
    assert_string_equal(subject, "[overhead] p: a test message, nothing changed");
    assert_string_equal(text, "p: a test message, nothing changed\nNothing changed.\n"
                              "https://o.example.org/projects/p\n");
    json_decref(alerts);
}

/* The last of three commits turned red, and stayed, though the first one had done it. */
static void a_night_accuses_no_innocent_commit(void **state) {
    (void)state;
    json_t *night = night_of("anomaly", false);
    json_t *changed = json_array_get(json_object_get(night, "portions"), 1);
    json_object_set_new(changed, "among", json_integer(3));
    g_autofree char *several = told_of(night);
    assert_string_equal(several, "T 70.0 ns, I 560 ns ▲ (one or more of 3 commits)");
    assert_string_equal(state_of(night), "error");
    assert_string_equal(title_of(night), "A portion rose with one or more of several commits");
    json_t *still = night_of("ok", false),
           *may = json_array_get(json_object_get(still, "portions"), 1);
    json_object_set_new(may, "among", json_integer(3));
    g_autofree char *later = told_of(still);
    g_autofree char *row = table_of(still);
    assert_string_equal(later, "T 70.0 ns, I 560 ns (changed with one or more of 3 commits)");
    assert_non_null(strstr(row, " as before (changed with one or more of 3 commits) |"));
    assert_string_equal(state_of(still), "error");
    json_decref(still);
    json_object_del(changed, "among");
    json_object_set_new(changed, "slow", json_true());
    g_autofree char *slow = told_of(night);
    assert_string_equal(slow, "T 70.0 ns, I 560 ns ▲ (slowly; its commit is not known)");
    assert_string_equal(state_of(night), "error");
    assert_string_equal(title_of(night), "A portion rose slowly");
    json_object_del(changed, "slow");
    json_object_set_new(changed, "culprit", json_string("8ff023c0f"));
    g_autofree char *other = told_of(night);
    assert_string_equal(other, "T 70.0 ns, I 560 ns ▲ (since 8ff023c0f)");
    assert_string_equal(state_of(night), "success");
    assert_string_equal(title_of(night), "Changed, not with this commit");
    json_object_set_new(changed, "reference", json_pack("{s:f}", "mean_ns", 400.0));
    json_object_set_new(changed, "difference", json_pack("{s:f}", "mean_ns", 160.0));
    g_autofree char *share = told_of(night);
    assert_string_equal(share, "T 70.0 ns, I 560 ns ▲ +40.0 % (since 8ff023c0f)");
    json_decref(night);
}

/* What was counted stands beside the change of time, and in a night that is told for itself. */
static void what_was_counted_is_told(void **state) {
    (void)state;
    json_t *alerts = json_pack("[o]", alert_of("open")), *night = night_of("ok", false);
    json_t *counted = json_string("W +410 instructions, +2 allocations a call");
    srv_words words = {"https://o.example.org", "p", "raised", alerts_of(alerts), NULL, NULL, NULL};
    g_autofree char *without = srv_words_text(&words);
    g_autofree char *table = table_of(night);
    assert_null(strstr(without, "instructions"));
    assert_null(strstr(table, "Counted"));
    json_object_set(json_array_get(alerts, 0), "counted", counted);
    json_object_set(night, "counted", counted);
    words.alerts = alerts_of(alerts);
    g_autofree char *with = srv_words_text(&words);
    g_autofree char *counts = table_of(night);
    assert_non_null(strstr(with, "\nW +410 instructions, +2 allocations a call\n"));
    assert_non_null(strstr(counts, "Counted: W "));
    assert_non_null(strstr(counts, "410 instructions"));
    const srv_words over = {
        "https://o.example.org", "p", "ended", alerts_of(alerts), NULL, NULL, NULL};
    g_autofree char *ended = srv_words_text(&over);
    assert_null(strstr(ended, "instructions"));
    json_decref(counted);
    json_decref(night);
    json_decref(alerts);
}

static void headers_are_one_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *header;
    } cases[] = {
        {"plain", "plain"},
        {"a\r\nBcc: x@y.z", "a  Bcc: x@y.z"},
        {"é", "=?UTF-8?B?w6k=?="},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *header = send_header(cases[i].text);
        g_auto(GStrv) words = g_strsplit(header, "\r\n ", -1);
        assert_string_equal(header, cases[i].header);
        assert_int_equal(g_strv_length(words), 1);
    }
    g_autofree char *many = g_strnfill(1, 'x');
    g_autoptr(GString) text = g_string_new(many);
    for (int i = 0; i < 150; i++)
        g_string_append(text, "é");
    g_autofree char *folded = send_header(text->str);
    g_auto(GStrv) words = g_strsplit(folded, "\r\n ", -1);
    for (guint i = 0; words[i]; i++)
        assert_in_range(strlen(words[i]), 1, 75);
}

static void badges(void **state) {
    (void)state;
    static const struct {
        const char *night, *told, *portion, *message, *colour;
    } cases[] = {
        {"null", "null", NULL, "no night yet", "#5f6368"},
        {"{\"state\":\"measured\",\"total\":{\"mean_ns\":1332.2,\"low_ns\":1300,\"high_ns\":1364},"
         "\"portions\":[]}",
         "null", NULL, "1.33 µs ±2.4 %", "#2e7d32"},
        {"{\"state\":\"measured\",\"portions\":[{\"portion\":\"W\",\"mean_ns\":null,"
         "\"verdict\":\"ok\"}]}",
         "null", "W", "not measured", "#2e7d32"},
        {"{\"state\":\"measured\",\"portions\":[{\"portion\":\"W\",\"mean_ns\":0,\"low_ns\":0,"
         "\"high_ns\":0,\"verdict\":\"harness\"}]}",
         "null", "W", "0 ns", "#8a6100"},
        {"{\"state\":\"measured\",\"portions\":[{\"portion\":\"W\",\"mean_ns\":50}]}",
         "[{\"direction\":\"down\",\"portion\":\"C\"},"
         "{\"direction\":\"up\",\"portion\":\"W\"}]",
         "W", "50.0 ns", "#b3261e"},
        {"{\"state\":\"failed\",\"portions\":[]}", "null", NULL, "not measured", "#8a6100"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *night = json_loads(cases[i].night, JSON_DECODE_ANY, NULL);
        json_t *project =
            json_pack("{s:o}", "told", json_loads(cases[i].told, JSON_DECODE_ANY, NULL));
        g_auto(srv_badge) badge = {0};
        assert_true(badge_of(&badge, project, night, cases[i].portion));
        assert_string_equal(badge.message, cases[i].message);
        assert_string_equal(badge.colour, cases[i].colour);
        json_decref(project);
        json_decref(night);
    }
}

static void an_incident_has_its_words(void **state) {
    (void)state;
    json_t *incident =
        json_loads("{\"id\": 7, \"state\": \"closed\", \"headline\": \"Everything × 0.5\", "
                   "\"sentence\": \"all 4 since "
                   "x\", \"audit\": [{\"author\": \"detector\", \"reason\": \"over since y\"}]}",
                   0, NULL);
    json_t *both = json_pack("[O,O]", incident, incident), *one = json_pack("[O]", incident);
    const srv_words opened = {"http://m", "kieker", "opened", alerts_of(both), NULL, NULL, NULL};
    const srv_words over = {"http://m", "kieker", "over", alerts_of(one), NULL, NULL, NULL};
    g_autofree char *subject = srv_words_subject(&opened), *text = srv_words_text(&over);
    assert_string_equal(subject,
                        "[overhead] kieker: 2 incidents: Everything × 0.5, Everything × 0.5");
    assert_string_equal(text, "kieker: Everything × 0.5 (closed)\nall 4 since x\n"
                              "detector: over since y\nhttp://m/incidents/7\n");
    json_decref(one);
    json_decref(both);
    json_decref(incident);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_incident_has_its_words),
        cmocka_unit_test(nights_of_one_commit_are_told_as_such),
        cmocka_unit_test(nobody_is_accused),
        cmocka_unit_test(what_was_measured_again_is_of_so_many_changes),
        cmocka_unit_test(in_every_format),
        cmocka_unit_test(a_change_of_several_portions_is_told_whole),
        cmocka_unit_test(what_people_say_of_the_code_is_their_answer),
        cmocka_unit_test(people_read_the_title_and_a_link_to_the_commit),
        cmocka_unit_test(a_rule_has_its_own_words),
        cmocka_unit_test(subjects_are_short),
        cmocka_unit_test(a_change_that_was_announced_is_no_failure),
        cmocka_unit_test(a_night_that_loses_more_says_so),
        cmocka_unit_test(a_night_beyond_its_limits),
        cmocka_unit_test(a_first_night_says_so),
        cmocka_unit_test(a_test_is_told_as_one),
        cmocka_unit_test(a_night_accuses_no_innocent_commit),
        cmocka_unit_test(what_was_counted_is_told),
        cmocka_unit_test(headers_are_one_line),
        cmocka_unit_test(badges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
