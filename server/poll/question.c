#include "server/poll/question.h"

#include "config/credential.h"
#include "config/json_text.h"
#include "config/log.h"
#include "server/alarm/bisection.h"
#include "server/alarm/expectations.h"
#include "server/alarm/notes.h"
#include "server/ground/clock.h"
#include "server/hook/hook.h"
#include "server/queue/queue.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/hook.h"

#include <gio/gio.h>

enum { BETWEEN_MS = 30000 }; /* reads the local mirror only, up to thousands of commits */

bool srv__commit_read(json_t *item, srv_commit *commit, GError **error) {
    json_int_t time_ms = 0, place = 0;
    *commit = (srv_commit){0}; /* a first commit has no parent */
    if (json_unpack(item, "{s:s, s:s, s:s, s:I, s:s, s?:s, s?:I}", "sha", &commit->sha, "author",
                    &commit->author, "author_email", &commit->author_email, "time_ms", &time_ms,
                    "subject", &commit->subject, "parent", &commit->parent, "place", &place) != 0)
        return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_FAILED,
                         "the git process gave an invalid answer");
    commit->time_ms = time_ms;
    commit->place = place;
    return true;
}

/* Borrows from the answer. */
static bool commits_read(const json_t *answer, GArray *commits, GError **error) {
    size_t i = 0;
    json_t *item = NULL;
    cfg_json_each (answer, "commits", i, item) {
        srv_commit commit;
        if (!srv__commit_read(item, &commit, error))
            return false;
        g_array_append_val(commits, commit);
    }
    return true;
}

static bool look(srv_store *store, srv_fetch *fetch, const cfg_project *project, const char *mirror,
                 const srv_search_wanted *wanted, int64_t now_ms, GError **error) {
    g_autoptr(GArray) commits = g_array_new(FALSE, FALSE, sizeof(srv_commit));
    json_auto_t *request = json_pack("{s:s, s:s, s:s, s:s, s:s, s:i}", "op", "between", "mirror",
                                     mirror, "branch", project->branch, "from", wanted->from, "to",
                                     wanted->to, "limit", (int)SRV_BISECTION_COMMITS);
    json_auto_t *answer = srv_fetch_ask(fetch, request, BETWEEN_MS, error);
    bool ok =
        answer && commits_read(answer, commits, error) &&
        srv_bisection_begin(store, wanted->alert, (const srv_commit *)(const void *)commits->data,
                            commits->len, cfg_json_word(answer, "reason", NULL), now_ms, error);
    if (ok)
        cfg_log("info", "culprits", "search", "project=%s commits=%u", project->name, commits->len);
    return ok;
}

/* Every alert of the project that has no search yet gets one.
 * mirror   the project's, just updated
 * Returns false with error when git or the store failed; alerts are taken up again next time. */
static bool culprits_look(srv_store *store, srv_fetch *fetch, const cfg_project *project,
                          const char *mirror, int64_t now_ms, GError **error) {
    g_auto(model_list) list = {0};
    bool ok = srv_bisections_wanted(store, project->name, &list, error);
    for (unsigned i = 0; ok && i < list.count; i++)
        ok = look(store, fetch, project, mirror, (const srv_search_wanted *)list.items + i, now_ms,
                  error);
    return ok;
}

enum {
    FRESH_NIGHT_S = 48 * 3600, /* an older night is back-fill: it must not hold up tonight's */
    DESCRIBE_MS = 10000,       /* reads the local mirror only */
    DELIVERY_TRIES = 3,        /* polls until a commit that is not there is given up */
    NIGHT_SLACK_S = 1          /* asked a moment after the night, not before it */
};

/* What is remembered of a repository between two polls. */
struct srv__memory {
    char *head;      /* at the last walk; NULL: none yet */
    int64_t head_s;  /* when it was first seen */
    char *tags;      /* likewise, of the releases */
    int64_t night_s; /* the next night at the last walk */
    char *since;     /* as configured when everything since then was last queued */
    bool since_done;
    char *note;  /* a problem that stays until the head moves again */
    char *paths; /* as configured at the last walk */
    char *idle;  /* those of them that match nothing, as a problem; NULL: all do */
    /* kinds of reason, each said once in the log; NULL: it went well */
    char *failed;  /* why the last poll failed */
    char *unnoted; /* why it was not noted */
};

