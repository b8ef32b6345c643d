#include "server/git/repo_internal.h"

#include "server/git/mirror.h"
#include "server/git/nights.h"
#include "server/git/repo.h"
#include "server/git/repo_name.h"

#include <gio/gio.h>
#include <jansson.h>
#include <string.h>

/* Enough for 40 years of 13 commits a day; what is older is not looked at. */
enum { LINE_LIMIT = 200000 };

static json_t *commit_json(const char *mirror, const char *sha, GError **error) {
    g_auto(srv_repo_commit) commit = {0};
    if (!srv_repo_describe(mirror, sha, &commit, error))
        return NULL;
    return json_pack("{s:s, s:s, s:s, s:I, s:s, s:s*}", "sha", commit.sha, "author", commit.author,
                     "author_email", commit.author_email, "time_ms", (json_int_t)commit.time_ms,
                     "subject", commit.subject, "parent",
                     commit.parent[0] != '\0' ? commit.parent : NULL);
}

/* The branch's first-parent line and what its nights are. */
typedef struct {
    const char *mirror;
    GArray *line; /* srv_nights_commit */
    size_t own;   /* so many of the newest are nights of this branch; all of a main one */
    bool cut;     /* own is not known yet */
    srv_nights_rule rule;
    srv_repo_paths paths;
} branch_line;

static const srv_nights_commit *commits_of(const branch_line *b) {
    return (const srv_nights_commit *)(const void *)b->line->data;
}

/* Why there is nothing to measure, as "untouched", and the patterns that match nothing, as "idle",
 * where it is so. */
static bool touch_add(json_t *answer, const char *mirror, const char *before, const char *after,
                      const srv_repo_paths *paths, GError **error) {
    srv_repo_touch touch;
    if (!paths->only && !paths->but)
        return true;
    if (!srv_repo_touches(mirror, before, after, paths, &touch, error))
        return false;
    g_autofree char *idle = touch.idle;
    if (idle)
        json_object_set_new(answer, "idle", json_string(idle));
    if (!touch.touched)
        json_object_set_new(
            answer, "untouched",
            json_sprintf("of %zu changed files none is among the project's paths%s%s", touch.files,
                         idle ? "; no file matches " : "", idle ? idle : ""));
    return true;
}

/* A night is compared with the last one before it that has something to measure. */
static bool nights_touch(json_t *nights, const branch_line *b, GError **error) {
    const char *last = NULL;
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const json_t *commit = json_object_get(night, "commit");
        const char *sha = json_string_value(json_object_get(commit, "sha"));
        if (last && !touch_add(night, b->mirror, last, sha, &b->paths, error))
            return false;
        if (!json_object_get(night, "untouched"))
            last = sha;
    }
    return true;
}

/* The commit with its place on the line; unknown where the line's beginning was left out. */
static json_t *placed(json_t *commit, const branch_line *b, size_t index) {
    size_t place = b->line->len < LINE_LIMIT ? b->line->len - index : 0;
    json_object_set_new(commit, "place", json_integer((json_int_t)place));
    return commit;
}

/* What the commits since the last known head announce. */
static bool expectations_add(json_t *answer, const branch_line *b, const char *known,
                             GError **error) {
    g_autoptr(GArray) found =
        b->line->len < LINE_LIMIT
            ? srv_repo_trailers(b->mirror, commits_of(b), b->line->len, known, error)
            : g_array_new(FALSE, FALSE, sizeof(srv_repo_trailer));
    json_t *list = json_array();
    bool good = found != NULL;
    for (guint i = 0; good && i < found->len; i++) {
        const srv_repo_trailer *trailer = &g_array_index(found, srv_repo_trailer, i);
        json_t *commit = commit_json(b->mirror, trailer->sha, error);
        good = commit != NULL;
        if (good)
            json_array_append_new(list,
                                  json_pack("{s:I, s:s, s:o}", "place", (json_int_t)trailer->place,
                                            "text", trailer->text, "commit", commit));
    }
    json_object_set_new(answer, "expectations", list);
    return good;
}

