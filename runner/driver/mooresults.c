
#include "config/log.h"
#include "config/moobench.h"
#include "config/number.h"
#include "config/shown.h"
#include "config/zip.h"
#include "runner/driver/bounded.h"
#include "runner/driver/harvest.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define YAML_BYTES_MAX ((uint64_t)1024 * 1024)
#define MEMORY_BYTES_MAX ((uint64_t)512 << 20)
#define FILE_BYTES_MAX 4096
#define ANSWER_BYTES_MAX 4096
#define TIMEOUT_S 20

static json_t *figures(const cfg_measurement *one) {
    return isfinite(one->us[0]) && isfinite(one->us[2])
               ? json_pack("{s:f, s:f}", "mean_us", one->us[0], "ci95_us", one->us[2])
               : NULL;
}

/* The figures of the last experiment in such a text. Returns {"mean_us", "ci95_us"} to json_decref;
 * NULL when the text has none of that label. */
static json_t *reported_find(const char *text, size_t size, const char *label) {
    g_autoptr(cfg_moobench) moobench = cfg_moobench_parse(text, size, "results.yaml", NULL);
    if (!moobench || moobench->experiments->len == 0)
        return NULL;
    const cfg_moobench_experiment *last =
        moobench->experiments->pdata[moobench->experiments->len - 1];
    for (guint i = last->measurements->len; i > 0; i--) {
        const cfg_measurement *one = &g_array_index(last->measurements, cfg_measurement, i - 1);
        if (g_str_equal(one->label, label))
            return figures(one);
    }
    return NULL;
}

int run_reported_main(int argc, char **argv) {
    g_autoptr(GError) problem = NULL;
    /* Whatever the file makes of this process, it can write to its pipe alone; where the kernel has
     * no Landlock its user and limits hold it from writing files, and without filters from all. */
    (void)!run_sandbox_enter(RUN_SANDBOX_SEALED);
    if (argc != 4) {
        fputs("moowatch-runner reported FILE LABEL\n", stderr);
        return 2;
    }
    g_autofree char *text =
        run_bounded_text(AT_FDCWD, argv[2], "results.yaml", YAML_BYTES_MAX, &problem);
    if (!text) {
        cfg_complain("reported", problem->message);
        return 1;
    }
    json_auto_t *found = reported_find(text, strlen(text), argv[3]);
    if (found)
        json_dumpf(found, stdout, JSON_COMPACT);
    return 0;
}

/* What came back is as little believed as the file. */
static void take(const char *answer, json_t *report) {
    json_auto_t *found = json_loads(answer, 0, NULL);
    const json_t *mean = json_object_get(found, "mean_us"), *ci = json_object_get(found, "ci95_us");
    if (json_is_real(mean) && json_is_real(ci)) {
        json_object_set_new(report, "mean_us", json_real(json_real_value(mean)));
        json_object_set_new(report, "ci95_us", json_real(json_real_value(ci)));
    }
}

/*
 * Asks such a process.
 * reader  user, namespaces, places and limits of code under test
 * path    of results.yaml; a missing or damaged one is not an error: the figures are for comparison
 * only label   of the configuration report  an object that gets "mean_us" and "ci95_us", both
 * finite, or neither Returns false when the agent was told to stop, or cannot start processes
 * (RUN_ERROR_…).
 */
static bool reported_read(const run_process_spec *reader, const char *path, const char *label,
                          json_t *report, GError **error) {
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *file = g_strdup(path), *named = g_strdup(label);
    char *argv[] = {self, (char[]){RUN_REPORTED_COMMAND}, file, named, NULL};
    char *environment[] = {(char[]){"PATH=/usr/bin:/bin"}, (char[]){"LANG=C.UTF-8"}, NULL};
    run_process_spec spec = *reader;
    spec.argv = argv;
    spec.environment = environment;
    spec.directory = "/";
    spec.timeout_s = TIMEOUT_S;
    spec.file_limit_bytes = FILE_BYTES_MAX;
    spec.memory_limit_bytes = MEMORY_BYTES_MAX;
    spec.log_limit_bytes = ANSWER_BYTES_MAX;
    run_process_result result;
    if (!self || !run_process_run(&spec, &result, error))
        return false;
    g_autofree char *why = run_process_describe(&result);
    if (why)
        cfg_log("info", "measure", "reported_not_read", "reason=\"%s: %.200s\"", why, result.log);
    else
        take(result.log, report);
    run_process_result_clear(&result);
    return true;
}

