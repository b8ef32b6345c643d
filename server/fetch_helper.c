#include "server/fetch_helper.h"

#include "server/nights.h"
#include "server/repo.h"
#include "server/repo_name.h"

#include <gio/gio.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Enough for 40 years of 13 commits a day; what is older is not looked at. */
enum { LINE_LIMIT = 200000, REQUEST_MAX = 65536 };
/* A pack may not be larger than this even when the transfer's own limit fails to notice. */
#define FILE_MAX_BYTES ((rlim_t)8 << 30)

static json_t *error_json(const GError *error) {
    return json_pack("{s:s}", "error", error->message);
}

static json_t *commit_json(const char *mirror, const char *sha, GError **error) {
    g_auto(srv_repo_commit) commit = {0};
    if (!srv_repo_describe(mirror, sha, &commit, error))
        return NULL;
    return json_pack("{s:s, s:s, s:s, s:I, s:s, s:s*}", "sha", commit.sha, "author", commit.author,
                     "author_email", commit.author_email, "time_ms", (json_int_t)commit.time_ms,
                     "subject", commit.subject, "parent",
                     commit.parent[0] != '\0' ? commit.parent : NULL);
}

static json_t *nights_json(const char *mirror, const char *branch, const srv_nights_rule *rule,
                           GError **error) {
    g_autoptr(GArray) line = srv_repo_line(mirror, branch, LINE_LIMIT, error);
    if (line == NULL)
        return NULL;
    g_autoptr(GArray) nights = srv_nights_pick((const srv_nights_commit *)(const void *)line->data,
                                               line->len, rule, error);
    if (nights == NULL)
        return NULL;
    json_t *out = json_array();
    for (guint i = 0; i < nights->len; i++) {
        const srv_night *night = &g_array_index(nights, srv_night, i);
        const char *sha = g_array_index(line, srv_nights_commit, night->commit).sha;
        json_t *commit = commit_json(mirror, sha, error);
        if (commit == NULL) {
            json_decref(out);
            return NULL;
        }
        json_array_append_new(out, json_pack("{s:s, s:o}", "date", night->date, "commit", commit));
    }
    return out;
}

static json_t *poll_json(json_t *request, GError **error) {
    const char *mirror = NULL;
    const char *url = NULL;
    const char *branch = NULL;
    const char *known = NULL;
    const char *night_at = NULL;
    const char *cron = NULL;
    const char *zone = NULL;
    srv_nights_rule rule = {0};
    int force = 0;
    int brand_new = 0;
    json_int_t now_s = 0;
    json_error_t where;
    if (json_unpack_ex(request, &where, 0,
                       "{s:s, s:s, s:s, s?:s, s?:b, s?:s, s?:s, s?:s, s?:s, s?:b, s:I}", "mirror",
                       &mirror, "url", &url, "branch", &branch, "known", &known, "force", &force,
                       "night_at", &night_at, "schedule", &cron, "time_zone", &zone, "since",
                       &rule.since, "brand_new", &brand_new, "now_s", &now_s) != 0) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "poll request: %s", where.text);
        return NULL;
    }
    rule.now_s = now_s;
    rule.brand_new = brand_new != 0;
    g_autoptr(srv_schedule) schedule = srv_schedule_new(night_at, cron, zone, error);
    rule.schedule = schedule;
    srv_repo_news news = {0};
    if (schedule == NULL || !srv_repo_url_check(url, error) ||
        !srv_repo_branch_check(branch, error) ||
        !srv_repo_update(mirror, url, branch, &news, error))
        return NULL;
    bool unchanged = known != NULL && strcmp(known, news.head) == 0 && force == 0;
    json_t *nights = unchanged ? json_array() : nights_json(mirror, branch, &rule, error);
    if (nights == NULL)
        return NULL;
    return json_pack("{s:s, s:b, s:b, s:o}", "head", news.head, "unchanged", unchanged, "rewritten",
                     news.rewritten, "nights", nights);
}

