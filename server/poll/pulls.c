#include "server/poll/question.h"

#include "config/json_text.h"
#include "config/log.h"
#include "server/alarm/alerts.h"
#include "server/hook/hook.h"
#include "server/pull/pull.h"
#include "server/store/store_sql.h"
#include "sql/hook.h"
#include "sql/pull.h"

#include <gio/gio.h>

enum { TRIES = 3 /* polls until a commit that is not there is given up */ };

/* What a webhook said of one. */
typedef struct {
    int64_t id;
    char *provider;
    json_t *pull;
} delivered;

static const model_member delivered_members[] = {MODELS(delivered, id, provider, pull)};
static const model_noun delivered_noun = MODEL_NOUN(delivered, delivered_members, "delivery");

/* One that is to be begun. */
typedef struct {
    int64_t id, attempts;
    char *head, *ref; /* ref NULL: it was handed in */
    bool queue;       /* a merge waits for it */
} waiting_pull;

static const model_member waiting_members[] = {MODELS(waiting_pull, id, head),
                                               MODEL(waiting_pull, ref, "ref", MODEL_NULL),
                                               MODELS(waiting_pull, attempts, queue)};
static const model_noun waiting_noun = MODEL_NOUN(waiting_pull, waiting_members, "pull request");

/* What the git process says of its commits. */
typedef struct {
    char *reason, *missing; /* why they cannot be measured; why one is not there (yet) */
    char *as;               /* head of another one that is the same; NULL: none */
    int64_t as_id;
    char *untouched, *idle; /* why there is nothing to measure; patterns that match no file */
    json_t *commit, *base;
} known_commits;

static const model_member known_members[] = {
    MODEL_NULLS(known_commits, reason, missing, untouched, idle, as),
    MODEL(known_commits, as_id, "as_id", MODEL_LEFT_OUT), MODEL_NULLS(known_commits, commit, base)};
static const model_noun known_noun =
    MODEL_NOUN(known_commits, known_members, "the git process' answer");

/* An issue of ours was closed or opened again: that answers its alert, as a person's decision. Ours
 * was closed because the alert is over; then there is nothing to answer. */
static bool issue_hear(srv__asker *by, const cfg_project *project, const json_t *issue,
                       int64_t now_ms, const char **note, GError **error) {
    const char *state = cfg_json_word(issue, "state", "");
    g_autofree char *number =
        g_strdup_printf("%" JSON_INTEGER_FORMAT, cfg_json_integer(issue, "number"));
    json_auto_t *alerts = srv__array(
        by->store, ASK(issue_alert, project->name, cfg_json_word(issue, "channel", ""), number),
        error);
    const json_t *alert = json_array_get(alerts, 0);
    if (!alert || cfg_json_true(alert, "open") == g_str_equal(state, "open")) {
        *note = alert ? "the alert is so already" : "no alert was told in this issue";
        return alerts != NULL;
    }
    cfg_log("info", "poller", "issue_answers", "project=%s issue=%s state=%s", project->name,
            number, state);
    g_autoptr(GError) refused = NULL;
    if (srv_alert_set(by->store, cfg_json_integer(alert, "id"), state,
                      cfg_json_word(issue, "author", ""), cfg_json_word(issue, "reason", ""),
                      now_ms, &refused))
        return true;
    *note = "the answer cannot be taken"; /* it would hold up all that come after it */
    if (g_error_matches(refused, SRV_ERROR, SRV_ERROR_INVALID) ||
        g_error_matches(refused, SRV_ERROR, SRV_ERROR_CONFLICT))
        return true;
    g_propagate_error(error, g_steal_pointer(&refused));
    return false;
}

static bool hear(srv__asker *by, const cfg_project *project, int64_t now_ms, GError **error) {
    g_auto(model_list) list = {0};
    bool good = srv__many(by->store, ASK(delivery_pulls, project->name, SRV_DELIVERY_PAGE),
                          &delivered_noun, &list, error);
    const delivered *item = list.items;
    for (unsigned i = 0; good && i < list.count; i++, item++) {
        const char *note = NULL;
        const bool issue = g_str_equal(cfg_json_word(item->pull, "action", ""), "issue");
        good = (issue ? issue_hear(by, project, item->pull, now_ms, &note, error)
                      : srv_pull_hear(by->store, project, item->provider, item->pull, now_ms, &note,
                                      error)) &&
               srv__run(by->store, ASK(delivery_heard, item->id), error);
        if (good && note)
            cfg_log("info", "poller", "nothing_follows", "project=%s provider=%s reason=%s",
                    project->name, item->provider, note);
    }
    return good;
}

