#include "server/pull/pull.h"

#include "server/alarm/trial_rows.h"
#include "server/result/result.h"
#include "server/store/projects.h"
#include "server/store/store_sql.h"
#include "sql/pull.h"

#include <string.h>

#define COMMIT_SHORT 12

/* One of a project, heard of at a moment. */
typedef struct {
    srv_store *store;
    const cfg_project *project;
    const char *provider;
    int64_t id, number, now_ms; /* id: the project's */
} hearing;

/* The newest one of a number, as it is kept. */
typedef struct {
    int64_t id; /* 0: there is none */
    char *head, *state, *ref, *title, *author, *url;
    bool labelled, fork;
} latest_pull;

static const model_member latest_members[] = {MODELS(latest_pull, id, head, state, labelled, fork),
                                              MODEL_NULLS(latest_pull, ref, title, author, url)};
static const model_noun latest_noun = MODEL_NOUN(latest_pull, latest_members, "pull request");

/* What was heard of one (server/hook/hook.h). */
typedef struct {
    int64_t number;
    char *action, *head, *ref, *title, *author, *url, *comment;
    char **labels;
    json_t *labels_set; /* NULL: not said */
    bool fork, by_maintainer, queue;
} heard;

static const model_member heard_members[] = {
    MODEL(heard, action, "action"),
    MODEL(heard, number, "number", .low = 1),
    MODEL(heard, title, "title", MODEL_LEFT_OUT),
    MODEL(heard, author, "author", MODEL_LEFT_OUT),
    MODEL(heard, url, "url", MODEL_LEFT_OUT),
    MODEL(heard, ref, "ref", MODEL_LEFT_OUT),
    MODEL(heard, labels, "labels", MODEL_LEFT_OUT),
    MODEL(heard, labels_set, "labels_set", MODEL_LEFT_OUT),
    MODEL(heard, fork, "fork", MODEL_LEFT_OUT),
    MODEL(heard, head, "head", MODEL_LEFT_OUT),
    MODEL(heard, comment, "comment", MODEL_LEFT_OUT),
    MODEL(heard, queue, "queue", MODEL_LEFT_OUT),
    MODEL(heard, by_maintainer, "by_maintainer", MODEL_LEFT_OUT)};
static const model_noun heard_noun = MODEL_NOUN(heard, heard_members, "delivery");

/* An open one ends; what is being measured of it is given up. */
static bool drop(srv_store *store, int64_t pull, const char *reason, int64_t now_ms,
                 GError **error) {
    g_autoptr(GArray) jobs = srv__ids(store, ASK(pull_jobs_open, pull), error);
    if (!jobs || !srv__run(store, ASK(pull_end, pull, "dropped", reason, now_ms), error))
        return false;
    for (guint i = 0; i < jobs->len; i++)
        if (!srv__job_cancel(store, g_array_index(jobs, int64_t, i), reason, now_ms, error))
            return false;
    return srv__event(store, SRV_EVENT_PULL, pull);
}

static bool drop_all(const hearing *h, const char *reason, GError **error) {
    g_autoptr(GArray) open =
        srv__ids(h->store, ASK(pulls_open, h->id, h->provider, h->number), error);
    for (guint i = 0; open && i < open->len; i++)
        if (!drop(h->store, g_array_index(open, int64_t, i), reason, h->now_ms, error))
            return false;
    return open != NULL;
}

static bool add(const hearing *h, const srv_pull_facts *facts, int64_t *id, GError **error) {
    return srv__insert(h->store,
                       ASK(pull_insert, h->id, facts->provider, srv__arg_key(facts->number),
                           facts->title, facts->author, facts->url, facts->ref, facts->fork,
                           facts->labelled, facts->head, h->project->branch,
                           facts->fork ? "held" : "waiting", h->project->pull_requests.minutes,
                           h->project->pull_requests.percent, h->now_ms),
                       id, error) &&
           srv__event(h->store, SRV_EVENT_PULL, *id);
}

static bool latest_get(const hearing *h, latest_pull *latest, GError **error) {
    bool there;
    return srv__one(h->store, ASK(pull_latest, h->id, h->provider, h->number), &latest_noun, latest,
                    &there, error);
}

static bool ask_number(const hearing *h, const srv_pull_facts *facts, int64_t *id,
                       const char **note, GError **error) {
    MODEL_HELD(latest_pull, latest, latest_noun);
    if (!latest_get(h, &latest, error))
        return false;
    const bool over = latest.id == 0 || strcmp(latest.state, "failed") == 0 ||
                      strcmp(latest.state, "dropped") == 0;
    if (!over && g_strcmp0(latest.head, facts->head) == 0) {
        *id = latest.id;
        *note = "this commit was already reported";
        return true;
    }
    g_autofree char *reason = g_strdup_printf("commit %.*s replaced it", COMMIT_SHORT, facts->head);
    return drop_all(h, reason, error) && add(h, facts, id, error);
}

