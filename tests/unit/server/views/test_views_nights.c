/* Lists of nights: the brief form, and where a change is marked. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include <math.h>

#include <string.h>

#include "config/json_text.h"
#include "server/alarm/alerts.h"
#include "server/alarm/bisection.h"
#include "server/store/store_sql.h"

#include "server/views/views.h"
#include "tests/unit/server/sql_text.h"

static const double level[4] = {70, 270, 1400, 3000};
static const double faster[4] = {70, 150, 1280, 2880};

/* Seven digits of a number that is there. */
static void same_number(const json_t *brief, const json_t *full, const char *key) {
    const json_t *a = json_object_get(brief, key), *b = json_object_get(full, key);
    assert_int_equal(json_is_number(a), json_is_number(b));
    assert_true(fabs(json_number_value(a) - json_number_value(b)) <=
                5e-7 * fabs(json_number_value(b)));
    g_autofree char *text = json_is_real(a) ? cfg_json_text(a, JSON_ENCODE_ANY) : NULL;
    assert_true(!text || strlen(text) <= 10); /* with sign, point and a zero before it */
}

/* null: there is no level, or one of which no interval is known. */
static void same_ends(const json_t *brief, const json_t *full) {
    const bool known = json_is_number(json_object_get(full, "low_ns"));
    assert_int_equal(json_is_object(brief), known);
    if (!known)
        return;
    assert_int_equal(json_object_size(brief), 2);
    same_number(brief, full, "low_ns");
    same_number(brief, full, "high_ns");
}

static void same_portion_in_less(const json_t *brief, const json_t *full) {
    static const char *const same[] = {"portion", "configuration", "parent", "verdict",
                                       "direction"};
    static const char *const numbers[] = {"mean_ns", "low_ns", "high_ns"};
    for (size_t m = 0; m < G_N_ELEMENTS(same); m++)
        assert_true(json_equal(json_object_get(brief, same[m]), json_object_get(full, same[m])));
    assert_int_equal(g_strcmp0(text_of(brief, "standing"), text_of(full, "standing")), 0);
    assert_int_equal(g_strcmp0(text_of(brief, "words"), text_of(full, "words")), 0);
    for (size_t m = 0; m < G_N_ELEMENTS(numbers); m++)
        same_number(brief, full, numbers[m]);
    same_ends(json_object_get(brief, "judged"), json_object_get(full, "judged"));
    same_ends(json_object_get(brief, "reference"), json_object_get(full, "reference"));
    assert_int_equal(json_object_get(brief, "reason") == NULL,
                     json_object_get(brief, "words") == NULL ||
                         g_str_equal(text_of(brief, "verdict"), "first") ||
                         g_str_equal(text_of(brief, "words"), "not shown to have changed"));
    assert_null(json_object_get(brief, "difference"));
    assert_null(json_object_get(brief, "median_ns"));
    assert_null(json_object_get(brief, "confirmation"));
}

/* The same nights and headlines, of each portion what charts and tables show. */
static void brief_nights_say_the_same_in_less(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    const srv_page page = {8, NULL};
    json_t *full = srv_view_nights(fix->store, "kieker", (srv_dates){0}, page, NULL);
    json_t *brief = srv_view_nights_brief(fix->store, "kieker", (srv_dates){0}, page, NULL);
    size_t i, k;
    json_t *night, *portion;
    json_array_foreach (json_object_get(brief, "items"), i, night) {
        const json_t *other = json_array_get(json_object_get(full, "items"), i);
        assert_string_equal(text_of(night, "headline"), text_of(other, "headline"));
        assert_null(json_object_get(night, "configurations"));
        assert_int_equal(json_object_size(json_object_get(night, "total")), 3);
        json_array_foreach (json_object_get(night, "portions"), k, portion)
            same_portion_in_less(portion, json_array_get(json_object_get(other, "portions"), k));
    }
    g_autofree char *long_text = json_dumps(full, JSON_COMPACT);
    g_autofree char *text = json_dumps(brief, JSON_COMPACT);
    assert_true(5 * strlen(text) < 2 * strlen(long_text));
    json_decref(full);
    json_decref(brief);
}

