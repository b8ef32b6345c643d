#include "ci/command/pull.h"

#include "config/json_text.h"
#include "config/shown.h"

#include <math.h>
#include <stdio.h>

json_int_t ci_pull_ask(ci_client *client, const char *project, const char *commit, bool queue,
                       GError **error) {
    g_autofree char *path = ci_client_path("projects", project, "pull-requests");
    json_auto_t *body =
        json_pack("{s:s, s:o*}", "commit", commit, "merge_queue", queue ? json_true() : NULL);
    json_auto_t *answer = ci_client_post(client, path, body, "COMMIT", error);
    return cfg_json_integer(answer, "pull_request");
}

typedef struct {
    const char *commit;
    json_int_t id; /* of the newest that is of this commit; 0: none yet */
} sought;

static bool of_commit(void *user, const json_t *page) {
    sought *one = user;
    size_t i;
    json_t *pull;
    cfg_json_each (page, "items", i, pull)
        if (one->id == 0 && g_str_has_prefix(cfg_json_word(pull, "commit", ""), one->commit))
            one->id = cfg_json_integer(pull, "id");
    return one->id != 0;
}

json_int_t ci_pull_find(ci_client *client, const char *project, const char *commit,
                        GError **error) {
    sought one = {commit, 0};
    g_autofree char *list = ci_client_path("projects", project, "pull-requests");
    if (ci_client_pages(client, list, of_commit, &one, error) && one.id == 0)
        ci_wrong(error,
                 "commit %s of %s has no pull request; moowatch submit --against-merge-base asks "
                 "for one",
                 commit, project);
    return one.id;
}

static bool has_ended(const json_t *pull) {
    const char *state = cfg_json_word(pull, "state", "");
    return g_str_equal(state, "done") || g_str_equal(state, "failed") ||
           g_str_equal(state, "dropped");
}

/* "Being measured, place 2 in the queue, 8 minutes left" */
static char *standing(const json_t *pull) {
    GString *text = g_string_new(cfg_json_word(pull, "headline", "?"));
    const json_int_t place = cfg_json_integer(pull, "place");
    const double left_s = cfg_json_number(pull, "left_seconds");
    if (place > 0)
        g_string_append_printf(text, ", place %" JSON_INTEGER_FORMAT " in the queue", place);
    if (isfinite(left_s))
        g_string_append_printf(text, ", %.1f minutes of measuring left at most", left_s / 60);
    const char *reason = cfg_json_word(pull, "reason", NULL);
    if (reason && g_str_equal(cfg_json_word(pull, "state", ""), "waiting"))
        g_string_append_printf(text, ": %s", reason);
    return g_string_free(text, FALSE);
}

json_t *ci_pull_wait(ci_client *client, json_int_t number, unsigned timeout_s, GError **error) {
    static const ci_awaited what = {"has no answer", has_ended, standing, NULL};
    g_autofree char *id = g_strdup_printf("%" JSON_INTEGER_FORMAT, number);
    g_autofree char *path = ci_client_path("pull-requests", id, NULL);
    g_autofree char *name = g_strconcat("pull request ", id, NULL);
    return ci_await(client, path, name, &what, timeout_s, error);
}

bool ci_pull_ended(const json_t *pull, GError **error) {
    const char *state = cfg_json_word(pull, "state", "?");
    return g_str_equal(state, "done") ||
           ci_wrong(error, "it was not measured: %s", cfg_json_word(pull, "reason", state));
}

static ci_exit answer_of(const json_t *portion, bool asked, const ci_policy *policy) {
    const char *answer = cfg_json_word(portion, "answer", "");
    const bool unsure = g_str_equal(answer, "unsure");
    if (!asked)
        return CI_OK;
    if (g_str_equal(answer, "slower") || (policy->both && g_str_equal(answer, "faster")) ||
        (policy->strict && unsure))
        return CI_FOUND;
    return unsure ? CI_UNSURE : CI_OK;
}

static const char *word_of(ci_exit answer) {
    return answer == CI_OK ? "pass" : answer == CI_FOUND ? "fail" : "cannot tell";
}

ci_exit ci_pull_gate(const json_t *pull, const ci_policy *policy, bool json, GError **error) {
    const json_t *portions = json_object_get(pull, "portions");
    ci_exit all = json_array_size(portions) > 0 ? CI_OK : CI_UNSURE;
    size_t i;
    json_t *portion;
    if (!ci_pull_ended(pull, error))
        return CI_INPUT;
    if (all == CI_OK && !ci_policy_fits(policy, portions, error))
        return CI_USAGE;
    if (g_str_equal(cfg_json_word(pull, "answer", ""), "untouched")) {
        g_autofree char *reason = cfg_shown(cfg_json_word(pull, "reason", ""));
        all = CI_OK;
        if (!json)
            (void)printf("pass: nothing to measure: %s\n", reason);
    } else if (all != CI_OK && !json)
        (void)puts("cannot tell: no portion was compared");
    json_array_foreach (portions, i, portion) {
        const bool asked = ci_policy_wants(policy, cfg_json_word(portion, "portion", ""),
                                           cfg_json_word(portion, "configuration", NULL),
                                           json_array_size(portions));
        const ci_exit one = answer_of(portion, asked, policy);
        g_autofree char *sentence = cfg_shown(cfg_json_word(portion, "sentence", ""));
        if (one == CI_FOUND || all == CI_OK)
            all = one;
        if (!json)
            (void)printf("%s: %s\n", asked ? word_of(one) : "not judged", sentence);
    }
    if (json)
        ci_print_json(pull);
    return all;
}