/* Takes nights. */
static json_t *nights_json(const branch_line *b, GArray *nights, GError **error) {
    json_t *out = nights ? json_array() : NULL;
    for (guint i = 0; out && i < nights->len; i++) {
        const srv_night *night = &g_array_index(nights, srv_night, i);
        json_t *commit = commit_json(b->mirror, commits_of(b)[night->commit].sha, error);
        if (!commit)
            g_clear_pointer(&out, json_decref);
        else
            json_array_append_new(out, json_pack("{s:s, s:o}", "date", night->date, "commit",
                                                 placed(commit, b, night->commit)));
    }
    if (nights)
        g_array_unref(nights);
    return out;
}

/* The tags on the line, and the nights of their commits since then; commits elsewhere have none. */
static bool releases_add(json_t *answer, const branch_line *b, const char *since, GError **error) {
    g_autoptr(GArray) tags = srv_repo_tags(b->mirror, error);
    if (!tags)
        return false;
    json_t *list = json_object();
    g_autofree bool *wanted = g_new0(bool, MAX(b->line->len, 1));
    for (guint i = 0; i < tags->len; i++) {
        const srv_repo_tag *tag = &g_array_index(tags, srv_repo_tag, i);
        json_object_set_new(list, tag->sha, json_string(tag->name));
    }
    for (guint i = 0; tags->len > 0 && i < b->own; i++)
        wanted[i] = json_object_get(list, commits_of(b)[i].sha) != NULL;
    json_object_set_new(answer, "releases", list);
    srv_nights_rule rule = b->rule;
    rule.since = since;
    json_t *nights =
        nights_json(b, srv_nights_of(commits_of(b), b->own, &rule, wanted, error), error);
    json_object_set_new(answer, "release_nights", nights);
    return nights != NULL;
}

/* Without a date to begin with, releases begin with the latest night. */
static const char *releases_since(const json_t *request, const json_t *nights) {
    const char *since = json_string_value(json_object_get(request, "releases_since"));
    const json_t *last = json_array_get(nights, MAX(json_array_size(nights), 1) - 1);
    const char *latest = json_string_value(json_object_get(last, "date"));
    return since ? since : latest ? latest : "9999-12-31";
}

static bool nights_add(json_t *answer, const json_t *request, branch_line *b, GError **error) {
    json_t *nights = nights_json(b, srv_nights_pick(commits_of(b), b->own, &b->rule, error), error);
    json_object_set_new(answer, "nights", nights);
    return nights && nights_touch(nights, b, error) &&
           releases_add(answer, b, releases_since(request, nights), error);
}

/* A further branch's own nights begin with the commit that it parted from the main one at: what
 * both have is measured there. As long as the main one cannot be read, only the newest is. */
static void own_find(const json_t *request, branch_line *b) {
    const char *mirror = json_string_value(json_object_get(request, "main_mirror"));
    const char *branch = json_string_value(json_object_get(request, "main_branch"));
    b->own = b->line->len;
    if (!mirror || !branch)
        return;
    g_autoptr(GArray) line = srv_repo_line(mirror, branch, LINE_LIMIT, NULL);
    g_autoptr(GHashTable) common = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; line && i < line->len; i++)
        g_hash_table_add(common, g_array_index(line, srv_nights_commit, i).sha);
    b->cut = line == NULL;
    b->own = b->cut ? MIN(b->line->len, 1) : 0;
    while (!b->cut && b->own < b->line->len &&
           !g_hash_table_contains(common, commits_of(b)[b->own++].sha))
        continue;
}

/* The strings of a list, borrowed from it, with a NULL at the end; NULL: there are none. */
static const char **texts(const json_t *list) {
    size_t n = json_array_size(list);
    const char **out = n > 0 ? g_new0(const char *, n + 1) : NULL;
    for (size_t i = 0; i < n; i++) {
        const char *text = json_string_value(json_array_get(list, i));
        out[i] = text ? text : "";
    }
    return out;
}

