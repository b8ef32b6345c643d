#include "runner/measure/turns.h"

#include "runner/ground/log.h"
#include "runner/ground/stop.h"
#include "runner/link/heartbeat.h"
#include "runner/measure/order.h"

#include <inttypes.h>

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

bool run_turns_apply(const run_node *node, const run_spool *spool) {
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
    run_session_beside(one->session, self->beats);
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
    run_session_beside(session, self->beats);
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

run_session_end run_turns_work(const run_turns *how, run_spool *first, unsigned expires_s) {
    group self = {how, g_ptr_array_new_with_free_func(night_free), g_ptr_array_new(),
                  run_spool_head(first)->id, RUN_SESSION_DONE};
    add(&self, first, expires_s);
    for (unsigned round = 0; !stopped(&self); round++) {
        ask(&self);
        if (!turn_each(&self, round))
            break;
    }
    if (self.nights->len > 1)
        run_log("info", "turns", "measured", "nights=%u first_job=%" PRId64, self.nights->len,
                self.first);
    hand_over(&self);
    g_ptr_array_unref(self.nights);
    g_ptr_array_unref(self.beats);
    return stopped(&self) ? RUN_SESSION_STOPPED : self.worst;
}
