/* Pull requests that webhooks told of: heard, and git asked where each parted from the branch. */
#include "tests/unit/test.h"

#include "tests/unit/server/watched.h"

#include "server/hook/hook.h"
#include "server/poll/question.h"
#include "server/pull/pull.h"
#include "server/views/views.h"
#include "tests/unit/server/expect.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/sql_text.h"

#include <glib/gstdio.h>

typedef struct {
    watched *watched;
    char *base, *head;
} bench;

/* main: one, two; topic: one, three. */
static int setup(void **state) {
    bench *at = g_new0(bench, 1);
    void *own;
    const int code = watched_setup(&own);
    at->watched = own;
    const repository *from = at->watched->repository;
    at->base = repository_commit(from, 1000, "one");
    repository_do(from, "checkout", "-q", "-b", "topic", NULL);
    at->head = repository_commit(from, 2000, "three");
    repository_do(from, "checkout", "-q", "main", NULL);
    g_free(repository_commit(from, 3000, "two"));
    at->watched->project->pull_requests =
        (cfg_pull_requests){.minutes = 10, .percent = 5, .label = g_strdup("measure")};
    watched_fetch(at->watched);
    *state = at;
    return code;
}

static int teardown(void **state) {
    bench *at = *state;
    void *own = at->watched;
    g_free(at->base);
    g_free(at->head);
    g_free(at);
    return watched_teardown(&own);
}
#define PULLS_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* A webhook of a number, with this head. */
static void deliver_of(bench *at, int number, const char *id, const char *head, bool fork) {
    g_autofree char *pull = g_strdup_printf(
        "{\"action\":\"opened\",\"number\":%d,\"head\":\"%s\",\"title\":\"Do it\",\"fork\":%s}",
        number, head, fork ? "true" : "false");
    srv_delivery delivery = {
        .provider = "github", .id = id, .project = "kieker", .sha = head, .pull = pull};
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_ptr_array_add(all, &delivery);
    assert_true(srv_delivery_take(at->watched->fix->store, all, NULL));
}

static void deliver(bench *at, const char *id, const char *head, bool fork) {
    deliver_of(at, 7, id, head, fork);
}

/* Nothing of what stood in it before is left. */
static void a_first_commit_has_no_parent(void **state) {
    (void)state;
    json_auto_t *item = json_pack("{s:s, s:s, s:s, s:i, s:s}", "sha", "a", "author", "b",
                                  "author_email", "c", "time_ms", 4, "subject", "d");
    srv_commit commit = {.parent = "e", .place = 6};
    assert_true(srv__commit_read(item, &commit, NULL));
    assert_null(commit.parent);
    assert_int_equal(commit.place, 0);
}

static bool has_store(srv__asker *by) {
    return by->store != NULL;
}

static bool looked(bench *at, const char *helper, GError **error) {
    watched *w = at->watched;
    g_autoptr(srv_fetch) fetch = srv_fetch_new(helper, w->config.data_dir, -1);
    srv__asker by = {.context = &w->app.context,
                     .fetch = fetch,
                     .wait = {.connect_ms = 30000, .answer_ms = 30000},
                     .store = w->fix->store,
                     .store_back = has_store};
    return srv_pulls_look(&by, w->project, w->fix->now_ms, error);
}

static json_t *pull_of(bench *at, int64_t id) {
    json_t *pull = srv_view_pull(at->watched->fix->store, id, NULL);
    assert_non_null(pull);
    return pull;
}

static void what_is_heard_is_measured_with_its_merge_base(void **state) {
    bench *at = *state;
    deliver(at, "1", at->head, false);
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "state"), "measuring");
    assert_string_equal(text_of(pull, "base"), at->base);
    at->watched->fix->can = json_pack("[s]", "confirmation");
    json_auto_t *leased = fix_lease(at->watched->fix);
    const json_t *job = json_object_get(leased, "job");
    assert_string_equal(text_of(job, "commit"), at->head);
    assert_string_equal(text_of(job, "before"), at->base);
    /* nothing is left to do: git is not asked */
    assert_true(looked(at, "/nonexistent/helper", NULL));
}