typedef struct srv__memory memory;
typedef struct srv__asker asker;

srv__memory *srv__memory_new(void) {
    return g_new0(memory, 1);
}

void srv__memory_free(srv__memory *m) {
    g_free(m->head);
    g_free(m->tags);
    g_free(m->since);
    g_free(m->note);
    g_free(m->paths);
    g_free(m->idle);
    g_free(m->failed);
    g_free(m->unnoted);
    g_free(m);
}

json_t *srv__question_texts(char *const *texts, unsigned count) {
    return count > 0 ? cfg_json_texts(texts, count) : NULL;
}

static json_t *poll_request(asker *by, const cfg_project *project, const cfg_project *near,
                            const memory *m, const srv_project_span *span, int64_t now_s) {
    const cfg_server *config = by->context->config;
    g_autofree char *mirror = srv_context_mirror(by->context, project->name);
    g_autofree char *main_mirror =
        project->main ? srv_context_mirror(by->context, project->main) : NULL;
    g_autofree char *near_mirror = near ? srv_context_mirror(by->context, near->name) : NULL;
    bool all = project->since && !m->since_done;
    const char *oldest = *span->oldest != '\0' ? span->oldest : NULL;
    const char *newest = *span->newest != '\0' ? span->newest : NULL;
    const char *since = all || !newest ? project->since : newest;
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:s*, s:s*, s:s*, s:I, s:s*, s:b, s:s, s:s*, s:s*, s:s*, s:b,"
        " s:I, s:s*, s:o*, s:o*, s:o*, s:I, s:I, s:I, s:s*, s:s*, s:s*}",
        "op", "poll", "mirror", mirror, "url", project->repository, "branch", project->branch,
        "releases", project->releases, "releases_since", project->since ? project->since : oldest,
        "known", m->head, "known_s", (json_int_t)m->head_s, "known_tags", m->tags, "force",
        now_s >= m->night_s || all, "night_at", project->night_at, "schedule", project->schedule,
        "time_zone", project->time_zone, "since", since, "brand_new", !newest, "now_s",
        (json_int_t)now_s, "ssh_key_file", project->ssh_key_file, "ssh_host_fingerprints",
        srv__question_texts(project->ssh_host_fingerprints, project->ssh_host_fingerprints_count),
        "paths", srv__question_texts(project->paths, project->paths_count), "paths_ignore",
        srv__question_texts(project->paths_ignore, project->paths_ignore_count),
        "fetch_limit_bytes", (json_int_t)config->fetch_limit_bytes, "mirror_limit_bytes",
        (json_int_t)config->mirror_limit_bytes, "disk_reserve_bytes",
        (json_int_t)config->disk_reserve_bytes, "main_mirror", main_mirror, "main_branch",
        project->main ? project->branches[0] : NULL, "near", near_mirror);
}

/* Nights in a row that had nothing to measure. */
typedef struct {
    unsigned count;
    const char *first, *last; /* borrowed from the answer */
} spared;

/* In charts they are seen at the night that follows them. */
static bool tell_spared(asker *by, const cfg_project *project, const spared *before,
                        const char *date, GError **error) {
    int64_t id;
    g_autofree char *span =
        before->count == 1
            ? g_strdup(before->first)
            : g_strdup_printf("%u nights, %s to %s,", before->count, before->first, before->last);
    g_autofree char *text = g_strdup_printf(
        "nothing to measure before this night: %s changed no file of the project's paths", span);
    const srv_note note = {.night = date, .text = text, .author = "moowatch"};
    return before->count == 0 ||
           srv_note_add(by->store, project->name, &note, srv_now_ms(), &id, error);
}

