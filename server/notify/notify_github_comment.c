#include "server/notify/notify_github_comment.h"

#include "server/notify/github_call.h"
#include "server/notify/notify_github.h"
#include "server/notify/notify_words_night.h"

#include <string.h>

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

static void tell(const srv_message *d, const json_t *night, json_int_t number, srv_sent *out) {
    srv_sent_clear(out);
    g_autofree char *marker = srv__comment_marker(d, "comment", number, out);
    g_autofree char *all = g_strdup_printf("issues/%" JSON_INTEGER_FORMAT "/comments", number);
    const json_int_t id = marker ? srv__comment_find(d, srv__github_call, all, marker, out) : 0;
    if (!marker || !out->delivered)
        return;
    g_autofree char *page = srv__github_night_url(d, night);
    g_autofree char *chart = g_strdup_printf("%s/charts/%s.svg", d->server->public_url, d->project);
    g_autofree char *body = srv_words_night_markdown(night, page, chart, marker);
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
    const json_t *night = json_array_get(d->items, 0);
    const char *sha = srv__github_sha(night);
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
            tell(d, night, number, out);
    }
    json_decref(pulls);
}
