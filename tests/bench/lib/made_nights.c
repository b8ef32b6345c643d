#include "tests/bench/lib/made_nights.h"

#include "config/config.h"
#include "server/ingest/ingest.h"
#include "server/queue/queue.h"
#include "server/store/projects.h"

#include <math.h>
#include <stdio.h>

static const char *const names[MADE_CONFIGURATIONS_MAX] = {"none", "deactivated", "collecting",
                                                           "ascii", "binary"};
static const char *const portions[MADE_CONFIGURATIONS_MAX] = {"T", "I", "C", "W", "W"};
static const int parents[MADE_CONFIGURATIONS_MAX] = {-1, 0, 1, 2, 2};
static const double level_ns[MADE_CONFIGURATIONS_MAX] = {70, 300, 1500, 3200, 2400};

void made_die(const char *what, const GError *error) {
    fprintf(stderr, "%s: %s\n", what, error ? error->message : "");
    exit(1);
}

/* text: [3 * MADE_CONFIGURATIONS_MAX] for the names, which the configurations borrow. */
static void configurations_fill(cfg_configuration *list, char text[][20]) {
    for (int i = 0; i < MADE_CONFIGURATIONS_MAX; i++) {
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
}

void made_projects(const made *m, const char *const *of, int count) {
    GError *error = NULL;
    cfg_configuration list[MADE_CONFIGURATIONS_MAX] = {0};
    char text[MADE_CONFIGURATIONS_MAX * 3][20], url[] = "file:///none.git", branch[] = "main";
    g_autoptr(GPtrArray) called = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GPtrArray) projects = g_ptr_array_new_with_free_func(g_free);
    configurations_fill(list, text);
    for (int i = 0; i < count; i++) {
        cfg_project *project = g_new0(cfg_project, 1);
        char *name = g_strdup(of[i]);
        g_ptr_array_add(called, name);
        *project = (cfg_project){.name = name,
                                 .title = name,
                                 .repository = url,
                                 .branch = branch,
                                 .enabled = true,
                                 .benchmark = {.loops = (unsigned)m->loops,
                                               .total_calls = 1000,
                                               .warmup_calls = 500,
                                               .threads = 1,
                                               .configurations = list,
                                               .configurations_count = (unsigned)m->configurations},
                                 .detection = {.confidence = 0.95,
                                               .minimum_effect_percent = 5,
                                               .baseline_nights = 30,
                                               .minimum_loops = 3,
                                               .remeasure = true,
                                               .dimensions = true}};
        g_ptr_array_add(projects, project);
    }
    if (!srv_projects_sync(m->store, projects, &error))
        made_die("projects", error);
}

static double normal(GRand *random) {
    return sqrt(-2 * log(1 - g_rand_double(random))) * cos(2 * G_PI * g_rand_double(random));
}

static json_t *loops_of(const made *m, bool high) {
    json_t *loops = json_array();
    double shift = high ? 300 : 0, luck = 1 + 0.005 * normal(m->random);
    for (int l = 0; l < m->loops; l++)
        for (int c = 0; c < m->configurations; c++) {
            double mean =
                (level_ns[c] + (c >= 2 ? shift : 0)) * luck * (1 + 0.01 * normal(m->random));
            json_array_append_new(
                loops,
                json_pack("{s:s,s:i,s:i,s:i,s:f,s:i,s:i,s:{s:i,s:f,s:f,s:f,s:f,s:f,s:f,s:f},"
                          "s:[i,i,i],s:{s:f,s:f}}",
                          "configuration", names[c], "loop", l + 1, "position",
                          l * m->configurations + c, "started_ms", 0, "seconds", 1.0, "calls", 1000,
                          "warmup_calls", 500, "summary", "n", 500, "mean_ns", mean, "sd_ns",
                          mean * 0.05, "min_ns", mean * 0.8, "q1_ns", mean * 0.9, "median_ns", mean,
                          "q3_ns", mean * 1.1, "max_ns", mean * 3, "calls_per_second", 10, 11, 12,
                          "readings", "others_cpu_percent", 0.1, "load1", 0.2));
        }
    return loops;
}

void made_queue(const made *m, const char *project, int place) {
    GError *error = NULL;
    char sha[41];
    int64_t now_ms = (MADE_FIRST_DAY + place) * MADE_DAY_MS, job;
    g_autoptr(GDateTime) day = g_date_time_new_from_unix_utc(now_ms / 1000);
    g_autofree char *night = g_date_time_format(day, "%Y-%m-%d");
    g_snprintf(sha, sizeof sha, "%032x00000000", (unsigned)(MADE_FIRST_DAY + place));
    const srv_commit commit = {sha, "Ada", "ada@example.org", now_ms, "Change something", NULL, 0};
    if (!srv_night_add(m->store, project, &(srv_measurement){&commit, night, SRV_KIND_NIGHTLY},
                       now_ms, NULL, &job, &error))
        made_die("queue", error);
}

made_result made_lease(const made *m, const char *node, int64_t now_ms) {
    const srv_queue_rules rules = {.lease_s = 86400, .attempts = 3};
    GError *error = NULL;
    json_auto_t *leased = NULL;
    if (!srv_queue_lease(m->store, &rules, &(srv_node){.name = node, .version = "1"}, now_ms,
                         &leased, &error) ||
        !leased)
        made_die("lease", error);
    const json_t *job = json_object_get(leased, "job");
    const bool high = (now_ms / MADE_DAY_MS - MADE_FIRST_DAY) / m->stretch % 2 != 0;
    return (made_result){.job = json_integer_value(json_object_get(job, "id")),
                         .now_ms = now_ms,
                         .body = json_pack("{s:O,s:s,s:i,s:i,s:{s:s},s:o}", "lease",
                                           json_object_get(leased, "lease"), "node", node,
                                           "started_ms", 0, "finished_ms", 1, "environment", "node",
                                           "node", "loops", loops_of(m, high))};
}

void made_send(const made *m, made_result *result) {
    GError *error = NULL;
    bool created;
    json_auto_t *answer =
        srv_ingest_result(m->store, result->job, result->body, result->now_ms, &created, &error);
    if (!answer)
        made_die("result", error);
    g_clear_pointer(&result->body, json_decref);
}

void made_night(const made *m, const char *project, int place) {
    made_queue(m, project, place);
    made_result result = made_lease(m, "node", (MADE_FIRST_DAY + place) * MADE_DAY_MS);
    made_send(m, &result);
}
