/* Any bytes as a history for `moowatch detect`, loop means or a plain series: nights without
   negative values that the watch can judge, or an error that names the file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ci/formats/series.h"
#include "tests/fuzz/detector/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static det_watch *watch_of(const ci_series *series) {
    det_chain chain;
    det_policy policy;
    det_chain_init(&chain);
    det_policy_init(&policy);
    for (guint i = 0; i < series->configurations; i++) {
        g_autofree char *name = g_strdup_printf("c%u", i);
        if (det_chain_add(&chain, name, (int)i - 1) != DET_OK)
            abort();
    }
    if (series->plain)
        chain.control = -1;
    return det_watch_new(&chain, &policy);
}

static void night_add(det_watch *watch, const ci_series *series) {
    det_verdict v[DET_CONFIGURATIONS_MAX];
    bool infinite = false;
    for (guint i = 0; i < series->configurations * series->loops; i++) {
        if (series->means[i] < 0)
            abort();
        infinite |= isinf(series->means[i]);
    }
    const det_night night = {.id = series->night, .loops = series->loops, .means = series->means};
    if ((det_watch_add(watch, &night, v) == DET_OK) == infinite)
        abort();
    if (infinite)
        return;
    for (guint p = 0; p < series->configurations; p++)
        if (!memchr(v[p].reason, 0, DET_REASON_MAX))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autoptr(GError) error = NULL;
    char path[MEMORY_FILE_PATH_MAX];
    const int fd = memory_file_new(data, size, path);
    if (fd < 0)
        abort();
    g_autoptr(ci_series) series = ci_series_open(path, &error);
    det_watch *watch = series ? watch_of(series) : NULL;
    if (!series != !!error)
        abort();
    for (int n = 0; watch && n < 100 && ci_series_next(series, &error); n++)
        night_add(watch, series);
    if (error && !strstr(error->message, path))
        abort();
    det_watch_free(watch);
    (void)close(fd);
    return 0;
}
