/* Whatever tells of a night, an alert or an incident says the same: page, frame, badge, status,
 * gate, messages, feed. MOOWATCH_CASES: so many of each are made up (ci/test --all: 100,000). */
#include "ci/formats/policy.h"
#include "config/model/alert.h"
#include "server/notify/feed.h"
#include "server/notify/notify_words.h"
#include "server/views/badge.h"
#include "tests/unit/ci/expect.h"
#include "tests/unit/detector/luck.h"
#include "tests/unit/detector/watch/nights.h"
#include "tests/unit/nights_of.h"
#include "web/layout/text.h"
#include "web/pages/embed.h"
#include "web/words/words.h"

static char *told_of(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return srv_words_night(&night);
}

static const char *state_of(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    return srv_words_night_state(&night);
}

static unsigned cases(void) {
    const char *wish = g_getenv("MOOWATCH_CASES");
    return wish ? (unsigned)g_ascii_strtoull(wish, NULL, 10) : 400;
}

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
    const srv_words words = {"https://o.example.org", "kieker", "raised", alerts, NULL, NULL, NULL};
    const srv_words own = {
        "https://o.example.org", "kieker", "raised", alerts, "{sentence}", NULL, NULL};
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
    for (unsigned i = 0; i < cases(); i++) {
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

/* What a portion can be found to be, and what may be said of it. */
typedef struct {
    const char *verdict, *rule, *direction;
    bool in_doubt, no_result, other_machine;
} finding;
static const finding FINDINGS[] = {
    {"ok", "within-noise", NULL, false, false, false},
    {"ok", "within-noise", NULL, false, false, false},
    {"ok", "pending", NULL, true, false, false},
    {"first", "no-reference", NULL, false, false, false},
    {"suspect", "night-interval", "up", true, false, false},
    {"suspect", "night-interval", "down", true, false, false},
    {"cleared", "night-interval", NULL, false, false, false},
    {"anomaly", "night-interval", "up", false, false, false},
    {"anomaly", "night-interval", "down", false, false, false},
    {"environment", "control-moved", NULL, false, false, true},
    {"harness", "noise", NULL, true, false, false},
    {"harness", "missing", NULL, false, true, false},
};

/* What is true of a made-up night. */
typedef struct {
    bool is_quiet, rose, blamed, fell, doubt, missing, machine;
    bool gate_fails, gate_doubts; /* of portions above the control */
} truth;

static json_t *found_portion(uint64_t *seed, size_t i, truth *of) {
    static const char *const names[] = {"T", "I", "C", "W", "W tcp"};
    static const char *const configurations[] = {"none", "off", "collect", "write", "tcp"};
    const finding *f = &FINDINGS[(size_t)(luck_uniform(seed) * G_N_ELEMENTS(FINDINGS))];
    const double before = pow(10, 1 + 4 * luck_uniform(seed)),
                 share = 0.05 + luck_uniform(seed) / 2;
    const double change = !f->direction                     ? before / 1000
                          : g_str_equal(f->direction, "up") ? before * share
                                                            : -before * share;
    const bool changed = g_str_equal(f->verdict, "anomaly"), announced = luck_uniform(seed) < 0.2;
    const bool rose = changed && g_str_equal(f->direction, "up");
    json_t *p =
        json_pack("{s:s,s:s,s:s?,s:s,s:s,s:s?,s:s,s:b}", "portion", names[i], "configuration",
                  configurations[i], "parent", i > 0 ? configurations[MIN(i, 3) - 1] : NULL,
                  "verdict", f->verdict, "rule", f->rule, "direction", f->direction, "reason",
                  "because", "accepted_in_advance", changed && announced);
    json_t *now = interval(before + change, before / 100);
    json_object_update(p, now);
    if (f->no_result)
        json_object_set_new(p, "mean_ns", json_null());
    json_object_set_new(p, "judged", now);
    json_object_set_new(p, "reference", interval(before, before / 100));
    json_object_set_new(p, "difference", interval(change, before / 50));
    of->is_quiet &= g_str_equal(f->verdict, "ok") && !f->in_doubt;
    of->rose |= rose;
    of->fell |= changed && !rose;
    of->blamed |= rose && !announced;
    of->doubt |= f->in_doubt;
    of->missing |= f->no_result;
    of->machine |= f->other_machine;
    of->gate_fails |= i > 0 && rose && !announced;
    of->gate_doubts |= i > 0 && (f->in_doubt || f->no_result || f->other_machine);
    return p;
}

static json_t *found_night(uint64_t *seed, truth *of) {
    *of = (truth){.is_quiet = true};
    json_t *portions = json_array();
    const size_t count = 1 + (size_t)(luck_uniform(seed) * 5);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(portions, found_portion(seed, i, of));
    json_t *json =
        json_pack("{s:i,s:s,s:s,s:{s:s,s:s},s:o,s:o}", "experiment", 5, "night", "2026-03-01",
                  "state", "measured", "commit", "short", "5158397b1", "subject", "subject",
                  "portions", portions, "total", interval(1000, 10));
    g_auto(cfg_night) night = cfg_night_of(json);
    g_autofree char *headline = web_night_headline(&night);
    json_object_set_new(json, "headline", json_string(headline));
    return json;
}

#define AGREE(claim, night)                                                                        \
    do {                                                                                           \
        if (!(claim)) {                                                                            \
            g_autofree char *shown = json_dumps(night, JSON_INDENT(1));                            \
            fail_msg("%s does not hold of %s", #claim, shown);                                     \
        }                                                                                          \
    } while (0)

/* The gate and GitHub's status. */
static void machines_agree(const json_t *json, const truth *of) {
    g_auto(ci_policy) policy = {0};
    const ci_policy_options options = {0};
    assert_true(ci_policy_init(&policy, &options, NULL));
    json_t *gate = ci_policy_judge(&policy, json, NULL);
    const char *verdict = cfg_json_word(gate, "verdict", ""), *state = state_of(json);
    g_autofree char *status = told_of(json);
    AGREE(g_str_equal(verdict, of->gate_fails    ? "fail"
                               : of->gate_doubts ? "unsure"
                                                 : "pass"),
          json);
    AGREE(g_str_equal(state, of->blamed                                ? "failure"
                             : of->doubt || of->missing || of->machine ? "error"
                                                                       : "success"),
          json);
    AGREE(!g_str_equal(verdict, "pass") ||
              strstr(cfg_json_word(gate, "sentence", ""), cfg_json_word(json, "headline", "?")),
          json);
    AGREE(!of->rose == !strstr(status, "▲") && !of->fell == !strstr(status, "▼"), json);
    json_decref(gate);
}

/* The page's headline, the frame and the badge. */
static void pages_agree(const json_t *json, const truth *of) {
    const char *headline = cfg_json_word(json, "headline", "");
    json_t *project = json_pack("{s:s,s:s,s:i,s:i,s:O}", "name", "p", "title", "P", "nights", 9,
                                "quiet_nights", 3, "latest", json);
    const model_list none = {0};
    g_autofree char *frame = web_embed_page(project, &none, NULL);
    g_auto(cfg_night) night = cfg_night_of(json);
    g_auto(srv_badge) badge = {0};
    assert_true(srv_badge_of(&badge, project, &night, NULL));
    AGREE(g_str_equal(headline, "nothing changed") <= of->is_quiet, json);
    AGREE(!of->is_quiet || g_str_equal(headline, "nothing changed"), json);
    AGREE(!of->rose == !strstr(headline, " rose by "), json);
    AGREE(!of->fell == !strstr(headline, " fell by "), json);
    AGREE(!of->doubt == !strstr(frame, "<p class=\"verdict\">? "), json);
    AGREE(of->doubt || strstr(frame, "Nothing new for 3 nights"), json);
    AGREE(!(of->doubt || of->missing || of->machine) == g_str_equal(badge.colour, "#2e7d32"), json);
    json_decref(project);
}

static void one_night_everywhere(void **state) {
    (void)state;
    uint64_t seed = 39;
    for (unsigned i = 0; i < cases(); i++) {
        truth of;
        json_t *night = found_night(&seed, &of);
        machines_agree(night, &of);
        pages_agree(night, &of);
        json_decref(night);
    }
}

/* Whom an alert of several commits may name: nobody before the search has found one. */
static void nobody_is_named_early(void **state) {
    (void)state;
    static const char *const states[] = {NULL, "running", "range", "failed", "found"};
    uint64_t seed = 23;
    for (unsigned i = 0; i < cases(); i++) {
        json_t *alert = alert_of(&seed), *alerts = json_pack("[O]", alert);
        const char *search = states[(size_t)(luck_uniform(&seed) * G_N_ELEMENTS(states))];
        const int commits = (int)(luck_uniform(&seed) * 4);
        const bool found = g_strcmp0(search, "found") == 0;
        json_object_set_new(alert, "commits", json_integer(commits));
        if (search)
            json_object_set_new(alert, "bisection",
                                json_pack("{s:s,s:i,s:o}", "state", search, "commits", 3, "culprit",
                                          found ? json_pack("{s:s,s:s,s:s}", "short", "8ff023c0f",
                                                            "subject", "guilty", "author", "eve")
                                                : json_null()));
        const srv_words words = {
            "https://o.example.org", "kieker", "raised", alerts, NULL, NULL, NULL};
        g_autofree char *text = srv_words_text(&words), *html = srv_words_html(&words, NULL);
        g_autofree char *issue = srv_words_markdown(&words, NULL);
        const char *const told[] = {text, html, issue};
        for (size_t k = 0; k < G_N_ELEMENTS(told); k++) {
            AGREE(!strstr(told[k], "eve") == !found, alert);
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
                             incidents,
                             NULL,
                             NULL,
                             NULL};
    g_autofree char *text = srv_words_text(&words), *subject = srv_words_subject(&words);
    g_autofree char *times = strstr(headline, "× ") ? g_strdup(strstr(headline, "× ")) : NULL;
    AGREE(!strstr(of->reason, "× 0.00") && !strstr(of->reason, "nan"), incident);
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

/* What measuring again has found is what its sentence says. */
static void a_trial_says_what_it_found(void **state) {
    (void)state;
    static const char *const ends[] = {": more loops are needed", ": confirmed", ": not confirmed",
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
        if (r.state == DET_CONFIRM_YES &&
            (up != (question.expected > 0) || up != (r.difference.low > 0)))
            fail_msg("confirmed against its numbers: %s", r.reason);
        if (!strstr(r.reason, up ? " rose " : " fell ") && fabs(r.difference.mean) > 1)
            fail_msg("%g: %s", r.difference.mean, r.reason);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_sentence_everywhere), cmocka_unit_test(nobody_is_named_early),
        cmocka_unit_test(one_night_everywhere), cmocka_unit_test(one_incident_everywhere),
        cmocka_unit_test(a_trial_says_what_it_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
