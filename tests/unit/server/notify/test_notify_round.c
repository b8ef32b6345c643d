/* Real alerts out of the store, real HTTP to a receiver that misbehaves as told. */
#include "server/notify/notify_deliver.c" /* NOLINT(bugprone-suspicious-include) */

#include "scene.h"

#include "tests/unit/server/database.h"
#include <string.h>

#include "server/alarm/alerts.h"
#include "server/alarm/baselines.h"
#include "server/store/store_sql.h"
#include "server/views/views.h"
#include "tests/unit/server/sql_text.h"

static void night(scene *s, const double means[4]) {
    const int n = ++s->nights;
    g_autofree char *date = g_strdup_printf("2013-03-%02d", n);
    (void)fix_measure(s->fix, "kieker", n, date, means);
}

/* A project with history, watched by one webhook rule from now on. */
static int setup(void **state) {
    scene *s = scene_new(CFG_NOTIFY_WEBHOOK);
    for (size_t i = 0; i < G_N_ELEMENTS(s->urls); i++)
        s->urls[i] = g_strdup_printf("%s/hook%zu?secret", s->url, i);
    s->rules[0].url = s->urls[0];
    for (int i = 0; i < 6; i++)
        night(s, quiet);
    *state = s;
    return 0;
}

static void jump(scene *s) {
    scene_round(s, 0); /* the channel is opened before the change */
    assert_int_equal(receiver_count(s->receiver), 0);
    night(s, slow);
}

static int64_t alert_id(scene *s) {
    json_t *alerts =
        srv_view_list(s->fix->store, &srv_list_alerts, NULL, NULL, (srv_page){0}, NULL);
    const int64_t id = json_integer_value(
        json_object_get(json_array_get(json_object_get(alerts, "items"), 0), "id"));
    json_decref(alerts);
    assert_true(id > 0);
    return id;
}

static void told_once_and_signed(void **state) {
    scene *s = *state;
    jump(s);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 1);
    const receiver_request *got = receiver_get(s->receiver, 0);
    assert_string_equal(got->event, "alert.raised");
    g_autofree char *signature = deliver_signature("s3cret", 6, got->body);
    assert_string_equal(got->signature, signature);
    json_t *body = json_loads(got->body, 0, NULL);
    json_t *alert = json_array_get(json_object_get(body, "alerts"), 0);
    assert_string_equal(json_string_value(json_object_get(alert, "portion")), "W");
    json_decref(body);
    for (int i = 0; i < 3; i++) {
        night(s, slow);
        scene_round(s, DAY);
    }
    fix_reopen(s->fix);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_true(s->next_ms == INT64_MAX);
}

static void three_portions_are_one_message(void **state) {
    scene *s = *state;
    static const double all[4] = {100, 500, 2200, 5200};
    static char w[] = "C";
    static char *portions[] = {w};
    s->rules[0].portions = portions; /* not the largest one */
    s->rules[0].portions_count = 1;
    scene_round(s, 0);
    night(s, all);
    for (int i = 0; i < 3; i++) {
        scene_round(s, DAY);
        night(s, all);
    }
    assert_int_equal(receiver_count(s->receiver), 1);
    json_t *body = json_loads(receiver_get(s->receiver, 0)->body, 0, NULL);
    json_t *list = json_object_get(body, "alerts");
    assert_int_equal(json_array_size(list), 1);
    assert_int_equal(json_array_size(json_object_get(json_array_get(list, 0), "portions")), 3);
    json_decref(body);
}

static void old_changes_are_history(void **state) {
    scene *s = *state;
    night(s, slow); /* before anybody listened */
    scene_round(s, 0);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 0);
    s->rules[0].max_age_days = 14; /* the fixture's commits are of 1970 */
    night(s, quiet);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 0);
}

static void an_hour_of_500_loses_nothing(void **state) {
    scene *s = *state;
    static const receiver_answer broken[] = {{500, NULL, NULL, NULL}, {502, NULL, NULL, NULL},
                                             {503, NULL, NULL, NULL}, {500, NULL, NULL, NULL},
                                             {500, NULL, NULL, NULL}, {500, NULL, NULL, NULL}};
    jump(s);
    receiver_script(s->receiver, broken, G_N_ELEMENTS(broken));
    scene_round(s, 0);
    const int64_t begun = s->fix->now_ms;
    for (guint tries = 1; s->next_ms != INT64_MAX && tries < 20; tries++) {
        scene_round(s, s->next_ms - s->fix->now_ms - 1); /* not due yet */
        assert_int_equal(receiver_count(s->receiver), tries);
        fix_reopen(s->fix);
        scene_round(s, 1);
    }
    assert_int_equal(receiver_count(s->receiver), 7);
    assert_true(s->fix->now_ms - begun <= 2 * HOUR);
    const receiver_request *first = receiver_get(s->receiver, 0);
    const receiver_request *last = receiver_get(s->receiver, 6);
    assert_string_equal(first->delivery, last->delivery);
    assert_string_equal(first->body, last->body);
}

