
#include "config/json_text.h"
#include "server/notify/notify_deliver.h"
#include "server/notify/notify_words.h"
#include "web/layout/text.h"

#include <string.h>

/* gitlab_call - one call of GitLab's REST API with a rule's token. */

/*
 * Blocking.
 * path  behind /projects/group%2Fname/
 * body  taken over; NULL: none
 * Returns the answer's JSON or NULL; out says how it went.
 */
static json_t *gitlab_call(const srv_message *d, const char *method, const char *path, json_t *body,
                           srv_sent *out) {
    const char *api = d->rule->url;
    g_autofree char *project = g_uri_escape_string(d->rule->repository, NULL, FALSE);
    g_autofree char *url = g_strdup_printf("%s%sprojects/%s/%s", api,
                                           g_str_has_suffix(api, "/") ? "" : "/", project, path);
    json_t *answer = NULL;
    srv_sent_clear(out);
    char *bearer = srv__message_secret(d->rule->secret_file, out);
    char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    if (bearer) {
        const srv_send_http request = {
            .stop = d->stop, .method = method, .url = url, .bearer = bearer, .body = text};
        srv_send_over_http(&request, out);
        explicit_bzero(bearer, strlen(bearer));
    }
    if (out->delivered && out->answer)
        answer = json_loads(out->answer, JSON_REJECT_DUPLICATES, NULL);
    g_free(bearer);
    free(text);
    json_decref(body);
    return answer;
}

#define MADE_MOST                                                                                  \
    2 /* comments for one pull request: the first, and one more when it was deleted                \
       */
#define STATUS_NOT_FOUND 404
#define STATUS_GONE 410

/* Where a provider keeps comments. */
typedef struct {
    srv__comment_call call;
    const char *change;         /* the method that changes one */
    const char *before, *after; /* path of all: between them the number */
    const char *one;            /* path of one: before its id; NULL: the path of all */
} forum;

static char *page_of(const srv_message *d, const json_t *pull) {
    return g_strdup_printf("%s/pull-requests/%" JSON_INTEGER_FORMAT, d->server->public_url,
                           json_integer_value(json_object_get(pull, "id")));
}

static char *context_of(const srv_message *d) {
    return g_strconcat("overhead/", d->project, NULL);
}

static bool is_gitlab(const srv_message *d) {
    return d->rule->via == CFG_NOTIFY_GITLAB_STATUS || d->rule->via == CFG_NOTIFY_GITLAB_COMMENT;
}

static void status(const srv_message *d, const json_t *pull, srv_sent *out) {
    g_autofree char *path = g_strconcat("statuses/", cfg_json_word(pull, "commit", ""), NULL);
    g_autofree char *page = page_of(d, pull), *text = srv_words_pull(pull);
    g_autofree char *context = context_of(d);
    const char *state = srv_words_pull_state(pull);
    const bool gitlab = is_gitlab(d);
    if (gitlab && (strcmp(state, "failure") == 0 || strcmp(state, "error") == 0))
        state = "failed";
    json_t *body = json_pack("{s:s,s:s,s:s,s:s}", "state", state, "target_url", page, "description",
                             text, gitlab ? "name" : "context", context);
    json_decref(gitlab ? gitlab_call(d, "POST", path, body, out)
                       : srv__github_call(d, "POST", path, body, out));
}

static char *id_of(const json_t *answer) {
    const json_int_t id = json_integer_value(json_object_get(answer, "id"));
    return id > 0 ? g_strdup_printf("%" JSON_INTEGER_FORMAT, id) : NULL;
}

static json_t *check_body(const srv_message *d, const json_t *pull) {
    g_autofree char *page = page_of(d, pull), *plain = srv_words_pull(pull);
    g_autofree char *name = context_of(d);
    g_autoptr(GString) summary = g_string_new(NULL);
    web_text_markdown(summary, plain);
    g_autofree char *text = srv_words_pull_markdown(pull, page, NULL, SRV_WORDS_PULL_BYTES);
    const char *state = srv_words_pull_state(pull);
    json_t *body =
        json_pack("{s:s,s:s,s:s,s:{s:s,s:s,s:s}}", "name", name, "details_url", page, "external_id",
                  d->delivery, "output", "title", cfg_json_word(pull, "headline", ""), "summary",
                  summary->str, "text", text);
    const bool pending = strcmp(state, "pending") == 0;
    json_object_set_new(body, "status", json_string(pending ? "in_progress" : "completed"));
    if (!pending)
        json_object_set_new(
            body, "conclusion",
            json_string(strcmp(state, "error") == 0 ||
                                strcmp(cfg_json_word(pull, "answer", ""), "unsure") == 0
                            ? "neutral"
                            : state));
    return body;
}

