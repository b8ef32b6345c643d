#include "runner/agent.h"

#include "config/json_text.h"
#include "config/log.h"
#include "runner/ground/error.h"
#include "runner/ground/stop.h"
#include "runner/link/heartbeat.h"
#include "runner/link/spool.h"
#include "runner/link/upload.h"
#include "runner/measure/plan.h"
#include "runner/measure/session.h"
#include "runner/node/workplace.h"
#include "runner/process/scratch.h"
#include "runner/protocol.h"

#include <inttypes.h>
#include <unistd.h>

typedef struct {
    run_spool *spool;
    run_session *session; /* NULL: it has ended */
} night;

typedef struct {
    const run_turns *how;
    GPtrArray *nights; /* night *, the oldest first */
    GPtrArray *beats;  /* run_heartbeat *, of all that have not ended */
    int64_t first;     /* the first one's job */
    run_session_end worst;
} group;

/* Whether this node measures the job so. */
static bool turns_apply(const run_node *node, const run_spool *spool) {
    return node->config->nights_in_turn > 1 && run_spool_head(spool)->beside;
}

static void night_free(gpointer data) {
    night *one = data;
    run_session_close(one->session);
    run_spool_free(one->spool);
    g_free(one);
}

static void add(group *self, run_spool *spool, unsigned expires_s) {
    night *one = g_new(night, 1);
    one->spool = spool;
    one->session = run_session_open(self->how->node, self->how->cache, spool, expires_s);
    run_session_wait(one->session, self->beats);
    g_ptr_array_add(self->nights, one);
}

static night *at(const group *self, guint i) {
    return g_ptr_array_index(self->nights, i);
}

static bool stopped(const group *self) {
    return self->worst == RUN_SESSION_STOPPED || run_stop_asked(self->how->node->stop_fd);
}

/* What a stopped one left goes on at the next start. */
static void note(group *self, run_session_end end) {
    static const int rank[] = {[RUN_SESSION_DONE] = 0,
                               [RUN_SESSION_LOST] = 1,
                               [RUN_SESSION_FAILED] = 2,
                               [RUN_SESSION_STOPPED] = 3};
    if (rank[end] > rank[self->worst])
        self->worst = end;
}

static void end_night(group *self, night *one, run_session_end end) {
    note(self, end);
    run_session_leave(one->session, self->beats);
    g_clear_pointer(&one->session, run_session_close);
}

/* A job that goes before the nights: they wait, and keep their leases. */
static void work_between(group *self, run_spool *spool, unsigned expires_s) {
    g_autoptr(run_session) session =
        run_session_open(self->how->node, self->how->cache, spool, expires_s);
    run_session_wait(session, self->beats);
    note(self, run_session_finish(session));
    run_session_leave(session, self->beats);
}

static unsigned open_nights(const group *self) {
    unsigned count = 0;
    for (guint i = 0; i < self->nights->len; i++)
        count += at(self, i)->session != NULL;
    return count;
}

/* Waiting for its answer would hold up every round. */
static bool server_away(const group *self) {
    for (guint i = 0; i < self->beats->len; i++)
        if (((const run_heartbeat *)g_ptr_array_index(self->beats, i))->away)
            return true;
    return false;
}

static void ask(group *self) {
    const run_turns *how = self->how;
    while (!stopped(self) && !server_away(self)) {
        unsigned expires_s = 0;
        const bool room = open_nights(self) < how->node->config->nights_in_turn;
        run_spool *spool = how->lease(how->data, self->first, room, &expires_s);
        if (!spool)
            return;
        if (run_spool_head(spool)->beside) {
            add(self, spool, expires_s);
            continue;
        }
        work_between(self, spool, expires_s);
        run_spool_free(spool);
    }
}

static bool has_turn(const night *one) {
    return one->session && !run_session_measured(one->session);
}

static bool turn_each(group *self, unsigned round) {
    const guint count = self->nights->len;
    g_autofree unsigned *order = g_new(unsigned, count);
    bool more = false;
    run_order_shuffle((uint64_t)self->first, round, count, order);
    for (guint i = 0; i < count && !stopped(self); i++) {
        night *one = at(self, order[i]);
        if (!has_turn(one))
            continue;
        const run_session_end end = run_session_turn(one->session);
        if (end == RUN_SESSION_OPEN)
            more = more || has_turn(one);
        else
            end_night(self, one, end);
    }
    return more;
}

static void hand_over(group *self) {
    for (guint i = 0; i < self->nights->len && !stopped(self); i++)
        if (at(self, i)->session)
            end_night(self, at(self, i), run_session_finish(at(self, i)->session));
}

/* Until all jobs have ended, or the agent was told to stop.
 * first      taken over
 * Returns the worst end, RUN_SESSION_DONE being the best; never RUN_SESSION_OPEN. */