static void sql(scene *s, const char *statement) {
    assert_true(srv__run(s->fix->store, sql_text(statement, ""), SRV__NO_ARGS, NULL));
}

/* A disk that is full between two of them. */
static void alerts_told_together_are_noted_together(void **state) {
    SKIP_ON_A_SERVER; /* its trigger is SQLite's; the transaction is the same */
    scene *s = *state;
    jump(s);
    night(s, quiet); /* the end of the first change is a second one */
    sql(s, "UPDATE alert SET state='open'");
    sql(s, "CREATE TRIGGER full BEFORE UPDATE ON outbox WHEN NEW.state='sent' AND NEW.id="
           "(SELECT max(id) FROM outbox) BEGIN SELECT raise(ABORT, 'full'); END");
    g_autoptr(GPtrArray) projects = g_ptr_array_new();
    g_ptr_array_add(projects, &s->project);
    const srv_notify_means means = {.server = &s->server, .projects = projects};
    assert_false(srv_notify_round(s->fix->store, &means, s->fix->now_ms, &s->next_ms, NULL));
    assert_int_equal(receiver_count(s->receiver), 1);
    sql(s, "DROP TRIGGER full");
    scene_round(s, HOUR);
    assert_int_equal(receiver_count(s->receiver), 2);
    const receiver_request *first = receiver_get(s->receiver, 0);
    const receiver_request *again = receiver_get(s->receiver, 1);
    assert_non_null(strstr(first->body, "\"alerts\":[{"));
    assert_string_equal(first->delivery, again->delivery);
    assert_string_equal(first->body, again->body);
}

static void retry_after_is_kept(void **state) {
    scene *s = *state;
    static const receiver_answer busy[] = {{429, "Retry-After", "7200", NULL}};
    jump(s);
    receiver_script(s->receiver, busy, 1);
    scene_round(s, 0);
    assert_true(s->next_ms == s->fix->now_ms + 2 * HOUR);
    scene_round(s, 2 * HOUR - 1);
    assert_int_equal(receiver_count(s->receiver), 1);
    scene_round(s, 1);
    assert_int_equal(receiver_count(s->receiver), 2);
}

static void redirects_are_not_followed(void **state) {
    scene *s = *state;
    g_autofree char *other =
        g_strdup_printf("http://localhost:%u/elsewhere", receiver_port(s->receiver));
    const receiver_answer moved[] = {{302, "Location", other, NULL},
                                     {307, "Location", other, NULL}};
    jump(s);
    receiver_script(s->receiver, moved, G_N_ELEMENTS(moved));
    scene_round(s, 0);
    scene_round(s, HOUR);
    assert_int_equal(receiver_count(s->receiver), 2);
    for (guint i = 0; i < 2; i++)
        assert_string_equal(receiver_get(s->receiver, i)->line, "POST /hook0");
    scene_round(s, HOUR);
    assert_int_equal(receiver_count(s->receiver), 3);
}

static void a_refusal_is_not_repeated(void **state) {
    scene *s = *state;
    static const receiver_answer refused[] = {{422, NULL, NULL, "no"}};
    jump(s);
    receiver_script(s->receiver, refused, 1);
    scene_round(s, 0);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
}

static void given_up_in_the_end(void **state) {
    scene *s = *state;
    static receiver_answer broken[200];
    for (size_t i = 0; i < G_N_ELEMENTS(broken); i++)
        broken[i].status = 500;
    jump(s);
    receiver_script(s->receiver, broken, G_N_ELEMENTS(broken));
    scene_round(s, 0);
    for (int i = 0; s->next_ms != INT64_MAX && i < 200; i++)
        scene_round(s, s->next_ms - s->fix->now_ms);
    assert_true(s->next_ms == INT64_MAX);
    assert_in_range(receiver_count(s->receiver), 90, 110);
}

static void the_end_is_told_to_whom_the_beginning_was(void **state) {
    scene *s = *state;
    g_autoptr(GError) error = NULL;
    jump(s);
    scene_round(s, 0);
    assert_true(srv_alert_set(s->fix->store, alert_id(s), "accepted", "Nora", "a new format",
                              s->fix->now_ms, &error));
    scene_round(s, 0);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 2);
    assert_string_equal(receiver_get(s->receiver, 1)->event, "alert.ended");
    assert_non_null(strstr(receiver_get(s->receiver, 1)->body, "a new format"));
}

