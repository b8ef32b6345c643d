/* Whatever tells of a night says the same: page, frame, badge, status, gate, the rows of the
 * API, and two nights side by side. MOOWATCH_CASES: so many are made up (ci/test --all: 100,000).
 * MOOWATCH_PAGES: a file that gets the API's pages of nights, a line each, with what is true of
 * them: tests/unit/web/js/voice.test.mjs has the page's modules show them. */
#include "ci/formats/policy.h"
#include "ci/formats/write.h"
#include "server/notify/notify_words.h"
#include "server/views/badge.h"
#include "tests/unit/ci/voice.h"
#include "tests/unit/server/fixture.h"
#include "tests/unit/server/sql_text.h"
#include "web/chart/compare.h"
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

/* What a portion can be found to be, and what may be said of it. */
typedef struct {
    const char *verdict, *rule, *direction, *standing, *words;
} finding;
static const finding FINDINGS[] = {
    {"ok", "within-noise", NULL, NULL, NULL},
    {"ok", "little-evidence", NULL, NULL, "not shown to have changed"},
    {"ok", "pending", NULL, "doubtful", "may have changed"},
    {"ok", "pending", "up", "doubtful", "may have risen"},
    {"ok", "pending", "down", "doubtful", "may have fallen"},
    {"ok", "below-minimum-effect", "up", NULL, "differs little"},
    {"ok", "set-by-hand", NULL, NULL, "no change here, as somebody said"},
    {"first", "first-night", NULL, NULL, "first of its series"},
    {"first", "new-level", NULL, NULL, "a new level, set by hand"},
    {"suspect", "night-interval", "up", "doubtful", "suspected, to be measured again"},
    {"suspect", "night-interval", "down", "doubtful", "suspected, to be measured again"},
    {"cleared", "night-interval", NULL, NULL, "suspected and cleared"},
    {"anomaly", "night-interval", "up", "changed", "rose"},
    {"anomaly", "night-interval", "down", "changed", "fell"},
    {"environment", "control-moved", NULL, "incomparable", "the control moved"},
    {"environment", "common-scale", NULL, "incomparable", "likely the machine"},
    {"environment", "common-scale", "up", "incomparable", "moved by one factor"},
    {"environment", "machine-unclear", NULL, "incomparable",
     "not clear whether the machine changed"},
    {"environment", "not-scaled", NULL, "incomparable", "the control moved otherwise"},
    {"environment", "new-environment", NULL, "incomparable", "the environment changed"},
    {"harness", "noise", NULL, "doubtful", "the measurement is suspect"},
    {"harness", "missing", NULL, "missing", "no result"},
};

/* What becomes of a change of which somebody answers that nothing changed. */
static const finding ANSWERED = {"ok", "answered-false", NULL, NULL,
                                 "no change here, as somebody said"};

/* What a night took for the machine's, where an alert that is dated to it stands. */
static const finding RETOLD[] = {{"ok", "", NULL, NULL, NULL}, {"ok", "", "up", NULL, NULL}};

enum { PORTIONS_MAX = 5, PAGE = 100, EXPERIMENTS = 200, HISTORY = 2000 };

/* What is true of a made-up night. */
typedef struct {
    const finding *found[PORTIONS_MAX];
    bool announced[PORTIONS_MAX];       /* a commit had announced its change */
    const char *answered[PORTIONS_MAX]; /* the direction that it was told in; NULL: it was not */
    size_t portions;
    bool failed, is_quiet, rose, blamed, fell, doubt, unclear, pending;
    bool little;                  /* a portion differs, and is not shown to have changed */
    bool small;                   /* one changed by less than is told */
    bool calm;                    /* each portion was judged and is clear */
    bool asked;                   /* a suspicion of an earlier night is open */
    bool blind;                   /* a portion could have doubled unseen */
    bool wide[PORTIONS_MAX];      /* judged four times as widely as its level */
    double level[PORTIONS_MAX];   /* ns */
    size_t first;                 /* portions that nothing is there to compare with */
    size_t begun;                 /* of these, since somebody set a level by hand */
    bool gate_fails, gate_doubts; /* of portions above the control, or of all there is */
    size_t dated;                 /* an alert is dated to that portion's night; portions: to none */
    size_t loud;                  /* most loops of its configuration were disturbed; likewise */
    const char *moved, *state;    /* its direction and state */
} truth;

static bool is_standing(const truth *of) {
    return g_str_equal(of->state, "open") || g_str_equal(of->state, "acknowledged");
}

/* Does the alert say something of its portion? One that was taken back, or answered to be none,
 * does not, nor one of a portion of which the night tells by itself. */
