/* What forges are told: commit status, check run, issue, and one comment that is kept up to date.
 * GitHub's REST calls, which Gitea and Forgejo take for status and comment, and GitLab's. A check
 * run needs a GitHub App (app_id); a status works with any token that may write statuses. */
#include "config/json_text.h"
#include "config/number.h"
#include "server/notify/notify_deliver.h"
#include "server/notify/notify_rule.h"
#include "server/notify/notify_words.h"
#include "web/layout/text.h"

#include <string.h>

#define TITLE_MAX 200
#define PAGE 100
#define PAGES_MAX 20 /* comments of one pull request that are looked through: 2000 */
/* Comments for one pull request: the first, and one more when it was deleted. */
#define MADE_MOST 2
#define STATUS_NOT_FOUND 404
#define STATUS_GONE 410

/*
 * One call of GitLab's REST API with a rule's token; blocking.
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
    g_autofree char *text = body ? json_dumps(body, JSON_COMPACT) : NULL;
    if (bearer) {
        const srv_send_http request = {
            .stop = d->stop, .method = method, .url = url, .bearer = bearer, .body = text};
        srv_send_over_http(&request, out);
        explicit_bzero(bearer, strlen(bearer));
    }
    srv_sent_explain(out);
    if (out->delivered && out->answer)
        answer = json_loads(out->answer, JSON_REJECT_DUPLICATES, NULL);
    g_free(bearer);
    json_decref(body);
    return answer;
}

/* A provider's API, and where it keeps comments. */
typedef struct {
    json_t *(*call)(const srv_message *d, const char *method, const char *path, json_t *body,
                    srv_sent *out);
    const char *change;         /* the method that changes one */
    const char *before, *after; /* path of all: between them the number */
    const char *one;            /* path of one: before its id; NULL: the path of all */
} forum;

static const forum github = {.call = srv__github_call,
                             .change = "PATCH",
                             .before = "issues",
                             .after = "comments",
                             .one = "issues/comments"};
static const forum gitlab = {
    .call = gitlab_call, .change = "PUT", .before = "merge_requests", .after = "notes"};

static const forum *forum_of(const srv_message *d) {
    return d->rule->via == CFG_NOTIFY_GITLAB_STATUS || d->rule->via == CFG_NOTIFY_GITLAB_COMMENT
               ? &gitlab
               : &github;
}

/* What is told of a commit. */
typedef struct {
    const char *sha, *state, *title; /* sha NULL: it has none */
    bool unsure;
    char *page, *line, *text; /* text: Markdown */
} report;