static bool ask(const hearing *h, const srv_pull_facts *facts, int64_t *id, const char **note,
                GError **error) {
    if (h->number != 0)
        return ask_number(h, facts, id, note, error);
    return srv__number(h->store, ASK(pull_same, h->id, facts->head), 0, id, error) &&
           (*id != 0 || add(h, facts, id, error));
}

static bool is_wanted(const cfg_project *project, GError **error) {
    if (project->enabled && project->pull_requests.minutes > 0)
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_INVALID,
                     "project %s measures no pull requests; set pull_requests.minutes in its file",
                     project->name);
}

bool srv_pull_ask(srv_store *store, const cfg_project *project, const srv_pull_facts *facts,
                  int64_t now_ms, int64_t *id, GError **error) {
    hearing h = {store, project, facts->provider, 0, facts->number, now_ms};
    const char *note = NULL;
    if (!is_wanted(project, error) || !srv__begin(store, error))
        return false;
    const bool good =
        srv__project_id(store, project->name, &h.id, error) && ask(&h, facts, id, &note, error);
    return srv__end(store, good, error);
}

static bool has_label(const json_t *labels, const char *label) {
    size_t i;
    json_t *one;
    json_array_foreach (labels, i, one)
        if (g_strcmp0(json_string_value(one), label) == 0)
            return true;
    return false;
}

static bool opened(const hearing *h, const heard *said, const char **note, GError **error) {
    int64_t id;
    const srv_pull_facts facts = {.provider = h->provider,
                                  .number = h->number,
                                  .head = said->head,
                                  .ref = said->ref,
                                  .title = said->title ? said->title : "",
                                  .author = said->author ? said->author : "",
                                  .url = said->url,
                                  .fork = said->fork,
                                  .labelled = g_strv_contains((const char *const *)said->labels,
                                                              h->project->pull_requests.label)};
    return ask(h, &facts, &id, note, error);
}

/* The label counts for the commit it was set on: what is pushed later is another one's code. */
static bool labels_changed(const hearing *h, const heard *said, const char **note, GError **error) {
    MODEL_HELD(latest_pull, latest, latest_noun);
    const char *label = h->project->pull_requests.label;
    const json_t *set = said->labels_set;
    const bool there = g_strv_contains((const char *const *)said->labels, label);
    if (!opened(h, said, note, error) || !latest_get(h, &latest, error))
        return false;
    const int64_t id = latest.id;
    const bool fresh = set ? has_label(set, label) : there && !latest.labelled;
    const bool held = g_strcmp0(latest.state, "held") == 0;
    *note = held && !fresh ? "it comes from a fork, and the label was not set" : *note;
    if (!srv__run(h->store, ASK(pull_labelled, id, there), error))
        return false;
    if (!held || !fresh)
        return true;
    *note = NULL;
    return srv__run(h->store, ASK(pull_release, id), error) &&
           srv__event(h->store, SRV_EVENT_PULL, id);
}

/* The commit that a comment names, "" when it names none; NULL: it asks for nothing. Owned. */
static char *commit_named(const char *comment) {
    if (!comment || !g_str_has_prefix(comment, SRV_PULL_COMMAND))
        return NULL;
    const char *rest = comment + strlen(SRV_PULL_COMMAND);
    if (*rest != '\0' && !strchr(" \t\r\n", *rest))
        return NULL;
    rest += strspn(rest, " \t");
    return g_ascii_strdown(rest, (gssize)strspn(rest, "0123456789abcdefABCDEF"));
}

static bool is_over(const char *state) {
    return strcmp(state, "done") == 0 || strcmp(state, "failed") == 0 ||
           strcmp(state, "dropped") == 0;
}

static bool again(const hearing *h, const latest_pull *latest, GError **error) {
    int64_t id;
    const srv_pull_facts facts = {.provider = h->provider,
                                  .number = h->number,
                                  .head = latest->head,
                                  .ref = latest->ref,
                                  .title = latest->title,
                                  .author = latest->author,
                                  .url = latest->url,
                                  .fork = latest->fork,
                                  .labelled = latest->labelled};
    return add(h, &facts, &id, error) &&
           (!facts.fork || srv__run(h->store, ASK(pull_release, id), error));
}

/* A maintainer who lets a fork's code in names the commit that was looked at, and all of its
 * digits: another may have been pushed meanwhile, and one with the same first digits is soon made.
 */
static bool commented(const hearing *h, const heard *said, const char **note, GError **error) {
    MODEL_HELD(latest_pull, latest, latest_noun);
    g_autofree char *commit = commit_named(said->comment);
    *note = !commit                ? "the comment is not a /moowatch measure command"
            : !said->by_maintainer ? "only a maintainer's comment counts"
                                   : NULL;
    if (*note)
        return true;
    if (!latest_get(h, &latest, error))
        return false;
    const bool named = *commit != '\0';
    if (latest.id == 0)
        *note = "the pull request is not known; push to it, or open it again";
    else if (latest.fork && !named)
        *note = "it comes from a fork: the comment must name its commit by the full id";
    else if (named && strcmp(latest.head, commit) != 0)
        *note = "the comment does not name the full id of the latest commit";
    if (*note)
        return true;
    const int64_t id = latest.id;
    if (is_over(latest.state))
        return again(h, &latest, error);
    return srv__run(h->store, ASK(pull_release, id), error) &&
           srv__event(h->store, SRV_EVENT_PULL, id);
}

