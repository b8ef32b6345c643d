#pragma once
/* A project that measures pull requests, what webhooks say of them, and their answers. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/ground/error.h"
#include "server/pull/pull.h"
#include "server/views/views.h"

#include <string.h>

#define PULL_MINUTES 10

static const double base[4] = {70, 470, 1600, 3200};

typedef struct {
    fixture *fix;
    cfg_project *project;
    int lost; /* of the thousand records that the head writes */
} bench;

static inline int setup(void **state) {
    bench *at = g_new0(bench, 1);
    at->fix = fix_new();
    fix_sync(at->fix, "kieker", NULL);
    at->fix->can = json_pack("[s]", "confirmation");
    at->project = fix_project("kieker");
    at->project->enabled = true;
    at->project->pull_requests =
        (cfg_pull_requests){.minutes = PULL_MINUTES, .percent = 5, .label = g_strdup("measure")};
    *state = at;
    return 0;
}

static inline int teardown(void **state) {
    bench *at = *state;
    fix_free(at->fix);
    fix_project_free(at->project);
    g_free(at);
    return 0;
}
#define PULL_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

/* What a webhook says of number 7, whose head is the commit of that number; taken over: more. */
static inline const char *said(bench *at, const char *action, int commit, bool fork, json_t *more) {
    GError *error = NULL;
    const char *note = NULL;
    json_auto_t *pull =
        json_pack("{s:s,s:i,s:s,s:s,s:s,s:b}", "action", action, "number", 7, "head",
                  fix_sha(commit), "ref", "refs/pull/7/head", "title", "Do it", "fork", (int)fork);
    if (more)
        json_object_update(pull, more);
    json_decref(more);
    if (!srv_pull_hear(at->fix->store, at->project, "github", pull, at->fix->now_ms, &note, &error))
        fail_msg("%s", error->message);
    return note;
}

static inline json_t *pull_of(bench *at, int64_t id) {
    GError *error = NULL;
    json_t *pull = srv_view_pull(at->fix->store, id, &error);
    if (!pull)
        fail_msg("%s", error->message);
    return pull;
}

static inline void state_is(bench *at, int64_t id, const char *expected, const char *reason) {
    json_auto_t *pull = pull_of(at, id);
    assert_string_equal(text_of(pull, "state"), expected);
    if (reason)
        assert_non_null(strstr(text_of(pull, "reason"), reason));
}

static inline srv_commit commit_of(int number, char sha[41]) {
    g_strlcpy(sha, fix_sha(number), 41);
    return (srv_commit){.sha = sha,
                        .author = "Ada",
                        .author_email = "ada@example.org",
                        .time_ms = 1000,
                        .subject = "Change something"};
}

/* Git has found its commits: the head is of that number, the merge base is commit 1. */
static inline void begin(bench *at, int64_t id, int head) {
    GError *error = NULL;
    char one[41], two[41];
    const srv_commit after = commit_of(head, one), before = commit_of(1, two);
    if (!srv_pull_begin(at->fix->store, id, &after, &before, at->fix->now_ms, &error))
        fail_msg("%s", error->message);
}

/* The head's probe takes turns at being quick and slow, by so many ns. */
static inline void shake(json_t *body, double ns) {
    size_t i;
    json_t *loop;
    json_array_foreach (json_object_get(body, "loops"), i, loop) {
        json_t *summary = json_object_get(loop, "summary");
        const double mean = json_number_value(json_object_get(summary, "mean_ns"));
        const bool head = strcmp(text_of(loop, "commit"), fix_sha(1)) != 0;
        if (head && strcmp(text_of(loop, "configuration"), "deactivated") == 0)
            json_object_set_new(summary, "mean_ns",
                                json_real(mean + (number_of(loop, "loop") % 2 ? ns : -ns)));
    }
}

/* What the receiver of what is written counted. */
static inline void lose(json_t *body, int lost) {
    size_t i;
    json_t *loop;
    json_array_foreach (json_object_get(body, "loops"), i, loop)
        if (strcmp(text_of(loop, "configuration"), "writing") == 0)
            json_object_set_new(
                loop, "readings",
                json_pack("{s:{s:i, s:i}}", "receiver", "records",
                          strcmp(text_of(loop, "commit"), fix_sha(1)) != 0 ? 1000 - lost : 1000,
                          "expected", 1000));
}

/* A job of it is done, which took so many seconds, with these means of the head. */
static inline bool measured_shaken(bench *at, const double head[4], int seconds, double ns) {
    GError *error = NULL;
    bool created;
    fixture *fix = at->fix;
    json_auto_t *leased = fix_lease(fix);
    if (!leased)
        return false;
    assert_string_equal(text_of(json_object_get(leased, "job"), "kind"), "confirmation");
    fix->now_ms += 1000 * seconds;
    json_auto_t *body = fix_trial(fix, leased, base, head);
    shake(body, ns);
    lose(body, at->lost);
    for (int i = 0; i < 2; i++) { /* the second is a lost answer's repetition */
        json_auto_t *answer =
            srv_ingest_result(fix->store, job_id(leased), body, fix->now_ms, &created, &error);
        if (!answer)
            fail_msg("%s", error->message);
        assert_int_equal(created, i == 0);
        assert_true(number_of(answer, "pull_request") > 0);
    }
    return true;
}

static inline bool measured(bench *at, const double head[4], int seconds) {
    return measured_shaken(at, head, seconds, 0);
}

static inline const char *answer_of(const json_t *pull, size_t portion) {
    return text_of(json_array_get(json_object_get(pull, "portions"), portion), "answer");
}