/* A mirror that lacks objects gets none of them from a fetch of what is new. */
static GArray *line_read(const char *mirror, const char *branch, GError **error) {
    GError *problem = NULL;
    GArray *line = srv_repo_line(mirror, branch, LINE_LIMIT, &problem);
    if (line)
        return line;
    if (strstr(problem->message, "object not found")) {
        srv__mirror_forget(mirror);
        g_prefix_error(&problem, "the mirror was not whole and is fetched anew at the next poll; ");
    }
    g_propagate_error(error, problem);
    return NULL;
}

static json_t *poll_json(json_t *request, void (*connected)(void), GError **error) {
    branch_line b = {0};
    srv_repo_source source = {0};
    const char *known = NULL, *known_tags = NULL;
    const char *night_at = NULL, *cron = NULL, *zone = NULL;
    int force = 0, brand_new = 0;
    json_int_t now_s = 0, fetch_bytes = 0, mirror_bytes = 0, reserve_bytes = 0;
    json_error_t where;
    if (json_unpack_ex(request, &where, 0,
                       "{s:s, s:s, s:s, s?:s, s?:s, s?:s, s?:b, s?:s, s?:s, s?:s, s?:s, s?:b, s:I,"
                       " s?:s, s?:I, s?:I, s?:I}",
                       "mirror", &b.mirror, "url", &source.url, "branch", &source.branch,
                       "releases", &source.releases, "known", &known, "known_tags", &known_tags,
                       "force", &force, "night_at", &night_at, "schedule", &cron, "time_zone",
                       &zone, "since", &b.rule.since, "brand_new", &brand_new, "now_s", &now_s,
                       "ssh_key_file", &source.ssh_key_file, "fetch_limit_bytes", &fetch_bytes,
                       "mirror_limit_bytes", &mirror_bytes, "disk_reserve_bytes",
                       &reserve_bytes) != 0) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "poll request: %s", where.text);
        return NULL;
    }
    g_autofree const char **fingerprints = texts(json_object_get(request, "ssh_host_fingerprints"));
    source.ssh_host_fingerprints = fingerprints;
    source.connected = connected;
    source.limits =
        (srv_repo_limits){(uint64_t)fetch_bytes, (uint64_t)mirror_bytes, (uint64_t)reserve_bytes};
    g_autofree const char **only = texts(json_object_get(request, "paths"));
    g_autofree const char **but = texts(json_object_get(request, "paths_ignore"));
    b.paths = (srv_repo_paths){only, but};
    b.rule.now_s = now_s;
    b.rule.brand_new = brand_new != 0;
    g_autoptr(cfg_schedule) schedule = cfg_schedule_new(night_at, cron, zone, error);
    b.rule.schedule = schedule;
    srv_repo_news news = {0};
    if (!schedule || !srv_repo_url_check(source.url, error) ||
        !srv_repo_branch_check(source.branch, error) ||
        !srv_repo_update(b.mirror, &source, &news, error))
        return NULL;
    bool unchanged = known && strcmp(known, news.head) == 0 &&
                     g_strcmp0(known_tags, news.tags) == 0 && force == 0;
    json_t *answer =
        json_pack("{s:s, s:s, s:b, s:b, s:I, s:I}", "head", news.head, "tags", news.tags,
                  "unchanged", unchanged, "rewritten", news.rewritten || news.left > 0, "left",
                  (json_int_t)news.left, "left_s", (json_int_t)news.left_s);
    if (unchanged)
        return answer;
    b.line = line_read(b.mirror, source.branch, error);
    if (b.line)
        own_find(request, &b);
    if (!b.line || !nights_add(answer, request, &b, error) ||
        !expectations_add(answer, &b, news.rewritten || news.left > 0 ? NULL : known, error))
        g_clear_pointer(&answer, json_decref);
    json_object_set_new(answer, "cut", json_boolean(b.cut));
    if (b.line)
        g_array_unref(b.line);
    return answer;
}

static bool place_of(const GArray *line, const char *sha, guint *place) {
    for (*place = 0; *place < line->len; (*place)++)
        if (strcmp(g_array_index(line, srv_nights_commit, *place).sha, sha) == 0)
            return true;
    return false;
}

