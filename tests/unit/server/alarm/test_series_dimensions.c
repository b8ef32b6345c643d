/* Dimensions beside time go through the same watch, the same trial and the same alert. */
#include "trials.h"

#include "config/json_text.h"
#include "server/alarm/baselines.h"
#include "server/alarm/expectations.h"
#include "server/alarm/series.h"
#include "tests/unit/server/sql_text.h"

/* Of a configuration's processes in a night, ms and MB; lost: of a hundred records. */
typedef struct {
    double cpu_ms[4], peak_mb[4], lost;
    bool exact;        /* the same in all loops */
    double writing_ms; /* start of W's configuration; 0: nobody tells one */
    double writer;     /* per cent of a processor of W's thread; 0: nobody looked */
    int tail;          /* calls that say their 99th percentile; 0: they do not */
    bool uneven;       /* each of five loops loses another share */
} used;

static const used usual = {{100, 110, 130, 160}, {20, 22, 25, 30}, 0, false, 0, 4, 0, false};
static const used busier = {{100, 110, 130, 210}, {20, 22, 25, 30}, 0, false, 0, 42, 0, false};
static const used both = {{100, 110, 130, 210}, {20, 22, 25, 38}, 0, false, 0, 0, 0, false};
static const double dearer_writing[4] = {70, 470, 1600, 4000};
static const used lossy = {{100, 110, 130, 160}, {20, 22, 25, 30}, 2, false, 0, 0, 0, false};

static size_t place_of(const char *configuration) {
    static const char *const names[] = {"none", "deactivated", "collecting", "writing"};
    size_t c = 0;
    while (c < 3 && !g_str_equal(names[c], configuration))
        c++;
    return c;
}

/* What its loops used; before: of the older commit, NULL in a night. */
static void use(json_t *body, const used *now, const used *older, const char *commit) {
    static const double off[] = {0.004, -0.012, 0.006, -0.003, 0.005};
    size_t i;
    json_t *loop;
    json_array_foreach (json_object_get(body, "loops"), i, loop) {
        const bool old = older && g_strcmp0(text_of(loop, "commit"), commit) != 0;
        const used *u = old ? older : now;
        const size_t c = place_of(text_of(loop, "configuration"));
        const double factor = u->exact ? 1 : 1 + off[(i * 3 + i / 7) % G_N_ELEMENTS(off)];
        json_t *readings = json_object_get(loop, "readings");
        json_object_set_new(readings, "process",
                            json_pack("{s:f, s:f}", "cpu_ms", u->cpu_ms[c] * factor, "peak_mb",
                                      u->peak_mb[c] * factor));
        json_t *summary = json_object_get(loop, "summary");
        if (u->tail > 0) {
            json_object_set(summary, "p99_ns", json_object_get(summary, "q3_ns"));
            fix_calls(loop, u->tail);
        }
        if (u->writer > 0 && c == 3)
            json_object_set_new(readings, "course",
                                json_pack("{s:{s:f, s:f}}", "threads", "main",
                                          99.0 - u->writer / 10, "kieker-writer", u->writer));
        if (u->writing_ms > 0) { /* others on the machine slow three of five */
            const double start_ms = c == 3 ? u->writing_ms : 60;
            const double slowed = i / 4 % 5 < 3 ? 1.15 + 0.1 * (double)(i % 7) : factor;
            json_object_set_new(readings, "harness",
                                json_pack("{s:f}", "start_ms", start_ms * slowed));
        }
        const double share = u->uneven ? 0.6 + 0.2 * (double)(i / 4 % 5) : 1;
        if (c == 3)
            json_object_set_new(readings, "verify",
                                json_pack("{s:i, s:i}", "records",
                                          100000 - (int)(1000 * share * u->lost), "expected",
                                          100000));
    }
}

static void queue(fixture *fix, int day, srv_kind kind) {
    g_autofree char *date = g_strdup_printf("2013-04-%02d", day);
    fix->now_ms += 3600000;
    fix_add(fix, "kieker", day, date, kind);
}

static int64_t measure(fixture *fix, const double means[4], const used *u) {
    json_t *leased = fix_lease(fix), *body = fix_result(fix, leased, means);
    use(body, u, NULL, NULL);
    return fix_ingest(fix, leased, body);
}

static int64_t night_of(fixture *fix, int day, const double means[4], const used *u) {
    queue(fix, day, SRV_KIND_NIGHTLY);
    return measure(fix, means, u);
}

static int64_t changed(fixture *fix, const double means[4], const used *u) {
    for (int day = 1; day <= 9; day++)
        night_of(fix, day, before, &usual);
    return night_of(fix, 10, means, u);
}

/* Answers the jobs of trials until there are none; how many there were. */
static int answer(fixture *fix, const double means[4], const used *now, const used *older) {
    int jobs = 0;
    for (json_t *leased; (leased = fix_lease(fix)); jobs++) {
        json_t *body = fix_trial(fix, leased, before, means);
        use(body, now, older, text_of(json_object_get(leased, "job"), "commit"));
        fix_ingest(fix, leased, body);
    }
    return jobs;
}

static json_t *only_alert(fixture *fix) {
    assert_int_equal(alerts(fix), 1);
    return srv_view_alert(fix->store, 1, NULL);
}

static const json_t *dimension_of(const json_t *night, const char *name) {
    size_t i;
    json_t *one;
    json_array_foreach (json_object_get(night, "dimensions"), i, one)
        if (g_str_equal(text_of(one, "dimension"), name))
            return one;
    return NULL;
}

/* What is said of a portion, in the order of the chain: its "verdict", its "reason". */
static const char *of_count(const json_t *night, const char *dimension, size_t portion,
                            const char *key) {
    const json_t *portions = json_object_get(dimension_of(night, dimension), "portions");
    return text_of(json_array_get(portions, portion), key);
}

static const char *verdict_of(const json_t *night, const char *dimension, size_t portion) {
    return of_count(night, dimension, portion, "verdict");
}

