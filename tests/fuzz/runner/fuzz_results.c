/* What MooBench's script left: a zip, its labels, its results.yaml, names of raw files.
 *
 * First byte: which of them the rest is; the others are as they should be. */
#include "runner/driver/mooresults.c" /* NOLINT(bugprone-suspicious-include) */
#include "runner/process/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LABELS "TITLE[4]=\"Binary file\"\n"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *base;

static void remove_base(void) {
    if (!run_scratch_remove(base, NULL))
        (void)fprintf(stderr, "left over: %s\n", base);
    g_free(base);
}

static void make_base(void) {
    g_autofree char *results = NULL;
    base = g_dir_make_tmp("moowatch-fuzz-XXXXXX", NULL);
    results = base ? g_build_filename(base, "f", "results", NULL) : NULL;
    if (!results || g_mkdir_with_parents(results, 0700) != 0)
        abort();
    (void)atexit(remove_base);
}

static void put(const char *name, const void *bytes, size_t size) {
    g_autofree char *path = g_build_filename(base, "f", name, NULL);
    /* Not synced: a fuzzer writes thousands a second. */
    if (!g_file_set_contents_full(path, bytes, (gssize)size, G_FILE_SET_CONTENTS_NONE, 0600, NULL))
        abort();
}

static void check_names(const run_mooresults_place *place, const char *bytes, size_t size) {
    g_autofree char *text = g_utf8_make_valid(bytes, (gssize)size);
    g_auto(GStrv) lines = g_strsplit(text, "\n", 1000);
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GError) error = NULL;
    const char *found;
    for (size_t i = 0; lines[i]; i++)
        g_ptr_array_add(names, lines[i]);
    bool good = names_check(names, place, 4, &found, &error);
    if (good != (!error) || good != (found && !error))
        abort();
}

static void check_report(const char *text, size_t size) {
    json_auto_t *report = reported_find(text, size, "No instrumentation");
    const char *key;
    json_t *value;
    json_object_foreach (report, key, value)
        if (!json_is_number(value) || !isfinite(json_number_value(value)))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!base)
        make_base();
    unsigned how = size > 0 ? data[0] : 0;
    const char *rest = size > 0 ? (const char *)data + 1 : "";
    size_t left = size > 0 ? size - 1 : 0;
    run_mooresults_place place = {
        .checkout = base, .framework = "f", .depth = 10, .bytes_max = 1 << 20, .whole = how & 8};
    if (how % 4 == 3) {
        check_names(&place, rest, left);
        return 0;
    }
    bool zip = how % 4 == 0, labels = how % 4 == 1;
    g_autofree char *raw = g_build_filename(base, "raw", NULL);
    g_autofree char *file = g_build_filename(base, "f", "results", "raw-1-10-4.csv", NULL);
    (void)remove(file);
    put("labels.sh", labels ? rest : LABELS, labels ? left : strlen(LABELS));
    put("results/results.yaml", zip || labels ? "" : rest, zip || labels ? 0 : left);
    put(zip ? "results/results.zip" : "results/raw-1-10-4.csv", zip ? rest : "1;5\n",
        zip ? left : 4);
    if (!zip && !labels)
        check_report(rest, left);
    g_autoptr(GError) error = NULL;
    json_t *report = NULL;
    const int got = run_mooresults_take(&place, 4, raw, &report, &error);
    if ((got >= 0) != (!error) || (got < 0 && report))
        abort();
    if (got >= 0)
        close(got);
    json_decref(report);
    return 0;
}