static void report_clear(report *r) {
    g_free(r->page);
    g_free(r->line);
    g_free(r->text);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(report, report_clear)

/* Of its night, in 40 or 64 hex digits; NULL: it has none. Borrowed. */
static const char *sha_of(const cfg_night *night) {
    const char *sha = night->commit.sha;
    return sha && cfg_is_commit(sha) ? sha : NULL;
}

/* The night's page. Caller frees. */
static char *night_page(const srv_message *d) {
    return g_strdup_printf("%s/experiments/%" G_GINT64_FORMAT, d->server->public_url,
                           d->night->experiment);
}

static report report_of_night(const srv_message *d) {
    const cfg_night *night = d->night;
    const char *state = srv_words_night_state(night);
    char *page = night_page(d);
    return (report){.sha = sha_of(night),
                    .state = state,
                    .title = srv_words_night_title(night),
                    .unsure = g_str_equal(state, "error"),
                    .page = page,
                    .line = srv_words_night(night),
                    .text = srv_words_night_markdown(night, page, NULL, NULL)};
}

/* marker: hidden text at its beginning; NULL: none */
static report report_of_pull(const srv_message *d, const json_t *pull, const char *marker) {
    const char *state = srv_words_pull_state(pull);
    char *page = g_strdup_printf("%s/pull-requests/%" JSON_INTEGER_FORMAT, d->server->public_url,
                                 cfg_json_integer(pull, "id"));
    return (report){.sha = cfg_json_word(pull, "commit", ""),
                    .state = state,
                    .title = cfg_json_word(pull, "headline", ""),
                    .unsure = g_str_equal(state, "error") ||
                              g_str_equal(cfg_json_word(pull, "answer", ""), "unsure"),
                    .page = page,
                    .line = srv_words_pull(pull),
                    .text = srv_words_pull_markdown(pull, page, marker, SRV_WORDS_PULL_BYTES)};
}

/* The receiver's name of what was made; NULL: none. Owned. */
static char *id_of(const json_t *answer) {
    const json_int_t id = cfg_json_integer(answer, "id");
    return id > 0 ? g_strdup_printf("%" JSON_INTEGER_FORMAT, id) : NULL;
}

static void status(const srv_message *d, const report *r, srv_sent *out) {
    const forum *f = forum_of(d);
    const bool failed =
        f == &gitlab && (g_str_equal(r->state, "failure") || g_str_equal(r->state, "error"));
    g_autofree char *path = g_strconcat("statuses/", r->sha, NULL);
    g_autofree char *context = g_strconcat("overhead/", d->project, NULL);
    json_decref(f->call(d, "POST", path,
                        json_pack("{s:s,s:s,s:s,s:s}", "state", failed ? "failed" : r->state,
                                  "target_url", r->page, "description", r->line,
                                  f == &gitlab ? "name" : "context", context),
                        out));
}

/* Returns the check run's id, owned; NULL: it was not made. */
static char *check(const srv_message *d, const report *r, srv_sent *out) {
    g_autofree char *path = g_strjoin("/", "check-runs", d->first, NULL);
    g_autofree char *name = g_strconcat("overhead/", d->project, NULL);
    g_autoptr(GString) summary = g_string_new(NULL);
    web_text_markdown(summary, r->line); /* a summary is Markdown, a status' description is not */
    const bool pending = g_str_equal(r->state, "pending");
    const char *conclusion = pending ? NULL : r->unsure ? "neutral" : r->state;
    json_auto_t *answer = srv__github_call(
        d, d->first ? "PATCH" : "POST", path,
        json_pack("{s:s,s:s*,s:s,s:s*,s:s,s:s,s:{s:s,s:s,s:s}}", "name", name, "head_sha",
                  d->first ? NULL : r->sha, "status", pending ? "in_progress" : "completed",
                  "conclusion", conclusion, "details_url", r->page, "external_id", d->delivery,
                  "output", "title", r->title, "summary", summary->str, "text", r->text),
        out);
    return out->delivered ? id_of(answer) : NULL;
}

static char *marker_of(const srv_message *d) {
    return g_strdup_printf("moowatch %s", d->delivery);
}

/* After a lost answer the issue may be there already: the marker tells. 0: it is not. */
static json_int_t issue_find(const srv_message *d, srv_sent *out) {
    json_int_t number = 0;
    g_autofree char *marker = marker_of(d);
    json_auto_t *issues = srv__github_call(
        d, "GET", "issues?state=all&sort=created&direction=desc&per_page=100", NULL, out);
    size_t i;
    json_t *issue;
    json_array_foreach (issues, i, issue) {
        const char *body = cfg_json_word(issue, "body", NULL);
        if (number == 0 && body && strstr(body, marker))
            number = cfg_json_integer(issue, "number");
    }
    return number;
}

static void issue_open(const srv_message *d, srv_sent *out, char **reference) {
    const srv_words words = srv__message_words(d);
    g_autofree char *marker = marker_of(d);
    g_autofree char *subject = srv_words_subject(&words);
    g_autofree char *clean = web_text_clean(subject, TITLE_MAX);
    g_autofree char *title = web_text_unpinged(clean);
    g_autofree char *body = srv_words_markdown(&words, marker);
    json_int_t number = d->attempts > 0 ? issue_find(d, out) : 0;
    if (d->attempts > 0 && !out->delivered)
        return;
    if (number == 0) {
        json_auto_t *issue = srv__github_call(
            d, "POST", "issues", json_pack("{s:s,s:s}", "title", title, "body", body), out);
        number = cfg_json_integer(issue, "number");
    }
    if (number > 0)
        *reference = g_strdup_printf("%" JSON_INTEGER_FORMAT, number);
}

/* "issues/7"; NULL: the first message has left no number. To g_free. */
static char *issue_path(const srv_message *d, srv_sent *out) {
    guint64 number = 0;
    if (d->first && cfg_number_unsigned(d->first, 1, G_MAXINT64, &number))
        return g_strdup_printf("issues/%" G_GUINT64_FORMAT, number);
    out->refused = true;
    out->problem = g_strdup("the issue's number is not known");
    return NULL;
}

static void issue_comment(const srv_message *d, const char *issue, srv_sent *out) {
    const srv_words words = srv__message_words(d);
    g_autofree char *comments = g_strconcat(issue, "/comments", NULL);
    g_autofree char *body = srv_words_markdown(&words, NULL);
    json_decref(srv__github_call(d, "POST", comments, json_pack("{s:s}", "body", body), out));
}

static void issue_close(const srv_message *d, const char *issue, srv_sent *out) {
    /* closing can be repeated, the comment cannot: so it comes second and ends the matter */
    json_decref(srv__github_call(
        d, "PATCH", issue, json_pack("{s:s,s:s}", "state", "closed", "state_reason", "completed"),
        out));
    if (out->delivered)
        issue_comment(d, issue, out);
}

/* Without a comment: who opened it again may have done so there. */
static void issue_reopen(const srv_message *d, const char *issue, srv_sent *out) {
    json_decref(
        srv__github_call(d, "PATCH", issue,
                         json_pack("{s:s,s:s}", "state", "open", "state_reason", "reopened"), out));
}

static void issue(const srv_message *d, srv_sent *out, char **reference) {
    const bool raised = g_str_equal(d->event, "raised");
    if (g_str_equal(d->event, "test")) { /* a look is enough: nobody is to close an issue */
        (void)issue_find(d, out);
        return;
    }
    g_autofree char *issue = raised ? NULL : issue_path(d, out);
    if (raised)
        issue_open(d, out, reference);
    else if (issue && srv_notify_event_of(d->event)->of_search)
        issue_comment(d, issue, out);
    else if (issue && g_str_equal(d->event, "reopened"))
        issue_reopen(d, issue, out);
    else if (issue)
        issue_close(d, issue, out);
}

/*
 * What a comment begins with, the caller's; NULL: out has why. Signed, so that nobody else can put
 * a comment in front of ours and have it overwritten with our words, or keep us from telling.
 */
static char *comment_marker(const srv_message *d, const char *kind, json_int_t number,
                            srv_sent *out) {
    g_autofree char *key = NULL;
    gsize size = 0;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(d->rule->secret_file, &key, &size, &error)) {
        out->problem = g_strdup(error->message);
        return NULL;
    }
    g_autofree char *what = g_strdup_printf("%s %s %s %" JSON_INTEGER_FORMAT, kind, d->project,
                                            d->rule->repository, number);
    g_autofree char *hash = g_compute_hmac_for_string(G_CHECKSUM_SHA256, (const guchar *)key, size,
                                                      what, (gssize)strlen(what));
    explicit_bzero(key, size);
    return g_strdup_printf("moowatch %s %.32s", d->project, hash);
}