static bool is_dated(const truth *of, size_t i) {
    const char *verdict = of->found[i]->verdict;
    return i == of->dated && (g_str_equal(verdict, "ok") || g_str_equal(verdict, "cleared")) &&
           is_standing(of);
}

/* What is known of a portion now. */
static finding known_of(const truth *of, size_t i) {
    finding known = *of->found[i];
    if (is_dated(of, i)) {
        known.standing = NULL;
        known.words = g_str_equal(of->moved, "up") ? "rose, as a later measurement showed"
                                                   : "fell, as a later measurement showed";
    }
    return known;
}

static const char *const configurations[] = {"none", "off", "collect", "write", "tcp"};

/* Is what somebody said of a portion, by that rule, still told of it? */
static bool any_said(const truth *of, const char *rule) {
    bool any = false;
    for (size_t i = 0; i < of->portions; i++)
        any = any || (g_str_equal(of->found[i]->rule, rule) && !is_dated(of, i));
    return any;
}

/* Does a portion differ by less than is told, as far as is known now? */
static bool any_small(const truth *of) {
    return any_said(of, "below-minimum-effect");
}

static bool is_loud(const truth *of) {
    return of->loud < of->portions;
}

static json_t *found_portion(uint64_t *seed, size_t i, truth *of) {
    static const char *const names[] = {"T", "I", "C", "W", "W tcp"};
    const finding *f = &FINDINGS[(size_t)(luck_uniform(seed) * G_N_ELEMENTS(FINDINGS))];
    const double before = pow(10, 1 + 4 * luck_uniform(seed)),
                 share = 0.05 + luck_uniform(seed) / 2;
    const double change = !f->direction                     ? before / 1000
                          : g_str_equal(f->direction, "up") ? before * share
                                                            : -before * share;
    const bool told = g_str_equal(f->verdict, "anomaly"), announced = luck_uniform(seed) < 0.2;
    const bool answered = told && luck_uniform(seed) < 0.2, changed = told && !answered;
    const bool rose = changed && g_str_equal(f->direction, "up");
    const bool wide = luck_uniform(seed) < 0.05 && g_str_equal(f->verdict, "ok") && !f->standing;
    const double half = wide ? 2 * before : before / 100;
    json_t *now = interval(before + change, half);
    json_t *p = json_pack(
        "{s:s,s:s,s:s?,s:s,s:s,s:s?,s:s,s:O,s:o,s:o}", "portion", names[i], "configuration",
        configurations[i], "parent", i > 0 ? configurations[MIN(i, 3) - 1] : NULL, "verdict",
        f->verdict, "rule", f->rule, "direction", f->direction, "reason", "because", "judged", now,
        "reference", interval(before, half), "difference", interval(change, before / 50));
    json_object_update(p, now);
    if (g_strcmp0(f->standing, "missing") == 0)
        json_object_set_new(p, "mean_ns", json_null());
    json_decref(now);
    of->answered[i] = answered ? f->direction : NULL;
    f = answered ? &ANSWERED : f;
    of->found[i] = f;
    of->wide[i] = wide;
    of->level[i] = before;
    of->announced[i] = changed && announced;
    of->is_quiet &= g_str_equal(f->verdict, "ok") && !f->standing;
    of->little |= g_str_equal(f->rule, "little-evidence");
    of->small |= g_str_equal(f->rule, "below-minimum-effect");
    of->calm &=
        (g_str_equal(f->verdict, "ok") && !f->standing) || g_str_equal(f->verdict, "cleared");
    of->rose |= rose;
    of->fell |= changed && !rose;
    of->blamed |= rose && !announced;
    of->doubt |= g_strcmp0(f->standing, "doubtful") == 0;
    if (i > 0 || of->portions == 1)
        of->gate_fails |= rose && !announced;
    of->first += g_str_equal(f->verdict, "first");
    of->begun += g_str_equal(f->verdict, "first") && g_str_equal(f->rule, "new-level");
    return p;
}

/* Could a portion have more than doubled unseen, and by more than the method and the largest
 * portion? The control's doubling is no overhead, where there is any. */
static bool is_blind_at(const truth *of, size_t i) {
    double largest = 0;
    for (size_t k = 1; k < of->portions; k++)
        largest = fmax(largest, of->level[k]);
    return (i > 0 || of->portions == 1) && of->wide[i] &&
           4 * of->level[i] > fmin(of->level[0], largest);
}

static bool is_blind(const truth *of) {
    for (size_t i = 0; i < of->portions; i++)
        if (is_blind_at(of, i))
            return true;
    return false;
}

/* Can nobody say whether it changed? */
static bool is_unclear_at(const truth *of, size_t i) {
    const finding *f = of->found[i];
    return (f->standing && !g_str_equal(f->standing, "changed")) ||
           g_str_equal(f->verdict, "first") || is_blind_at(of, i);
}