static void what_touches_nothing_of_it_is_answered_at_once(void **state) {
    bench *at = *state;
    const repository *from = at->watched->repository;
    char *only[] = {(char[]){"src/"}};
    at->watched->project->paths = only;
    at->watched->project->paths_count = 1;
    deliver_of(at, 7, "1", at->head, false);
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_auto_t *spared = pull_of(at, 1);
    assert_string_equal(text_of(spared, "state"), "done");
    assert_string_equal(text_of(spared, "answer"), "untouched");
    assert_string_equal(text_of(spared, "headline"), "Nothing to measure");
    assert_string_equal(text_of(spared, "reason"), "no file was changed; no file matches \"src\"");
    assert_true(json_is_null(json_object_get(spared, "job")));
    repository_do(from, "checkout", "-q", "topic", NULL);
    g_autofree char *folder = g_build_filename(from->url, "src", NULL);
    g_mkdir(folder, 0755);
    g_free(folder_file(from->url, "src/a.c", "a"));
    repository_do(from, "add", "src/a.c", NULL);
    g_autofree char *head = repository_commit(from, 4000, "four");
    repository_do(from, "checkout", "-q", "main", NULL);
    deliver_of(at, 7, "2", head, false);
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_auto_t *measured = pull_of(at, 2);
    repository_do(from, "checkout", "-q", "-b", "words", at->base, NULL);
    g_free(folder_file(from->url, "readme", "r"));
    repository_do(from, "add", "readme", NULL);
    g_autofree char *words = repository_commit(from, 5000, "five");
    repository_do(from, "checkout", "-q", "main", NULL);
    deliver_of(at, 8, "3", words, false);
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_auto_t *other = pull_of(at, 3);
    assert_string_equal(
        text_of(other, "reason"),
        "the changed file is not among the project's paths; no file matches \"src\"");
    at->watched->project->paths = NULL;
    at->watched->project->paths_count = 0;
    assert_string_equal(text_of(measured, "state"), "measuring");
}

/* From the merge queue, of pull request 7. */
static void queue_says(bench *at, const char *action, const char *id, const char *head) {
    g_autofree char *pull = g_strdup_printf("{\"action\":\"%s\",\"number\":7,\"head\":\"%s\","
                                            "\"title\":\"Merge\",\"labels\":[],\"queue\":true}",
                                            action, head);
    srv_delivery delivery = {
        .provider = "github", .id = id, .project = "kieker", .sha = head, .pull = pull};
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_ptr_array_add(all, &delivery);
    assert_true(srv_delivery_take(at->watched->fix->store, all, NULL));
    assert_true(looked(at, "/proc/self/exe", NULL));
}

/* The same files on the same merge base: the answer is there at once; other files are measured. */
static void a_merge_queue_is_answered_as_the_pull_request(void **state) {
    bench *at = *state;
    const repository *from = at->watched->repository;
    srv_store *store = at->watched->fix->store;
    deliver(at, "1", at->head, false);
    assert_true(looked(at, "/proc/self/exe", NULL));
    assert_true(srv__run(store, sql_text("UPDATE pull SET state='done'", ""), SRV__NO_ARGS, NULL));
    assert_true(srv__run(store, sql_text("UPDATE pull_portion SET answer='slower'", ""),
                         SRV__NO_ARGS, NULL));
    repository_do(from, "checkout", "-q", "-b", "queue", at->base, NULL);
    g_autofree char *same = repository_commit(from, 5000, "the same files");
    queue_says(at, "opened", "2", same);
    json_auto_t *first = pull_of(at, 1), *as = pull_of(at, 2);
    assert_string_equal(text_of(as, "provider"), "merge_group");
    assert_string_equal(text_of(as, "state"), "done");
    assert_string_equal(text_of(as, "answer"), "slower");
    assert_true(g_str_has_prefix(text_of(as, "reason"), "as the pull request, measured at "));
    assert_true(json_equal(json_object_get(first, "portions"), json_object_get(as, "portions")));
    /* GitLab's train: a job of its pipeline asks, with a commit that no branch has */
    g_autofree char *train = repository_commit(from, 5500, "the same files on a train");
    repository_do(from, "update-ref", "refs/merge-requests/7/train", train, NULL);
    repository_do(from, "reset", "-q", "--hard", same, NULL);
    const srv_pull_facts facts = {
        .provider = SRV_PULL_QUEUE, .head = train, .title = "", .author = "pipeline"};
    int64_t id;
    assert_true(srv_pull_ask(store, at->watched->project, &facts, 1, &id, NULL));
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_auto_t *trained = pull_of(at, id);
    assert_string_equal(text_of(trained, "answer"), "slower");
    assert_int_equal(json_integer_value(json_object_get(trained, "spent_ms")), 0);
    g_free(folder_file(from->url, "other", "x"));
    repository_do(from, "add", "other", NULL);
    g_autofree char *other = repository_commit(from, 6000, "other files");
    repository_do(from, "checkout", "-q", "main", NULL);
    at->watched->project->pull_requests.minutes_a_day = 1; /* nobody waits for tomorrow */
    queue_says(at, "opened", "3", other);
    json_auto_t *measured = pull_of(at, 4);
    assert_string_equal(text_of(measured, "state"), "measuring");
    queue_says(at, "closed", "4", same); /* an older one */
    json_auto_t *still = pull_of(at, 4);
    assert_string_equal(text_of(still, "state"), "measuring");
    queue_says(at, "closed", "5", other);
    json_auto_t *gone = pull_of(at, 4);
    assert_string_equal(text_of(gone, "state"), "dropped");
    assert_string_equal(text_of(gone, "reason"), "it left the merge queue");
}

/* It is not said to wait for tomorrow while its commit is looked for, and however many do wait, it
 * is looked for. */