static bool hear(const hearing *h, const heard *said, const char **note, GError **error) {
    const char *action = said->action;
    if (g_strcmp0(action, "opened") == 0)
        return opened(h, said, note, error);
    if (g_strcmp0(action, "labels") == 0)
        return labels_changed(h, said, note, error);
    if (g_strcmp0(action, "comment") == 0)
        return commented(h, said, note, error);
    if (said->queue) {
        MODEL_HELD(latest_pull, latest, latest_noun);
        if (!latest_get(h, &latest, error))
            return false;
        *note = g_strcmp0(latest.head, said->head) == 0 ? NULL : "another commit is in the queue";
        if (*note)
            return true;
    }
    return drop_all(h, said->queue ? "it left the merge queue" : "it was closed", error);
}

static bool hear_all(hearing *h, const heard *said, const char **note, GError **error) {
    if (!srv__begin(h->store, error))
        return false;
    const bool good =
        srv__project_id(h->store, h->project->name, &h->id, error) && hear(h, said, note, error);
    return srv__end(h->store, good, error);
}

bool srv_pull_hear(srv_store *store, const cfg_project *project, const char *provider,
                   const json_t *json, int64_t now_ms, const char **note, GError **error) {
    MODEL_HELD(heard, said, heard_noun);
    *note = NULL;
    if (!is_wanted(project, NULL)) {
        *note = "the project measures no pull requests";
        return true;
    }
    if (!model_read(&heard_noun, json, &said, error))
        return false;
    hearing h = {.store = store,
                 .project = project,
                 .provider = said.queue ? SRV_PULL_QUEUE : provider,
                 .number = said.number,
                 .now_ms = now_ms};
    return hear_all(&h, &said, note, error);
}

/* The project of one that is to be begun; the tree's names are borrowed from body. */
typedef struct {
    int64_t project;
    char *state;
    json_t *body;
} beginning;

static const model_member beginning_members[] = {MODEL(beginning, project, "project_id"),
                                                 MODELS(beginning, state, body)};
static const model_noun beginning_noun = MODEL_NOUN(beginning, beginning_members, "pull request");

static bool pull_portion_insert(srv_store *store, int64_t pull, const srv__tree *tree, size_t c,
                                GError **error) {
    const int parent = tree->chain.parent[c];
    return srv__run(store,
                    ASK(pull_portion_insert, pull, c, tree->name[c],
                        parent >= 0 ? tree->name[parent] : NULL, tree->portion[c]),
                    error);
}

static bool begin(srv_store *store, int64_t id, const beginning *row, const srv_commit *after,
                  const srv_commit *before, int64_t now_ms, GError **error) {
    srv__tree tree;
    int64_t after_id, before_id;
    bool queued;
    bool good = srv__revision_keep(store, row->project, after, &after_id, error) &&
                srv__revision_keep(store, row->project, before, &before_id, error) &&
                srv__run(store, ASK(pull_commits, id, after_id, before_id, now_ms), error) &&
                srv__tree_read(&tree, row->body, error);
    for (size_t c = 0; good && c < tree.chain.count; c++)
        good = pull_portion_insert(store, id, &tree, c, error);
    return good && srv__pull_batch(store, id, now_ms, &queued, error) &&
           srv__event(store, SRV_EVENT_PULL, id);
}

static bool begin_waiting(srv_store *store, int64_t id, const srv_commit *after,
                          const srv_commit *before, int64_t now_ms, GError **error) {
    MODEL_HELD(beginning, row, beginning_noun);
    bool there;
    if (!srv__one(store, ASK(pull_project, id), &beginning_noun, &row, &there, error))
        return false;
    /* It may have been dropped while git was asked. */
    return !there || !g_str_equal(row.state, "waiting") ||
           begin(store, id, &row, after, before, now_ms, error);
}

bool srv_pull_begin(srv_store *store, int64_t id, const srv_commit *after, const srv_commit *before,
                    int64_t now_ms, GError **error) {
    return srv__begin(store, error) &&
           srv__end(store, begin_waiting(store, id, after, before, now_ms, error), error);
}

bool srv_pull_end(srv_store *store, int64_t id, const char *state, int64_t other,
                  const char *reason, int64_t now_ms, GError **error) {
    return srv__begin(store, error) &&
           srv__end(store,
                    srv__run(store, ASK(pull_portions_copy, id, other), error) &&
                        srv__run(store, ASK(pull_end, id, state, reason, now_ms), error) &&
                        srv__event(store, SRV_EVENT_PULL, id),
                    error);
}
