/*
 * bench history - the store with a long history.
 *
 * The history is made in memory (where there is /dev/shm), then the database is moved to the disk,
 * and the last nights are added there: queue, lease, result, detector, verdicts, every step synced.
 * Then a project page's data are read again and again.
 * `bench_history --fill N FILE` only makes a database of N nights, for the other benchmarks.
 */
#include "tests/bench/lib/made_nights.h"

#include "tests/unit/server/nights_view.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CONFIGURATIONS 5
#define LOOPS 10
#define STRETCH 500
#define PROJECT "history"
#define NIGHTS 10000
#define NIGHTS_QUICK 1000
#define MEASURED 100 /* nights added while the clock runs */
#define READS 300
#define EARLIER 5

typedef struct {
    made made;
    int nights, earlier;
} history;

static void add_night_at(history *h, int place) {
    made_night(&h->made, PROJECT, place);
}

static void add_night(history *h) {
    add_night_at(h, h->nights++);
}

/* Back-fill: before all others, so that the detector goes over the whole series. */
static void add_earlier(history *h) {
    add_night_at(h, -++h->earlier);
}

/* What /projects/{p} asks for. */
static void read_page(history *h) {
    GError *error = NULL;
    json_t *project = srv_view_project(h->made.store, PROJECT, &error);
    json_t *nights =
        srv_view_nights(h->made.store, PROJECT, (srv_dates){0}, (srv_page){0, NULL}, &error);
    json_t *alerts =
        srv_view_list(h->made.store, &srv_list_alerts, PROJECT, NULL, (srv_page){0, NULL}, &error);
    if (!project || !nights || !alerts)
        made_die("page", error);
    json_decref(project);
    json_decref(nights);
    json_decref(alerts);
}

static bool count_nights(void *user, const cfg_night *nights, unsigned count, GError **error) {
    (void)error;
    (void)nights;
    *(size_t *)user += count;
    return true;
}