/* Somebody takes an answer back: a later end is told, too, and none that was taken back before. */
static void each_end_is_told(void **state) {
    static const char *const states[] = {"accepted", "open", "fixed", "open", "false", "open"};
    scene *s = *state;
    jump(s);
    scene_round(s, 0);
    for (guint i = 0; i < G_N_ELEMENTS(states); i++) {
        s->fix->now_ms += MINUTE;
        assert_true(srv_alert_set(s->fix->store, alert_id(s), states[i], "Nora", "says so",
                                  s->fix->now_ms, NULL));
        if (!g_str_equal(states[i], "false"))
            scene_round(s, MINUTE);
    }
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 3);
    assert_non_null(strstr(receiver_get(s->receiver, 1)->body, "\"state\":\"accepted\""));
    assert_non_null(strstr(receiver_get(s->receiver, 2)->body, "\"state\":\"fixed\""));
    assert_string_not_equal(receiver_get(s->receiver, 1)->delivery,
                            receiver_get(s->receiver, 2)->delivery);
}

static void what_ended_before_it_was_told_is_not_told(void **state) {
    scene *s = *state;
    static char hours[] = "00:00-23:00";
    g_autoptr(GError) error = NULL;
    s->rules[0].quiet_hours = hours; /* the fixture's clock stands at 02:00 */
    jump(s);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 0);
    assert_true(s->next_ms != INT64_MAX);
    assert_true(srv_alert_set(s->fix->store, alert_id(s), "false", "Nora", "noise", s->fix->now_ms,
                              &error));
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 0);
    assert_true(s->next_ms == INT64_MAX);
}

static void quiet_hours_keep_it(void **state) {
    scene *s = *state;
    static char hours[] = "00:00-23:00";
    s->rules[0].quiet_hours = hours;
    jump(s);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 0);
    scene_round(s, s->next_ms - s->fix->now_ms);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_int_equal(s->fix->now_ms % DAY, 23 * HOUR);
}

static void rules_choose(void **state) {
    scene *s = *state;
    static char portion[] = "C";
    static char *portions[] = {portion};
    s->rules[0].portions = portions;
    s->rules[0].portions_count = 1;
    /* a second rule with the same address: still one message */
    s->rules[1] = s->rules[0];
    s->project.notify_count = 2;
    jump(s);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 0);
    s->rules[1].portions_count = 0;
    s->rules[1].direction = -1;
    night(s, quiet);
    night(s, quiet);
    scene_round(s, 0);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_non_null(strstr(receiver_get(s->receiver, 0)->body, "\"down\""));
}

static void a_dead_channel_does_not_hold_up_another(void **state) {
    scene *s = *state;
    static char nowhere[] = "http://127.0.0.1:1/";
    s->rules[1] = s->rules[0];
    s->rules[0].url = nowhere;
    s->project.notify_count = 2;
    jump(s);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_true(s->next_ms == s->fix->now_ms + MINUTE);
}

static void a_removed_rule_is_forgotten(void **state) {
    scene *s = *state;
    static const receiver_answer broken[] = {{500, NULL, NULL, NULL}};
    jump(s);
    receiver_script(s->receiver, broken, 1);
    scene_round(s, 0);
    s->project.notify_count = 0;
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_true(s->next_ms == INT64_MAX);
}

static void slack_and_its_file(void **state) {
    scene *s = *state;
    g_autofree char *file = g_build_filename(s->fix->dir, "slack.url", NULL);
    assert_true(g_file_set_contents(file, s->urls[1], -1, NULL));
    s->rules[0] = (cfg_notify){.via = CFG_NOTIFY_SLACK, .url_file = file, .max_age_days = 100000};
    jump(s);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_string_equal(receiver_get(s->receiver, 0)->line, "POST /hook1");
    json_t *body = json_loads(receiver_get(s->receiver, 0)->body, 0, NULL);
    assert_non_null(
        strstr(json_string_value(json_object_get(body, "text")), "Writing (W) rose by "));
    assert_non_null(strstr(json_string_value(json_object_get(body, "text")), "/alerts/"));
    assert_int_equal(json_array_size(json_object_get(body, "blocks")), 1);
    json_decref(body);
}

