/* Whose head a commit is, on GitHub and on Gitea, which has no list of a commit's pull requests. */
#include "config/json_text.h"
#include "server/notify/notify_deliver.h"

/* Of a repository's open pull requests, 20 each: an answer is at most 1 MiB. */
#define PAGES_MAX 50

/* Only where this commit is the head: an older one's figures must not replace a newer one's. */
static void add_heads(GArray *numbers, const json_t *pulls, const char *sha) {
    size_t i;
    json_t *pull;
    json_array_foreach (pulls, i, pull) {
        const json_t *head = json_object_get(pull, "head");
        const json_int_t number = cfg_json_integer(pull, "number");
        if (number > 0 && g_strcmp0(cfg_json_word(pull, "state", NULL), "open") == 0 &&
            g_strcmp0(cfg_json_word(head, "sha", NULL), sha) == 0)
            g_array_append_val(numbers, number);
    }
}

GArray *srv__github_pulls(const srv_message *d, const char *sha, srv_sent *out) {
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(json_int_t));
    g_autofree char *path = g_strdup_printf("commits/%s/pulls?per_page=100", sha);
    json_auto_t *pulls = srv__github_call(d, "GET", path, NULL, out);
    /* 422: GitHub has no such commit (never pushed there) */
    add_heads(numbers, pulls, sha);
    bool more = out->status == 404;
    for (int page = 1; more && page <= PAGES_MAX; page++) {
        g_autofree char *all = g_strdup_printf("pulls?state=open&limit=20&page=%d", page);
        json_auto_t *open = srv__github_call(d, "GET", all, NULL, out);
        add_heads(numbers, open, sha);
        more = out->delivered && json_array_size(open) > 0;
    }
    return numbers;
}