/* The whole history, as many nights as one page can have, as lists and charts read it. */
static void read_all(history *h) {
    GError *error = NULL;
    g_autofree char *next = NULL;
    size_t count = 0;
    const srv_nights_taker taker = {false, count_nights, &count};
    if (!srv_nights_each(h->made.store, PROJECT, (srv_dates){0}, (srv_page){SRV_PAGE_LIMIT, NULL},
                         &taker, &next, &error) ||
        count != MIN((size_t)h->nights, SRV_PAGE_LIMIT))
        made_die("nights", error);
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times of count runs in ms, sorted. */
static double *timed(history *h, void (*run)(history *), int count) {
    double *ms = g_new(double, (gsize)count);
    for (int i = 0; i < count; i++) {
        int64_t start_us = g_get_monotonic_time();
        run(h);
        ms[i] = (double)(g_get_monotonic_time() - start_us) / 1000;
    }
    qsort(ms, (size_t)count, sizeof *ms, ascending);
    return ms;
}

static double percentile(const double *sorted, int count, double p) {
    return sorted[(int)fmin(count - 1, floor(p * count))];
}

static void open_store(history *h, const char *path) {
    GError *error = NULL;
    h->made.store = srv_store_open(path, &error);
    if (!h->made.store)
        made_die("open", error);
}

/* The closed database of one folder into another. */
static void move_database(const char *from, const char *to) {
    g_autofree char *data = NULL;
    gsize size;
    GError *error = NULL;
    if (!g_file_get_contents(from, &data, &size, &error) ||
        !g_file_set_contents_full(to, data, (gssize)size, G_FILE_SET_CONTENTS_DURABLE, 0600,
                                  &error))
        made_die("move", error);
    g_unlink(from);
}

static char *work_folder(const char *below) {
    char *dir = g_build_filename(below, "moowatch-history-XXXXXX", NULL);
    if (!g_mkdtemp(dir))
        g_clear_pointer(&dir, g_free);
    return dir;
}

static void report(int nights, const double *add, const double *page, const double *all,
                   const double *earlier, double bytes) {
    struct utsname machine;
    uname(&machine);
    g_autofree char *out = NULL;
    g_autofree char *commit = NULL;
    if (g_spawn_command_line_sync("git rev-parse --short HEAD", &out, NULL, NULL, NULL))
        commit = g_strdup(g_strstrip(out));
    double add_50 = percentile(add, MEASURED, 0.5), add_99 = percentile(add, MEASURED, 0.99);
    double page_50 = percentile(page, READS, 0.5), page_99 = percentile(page, READS, 0.99);
    printf("%-46s %10s %10s\n", "", "median", "99 %");
    printf("%-46s %7.1f ms %7.1f ms\n", "add a night (queue, lease, result, detector)", add_50,
           add_99);
    printf("%-46s %7.1f ms %7.1f ms\n", "data of a project page", page_50, page_99);
    printf("%-46s %7.1f ms\n", "data of 5,000 nights (or all)", all[EARLIER / 2]);
    printf("%-46s %7.1f ms\n", "add one before all others (back-fill)", earlier[EARLIER / 2]);
    printf("%-46s %7.1f KiB\n", "database, a night", bytes / nights / 1024);
    printf("{\"bench\": \"history\", \"figures\": {\"nights\": %d, \"add_night_ms\": %.2f, "
           "\"add_night_p99_ms\": %.2f, \"page_data_ms\": %.2f, \"page_data_p99_ms\": %.2f, "
           "\"all_nights_ms\": %.1f, \"earlier_night_ms\": %.1f, "
           "\"kib_per_night\": %.1f}, \"machine\": {\"system\": \"%s %s\", \"cores\": %ld}, "
           "\"commit\": \"%s\"}\n",
           nights, add_50, add_99, page_50, page_99, all[EARLIER / 2], earlier[EARLIER / 2],
           bytes / nights / 1024, machine.sysname, machine.release, sysconf(_SC_NPROCESSORS_ONLN),
           commit ? commit : "");
}

static int fill(int nights, const char *path) {
    history h = {.made = {NULL, g_rand_new_with_seed(11), CONFIGURATIONS, LOOPS, STRETCH}};
    open_store(&h, path);
    made_projects(&h.made, &(const char *){PROJECT}, 1);
    while (h.nights < nights)
        add_night(&h);
    srv_store_close(h.made.store);
    g_rand_free(h.made.random);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && g_str_equal(argv[1], "--fill"))
        return fill(atoi(argv[2]), argv[3]);
    int nights = argc > 1 && g_str_equal(argv[1], "--quick") ? NIGHTS_QUICK : NIGHTS;
    g_autofree char *fast = work_folder("/dev/shm");
    g_autofree char *disk = work_folder(g_get_tmp_dir());
    if (!disk)
        made_die("no temporary folder", NULL);
    g_autofree char *filled = g_build_filename(fast ? fast : disk, "fill.db", NULL);
    g_autofree char *path = g_build_filename(disk, "moowatch.db", NULL);
    history h = {.made = {NULL, g_rand_new_with_seed(11), CONFIGURATIONS, LOOPS, STRETCH}};
    open_store(&h, filled);
    made_projects(&h.made, &(const char *){PROJECT}, 1);
    while (h.nights < nights - MEASURED)
        add_night(&h);
    srv_store_close(h.made.store);
    move_database(filled, path);
    open_store(&h, path);
    g_autofree double *add = timed(&h, add_night, MEASURED);
    g_autofree double *page = timed(&h, read_page, READS);
    g_autofree double *all = timed(&h, read_all, EARLIER);
    g_autofree double *earlier = timed(&h, add_earlier, EARLIER);
    srv_store_close(h.made.store);
    g_rand_free(h.made.random);
    GStatBuf info = {0};
    g_stat(path, &info);
    report(nights, add, page, all, earlier, (double)info.st_size);
    g_autofree char *changes = g_strconcat(path, "-changes", NULL);
    g_autofree char *filled_changes = g_strconcat(filled, "-changes", NULL);
    g_unlink(changes);
    g_unlink(filled_changes);
    g_unlink(path);
    g_rmdir(disk);
    if (fast)
        g_rmdir(fast);
    return 0;
}
