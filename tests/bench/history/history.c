/*
 * bench history - the store with a long history.
 *
 * The history is made in memory (where there is /dev/shm), then the database is moved to the disk,
 * and the last nights are added there: queue, lease, result, detector, verdicts, every step synced.
 * Then a project page's data are read again and again.
 * `bench_history --fill N FILE` only makes a database of N nights, for the other benchmarks.
 */
#include "config/config.h"
#include "server/ingest/ingest.h"
#include "server/queue/queue.h"
#include "server/store/projects.h"
#include "server/views/views.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define CONFIGURATIONS 5
#define LOOPS 10
#define PROJECT "history"
#define NIGHTS 10000
#define NIGHTS_QUICK 1000
#define MEASURED 100   /* nights added while the clock runs */
#define FIRST_DAY 1000 /* since 1970; the days before it are for back-fill */
#define READS 300
#define EARLIER 5
#define DAY_MS INT64_C(86400000)

static const char *const names[CONFIGURATIONS] = {"none", "deactivated", "collecting", "ascii",
                                                  "binary"};
static const char *const portions[CONFIGURATIONS] = {"T", "I", "C", "W", "W"};
static const int parents[CONFIGURATIONS] = {-1, 0, 1, 2, 2};
static const double level_ns[CONFIGURATIONS] = {70, 300, 1500, 3200, 2400};

typedef struct {
    srv_store *store;
    GRand *random;
    int made, earlier;
} history;

static void die(const char *what, const GError *error) {
    fprintf(stderr, "history: %s: %s\n", what, error ? error->message : "");
    exit(1);
}

static void sync_project(srv_store *store) {
    GError *error = NULL;
    cfg_configuration list[CONFIGURATIONS] = {0};
    char text[CONFIGURATIONS * 3][20];
    for (int i = 0; i < CONFIGURATIONS; i++) {
        g_strlcpy(text[3 * i], names[i], 20);
        g_strlcpy(text[3 * i + 1], portions[i], 20);
        if (parents[i] >= 0)
            g_strlcpy(text[3 * i + 2], names[parents[i]], 20);
        list[i] = (cfg_configuration){.name = text[3 * i],
                                      .label = text[3 * i],
                                      .portion = text[3 * i + 1],
                                      .parent = parents[i] >= 0 ? text[3 * i + 2] : NULL,
                                      .total_calls = 1000,
                                      .warmup_calls = 500};
    }
    char name[] = PROJECT, title[] = "History", url[] = "file:///none.git", branch[] = "main";
    cfg_project project = {
        .name = name,
        .title = title,
        .repository = url,
        .branch = branch,
        .enabled = true,
        .benchmark = {.loops = LOOPS,
                      .total_calls = 1000,
                      .warmup_calls = 500,
                      .threads = 1,
                      .configurations = list,
                      .configurations_count = CONFIGURATIONS},
        .detection = {.confidence = 0.95,
                      .minimum_effect_percent = 5,
                      .baseline_nights = 30,
                      .minimum_loops = 3,
                      .remeasure = true},
    };
    g_autoptr(GPtrArray) projects = g_ptr_array_new();
    g_ptr_array_add(projects, &project);
    if (!srv_projects_sync(store, projects, &error))
        die("project", error);
}

static double normal(GRand *random) {
    return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * G_PI * g_rand_double(random));
}

/* A step of C every 500 nights, 1 % between loops, 0.5 % between nights. */
static json_t *loops_of(history *h) {
    json_t *loops = json_array();
    double shift = h->made / 500 % 2 ? 300 : 0, luck = 1 + 0.005 * normal(h->random);
    for (int l = 0; l < LOOPS; l++)
        for (int c = 0; c < CONFIGURATIONS; c++) {
            double mean =
                (level_ns[c] + (c >= 2 ? shift : 0)) * luck * (1 + 0.01 * normal(h->random));
            json_array_append_new(
                loops,
                json_pack("{s:s,s:i,s:i,s:i,s:f,s:i,s:i,s:{s:i,s:f,s:f,s:f,s:f,s:f,s:f,s:f},"
                          "s:[i,i,i],s:{s:f,s:f}}",
                          "configuration", names[c], "loop", l + 1, "position",
                          l * CONFIGURATIONS + c, "started_ms", 0, "seconds", 1.0, "calls", 1000,
                          "warmup_calls", 500, "summary", "n", 500, "mean_ns", mean, "sd_ns",
                          mean * 0.05, "min_ns", mean * 0.8, "q1_ns", mean * 0.9, "median_ns", mean,
                          "q3_ns", mean * 1.1, "max_ns", mean * 3, "calls_per_second", 10, 11, 12,
                          "readings", "others_cpu_percent", 0.1, "load1", 0.2));
        }
    return loops;
}