static bool queue_night(asker *by, const cfg_project *project, json_t *night, int64_t now_s,
                        spared *before, GError **error) {
    srv_commit commit;
    const char *date = cfg_json_word(night, "date", NULL);
    int64_t day = 0;
    bool queued = false;
    if (!srv__commit_read(json_object_get(night, "commit"), &commit, error))
        return false;
    if (!srv_day_read(date, &day))
        return SRV__FAIL(error, G_IO_ERROR, G_IO_ERROR_FAILED,
                         "the git process gave an invalid answer");
    const char *untouched = cfg_json_word(night, "untouched", NULL),
               *idle = cfg_json_word(night, "idle", NULL);
    if (idle)
        cfg_log("warning", "poller", "pattern_matches_nothing", "project=%s night=%s patterns=%s",
                project->name, date, idle);
    if (untouched) {
        cfg_log("info", "poller", "nothing_to_measure", "project=%s night=%s commit=%s reason=%s",
                project->name, date, commit.sha, untouched);
        *before = (spared){before->count + 1, before->count ? before->first : date, date};
        return true;
    }
    srv_kind kind = now_s - day * 86400 > FRESH_NIGHT_S ? SRV_KIND_BACKFILL : SRV_KIND_NIGHTLY;
    if (!srv_night_add(by->store, project->name, &(srv_measurement){&commit, date, kind},
                       srv_now_ms(), &queued, NULL, error))
        return false;
    if (queued)
        cfg_log("info", "poller", "queued", "project=%s night=%s commit=%s", project->name, date,
                commit.sha);
    const bool told = !queued || tell_spared(by, project, before, date, error);
    *before = (spared){0};
    return told;
}

static bool queue_nights(asker *by, const cfg_project *project, json_t *nights, int64_t now_s,
                         GError **error) {
    size_t i = 0;
    json_t *night = NULL;
    spared before = {0};
    json_array_foreach (nights, i, night)
        if (!queue_night(by, project, night, now_s, &before, error))
            return false;
    return true;
}

/* Unix seconds; the schedule was checked when the project was read. */
static int64_t next_night(const cfg_project *project, int64_t now_s) {
    g_autoptr(cfg_schedule) schedule = srv_catalog_schedule(project);
    return schedule ? cfg_schedule_next(schedule, now_s) : now_s + FRESH_NIGHT_S;
}

/* What the git process has found. */
typedef struct {
    char *head, *tags, *idle;
    bool unchanged, rewritten, cut; /* cut: there is more */
    int64_t left, left_s;           /* commits that are no longer on the line, and since when */
    json_t *nights, *release_nights, *releases, *expectations;
} found;

static const model_member found_members[] = {
    MODEL_NULLS(found, head, tags),
    MODEL(found, idle, "idle", MODEL_LEFT_OUT),
    MODEL(found, unchanged, "unchanged", MODEL_LEFT_OUT),
    MODEL(found, rewritten, "rewritten", MODEL_LEFT_OUT),
    MODEL(found, cut, "cut", MODEL_LEFT_OUT),
    MODEL(found, left, "left", MODEL_LEFT_OUT),
    MODEL(found, left_s, "left_s", MODEL_LEFT_OUT),
    MODEL_NULLS(found, nights, release_nights, releases, expectations)};
static const model_noun found_noun = MODEL_NOUN(found, found_members, "the git process' answer");

/* Why nights that were measured are no longer on the branch's line; the caller's. */
static char *rewritten_note(const cfg_project *project, const char *head, const found *answer) {
    const json_int_t left = answer->left;
    char since[11];
    if (left == 0)
        return g_strdup_printf("branch %s was rewritten (force push): earlier nights may no "
                               "longer be on it; measuring continues with the new history",
                               project->branch);
    srv_day_text(answer->left_s / 86400, since);
    return g_strdup_printf(
        "the first-parent line of branch %s changed with commit %.10s: %s was merged into another "
        "branch, and that was pushed as %s; %" JSON_INTEGER_FORMAT " of its commits, from %s on, "
        "and their nights are no longer on the line, so no search looks between them and later "
        "ones; measuring continues with the new line",
        project->branch, head, project->branch, project->branch, left, since);
}

