#include "server/git/repo_internal.h"

#include "config/json_text.h"
#include "config/model/model.h"
#include "server/git/mirror.h"
#include "server/git/nights.h"
#include "server/git/repo.h"
#include "server/git/repo_name.h"

#include <gio/gio.h>
#include <jansson.h>
#include <string.h>

/* A commit that was measured, and what it was measured against. */
typedef struct {
    char *head, *base;
    int64_t id;
} alike;

/* What a question says, of whatever kind (fetch.h). */
typedef struct {
    char *mirror, *url, *near, *branch, *releases, *releases_since, *known, *known_tags, *night_at,
        *schedule, *time_zone, *since, *main_mirror, *main_branch, *ssh_key_file, *commit, *head,
        *ref, *from, *to, *other;
    char **ssh_host_fingerprints, **paths, **paths_ignore;
    bool force, brand_new, cut;
    int64_t now_s, known_s, limit;
    uint64_t fetch_bytes, mirror_bytes, reserve_bytes;
    alike *alike;
    unsigned alike_count;
} question;

/* NOLINTBEGIN(bugprone-macro-parentheses): what offsetof takes has none */
#define NEEDED(field) MODEL(question, field, #field)
#define WHOLE_COMMIT(field)                                                                        \
    MODEL(question, field, #field, .good = is_whole, .expected = "a full " #field ", 40 digits")
#define MAY(field) MODEL(question, field, #field, MODEL_NULL)
#define SOURCE                                                                                     \
    NEEDED(mirror), NEEDED(url), NEEDED(branch), MAY(ssh_key_file), MAY(ssh_host_fingerprints),    \
        MAY(paths), MAY(paths_ignore),                                                             \
        MODEL(question, fetch_bytes, "fetch_limit_bytes", MODEL_NULL),                             \
        MODEL(question, reserve_bytes, "disk_reserve_bytes", MODEL_NULL)
/* NOLINTEND(bugprone-macro-parentheses) */

static bool is_whole(const char *commit) {
    return strlen(commit) == 40;
}

static const model_member alike_members[] = {MODEL_NULLS(alike, head, base, id)};
static const model_noun alike_noun = MODEL_NOUN(alike, alike_members, "measured commit");

static const model_member poll_members[] = {
    SOURCE,
    MODEL(question, mirror_bytes, "mirror_limit_bytes", MODEL_NULL),
    MAY(near),
    MAY(releases),
    MAY(releases_since),
    MAY(known),
    MAY(known_s),
    MAY(known_tags),
    MAY(force),
    MAY(night_at),
    MAY(schedule),
    MAY(time_zone),
    MAY(since),
    MAY(brand_new),
    MAY(main_mirror),
    MAY(main_branch),
    NEEDED(now_s)};
static const model_member base_members[] = {
    SOURCE, WHOLE_COMMIT(head),
    MODEL(question, ref, "ref", MODEL_NULL, .good = srv_repo_ref_check, .expected = "a ref"),
    MODEL_SEVERAL(question, alike, alike_noun, MODEL_LIST, "alike", MODEL_NULL)};
static const model_member describe_members[] = {NEEDED(mirror), NEEDED(commit), MAY(branch)};
static const model_member between_members[] = {NEEDED(mirror), NEEDED(branch), NEEDED(from),
                                               NEEDED(to),     NEEDED(limit),  MAY(cut)};
static const model_member contains_members[] = {NEEDED(mirror), NEEDED(branch), NEEDED(other),
                                                WHOLE_COMMIT(commit)};

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

static char *nothing_touched(size_t files) {
    if (files == 0)
        return g_strdup("no file was changed");
    return files == 1 ? g_strdup("the changed file is not among the project's paths")
                      : g_strdup_printf(
                            "none of the %zu changed files is among the project's paths", files);
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
    if (touch.touched)
        return true;
    g_autofree char *why = nothing_touched(touch.files);
    json_object_set_new(
        answer, "untouched",
        json_sprintf("%s%s%s", why, idle ? "; no file matches " : "", idle ? idle : ""));
    return true;
}

/* A night is compared with the last one before it that has something to measure. */
static bool nights_touch(json_t *nights, const branch_line *b, GError **error) {
    const char *last = NULL;
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night) {
        const char *sha = cfg_json_word(json_object_get(night, "commit"), "sha", NULL);
        if (last && !touch_add(night, b->mirror, last, sha, &b->paths, error))
            return false;
        if (!cfg_json_word(night, "untouched", NULL))
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
static const char *releases_since(const question *q, const json_t *nights) {
    const json_t *last = json_array_get(nights, MAX(json_array_size(nights), 1) - 1);
    return q->releases_since ? q->releases_since : cfg_json_word(last, "date", "9999-12-31");
}

static bool nights_add(json_t *answer, const question *q, branch_line *b, GError **error) {
    json_t *nights = nights_json(b, srv_nights_pick(commits_of(b), b->own, &b->rule, error), error);
    json_object_set_new(answer, "nights", nights);
    return nights && nights_touch(nights, b, error) &&
           releases_add(answer, b, releases_since(q, nights), error);
}

/* Patterns of paths that no file of the newest commit matches, as "idle", where there are some. */
static bool idle_add(json_t *answer, const branch_line *b, const char *head, GError **error) {
    const srv_repo_paths only = {b->paths.only, NULL};
    srv_repo_touch touch;
    if (!only.only)
        return true;
    if (!srv_repo_touches(b->mirror, head, head, &only, &touch, error))
        return false;
    g_autofree char *idle = touch.idle;
    if (idle)
        json_object_set_new(answer, "idle", json_string(idle));
    return true;
}

/* A further branch's own nights begin with the commit that it parted from the main one at: what
 * both have is measured there. As long as the main one cannot be read, only the newest is. */
static void own_find(const question *q, branch_line *b) {
    b->own = b->line->len;
    if (!q->main_mirror || !q->main_branch)
        return;
    g_autoptr(GArray) line = srv_repo_line(q->main_mirror, q->main_branch, LINE_LIMIT, NULL);
    g_autoptr(GHashTable) common = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; line && i < line->len; i++)
        g_hash_table_add(common, g_array_index(line, srv_nights_commit, i).sha);
    b->cut = line == NULL;
    b->own = b->cut ? MIN(b->line->len, 1) : 0;
    while (!b->cut && b->own < b->line->len &&
           !g_hash_table_contains(common, commits_of(b)[b->own++].sha))
        continue;
}

/* NULL: there are none. */
static const char *const *some(char *const *texts) {
    return texts && texts[0] ? (const char *const *)texts : NULL;
}

static srv_repo_paths paths_of(const question *q) {
    return (srv_repo_paths){some(q->paths), some(q->paths_ignore)};
}

static srv_repo_source source_of(const question *q, void (*connected)(void)) {
    return (srv_repo_source){.url = q->url,
                             .near = q->near,
                             .branch = q->branch,
                             .releases = q->releases,
                             .ssh_key_file = q->ssh_key_file,
                             .ssh_host_fingerprints = some(q->ssh_host_fingerprints),
                             .limits = {q->fetch_bytes, q->mirror_bytes, q->reserve_bytes},
                             .connected = connected};
}

/* A mirror that lacks objects gets none of them from a fetch of what is new. */
static GArray *line_read(const char *mirror, const char *branch, GError **error) {
    GError *problem = NULL;
    GArray *line = srv_repo_line(mirror, branch, LINE_LIMIT, &problem);
    if (line)
        return line;
    if (strstr(problem->message, "object not found")) {
        srv__mirror_forget(mirror);
        g_prefix_error(&problem,
                       "the mirror was incomplete and will be fetched again at the next poll; ");
    }
    g_propagate_error(error, problem);
    return NULL;
}

static json_t *poll_json(const question *q, void (*connected)(void), GError **error) {
    const srv_repo_source source = source_of(q, connected);
    g_autoptr(cfg_schedule) schedule =
        cfg_schedule_new(q->night_at, q->schedule, q->time_zone, error);
    branch_line b = {
        .mirror = q->mirror,
        .paths = paths_of(q),
        .rule = {
            .now_s = q->now_s, .brand_new = q->brand_new, .since = q->since, .schedule = schedule}};
    srv_repo_fetched fetched = {0};
    if (!schedule || !srv_repo_url_check(source.url, error) ||
        !srv_repo_branch_check(source.branch, error) ||
        !srv_repo_update(b.mirror, &source, &fetched, error))
        return NULL;
    bool unchanged = q->known && strcmp(q->known, fetched.head) == 0 &&
                     g_strcmp0(q->known_tags, fetched.tags) == 0 && !q->force;
    json_t *answer =
        json_pack("{s:s, s:s, s:b, s:b, s:I, s:I}", "head", fetched.head, "tags", fetched.tags,
                  "unchanged", unchanged, "rewritten", fetched.rewritten || fetched.left > 0,
                  "left", (json_int_t)fetched.left, "left_s", (json_int_t)fetched.left_s);
    if (unchanged)
        return answer;
    if (q->known && strcmp(q->known, fetched.head) == 0)
        b.rule.head_s = q->known_s;
    b.line = line_read(b.mirror, source.branch, error);
    if (b.line)
        own_find(q, &b);
    if (!b.line || !nights_add(answer, q, &b, error) ||
        !idle_add(answer, &b, fetched.head, error) ||
        !expectations_add(answer, &b, fetched.rewritten || fetched.left > 0 ? NULL : q->known,
                          error))
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
    if (place_of(b.line, cfg_json_word(commit, "sha", ""), &index))
        placed(commit, &b, index);
    g_array_unref(b.line);
    return true;
}

static json_t *describe_json(const question *q, void (*connected)(void), GError **error) {
    (void)connected;
    json_t *described = commit_json(q->mirror, q->commit, error);
    if (described && q->branch && !place_add(described, q->mirror, q->branch, error))
        g_clear_pointer(&described, json_decref);
    return described ? json_pack("{s:o}", "commit", described) : NULL;
}

/* The one among those that were measured with the same files before and after, as "as". */
static void as_add(json_t *answer, const question *q, const char *base) {
    for (unsigned i = 0; i < q->alike_count; i++) {
        const alike *one = &q->alike[i];
        if (!one->head || !one->base || !srv_repo_same(q->mirror, q->head, one->head) ||
            !srv_repo_same(q->mirror, base, one->base))
            continue;
        json_object_set_new(answer, "as", json_string(one->head));
        json_object_set_new(answer, "as_id", json_integer(one->id));
        return;
    }
}

/* A commit that is not on the branch, and where it parted from it; or why nobody can say. */
static json_t *base_json(const question *q, void (*connected)(void), GError **error) {
    const srv_repo_source source = source_of(q, connected);
    const srv_repo_paths paths = paths_of(q);
    srv_repo_base base;
    g_autoptr(GError) missing = NULL;
    if (!srv_repo_url_check(source.url, error) || !srv_repo_branch_check(source.branch, error))
        return NULL;
    if (!srv_repo_merge_base(q->mirror, &source, q->head, q->ref, &base, &missing)) {
        if (g_error_matches(missing, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
            return json_pack("{s:s}", "missing", missing->message);
        g_propagate_error(error, g_steal_pointer(&missing));
        return NULL;
    }
    if (base.reason)
        return json_pack("{s:s}", "reason", base.reason);
    json_auto_t *after = commit_json(q->mirror, q->head, error);
    json_auto_t *before = after ? commit_json(q->mirror, base.sha, error) : NULL;
    json_t *answer =
        after && before ? json_pack("{s:O, s:O}", "commit", after, "base", before) : NULL;
    if (answer && !touch_add(answer, q->mirror, base.sha, q->head, &paths, error))
        g_clear_pointer(&answer, json_decref);
    if (answer)
        as_add(answer, q, base.sha);
    return answer;
}

/* The commits of a branch after `from` up to and with `to`, oldest first; or why there is none.
 * What is more than the limit is refused, or, when asked so, the oldest are left out. */
static json_t *between_json(const question *q, void (*connected)(void), GError **error) {
    (void)connected;
    guint from_place = 0;
    guint to_place = 0;
    g_autoptr(GArray) line = NULL;
    if (!srv_repo_branch_check(q->branch, error) ||
        !(line = srv_repo_line(q->mirror, q->branch, LINE_LIMIT, error)))
        return NULL;
    const char *reason = NULL;
    if (!place_of(line, q->from, &from_place) || !place_of(line, q->to, &to_place))
        reason = "the branch no longer has both commits on its first-parent line";
    else if (to_place >= from_place)
        reason = "the later commit does not come after the earlier one on the branch";
    else if (from_place - to_place > q->limit && !q->cut)
        reason = "there are too many commits between the two";
    json_int_t total = !reason ? (json_int_t)from_place - to_place : 0;
    from_place = (guint)MIN(from_place, to_place + q->limit);
    json_auto_t *commits = json_array();
    for (guint i = from_place; !reason && i > to_place; i--) {
        json_t *commit =
            commit_json(q->mirror, g_array_index(line, srv_nights_commit, i - 1).sha, error);
        if (!commit)
            return NULL;
        json_array_append_new(commits, commit);
    }
    return json_pack("{s:O, s:I, s:s*}", "commits", commits, "total", total, "reason", reason);
}

static json_t *contains_json(const question *q, void (*connected)(void), GError **error) {
    (void)connected;
    static const char *const states[] = {[SRV_REPO_UNKNOWN] = "unknown",
                                         [SRV_REPO_HELD] = "has",
                                         [SRV_REPO_PICKED] = "picked",
                                         [SRV_REPO_LACKED] = "lacks"};
    srv_repo_holding holding;
    if (!srv_repo_branch_check(q->branch, error) ||
        !srv_repo_contains(q->mirror, q->branch, q->other, q->commit, &holding, error))
        return NULL;
    return json_pack("{s:s, s:s*}", "state", states[holding.held], "as",
                     holding.as[0] != '\0' ? holding.as : NULL);
}

#define KIND(op)                                                                                   \
    { #op, MODEL_NOUN(question, op##_members, #op " request"), op##_json }

json_t *srv__repo_answer(json_t *request, void (*connected)(void), GError **error) {
    static const struct {
        const char *op;
        model_noun noun;
        json_t *(*answer)(const question *q, void (*connected)(void), GError **error);
    } kinds[] = {KIND(poll), KIND(describe), KIND(between), KIND(base), KIND(contains)};
    const char *op = cfg_json_word(request, "op", "");
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        MODEL_HELD(question, q, kinds[i].noun);
        if (strcmp(op, kinds[i].op) == 0)
            return model_read(&kinds[i].noun, request, &q, error)
                       ? kinds[i].answer(&q, connected, error)
                       : NULL;
    }
    return SRV__NULL(error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "not a request: unknown op");
}