static void add_night_at(history *h, int place) {
    const srv_queue_rules rules = {.lease_s = 60, .attempts = 3};
    GError *error = NULL;
    char sha[41];
    int64_t now_ms = (FIRST_DAY + place) * DAY_MS, job;
    bool created;
    g_autoptr(GDateTime) day = g_date_time_new_from_unix_utc(now_ms / 1000);
    g_autofree char *night = g_date_time_format(day, "%Y-%m-%d");
    g_snprintf(sha, sizeof sha, "%040x", (unsigned)(FIRST_DAY + place));
    const srv_commit commit = {sha, "Ada", "ada@example.org", now_ms, "Change something", NULL, 0};
    json_t *leased = NULL;
    if (!srv_night_add(h->store, PROJECT, &(srv_measurement){&commit, night, SRV_KIND_NIGHTLY},
                       now_ms, NULL, &job, &error) ||
        !srv_queue_lease(h->store, &rules, &(srv_node){"node", "1", NULL, NULL}, now_ms, &leased,
                         &error))
        die("queue", error);
    json_t *body = json_pack("{s:O,s:s,s:i,s:i,s:{s:s},s:o}", "lease",
                             json_object_get(leased, "lease"), "node", "node", "started_ms", 0,
                             "finished_ms", 1, "environment", "node", "node", "loops", loops_of(h));
    json_t *answer = srv_ingest_result(h->store, job, body, now_ms, &created, &error);
    if (!answer)
        die("result", error);
    json_decref(answer);
    json_decref(body);
    json_decref(leased);
}

static void add_night(history *h) {
    add_night_at(h, h->made++);
}

/* Back-fill: before all others, so that the detector goes over the whole series. */
static void add_earlier(history *h) {
    add_night_at(h, -++h->earlier);
}

/* What /projects/{p} asks for. */
static void read_page(history *h) {
    GError *error = NULL;
    json_t *project = srv_view_project(h->store, PROJECT, &error);
    json_t *nights =
        srv_view_nights(h->store, PROJECT, (srv_dates){0}, (srv_page){0, NULL}, &error);
    json_t *alerts = srv_view_alerts(h->store, PROJECT, NULL, (srv_page){0, NULL}, &error);
    if (!project || !nights || !alerts)
        die("page", error);
    json_decref(project);
    json_decref(nights);
    json_decref(alerts);
}

/* The whole history at once, as many nights as one page can have. */
static void read_all(history *h) {
    GError *error = NULL;
    json_t *nights = srv_view_nights(h->store, PROJECT, (srv_dates){0},
                                     (srv_page){SRV_PAGE_LIMIT, NULL}, &error);
    if (!nights)
        die("nights", error);
    json_decref(nights);
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
    h->store = srv_store_open(path, &error);
    if (!h->store)
        die("open", error);
}

/* The closed database of one folder into another. */
static void move_database(const char *from, const char *to) {
    g_autofree char *data = NULL;
    gsize size;
    GError *error = NULL;
    if (!g_file_get_contents(from, &data, &size, &error) ||
        !g_file_set_contents_full(to, data, (gssize)size, G_FILE_SET_CONTENTS_DURABLE, 0600,
                                  &error))
        die("move", error);
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
    history h = {.random = g_rand_new_with_seed(11)};
    open_store(&h, path);
    sync_project(h.store);
    while (h.made < nights)
        add_night(&h);
    srv_store_close(h.store);
    g_rand_free(h.random);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && g_str_equal(argv[1], "--fill"))
        return fill(atoi(argv[2]), argv[3]);
    int nights = argc > 1 && g_str_equal(argv[1], "--quick") ? NIGHTS_QUICK : NIGHTS;
    g_autofree char *fast = work_folder("/dev/shm");
    g_autofree char *disk = work_folder(g_get_tmp_dir());
    if (!disk)
        die("no temporary folder", NULL);
    g_autofree char *filled = g_build_filename(fast ? fast : disk, "fill.db", NULL);
    g_autofree char *path = g_build_filename(disk, "moowatch.db", NULL);
    history h = {.random = g_rand_new_with_seed(11)};
    open_store(&h, filled);
    sync_project(h.store);
    while (h.made < nights - MEASURED)
        add_night(&h);
    srv_store_close(h.store);
    move_database(filled, path);
    open_store(&h, path);
    g_autofree double *add = timed(&h, add_night, MEASURED);
    g_autofree double *page = timed(&h, read_page, READS);
    g_autofree double *all = timed(&h, read_all, EARLIER);
    g_autofree double *earlier = timed(&h, add_earlier, EARLIER);
    srv_store_close(h.store);
    g_rand_free(h.random);
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