static void github_issue_is_opened_found_again_and_closed(void **state) {
    scene *s = *state;
    g_autofree char *api = g_strdup_printf("http://127.0.0.1:%u/api", receiver_port(s->receiver));
    static char repository[] = "o/r";
    g_autoptr(GError) error = NULL;
    s->rules[0] = (cfg_notify){.via = CFG_NOTIFY_GITHUB_ISSUE,
                               .url = api,
                               .secret_file = s->secret_file,
                               .repository = repository,
                               .max_age_days = 100000};
    static const receiver_answer lost[] = {{502, NULL, NULL, NULL}};
    jump(s);
    receiver_script(s->receiver, lost, 1);
    scene_round(s, 0); /* GitHub may have made it, the answer was lost */
    json_t *sent = json_loads(receiver_get(s->receiver, 0)->body, 0, NULL);
    json_t *there = json_pack("[{s:i,s:s},{s:i,s:O}]", "number", 5, "body", "another", "number", 8,
                              "body", json_object_get(sent, "body"));
    char *list = json_dumps(there, 0);
    const receiver_answer found[] = {{200, NULL, NULL, list}};
    receiver_script(s->receiver, found, 1);
    receiver_forget(s->receiver);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_string_equal(receiver_get(s->receiver, 0)->line, "GET /api/repos/o/r/issues");
    assert_true(srv_alert_set(s->fix->store, alert_id(s), "fixed", "moowatch", "back to normal",
                              s->fix->now_ms, &error));
    receiver_forget(s->receiver);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 2);
    assert_string_equal(receiver_get(s->receiver, 0)->line, "PATCH /api/repos/o/r/issues/8");
    assert_string_equal(receiver_get(s->receiver, 1)->line,
                        "POST /api/repos/o/r/issues/8/comments");
    for (int i = 0; i < 2; i++) { /* as often as somebody takes the answer back */
        s->fix->now_ms += MINUTE;
        assert_true(srv_alert_set(s->fix->store, alert_id(s), "open", "ada", "it is not",
                                  s->fix->now_ms, &error));
        receiver_forget(s->receiver);
        scene_round(s, MINUTE);
        assert_int_equal(receiver_count(s->receiver), 1);
        assert_string_equal(receiver_get(s->receiver, 0)->line, "PATCH /api/repos/o/r/issues/8");
        assert_non_null(strstr(receiver_get(s->receiver, 0)->body, "\"state\":\"open\""));
        s->fix->now_ms += MINUTE;
        assert_true(srv_alert_set(s->fix->store, alert_id(s), "fixed", "ada", "it is now",
                                  s->fix->now_ms, &error));
        scene_round(s, MINUTE);
        assert_int_equal(receiver_count(s->receiver), 3);
    }
    free(list);
    json_decref(there);
    json_decref(sent);
}

static void by_status(scene *s) {
    static char repository[] = "o/r";
    s->rules[0] = (cfg_notify){.via = CFG_NOTIFY_GITHUB_STATUS,
                               .url = s->url,
                               .secret_file = s->secret_file,
                               .repository = repository,
                               .max_age_days = 100000};
}

static void github_status_of_every_night(void **state) {
    scene *s = *state;
    by_status(s);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 0);
    night(s, quiet);
    night(s, slow);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 2);
    assert_non_null(strstr(receiver_get(s->receiver, 0)->body, "\"success\""));
    assert_non_null(strstr(receiver_get(s->receiver, 1)->body, "\"failure\""));
    g_autofree char *line = g_strconcat("POST /repos/o/r/statuses/", fix_sha(s->nights), NULL);
    assert_string_equal(receiver_get(s->receiver, 1)->line, line);
}

/* The i-th message, which is of this night. */
static const receiver_request *status_of(scene *s, guint i, int of) {
    const receiver_request *got = receiver_get(s->receiver, i);
    g_autofree char *line = g_strconcat("POST /repos/o/r/statuses/", fix_sha(of), NULL);
    assert_non_null(got);
    assert_string_equal(got->line, line);
    return got;
}

/* The second night shows that the first one's commit did it. */
static void a_status_is_sent_again_when_a_later_night_tells(void **state) {
    static const double higher[] = {100, 300, 1000, 2640};
    scene *s = *state;
    by_status(s);
    scene_round(s, 0);
    night(s, higher);
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 0, s->nights)->body, "; W: may have risen"));
    s->fix->now_ms += MINUTE;
    night(s, higher);
    scene_round(s, MINUTE);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 3);
    const char *first = status_of(s, 1, s->nights - 1)->body;
    assert_non_null(strstr(first, "\"failure\""));
    assert_non_null(strstr(first, "W 1.64 µs ▲ +9.33 %\""));
    const char *second = status_of(s, 2, s->nights)->body;
    assert_non_null(strstr(second, "\"success\""));
    assert_non_null(strstr(second, "W 1.64 µs ▲ +9.33 % (since 000000000)\""));
}

static void change(scene *s, const char *what) {
    assert_true(srv__run(s->fix->store, sql_text(what, "i"), SRV__ARGS(s->fix->now_ms), NULL));
}

/* The second result of the commit is as the first, and W rose with it all the same, also where it
 * is another date's. When somebody answers that it did not, the newest result counts. */