static char *comments_path(const forum *f, json_int_t number) {
    return g_strdup_printf("%s/%" JSON_INTEGER_FORMAT "/%s", f->before, number, f->after);
}

/* Our comment's id, owned; NULL: there is none, or out says what went wrong. */
static char *comment_find(const srv_message *d, const forum *f, json_int_t number,
                          const char *marker, srv_sent *out) {
    g_autofree char *begin = g_strdup_printf("<!-- %s -->", marker);
    g_autofree char *all = comments_path(f, number);
    char *found = NULL;
    bool more = true;
    for (int page = 1; !found && more && page <= PAGES_MAX; page++) {
        g_autofree char *path = g_strdup_printf("%s?per_page=%d&page=%d", all, PAGE, page);
        json_auto_t *comments = f->call(d, "GET", path, NULL, out);
        size_t i;
        json_t *comment;
        json_array_foreach (comments, i, comment)
            if (!found && g_str_has_prefix(cfg_json_word(comment, "body", ""), begin))
                found = id_of(comment);
        more = out->delivered && json_array_size(comments) == PAGE;
    }
    return found;
}

/* In place of the one with this id, NULL: one more. Returns its id, owned; NULL: it is not there.
 */
static char *comment_put(const srv_message *d, const forum *f, json_int_t number, const char *id,
                         const char *text, srv_sent *out) {
    g_autofree char *all = comments_path(f, number);
    g_autofree char *path = id ? g_strconcat(f->one ? f->one : all, "/", id, NULL) : g_strdup(all);
    json_auto_t *answer =
        f->call(d, id ? f->change : "POST", path, json_pack("{s:s}", "body", text), out);
    return !out->delivered ? NULL : id ? g_strdup(id) : id_of(answer);
}