static void doubt(truth *of, size_t i) {
    const finding *f = of->found[i];
    const bool unclear = f->standing && !g_str_equal(f->standing, "changed");
    of->unclear |= unclear;
    of->gate_doubts |=
        g_str_equal(f->rule, "control-moved") ||
        ((i > 0 || of->portions == 1) && (unclear || g_str_equal(f->verdict, "first")));
}

/* A later night may have told of a change of one of them. */
static void date(uint64_t *seed, truth *of) {
    static const char *const states[] = {"open", "acknowledged", "false", "withdrawn"};
    const double which = luck_uniform(seed), state = luck_uniform(seed);
    of->dated = luck_uniform(seed) < 0.2 ? (size_t)(which * (double)of->portions) : of->portions;
    if (of->dated < of->portions && of->answered[of->dated])
        of->dated = of->portions; /* two alerts of one change */
    of->moved = luck_uniform(seed) < 0.5 ? "up" : "down";
    of->state = states[(size_t)(state * G_N_ELEMENTS(states))];
    const finding *told = of->dated < of->portions ? of->found[of->dated] : NULL;
    if (told && is_standing(of) && g_str_equal(told->verdict, "environment") &&
        !g_str_equal(told->rule, "new-environment"))
        of->found[of->dated] = &RETOLD[told->direction != NULL];
    for (size_t i = 0; i < of->portions; i++) {
        doubt(of, i);
        of->is_quiet &= !is_dated(of, i);
        of->pending |= g_str_equal(of->found[i]->rule, "pending") && !is_dated(of, i);
    }
}

/* The portions of a night; one of twenty has failed. */
static json_t *found_night(uint64_t *seed, truth *of) {
    json_t *portions = json_array();
    *of = (truth){.is_quiet = true, .calm = true, .failed = luck_uniform(seed) < 0.05};
    of->asked = luck_uniform(seed) < 0.2;
    of->portions = of->failed ? 0 : 1 + (size_t)(luck_uniform(seed) * PORTIONS_MAX);
    of->unclear = of->failed;
    of->loud = luck_uniform(seed) < 0.05 ? (size_t)(luck_uniform(seed) * (double)of->portions)
                                         : of->portions;
    for (size_t i = 0; i < of->portions; i++)
        json_array_append_new(portions, found_portion(seed, i, of));
    of->blind = is_blind(of);
    date(seed, of);
    return portions;
}

static double ns(const json_t *portion, const char *of, const char *key) {
    return cfg_json_number(of ? json_object_get(portion, of) : portion, key);
}

static void portion_keep(srv_store *store, size_t i, const json_t *p) {
    const bool good = srv__run(
        store,
        sql_text("INSERT INTO portion(experiment_id,ordinal,portion,configuration,parent,mean_ns,"
                 "low_ns,high_ns,judged_mean_ns,judged_low_ns,judged_high_ns,verdict,rule,"
                 "direction,reference_mean_ns,reference_low_ns,reference_high_ns,"
                 "difference_mean_ns,difference_low_ns,difference_high_ns,reason) SELECT max(id),"
                 "$1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20"
                 " FROM experiment",
                 "itttddddddtttddddddt"),
        SRV__ARGS(i, cfg_json_word(p, "portion", NULL), cfg_json_word(p, "configuration", NULL),
                  cfg_json_word(p, "parent", NULL), ns(p, NULL, "mean_ns"), ns(p, NULL, "low_ns"),
                  ns(p, NULL, "high_ns"), ns(p, "judged", "mean_ns"), ns(p, "judged", "low_ns"),
                  ns(p, "judged", "high_ns"), cfg_json_word(p, "verdict", NULL),
                  cfg_json_word(p, "rule", NULL), cfg_json_word(p, "direction", NULL),
                  ns(p, "reference", "mean_ns"), ns(p, "reference", "low_ns"),
                  ns(p, "reference", "high_ns"), ns(p, "difference", "mean_ns"),
                  ns(p, "difference", "low_ns"), ns(p, "difference", "high_ns"),
                  cfg_json_word(p, "reason", NULL)),
        NULL);
    assert_true(good);
}

/* An alert that is dated to the newest row; itself: which told of it, else the oldest night did,
 * out of sight. */