static run_session_end turns_work(const run_turns *how, run_spool *first, unsigned expires_s) {
    group self = {how, g_ptr_array_new_with_free_func(night_free), g_ptr_array_new(),
                  run_spool_head(first)->id, RUN_SESSION_DONE};
    add(&self, first, expires_s);
    for (unsigned round = 0; !stopped(&self); round++) {
        ask(&self);
        if (!turn_each(&self, round))
            break;
    }
    if (self.nights->len > 1)
        cfg_log("info", "turns", "measured", "nights=%u first_job=%" PRId64, self.nights->len,
                self.first);
    hand_over(&self);
    g_ptr_array_unref(self.nights);
    g_ptr_array_unref(self.beats);
    return stopped(&self) ? RUN_SESSION_STOPPED : self.worst;
}

#define LEASE_MARGIN_S 15 /* for the answer, after the long-poll's wait */
#define DISK_WAIT_MS 60000

/* What the agent has meanwhile: another job is one that may be done beside it. */
typedef struct {
    int64_t job; /* 0: none */
    bool room;   /* for another night of its project */
} beside;

static unsigned wait_s(const run_node *node, const beside *own) {
    return own->job > 0 ? 0 : node->config->poll_wait_s;
}

static json_t *lease_body(const run_node *node, const beside *own) {
    json_t *labels = cfg_json_texts(node->config->labels, node->config->labels_count);
    json_t *body =
        json_pack("{s:s, s:s, s:o, s:[s, s, s], s:i}", "node", node->config->node, "version",
                  MOOWATCH_VERSION, "labels", labels, "can", RUN_CAN_CONFIRMATION, RUN_CAN_ARTIFACT,
                  RUN_CAN_EXPLAIN, "wait_seconds", (int)wait_s(node, own));
    if (own->job > 0)
        json_object_set_new(
            body, "beside",
            json_pack("{s:I, s:b}", "job", (json_int_t)own->job, "room", own->room));
    return body;
}

static bool is_spooled(const run_node *node, int64_t job) {
    g_autoptr(GArray) ids = run_spool_list(node->config->work_dir);
    for (guint i = 0; i < ids->len; i++)
        if (g_array_index(ids, int64_t, i) == job)
            return true;
    return false;
}

/* A job if there is one: spool and expires_s are set. False with RUN_ERROR_AWAY etc. */
static bool lease(const run_node *node, const beside *own, run_spool **spool, unsigned *expires_s,
                  GError **error) {
    g_auto(run_answer) answer = {0};
    json_auto_t *body = lease_body(node, own);
    bool good = run_client_post(node->client, RUN_PATH_LEASE, body,
                                wait_s(node, own) + LEASE_MARGIN_S, &answer, error);
    if (!good || !run_client_judge(&answer, "lease", error) || answer.status == 204)
        return good && answer.status == 204;
    json_t *job = json_object_get(answer.body, "job");
    json_int_t id = cfg_json_integer(job, "id");
    json_t *name = json_object_get(answer.body, "lease");
    json_int_t seconds = cfg_json_integer(answer.body, "expires_seconds");
    if (id < 1 || !json_is_string(name))
        return run_fail(error, RUN_ERROR_AWAY, "lease: the answer holds no job");
    if (own->job > 0 && is_spooled(node, id))
        return true; /* the server has not heard of it yet */
    *expires_s = (unsigned)CLAMP(seconds, 1, 86400);
    json_auto_t *head = json_pack("{s:O, s:O, s:I}", "job", job, "lease", name, "started_ms",
                                  (json_int_t)(g_get_real_time() / 1000));
    *spool = run_spool_create(node->config->work_dir, id, head, error);
    return *spool != NULL;
}

/* Waits while the disk is full. True when the agent was told to stop meanwhile. */
static bool wait_for_disk(const run_node *node, run_cache *cache) {
    bool said = false;
    for (;;) {
        g_autoptr(GError) full = NULL;
        if (run_scratch_reserve(node->config->work_dir, node->config->disk_reserve_bytes, &full))
            return run_stop_asked(node->stop_fd);
        if (!said && run_cache_bytes(cache) > 0) {
            run_cache_shrink(cache, 0); /* what can be made again goes first */
            continue;
        }
        if (!said) {
            cfg_log("error", "agent", "waiting", "reason=\"%s\"", full->message);
            said = true;
        }
        if (run_stop_sleep(node->stop_fd, DISK_WAIT_MS))
            return true;
    }
}