static void a_status_of_a_commit_that_was_measured_again(void **state) {
    scene *s = *state;
    by_status(s);
    jump(s);
    scene_round(s, MINUTE);
    scene_round(s, MINUTE);
    const guint told = receiver_count(s->receiver);
    static const char *const dates[] = {"2013-03-07", "2014-03-08", "2013-03-07"};
    for (guint i = 0; i < G_N_ELEMENTS(dates); i++) {
        fix_add(s->fix, "kieker", s->nights, dates[i], SRV_KIND_MANUAL);
        json_t *leased = fix_lease(s->fix);
        fix_ingest(s->fix, leased, fix_result(s->fix, leased, slow));
        scene_round(s, MINUTE);
        assert_int_equal(receiver_count(s->receiver), told + i + 1);
        const char *body = status_of(s, told + i, s->nights)->body;
        assert_non_null(strstr(body, i < 2 ? "\"failure\"" : "\"success\""));
        assert_true((strstr(body, "W 2.40 µs ▲") != NULL) == (i < 2));
        if (i == 1)
            change(s, "UPDATE alert SET state='false' WHERE $1>0");
    }
}

/* As if the third night had told of the first one's commit: the second one knows it, too. What of
 * processor time is in the alert has other numbers. */
static void a_status_between_is_sent_again(void **state) {
    static const double higher[] = {100, 300, 1000, 2640};
    scene *s = *state;
    by_status(s);
    scene_round(s, 0);
    for (int i = 0; i < 3; i++) {
        s->fix->now_ms += MINUTE;
        night(s, higher);
        scene_round(s, MINUTE);
        scene_round(s, MINUTE);
    }
    const guint told = receiver_count(s->receiver);
    s->fix->now_ms += MINUTE;
    change(s, "UPDATE portion SET verdict='ok', rule='pending' WHERE experiment_id=8 AND "
              "verdict='anomaly' AND $1>0");
    change(s, "UPDATE alert_portion SET seen_experiment=9 WHERE seen_experiment=8 AND $1>0");
    change(s, "INSERT INTO alert_portion(alert_id,dimension,configuration,portion,direction,"
              "seen_experiment,before_mean_ns,difference_mean_ns,reason) SELECT alert_id,'cpu_ms',"
              "configuration,portion,direction,9,100,50,'r' FROM alert_portion WHERE $1>0");
    change(s, "UPDATE alert_audit SET at_ms=$1 WHERE new_state='open'");
    change(s, "UPDATE alert SET raised_ms=$1, seen_experiment=9");
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), told + 3);
    const char *between = status_of(s, told + 1, s->nights - 1)->body;
    assert_non_null(strstr(between, "\"success\""));
    assert_non_null(strstr(between, "W 1.64 µs ▲ +9.33 % (since 000000000)\""));
}

/* The change of W ended with its night, whatever its alert told later of another dimension: it is
 * not that of a later night, whose own commit changed W again. */
static void a_night_of_another_alert_keeps_its_commit(void **state) {
    static const double slower[] = {100, 300, 1000, 6000};
    scene *s = *state;
    by_status(s);
    jump(s);
    s->fix->now_ms += MINUTE;
    night(s, slower);
    change(s, "INSERT INTO alert_portion(alert_id,dimension,configuration,portion,direction,"
              "seen_experiment,before_mean_ns,difference_mean_ns,reason) SELECT 1,'cpu_ms',"
              "configuration,portion,direction,8,100,50,'r' FROM alert_portion WHERE alert_id=1 "
              "AND $1>0");
    scene_round(s, MINUTE);
    const char *last = status_of(s, receiver_count(s->receiver) - 1, s->nights)->body;
    assert_non_null(strstr(last, "\"failure\""));
    assert_null(strstr(last, "(since "));
}

/* Night 8 shows a change that came after night 6; night 7, between them, saw nothing. Nobody can
 * tell of either's commit while their search runs, nor does one stay red that is not the one. */