static void alert_put(srv_store *store, const char *configuration, const char *direction,
                      const char *state, bool itself) {
    assert_true(srv__run(
        store,
        sql_text(
            "INSERT INTO alert(project_id,series_id,portion,configuration,direction,state,"
            "from_experiment,to_experiment,dated_experiment,to_night,seen_experiment,raised_ms,"
            "reason) SELECT project_id,series_id,'p',$1,$2,$3,1,id,id,night,CASE WHEN $4=1 THEN id "
            "ELSE 1 END,"
            "0,'r' FROM experiment WHERE id=(SELECT max(id) FROM experiment)",
            "ttti"),
        SRV__ARGS(configuration, direction, state, (int64_t)itself), NULL));
    assert_true(srv__run(store,
                         sql_text("INSERT INTO alert_portion(alert_id,configuration,portion,"
                                  "direction,seen_experiment,reason) SELECT id,configuration,'p',"
                                  "direction,seen_experiment,'r' FROM alert WHERE id="
                                  "(SELECT max(id) FROM alert)",
                                  ""),
                         SRV__NO_ARGS, NULL));
}

static void alerts_keep(srv_store *store, const truth *of) {
    if (of->dated < of->portions)
        alert_put(store, configurations[of->dated], of->moved, of->state, false);
    for (size_t i = 0; i < of->portions; i++) {
        if (!of->answered[i])
            continue;
        alert_put(store, configurations[i], of->answered[i], "false", true);
        assert_true(srv__run(store,
                             sql_text("INSERT INTO alert_audit(alert_id,at_ms,old_state,new_state,"
                                      "author,reason) SELECT max(id),0,'open','false','ada',"
                                      "'noise' FROM alert",
                                      ""),
                             SRV__NO_ARGS, NULL));
    }
}

/* The only loop of a configuration of the newest row was disturbed. */
static void loop_keep(srv_store *store, const truth *of) {
    if (!is_loud(of))
        return;
    assert_true(srv__run(store,
                         sql_text("INSERT INTO configuration(experiment_id,ordinal,name,label,"
                                  "loops,n) SELECT max(id),$1,$2,$2,1,0 FROM experiment",
                                  "it"),
                         SRV__ARGS(of->loud, configurations[of->loud]), NULL));
    assert_true(srv__run(store,
                         sql_text("INSERT INTO loop(experiment_id,ordinal,loop,position,disturbed,"
                                  "used) SELECT max(id),$1,1,0,1,1 FROM experiment",
                                  "i"),
                         SRV__ARGS(of->loud), NULL));
}

/* As many nights as rows, each a day older than the one before: the store has them as if they had
 * been measured and judged so. */
static void nights_keep(fixture *fix, uint64_t seed, unsigned count) {
    static const double means[4] = {70, 270, 1400, 3000};
    g_autoptr(GDateTime) newest = g_date_time_new_utc(2400, 1, 1, 0, 0, 0);
    fix_measure(fix, "kieker", 1, "2013-04-01", means);
    assert_true(srv__begin(fix->store, NULL));
    for (unsigned k = 0; k < count; k++) {
        truth of;
        json_t *portions = found_night(&seed, &of), *p;
        g_autoptr(GDateTime) day = g_date_time_add_days(newest, -(int)k);
        g_autofree char *night = g_date_time_format(day, "%Y-%m-%d");
        assert_true(srv__run(
            fix->store,
            sql_text("INSERT INTO experiment(project_id,job_id,revision_id,benchmark_id,"
                     "environment_id,series_id,kind,night,time_ms,state,reason,total_mean_ns,"
                     "total_low_ns,total_high_ns,level) SELECT project_id,job_id,revision_id,"
                     "benchmark_id,environment_id,series_id,kind,$1,time_ms,$2,$3,1000,990,1010,"
                     "0.99 FROM experiment WHERE id=1",
                     "ttt"),
            SRV__ARGS(night, of.failed ? "failed" : "measured",
                      of.failed ? "it did not build" : NULL),
            NULL));
        size_t i;
        json_array_foreach (portions, i, p)
            portion_keep(fix->store, i, p);
        alerts_keep(fix->store, &of);
        loop_keep(fix->store, &of);
        json_decref(portions);
    }
    assert_true(srv__end(fix->store, true, NULL));
}

static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        count++;
    return count;
}

/* A pipeline's test of a portion fails as the gate does, and is not passed where the gate cannot
 * tell. */
static void junit_agrees(const json_t *json, const json_t *gate, const truth *of) {
    json_auto_t *night = json_deep_copy(json);
    size_t untold = of->failed;
    if (gate)
        json_object_set(night, "failed", json_object_get(gate, "failed"));
    g_autofree char *text = ci_junit("p", night);
    for (size_t i = 0; i < of->portions; i++)
        untold += is_unclear_at(of, i);
    AGREE(!strstr(text, "<failure ") == !g_str_equal(cfg_json_word(gate, "verdict", ""), "fail"),
          json);
    AGREE(count_of(text, "<skipped ") + count_of(text, "<error ") == untold, json);
}