#define LABELS_BYTES_MAX ((uint64_t)256 * 1024)
#define TOLD 8 /* names in an error */
#define ZIP "results.zip"

/* The raw files among the names, for people. */
static char *told(const GPtrArray *names) {
    GString *text = g_string_new(NULL);
    cfg_moobench_raw raw;
    guint count = 0;
    for (guint i = 0; i < names->len; i++) {
        if (cfg_moobench_raw_name(names->pdata[i], &raw) && count++ < TOLD) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                                   (char *)names->pdata[i]);
        }
    }
    g_string_append(text, count > TOLD ? ", …" : count == 0 ? "none" : "");
    return g_string_free(text, FALSE);
}

/*
 * Whether the names of raw files are those of one loop of one depth.
 * names  of all files of the folder or archive
 * found  out: the name to read, borrowed from names
 * Returns false with RUN_ERROR_JOB: missing (naming what is there), several depths, several loops,
 * twice, or configurations that were not asked for.
 */
static bool names_check(const GPtrArray *names, const run_mooresults_place *place, unsigned index,
                        const char **found, GError **error) {
    g_autofree char *there = told(names);
    cfg_moobench_raw raw;
    *found = NULL;
    for (guint i = 0; i < names->len; i++) {
        const char *name = names->pdata[i];
        guint64 number = 0;
        if (!cfg_moobench_raw_name(name, &raw))
            continue;
        if (raw.depth != place->depth) {
            return run_wrong(error,
                             "%s has recursion depth %u instead of %u: the script ignores "
                             "RECURSION_DEPTH, or the folder holds older results; files found: %s",
                             name, raw.depth, place->depth, there);
        }
        if (raw.loop != 1) {
            return run_wrong(error,
                             "%s is from loop %u, but only one loop was requested: the script "
                             "ignores NUM_OF_LOOPS; files found: %s",
                             name, raw.loop, there);
        }
        if (!cfg_number_unsigned(raw.configuration, 0, 999, &number) || number != index) {
            if (place->whole)
                continue;
            return run_wrong(
                error,
                "%s is from another configuration than %u, the only one requested: the script "
                "ignores MOOBENCH_CONFIGURATIONS; set whole_rounds: true; files found: %s",
                name, index, there);
        }
        if (*found) {
            return run_wrong(error, "two raw files of configuration %u: %s and %s", index, *found,
                             name);
        }
        *found = name;
    }
    return *found ||
           run_wrong(error,
                     "raw-1-%u-%u.csv is missing; raw files there: %s; did the script finish?",
                     place->depth, index, there);
}

static GPtrArray *folder_names(int folder, GError **error) {
    int own = dup(folder);
    DIR *dir = own >= 0 ? fdopendir(own) : NULL;
    if (!dir) {
        run_fail(error, RUN_ERROR_NODE, "results: %s", g_strerror(errno));
        if (own >= 0)
            close(own);
        return NULL;
    }
    rewinddir(dir);
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    const struct dirent *entry;
    while ((entry = readdir(dir)) && names->len < CFG_ZIP_ENTRIES_MAX)
        g_ptr_array_add(names, g_strdup(entry->d_name));
    closedir(dir);
    return names;
}

static bool has_raw(const GPtrArray *names) {
    cfg_moobench_raw raw;
    for (guint i = 0; i < names->len; i++)
        if (cfg_moobench_raw_name(names->pdata[i], &raw))
            return true;
    return false;
}

static bool copy_zipped(int folder, const run_mooresults_place *place, unsigned index, int out,
                        GError **error) {
    const char *found;
    int zip = run_bounded_file(folder, ZIP, ZIP, place->bytes_max, error);
    if (zip < 0)
        return false;
    g_autoptr(GPtrArray) names = run_zip_names(zip, ZIP, error);
    bool good = names && names_check(names, place, index, &found, error) &&
                run_zip_copy(zip, ZIP, found, place->bytes_max, out, error);
    close(zip);
    return good;
}