/* Commits elsewhere than on the branch's line have no place. */
static bool place_add(json_t *commit, const char *mirror, const char *branch, GError **error) {
    branch_line b = {.mirror = mirror};
    guint index = 0;
    if (!srv_repo_branch_check(branch, error) ||
        !(b.line = srv_repo_line(mirror, branch, LINE_LIMIT, error)))
        return false;
    if (place_of(b.line, json_string_value(json_object_get(commit, "sha")), &index))
        placed(commit, &b, index);
    g_array_unref(b.line);
    return true;
}

static json_t *describe_json(json_t *request, void (*connected)(void), GError **error) {
    (void)connected;
    const char *mirror = NULL;
    const char *commit = NULL;
    const char *branch = NULL;
    if (json_unpack(request, "{s:s, s:s, s?:s}", "mirror", &mirror, "commit", &commit, "branch",
                    &branch) != 0) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "describe request lacks mirror or commit");
        return NULL;
    }
    json_t *described = commit_json(mirror, commit, error);
    if (described && branch && !place_add(described, mirror, branch, error))
        g_clear_pointer(&described, json_decref);
    return described ? json_pack("{s:o}", "commit", described) : NULL;
}

/* The one among those that were measured with the same files before and after, as "as". */
static void as_add(json_t *answer, const json_t *alike, const char *mirror, const char *base,
                   const char *head) {
    size_t i;
    json_t *one;
    json_array_foreach (alike, i, one) {
        const char *its_head = json_string_value(json_object_get(one, "head"));
        const char *its_base = json_string_value(json_object_get(one, "base"));
        if (!its_head || !its_base || !srv_repo_same(mirror, head, its_head) ||
            !srv_repo_same(mirror, base, its_base))
            continue;
        json_object_set(answer, "as", json_object_get(one, "head"));
        json_object_set(answer, "as_id", json_object_get(one, "id"));
        return;
    }
}

/* A commit that is not on the branch, and where it parted from it; or why nobody can say. */
static json_t *base_json(json_t *request, void (*connected)(void), GError **error) {
    const char *mirror = NULL, *head = NULL, *ref = NULL;
    srv_repo_source source = {0};
    srv_repo_base base;
    json_int_t fetch_bytes = 0, reserve_bytes = 0;
    if (json_unpack(request, "{s:s, s:s, s:s, s:s, s?:s, s?:s, s?:I, s?:I}", "mirror", &mirror,
                    "url", &source.url, "branch", &source.branch, "head", &head, "ref", &ref,
                    "ssh_key_file", &source.ssh_key_file, "fetch_limit_bytes", &fetch_bytes,
                    "disk_reserve_bytes", &reserve_bytes) != 0 ||
        strlen(head) != 40 || (ref && !srv_repo_ref_check(ref))) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "base request lacks mirror, url, branch, a full head or a ref that is one");
        return NULL;
    }
    g_autofree const char **fingerprints = texts(json_object_get(request, "ssh_host_fingerprints"));
    source.ssh_host_fingerprints = fingerprints;
    source.connected = connected;
    source.limits = (srv_repo_limits){.fetch_bytes = (uint64_t)fetch_bytes,
                                      .reserve_bytes = (uint64_t)reserve_bytes};
    g_autoptr(GError) missing = NULL;
    if (!srv_repo_url_check(source.url, error) || !srv_repo_branch_check(source.branch, error))
        return NULL;
    if (!srv_repo_merge_base(mirror, &source, head, ref, &base, &missing)) {
        if (g_error_matches(missing, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
            return json_pack("{s:s}", "missing", missing->message);
        g_propagate_error(error, g_steal_pointer(&missing));
        return NULL;
    }
    if (base.reason)
        return json_pack("{s:s}", "reason", base.reason);
    json_t *after = commit_json(mirror, head, error);
    json_t *before = after ? commit_json(mirror, base.sha, error) : NULL;
    json_t *answer =
        after && before ? json_pack("{s:O, s:O}", "commit", after, "base", before) : NULL;
    g_autofree const char **only = texts(json_object_get(request, "paths"));
    g_autofree const char **but = texts(json_object_get(request, "paths_ignore"));
    if (answer && !touch_add(answer, mirror, base.sha, head, &(srv_repo_paths){only, but}, error))
        g_clear_pointer(&answer, json_decref);
    if (answer)
        as_add(answer, json_object_get(request, "alike"), mirror, base.sha, head);
    json_decref(after);
    json_decref(before);
    return answer;
}

/* The commits of a branch after `from` up to and with `to`, oldest first; or why there is none.
 * What is more than the limit is refused, or, when asked so, the oldest are left out. */
static json_t *between_json(json_t *request, void (*connected)(void), GError **error) {
    (void)connected;
    const char *mirror = NULL;
    const char *branch = NULL;
    const char *from = NULL;
    const char *to = NULL;
    json_int_t limit = 0;
    int cut = 0;
    guint from_place = 0;
    guint to_place = 0;
    if (json_unpack(request, "{s:s, s:s, s:s, s:s, s:I, s?:b}", "mirror", &mirror, "branch",
                    &branch, "from", &from, "to", &to, "limit", &limit, "cut", &cut) != 0) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "between request lacks mirror, branch, from, to or limit");
        return NULL;
    }
    g_autoptr(GArray) line = NULL;
    if (!srv_repo_branch_check(branch, error) ||
        !(line = srv_repo_line(mirror, branch, LINE_LIMIT, error)))
        return NULL;
    const char *reason = NULL;
    if (!place_of(line, from, &from_place) || !place_of(line, to, &to_place))
        reason = "the branch no longer has both commits on its first-parent line";
    else if (to_place >= from_place)
        reason = "the later commit does not come after the earlier one on the branch";
    else if (from_place - to_place > limit && cut == 0)
        reason = "there are too many commits between the two";
    json_int_t total = !reason ? (json_int_t)from_place - to_place : 0;
    from_place = (guint)MIN(from_place, to_place + limit);
    json_t *commits = json_array();
    for (guint i = from_place; !reason && i > to_place; i--) {
        json_t *commit =
            commit_json(mirror, g_array_index(line, srv_nights_commit, i - 1).sha, error);
        if (!commit) {
            json_decref(commits);
            return NULL;
        }
        json_array_append_new(commits, commit);
    }
    return json_pack("{s:o, s:I, s:s*}", "commits", commits, "total", total, "reason", reason);
}

