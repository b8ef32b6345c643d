#include "server/poll/poller.h"

enum {
    KICK_PAUSE_MS = 1000, /* a storm of webhooks does not become a storm of polls */
    DOUBLINGS_MAX = 3     /* of the wait after failures */
};

typedef struct {
    int64_t asked_ms, due_ms;
    unsigned failures; /* one after the other */
    bool kicked;
} turn;

struct srv__turns {
    int64_t patience_ms;
    bool jumped;       /* the last turn went before one that is overdue */
    GHashTable *turns; /* name of a project → turn */
    GHashTable *asked; /* of the projects that are being asked, the name of the main one */
};

srv__turns *srv__turns_new(int64_t patience_ms) {
    srv__turns *turns = g_new0(srv__turns, 1);
    turns->patience_ms = patience_ms;
    turns->turns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    turns->asked = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return turns;
}

void srv__turns_free(srv__turns *turns) {
    g_hash_table_unref(turns->turns);
    g_hash_table_unref(turns->asked);
    g_free(turns);
}

static turn *turn_of(srv__turns *turns, const char *project) {
    turn *t = g_hash_table_lookup(turns->turns, project);
    if (!t) {
        t = g_new0(turn, 1);
        g_hash_table_insert(turns->turns, g_strdup(project), t);
    }
    return t;
}

static const char *family(const cfg_project *project) {
    return project->main ? project->main : project->name;
}

static bool goes_before(const turn *a, const turn *b) {
    if ((a->failures > 0) != (b->failures > 0))
        return a->failures == 0;
    if (a->kicked != b->kicked)
        return a->kicked;
    return a->due_ms < b->due_ms;
}

/* One that may be asked now, NULL: none. */
typedef struct {
    const cfg_project *project;
    turn *turn;
} candidate;

/* The one that goes first, unless the one that waits the longest, NULL: not too long, was left
 * behind already. */
static candidate choose(srv__turns *turns, candidate first, candidate oldest) {
    const bool jumps = oldest.turn && oldest.turn != first.turn;
    const candidate chosen = jumps && turns->jumped ? oldest : first;
    turns->jumped = jumps && !turns->jumped;
    return chosen;
}

/* Does a fetch for one bring what the other wants, by the same right? */
static bool same_branch(const cfg_project *a, const cfg_project *b) {
    bool same = a->repository && g_strcmp0(a->repository, b->repository) == 0 &&
                g_strcmp0(a->branch, b->branch) == 0 && g_strcmp0(a->releases, b->releases) == 0 &&
                g_strcmp0(a->ssh_key_file, b->ssh_key_file) == 0 &&
                a->ssh_host_fingerprints_count == b->ssh_host_fingerprints_count;
    for (unsigned i = 0; same && i < a->ssh_host_fingerprints_count; i++)
        same = g_str_equal(a->ssh_host_fingerprints[i], b->ssh_host_fingerprints[i]);
    return same;
}

static void begin(srv__turns *turns, const cfg_project *project, GArray *asked) {
    g_hash_table_add(turns->asked, g_strdup(family(project)));
    turn_of(turns, project->name)->kicked = false;
    g_array_append_val(asked, project);
}

bool srv__turns_next(srv__turns *turns, const srv_catalog *catalog, int64_t now_ms, GArray *asked,
                     int64_t *due_ms) {
    candidate first = {0}, oldest = {0};
    *due_ms = INT64_MAX;
    for (guint i = 0; i < catalog->projects->len; i++) {
        const cfg_project *project = g_ptr_array_index(catalog->projects, i);
        turn *t = turn_of(turns, project->name);
        if (!project->enabled || g_hash_table_contains(turns->asked, family(project)))
            continue;
        *due_ms = MIN(*due_ms, t->due_ms);
        if (t->due_ms <= now_ms && (!first.turn || goes_before(t, first.turn)))
            first = (candidate){project, t};
        if (t->due_ms < now_ms - turns->patience_ms &&
            (!oldest.turn || t->due_ms < oldest.turn->due_ms))
            oldest = (candidate){project, t};
    }
    if (!first.turn)
        return false;
    const cfg_project *next = choose(turns, first, oldest).project;
    begin(turns, next, asked);
    for (guint i = 0; i < catalog->projects->len; i++) {
        const cfg_project *other = g_ptr_array_index(catalog->projects, i);
        if (other->enabled && same_branch(next, other) &&
            !g_hash_table_contains(turns->asked, family(other)))
            begin(turns, other, asked);
    }
    return true;
}

static void hasten(turn *t) {
    t->kicked = true;
    t->due_ms = MIN(t->due_ms, t->asked_ms + KICK_PAUSE_MS);
}

void srv__turns_end(srv__turns *turns, const cfg_project *project, int64_t now_ms, int64_t wait_ms,
                    bool failed) {
    turn *t = turn_of(turns, project->name);
    g_hash_table_remove(turns->asked, family(project));
    t->asked_ms = now_ms;
    t->due_ms = now_ms + (failed ? wait_ms << MIN(t->failures, DOUBLINGS_MAX) : wait_ms);
    t->failures = failed ? t->failures + 1 : 0;
    if (t->kicked) /* meanwhile */
        hasten(t);
}

void srv__turns_kick(srv__turns *turns, const char *project) {
    GHashTableIter each;
    void *name, *value;
    g_hash_table_iter_init(&each, turns->turns);
    while (g_hash_table_iter_next(&each, &name, &value))
        if (!project || g_str_equal(name, project))
            hasten(value);
}
