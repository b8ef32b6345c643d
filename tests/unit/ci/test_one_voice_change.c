/* Whatever tells of a change says the same: the sentences of alerts, incidents, reasons
 * and trials, in messages, frames and the feed. MOOWATCH_CASES as in test_one_voice.c.
 */
#include "server/notify/feed.h"
#include "server/notify/notify_words.h"
#include "tests/unit/ci/voice.h"
#include "tests/unit/detector/watch/nights.h"
#include "tests/unit/nights_of.h"
#include "web/layout/text.h"
#include "web/pages/embed.h"

static json_t *portion_of(uint64_t *seed, const char *letter, const char *configuration) {
    const double before = pow(10, 5 * luck_uniform(seed)), half = before * luck_uniform(seed) / 9;
    const double after =
        before * (1 + pow(10, -4 + 4 * luck_uniform(seed)) * (luck_uniform(seed) < 0.5 ? -0.5 : 1));
    return json_pack("{s:s,s:s,s:s,s:s,s:o,s:o,s:o}", "portion", letter, "configuration",
                     configuration, "direction", after > before ? "up" : "down", "reason", "why",
                     "before", interval(before, half), "after", interval(after, half), "difference",
                     interval(after - before, 2 * half));
}

/* What an alert rests on: the night before may be in question. */
static void grounds_add(uint64_t *seed, json_t *alert) {
    if (luck_uniform(seed) < 0.3)
        json_object_set_new(alert, "levels_before",
                            json_pack("[{s:s,s:s,s:s,s:s,s:f}]", "portion", "W", "configuration",
                                      "binary", "verdict", "ok", "rule", "pending", "mean_ns", 5.));
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
    grounds_add(seed, alert);
    alert_say(alert, cfg_json_number(alert, "level"), NULL);
    return alert;
}

static void must_hold(const char *where, const char *text, const char *wanted) {
    if (!strstr(text, wanted))
        fail_msg("%s does not say \"%s\": %s", where, wanted, text);
    if (strstr(text, "; 95 %") || strstr(text, "95 % interval"))
        fail_msg("%s says 95 %%: %s", where, text);
}

static void messages_say_it(const json_t *alerts, const char *sentence, const char *markup) {
    const srv_words words = {
        "https://o.example.org", "kieker", "raised", alerts_of(alerts), NULL, NULL, NULL};
    const srv_words own = {
        "https://o.example.org", "kieker", "raised", alerts_of(alerts), "{sentence}", NULL, NULL};
    g_autofree char *text = srv_words_text(&words);
    g_autofree char *filled = srv_words_text(&own);
    g_autofree char *html = srv_words_html(&words, NULL);
    g_autofree char *feed = srv_feed(words.base, "/feed.atom", "title", words.alerts);
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
    for (unsigned i = 0; i < cases(); i++) {
        json_t *alert = alert_of(&seed), *alerts = json_pack("[O]", alert);
        json_t *project =
            json_pack("{s:s,s:s,s:O}", "name", "kieker", "title", "Kieker", "alert", alert);
        const char *sentence = json_string_value(json_object_get(alert, "sentence"));
        g_autofree char *markup = g_markup_escape_text(sentence, -1);
        const model_list nights = {0};
        g_autofree char *embedded = web_embed_page(project, &nights, NULL);
        messages_say_it(alerts, sentence, markup);
        must_hold("the frame", embedded, markup);
        AGREE(!json_object_get(alert, "levels_before") ==
                  !strstr(sentence, " is itself in question ("),
              alert);
        json_decref(project);
        json_decref(alerts);
        json_decref(alert);
    }
}