static json_t *nights_of(fixture *fix, bool brief) {
    json_t *view = (brief ? srv_view_nights_brief : srv_view_nights)(
        fix->store, "kieker", (srv_dates){0}, (srv_page){9, NULL}, NULL);
    assert_non_null(view);
    return view;
}

/* The mark of a change that the third night of its level told stands at the first. */
static void a_change_is_marked_where_its_level_began(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    json_t *row, *told = NULL;
    for (int brief = 0; brief < 2; brief++) {
        json_t *view = nights_of(fix, brief);
        size_t i;
        json_array_foreach (json_object_get(view, "items"), i, row)
            assert_null(json_object_get(row, "began"));
        json_decref(view);
    }
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE alert SET to_experiment=to_experiment-$1 WHERE id="
                                  "(SELECT min(id) FROM alert)",
                                  "i"),
                         SRV__ARGS(1), NULL));
    for (int brief = 0; brief < 2; brief++) {
        json_t *view = nights_of(fix, brief), *items = json_object_get(view, "items");
        size_t i, k;
        unsigned marks = 0;
        json_array_foreach (items, i, row)
            json_array_foreach (json_object_get(row, "portions"), k, told)
                if (json_object_get(told, "since")) {
                    const json_t *first = json_array_get(items, i + 1);
                    const json_t *began = json_array_get(json_object_get(first, "began"), marks++);
                    assert_string_equal(text_of(told, "since"), text_of(first, "night"));
                    assert_string_equal(text_of(began, "configuration"),
                                        text_of(told, "configuration"));
                    assert_string_equal(text_of(began, "direction"), text_of(told, "direction"));
                    assert_string_equal(text_of(first, "headline"),
                                        "Instrumentation (I) fell, as a later measurement showed");
                    assert_string_equal(
                        text_of(json_array_get(json_object_get(first, "portions"), k), "words"),
                        "fell, as a later measurement showed");
                }
        assert_true(marks > 0);
        json_decref(view);
    }
}

static bool change(fixture *fix, const char *statement) {
    return srv__run(fix->store, sql_text(statement, ""), SRV__NO_ARGS, NULL);
}

/* How many portions of all nights are told to have changed as a later measurement showed. */
static unsigned dated(fixture *fix) {
    unsigned count = 0;
    for (int brief = 0; brief < 2; brief++) {
        json_t *view = nights_of(fix, brief), *row, *portion;
        size_t i, k;
        json_array_foreach (json_object_get(view, "items"), i, row) {
            const bool told = strstr(text_of(row, "headline"), "as a later measurement showed");
            unsigned own = 0;
            json_array_foreach (json_object_get(row, "portions"), k, portion)
                own +=
                    strstr(cfg_json_word(portion, "words", ""), "as a later measurement showed") &&
                    !json_object_get(portion, "standing");
            assert_true(told == (own > 0));
            assert_null(strstr(text_of(row, "headline"), "may have changed"));
            count += own;
        }
        json_decref(view);
    }
    return count;
}

/* That the night itself could not say it is no doubt any more; that somebody has answered that
 * nothing changed is. */
static void a_dated_night_says_what_is_known_now(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    assert_int_equal(dated(fix), 0);
    assert_true(change(fix, "UPDATE alert SET to_experiment=to_experiment-1 WHERE id="
                            "(SELECT min(id) FROM alert)"));
    const unsigned known = dated(fix);
    assert_true(known > 0);
    assert_true(change(fix, "UPDATE portion SET rule='pending', reason='W may have risen; not "
                            "enough to say so' WHERE verdict='ok' AND EXISTS(SELECT 1 FROM alert a"
                            " JOIN alert_portion m ON m.alert_id=a.id WHERE a.to_experiment="
                            "portion.experiment_id AND m.configuration=portion.configuration AND"
                            " m.seen_experiment<>a.to_experiment)"));
    assert_int_equal(dated(fix), known);
    json_t *view = nights_of(fix, false);
    g_autofree char *all = json_dumps(view, 0);
    assert_non_null(
        strstr(all, "; not enough to say so, until a later measurement showed that it fell\""));
    json_decref(view);
    assert_true(change(fix, "UPDATE portion SET verdict='environment', rule='control-moved' WHERE "
                            "rule='pending'")); /* what it was measured again for says more */
    assert_int_equal(dated(fix), known);
    assert_true(change(fix, "UPDATE portion SET verdict='ok', rule='within-noise' WHERE "
                            "verdict='environment'"));
    assert_true(change(fix, "UPDATE alert SET state='false'"));
    assert_int_equal(dated(fix), 0);
}

