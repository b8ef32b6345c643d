#pragma once
/*
 * Real histories as the API would send them: upstream's public nights of seven frameworks
 * (tests/bench/detector/data/suites, where their form is said). MOOWATCH_HISTORIES names another
 * folder of such files.
 */
#include <math.h>
#include <string.h>

#include "nights.h"

#include <glib.h>

enum { SUITE_CONFIGURATIONS_MAX = 8 };

typedef struct {
    char *name[SUITE_CONFIGURATIONS_MAX];
    int parent[SUITE_CONFIGURATIONS_MAX]; /* -1: none */
    guint count,
        leaf; /* leaf: the end of the first chain, whose value the server calls the total */
} suite_chain;

static inline void suite_chain_clear(suite_chain *chain) {
    for (guint i = 0; i < chain->count; i++)
        g_free(chain->name[i]);
}

/* "-1 No instrumentation,sd,0 Deactivated probe,sd,…" */
static inline suite_chain suite_head(const char *line) {
    suite_chain chain = {0};
    g_auto(GStrv) fields = g_strsplit(line, ",", -1);
    for (guint i = 0; fields[i] && chain.count < SUITE_CONFIGURATIONS_MAX; i += 2) {
        char *name = NULL;
        chain.parent[chain.count] = (int)g_ascii_strtoll(fields[i], &name, 10);
        if (chain.parent[chain.count] == (int)chain.leaf)
            chain.leaf = chain.leaf + 1 == chain.count ? chain.count : chain.leaf;
        chain.name[chain.count++] = g_strdup(g_strstrip(name));
    }
    return chain;
}

/* The 95 % interval of ten processes' mean, as the source's README has it. */
static inline double suite_half(const char *deviation) {
    return 2.262 * g_ascii_strtod(deviation, NULL) / sqrt(10);
}

static inline json_t *suite_range(double mean, double half) {
    return json_pack("{s:f, s:f, s:f}", "mean_ns", mean, "low_ns", mean - half, "high_ns",
                     mean + half);
}

static inline json_t *suite_night(const suite_chain *chain, const char *line, int day) {
    static const char *const letters[] = {"T", "I", "C", "W"};
    json_t *json = bare_night(day, "measured");
    g_auto(GStrv) fields = g_strsplit(line, ",", -1);
    for (guint i = 0; i < chain->count && fields[2 * i]; i++) {
        const int parent = chain->parent[i];
        if (!*fields[2 * i] || (parent >= 0 && !*fields[2 * parent]))
            continue;
        const double mean = g_ascii_strtod(fields[2 * i], NULL);
        const double half = suite_half(fields[2 * i + 1]);
        const double below = parent < 0 ? 0 : g_ascii_strtod(fields[2 * parent], NULL);
        json_t *p = suite_range(mean - below, half);
        json_object_set_new(p, "portion", json_string(letters[MIN(i, 3)]));
        json_object_set_new(p, "configuration", json_string(chain->name[i]));
        json_object_set_new(p, "parent",
                            parent < 0 ? json_null() : json_string(chain->name[parent]));
        json_object_set_new(p, "verdict", json_string("ok"));
        json_array_append_new(json_object_get(json, "portions"), p);
        if (i == chain->leaf)
            json_object_set_new(json, "total", suite_range(mean, half));
    }
    return json;
}

/* All nights of a file, newest first. */
static inline json_t *suite_history(const char *path) {
    g_autofree char *text = NULL;
    assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    suite_chain chain = suite_head(lines[0]);
    json_t *json = json_array();
    for (guint i = g_strv_length(lines); i-- > 1;)
        json_array_append_new(json, suite_night(&chain, lines[i], (int)i - 1));
    suite_chain_clear(&chain);
    return json;
}

/* The paths of all suites; owned. */
static inline GPtrArray *suite_paths(void) {
    const char *folder = g_getenv("MOOWATCH_HISTORIES");
    if (!folder)
        folder = TEST_SOURCE_DIR "/tests/bench/detector/data/suites";
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    assert_non_null(dir);
    for (const char *name; (name = g_dir_read_name(dir));)
        if (g_str_has_suffix(name, ".csv"))
            g_ptr_array_add(paths, g_build_filename(folder, name, NULL));
    assert_true(paths->len > 0);
    return paths;
}
