/* A pull request out of the store, told over HTTP: held, asked, begun, answered, each once, in
 * one comment. */
#include "tests/unit/server/pull/pulls.h"

#include "server/notify/notify_round.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/receiver.h"

typedef struct {
    bench *bench;
    receiver *receiver;
    cfg_server server;
    cfg_notify rule;
    char *url, *token_file;
} scene;

static void round_now(scene *s) {
    g_autoptr(GPtrArray) projects = g_ptr_array_new();
    GError *error = NULL;
    int64_t next_ms;
    g_ptr_array_add(projects, s->bench->project);
    s->bench->fix->now_ms += 60000;
    const srv_notify_means means = {.server = &s->server, .projects = projects};
    if (!srv_notify_round(s->bench->fix->store, &means, s->bench->fix->now_ms, &next_ms, &error))
        fail_msg("%s", error->message);
}

static int scene_setup(void **state) {
    static char base_url[] = "https://moo.example", repository[] = "o/r";
    scene *s = g_new0(scene, 1);
    void *own;
    const int code = setup(&own);
    s->bench = own;
    s->receiver = receiver_new();
    s->url = g_strdup_printf("http://127.0.0.1:%u", receiver_port(s->receiver));
    s->token_file = folder_file(s->bench->fix->dir, "token", "ghp_secret\n");
    s->server.public_url = base_url;
    s->rule = (cfg_notify){.via = CFG_NOTIFY_GITHUB_COMMENT,
                           .url = s->url,
                           .repository = repository,
                           .secret_file = s->token_file,
                           .max_age_days = 14};
    s->bench->project->notify = &s->rule;
    s->bench->project->notify_count = 1;
    round_now(s); /* the channel is opened before anything is asked */
    *state = s;
    return code;
}

static int scene_teardown(void **state) {
    scene *s = *state;
    void *own = s->bench;
    s->bench->project->notify = NULL;
    s->bench->project->notify_count = 0;
    receiver_free(s->receiver);
    g_free(s->url);
    g_free(s->token_file);
    g_free(s);
    return teardown(&own);
}
#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, scene_setup, scene_teardown)

/* One round makes this call, which is answered with this id, and its body says this. */
static void told(scene *s, const char *line, const char *id, const char *says) {
    const receiver_answer answer[] = {{201, NULL, NULL, id}};
    receiver_forget(s->receiver);
    receiver_script(s->receiver, answer, 1);
    round_now(s);
    assert_int_equal(receiver_count(s->receiver), 1);
    const receiver_request *got = receiver_get(s->receiver, 0);
    assert_string_equal(got->line, line);
    if (!strstr(got->body, says))
        fail_msg("%s", got->body);
    round_now(s);
    assert_int_equal(receiver_count(s->receiver), 1);
}

#define MAKE "POST /repos/o/r/issues/7/comments"
#define CHANGE(id) "PATCH /repos/o/r/issues/comments/" id
#define FIVE "{\"id\":5}"

static void one_comment_follows_it(void **state) {
    scene *s = *state;
    said(s->bench, "opened", 2, true, NULL);
    told(s, MAKE, FIVE, "only after a maintainer sets the label");
    said(s->bench, "labels", 2, true,
         json_pack("{s:[s],s:[s]}", "labels", "measure", "labels_set", "measure"));
    told(s, CHANGE("5"), FIVE, "Waits for its commits");
    begin(s->bench, 1, 2);
    told(s, CHANGE("5"), FIVE, "place 1 in the queue, at most 10 minutes of measuring left");
    while (measured(s->bench, base, 30))
        ;
    told(s, CHANGE("5"), FIVE, "merge base, ns a call");
}

/* What was pushed is told in the comment that is there; what it was pushed over is not told apart.
 */
static void a_push_changes_the_same_comment(void **state) {
    scene *s = *state;
    said(s->bench, "opened", 2, false, NULL);
    told(s, MAKE, FIVE, "Waits for its commits");
    said(s->bench, "opened", 3, false, NULL);
    told(s, CHANGE("5"), FIVE, "Waits for its commits");
}

static void what_went_on_meanwhile_is_told_as_it_is(void **state) {
    scene *s = *state;
    GError *error = NULL;
    said(s->bench, "opened", 2, false, NULL);
    const receiver_answer busy[] = {{500, NULL, NULL, NULL}};
    receiver_script(s->receiver, busy, 1);
    round_now(s);
    assert_true(srv_pull_end(s->bench->fix->store, 1, "failed", 0, "no commit in common",
                             s->bench->fix->now_ms, &error));
    told(s, MAKE, FIVE, "no commit in common");
}

static void another_providers_channel_is_not_told(void **state) {
    scene *s = *state;
    s->rule.via = CFG_NOTIFY_GITLAB_COMMENT;
    round_now(s);
    said(s->bench, "opened", 2, false, NULL); /* by GitHub's webhook */
    round_now(s);
    assert_int_equal(receiver_count(s->receiver), 0);
}

static int begin_all(void **state) {
    (void)state;
    return 0;
}

static int end_all(void **state) {
    (void)state;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCENE_TEST(one_comment_follows_it),
        SCENE_TEST(a_push_changes_the_same_comment),
        SCENE_TEST(what_went_on_meanwhile_is_told_as_it_is),
        SCENE_TEST(another_providers_channel_is_not_told),
    };
    return cmocka_run_group_tests(tests, begin_all, end_all);
}