/* The time of a call is as before: a thread in the background eats processor. */
static void a_dimension_is_told_the_same_night(void **state) {
    fixture *fix = *state;
    const int64_t seen = changed(fix, before, &busier);
    json_auto_t *waiting = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(verdict_of(waiting, "cpu_ms", 3), "suspect");
    assert_string_equal(verdict_of(waiting, "peak_mb", 3), "ok");
    assert_string_equal(text_of(waiting, "headline"),
                        "processor time of a process of Writing (W) may have risen");
    assert_int_equal(alerts(fix), 0);
    assert_true(answer(fix, before, &busier, &usual) > 0);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "dimension"), "cpu_ms");
    assert_string_equal(text_of(alert, "portion"), "W");
    assert_true(g_str_has_prefix(text_of(alert, "headline"),
                                 "processor time of a process of Writing (W) rose by "));
    assert_non_null(strstr(text_of(alert, "sentence"), " ms to "));
    assert_true(g_str_has_suffix(text_of(alert, "headline"), " % (thread kieker-writer)"));
    assert_true(g_str_has_suffix(text_of(alert, "sentence"), " (thread kieker-writer)"));
    const json_t *part = json_array_get(json_object_get(alert, "portions"), 0);
    assert_string_equal(text_of(part, "thread"), "kieker-writer");
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 1);
    assert_int_equal(number_of(json_object_get(alert, "to"), "experiment"), seen);
    json_auto_t *told = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(verdict_of(told, "cpu_ms", 3), "anomaly");
    assert_string_equal(text_of(told, "headline"),
                        "processor time of a process of Writing (W) rose");
    assert_string_equal(text_of(json_array_get(json_object_get(told, "dimensions"), 0), "threads"),
                        "writing: main 94.8 %, kieker-writer 42 %");
    json_auto_t *project = srv_view_project(fix->store, "kieker", NULL);
    assert_true(json_is_false(json_object_get(project, "clear")));
    assert_true(g_str_has_suffix(text_of(project, "quiet"),
                                 "; processor time of a process of Writing (W) rose"));
    for (int day = 11; day <= 14; day++)
        night_of(fix, day, before, &busier);
    assert_int_equal(alerts(fix), 1);
    assert_true(srv_alert_set(fix->store, 1, "false", "ada", "a backup", fix->now_ms, NULL));
    json_auto_t *denied = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(verdict_of(denied, "cpu_ms", 3), "ok");
    assert_string_equal(of_count(denied, "cpu_ms", 3, "words"), "no change here, as somebody said");
}

static const char *words_of(const json_t *night, size_t portion) {
    const json_t *cpu = json_array_get(json_object_get(night, "dimensions"), 0);
    return cfg_json_word(json_array_get(json_object_get(cpu, "portions"), portion), "words", NULL);
}

/* What nobody measures again is in question, as a portion's time is: headline, table and overview
 * say so. What moved with the control has its words, too. */
static void what_may_have_risen_is_told(void **state) {
    fixture *fix = *state;
    int64_t seen = 0;
    for (int day = 1; day <= 9; day++)
        seen = night_of(fix, day, before, &usual);
    static const char *const puts[] = {
        "UPDATE dimension SET rule='pending', direction='up' WHERE dimension='cpu_ms' AND"
        " ordinal=3 AND experiment_id=$1",
        "UPDATE dimension SET verdict='environment', rule='control-moved', direction='down' WHERE"
        " dimension='cpu_ms' AND ordinal=2 AND experiment_id=$1"};
    for (size_t i = 0; i < G_N_ELEMENTS(puts); i++)
        assert_true(srv__run(fix->store, sql_text(puts[i], "i"), SRV__ARGS(seen), NULL));
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(text_of(night, "headline"),
                        "processor time of a process of Writing (W) may have risen");
    assert_string_equal(words_of(night, 3), "may have risen");
    assert_string_equal(words_of(night, 2), "the control moved");
    assert_null(words_of(night, 1));
    json_auto_t *project = srv_view_project(fix->store, "kieker", NULL);
    assert_true(json_is_false(json_object_get(project, "clear")));
    assert_string_equal(text_of(project, "quiet"),
                        "? processor time of a process of Writing (W) may have risen");
}

static char *beside_asked_of(fixture *fix, int64_t experiment) {
    g_auto(cfg_night) night = {0};
    assert_true(srv_experiment_read(fix->store, experiment, &night, NULL));
    assert_true(night.beside_doubtful);
    return g_steal_pointer(&night.beside_asked);
}

/* What is asked beside time is no change that is told. */
static void what_stands_is_kept_apart(void **state) {
    fixture *fix = *state;
    const int64_t seen = changed(fix, before, &busier);
    assert_true(answer(fix, before, &busier, &usual) > 0);
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE dimension SET rule='pending', direction='up' WHERE "
                                  "dimension='cpu_ms' AND ordinal=2 AND experiment_id=$1",
                                  "i"),
                         SRV__ARGS(seen), NULL));
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(text_of(night, "headline"),
                        "processor time of a process of Writing (W) rose, processor time of a "
                        "process of Collection (C) may have risen");
    g_autofree char *asked = beside_asked_of(fix, seen);
    assert_string_equal(asked, "processor time of a process of Collection (C) may have risen");
    /* what is not taken apart is the configuration's, as its alert says */
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE alert_portion SET portion=configuration WHERE "
                                  "dimension='cpu_ms' AND alert_id>$1",
                                  "i"),
                         SRV__ARGS(0), NULL));
    json_auto_t *whole = srv_view_experiment(fix->store, seen, NULL);
    assert_true(g_str_has_prefix(text_of(whole, "headline"),
                                 "processor time of a process of writing rose, "));
}

/* A later night told of it: that of its date says so, and each until then. */
static void what_began_before_is_told_of_its_nights(void **state) {
    static const char *const told[] = {"rose, as a later measurement showed",
                                       "rose on 2013-04-08, as a later measurement showed",
                                       "rose on 2013-04-08"};
    fixture *fix = *state;
    const int64_t seen = changed(fix, before, &busier);
    assert_true(answer(fix, before, &busier, &usual) > 0);
    assert_true(srv__run(
        fix->store,
        sql_text("UPDATE alert SET from_experiment=$1, to_experiment=$2, to_night='2013-04-08'",
                 "ii"),
        SRV__ARGS(seen - 3, seen - 2), NULL));
    for (int64_t i = 0; i < 3; i++) {
        g_autofree char *wanted =
            g_strconcat("processor time of a process of Writing (W) ", told[i], NULL);
        json_auto_t *night = srv_view_experiment(fix->store, seen - 2 + i, NULL);
        assert_string_equal(text_of(night, "headline"), wanted);
        if (i == 2)
            continue;
        assert_string_equal(words_of(night, 3), "rose, as a later measurement showed");
        assert_true(g_str_has_suffix(of_count(night, "cpu_ms", 3, "reason"),
                                     ", until a later measurement showed that it rose"));
    }
    json_auto_t *before_it = srv_view_experiment(fix->store, seen - 3, NULL);
    assert_string_equal(text_of(before_it, "headline"), "nothing changed");
}