/* The night that told, and the one that the change is dated to, claim it no longer, in any form;
 * what somebody answered is told instead. */
static void a_change_that_somebody_denies_is_none(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    assert_true(change(fix, "UPDATE portion SET rule='pending', direction='down' WHERE ordinal=1 "
                            "AND experiment_id=(SELECT min(seen_experiment)-1 FROM alert)"));
    assert_true(change(fix, "UPDATE alert SET to_experiment=to_experiment-1"));
    assert_true(dated(fix) > 0);
    assert_true(srv_alert_set(fix->store, 1, "false", "ada", "a backup ran", fix->now_ms, NULL));
    for (int brief = 0; brief < 2; brief++) {
        json_auto_t *view = nights_of(fix, brief);
        json_t *row, *portion;
        size_t i, k, denied = 0;
        json_array_foreach (json_object_get(view, "items"), i, row) {
            const char *headline = text_of(row, "headline");
            assert_true(strstr(headline, "nothing changed") ||
                        strstr(headline, "first of its"
                                         " series") ||
                        g_str_equal(headline, "no change here, as somebody said"));
            assert_null(json_object_get(row, "began"));
            json_array_foreach (json_object_get(row, "portions"), k, portion) {
                assert_null(json_object_get(portion, "since"));
                assert_null(json_object_get(portion, "standing"));
                assert_string_not_equal(text_of(portion, "verdict"), "anomaly");
                if (g_strcmp0(text_of(portion, "rule"), "answered-false") != 0)
                    continue;
                denied++;
                assert_string_equal(text_of(portion, "words"), "no change here, as somebody said");
                assert_string_equal(text_of(portion, "reason"),
                                    "ada answered that nothing changed: a backup ran");
                assert_true(json_is_null(json_object_get(portion, "direction")));
            }
        }
        assert_int_equal(denied, 2);
    }
    json_auto_t *project = srv_view_project(fix->store, "kieker", NULL);
    assert_string_equal(text_of(project, "quiet"), "Nothing new for 6 nights");
}

/* The portions that changed before their night, which could not say it. */
static unsigned between(fixture *fix, const char *date) {
    g_autofree char *told = g_strdup_printf(" fell on %s, as a later measurement showed", date);
    unsigned count = 0;
    for (int brief = 0; brief < 2; brief++) {
        json_auto_t *view = nights_of(fix, brief);
        json_t *row, *portion;
        size_t i, k;
        json_array_foreach (json_object_get(view, "items"), i, row)
            json_array_foreach (json_object_get(row, "portions"), k, portion) {
                const char *reason = cfg_json_word(portion, "reason", "");
                if (!json_object_get(portion, "later") || !json_object_get(portion, "since"))
                    continue;
                assert_string_equal(text_of(portion, "since"), date);
                assert_string_equal(text_of(portion, "words"),
                                    "fell, as a later measurement showed");
                assert_null(json_object_get(portion, "standing"));
                assert_non_null(strstr(text_of(row, "headline"), told));
                assert_true(!*reason || g_str_has_suffix(reason, date));
                count++;
            }
    }
    return count;
}

