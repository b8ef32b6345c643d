/*
 * bench store - a database of many experiments: how many results it takes in a second, how long the
 * data of a project's page take, and how both grow.
 *
 * Usage: bench_store URL PROJECTS SIZE…
 * SIZE: experiments in all, ascending. At each one the pages of projects drawn from a seed are
 * read, from the store, nothing kept; then results that nodes have ready are taken in by as many
 * threads as the daemon has for it, each in a transaction of its own that is on disk when it is
 * answered. A line of JSON each.
 */
#include "tests/bench/store/grow.h"

#include "server/store/db.h"
#include "tests/unit/server/nights_view.h"

#include <math.h>
#include <stdio.h>

enum {
    CONFIGURATIONS = 3,
    LOOPS = 5,
    STRETCH = 40,
    READS = 400,
    ROUNDS = 25,
    WARM_UP = 2, /* rounds in which statements are prepared */
    SEED = 18,
    PROJECTS_MAX = 1000
};

typedef struct {
    double p50, p99;
} times;

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static times times_of(double *ms, int count) {
    qsort(ms, (size_t)count, sizeof *ms, ascending);
    return (times){ms[count / 2], ms[(int)fmin(count - 1, floor(0.99 * count))]};
}

static double since_ms(int64_t start_us) {
    return (double)(g_get_monotonic_time() - start_us) / 1000;
}

/* What /projects/{p} asks for: the project, its newest nights, its alerts. */
static void read_page(const grown *g, const char *name) {
    GError *error = NULL;
    json_auto_t *project = srv_view_project(g->made.store, name, &error);
    json_auto_t *nights =
        srv_view_nights(g->made.store, name, (srv_dates){0}, (srv_page){30, NULL}, &error);
    json_auto_t *alerts =
        srv_view_list(g->made.store, &srv_list_alerts, name, NULL, (srv_page){0, NULL}, &error);
    if (!project || !nights || !alerts || json_array_size(json_object_get(nights, "items")) != 30)
        made_die(name, error);
}

static times read_pages(const grown *g) {
    g_autofree double *ms = g_new(double, READS);
    for (int i = 0; i < READS; i++) {
        const char *name = g->projects[g_rand_int_range(g->made.random, 0, g->count)];
        const int64_t start_us = g_get_monotonic_time();
        read_page(g, name);
        ms[i] = since_ms(start_us);
    }
    return times_of(ms, READS);
}

/* Results that wait to be taken in, and who does it. */
typedef struct {
    made_result *results; /* [count] */
    double *ms;           /* [count] that each took, in the order of their ends */
    int count;
    int next, done;
} crowd;

typedef struct {
    made made; /* with a store of its own */
    crowd *crowd;
    GThread *thread;
} taker;

static void *take(void *user) {
    taker *self = user;
    crowd *all = self->crowd;
    for (int i; (i = g_atomic_int_add(&all->next, 1)) < all->count;) {
        const int64_t begun_us = g_get_monotonic_time();
        made_send(&self->made, &all->results[i]);
        all->ms[g_atomic_int_add(&all->done, 1)] = since_ms(begun_us);
    }
    return NULL;
}

static taker *takers_open(const grown *g, unsigned count) {
    taker *takers = g_new(taker, count);
    for (unsigned i = 0; i < count; i++) {
        GError *error = NULL;
        takers[i].made = g->made;
        takers[i].made.store = srv_store_open(g->url, &error);
        if (!takers[i].made.store)
            made_die(g->url, error);
    }
    return takers;
}

static void takers_close(taker *takers, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        srv_store_close(takers[i].made.store);
    g_free(takers);
}

/* ms: out, [projects] of each. Returns how long all of them took together. */
static double send_all(taker *takers, unsigned count, made_result *results, double *ms,
                       int projects) {
    crowd all = {.results = results, .ms = ms, .count = projects};
    const int64_t start_us = g_get_monotonic_time();
    for (unsigned i = 0; i < count; i++) {
        takers[i].crowd = &all;
        takers[i].thread = g_thread_new("taker", take, &takers[i]);
    }
    for (unsigned i = 0; i < count; i++)
        g_thread_join(takers[i].thread);
    return since_ms(start_us);
}

/* A night of every project, so many times. */
typedef struct {
    double queue_ms, result_ms; /* of one, on average: from the queue to the node; its result */
    times result;
} taken;

/* Out of the queue; how long that took. */
static double lease_all(grown *g, made_result *results) {
    const int64_t now_ms = (MADE_FIRST_DAY + g->nights) * MADE_DAY_MS;
    const int64_t start_us = g_get_monotonic_time();
    for (int i = 0; i < g->count; i++)
        made_queue(&g->made, g->projects[i], g->nights);
    for (int i = 0; i < g->count; i++) {
        g_autofree char *node = g_strdup_printf("node-%d", i);
        results[i] = made_lease(&g->made, node, now_ms);
    }
    return since_ms(start_us);
}

static taken take_in(grown *g) {
    const int count = ROUNDS * g->count;
    const unsigned threads = srv_db_writers(g->url);
    g_autofree double *ms = g_new(double, (gsize)count);
    taker *takers = takers_open(g, threads);
    taken all = {0};
    for (int round = -WARM_UP; round < ROUNDS; round++, g->nights++) {
        g_autofree made_result *results = g_new(made_result, (gsize)g->count);
        double *own = ms + MAX(round, 0) * g->count;
        const double queue_ms = lease_all(g, results);
        const double result_ms = send_all(takers, threads, results, own, g->count);
        all.queue_ms += round < 0 ? 0 : queue_ms / count;
        all.result_ms += round < 0 ? 0 : result_ms / count;
    }
    takers_close(takers, threads);
    all.result = times_of(ms, count);
    return all;
}

static void measure(grown *g, int nights) {
    grow_to(g, nights);
    const int experiments = g->nights * g->count;
    read_page(g, g->projects[0]); /* what is prepared once, is */
    const times page = read_pages(g);
    const taken all = take_in(g);
    printf("{\"experiments\": %d, \"page_p50_ms\": %.3f, \"page_p99_ms\": %.3f,"
           " \"ingest_per_s\": %.1f, \"ingest_p99_ms\": %.3f, \"queue_ms\": %.3f}\n",
           experiments, page.p50, page.p99, 1000 / all.result_ms, all.result.p99, all.queue_ms);
    fflush(stdout);
}

int main(int argc, char **argv) {
    GError *error = NULL;
    const char *names[PROJECTS_MAX];
    char text[PROJECTS_MAX][16];
    if (argc < 4 || atoi(argv[2]) < 1 || atoi(argv[2]) > PROJECTS_MAX) {
        fputs("usage: bench_store URL PROJECTS SIZE...\n", stderr);
        return 2;
    }
    grown g = {.url = argv[1], .projects = names, .count = atoi(argv[2])};
    for (int i = 0; i < g.count; i++) {
        g_snprintf(text[i], sizeof text[i], "project-%d", i);
        names[i] = text[i];
    }
    g.made = (made){srv_store_open(g.url, &error), g_rand_new_with_seed(SEED), CONFIGURATIONS,
                    LOOPS, STRETCH};
    if (!g.made.store)
        made_die(g.url, error);
    grow_begin(&g);
    for (int i = 3; i < argc; i++)
        measure(&g, atoi(argv[i]) / g.count);
    srv_store_close(g.made.store);
    g_rand_free(g.made.random);
    return 0;
}
