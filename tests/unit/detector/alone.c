/* What somebody builds who has only the installed library: a file read, a night judged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <detector/detector.h>
#include <detector/reader/reader.h>

int main(int argc, char **argv) {
    const char *const paths[] = {argc > 1 ? argv[1] : ""};
    const det_reader_options options = {.warmup_calls = DET_RAW_WARMUP_HALF};
    det_reader_result read;
    if (det_reader_files(&read, paths, 1, &options) != DET_OK) {
        (void)fprintf(stderr, "%s:%llu: %s\n", paths[0], (unsigned long long)read.error.line,
                      read.error.text);
        return 1;
    }
    det_chain chain;
    det_policy policy;
    det_verdict v[DET_CONFIGURATIONS_MAX];
    det_chain_init(&chain);
    det_policy_init(&policy);
    if (det_chain_add(&chain, "T", -1) != DET_OK)
        return 1;
    det_watch *watch = det_watch_new(&chain, &policy);
    const double means[] = {read.summary.mean, read.summary.mean};
    const det_night night = {.id = 1, .loops = 2, .means = means};
    const int fine = watch && det_watch_add(watch, &night, v) == DET_OK;
    if (fine)
        (void)printf("%zu calls, mean %g, median %g: %s\n", read.summary.n, read.summary.mean,
                     read.summary.median, v[0].reason);
    det_watch_free(watch);
    det_reader_result_clear(&read);
    return !fine;
}