/* Whom an alert of several commits may name: nobody before the search has found one. */
static void nobody_is_named_early(void **state) {
    (void)state;
    static const char *const states[] = {NULL, "running", "range", "failed", "found"};
    static const char *const events[] = {"raised", "found", "corrected"};
    uint64_t seed = 23;
    for (unsigned i = 0; i < cases(); i++) {
        json_t *alert = alert_of(&seed), *alerts = json_pack("[O]", alert);
        const char *search = states[(size_t)(luck_uniform(&seed) * G_N_ELEMENTS(states))];
        const int commits = (int)(luck_uniform(&seed) * 4);
        const bool found = g_strcmp0(search, "found") == 0;
        const bool searchable = !search && luck_uniform(&seed) < 0.5;
        const bool several =
            search ? !found && !g_str_equal(search, "range") && !g_str_equal(search, "failed")
                   : commits != 1;
        json_object_set_new(alert, "commits", json_integer(commits));
        json_object_set_new(alert, "searchable", json_boolean(searchable));
        if (search)
            json_object_set_new(alert, "bisection",
                                json_pack("{s:s,s:i,s:o}", "state", search, "commits", 3, "culprit",
                                          found ? json_pack("{s:s,s:s,s:s}", "short", "8ff023c0f",
                                                            "subject", "guilty", "author", "evelyn")
                                                : json_null()));
        const bool corrected = luck_uniform(&seed) < 0.5;
        if (corrected)
            json_object_set_new(alert, "corrected", json_string("It was not mallory's."));
        const char *event = events[(size_t)(luck_uniform(&seed) * G_N_ELEMENTS(events))];
        const srv_words words = {
            "https://o.example.org", "kieker", event, alerts_of(alerts), NULL, NULL, NULL};
        g_autofree char *text = srv_words_text(&words), *html = srv_words_html(&words, NULL);
        g_autofree char *issue = srv_words_markdown(&words, NULL);
        json_t *project = json_pack("{s:s,s:O}", "name", "kieker", "alert", alert);
        const model_list nights = {0};
        g_autofree char *frame = web_embed_page(project, &nights, NULL);
        json_decref(project);
        const char *const told[] = {text, html, issue};
        const bool searched = g_strcmp0(search, "running") == 0 || searchable;
        AGREE(!strstr(frame, "at the latest with") == (found || (!search && commits == 1)), alert);
        AGREE(!strstr(text, "which one is being searched") == !(several && searched), alert);
        for (size_t k = 0; k < G_N_ELEMENTS(told); k++) {
            AGREE(!strstr(told[k], "evelyn") == !found, alert);
            AGREE(!strstr(told[k], "mallory") == !(corrected && !g_str_equal(event, "raised")),
                  alert);
            AGREE(found || commits == 1 || !strstr(told[k], "ada"), alert);
        }
        json_decref(alerts);
        json_decref(alert);
    }
}

/* What happened to the machine, as the watch finds it in made-up nights, is told alike. */
static void incident_agrees(const det_incident *of, uint64_t *seed) {
    json_t *commit =
        json_pack("{s:s,s:s,s:s}", "short", "5158397b1", "subject", "s", "author", "a");
    json_t *incident = json_pack("{s:i,s:s,s:s,s:s,s:s,s:{s:s,s:o}}", "id", 3, "project", "kieker",
                                 "kind", det_incident_text(of->kind), "state", "open", "sentence",
                                 of->reason, "to", "night", "2026-03-01", "commit", commit);
    if (isfinite(of->factor))
        json_object_set_new(
            incident, "factor",
            json_pack("{s:f,s:f,s:f}", "mean", of->factor, "low", of->low, "high", of->high));
    json_t *incidents = json_pack("[o]", incident);
    incident_say(incident);
    const char *headline = cfg_json_word(incident, "headline", "");
    const srv_words words = {"https://o.example.org",
                             "kieker",
                             luck_uniform(seed) < 0.5 ? "opened" : "over",
                             alerts_of(incidents),
                             NULL,
                             NULL,
                             NULL};
    g_autofree char *text = srv_words_text(&words), *subject = srv_words_subject(&words);
    g_autofree char *times = strstr(headline, "× ") ? g_strdup(strstr(headline, "× ")) : NULL;
    AGREE(!strstr(of->reason, "× 0.00") && !strstr(of->reason, "nan"), incident);
    AGREE(!strstr(of->reason, "× 1.00"), incident); /* that did not move */
    AGREE(!times || strstr(of->reason, times), incident);
    AGREE(strstr(text, of->reason) && strstr(text, headline) && strstr(subject, headline),
          incident);
    json_decref(incidents);
}