static json_t *describe_json(json_t *request, GError **error) {
    const char *mirror = NULL;
    const char *commit = NULL;
    if (json_unpack(request, "{s:s, s:s}", "mirror", &mirror, "commit", &commit) != 0) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "describe request lacks mirror or commit");
        return NULL;
    }
    json_t *described = commit_json(mirror, commit, error);
    return described != NULL ? json_pack("{s:o}", "commit", described) : NULL;
}

static bool place_of(const GArray *line, const char *sha, guint *place) {
    for (*place = 0; *place < line->len; (*place)++)
        if (strcmp(g_array_index(line, srv_nights_commit, *place).sha, sha) == 0)
            return true;
    return false;
}

/* The commits of a branch after old up to and with new, oldest first; or why there is none. */
static json_t *between_json(json_t *request, GError **error) {
    const char *mirror = NULL;
    const char *branch = NULL;
    const char *old = NULL;
    const char *new = NULL;
    json_int_t limit = 0;
    guint old_place = 0;
    guint new_place = 0;
    if (json_unpack(request, "{s:s, s:s, s:s, s:s, s:I}", "mirror", &mirror, "branch", &branch,
                    "old", &old, "new", &new, "limit", &limit) != 0) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "between request lacks mirror, branch, old, new or limit");
        return NULL;
    }
    g_autoptr(GArray) line = NULL;
    if (!srv_repo_branch_check(branch, error) ||
        (line = srv_repo_line(mirror, branch, LINE_LIMIT, error)) == NULL)
        return NULL;
    const char *reason = NULL;
    if (!place_of(line, old, &old_place) || !place_of(line, new, &new_place))
        reason = "the branch no longer has both commits on its first-parent line";
    else if (new_place >= old_place)
        reason = "the later commit does not come after the earlier one on the branch";
    else if (old_place - new_place > limit)
        reason = "there are too many commits between the two";
    json_t *commits = json_array();
    for (guint i = old_place; reason == NULL && i > new_place; i--) {
        json_t *commit =
            commit_json(mirror, g_array_index(line, srv_nights_commit, i - 1).sha, error);
        if (commit == NULL) {
            json_decref(commits);
            return NULL;
        }
        json_array_append_new(commits, commit);
    }
    return json_pack("{s:o, s:s*}", "commits", commits, "reason", reason);
}

static json_t *answer(const char *line) {
    g_autoptr(GError) error = NULL;
    json_error_t where;
    json_t *request = json_loads(line, 0, &where);
    const char *op = json_string_value(json_object_get(request, "op"));
    json_t *reply = NULL;
    if (op != NULL && strcmp(op, "poll") == 0)
        reply = poll_json(request, &error);
    else if (op != NULL && strcmp(op, "describe") == 0)
        reply = describe_json(request, &error);
    else if (op != NULL && strcmp(op, "between") == 0)
        reply = between_json(request, &error);
    else
        g_set_error(&error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "not a request: %s",
                    request == NULL ? where.text : "unknown op");
    if (reply == NULL)
        reply = error_json(error);
    json_decref(request);
    return reply;
}

int srv_fetch_helper_main(void) {
    /* The daemon may die without a word; nothing of this process may outlive it. */
    prctl(PR_SET_PDEATHSIG, 9);
    struct rlimit file = {FILE_MAX_BYTES, FILE_MAX_BYTES};
    setrlimit(RLIMIT_FSIZE, &file);
    const char *home = g_getenv("HOME");
    g_autoptr(GError) error = NULL;
    bool ready = srv_repo_init(home != NULL ? home : "/nonexistent", &error);
    char *line = NULL;
    size_t size = 0;
    ssize_t length = 0;
    while ((length = getline(&line, &size, stdin)) > 0) {
        json_t *reply = NULL;
        if (!ready)
            reply = error_json(error);
        else if (length > REQUEST_MAX)
            reply = json_pack("{s:s}", "error", "the request is too long");
        else
            reply = answer(line);
        g_autofree char *text = json_dumps(reply, JSON_COMPACT);
        json_decref(reply);
        if (text == NULL || printf("%s\n", text) < 0 || fflush(stdout) != 0)
            break;
    }
    g_free(line);
    return 0;
}
