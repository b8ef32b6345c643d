/*
 * The members of answers, in their order: released clients read them, and an order that moves makes
 * every kept answer another one. Values are the other tests'.
 */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/store/store_sql.h"
#include "server/views/views.h"

static const double level[4] = {70, 470, 1600, 3200};
static const double dearer[4] = {70, 470, 1600, 5200};

/* "experiment commit{sha short} portions[portion mean_ns]": of a list the first item. */
static void add_members(GString *to, json_t *json) {
    bool first = true;
    for (void *at = json_object_iter(json); at; at = json_object_iter_next(json, at)) {
        json_t *value = json_object_iter_value(at);
        const char *const marks = json_is_array(value) ? "[]" : "{}";
        g_string_append_printf(to, "%s%s", first ? "" : " ", json_object_iter_key(at));
        first = false;
        json_t *inner = json_is_array(value) ? json_array_get(value, 0) : value;
        if (!json_is_object(inner))
            continue;
        g_string_append_c(to, marks[0]);
        add_members(to, inner);
        g_string_append_c(to, marks[1]);
    }
}

static void expect_members(json_t *json, const char *expected) {
    g_autoptr(GString) members = g_string_new(NULL);
    assert_non_null(json);
    add_members(members, json);
    json_decref(json);
    assert_string_equal(members->str, expected);
}

static void of_nights(void **state) {
    fixture *fix = *state;
    const srv_page page = {.limit = 1};
    fix_nights(fix, "kieker", 1, 2, level);
    expect_members(srv_view_nights(fix->store, "kieker", (srv_dates){0}, page, NULL),
                   "items[experiment job project night state reason commit{sha short author "
                   "time_ms subject} environment environment_changed accepted finished_ms "
                   "loops total{mean_ns low_ns high_ns median_ns median_low_ns median_high_ns}"
                   " release note baseline level incident portions[portion configuration "
                   "parent mean_ns low_ns high_ns median_ns median_low_ns median_high_ns "
                   "method judged{mean_ns low_ns high_ns} verdict rule direction "
                   "reference{mean_ns low_ns high_ns nights from_experiment to_experiment} "
                   "difference{mean_ns low_ns high_ns} reason confirmation] headline "
                   "configurations[name label loops mean_ns low_ns high_ns median_ns "
                   "median_low_ns median_high_ns] minimum_effect_ns minimum_effect_percent] next");
}

static void of_brief_nights(void **state) {
    fixture *fix = *state;
    const srv_page page = {.limit = 1};
    fix_nights(fix, "kieker", 1, 2, level);
    expect_members(srv_view_nights_brief(fix->store, "kieker", (srv_dates){0}, page, NULL),
                   "items[experiment job night state reason commit{sha short author time_ms "
                   "subject} environment_changed accepted total{mean_ns low_ns high_ns} "
                   "release note baseline level incident portions[portion configuration parent"
                   " mean_ns low_ns high_ns judged{low_ns high_ns} verdict direction "
                   "reference{low_ns high_ns}] headline] next");
}

static void of_columns(void **state) {
    fixture *fix = *state;
    const srv_page page = {.limit = 1};
    fix_nights(fix, "kieker", 1, 2, level);
    expect_members(srv_view_nights_columns(fix->store, "kieker", (srv_dates){0}, page, NULL),
                   "items[experiment job night state reason commit{sha short author time_ms "
                   "subject} environment_changed accepted release note baseline level incident"
                   " headline] next columns[told{} portion configuration parent mean_ns "
                   "below_ns above_ns judged_below_ns judged_above_ns reference_low_ns "
                   "reference_width_ns verdict direction nights] total{mean_ns below_ns "
                   "above_ns nights}");
}

static void of_an_experiment(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 2, level);
    expect_members(srv_view_experiment(fix->store, 1, NULL),
                   "experiment job project night state reason commit{sha short author time_ms "
                   "subject} environment environment_changed accepted finished_ms loops "
                   "total{mean_ns low_ns high_ns median_ns median_low_ns median_high_ns} "
                   "release note baseline level portions[portion configuration parent mean_ns "
                   "low_ns high_ns median_ns median_low_ns median_high_ns method "
                   "judged{mean_ns low_ns high_ns} verdict rule direction reference difference"
                   " reason confirmation accepted_in_advance joined words] headline incident "
                   "minimum_effect_ns minimum_effect_percent expectations dimensions counted node "
                   "started_ms benchmark{classpath "
                   "confidence configurations[command environment{} label name options parent "
                   "portion total_calls verify warmup_calls] driver loop_timeout_seconds loops"
                   " method_time_ns prepare prepare_timeout_seconds recursion_depth "
                   "rest_seconds threads total_calls warmup_calls} environment_detail{cpu node"
                   " detail{uptime}} ended_early raw_removed log previous next preparation counts "
                   "environment_change configurations[name label loops mean_ns low_ns high_ns "
                   "median_ns median_low_ns median_high_ns statistics{n mean_ns sd_ns low_ns "
                   "high_ns min_ns q1_ns median_ns q3_ns max_ns calls_low_ns calls_high_ns} "
                   "loop_results[loop position started_ms seconds disturbed failed used calls "
                   "warmup_calls summary{n mean_ns sd_ns min_ns q1_ns median_ns q3_ns max_ns} "
                   "calls_per_second readings{load1} raw{sha256 bytes uncompressed_bytes url "
                   "calls_url}]] doubts");
}

static void of_an_alert(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 6, level);
    fix_nights(fix, "kieker", 7, 9, dearer);
    expect_members(
        srv_view_alert(fix->store, 1, NULL),
        "id project branch portion configuration dimension direction state raised_ms level "
        "aged before{mean_ns low_ns high_ns} after{mean_ns low_ns high_ns} "
        "difference{mean_ns low_ns high_ns percent} reason fixed_by commits nights "
        "confirmation from{commit{sha short author time_ms subject} night "
        "experiment} to{commit{sha short author time_ms subject} night experiment} "
        "until{commit{sha short author time_ms subject} night experiment} "
        "audit[at_ms from to author reason] bisection explanation portions[portion "
        "configuration dimension direction before{mean_ns low_ns high_ns} after{mean_ns "
        "low_ns high_ns} difference{mean_ns low_ns high_ns percent} reason fixed_by"
        " confirmation counted headline sentence] branches counted headline "
        "sentence repeat");
}

static void of_a_job(void **state) {
    fixture *fix = *state;
    fix_nights(fix, "kieker", 1, 1, level);
    expect_members(srv_view_job(fix->store, 1, NULL),
                   "id project kind priority state night commit{sha short author time_ms "
                   "subject} before trial attempts node queued_ms started_ms finished_ms error"
                   " experiment progress waiting unmatched_labels log");
}

int main(void) {
    const struct CMUnitTest tests[] = {FIX_TEST(of_nights),   FIX_TEST(of_brief_nights),
                                       FIX_TEST(of_columns),  FIX_TEST(of_an_experiment),
                                       FIX_TEST(of_an_alert), FIX_TEST(of_a_job)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
