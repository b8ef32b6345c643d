#include "server/views/withhold.h"

#include "config/json_text.h"

#include <glib.h>

/* The command line of the node's kernel: names of its disks, and of what it guards itself against.
 */
#define KERNEL_OPTIONS "kernel_options"

static void mark(json_t *view, bool details) {
    json_object_set_new(view, "withheld", json_boolean(!details));
}

/* A member becomes null where it is there. */
static void drop(json_t *object, const char *key) {
    json_object_update_existing_new(object, json_pack("{s:n}", key));
}

void srv_withhold_job(json_t *job, bool details) {
    if (!json_is_object(job))
        return;
    mark(job, details);
    if (details)
        return;
    drop(job, "log");
    drop(json_object_get(job, "progress"), "log");
}

void srv_withhold_jobs(json_t *jobs, bool details) {
    size_t i;
    json_t *job;
    json_array_foreach (jobs, i, job)
        srv_withhold_job(job, details);
}

void srv_withhold_nodes(json_t *nodes, bool details) {
    size_t i;
    json_t *node;
    json_array_foreach (nodes, i, node)
        if (!details)
            drop(json_object_get(node, "progress"), "log");
}

/* The environment of the configuration of this name in a benchmark's list; borrowed. */
static const json_t *environment_of(const json_t *configurations, const char *name) {
    size_t i;
    json_t *configuration;
    json_array_foreach (configurations, i, configuration)
        if (g_strcmp0(cfg_json_word(configuration, "name", NULL), name) == 0)
            return json_object_get(configuration, "environment");
    return NULL;
}

/* The list with names alone; other: what it is compared with, NULL: nothing. Owned. */
static json_t *names_alone(const json_t *configurations, const json_t *other) {
    json_t *shown = json_deep_copy(configurations);
    size_t i;
    json_t *configuration;
    json_array_foreach (shown, i, configuration) {
        const json_t *theirs = environment_of(other, cfg_json_word(configuration, "name", NULL));
        json_t *names = json_object();
        const char *key;
        json_t *value;
        json_object_foreach (json_object_get(configuration, "environment"), key, value) {
            const json_t *others = json_object_get(theirs, key);
            const bool changed = others && !json_equal(value, others);
            json_object_set_new(names, key, changed ? json_string("changed") : json_null());
        }
        json_object_set_new(configuration, "environment", names);
    }
    return shown;
}

void srv_withhold_experiment(json_t *experiment, bool details) {
    json_t *benchmark = json_object_get(experiment, "benchmark");
    const json_t *configurations = json_object_get(benchmark, "configurations");
    if (!experiment)
        return;
    mark(experiment, details);
    if (details)
        return;
    drop(experiment, "log");
    drop(json_object_get(experiment, "environment_detail"), KERNEL_OPTIONS);
    if (json_is_array(configurations))
        json_object_set_new(benchmark, "configurations", names_alone(configurations, NULL));
}

void srv_withhold_comparison(json_t *comparison, bool details) {
    size_t i;
    json_t *row;
    if (!comparison)
        return;
    mark(comparison, details);
    cfg_json_each (comparison, "environment", i, row)
        if (!details && g_strcmp0(cfg_json_word(row, "key", NULL), KERNEL_OPTIONS) == 0) {
            json_object_set_new(row, "a", json_string("changed"));
            json_object_set_new(row, "b", json_string("changed"));
        }
    cfg_json_each (comparison, "benchmark", i, row) {
        const char *key = cfg_json_word(row, "key", NULL);
        const json_t *a = json_object_get(row, "a"), *b = json_object_get(row, "b");
        if (details || g_strcmp0(key, "configurations") != 0)
            continue;
        json_t *first = names_alone(a, b), *second = names_alone(b, a);
        json_object_set_new(row, "a", first ? first : json_null());
        json_object_set_new(row, "b", second ? second : json_null());
    }
}