static void check(const srv_message *d, const json_t *pull, srv_sent *out, char **reference) {
    g_autofree char *path = g_strconcat("check-runs/", d->first, NULL);
    json_t *body = check_body(d, pull);
    if (!d->first)
        json_object_set(body, "head_sha", json_object_get(pull, "commit"));
    json_auto_t *answer = d->first ? srv__github_call(d, "PATCH", path, body, out)
                                   : srv__github_call(d, "POST", "check-runs", body, out);
    *reference = out->delivered ? id_of(answer) : NULL;
}

static const forum github = {.call = srv__github_call,
                             .change = "PATCH",
                             .before = "issues",
                             .after = "comments",
                             .one = "issues/comments"};
static const forum gitlab = {
    .call = gitlab_call, .change = "PUT", .before = "merge_requests", .after = "notes"};

static char *all_path(const forum *f, json_int_t number) {
    return g_strdup_printf("%s/%" JSON_INTEGER_FORMAT "/%s", f->before, number, f->after);
}

static void comment_make(const srv_message *d, const forum *f, json_int_t number, const char *text,
                         srv_sent *out, char **reference) {
    g_autofree char *all = all_path(f, number);
    json_auto_t *answer = f->call(d, "POST", all, json_pack("{s:s}", "body", text), out);
    *reference = out->delivered ? id_of(answer) : NULL;
}

static void comment_change(const srv_message *d, const forum *f, json_int_t number, const char *id,
                           const char *text, srv_sent *out, char **reference) {
    g_autofree char *all = all_path(f, number);
    g_autofree char *path = g_strconcat(f->one ? f->one : all, "/", id, NULL);
    json_decref(f->call(d, f->change, path, json_pack("{s:s}", "body", text), out));
    if (out->delivered)
        *reference = g_strdup(id);
    if (out->status != STATUS_NOT_FOUND && out->status != STATUS_GONE)
        return;
    /* Somebody deleted it: once more, then it is not wanted. */
    if (d->made < MADE_MOST) {
        comment_make(d, f, number, text, out, reference);
        return;
    }
    srv_sent_clear(out);
    out->refused = true;
    out->problem = g_strdup("the comment was deleted twice: it is not written again");
}

static void comment(const srv_message *d, const json_t *pull, srv_sent *out, char **reference) {
    const forum *f = is_gitlab(d) ? &gitlab : &github;
    const json_int_t number = json_integer_value(json_object_get(pull, "number"));
    g_autofree char *marker = srv__comment_marker(d, "pull", number, out);
    if (!marker)
        return;
    g_autofree char *page = page_of(d, pull);
    g_autofree char *text = srv_words_pull_markdown(pull, page, marker, SRV_WORDS_PULL_BYTES);
    g_autofree char *first = g_strdup(d->first);
    /* Tried before, and the answer got lost: it may be there. */
    if (!first && d->attempts > 0) {
        g_autofree char *all = all_path(f, number);
        const json_int_t id = srv__comment_find(d, f->call, all, marker, out);
        if (!out->delivered)
            return;
        first = id > 0 ? g_strdup_printf("%" JSON_INTEGER_FORMAT, id) : NULL;
    }
    if (first)
        comment_change(d, f, number, first, text, out, reference);
    else
        comment_make(d, f, number, text, out, reference);
}

void srv__notify_pull(const srv_message *d, srv_sent *out, char **reference) {
    const json_t *pull = json_array_get(d->items, 0);
    switch (d->rule->via) {
    case CFG_NOTIFY_GITHUB_STATUS:
    case CFG_NOTIFY_GITLAB_STATUS:
        status(d, pull, out);
        break;
    case CFG_NOTIFY_GITHUB_CHECK:
        check(d, pull, out, reference);
        break;
    default:
        comment(d, pull, out, reference);
        break;
    }
}