static void a_status_of_a_commit_that_may_have_done_it(void **state) {
    static const struct {
        const char *search, *quiet, *changed; /* what is said of night 7, and of night 8 */
    } cases[] = {
        {"INSERT INTO bisection_commit(bisection_id,place,revision_id,state) SELECT 1,e.id-7,"
         "e.revision_id,'unknown' FROM experiment e WHERE e.id IN (7,8) AND $1>0",
         "error W 1.50 µs (changed with one or more of 2 commits)\"",
         "error (one or more of 2 commits)\""},
        {"UPDATE bisection_commit SET state='before' WHERE place=0 AND $1>0", "success W 1.50 µs\"",
         "error (one or more of 2 commits)\""},
        {"UPDATE bisection SET state='found', low=0, high=1, finished_ms=$1", "success W 1.50 µs\"",
         "failure W 2.40 µs ▲ +60.0 %\""},
        {"UPDATE bisection SET low=-1, high=0 WHERE $1>0", "failure W 1.50 µs ▲ +60.0 %\"",
         "error (one or more of 2 commits)\""}, /* it may have brought less than all */
        {"UPDATE bisection_commit SET state=CASE place WHEN 0 THEN 'after' ELSE 'before' END "
         "WHERE $1>0",
         "failure W 1.50 µs ▲ +60.0 %\"", "success (since 000000000)\""},
        {"UPDATE bisection SET state='range' WHERE $1>0",
         "error W 1.50 µs (changed with one or more of 2 commits)\"",
         "success (since another commit)\""},
    };
    scene *s = *state;
    by_status(s);
    scene_round(s, 0);
    night(s, quiet);
    night(s, slow);
    scene_round(s, MINUTE);
    change(s, "UPDATE alert SET from_experiment=6 WHERE $1>0");
    change(s, "UPDATE experiment SET night='2013-03-06' WHERE id=7 AND $1>0"); /* as 6 is */
    change(s, "INSERT INTO bisection(alert_id,from_id,state,started_ms) SELECT a.id,e.revision_id,"
              "'running',$1 FROM alert a JOIN experiment e ON e.id=6");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        s->fix->now_ms += MINUTE;
        change(s, cases[i].search);
        if (i != 2) { /* that it has ended is news by itself */
            change(s, "UPDATE alert_audit SET at_ms=$1");
            change(s, "UPDATE alert SET raised_ms=$1");
        }
        scene_round(s, MINUTE);
        assert_int_equal(receiver_count(s->receiver), 4 + 2 * i);
        for (guint k = 0; k < 2; k++) {
            const char *body = status_of(s, 2 + 2 * i + k, k == 0 ? 7 : 8)->body;
            g_auto(GStrv) wanted = g_strsplit(k == 0 ? cases[i].quiet : cases[i].changed, " ", 2);
            g_autofree char *said = g_strdup_printf("\"%s\"", wanted[0]);
            if (!strstr(body, said) || !strstr(body, wanted[1]))
                fail_msg("%u, %u: %s", i, k, body);
        }
    }
}

/* Of the night that told of a change that was there before its own commit, though of one date. */
static void a_status_after_the_change_accuses_nobody(void **state) {
    scene *s = *state;
    by_status(s);
    jump(s);
    night(s, slow);
    change(s, "UPDATE alert SET seen_experiment=8 WHERE $1>0");
    change(s, "UPDATE alert_portion SET seen_experiment=8 WHERE $1>0");
    change(s, "UPDATE portion SET verdict='anomaly',direction='up' WHERE experiment_id=8 AND "
              "portion='W' AND $1>0");
    change(s, "INSERT INTO bisection(alert_id,from_id,state,started_ms) SELECT a.id,e.revision_id,"
              "'running',$1 FROM alert a JOIN experiment e ON e.id=6");
    change(s, "INSERT INTO bisection_commit(bisection_id,place,revision_id,state) SELECT 1,e.id-6,"
              "e.revision_id,'unknown' FROM experiment e WHERE e.id IN (6,7) AND $1>0");
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 0, 7)->body, "(one or more of 2 commits)"));
    assert_non_null(strstr(status_of(s, 1, 8)->body, "\"success\""));
    assert_non_null(strstr(status_of(s, 1, 8)->body, "(since 2013-03-07)"));
    s->fix->now_ms += MINUTE;
    change(s, "UPDATE experiment SET night='2013-03-07' WHERE id=8 AND $1>0");
    change(s, "UPDATE alert_audit SET at_ms=$1");
    change(s, "UPDATE alert SET raised_ms=$1");
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 3, 8)->body, "\"success\""));
    assert_non_null(strstr(status_of(s, 3, 8)->body, "(since 2013-03-07)"));
}

/* Its second measurement rose: that failed, though the commit had not changed. */
static void a_status_between_two_measurements_of_its_commit(void **state) {
    scene *s = *state;
    by_status(s);
    jump(s);
    change(s, "UPDATE experiment SET revision_id=(SELECT revision_id FROM experiment WHERE id=6) "
              "WHERE id=7 AND $1>0");
    scene_round(s, MINUTE);
    const char *body = status_of(s, 0, 6)->body;
    assert_non_null(strstr(body, "\"success\""));
    assert_non_null(strstr(body, "W 2.40 µs ▲ +60.0 % (since it was measured again)\""));
}

