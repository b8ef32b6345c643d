/* A history in a CSV file, as `moowatch detect` reads it. */
#include "ci/formats/series.h"

#include "tests/fuzz/ci/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int fd;
    g_autoptr(GError) error = NULL;
    g_autofree char *path = memory_file(data, size, &fd);
    g_autoptr(ci_series) series = ci_series_open(path, &error);
    if ((!series) != (error != NULL))
        abort();
    double sum = 0;
    while (series && ci_series_next(series, &error))
        for (guint i = 0; i < series->configurations * series->loops; i++)
            sum += series->means[i];
    (void)sum;
    (void)close(fd);
    return 0;
}