/* Gate, status and tests decide by the intervals alone, and say what disturbed most loops. */
static void loops_are_told(const json_t *json, const json_t *gate, const char *status,
                           const truth *of) {
    g_autofree char *tests = ci_junit("p", json);
    const char *said = " loops of ", *sentence = cfg_json_word(gate, "sentence", "");
    AGREE(is_loud(of) == (cfg_json_word(json, "disturbed", NULL) != NULL), json);
    AGREE(is_loud(of) == !!strstr(tests, said), json);
    AGREE(!gate || is_loud(of) == !!strstr(sentence, said), json);
    AGREE(is_loud(of) ? strstr(status, said) || strstr(status, "…") : !strstr(status, said), json);
}

/* The gate and GitHub's status. */
static void machines_agree(const json_t *json, const truth *of) {
    g_auto(ci_policy) policy = {0};
    const ci_policy_options options = {0};
    assert_true(ci_policy_init(&policy, &options, NULL));
    json_t *gate = of->failed ? NULL : ci_policy_judge(&policy, json, NULL);
    const char *verdict = cfg_json_word(gate, "verdict", ""), *state = state_of(json);
    g_autofree char *status = told_of(json);
    AGREE(of->failed || g_str_equal(verdict, of->gate_fails                 ? "fail"
                                             : of->gate_doubts || of->blind ? "unsure"
                                                                            : "pass"),
          json);
    AGREE(g_str_equal(state, of->blamed                                  ? "failure"
                             : of->unclear || of->first > 0 || of->blind ? "error"
                                                                         : "success"),
          json);
    AGREE(!g_str_equal(verdict, "pass") ||
              strstr(cfg_json_word(gate, "sentence", ""), cfg_json_word(json, "headline", "?")),
          json);
    AGREE(!of->rose == !strstr(status, "▲") && !of->fell == !strstr(status, "▼"), json);
    AGREE(!g_str_equal(state, "error") || strstr(status, of->failed ? "failed: " : "; ") ||
              strstr(status, "…"),
          json);
    junit_agrees(json, gate, of);
    loops_are_told(json, gate, status, of);
    json_decref(gate);
}

/* The share of a change is one number: the headline's stands in GitHub's table. */
static void shares_agree(const json_t *json) {
    g_auto(cfg_night) night = cfg_night_of(json);
    g_autofree char *table = srv_words_night_markdown(&night, "https://o.example.org", NULL, NULL);
    g_autoptr(GRegex) share = g_regex_new(" by ([0-9.]+ %)", 0, 0, NULL);
    g_autoptr(GMatchInfo) found = NULL;
    for (g_regex_match(share, cfg_json_word(json, "headline", ""), 0, &found);
         g_match_info_matches(found); g_match_info_next(found, NULL)) {
        g_autofree char *percent = g_match_info_fetch(found, 1);
        AGREE(strstr(table, percent), json);
    }
}

/* A badge has the colour of its own number; of a project's other portions it says which. */
static void badges_agree(const json_t *project, const cfg_night *night, const truth *of,
                         const json_t *json) {
    bool own = of->failed, other = false; /* of the total: unclear in its chain, or beside it */
    for (size_t i = 0; i < of->portions; i++) {
        g_auto(srv_badge) badge = {0};
        const bool unclear = is_unclear_at(of, i);
        assert_true(srv_badge_of(&badge, project, night, night->portions[i].portion));
        AGREE((unclear || of->asked || is_loud(of)) != g_str_equal(badge.colour, "#2e7d32"), json);
        AGREE((!unclear && of->asked) == !!strstr(badge.message, "; 1 suspicion is open"), json);
        *(i < 4 ? &own : &other) |= unclear;
    }
    g_auto(srv_badge) total = {0};
    assert_true(srv_badge_of(&total, project, night, NULL));
    AGREE((own || other || of->asked || is_loud(of)) != g_str_equal(total.colour, "#2e7d32"), json);
    AGREE((other && !own) == !!strstr(total.message, "; W tcp (tcp) "), json);
    AGREE((of->asked && !own && !other) == !!strstr(total.message, "; 1 suspicion is open"), json);
}

/* For how long nothing is new, as the server says it. */
static json_t *quiet_of(const cfg_night *night, const truth *of) {
    bool clear;
    const web_quiet known = {
        .nights = 3, .changed = true, .unmeasured = 3, .suspicions = of->asked};
    g_autofree char *quiet = web_quiet_words(night, &known, &clear);
    return json_pack("{s:s,s:b,s:i}", "quiet", quiet, "clear", clear, "suspicions", of->asked);
}