static void node_can(scene *s, const char *what) {
    json_decref(s->fix->can);
    s->fix->can = json_pack("[s]", what);
}

/* It was told while the night before it was being measured again; with the answer it is judged
 * anew. */
static void a_status_is_sent_again_when_an_earlier_night_has_its_answer(void **state) {
    scene *s = *state;
    by_status(s);
    scene_round(s, 0);
    node_can(s, "confirmation");
    night(s, slow);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 0);
    node_can(s, "explain");
    s->fix->now_ms += MINUTE;
    night(s, slow);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 1);
    (void)status_of(s, 0, s->nights);
    node_can(s, "confirmation");
    for (json_t *leased; (leased = fix_lease(s->fix));) {
        s->fix->now_ms += MINUTE;
        fix_ingest(s->fix, leased, fix_trial(s->fix, leased, quiet, slow));
    }
    scene_round(s, MINUTE);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 3);
    (void)status_of(s, 1, s->nights);
    (void)status_of(s, 2, s->nights - 1);
}

static void a_status_is_sent_again_when_its_alert_is_withdrawn(void **state) {
    scene *s = *state;
    by_status(s);
    jump(s);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 1);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 1);
    assert_true(srv__begin(s->fix->store, NULL));
    assert_true(srv__end(s->fix->store,
                         srv__alert_note(s->fix->store, alert_id(s), "withdrawn", "detector",
                                         "judged again", s->fix->now_ms, NULL),
                         NULL));
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 2);
    (void)status_of(s, 1, s->nights);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 2);
}

/* Somebody answers that nothing changed, and takes that back. */
static void a_status_follows_what_somebody_answers(void **state) {
    static const char *const states[] = {"false", "open"};
    scene *s = *state;
    by_status(s);
    jump(s);
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 0, s->nights)->body, "\"failure\""));
    for (guint i = 0; i < G_N_ELEMENTS(states); i++) {
        s->fix->now_ms += MINUTE;
        assert_true(srv_alert_set(s->fix->store, alert_id(s), states[i], "ada", "a backup ran",
                                  s->fix->now_ms, NULL));
        scene_round(s, MINUTE);
        assert_int_equal(receiver_count(s->receiver), 2 + i);
        assert_non_null(
            strstr(status_of(s, 1 + i, s->nights)->body, i == 0 ? "\"success\"" : "\"failure\""));
    }
}

/* Or that the level is wrong, or began with another night: those of both nights follow. */
static void a_status_follows_a_level_that_somebody_moves(void **state) {
    scene *s = *state;
    by_status(s);
    jump(s);
    for (int i = 0; i < 3; i++) {
        scene_round(s, MINUTE);
        night(s, slow);
    }
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 4);
    const srv_baseline moved = {
        .alert = alert_id(s), .night = "2013-03-09", .reason = "noise", .author = "ada"};
    int64_t id;
    s->fix->now_ms += MINUTE;
    assert_true(srv_baseline_set(s->fix->store, "kieker", &moved, s->fix->now_ms, &id, NULL));
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 6);
    assert_non_null(strstr(status_of(s, 4, 7)->body, "\"success\""));
    assert_non_null(strstr(status_of(s, 5, 9)->body, "\"error\""));
    s->fix->now_ms += MINUTE;
    assert_true(srv_baseline_undo(s->fix->store, id, "ada", "it was", s->fix->now_ms, NULL));
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 6, 7)->body, "\"failure\""));
}

/* Or that one begins with a night, which nobody can tell of then. */
static void a_status_follows_a_level_that_somebody_sets(void **state) {
    static const srv_baseline level = {
        .night = "2013-03-07", .reason = "new compiler", .author = "ada"};
    scene *s = *state;
    by_status(s);
    scene_round(s, 0);
    night(s, quiet);
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 0, 7)->body, "\"success\""));
    int64_t id;
    s->fix->now_ms += MINUTE;
    assert_true(srv_baseline_set(s->fix->store, "kieker", &level, s->fix->now_ms, &id, NULL));
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 1, 7)->body, "\"error\""));
    assert_non_null(strstr(status_of(s, 1, 7)->body, "a new level, set by hand"));
    s->fix->now_ms += MINUTE;
    assert_true(srv_baseline_undo(s->fix->store, id, "ada", "it was not", s->fix->now_ms, NULL));
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 2, 7)->body, "\"success\""));
}

static int setup_without_night(void **state) {
    *state = scene_new(CFG_NOTIFY_GITHUB_STATUS);
    return 0;
}

static void a_first_night_has_no_status(void **state) {
    scene *s = *state;
    by_status(s);
    scene_round(s, 0);
    night(s, quiet);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 0);
    night(s, quiet);
    scene_round(s, MINUTE);
    assert_int_equal(receiver_count(s->receiver), 1);
}