/* The nights between the one that a change is dated to and the one that told of it know it, too. */
static void the_nights_between_say_what_is_known_now(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    json_auto_t *view = nights_of(fix, true);
    assert_true(change(fix, "UPDATE alert SET to_experiment=3, to_night=(SELECT night FROM "
                            "experiment WHERE id=3) WHERE id=(SELECT min(id) FROM alert)"));
    const char *date = text_of(json_array_get(json_object_get(view, "items"), 5), "night");
    const unsigned known = between(fix, date);
    assert_true(known >= 4); /* the fourth and the fifth night, in both forms */
    assert_true(change(fix, "UPDATE portion SET rule='pending' WHERE experiment_id IN (4,5)"));
    assert_int_equal(between(fix, date), known);
    json_auto_t *alone = srv_view_experiment(fix->store, 4, NULL);
    assert_string_equal(text_of(json_array_get(json_object_get(alone, "portions"), 1), "later"),
                        "down");
    /* Of several steps the watch dates it to the last one, and the alert begins with the first. */
    assert_true(change(fix, "UPDATE portion SET rule='slow-shift' WHERE verdict='anomaly'"));
    assert_true(change(fix, "UPDATE alert SET from_experiment=1"));
    assert_true(srv__bisection_follow(fix->store, 1, false, fix->now_ms, NULL));
    json_auto_t *slowly = srv_view_experiment(fix->store, 4, NULL);
    const char *first = text_of(json_array_get(json_object_get(view, "items"), 6), "night");
    g_autofree char *from = g_strdup_printf(" fell slowly from %s on, as a later ", first);
    assert_non_null(strstr(text_of(slowly, "headline"), from));
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), first);
    assert_string_equal(text_of(json_array_get(json_object_get(slowly, "portions"), 1), "words"),
                        "fell slowly, as a later measurement showed");
    assert_true(change(fix, "UPDATE alert SET state='false'"));
    assert_int_equal(between(fix, date), 0);
}

/* Has the night's change come slowly? */
static bool is_slow(fixture *fix, int64_t experiment) {
    json_auto_t *night = srv_view_experiment(fix->store, experiment, NULL);
    json_t *portion = json_array_get(json_object_get(night, "portions"), 1);
    assert_string_equal(text_of(portion, "verdict"), "anomaly");
    return json_is_true(json_object_get(portion, "slow"));
}

/* The night that told of a step lies within what went on slowly, as a later one told: nobody knows
 * its commit either, for the gate as for its status. */
static void what_goes_on_slowly_has_the_nights_that_told_before(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 9, faster);
    assert_false(is_slow(fix, 6));
    assert_true(change(fix,
                       "INSERT INTO alert(project_id,series_id,portion,configuration,"
                       "direction,state,from_experiment,to_experiment,dated_experiment,to_night,"
                       "seen_experiment,raised_ms,reason) SELECT project_id,series_id,"
                       "portion,configuration,direction,'open',4,5,5,(SELECT night FROM "
                       "experiment WHERE id=5),8,0,'r' FROM alert"));
    assert_true(change(fix, "INSERT INTO alert_portion(alert_id,configuration,portion,"
                            "direction,seen_experiment,reason) SELECT id,configuration,portion,"
                            "direction,8,'r' FROM alert WHERE seen_experiment=8"));
    assert_false(is_slow(fix, 6)); /* a step that began before and was told later is none */
    assert_true(change(fix, "UPDATE portion SET rule='slow-shift' WHERE experiment_id=8"));
    assert_true(is_slow(fix, 6));
}

static size_t announced_in(const json_t *nights) {
    size_t i, k, marks = 0;
    json_t *night, *portion;
    json_array_foreach (nights, i, night)
        json_array_foreach (json_object_get(night, "portions"), k, portion)
            marks += json_is_true(json_object_get(portion, "accepted_in_advance"));
    return marks;
}

