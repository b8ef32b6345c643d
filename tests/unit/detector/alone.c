/* What somebody builds who has only the installed library: a file read, a night judged. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <detector/detector.h>

/* The file's calls behind its warm-up, summed up. */
static int file_read(const char *path, det_summary *out) {
    char bytes[4096];
    det_raw *raw = det_raw_new(NULL);
    det_raw_result calls;
    det_raw_error wrong = {.text = "cannot be opened"};
    FILE *file = fopen(path, "rb");
    det_status status = file && raw ? DET_OK : DET_EINVAL;
    for (size_t n; status == DET_OK && (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
        status = det_raw_feed(raw, bytes, n, &wrong);
    if (status == DET_OK)
        status = det_raw_finish(raw, &calls, &wrong);
    if (status == DET_OK)
        status = det_summary_of(out, calls.ns, calls.calls);
    else
        (void)fprintf(stderr, "%s:%llu: %s\n", path, (unsigned long long)wrong.line, wrong.text);
    if (file)
        (void)fclose(file);
    det_raw_free(raw);
    return status == DET_OK;
}

int main(int argc, char **argv) {
    det_summary read;
    if (!file_read(argc > 1 ? argv[1] : "", &read))
        return 1;
    det_chain chain;
    det_policy policy;
    det_verdict v[DET_CONFIGURATIONS_MAX];
    det_chain_init(&chain);
    det_policy_init(&policy);
    if (det_chain_add(&chain, "T", -1) != DET_OK)
        return 1;
    det_watch *watch = det_watch_new(&chain, &policy);
    const double means[] = {read.mean, read.mean};
    const det_night night = {.id = 1, .loops = 2, .means = means};
    const int fine = watch && det_watch_add(watch, &night, v) == DET_OK;
    if (fine)
        (void)printf("%zu calls, mean %g, median %g: %s\n", read.n, read.mean, read.median,
                     v[0].reason);
    det_watch_free(watch);
    return !fine;
}