/* What an earlier run left. ended: how the last job went; untouched when there was none. */
static bool finish_spool(const run_node *node, run_cache *cache, run_session_end *ended) {
    g_autoptr(GArray) ids = run_spool_list(node->config->work_dir);
    for (guint i = 0; i < ids->len; i++) {
        int64_t id = g_array_index(ids, int64_t, i);
        g_autoptr(GError) problem = NULL;
        g_autoptr(run_spool) spool = run_spool_open(node->config->work_dir, id, &problem);
        if (!spool) {
            g_autofree char *name = g_strdup_printf("spool/job-%" PRId64, id);
            g_autofree char *path = run_node_path(node, name);
            cfg_log("warning", "agent", "spool_dropped", "job=%" PRId64 " reason=\"%s\"", id,
                    problem->message);
            g_clear_error(&problem);
            if (!run_scratch_remove(path, &problem))
                cfg_log("warning", "agent", "left_over", "reason=\"%s\"", problem->message);
            continue;
        }
        cfg_log("info", "agent", "resume", "job=%" PRId64 " loops_done=%u", id,
                run_spool_loops(spool)->len);
        *ended = run_session_run(node, cache, spool, 0);
        if (*ended == RUN_SESSION_STOPPED)
            return false;
    }
    return true;
}

/* For run_turns: the node has work, so there is neither waiting nor trying again. */
static run_spool *lease_beside(void *data, int64_t job, bool room, unsigned *expires_s) {
    const run_node *node = data;
    const cfg_runner *config = node->config;
    g_autoptr(GError) problem = NULL;
    run_spool *spool = NULL;
    const beside own = {
        job, room && run_scratch_reserve(config->work_dir, config->disk_reserve_bytes, NULL)};
    if (!lease(node, &own, &spool, expires_s, &problem))
        cfg_log("warning", "agent", "no_lease", "reason=\"%s\"", problem->message);
    return spool;
}

static run_session_end work_on(run_node *node, run_cache *cache, run_spool *spool,
                               unsigned expires_s) {
    g_autoptr(run_spool) own = spool;
    const run_turns turns = {node, cache, lease_beside, node};
    return turns_apply(node, own) ? turns_work(&turns, g_steal_pointer(&own), expires_s)
                                  : run_session_run(node, cache, own, expires_s);
}

/* One lease and its job. False when the agent shall end; ended as above. */
static bool work_once(run_node *node, run_cache *cache, unsigned *failures,
                      run_session_end *ended) {
    g_autoptr(GError) problem = NULL;
    run_spool *spool = NULL;
    unsigned expires_s = 0;
    if (wait_for_disk(node, cache))
        return false;
    if (lease(node, &(beside){0}, &spool, &expires_s, &problem)) {
        *failures = 0;
        if (spool)
            *ended = work_on(node, cache, spool, expires_s);
        return !run_stop_asked(node->stop_fd);
    }
    if (g_error_matches(problem, RUN_ERROR, RUN_ERROR_STOPPED))
        return false;
    unsigned delay_s = run_upload_delay_s(++*failures);
    cfg_log("warning", "agent", "no_lease", "retry_seconds=%u reason=\"%s\"", delay_s,
            problem->message);
    return !run_stop_sleep(node->stop_fd, delay_s * INT64_C(1000));
}

int run_agent(run_node *node, bool once, unsigned wait_s) {
    const int64_t until_us =
        wait_s > 0 ? g_get_monotonic_time() + wait_s * G_USEC_PER_SEC : INT64_MAX;
    g_autoptr(GError) problem = NULL;
    if (!run_workplace_take(node, &problem)) {
        cfg_log("error", "agent", "cannot_start", "reason=\"%s\"", problem->message);
        return 1;
    }
    cfg_log("info", "agent", "start", "version=%s node=%s server=%s harness=\"%s\"",
            MOOWATCH_VERSION, node->config->node, node->config->server, node->harness_dir);
    if (!node->switch_user && geteuid() == 0)
        cfg_log("warning", "agent", "runs_as_root", "next=\"set run_as_user\"");
    if (!node->switch_git && geteuid() == 0)
        cfg_log("warning", "agent", "git_as_root",
                "next=\"create the user moowatch-git, or set git_user\"");
    const run_session_end none = (run_session_end)-1;
    run_session_end ended = none;
    unsigned failures = 0;
    g_autoptr(run_cache) cache = run_cache_open(node);
    bool go_on = finish_spool(node, cache, &ended);
    if (go_on)
        run_workplace_empty_checkouts(node);
    while (go_on && !(once && (ended != none || g_get_monotonic_time() >= until_us)))
        go_on = work_once(node, cache, &failures, &ended);
    const bool idle = go_on && ended == none;
    if (idle)
        cfg_log("info", "agent", "no_job", "waited_seconds=%u", wait_s);
    cfg_log("info", "agent", "end", "asked=%d", !go_on);
    const bool bad = ended == RUN_SESSION_FAILED || ended == RUN_SESSION_LOST;
    return once && (bad || (idle && failures > 0)) ? 1 : 0;
}