/* Whatever the portions are: no night is clear while an incident of the machine is open. */
static void a_tick_needs_the_machine(const json_t *json) {
    static const web_quiet asked = {
        .nights = 3, .changed = true, .unsettled = "“Noisier nights” is open, since 2026-01-02"};
    g_auto(cfg_night) night = cfg_night_of(json);
    bool clear;
    g_free(web_quiet_words(&night, &asked, &clear));
    AGREE(!clear, json);
}

/* The page's headline, the frame and the badge. */
static void pages_agree(const json_t *json, const truth *of) {
    const char *headline = cfg_json_word(json, "headline", "");
    g_auto(cfg_night) night = cfg_night_of(json);
    json_t *project = quiet_of(&night, of);
    json_object_set_new(project, "name", json_string("p"));
    json_object_set_new(project, "latest", json_deep_copy(json));
    const model_list none = {0};
    g_autofree char *frame = web_embed_page(project, &none, NULL);
    shares_agree(json);
    a_tick_needs_the_machine(json);
    const bool quiet_night = of->is_quiet && !of->failed, loud = is_loud(of);
    const bool denied = any_said(of, "answered-false") || any_said(of, "set-by-hand");
    AGREE(g_str_equal(headline, "nothing changed") ==
              (quiet_night && !of->little && !of->small && !denied && !loud),
          json);
    AGREE(!!strstr(headline, "as somebody said") == (quiet_night && denied), json);
    AGREE(!!strstr(headline, "set by hand") == (of->begun > 0), json);
    AGREE(g_str_has_prefix(headline, "nothing shown to have changed") ==
              (quiet_night && (of->little || (of->small && loud))),
          json);
    AGREE(!!strstr(headline, " changed by more than is ignored") == (quiet_night && of->small),
          json);
    AGREE(!!strstr(headline, "but most loops of a configuration were") == (quiet_night && loud),
          json);
    AGREE(!of->rose == !strstr(headline, " rose by "), json);
    AGREE(!of->fell == !strstr(headline, " fell by "), json);
    const bool doubt = of->doubt || (of->asked && !of->failed);
    AGREE(!doubt == !strstr(frame, "<p class=\"verdict\">? "), json);
    const bool all_first = of->portions > 0 && of->first == of->portions;
    const bool unclear = of->unclear || of->first > 0 || of->asked || of->blind || is_loud(of);
    const char *quiet = of->failed             ? "Nothing is known of the last 3 nights; failed: "
                        : all_first            ? "Nothing to compare with yet; "
                        : of->rose || of->fell ? "Nothing new since the last known change"
                                               : "Nothing new for 3 nights";
    AGREE(g_str_equal(headline, "first of its series") == (all_first && of->begun == 0), json);
    AGREE((of->first == of->begun) == !strstr(headline, "first of "), json);
    AGREE(!of->pending || strstr(headline, " may have "), json);
    g_autofree char *dated = g_strconcat(quiet, denied ? "; no change here, as somebody said" : "",
                                         any_small(of) ? "; " : ", the newest of ", NULL);
    AGREE(doubt || strstr(frame, quiet), json);
    AGREE(!doubt || !strstr(frame, "Nothing new"), json);
    AGREE(unclear == !strstr(frame, ", the newest of "), json);
    AGREE(unclear || strstr(frame, dated), json);
    AGREE((!unclear && any_small(of)) == !!strstr(frame, " differs little (+"), json);
    AGREE(unclear == !json_is_true(json_object_get(project, "clear")), json);
    badges_agree(project, &night, of, json);
    json_decref(project);
}

/* A row of the API: what it says in words is what its numbers say. */
static void row_agrees(const json_t *row, const json_t *night, const finding *f, bool whole) {
    const double before = ns(row, "reference", "mean_ns"), by = ns(row, "difference", "mean_ns");
    AGREE(g_str_equal(cfg_json_word(row, "verdict", ""), f->verdict), night);
    AGREE(g_strcmp0(cfg_json_word(row, "direction", NULL), f->direction) == 0, night);
    AGREE(g_strcmp0(cfg_json_word(row, "standing", NULL), f->standing) == 0, night);
    AGREE(g_strcmp0(cfg_json_word(row, "words", NULL), f->words) == 0, night);
    AGREE(!f->standing || cfg_json_word(row, "reason", NULL), night);
    AGREE(!whole ||
              !strstr(f->words ? f->words : "", "as a later measurement showed") ==
                  !strstr(cfg_json_word(row, "reason", ""), ", until a later measurement showed"),
          night);
    AGREE(!whole || !f->direction || (by > 0) == g_str_equal(f->direction, "up"), night);
    AGREE(!whole || fabs(ns(row, "judged", "mean_ns") - before - by) <= 1e-9 * before, night);
}