static void one_incident_everywhere(void **state) {
    (void)state;
    uint64_t seed = 11;
    unsigned told = 0;
    for (unsigned history = 0; history <= cases() / 25; history++) {
        det_watch *watch = history % 2 ? remeasuring() : classic();
        double portions[] = {80, 310, 791, 1000}, cv = 0.004;
        det_verdict v[PORTIONS];
        for (int64_t night = 1; night <= 25; night++) {
            const double what = luck_uniform(&seed), factor = pow(10, 3 * luck_uniform(&seed) - 1);
            for (int p = 0; p < PORTIONS && what < 0.08; p++)
                portions[p] *= factor; /* a unit, a clock, a broken night */
            portions[0] *= what > 0.95 ? 1.3 : 1;
            cv = what > 0.9 && what < 0.93 ? 0.2 : cv;
            add(watch, night, portions, cv, &seed, v);
            for (int kind = 1; kind < DET_INCIDENT_KINDS; kind++) {
                det_incident of;
                if (det_watch_incident(watch, (det_incident_kind)kind, &of) == DET_OK) {
                    incident_agrees(&of, &seed);
                    told++;
                }
            }
        }
        det_watch_free(watch);
    }
    assert_true(told > 0);
}

/* A judged portion, as the store would have it. */
static cfg_portion judged_portion(const det_verdict *v) {
    return (cfg_portion){.verdict = g_strdup(det_verdict_text(v->verdict)),
                         .rule = g_strdup(det_rule_text(v->rule)),
                         .reason = g_strdup(v->reason),
                         .direction =
                             v->direction == 0 ? NULL : g_strdup(v->direction > 0 ? "up" : "down"),
                         .now = v->night};
}

/* Words, standing and reason claim the same, and no more than the numbers. */
static void reason_agrees(const det_verdict *v) {
    g_auto(cfg_portion) portion = judged_portion(v);
    const char *words = web_portion_words(&portion), *standing = cfg_portion_standing(&portion);
    const bool moved = strstr(v->reason, " rose ") || strstr(v->reason, " fell ");
    const bool maybe =
        strstr(v->reason, " may have risen ") || strstr(v->reason, " may have fallen ");
    const bool sure = v->difference.low > 0 || v->difference.high < 0;
    const bool changed = g_strcmp0(standing, "changed") == 0;
    const bool elsewhere = g_strcmp0(standing, "incomparable") == 0;
    const bool asked = g_strcmp0(standing, "doubtful") == 0 && v->verdict != DET_VERDICT_HARNESS;
    const bool machine = strstr(v->reason, "the likely cause");
    if ((g_str_equal(words, "as before") && (moved || maybe)) || (changed && !moved) ||
        (g_str_equal(words, "not shown to have changed") && (!sure || moved || maybe)) ||
        (strstr(v->reason, "within the noise") && sure) || (asked && moved) ||
        (moved && !changed && !(elsewhere && sure)) ||
        (machine &&
         (v->rule == DET_RULE_NOT_SCALED || v->rule == DET_RULE_UNCLEAR || !elsewhere)) ||
        (changed && !strstr(v->reason, words)) ||
        (elsewhere && v->direction == 0 && (maybe || strstr(v->reason, "threshold"))))
        fail_msg("%s, %s: %s", words, standing ? standing : "clear", v->reason);
}