static void night_comment(const srv_message *d, json_int_t number, srv_sent *out) {
    srv_sent_clear(out);
    g_autofree char *marker = comment_marker(d, "comment", number, out);
    g_autofree char *id = marker ? comment_find(d, &github, number, marker, out) : NULL;
    if (!marker || !out->delivered)
        return;
    g_autofree char *page = night_page(d);
    g_autofree char *chart = g_strdup_printf("%s/charts/%s.svg", d->server->public_url, d->project);
    g_autofree char *body = srv_words_night_markdown(d->night, page, chart, marker);
    g_free(comment_put(d, &github, number, id, body, out));
}

/* One comment on each open pull request whose head the night's commit is, brought up to date. */
static void night_comments(const srv_message *d, const char *sha, srv_sent *out) {
    g_autoptr(GArray) numbers = srv__github_pulls(d, sha, out);
    for (guint i = 0; i < numbers->len && out->delivered; i++)
        night_comment(d, g_array_index(numbers, json_int_t, i), out);
}

/* The comment's id, owned; NULL: it was not written. */
static char *pull_comment(const srv_message *d, const json_t *pull, srv_sent *out) {
    const forum *f = forum_of(d);
    const json_int_t number = cfg_json_integer(pull, "number");
    g_autofree char *marker = comment_marker(d, "pull", number, out);
    if (!marker)
        return NULL;
    g_auto(report) r = report_of_pull(d, pull, marker);
    g_autofree char *first = g_strdup(d->first);
    /* Tried before, and the answer got lost: it may be there. */
    if (!first && d->attempts > 0) {
        first = comment_find(d, f, number, marker, out);
        if (!out->delivered)
            return NULL;
    }
    char *id = comment_put(d, f, number, first, r.text, out);
    if (!first || (out->status != STATUS_NOT_FOUND && out->status != STATUS_GONE))
        return id;
    /* Somebody deleted it: once more, then it is not wanted. */
    if (d->made < MADE_MOST)
        return comment_put(d, f, number, NULL, r.text, out);
    srv_sent_clear(out);
    out->refused = true;
    out->problem = g_strdup("the comment was deleted twice: it is not written again");
    return NULL;
}

static void pull_tell(const srv_message *d, const json_t *pull, srv_sent *out, char **reference) {
    const cfg_notify_via via = d->rule->via;
    if (via == CFG_NOTIFY_GITHUB_COMMENT || via == CFG_NOTIFY_GITLAB_COMMENT) {
        *reference = pull_comment(d, pull, out);
        return;
    }
    g_auto(report) r = report_of_pull(d, pull, NULL);
    if (via == CFG_NOTIFY_GITHUB_CHECK)
        *reference = check(d, &r, out);
    else
        status(d, &r, out);
}

/* Had the night nothing to be compared with? A status knows success and a red cross alone, and
 * nobody deserves one of them, but where the commit has one already that is no longer so. */
static bool compares_nothing(const cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++)
        if (!cfg_is(night->portions[i].verdict, "first") ||
            cfg_portion_is_begun(&night->portions[i]))
            return false;
    return cfg_is(night->state, "measured");
}

static void night_tell(const srv_message *d, srv_sent *out) {
    g_auto(report) r = report_of_night(d);
    if (!r.sha) {
        out->refused = true;
        out->problem = g_strdup("the night has no commit id");
    } else if (d->rule->via == CFG_NOTIFY_GITHUB_STATUS) {
        if (d->made == 0 && compares_nothing(d->night))
            out->delivered = true;
        else
            status(d, &r, out);
    } else if (d->rule->via == CFG_NOTIFY_GITHUB_CHECK) {
        g_free(check(d, &r, out));
    } else if (d->rule->via == CFG_NOTIFY_GITHUB_COMMENT) {
        night_comments(d, r.sha, out);
    } /* GitLab is told of pull requests alone */
}

void srv__tell_forge(const srv_message *d, srv_sent *out, char **reference) {
    if (srv_notify_event_of(d->event)->as == SRV_TOLD_PULL)
        pull_tell(d, json_array_get(d->items, 0), out, reference);
    else if (d->rule->via == CFG_NOTIFY_GITHUB_ISSUE)
        issue(d, out, reference);
    else
        night_tell(d, out);
}