/* The eighth night tells that it rose with one before. */
static bool alert_of_rise(fixture *fix, int to) {
    g_autofree char *alert =
        g_strdup_printf("INSERT INTO alert(project_id,series_id,portion,configuration,direction,"
                        "state,from_experiment,to_experiment,dated_experiment,to_night,"
                        "seen_experiment,raised_ms,reason) SELECT project_id,series_id,portion,"
                        "configuration,'up','open',5,%d,%d,(SELECT night FROM experiment WHERE "
                        "id=%d),8,0,'r' FROM alert",
                        to, to, to);
    return change(fix, alert) &&
           change(fix, "INSERT INTO alert_portion(alert_id,configuration,portion,direction,"
                       "seen_experiment,reason) SELECT id,configuration,portion,direction,8,'r' "
                       "FROM alert WHERE seen_experiment=8");
}

/* By its level, which is of nights before, the sixth told a fall that began with the fifth. */
static void what_a_level_told_of_before_is_not_said_of_a_night_that_moved_back(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    assert_true(alert_of_rise(fix, 6));
    json_auto_t *both = srv_view_experiment(fix->store, 6, NULL);
    assert_non_null(strstr(text_of(both, "headline"), "Instrumentation (I) fell by "));
    assert_true(change(fix, "UPDATE alert SET to_experiment=5, to_night=(SELECT night FROM "
                            "experiment WHERE id=5) WHERE id=1"));
    for (int brief = 0; brief < 2; brief++) {
        json_auto_t *view = nights_of(fix, brief);
        const json_t *night = json_array_get(json_object_get(view, "items"), 2);
        const json_t *portion = json_array_get(json_object_get(night, "portions"), 1);
        assert_string_equal(text_of(night, "headline"),
                            "Instrumentation (I) rose, as a later measurement showed");
        assert_string_equal(text_of(portion, "words"), "rose, as a later measurement showed");
        assert_string_equal(text_of(portion, "verdict"), "ok");
        assert_null(json_object_get(portion, "standing"));
        const char *reason = text_of(portion, "reason");
        assert_non_null(strstr(reason, "I fell from ")); /* what the night told */
        assert_true(g_str_has_suffix(reason, ", until a later measurement showed that it rose"));
    }
    for (int64_t id = 1; id <= 2; id++) { /* of the fall that is another night's, of its own rise */
        const srv__arg *alert = SRV__ARGS(id);
        assert_true(srv__run(fix->store,
                             sql_text("UPDATE alert SET state='accepted' WHERE id=$1", "i"), alert,
                             NULL));
        assert_true(srv__run(fix->store,
                             sql_text("INSERT INTO alert_audit(alert_id, at_ms, new_state, "
                                      "author, reason) SELECT id, raised_ms, 'accepted', "
                                      "'x', 'y' FROM alert WHERE id=$1",
                                      "i"),
                             alert, NULL));
        json_auto_t *night = srv_view_experiment(fix->store, 6, NULL);
        json_auto_t *list = json_pack("[O]", night);
        assert_int_equal(announced_in(list), id == 2);
    }
}

/* What follows from the time of its configuration is told with that; a start is told for itself. */
static void what_follows_from_time_is_not_told_again(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    for (unsigned i = 0; i < 2; i++) {
        g_autofree char *copy = g_strdup_printf(
            "INSERT INTO alert_portion(alert_id,dimension,configuration,portion,direction,"
            "seen_experiment,before_mean_ns,difference_mean_ns,reason) SELECT alert_id,'%s',"
            "configuration,portion,direction,seen_experiment,100,-50,'r' FROM alert_portion WHERE "
            "dimension='time'",
            i ? "start_ms" : "p99_ns");
        assert_true(change(fix, copy));
    }
    bool told = false;
    json_auto_t *view = nights_of(fix, true);
    size_t i;
    json_t *row;
    json_array_foreach (json_object_get(view, "items"), i, row) {
        const char *headline = text_of(row, "headline");
        assert_null(strstr(headline, "99th percentile"));
        told = told || (strstr(headline, ", start of ") && strstr(headline, " fell by "));
    }
    assert_true(told);
}