static void rows_agree(const json_t *night, const truth *of, bool whole) {
    const json_t *rows = json_object_get(night, "portions"), *row;
    size_t i;
    AGREE(json_array_size(rows) == of->portions, night);
    AGREE(!of->failed == g_str_equal(cfg_json_word(night, "state", ""), "measured"), night);
    json_array_foreach (rows, i, row) {
        const finding known = known_of(of, i);
        row_agrees(row, night, &known, whole);
        if (of->announced[i]) /* no commit of the store says it */
            json_object_set_new(json_array_get(rows, i), "accepted_in_advance", json_true());
    }
}

/* What is true of a night, for who has no C. */
static json_t *truth_json(const truth *of, const json_t *night) {
    g_auto(cfg_night) read = cfg_night_of(night);
    json_t *json = quiet_of(&read, of), *words = json_array(), *standing = json_array();
    for (size_t i = 0; i < of->portions; i++) {
        const finding known = known_of(of, i);
        json_array_append_new(words, json_string(known.words ? known.words : "as before"));
        json_array_append_new(standing, json_string(known.standing ? known.standing : "clear"));
    }
    json_object_update_new(
        json,
        json_pack("{s:b,s:b,s:b,s:b,s:b,s:o,s:o,s:O}", "failed", of->failed, "rose", of->rose,
                  "fell", of->fell, "doubt", of->doubt || (of->asked && !of->failed), "unclear",
                  of->unclear || of->first > 0 || of->asked || of->blind || is_loud(of), "words",
                  words, "standing", standing, "headline", json_object_get(night, "headline")));
    return json;
}

enum { QUIET = 1000 };

/* Of the newest nights that were measured. */
typedef struct {
    unsigned looked, calm;
} tally;

/* A page of the list in its three forms, and the experiments of the first ones. */
static char *page_agrees(srv_store *store, uint64_t *seed, const char *cursor, unsigned count,
                         FILE *out, tally *quiet) {
    const srv_dates since = {.since = "2014-01-01"};
    const srv_page page = {.cursor = cursor, .limit = count};
    json_t *full = srv_view_nights(store, "kieker", since, page, NULL);
    json_t *brief = srv_view_nights_brief(store, "kieker", since, page, NULL);
    json_t *truths = json_array(), *night;
    size_t i;
    assert_int_equal(json_array_size(json_object_get(full, "items")), count);
    json_array_foreach (json_object_get(full, "items"), i, night) {
        const json_t *less = json_array_get(json_object_get(brief, "items"), i);
        truth of;
        json_decref(found_night(seed, &of));
        quiet->calm += !of.failed && quiet->looked < QUIET && of.calm && !is_loud(&of);
        quiet->looked += !of.failed;
        rows_agree(night, &of, true);
        rows_agree(less, &of, false);
        AGREE(json_equal(json_object_get(night, "headline"), json_object_get(less, "headline")),
              night);
        machines_agree(night, &of);
        pages_agree(night, &of);
        json_array_append_new(truths, truth_json(&of, night));
        if (!cursor && i < EXPERIMENTS) {
            json_t *whole = srv_view_experiment(
                store, json_integer_value(json_object_get(night, "experiment")), NULL);
            rows_agree(whole, &of, true);
            json_decref(whole);
        }
    }
    if (out) {
        json_t *columns = srv_view_nights_columns(store, "kieker", since, page, NULL);
        json_t *line = json_pack("{s:o,s:O,s:O}", "columns", columns, "brief",
                                 json_object_get(brief, "items"), "truths", truths);
        assert_true(json_dumpf(line, out, JSON_COMPACT) == 0 && fputc('\n', out) == '\n');
        json_decref(line);
    }
    char *next = g_strdup(cfg_json_word(full, "next", NULL));
    json_decref(truths);
    json_decref(brief);
    json_decref(full);
    return next;
}

static void history_agrees(uint64_t *seed, unsigned count, FILE *out) {
    void *own;
    assert_int_equal(fix_setup(&own), 0);
    fixture *fix = own;
    char *cursor = NULL;
    tally quiet = {0};
    nights_keep(fix, *seed, count);
    for (unsigned k = 0; k < count; k += PAGE) {
        g_autofree char *at = cursor;
        cursor = page_agrees(fix->store, seed, at, MIN(PAGE, count - k), out, &quiet);
    }
    assert_null(cursor);
    json_auto_t *project = srv_view_project(fix->store, "kieker", NULL);
    assert_int_equal(json_integer_value(json_object_get(project, "quiet_nights")), quiet.calm);
    assert_int_equal(fix_teardown(&own), 0);
}

/* In histories of some years: those of centuries take hours. */
static void one_night_everywhere(void **state) {
    (void)state;
    const char *path = g_getenv("MOOWATCH_PAGES");
    FILE *out = path ? fopen(path, "w") : NULL;
    uint64_t seed = 39;
    assert_true(!path || out);
    for (unsigned left = cases(); left > 0; left -= MIN(left, HISTORY))
        history_agrees(&seed, MIN(left, HISTORY), out);
    assert_true(!out || fclose(out) == 0);
}