/* What befell several alike is told once. */
static void what_several_have_is_told_once(void **state) {
    fixture *fix = *state;
    int64_t seen = 0;
    for (int day = 1; day <= 9; day++)
        seen = night_of(fix, day, before, &usual);
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE dimension SET rule='pending', direction='up' WHERE "
                                  "dimension='cpu_ms' AND ordinal>1 AND experiment_id=$1",
                                  "i"),
                         SRV__ARGS(seen), NULL));
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(text_of(night, "headline"),
                        "processor time of a process of 2 portions may have risen");
}

/* Whatever others on the machine add to most loops: the fastest ones say that it takes a tenth
 * more. */
static void a_start_is_judged_by_its_fastest_loops(void **state) {
    fixture *fix = *state;
    used now = usual, then = usual;
    then.writing_ms = 600;
    now.writing_ms = 660;
    for (int day = 1; day <= 9; day++)
        night_of(fix, day, before, &then);
    assert_null(fix_lease(fix));
    const int64_t seen = night_of(fix, 10, before, &now);
    assert_true(answer(fix, before, &now, &then) > 0);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "dimension"), "start_ms");
    assert_string_equal(text_of(alert, "portion"), "W");
    assert_int_equal(number_of(json_object_get(alert, "to"), "experiment"), seen);
}

/* Of a project that wants times alone: the same night asks nothing. */
static void who_wants_times_alone_is_told_of_times(void **state) {
    fixture *fix = *state;
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE project SET detection=replace(detection, "
                                  "'\"dimensions\":true', '\"dimensions\":false')",
                                  ""),
                         SRV__NO_ARGS, NULL));
    const int64_t seen = changed(fix, before, &busier);
    json_auto_t *night_view = srv_view_experiment(fix->store, seen, NULL);
    assert_null(verdict_of(night_view, "cpu_ms", 3));
    assert_int_equal(alerts(fix), 0);
}

static void what_is_not_there_again_is_cleared(void **state) {
    fixture *fix = *state;
    const int64_t seen = changed(fix, before, &busier);
    assert_true(answer(fix, before, &usual, &usual) > 0);
    assert_int_equal(alerts(fix), 0);
    json_auto_t *night_view = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(verdict_of(night_view, "cpu_ms", 3), "cleared");
}

/* Two dimensions are asked in one trial, and told in one alert, the worst first. */
static void one_night_is_one_alert(void **state) {
    fixture *fix = *state;
    (void)changed(fix, before, &both);
    json_t *leased = fix_lease(fix);
    json_auto_t *job = srv_view_job(fix->store, job_id(leased), NULL);
    const json_t *asked = json_object_get(json_object_get(job, "trial"), "questions");
    assert_int_equal(json_array_size(asked), 2);
    assert_string_equal(text_of(json_array_get(asked, 0), "dimension"), "cpu_ms");
    assert_string_equal(text_of(json_array_get(asked, 1), "dimension"), "peak_mb");
    json_t *body = fix_trial(fix, leased, before, before);
    use(body, &both, &usual, text_of(json_object_get(leased, "job"), "commit"));
    fix_ingest(fix, leased, body);
    (void)answer(fix, before, &both, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 2);
    assert_non_null(
        strstr(text_of(alert, "headline"), "processor time of a process of Writing (W) rose by "));
    assert_non_null(strstr(text_of(alert, "headline"), ", peak memory of Writing (W) rose by "));
}

/* Of W, from the ninth night to the tenth. */
static srv__anomaly anomaly_of(const char *dimension, double rise, double weight) {
    return (srv__anomaly){.configuration = 3,
                          .configuration_name = "writing",
                          .portion = "W",
                          .dimension = dimension,
                          .weight = weight,
                          .direction = 1,
                          .from = 9,
                          .to = 10,
                          .seen = 10,
                          .before = {.mean = 100, .low = 99, .high = 101},
                          .after = {.mean = 100 + rise, .low = 99 + rise, .high = 101 + rise},
                          .difference = {.mean = rise, .low = rise - 2, .high = rise + 2},
                          .reason = "it rose"};
}

static void tell(fixture *fix, const srv__anomaly *of, guint count) {
    g_autoptr(GArray) anomalies = g_array_new(FALSE, FALSE, sizeof *of);
    g_array_append_vals(anomalies, of, count);
    assert_true(srv__begin(fix->store, NULL));
    assert_true(
        srv__end(fix->store, srv__alerts_add(fix->store, 1, anomalies, fix->now_ms, NULL), NULL));
}

/* The tail was told first, and time, which was measured again for longer, is worse. */
static void what_joins_and_is_worse_leads(void **state) {
    fixture *fix = *state;
    (void)changed(fix, before, &usual);
    const srv__anomaly found[] = {anomaly_of("p99_ns", 20, 2), anomaly_of("time", 250, 30)};
    tell(fix, found, 1);
    json_auto_t *first = only_alert(fix);
    assert_string_equal(text_of(first, "dimension"), "p99_ns");
    tell(fix, found, 2);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "dimension"), "time");
    assert_string_equal(text_of(alert, "headline"), "Writing (W) rose by 250 %");
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 2);
}

/* A later call has only what it found: C, which changed by less, and then T, by more. */
static void what_joins_alone_leads_where_it_is_worse(void **state) {
    fixture *fix = *state;
    (void)changed(fix, before, &usual);
    const srv__anomaly first = anomaly_of("time", 250, 30);
    srv__anomaly joins = anomaly_of("time", 60, 7);
    joins.configuration = 2;
    joins.configuration_name = "collecting";
    joins.portion = "C";
    tell(fix, &first, 1);
    tell(fix, &joins, 1);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "portion"), "W");
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 2);
    joins.portion = "T";
    joins.configuration = 0;
    joins.configuration_name = "none";
    joins.difference.mean = 300;
    tell(fix, &joins, 1);
    json_auto_t *worse = only_alert(fix);
    assert_string_equal(text_of(worse, "portion"), "T");
}

/* Memory may be the same to a byte in every loop and night: then nothing is told, and 8 MB are. */
static void what_never_scatters_is_watched(void **state) {
    fixture *fix = *state;
    used exact = usual, more = both;
    exact.exact = more.exact = true;
    for (int i = 0; i < 4; i++)
        more.cpu_ms[i] = exact.cpu_ms[i];
    for (int day = 1; day <= 12; day++)
        night_of(fix, day, before, &exact);
    assert_null(fix_lease(fix));
    const int64_t seen = night_of(fix, 13, before, &more);
    assert_true(answer(fix, before, &more, &exact) > 0);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "dimension"), "peak_mb");
    assert_int_equal(number_of(json_object_get(alert, "to"), "experiment"), seen);
}