/* "nothing changed" stood on the second result of a night that an open alert is dated to. */
static void a_night_that_is_measured_again_tells_its_change(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    const int64_t again = fix_measure_again(fix, "kieker", 6, "2013-04-06", faster),
                  other = fix_measure_again(fix, "kieker", 7, "2013-04-07", faster);
    json_auto_t *of_change = srv_view_experiment(fix->store, again, NULL);
    assert_string_equal(text_of(of_change, "headline"), "Instrumentation (I) fell on 2013-04-06");
    json_auto_t *of_other = srv_view_experiment(fix->store, other, NULL);
    assert_string_equal(text_of(of_other, "headline"), "nothing changed");
}

static size_t all_announced(fixture *fix, bool brief) {
    json_t *view = nights_of(fix, brief);
    const size_t marks = announced_in(json_object_get(view, "items"));
    json_decref(view);
    return marks;
}

/* Lists say it as the night alone does: of the night that told, and of the one it began with. */
static void an_announced_change_is_marked(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 5, level);
    fix_nights(fix, "kieker", 6, 8, faster);
    assert_int_equal(all_announced(fix, false), 0);
    assert_true(change(fix, "UPDATE alert SET state='accepted'"));
    assert_int_equal(all_announced(fix, false), 0);
    assert_true(change(fix, "INSERT INTO alert_audit(alert_id, at_ms, new_state, author, reason) "
                            "SELECT id, raised_ms, 'accepted', 'x', 'y' FROM alert"));
    const size_t marks = all_announced(fix, false);
    assert_true(marks > 0);
    assert_int_equal(all_announced(fix, true), marks);
    size_t alone = 0;
    for (int64_t id = 1; id <= 8; id++) {
        json_t *view = srv_view_experiment(fix->store, id, NULL), *list = json_pack("[o]", view);
        alone += announced_in(list);
        json_decref(list);
    }
    assert_int_equal(alone, marks);
    assert_true(change(fix, "UPDATE alert SET to_experiment=to_experiment-1 WHERE id="
                            "(SELECT min(id) FROM alert)"));
    assert_int_equal(all_announced(fix, false), 2 * marks);
}

/* "As before" is not said of the machine where the node was in use. */
static void mostly_disturbed_loops_are_told_with_the_night(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 2, level);
    assert_true(change(fix, "UPDATE loop SET disturbed=1 WHERE experiment_id=2 AND ordinal=1 AND"
                            " loop<=3"));
    assert_true(change(fix, "UPDATE loop SET failed='why' WHERE experiment_id=2 AND ordinal=2 AND"
                            " loop<=3"));
    assert_true(change(fix, "UPDATE loop SET disturbed=1 WHERE experiment_id=2 AND ordinal=3 AND"
                            " loop<=2"));
    static const char said[] = "3 of 5 loops of deactivated were disturbed or stood apart";
    for (int brief = 0; brief < 2; brief++) {
        json_auto_t *view = nights_of(fix, brief);
        const json_t *items = json_object_get(view, "items");
        assert_string_equal(text_of(json_array_get(items, 0), "disturbed"), said);
        assert_null(json_object_get(json_array_get(items, 1), "disturbed"));
    }
    json_auto_t *project = srv_view_project(fix->store, "kieker", NULL);
    assert_string_equal(text_of(json_object_get(project, "latest"), "disturbed"), said);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(brief_nights_say_the_same_in_less),
        FIX_TEST(an_announced_change_is_marked),
        FIX_TEST(mostly_disturbed_loops_are_told_with_the_night),
        FIX_TEST(a_change_is_marked_where_its_level_began),
        FIX_TEST(a_dated_night_says_what_is_known_now),
        FIX_TEST(a_change_that_somebody_denies_is_none),
        FIX_TEST(the_nights_between_say_what_is_known_now),
        FIX_TEST(what_goes_on_slowly_has_the_nights_that_told_before),
        FIX_TEST(what_a_level_told_of_before_is_not_said_of_a_night_that_moved_back),
        FIX_TEST(what_follows_from_time_is_not_told_again),
        FIX_TEST(a_night_that_is_measured_again_tells_its_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