/* Its commit has one already, of a result with another benchmark: that says too much now. */
static void a_first_night_takes_a_status_back(void **state) {
    scene *s = *state;
    by_status(s);
    scene_round(s, 0);
    night(s, quiet);
    night(s, quiet);
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 0, s->nights)->body, "\"success\""));
    (void)fix_add(s->fix, "kieker", s->nights, "2013-03-02", SRV_KIND_MANUAL);
    json_t *leased = fix_lease(s->fix);
    (void)fix_ingest(s->fix, leased, fix_result(s->fix, leased, quiet));
    assert_true(srv__run(s->fix->store,
                         sql_text("UPDATE portion SET verdict='first', rule='first-night' WHERE "
                                  "experiment_id=(SELECT max(id) FROM experiment)",
                                  ""),
                         SRV__NO_ARGS, NULL));
    scene_round(s, MINUTE);
    assert_non_null(strstr(status_of(s, 1, s->nights)->body, "\"error\""));
}

static int begin(void **state) {
    (void)state;
    return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, scene_teardown)

/* For those who run the nodes: what happened to the machine, once when it opens and once when over.
 */
static void incidents_have_a_rule_of_their_own(void **state) {
    scene *s = *state;
    static const double halved[4] = {50, 150, 500, 1250};
    s->rules[1] = (cfg_notify){
        .via = CFG_NOTIFY_WEBHOOK, .url = s->urls[1], .max_age_days = 100000, .incidents = true};
    s->project.notify_count = 2;
    scene_round(s, 0);
    night(s, halved);
    night(s, halved);
    scene_round(s, 0);
    assert_int_equal(receiver_count(s->receiver), 1);
    const receiver_request *got = receiver_get(s->receiver, 0);
    assert_string_equal(got->event, "incident.opened");
    json_t *body = json_loads(got->body, 0, NULL);
    json_t *incident = json_array_get(json_object_get(body, "incidents"), 0);
    assert_string_equal(json_string_value(json_object_get(incident, "kind")), "scale");
    assert_null(json_object_get(body, "alerts"));
    json_decref(body);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 1);
    for (int i = 0; i < 7; i++)
        night(s, halved);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 2);
    assert_string_equal(receiver_get(s->receiver, 1)->event, "incident.over");
    /* and a change of the code goes to the other rule alone */
    static const double dearer[4] = {50, 150, 500, 1700};
    night(s, dearer);
    scene_round(s, DAY);
    assert_int_equal(receiver_count(s->receiver), 3);
    assert_string_equal(receiver_get(s->receiver, 2)->event, "alert.raised");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(incidents_have_a_rule_of_their_own),
        cmocka_unit_test_setup_teardown(a_first_night_takes_a_status_back, setup_without_night,
                                        scene_teardown),
        cmocka_unit_test_setup_teardown(a_first_night_has_no_status, setup_without_night,
                                        scene_teardown),
        TEST(told_once_and_signed),
        TEST(three_portions_are_one_message),
        TEST(old_changes_are_history),
        TEST(an_hour_of_500_loses_nothing),
        TEST(alerts_told_together_are_noted_together),
        TEST(retry_after_is_kept),
        TEST(redirects_are_not_followed),
        TEST(a_refusal_is_not_repeated),
        TEST(given_up_in_the_end),
        TEST(the_end_is_told_to_whom_the_beginning_was),
        TEST(each_end_is_told),
        TEST(what_ended_before_it_was_told_is_not_told),
        TEST(quiet_hours_keep_it),
        TEST(rules_choose),
        TEST(a_dead_channel_does_not_hold_up_another),
        TEST(a_removed_rule_is_forgotten),
        TEST(slack_and_its_file),
        TEST(github_issue_is_opened_found_again_and_closed),
        TEST(github_status_of_every_night),
        TEST(a_status_is_sent_again_when_a_later_night_tells),
        TEST(a_status_of_a_commit_that_was_measured_again),
        TEST(a_status_is_sent_again_when_its_alert_is_withdrawn),
        TEST(a_status_follows_what_somebody_answers),
        TEST(a_status_follows_a_level_that_somebody_moves),
        TEST(a_status_follows_a_level_that_somebody_sets),
        TEST(a_status_between_is_sent_again),
        TEST(a_night_of_another_alert_keeps_its_commit),
        TEST(a_status_of_a_commit_that_may_have_done_it),
        TEST(a_status_after_the_change_accuses_nobody),
        TEST(a_status_between_two_measurements_of_its_commit),
        TEST(a_status_is_sent_again_when_an_earlier_night_has_its_answer),
    };
    return cmocka_run_group_tests(tests, begin, scene_end);
}