/* C stands on what failed, W on C: of C nobody can tell, and W is judged. */
static void what_has_both_its_configurations_is_judged(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 6; day++)
        night_of(fix, day, before, &usual);
    queue(fix, 7, SRV_KIND_NIGHTLY);
    json_t *leased = fix_lease(fix), *body = fix_result(fix, leased, before);
    json_t *loops = json_object_get(body, "loops");
    use(body, &usual, NULL, NULL);
    for (size_t i = json_array_size(loops); i-- > 0;)
        if (place_of(text_of(json_array_get(loops, i), "configuration")) == 1)
            json_array_remove(loops, i);
    json_auto_t *night = srv_view_experiment(fix->store, fix_ingest(fix, leased, body), NULL);
    const json_t *portions = json_object_get(dimension_of(night, "cpu_ms"), "portions");
    assert_int_equal(json_array_size(portions), 3); /* of I there is nothing */
    assert_string_equal(text_of(json_array_get(portions, 1), "portion"), "C");
    assert_true(json_is_null(json_object_get(json_array_get(portions, 1), "mean")));
    assert_true(json_is_real(json_object_get(json_array_get(portions, 1), "total")));
    assert_string_equal(of_count(night, "cpu_ms", 1, "reason"),
                        "processor time of a process of C is not judged on 2013-04-07: Deactivated "
                        "has no result");
    assert_string_equal(of_count(night, "cpu_ms", 2, "portion"), "W");
    assert_string_equal(verdict_of(night, "cpu_ms", 2), "ok");
}

/* A call that takes longer takes more processor: that is asked once, and told once. */
static void what_follows_from_time_is_asked_with_it(void **state) {
    static const double dearer[4] = {70, 470, 1600, 4000};
    fixture *fix = *state;
    (void)changed(fix, dearer, &busier);
    json_t *leased = fix_lease(fix);
    json_auto_t *job = srv_view_job(fix->store, job_id(leased), NULL);
    const json_t *asked = json_object_get(json_object_get(job, "trial"), "questions");
    assert_int_equal(json_array_size(asked), 1);
    assert_string_equal(text_of(json_array_get(asked, 0), "dimension"), "time");
    json_t *body = fix_trial(fix, leased, before, dearer);
    use(body, &busier, &usual, text_of(json_object_get(leased, "job"), "commit"));
    fix_ingest(fix, leased, body);
    (void)answer(fix, dearer, &busier, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "dimension"), "time");
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 2);
    assert_null(strstr(text_of(alert, "headline"), "processor"));
    assert_non_null(
        strstr(text_of(alert, "sentence"), "; processor time of a process of Writing (W) rose "));
    for (int day = 11; day <= 14; day++)
        night_of(fix, day, dearer, &busier);
    assert_null(fix_lease(fix));
    assert_int_equal(alerts(fix), 1);
}

/* Two calls take longer, and more processor: each was measured again, and none is less sure. */
static void what_follows_from_each_time_is_told(void **state) {
    static const double dearer[4] = {70, 600, 1930, 3530};
    static const used more = {{100, 140, 190, 220}, {20, 22, 25, 30}, 0, false, 0, 0, 0, false};
    fixture *fix = *state;
    const int64_t seen = changed(fix, dearer, &more);
    (void)answer(fix, dearer, &more, &usual);
    json_auto_t *alert = only_alert(fix), *night = srv_view_experiment(fix->store, seen, NULL);
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 4);
    assert_string_equal(verdict_of(night, "cpu_ms", 1), "anomaly");
    assert_string_equal(verdict_of(night, "cpu_ms", 2), "anomaly");
}

/* What was not measured again, since its commit cannot be built any more, is not told as if it
 * was. */
static void what_follows_from_a_believed_time_says_so(void **state) {
    static const double dearer[4] = {70, 470, 1600, 4000};
    fixture *fix = *state;
    const int64_t seen = changed(fix, dearer, &busier);
    for (json_t *leased; (leased = fix_lease(fix)); json_decref(leased)) {
        json_auto_t *body =
            json_pack("{s:s, s:s, s:s, s:s, s:b}", "lease", text_of(leased, "lease"), "phase",
                      "prepare", "reason", "make: exit status 2", "log", "", "retry", 0);
        assert_true(
            srv_queue_failure(fix->store, &fix_rules, job_id(leased), body, fix->now_ms, NULL));
    }
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(verdict_of(night, "cpu_ms", 3), "anomaly");
    assert_true(g_str_has_suffix(of_count(night, "cpu_ms", 3, "reason"),
                                 "; with the time of a call, which was not measured again"));
}

/* A call takes less time and more processor: the answer about its time says nothing of that. */
static void what_goes_against_time_is_asked_by_itself(void **state) {
    static const double cheaper[4] = {70, 470, 1600, 2400};
    fixture *fix = *state;
    int64_t asked;
    (void)changed(fix, cheaper, &busier);
    (void)answer(fix, cheaper, &busier, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 2);
    assert_true(srv__number(fix->store,
                            sql_text("SELECT count(*) FROM question WHERE dimension='cpu_ms' AND "
                                     "state='yes'",
                                     ""),
                            SRV__NO_ARGS, 0, &asked, NULL));
    assert_int_equal(asked, 1);
}

/* The commit of the last night announces so much, and no change is too large for that. */
static void announce(fixture *fix, const char *text) {
    GError *error = NULL;
    json_auto_t *list =
        json_pack("[{s:i, s:s, s:{s:s, s:s, s:s, s:s, s:I}}]", "place", 10, "text", text, "commit",
                  "sha", fix_sha(10), "author", "Ada", "author_email", "Ada@example.org", "subject",
                  "a thread", "time_ms", (json_int_t)10000);
    static const char *const settings[] = {
        "UPDATE revision SET place=id",
        "UPDATE project SET detection=replace(detection, '\"announced_percent\":50', "
        "'\"announced_percent\":9000')"};
    for (size_t i = 0; i < G_N_ELEMENTS(settings); i++)
        assert_true(srv__run(fix->store, sql_text(settings[i], ""), SRV__NO_ARGS, NULL));
    if (!srv_expectations_take(fix->store, "kieker", list, false, &error))
        fail_msg("%s", error->message);
}

/* Who announces that everything may take 500 ns more says nothing of 48 ms of processor. */
static void nobody_announces_what_is_beside_time(void **state) {
    fixture *fix = *state;
    (void)changed(fix, before, &busier);
    announce(fix, "* +500ns more");
    (void)answer(fix, before, &busier, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "state"), "open");
}