/* Takes the helper's answer in: nights queued, what is known remembered. */
static bool take_answer(asker *by, const cfg_project *project, memory *m, const found *answer,
                        int64_t now_s, GError **error) {
    const char *head = answer->head;
    if (answer->unchanged)
        return true;
    if (!queue_nights(by, project, answer->nights, now_s, error) ||
        !queue_nights(by, project, answer->release_nights, now_s, error) ||
        !srv_releases_mark(by->store, project->name, answer->releases, error))
        return false;
    if (g_strcmp0(m->head, head) != 0) {
        g_clear_pointer(&m->note, g_free);
        m->head_s = now_s;
    }
    g_free(m->idle);
    m->idle = answer->idle ? g_strdup_printf("paths: no file of the branch matches %s; correct "
                                             "it in the project's file, or what you meant "
                                             "stays unmeasured",
                                             answer->idle)
                           : NULL;
    const bool rewritten = answer->rewritten;
    if (rewritten) {
        m->note = rewritten_note(project, head, answer);
        cfg_log("warning", "poller", "rewritten", "project=%s head=%s", project->name, head);
    }
    g_free(m->head);
    m->head = g_strdup(head);
    g_free(m->tags);
    m->tags = g_strdup(answer->tags);
    m->night_s = next_night(project, now_s) + NIGHT_SLACK_S;
    /* New history may have new nights before the newest that is known: all are looked at again. */
    m->since_done = !rewritten && !answer->cut;
    return true;
}

/* One commit that webhooks asked for; false with error only when the store fails. */
static bool queue_delivered(asker *by, const cfg_project *project, const char *sha,
                            json_int_t attempts, GError **error) {
    g_autofree char *mirror = srv_context_mirror(by->context, project->name);
    g_autoptr(GError) missing = NULL;
    srv_commit commit = {0};
    char night[11];
    json_auto_t *request = json_pack("{s:s, s:s, s:s, s:s}", "op", "describe", "mirror", mirror,
                                     "commit", sha, "branch", project->branch);
    json_auto_t *answer = srv_fetch_ask(by->fetch, request, DESCRIBE_MS, &missing);
    if (!answer || !srv__commit_read(json_object_get(answer, "commit"), &commit, &missing)) {
        if (attempts + 1 < DELIVERY_TRIES)
            return srv__run(by->store, ASK(delivery_try, project->name, sha), error);
        cfg_log("warning", "poller", "delivery_dead", "project=%s commit=%s reason=%s",
                project->name, sha, missing->message);
        return srv__run(by->store, ASK(delivery_close, project->name, sha), error);
    }
    srv_catalog_night(project, commit.time_ms, srv_now_ms(), night);
    return srv_night_add(by->store, project->name,
                         &(srv_measurement){&commit, night, SRV_KIND_WEBHOOK}, srv_now_ms(), NULL,
                         NULL, error) &&
           srv__run(by->store, ASK(delivery_close, project->name, sha), error);
}

/* A commit that webhooks asked for, and how often it was looked for. */
typedef struct {
    char *sha;
    int64_t attempts;
} delivered;

/* Commits that webhooks asked for, now that the branch is fetched. What a full page leaves waiting
 * is taken at another poll soon: other projects' turns come between. */
static bool queue_deliveries(asker *by, const cfg_project *project, GError **error) {
    static const model_member members[] = {MODELS(delivered, sha, attempts)};
    static const model_noun noun = MODEL_NOUN(delivered, members, "delivery");
    g_auto(model_list) waiting = {0};
    bool ok = srv__many(by->store, ASK(delivery_waiting, project->name, SRV_DELIVERY_PAGE), &noun,
                        &waiting, error);
    if (waiting.count == SRV_DELIVERY_PAGE)
        by->again(by, project->name);
    const delivered *item = waiting.items;
    for (unsigned i = 0; ok && i < waiting.count; i++, item++)
        ok = queue_delivered(by, project, item->sha, item->attempts, error);
    return ok;
}

json_t *srv__question_ask_host(asker *by, json_t *request, GError **error) {
    json_t *answer = srv_fetch_ask_host(by->fetch, request, &by->wait, error);
    if (by->store_back(by))
        return answer;
    json_decref(answer);
    g_clear_error(error);
    return SRV__NULL(error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "moowatchd is stopping");
}

/* Changed ones are looked at by a walk, though the branch has nothing new. */
static void take_paths(memory *m, const cfg_project *project) {
    g_autoptr(GString) paths = g_string_new(NULL);
    for (unsigned i = 0; i < project->paths_count; i++)
        g_string_append_printf(paths, "%s\n", project->paths[i]);
    if (g_strcmp0(m->paths, paths->str) == 0)
        return;
    g_free(m->paths);
    m->paths = g_strdup(paths->str);
    m->night_s = 0;
}