static void a_merge_queue_waits_for_no_tomorrow(void **state) {
    bench *at = *state;
    srv_store *store = at->watched->fix->store;
    deliver_of(at, 7, "1", at->head, false);
    assert_true(looked(at, "/proc/self/exe", NULL));
    at->watched->project->pull_requests.minutes_a_day = 1;
    for (int i = 0; i < 101; i++) {
        g_autofree char *id = g_strdup_printf("%d", i + 10);
        deliver_of(at, i + 10, id, at->head, false);
    }
    static const char nowhere[] = "4444444444444444444444444444444444444444";
    queue_says(at, "opened", "2", nowhere);
    int64_t tried = 0;
    assert_true(srv__number(store, sql_text("SELECT attempts FROM pull WHERE head=$1", "t"),
                            SRV__ARGS(nowhere), 0, &tried, NULL));
    assert_int_equal(tried, 1);
    json_auto_t *queued = pull_of(at, 103);
    assert_string_equal(text_of(queued, "commit"), nowhere);
    assert_string_equal(text_of(queued, "headline"), "Waits for its commits");
}

/* Whose day is spent is not even looked for: git is not asked. */
static void what_waits_for_tomorrow_is_not_fetched(void **state) {
    bench *at = *state;
    deliver_of(at, 7, "1", at->head, false);
    assert_true(looked(at, "/proc/self/exe", NULL));
    at->watched->project->pull_requests.minutes_a_day = 15;
    deliver_of(at, 8, "2", at->head, false);
    assert_true(looked(at, "/nonexistent/helper", NULL));
    json_auto_t *pull = pull_of(at, 2);
    assert_string_equal(text_of(pull, "state"), "waiting");
    assert_string_equal(text_of(pull, "headline"), "Waits for tomorrow");
    at->watched->fix->now_ms += INT64_C(86400000);
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_auto_t *begun = pull_of(at, 2);
    assert_string_equal(text_of(begun, "state"), "measuring");
    assert_null(text_of(begun, "reason"));
}

static void a_fork_is_not_even_fetched(void **state) {
    bench *at = *state;
    deliver(at, "1", at->head, true);
    assert_true(looked(at, "/nonexistent/helper", NULL));
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "state"), "held");
}

static void a_commit_that_does_not_come_is_given_up(void **state) {
    bench *at = *state;
    deliver(at, "1", "0123456789012345678901234567890123456789", false);
    for (int i = 1; i <= 3; i++) {
        assert_true(looked(at, "/proc/self/exe", NULL));
        json_auto_t *pull = pull_of(at, 1);
        assert_string_equal(text_of(pull, "state"), i < 3 ? "waiting" : "failed");
        if (i == 3)
            assert_says(text_of(pull, "reason"), "push it first");
    }
}

/* Such as one of 64 digits, or one that is larger than fetch_limit_bytes. */
static void one_that_cannot_be_fetched_keeps_no_other_waiting(void **state) {
    bench *at = *state;
    deliver_of(at, 6, "1", "0123456789012345678901234567890123456789012345678901234567890123",
               false);
    deliver_of(at, 7, "2", at->head, false);
    for (int i = 1; i <= 3; i++) {
        assert_true(looked(at, "/proc/self/exe", NULL));
        json_auto_t *first = pull_of(at, 1), *second = pull_of(at, 2);
        assert_string_equal(text_of(first, "state"), i < 3 ? "waiting" : "failed");
        assert_string_equal(text_of(second, "state"), "measuring");
        if (i == 3)
            assert_says(text_of(first, "reason"), "a full head");
    }
}

static void what_is_merged_already_is_told(void **state) {
    bench *at = *state;
    deliver(at, "1", at->base, false);
    assert_true(looked(at, "/proc/self/exe", NULL));
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "state"), "failed");
    assert_says(text_of(pull, "reason"), "on the branch already");
}

static void an_answer_without_what_is_needed_is_refused(void **state) {
    bench *at = *state;
    g_autoptr(GError) error = NULL;
    g_autofree char *helper = folder_file(at->watched->config.data_dir, "helper",
                                          "#!/bin/sh\nread -r q; echo '{}'; read -r q\n");
    assert_int_equal(g_chmod(helper, 0700), 0);
    deliver(at, "1", at->head, false);
    assert_false(looked(at, helper, &error));
    assert_says(error->message, "invalid answer");
    json_auto_t *pull = pull_of(at, 1);
    assert_string_equal(text_of(pull, "state"), "waiting");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_first_commit_has_no_parent),
        PULLS_TEST(what_is_heard_is_measured_with_its_merge_base),
        PULLS_TEST(what_touches_nothing_of_it_is_answered_at_once),
        PULLS_TEST(a_merge_queue_is_answered_as_the_pull_request),
        PULLS_TEST(a_merge_queue_waits_for_no_tomorrow),
        PULLS_TEST(what_waits_for_tomorrow_is_not_fetched),
        PULLS_TEST(a_fork_is_not_even_fetched),
        PULLS_TEST(a_commit_that_does_not_come_is_given_up),
        PULLS_TEST(one_that_cannot_be_fetched_keeps_no_other_waiting),
        PULLS_TEST(what_is_merged_already_is_told),
        PULLS_TEST(an_answer_without_what_is_needed_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
