
#include "config/number.h"
#include "server/notify/notify_deliver.h"
#include "server/notify/notify_words.h"
#include "web/layout/text.h"

#include <string.h>

#define TITLE_MAX 200

/* The night's commit, 40 or 64 hex digits; NULL: it has none. Borrowed. */
static const char *github_sha(const cfg_night *night) {
    const char *sha = night->commit.sha;
    const bool good = sha && strlen(sha) >= 40 && strlen(sha) <= 64 &&
                      strspn(sha, "0123456789abcdef") == strlen(sha);
    return good ? sha : NULL;
}

/* The night's page. Caller frees. */
static char *github_night_url(const srv_message *d) {
    return g_strdup_printf("%s/experiments/%" G_GINT64_FORMAT, d->server->public_url,
                           d->night->experiment);
}

static char *context_of(const srv_message *d) {
    return g_strconcat("overhead/", d->project, NULL);
}

static void no_commit(srv_sent *out) {
    out->refused = true;
    out->problem = g_strdup("the night has no commit id");
}

void srv__github_status(const srv_message *d, srv_sent *out) {
    const cfg_night *night = d->night;
    const char *sha = github_sha(night);
    if (!sha) {
        no_commit(out);
        return;
    }
    g_autofree char *path = g_strconcat("statuses/", sha, NULL);
    g_autofree char *target = github_night_url(d);
    g_autofree char *text = srv_words_night(night);
    g_autofree char *context = context_of(d);
    json_decref(
        srv__github_call(d, "POST", path,
                         json_pack("{s:s,s:s,s:s,s:s}", "state", srv_words_night_state(night),
                                   "target_url", target, "description", text, "context", context),
                         out));
}

void srv__github_check(const srv_message *d, srv_sent *out) {
    const cfg_night *night = d->night;
    const char *sha = github_sha(night), *state = srv_words_night_state(night);
    if (!sha) {
        no_commit(out);
        return;
    }
    g_autofree char *target = github_night_url(d);
    g_autofree char *text = srv_words_night(night);
    g_autoptr(GString) summary = g_string_new(NULL);
    web_text_markdown(summary, text); /* a summary is Markdown, a status' description is not */
    g_autofree char *table = srv_words_night_markdown(night, target, NULL, NULL);
    g_autofree char *name = context_of(d);
    json_decref(srv__github_call(
        d, "POST", "check-runs",
        json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:{s:s,s:s,s:s}}", "name", name, "head_sha", sha,
                  "status", "completed", "conclusion",
                  g_str_equal(state, "error") ? "neutral" : state, "details_url", target,
                  "external_id", d->delivery, "output", "title", srv_words_night_title(night),
                  "summary", summary->str, "text", table),
        out));
}

static char *marker_of(const srv_message *d) {
    return g_strdup_printf("moowatch %s", d->delivery);
}

/* After a lost answer the issue may be there already: the marker tells. 0: it is not. */
static json_int_t issue_find(const srv_message *d, srv_sent *out) {
    json_int_t number = 0;
    g_autofree char *marker = marker_of(d);
    json_t *issues = srv__github_call(
        d, "GET", "issues?state=all&sort=created&direction=desc&per_page=100", NULL, out);
    size_t i;
    json_t *issue;
    json_array_foreach (issues, i, issue) {
        const char *body = json_string_value(json_object_get(issue, "body"));
        if (number == 0 && body && strstr(body, marker))
            number = json_integer_value(json_object_get(issue, "number"));
    }
    json_decref(issues);
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
        json_t *issue = srv__github_call(d, "POST", "issues",
                                         json_pack("{s:s,s:s}", "title", title, "body", body), out);
        number = json_integer_value(json_object_get(issue, "number"));
        json_decref(issue);
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

void srv__github_issue(const srv_message *d, srv_sent *out, char **reference) {
    const bool raised = g_str_equal(d->event, "raised");
    if (g_str_equal(d->event, "test")) { /* a look is enough: nobody is to close an issue */
        (void)issue_find(d, out);
        return;
    }
    g_autofree char *issue = raised ? NULL : issue_path(d, out);
    if (raised)
        issue_open(d, out, reference);
    else if (issue && (g_str_equal(d->event, "explained") || g_str_equal(d->event, "found")))
        issue_comment(d, issue, out);
    else if (issue)
        issue_close(d, issue, out);
}

#define PAGE 100
#define PAGES_MAX 20 /* comments of one pull request that are looked through: 2000 */

char *srv__comment_marker(const srv_message *d, const char *kind, json_int_t number,
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

json_int_t srv__comment_find(const srv_message *d, srv__comment_call call, const char *all,
                             const char *marker, srv_sent *out) {
    g_autofree char *begin = g_strdup_printf("<!-- %s -->", marker);
    json_int_t found = 0;
    bool more = true;
    for (int page = 1; found == 0 && more && page <= PAGES_MAX; page++) {
        g_autofree char *path = g_strdup_printf("%s?per_page=%d&page=%d", all, PAGE, page);
        json_t *comments = call(d, "GET", path, NULL, out);
        size_t i;
        json_t *comment;
        json_array_foreach (comments, i, comment) {
            const char *body = json_string_value(json_object_get(comment, "body"));
            if (found == 0 && body && g_str_has_prefix(body, begin))
                found = json_integer_value(json_object_get(comment, "id"));
        }
        more = out->delivered && json_array_size(comments) == PAGE;
        json_decref(comments);
    }
    return found;
}

static void tell(const srv_message *d, json_int_t number, srv_sent *out) {
    srv_sent_clear(out);
    g_autofree char *marker = srv__comment_marker(d, "comment", number, out);
    g_autofree char *all = g_strdup_printf("issues/%" JSON_INTEGER_FORMAT "/comments", number);
    const json_int_t id = marker ? srv__comment_find(d, srv__github_call, all, marker, out) : 0;
    if (!marker || !out->delivered)
        return;
    g_autofree char *page = github_night_url(d);
    g_autofree char *chart = g_strdup_printf("%s/charts/%s.svg", d->server->public_url, d->project);
    g_autofree char *body = srv_words_night_markdown(d->night, page, chart, marker);
    g_autofree char *path =
        id > 0 ? g_strdup_printf("issues/comments/%" JSON_INTEGER_FORMAT, id) : g_strdup(all);
    json_decref(srv__github_call(d, id > 0 ? "PATCH" : "POST", path,
                                 json_pack("{s:s}", "body", body), out));
}

/* Only where this commit is the head: an older one's figures must not replace a newer one's. */
static bool is_head(const json_t *pull, const char *sha) {
    const json_t *head = json_object_get(pull, "head");
    return g_strcmp0(json_string_value(json_object_get(pull, "state")), "open") == 0 &&
           g_strcmp0(json_string_value(json_object_get(head, "sha")), sha) == 0;
}

void srv__github_comment(const srv_message *d, srv_sent *out) {
    const cfg_night *night = d->night;
    const char *sha = github_sha(night);
    if (!sha) {
        out->refused = true;
        out->problem = g_strdup("the night has no commit id");
        return;
    }
    g_autofree char *path = g_strdup_printf("commits/%s/pulls?per_page=%d", sha, PAGE);
    json_t *pulls = srv__github_call(d, "GET", path, NULL, out);
    /* 422: GitHub has no such commit (never pushed there) */
    size_t i;
    json_t *pull;
    json_array_foreach (pulls, i, pull) {
        const json_int_t number = json_integer_value(json_object_get(pull, "number"));
        if (out->delivered && is_head(pull, sha) && number > 0)
            tell(d, number, out);
    }
    json_decref(pulls);
}