/* One of a night's two configurations; of the portion I it is the second. */
static json_t *measured_loops(uint64_t *seed, const char *name, double mean) {
    json_t *loops = json_array();
    for (int i = 1; i <= 4; i++)
        json_array_append_new(loops, json_pack("{s:i,s:b,s:{s:f}}", "loop", i, "used", 1, "summary",
                                               "mean_ns", mean * (1 + 0.01 * luck_normal(seed))));
    return json_pack("{s:s,s:o}", "name", name, "loop_results", loops);
}

/* The experiment-th night, of which the first alone is what the second was judged against; found:
 * out, of its I. */
static json_t *measured_night(uint64_t *seed, int experiment, const finding **found) {
    const finding *f = &FINDINGS[(size_t)(luck_uniform(seed) * G_N_ELEMENTS(FINDINGS))];
    *found = f;
    return json_pack("{s:s,s:i,s:f,s:[o,o],s:[{s:s,s:s,s:s},{s:s,s:s,s:s,s:s,s:s,s:s?,s:f,s:{s:i,"
                     "s:i}}]}",
                     "state", "measured", "experiment", experiment, "level", 0.95, "configurations",
                     measured_loops(seed, "none", 100),
                     measured_loops(seed, "off", 300 + 30 * luck_normal(seed)), "portions",
                     "portion", "T", "configuration", "none", "verdict", "ok", "portion", "I",
                     "configuration", "off", "parent", "none", "verdict", f->verdict, "rule",
                     f->rule, "direction", f->direction, "mean_ns", 200., "reference",
                     "from_experiment", experiment - 1, "to_experiment", experiment - 1);
}

/* In question, or of a change that was not confirmed. */
static bool is_open(const finding *f) {
    return g_str_equal(f->verdict, "harness") || g_strcmp0(f->standing, "doubtful") == 0 ||
           g_str_equal(f->verdict, "cleared");
}

/* On another level that is not the code's. */
static bool is_elsewhere(const finding *f) {
    return g_str_equal(f->verdict, "environment") && !g_str_equal(f->rule, "new-environment");
}

/* What the newer night's verdict says of a difference from the older one. */
static const char *pair_words(const finding *older, const finding *newer, double by) {
    const int direction = by > 0 ? 1 : -1;
    if (is_open(older) || is_open(newer))
        return det_change_maybe(direction);
    if (g_str_equal(newer->rule, "below-minimum-effect") && direction > 0 && !is_elsewhere(older))
        return newer->words;
    return g_str_equal(newer->verdict, "environment") || is_elsewhere(older) ||
                   g_str_equal(newer->rule, "set-by-hand") ||
                   g_strcmp0(newer->words, det_change_verb(direction)) == 0
               ? det_change_verb(direction)
               : "not shown to have changed";
}

/* Two nights side by side say no more than each of them knows by itself. */
static void a_comparison_says_what_both_nights_know(void **state) {
    (void)state;
    uint64_t seed = 29;
    for (unsigned i = 0; i < cases() / 4; i++) {
        const finding *of[2];
        json_t *sides[2] = {measured_night(&seed, 1, &of[0]), measured_night(&seed, 2, &of[1])};
        g_auto(cfg_night) a = cfg_night_of(sides[0]), b = cfg_night_of(sides[1]);
        json_t *c = web_compare(&a, &b, NULL, NULL);
        const json_t *row = json_array_get(json_object_get(c, "portions"), 1);
        const double by = ns(row, "difference", "mean_ns");
        const bool apart = json_is_true(json_object_get(row, "apart"));
        const char *words = apart ? pair_words(of[0], of[1], by) : "no difference seen";
        const bool tells = apart && !strstr(words, "not shown") && !strstr(words, "little");
        g_autofree char *told = g_strdup_printf("Instrumentation (I) %s ", words);
        AGREE(g_str_equal(cfg_json_word(row, "words", ""), words), c);
        AGREE(tells == !!strstr(cfg_json_word(c, "sentence", ""), told), c);
        AGREE(tells == !!strstr(cfg_json_word(c, "headline", ""), told), c);
        AGREE((is_open(of[0]) || is_open(of[1]) || is_elsewhere(of[0]) || is_elsewhere(of[1])) ==
                  !!json_object_get(c, "doubt"),
              c);
        json_decref(c);
        json_decref(sides[0]);
        json_decref(sides[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_night_everywhere),
                                       cmocka_unit_test(a_comparison_says_what_both_nights_know)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