/* Takes alike. */
static json_t *request_of(srv__asker *by, const cfg_project *project, const waiting_pull *pull,
                          json_t *alike) {
    g_autofree char *mirror = srv_context_mirror(by->context, project->name);
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s*, s:s*, s:o*, s:o*, s:o*, s:o, s:I, s:I}", "op", "base",
        "mirror", mirror, "url", project->repository, "branch", project->branch, "head", pull->head,
        "ref", pull->ref, "ssh_key_file", project->ssh_key_file, "ssh_host_fingerprints",
        srv__question_texts(project->ssh_host_fingerprints, project->ssh_host_fingerprints_count),
        "paths", srv__question_texts(project->paths, project->paths_count), "paths_ignore",
        srv__question_texts(project->paths_ignore, project->paths_ignore_count), "alike", alike,
        "fetch_limit_bytes", (json_int_t)by->context->config->fetch_limit_bytes,
        "disk_reserve_bytes", (json_int_t)by->context->config->disk_reserve_bytes);
}

static bool take(srv__asker *by, const cfg_project *project, const waiting_pull *pull,
                 const known_commits *answer, int64_t now_ms, GError **error) {
    const int64_t id = pull->id;
    const char *reason = answer->reason, *missing = answer->missing;
    srv_commit after, before;
    if (missing && pull->attempts + 1 < TRIES)
        return srv__run(by->store, ASK(pull_try, id), error);
    if (reason || missing)
        return srv_pull_end(by->store, id, "failed", 0, reason ? reason : missing, now_ms, error);
    if (answer->idle)
        cfg_log("warning", "pulls", "pattern_matches_nothing", "project=%s patterns=%s",
                project->name, answer->idle);
    if (answer->untouched)
        return srv_pull_end(by->store, id, "done", 0, answer->untouched, now_ms, error);
    if (answer->as) {
        g_autofree char *why =
            g_strdup_printf("as the pull request, measured at %.12s", answer->as);
        return srv_pull_end(by->store, id, "done", answer->as_id, why, now_ms, error);
    }
    if (!srv__commit_read(answer->commit, &after, error) ||
        !srv__commit_read(answer->base, &before, error))
        return false;
    cfg_log("info", "pulls", "begun", "project=%s commit=%s base=%s", project->name, after.sha,
            before.sha);
    return srv_pull_begin(by->store, id, &after, &before, now_ms, error);
}

/* What keeps one commit from being fetched, such as its size, is no reason to let those behind it
 * wait: it is tried again like one that is not there. NULL with error: the poller ends. */
static json_t *answer_of(srv__asker *by, const cfg_project *project, const waiting_pull *pull,
                         GError **error) {
    g_autoptr(GError) problem = NULL;
    json_t *alike = srv__array(by->store, ASK(pulls_alike, pull->id), error);
    if (!alike)
        return NULL;
    json_auto_t *request = request_of(by, project, pull, alike);
    json_t *answer = srv__question_ask_host(by, request, &problem);
    if (answer)
        return answer;
    if (g_error_matches(problem, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        g_propagate_error(error, g_steal_pointer(&problem));
        return NULL;
    }
    cfg_log("warning", "pulls", "not_fetched", "project=%s commit=%s reason=%s", project->name,
            pull->head, problem->message);
    return json_pack("{s:s}", "missing", problem->message);
}

static bool look(srv__asker *by, const cfg_project *project, const waiting_pull *pull,
                 int64_t now_ms, GError **error) {
    MODEL_HELD(known_commits, known, known_noun);
    bool may = pull->queue; /* a queue throws out what has no answer */
    if (!may && !srv_pull_today(by->store, project, pull->id, now_ms, &may, error))
        return false;
    if (!may)
        return true;
    json_auto_t *answer = answer_of(by, project, pull, error);
    return answer && model_read(&known_noun, answer, &known, error) &&
           take(by, project, pull, &known, now_ms, error);
}

bool srv_pulls_look(srv__asker *by, const cfg_project *project, int64_t now_ms, GError **error) {
    if (!hear(by, project, now_ms, error))
        return false;
    g_auto(model_list) list = {0};
    bool good =
        srv__many(by->store, ASK(pulls_waiting, project->name), &waiting_noun, &list, error);
    for (unsigned i = 0; good && i < list.count; i++)
        good = look(by, project, (const waiting_pull *)list.items + i, now_ms, error);
    return good;
}
