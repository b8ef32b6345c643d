/* A zip of results: listed, its labels read, its raw files analysed. */
#include "ci/formats/moobench.h"
#include "ci/formats/night.h"

#include "tests/fuzz/ci/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int fd;
    g_autoptr(GError) error = NULL;
    g_autofree char *path = memory_file(data, size, &fd);
    const ci_moobench_options options = {
        .warmup_calls = DET_RAW_WARMUP_HALF, .threads = 1, .allow_missing = true};
    g_autoptr(ci_results) results = ci_moobench_read(path, &options, &error);
    if ((!results) != (error != NULL))
        abort();
    json_t *night = results ? ci_night_of(results, 0.95, &error) : NULL;
    if (results && (!night) != (error != NULL))
        abort();
    json_decref(night);
    (void)close(fd);
    return 0;
}