static void what_follows_from_an_announced_time_is_announced(void **state) {
    fixture *fix = *state;
    (void)changed(fix, dearer_writing, &busier);
    announce(fix, "W +900ns more");
    (void)answer(fix, dearer_writing, &busier, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 2);
    assert_string_equal(text_of(alert, "state"), "accepted");
}

/* W takes more time and more processor from the tenth night on, which one alert tells. */
static void both_told(fixture *fix) {
    (void)changed(fix, dearer_writing, &busier);
    (void)answer(fix, dearer_writing, &busier, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_int_equal(json_array_size(json_object_get(alert, "portions")), 2);
    for (int day = 11; day <= 14; day++)
        night_of(fix, day, dearer_writing, &busier);
}

static int64_t said(fixture *fix, const char *on) {
    const srv_baseline level = {.alert = 1, .night = on, .reason = "noise", .author = "ada"};
    GError *error = NULL;
    int64_t id = 0;
    if (!srv_baseline_set(fix->store, "kieker", &level, fix->now_ms, &id, &error))
        fail_msg("%s", error->message);
    return id;
}

/* What a person took back came again under its number, with the processor time. */
static void a_removed_level_is_not_told_in_another_dimension(void **state) {
    fixture *fix = *state;
    both_told(fix);
    const int64_t id = said(fix, NULL);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "state"), "withdrawn");
    json_auto_t *night = srv_view_experiment(fix->store, 10, NULL);
    assert_string_equal(verdict_of(night, "cpu_ms", 3), "ok");
    assert_true(srv_baseline_undo(fix->store, id, "ada", "it is there", fix->now_ms, NULL));
    json_auto_t *again = only_alert(fix);
    assert_string_equal(text_of(again, "state"), "open");
    assert_int_equal(json_array_size(json_object_get(again, "portions")), 2);
}

/* The processor time of a moved alert had an alert of its own, at the night where it was. */
static void a_moved_level_is_moved_in_each_dimension(void **state) {
    fixture *fix = *state;
    both_told(fix);
    (void)said(fix, "2013-04-12");
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(json_object_get(alert, "to"), "night"), "2013-04-12");
    json_auto_t *began = srv_view_experiment(fix->store, 12, NULL);
    assert_string_equal(verdict_of(began, "cpu_ms", 3), "first");
}

/* I is cheaper, and W loses two of a hundred records: a share is told at once, and by itself. */
static void lost_records_are_told(void **state) {
    fixture *fix = *state;
    const int64_t seen = changed(fix, before, &lossy);
    json_auto_t *night_view = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(verdict_of(night_view, "lost_percent", 0), "anomaly");
    assert_string_equal(text_of(night_view, "counted"), "W +2.00 % of records lost");
    assert_true(srv__run(fix->store,
                         sql_text("UPDATE dimension SET dimension='bytes', verdict='anomaly', "
                                  "before_mean=1, before_low=1, before_high=1 WHERE "
                                  "experiment_id=10 AND dimension='peak_mb' AND portion='C'",
                                  ""),
                         SRV__NO_ARGS, NULL));
    json_auto_t *several = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(text_of(several, "headline"), "counts of 2 portions moved, W +2.00 % of "
                                                      "records lost, nothing else changed");
}

/* C takes more processor, which the alert says; beside it W loses records, which is told alone. */
static void what_an_alert_tells_is_not_told_as_a_count(void **state) {
    static const used mixed = {{100, 110, 180, 210}, {20, 22, 25, 30}, 2, false, 0, 0, 0, false};
    fixture *fix = *state;
    const int64_t seen = changed(fix, before, &mixed);
    (void)answer(fix, before, &mixed, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "dimension"), "cpu_ms");
    json_auto_t *told = srv_view_counted(fix->store, seen, NULL);
    assert_string_equal(text_of(told, "headline"), "W +2.00 % of records lost");
    assert_string_equal(text_of(told, "portion"), "W");
    assert_int_equal(json_array_size(json_object_get(told, "portions")), 1);
}

static void cheaper_and_lossy_is_no_improvement(void **state) {
    static const double cheaper[4] = {70, 470, 1600, 2400};
    fixture *fix = *state;
    const int64_t seen = changed(fix, cheaper, &lossy);
    (void)answer(fix, cheaper, &lossy, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "direction"), "down");
    assert_true(g_str_has_suffix(text_of(alert, "headline"), ", but W +2.00 % of records lost"));
    assert_true(g_str_has_suffix(text_of(alert, "sentence"), ": this is no improvement"));
    assert_true(json_is_null(json_object_get(alert, "counted"))); /* it was said twice */
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    const json_t *w = json_array_get(json_object_get(night, "portions"), 3);
    assert_string_equal(text_of(w, "lost"), "W +2.00 % of records lost");
    assert_true(g_str_has_suffix(text_of(w, "reason"), ": this is no improvement"));
    assert_true(g_str_has_prefix(text_of(night, "headline"), "Writing (W) fell by "));
    assert_non_null(strstr(text_of(night, "headline"), " %, but W +2.00 % of records lost"));
}

static void dearer_and_lossy_says_both_once(void **state) {
    static const double dearer[4] = {70, 470, 1600, 3600};
    fixture *fix = *state;
    (void)changed(fix, dearer, &lossy);
    (void)answer(fix, dearer, &lossy, &usual);
    json_auto_t *alert = only_alert(fix);
    const json_t *w = json_array_get(json_object_get(alert, "portions"), 0);
    assert_string_equal(text_of(alert, "direction"), "up");
    assert_true(g_str_has_suffix(text_of(alert, "sentence"), "); W +2.00 % of records lost"));
    assert_true(json_is_null(json_object_get(alert, "counted")));
    assert_string_equal(text_of(w, "counted"), "W +2.00 % of records lost");
}

/* "C fell by 8.33 %" hid that W had begun to lose records: no improvement is in doubt by what
 * another configuration loses, and none hides it. */
static void what_another_one_loses_is_told_beside(void **state) {
    static const double cheaper[4] = {70, 470, 1300, 2900};
    fixture *fix = *state;
    const int64_t seen = changed(fix, cheaper, &lossy);
    (void)answer(fix, cheaper, &lossy, &usual);
    json_auto_t *alert = only_alert(fix), *night = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(text_of(alert, "portion"), "C");
    assert_true(g_str_has_suffix(text_of(alert, "headline"), " %, W +2.00 % of records lost"));
    assert_true(g_str_has_suffix(text_of(alert, "sentence"), "); W +2.00 % of records lost"));
    assert_string_equal(text_of(night, "lost"), "W +2.00 % of records lost");
    assert_true(g_str_has_prefix(text_of(night, "headline"), "Collection (C) fell by "));
    assert_true(g_str_has_suffix(text_of(night, "headline"), " %, W +2.00 % of records lost"));
}