static int open_zipped(int folder, const run_mooresults_place *place, unsigned index,
                       const char *path, GError **error) {
    int out = open(path, O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (out < 0) {
        run_fail(error, RUN_ERROR_NODE, "%s: %s", path, g_strerror(errno));
    } else if (!copy_zipped(folder, place, index, out, error) || lseek(out, 0, SEEK_SET) != 0) {
        close(out);
        return -1;
    }
    return out;
}

/* Raw files beside a zip are newer: the script packs them and then removes them. */
static int open_raw(int folder, const run_mooresults_place *place, unsigned index,
                    const char *unzipped, GError **error) {
    const char *found;
    g_autoptr(GPtrArray) names = folder_names(folder, error);
    if (!names)
        return -1;
    if (!has_raw(names) && run_bounded_exists(folder, ZIP))
        return open_zipped(folder, place, index, unzipped, error);
    return names_check(names, place, index, &found, error)
               ? run_bounded_file(folder, found, found, place->bytes_max, error)
               : -1;
}

/* The folder of results; its path below the checkout is for errors. */
static int open_results(const run_mooresults_place *place, char **path, GError **error) {
    g_autofree char *base = g_path_get_basename(place->framework);
    g_autofree char *named = g_strconcat("results-", base, NULL);
    const char *const usual[] = {place->results != NULL ? place->results : named, "results"};
    int found = -1;
    g_autoptr(GString) missing = g_string_new(NULL);
    for (size_t i = 0; i < (place->results ? 1 : G_N_ELEMENTS(usual)); i++) {
        g_autofree char *relative = g_build_filename(place->framework, usual[i], NULL);
        g_autoptr(GError) problem = NULL;
        int folder = run_bounded_folder(place->checkout, relative, &problem);
        if (folder < 0)
            g_string_append_printf(missing, "%s%s", i > 0 ? "; " : "", problem->message);
        if (folder >= 0 && found >= 0) {
            close(folder);
            close(found);
            run_wrong(error,
                      "%s: the script wrote both %s and results; name one of them in results",
                      place->framework, named);
            return -1;
        }
        if (folder >= 0) {
            found = folder;
            *path = g_steal_pointer(&relative);
        }
    }
    if (found < 0)
        run_wrong(error, "the script wrote no results: %s", missing->str);
    return found;
}

static char *read_labels(int folder, const char *place, GError **error) {
    return run_bounded_exists(folder, "labels.sh")
               ? run_bounded_text(folder, "labels.sh", place, LABELS_BYTES_MAX, error)
               : g_strdup("");
}

/* labels.sh of the framework; one among the results that differs makes it unclear what was run. */
static bool find_label(int framework, int results, const char *place, unsigned index, char **label,
                       GError **error) {
    g_autofree char *own = read_labels(framework, "labels.sh", error);
    g_autofree char *copy = own ? read_labels(results, place, error) : NULL;
    if (!copy)
        return false;
    if (own[0] != '\0' && copy[0] != '\0' && !g_str_equal(own, copy)) {
        return run_wrong(error,
                         "two label files that differ: labels.sh and %s/labels.sh; the results "
                         "are not of this checkout",
                         place);
    }
    const char *text = own[0] != '\0' ? own : copy;
    g_autoptr(GHashTable) titles = cfg_labels_parse(text);
    *label = g_strdup(g_hash_table_lookup(titles, GUINT_TO_POINTER(index)));
    return text[0] == '\0' || *label ||
           run_wrong(error, "labels.sh has no TITLE[%u]; correct configurations[].index", index);
}

/* Upstream's own figures, for comparison only: without them, or damaged, the loop is as good. */
static bool add_reported(const run_mooresults_place *place, int results, const char *below,
                         const char *label, json_t *report, GError **error) {
    g_autofree char *path = g_build_filename(place->checkout, below, "results.yaml", NULL);
    return !place->reader || !run_bounded_exists(results, "results.yaml") ||
           reported_read(place->reader, path, label, report, error);
}

int run_mooresults_take(const run_mooresults_place *place, unsigned index, const char *unzipped,
                        json_t **report, GError **error) {
    g_autofree char *path = NULL;
    g_autofree char *label = NULL;
    int raw = -1;
    *report = NULL;
    g_auto(run_fd) framework = run_bounded_folder(place->checkout, place->framework, error);
    if (framework < 0)
        return -1;
    g_auto(run_fd) results = open_results(place, &path, error);
    if (results >= 0 && find_label(framework, results, path, index, &label, error)) {
        raw = open_raw(results, place, index, unzipped, error);
        if (raw < 0)
            g_prefix_error(error, "%s: ", path);
    }
    if (raw >= 0 && label) {
        *report = json_pack("{s:s}", "label", label);
        if (!add_reported(place, results, path, label, *report, error)) {
            close(raw);
            raw = -1;
        }
    }
    return raw;
}