/* The watch's own verdicts, in histories in which everything may move at any time. */
static void a_reason_claims_what_the_words_claim(void **state) {
    (void)state;
    uint64_t seed = 3;
    for (unsigned history = 0; history <= cases() / 5; history++) {
        det_watch *watch = history % 2 ? remeasuring() : classic();
        double portions[] = {80, 310, 791, 1000};
        for (int64_t night = 1; night <= 25; night++) {
            det_verdict v[PORTIONS];
            const double what = luck_uniform(&seed), factor = 1 + 0.2 * luck_normal(&seed);
            const double by = fmax(factor, 0.5);
            for (int p = 0; p < PORTIONS; p++) /* one, all but the control, or all of them */
                portions[p] *=
                    what < 0.1 || (what < 0.2 && p > 0) || (what < 0.3 && p == 2) ? by : 1;
            if (what >= 0.3 && what < 0.35) /* the control, and another the other way */
                portions[3] /= by;
            if (what >= 0.3 && what < 0.4)
                portions[0] *= by;
            add(watch, night, portions, history % 3 ? 0.004 : 0.03, &seed, v);
            for (int p = 0; p < PORTIONS; p++) {
                reason_agrees(&v[p]);
                if (strstr(v[p].reason, "; the control moved, so the machine is the likely") &&
                    v[0].rule == DET_RULE_CONTROL_MOVED && v[p].direction * v[0].direction < 0)
                    fail_msg("%s; %s", v[p].reason, v[0].reason);
            }
        }
        det_watch_free(watch);
    }
}

/* What measuring again has found is what its sentence says. */
static void a_trial_says_what_it_found(void **state) {
    (void)state;
    static const char *const ends[] = {": more loops are needed", ": confirmed", ": cleared",
                                       ": it changed; its parent", ": undecided"};
    uint64_t seed = 5;
    det_confirm_policy policy;
    det_confirm_policy_init(&policy);
    for (unsigned i = 0; i < cases(); i++) {
        double before[20], after[20];
        const double change = 60 * luck_normal(&seed), sd = 1 + 40 * luck_uniform(&seed);
        const size_t loops = 5 * (1 + (size_t)(luck_uniform(&seed) * 4));
        for (size_t k = 0; k < loops; k++) {
            before[k] = 1000 + sd * luck_normal(&seed);
            after[k] = 1000 + change + sd * luck_normal(&seed);
        }
        const det_confirm_question question = {.name = "I",
                                               .expected = luck_uniform(&seed) < 0.5 ? 50 : -50,
                                               .effect_absolute = 5,
                                               .level = 0.95};
        const det_confirm_sample sample = {.before = before, .after = after, .loops = loops};
        det_confirm_result r;
        assert_int_equal(det_confirm_judge(&r, &policy, &question, &sample), DET_OK);
        const bool up = r.difference.mean > 0;
        if (!strstr(r.reason, ends[r.state]))
            fail_msg("%s: %s", ends[r.state], r.reason);
        const bool sure = r.difference.low > 0 || r.difference.high < 0;
        if (r.state == DET_CONFIRM_YES && !sure)
            fail_msg("confirmed against its numbers: %s", r.reason);
        if (r.state == DET_CONFIRM_NO && sure && fabs(r.difference.mean) >= 5)
            fail_msg("cleared against its numbers: %s", r.reason);
        const bool asked = r.state == DET_CONFIRM_MORE || r.state == DET_CONFIRM_UNDECIDED;
        const char *verb = r.state == DET_CONFIRM_NO ? " is "
                           : sure && !asked          ? det_change_verb(up ? 1 : -1)
                                                     : det_change_maybe(up ? 1 : -1);
        if (!strstr(r.reason, verb) && fabs(r.difference.mean) > 1)
            fail_msg("%g: %s", r.difference.mean, r.reason);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_sentence_everywhere),
                                       cmocka_unit_test(nobody_is_named_early),
                                       cmocka_unit_test(one_incident_everywhere),
                                       cmocka_unit_test(a_reason_claims_what_the_words_claim),
                                       cmocka_unit_test(a_trial_says_what_it_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