/* Each loop loses some, and one of them thrice as much as another: too little to tell of the loss
 * alone, and too much to call it an improvement. */
static void cheaper_and_unevenly_lossy_is_no_improvement(void **state) {
    static const double cheaper[4] = {70, 470, 1600, 2400};
    fixture *fix = *state;
    used uneven = lossy;
    uneven.uneven = true;
    const int64_t seen = changed(fix, cheaper, &uneven);
    (void)answer(fix, cheaper, &uneven, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_true(g_str_has_suffix(text_of(alert, "headline"), ", but W +2.00 % of records lost"));
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(verdict_of(night, "lost_percent", 0), "ok");
    assert_non_null(strstr(text_of(night, "headline"), " %, but W +2.00 % of records lost"));
}

/* Cheaper, and fewer are lost than before. */
static void cheaper_and_surer_is_an_improvement(void **state) {
    static const double cheaper[4] = {70, 470, 1600, 2400};
    fixture *fix = *state;
    for (int day = 1; day <= 9; day++)
        night_of(fix, day, before, &lossy);
    const int64_t seen = night_of(fix, 10, cheaper, &usual);
    (void)answer(fix, cheaper, &usual, &lossy);
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    assert_true(g_str_has_prefix(text_of(night, "headline"), "Writing (W) fell by "));
    assert_null(strstr(text_of(night, "headline"), "but"));
}

static void in_records(fixture *fix) {
    static char unit[] = "records/s";
    cfg_project *project = fix_project("kieker");
    for (unsigned i = 0; i < project->benchmark.configurations_count; i++) {
        project->benchmark.configurations[i].unit = unit;
        project->benchmark.configurations[i].higher = true;
    }
    fix_sync_only(fix, project);
}

/* More of a rate, as fewer of its records arrive; what follows it is believed with a value that is
 * no time. */
static void a_rate_that_loses_more_is_no_improvement(void **state) {
    static const double more[4] = {70, 470, 1600, 4000};
    static const used busy = {{100, 110, 130, 210}, {20, 22, 25, 30}, 2, false, 0, 0, 0, false};
    fixture *fix = *state;
    in_records(fix);
    const int64_t seen = changed(fix, more, &busy);
    (void)answer(fix, more, &busy, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "direction"), "up");
    assert_true(g_str_has_suffix(text_of(alert, "headline"), ", but W +2.00 % of records lost"));
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    assert_non_null(strstr(text_of(night, "headline"), " %, but W +2.00 % of records lost"));
    size_t i, followed = 0;
    const json_t *part;
    json_array_foreach (json_object_get(alert, "portions"), i, part) {
        const bool time = g_str_equal(text_of(part, "dimension"), "time");
        followed += !time && strstr(text_of(part, "reason"),
                                    "with its value in records/s, which was measured again");
    }
    assert_int_equal(followed, 1);
}

/* A writer that drops its records needs less of the processor, too. */
static void idle_and_lossy_is_no_improvement(void **state) {
    static const used idle = {{100, 110, 130, 140}, {20, 22, 25, 30}, 2, false, 0, 0, 0, false};
    fixture *fix = *state;
    const int64_t seen = changed(fix, before, &idle);
    (void)answer(fix, before, &idle, &usual);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "dimension"), "cpu_ms");
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(text_of(night, "headline"),
                        "processor time of a process of Writing (W) fell, "
                        "but W +2.00 % of records lost");
    assert_true(g_str_has_suffix(text_of(alert, "headline"), ", but W +2.00 % of records lost"));
    assert_true(g_str_has_suffix(text_of(alert, "sentence"), ": this is no improvement"));
    assert_true(json_is_null(json_object_get(alert, "counted")));
}

/* Of several falls the loss is said once, also where a later night told of them; beside that of
 * another configuration it stands by itself. */
static void a_loss_is_told_of_its_own_fall(void **state) {
    static const used idle = {{100, 110, 130, 140}, {20, 22, 25, 18}, 2, false, 0, 0, 0, false};
    static const char *const moves[][2] = {
        {"UPDATE alert_portion SET seen_experiment=11",
         "processor time of a process of Writing (W) fell, as a later measurement showed, peak "
         "memory of Writing (W) fell, as a later measurement showed, but W +2.00 % of records "
         "lost"},
        {"UPDATE alert_portion SET dimension='cpu_ms', configuration='collecting', portion='C', "
         "seen_experiment=10 WHERE dimension='peak_mb'",
         "processor time of a process of Collection (C) fell, processor time of a process of "
         "Writing (W) fell, as a later measurement showed, but W +2.00 % of records lost"},
        {"DELETE FROM alert_portion WHERE configuration='writing'",
         "processor time of a process of Collection (C) fell, W +2.00 % of records lost"}};
    fixture *fix = *state;
    const int64_t seen = changed(fix, before, &idle);
    (void)answer(fix, before, &idle, &usual);
    json_auto_t *night = srv_view_experiment(fix->store, seen, NULL);
    assert_string_equal(
        text_of(night, "headline"),
        "processor time of a process of Writing (W) fell, peak memory of Writing (W) "
        "fell, "
        "but W +2.00 % of records lost");
    night_of(fix, 11, before, &idle);
    for (size_t i = 0; i < G_N_ELEMENTS(moves); i++) {
        assert_true(srv__run(fix->store, sql_text(moves[i][0], ""), SRV__NO_ARGS, NULL));
        json_auto_t *other = srv_view_experiment(fix->store, seen, NULL);
        assert_string_equal(text_of(other, "headline"), moves[i][1]);
    }
}

/* What was taken back by losing records is not taken back. */
static void what_loses_more_fixes_nothing(void **state) {
    fixture *fix = *state;
    (void)changed(fix, before, &busier);
    (void)answer(fix, before, &busier, &usual);
    for (int day = 11; day <= 14; day++)
        night_of(fix, day, before, &busier);
    night_of(fix, 15, before, &lossy);
    (void)answer(fix, before, &lossy, &busier);
    assert_int_equal(alerts(fix), 2);
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(alert, "state"), "open");
}