static json_t *contains_json(json_t *request, void (*connected)(void), GError **error) {
    (void)connected;
    static const char *const states[] = {[SRV_REPO_UNKNOWN] = "unknown",
                                         [SRV_REPO_HELD] = "has",
                                         [SRV_REPO_PICKED] = "picked",
                                         [SRV_REPO_LACKED] = "lacks"};
    const char *mirror = NULL, *branch = NULL, *other = NULL, *commit = NULL;
    srv_repo_holding holding;
    if (json_unpack(request, "{s:s, s:s, s:s, s:s}", "mirror", &mirror, "branch", &branch, "other",
                    &other, "commit", &commit) != 0 ||
        strlen(commit) != 40) {
        g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                    "a \"contains\" request needs mirror, branch, other and a full commit id");
        return NULL;
    }
    if (!srv_repo_branch_check(branch, error) ||
        !srv_repo_contains(mirror, branch, other, commit, &holding, error))
        return NULL;
    return json_pack("{s:s, s:s*}", "state", states[holding.held], "as",
                     holding.as[0] != '\0' ? holding.as : NULL);
}

json_t *srv__repo_answer(json_t *request, void (*connected)(void), GError **error) {
    static const struct {
        const char *op;
        json_t *(*answer)(json_t *request, void (*connected)(void), GError **error);
    } kinds[] = {{"poll", poll_json},
                 {"describe", describe_json},
                 {"between", between_json},
                 {"base", base_json},
                 {"contains", contains_json}};
    const char *op = json_string_value(json_object_get(request, "op"));
    for (size_t i = 0; op && i < G_N_ELEMENTS(kinds); i++)
        if (strcmp(op, kinds[i].op) == 0)
            return kinds[i].answer(request, connected, error);
    g_set_error(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "not a request: unknown op");
    return NULL;
}