static bool ask(asker *by, const cfg_project *project, const cfg_project *near, memory *m,
                GError **error) {
    srv_project_span span;
    int64_t now_s = srv_now_ms() / 1000;
    if (!srv_project_nights(by->store, project->name, &span, error))
        return false;
    if (g_strcmp0(m->since, project->since) != 0) {
        g_free(m->since);
        m->since = g_strdup(project->since);
        m->since_done = false;
    }
    take_paths(m, project);
    json_auto_t *request = poll_request(by, project, near, m, &span, now_s);
    json_auto_t *answer = srv__question_ask_host(by, request, error);
    /* Announcements before what they are about; then webhooks: theirs is the higher priority, and
     * a commit is queued once. */
    g_autofree char *mirror = srv_context_mirror(by->context, project->name);
    MODEL_HELD(found, known, found_noun);
    return answer && model_read(&found_noun, answer, &known, error) &&
           srv_expectations_take(by->store, project->name, known.expectations, known.rewritten,
                                 error) &&
           queue_deliveries(by, project, error) &&
           take_answer(by, project, m, &known, now_s, error) &&
           culprits_look(by->store, by->fetch, project, mirror, srv_now_ms(), error) &&
           srv_pulls_look(by, project, srv_now_ms(), error) &&
           srv_backports_look(by->context, by->store, by->fetch, project, m->head, error);
}

/* Is it of another kind than the one before, in which numbers do not count? told: that kind, and
 * then this one; reason NULL: there is none. */
static bool is_new(char **told, const char *reason) {
    g_autofree char *before = *told;
    GString *kind = g_string_new(NULL);
    for (const char *c = reason ? reason : ""; *c; c++)
        if (!g_ascii_isdigit(*c))
            g_string_append_c(kind, *c);
    *told = g_string_free(kind, reason == NULL);
    return reason && g_strcmp0(before, *told) != 0;
}

/* Anybody may read it: where this server keeps its files stands in its log alone. Owned. */
static char *public_of(const asker *by, const char *problem) {
    const cfg_server *config = by->context->config;
    const char *const known[][2] = {{config->data_dir, "data_dir"},
                                    {config->shared_dir, "shared_dir"}};
    g_autoptr(GString) text = g_string_new(problem);
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (known[i][0] && g_path_is_absolute(known[i][0]))
            g_string_replace(text, known[i][0], known[i][1], 0);
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static void tell(asker *by, const cfg_project *project, memory *m, const char *problem) {
    g_autoptr(GError) error = NULL;
    const bool failed = m->failed != NULL;
    if (is_new(&m->failed, problem)) {
        g_autofree char *url = cfg_url_hide(project->repository, project->repository);
        cfg_log("warning", "poller", "failed", "project=%s repository=%s reason=%s", project->name,
                url, problem);
    } else if (!problem && failed) {
        cfg_log("info", "poller", "recovered", "project=%s", project->name);
    }
    int64_t now_ms = srv_now_ms();
    int64_t next_s = next_night(project, now_ms / 1000);
    g_autofree char *shown = problem ? public_of(by, problem) : NULL;
    const bool noted = srv_project_polled(by->store, project->name, now_ms, next_s * 1000,
                                          shown     ? shown
                                          : m->note ? m->note
                                                    : m->idle,
                                          problem != NULL, &error);
    if (is_new(&m->unnoted, noted ? NULL : error->message))
        cfg_log("error", "poller", "not_noted", "project=%s reason=%s", project->name,
                error->message);
}

int64_t srv__question_ask(asker *by, const cfg_project *project, const cfg_project *near,
                          memory *m) {
    g_autoptr(GError) error = NULL;
    bool ok = ask(by, project, near, m, &error);
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        return -1;
    tell(by, project, m, ok ? NULL : error->message);
    const int64_t until_night_ms = m->night_s * 1000 - srv_now_ms();
    const int64_t wait_ms = (int64_t)by->context->config->poll_s * 1000;
    return !ok ? -1 : until_night_ms > 0 ? MIN(wait_ms, until_night_ms) : wait_ms;
}