/* What takes a change back is said in the unit of its dimension. */
static void a_fall_is_said_in_its_own_unit(void **state) {
    fixture *fix = *state;
    (void)changed(fix, before, &busier);
    (void)answer(fix, before, &busier, &usual);
    for (int day = 11; day <= 14; day++)
        night_of(fix, day, before, &busier);
    night_of(fix, 15, before, &usual);
    (void)answer(fix, before, &usual, &busier);
    assert_int_equal(alerts(fix), 2);
    json_auto_t *alert = srv_view_alert(fix->store, 1, NULL);
    assert_string_equal(text_of(alert, "state"), "fixed");
    const json_t *audit = json_object_get(alert, "audit");
    const char *reason = text_of(json_array_get(audit, json_array_size(audit) - 1), "reason");
    assert_true(g_str_has_prefix(reason, "processor time of a process of W fell from "));
    assert_non_null(strstr(reason, " ms to "));
    assert_null(strstr(reason, " ns"));
}

/* C and W make a quarter of the calls of T and I: a call of I that takes more costs their
 * processes less than its own, and nothing of C fell. */
static void processes_of_other_calls_are_not_taken_apart(void **state) {
    static const used dearer = {
        {100, 230, 160, 190}, {20, 22, 25, 30}, 0, false, 0, 0, 1000, false};
    fixture *fix = *state;
    cfg_project *project = fix_project("kieker");
    for (int i = 0; i < 2; i++)
        project->benchmark.configurations[i].total_calls = 4 * FIX_CALLS;
    fix_sync_only(fix, project);
    const int64_t seen = changed(fix, before, &dearer);
    (void)answer(fix, before, &dearer, &usual);
    json_auto_t *alert = only_alert(fix);
    size_t i;
    const json_t *portion;
    json_array_foreach (json_object_get(alert, "portions"), i, portion) {
        assert_string_equal(text_of(portion, "direction"), "up");
        assert_string_not_equal(text_of(portion, "portion"), "C");
    }
    assert_string_equal(text_of(alert, "portion"), "I");
    json_auto_t *told = srv_view_experiment(fix->store, seen, NULL);
    const json_t *cpu = dimension_of(told, "cpu_ms"), *rows = json_object_get(cpu, "portions");
    assert_string_equal(text_of(cpu, "note"),
                        "processes of other numbers of calls are not taken apart: collecting (20 "
                        "calls, deactivated 80)");
    assert_string_equal(text_of(json_array_get(rows, 2), "portion"), "collecting");
    const json_t *tail = dimension_of(told, "p99_ns");
    assert_string_equal(text_of(tail, "note"), text_of(cpu, "note"));
    assert_string_equal(text_of(json_array_get(json_object_get(tail, "portions"), 2), "portion"),
                        "collecting");
    assert_true(json_is_null(json_object_get(json_array_get(rows, 2), "parent")));
    assert_true(json_equal(json_object_get(json_array_get(rows, 2), "mean"),
                           json_object_get(json_array_get(rows, 2), "total")));
    assert_string_equal(text_of(json_array_get(rows, 3), "portion"), "W");
    assert_null(json_object_get(dimension_of(told, "peak_mb"), "note"));
}

/* Whoever told the tail of few calls, as older runners do: nobody judges it, nor what was kept of
 * it, when nights are judged again. */
static void a_tail_of_few_calls_is_not_judged(void **state) {
    fixture *fix = *state;
    used told = usual;
    told.tail = 999;
    json_auto_t *few = srv_view_experiment(fix->store, night_of(fix, 2, before, &told), NULL);
    assert_null(dimension_of(few, "p99_ns"));
    told.tail = 1000;
    int64_t last = 0;
    for (int day = 3; day <= 5; day++)
        last = night_of(fix, day, before, &told);
    json_auto_t *known = srv_view_experiment(fix->store, last, NULL);
    assert_string_equal(verdict_of(known, "p99_ns", 3), "ok");
    assert_true(srv__run(fix->store, sql_text("UPDATE configuration SET n=n-loops", ""),
                         SRV__NO_ARGS, NULL));
    night_of(fix, 1, before, &usual); /* all are judged again */
    json_auto_t *next = srv_view_experiment(fix->store, night_of(fix, 6, before, &told), NULL);
    assert_string_equal(verdict_of(next, "p99_ns", 3), "first");
}

static int64_t queued(fixture *fix, const char *kind) {
    int64_t count;
    g_autofree char *text =
        g_strdup_printf("SELECT count(*) FROM job WHERE state='queued' AND kind='%s'", kind);
    assert_true(srv__number(fix->store, sql_text(text, ""), SRV__NO_ARGS, 0, &count, NULL));
    return count;
}

static void is_next(fixture *fix, const char *kind) {
    json_auto_t *leased = fix_lease(fix);
    assert_string_equal(text_of(json_object_get(leased, "job"), "kind"), kind);
}

static void explain_minutes(fixture *fix) {
    cfg_project *project = fix_project("kieker");
    project->detection.explain_minutes = 12;
    fix_sync_only(fix, project);
    json_decref(fix->can);
    fix->can = json_pack("[s, s]", "confirmation", "explain");
}

/* An alert's commit is one of the last `count` up to that of a day. */
static void search(fixture *fix, int64_t alert, int day, size_t count) {
    srv_commit list[2];
    g_autoptr(GPtrArray) shas = g_ptr_array_new_with_free_func(g_free);
    for (size_t i = 0; i < count; i++) {
        char *sha = g_strdup(fix_sha(day + 1 + (int)i - (int)count));
        g_ptr_array_add(shas, sha);
        list[i] = (srv_commit){sha, "Ada", "ada@example.org", 1000, "One", NULL, 0};
    }
    assert_true(srv_bisection_begin(fix->store, alert, list, count, NULL, fix->now_ms, NULL));
}

/* The search began with peak memory, and start came first then: what its step saw of memory
 * acquitted a commit that nobody had measured the start of. */
static void a_search_is_of_what_leads(void **state) {
    fixture *fix = *state;
    g_auto(model_list) wanted = {0};
    (void)changed(fix, before, &usual);
    const srv__anomaly found[] = {anomaly_of("peak_mb", 20, 2), anomaly_of("start_ms", 50, 30)};
    tell(fix, found, 1);
    search(fix, 1, 10, 2);
    assert_int_equal(queued(fix, "bisection"), 1);
    tell(fix, found, 2);
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "dimension"), "start_ms");
    assert_true(json_is_null(json_object_get(alert, "bisection")));
    assert_int_equal(queued(fix, "bisection"), 0);
    assert_true(srv_bisections_wanted(fix->store, "kieker", &wanted, NULL));
    assert_int_equal(wanted.count, 1);
}

/* The time of I fell, and its commit is known; meanwhile W is suspected to take more processor. */
static void a_time_is_explained_before_others_are_asked(void **state) {
    fixture *fix = *state;
    explain_minutes(fix);
    (void)changed(fix, after, &usual);
    (void)answer(fix, after, &usual, &usual);
    assert_int_equal(alerts(fix), 1);
    night_of(fix, 11, after, &busier);
    search(fix, 1, 10, 1);
    assert_int_equal(queued(fix, "confirmation"), 1);
    is_next(fix, "explain");
}

/* A search may take hours, and the explanation of another change minutes. */
static void a_time_is_explained_before_another_is_searched_for(void **state) {
    static const double dearer[4] = {70, 190, 1320, 4000};
    fixture *fix = *state;
    explain_minutes(fix);
    (void)changed(fix, after, &usual);
    (void)answer(fix, after, &usual, &usual);
    night_of(fix, 13, dearer, &usual);
    for (json_t *leased; (leased = fix_lease(fix));)
        fix_ingest(fix, leased, fix_trial(fix, leased, after, dearer));
    assert_int_equal(alerts(fix), 2);
    search(fix, 2, 13, 2);
    search(fix, 1, 10, 1);
    assert_int_equal(queued(fix, "bisection"), 1);
    is_next(fix, "explain");
}

/* Of nights of long ago all are measured before processor time is. */
static void long_ago_is_measured_before_others_are_asked(void **state) {
    fixture *fix = *state;
    for (int day = 1; day <= 9; day++)
        night_of(fix, day, before, &usual);
    queue(fix, 10, SRV_KIND_BACKFILL);
    queue(fix, 11, SRV_KIND_BACKFILL);
    (void)measure(fix, before, &busier);
    assert_int_equal(queued(fix, "confirmation"), 1);
    (void)measure(fix, before, &busier);
    assert_int_equal(queued(fix, "backfill"), 0);
    is_next(fix, "confirmation");
}

/* A level that people take away would be told again at once: they speak of times alone. */
static void nobody_moves_a_level_beside_time(void **state) {
    fixture *fix = *state;
    g_autoptr(GError) error = NULL;
    int64_t id;
    (void)changed(fix, before, &busier);
    (void)answer(fix, before, &busier, &usual);
    const srv_baseline gone = {.alert = 1, .reason = "a backup ran", .author = "ada"};
    assert_false(srv_baseline_set(fix->store, "kieker", &gone, fix->now_ms, &id, &error));
    assert_true(g_error_matches(error, SRV_ERROR, SRV_ERROR_CONFLICT));
    assert_string_equal(error->message,
                        "alert 1 is not of time, and only levels of time are set by hand: answer "
                        "the alert itself (accepted, false)");
    json_auto_t *alert = only_alert(fix);
    assert_string_equal(text_of(alert, "state"), "open");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_dimension_is_told_the_same_night, setup, teardown),
        cmocka_unit_test_setup_teardown(what_stands_is_kept_apart, setup, teardown),
        cmocka_unit_test_setup_teardown(what_began_before_is_told_of_its_nights, setup, teardown),
        cmocka_unit_test_setup_teardown(what_several_have_is_told_once, setup, teardown),
        cmocka_unit_test_setup_teardown(what_may_have_risen_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(a_start_is_judged_by_its_fastest_loops, setup, teardown),
        cmocka_unit_test_setup_teardown(who_wants_times_alone_is_told_of_times, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_not_there_again_is_cleared, setup, teardown),
        cmocka_unit_test_setup_teardown(one_night_is_one_alert, setup, teardown),
        cmocka_unit_test_setup_teardown(what_joins_and_is_worse_leads, setup, teardown),
        cmocka_unit_test_setup_teardown(what_joins_alone_leads_where_it_is_worse, setup, teardown),
        cmocka_unit_test_setup_teardown(a_search_is_of_what_leads, setup, teardown),
        cmocka_unit_test_setup_teardown(what_never_scatters_is_watched, setup, teardown),
        cmocka_unit_test_setup_teardown(what_has_both_its_configurations_is_judged, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(what_follows_from_time_is_asked_with_it, setup, teardown),
        cmocka_unit_test_setup_teardown(what_follows_from_each_time_is_told, setup, teardown),
        cmocka_unit_test_setup_teardown(what_follows_from_a_believed_time_says_so, setup, teardown),
        cmocka_unit_test_setup_teardown(what_goes_against_time_is_asked_by_itself, setup, teardown),
        cmocka_unit_test_setup_teardown(nobody_announces_what_is_beside_time, setup, teardown),
        cmocka_unit_test_setup_teardown(what_follows_from_an_announced_time_is_announced, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_fall_is_said_in_its_own_unit, setup, teardown),
        cmocka_unit_test_setup_teardown(a_tail_of_few_calls_is_not_judged, setup, teardown),
        cmocka_unit_test_setup_teardown(processes_of_other_calls_are_not_taken_apart, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_time_is_explained_before_others_are_asked, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_time_is_explained_before_another_is_searched_for, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(long_ago_is_measured_before_others_are_asked, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(nobody_moves_a_level_beside_time, setup, teardown),
        cmocka_unit_test_setup_teardown(a_removed_level_is_not_told_in_another_dimension, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_moved_level_is_moved_in_each_dimension, setup, teardown),
        cmocka_unit_test_setup_teardown(lost_records_are_told, setup, teardown),
        cmocka_unit_test_setup_teardown(what_an_alert_tells_is_not_told_as_a_count, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(cheaper_and_lossy_is_no_improvement, setup, teardown),
        cmocka_unit_test_setup_teardown(dearer_and_lossy_says_both_once, setup, teardown),
        cmocka_unit_test_setup_teardown(what_another_one_loses_is_told_beside, setup, teardown),
        cmocka_unit_test_setup_teardown(cheaper_and_unevenly_lossy_is_no_improvement, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(idle_and_lossy_is_no_improvement, setup, teardown),
        cmocka_unit_test_setup_teardown(what_another_one_loses_is_told_beside, setup, teardown),
        cmocka_unit_test_setup_teardown(a_loss_is_told_of_its_own_fall, setup, teardown),
        cmocka_unit_test_setup_teardown(cheaper_and_surer_is_an_improvement, setup, teardown),
        cmocka_unit_test_setup_teardown(a_rate_that_loses_more_is_no_improvement, setup, teardown),
        cmocka_unit_test_setup_teardown(what_loses_more_fixes_nothing, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
