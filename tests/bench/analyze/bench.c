/*
 * bench - how fast raw files become exact statistics, beside `wc -l` on the same files.
 * bench_analyze WORK_DIR FILES LINES [RSCRIPT SCRIPT]: writes the files, reads all of them a few
 * times with both, takes the best of each, and prints a table and one JSON line.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "detector/reader/reader.h"

#define FILES_MAX 64
#define ROUNDS 9

static double now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned random_below(uint64_t *seed, unsigned n) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*seed >> 33) % n);
}

static int file_write(const char *path, size_t lines, uint64_t seed) {
    FILE *f = fopen(path, "w");
    if (!f)
        return -1;
    for (size_t i = 0; i < lines; i++) {
        const unsigned slow = random_below(&seed, 100) == 0 ? random_below(&seed, 20000) : 0;
        (void)fprintf(f, "0;%u;%u;%zu\n", 1000 + random_below(&seed, 400) + slow,
                      10000000 + random_below(&seed, 9000000), i / 100000);
    }
    return fclose(f);
}

static double wc_seconds(const char *directory) {
    char command[4200];
    (void)snprintf(command, sizeof command, "wc -l '%s'/*.csv >/dev/null", directory);
    const double start = now();
    /* NOLINTNEXTLINE(cert-env33-c): a peer's own command, not the product */
    return system(command) == 0 ? now() - start : NAN;
}

int main(int argc, char **argv) {
    static char names[FILES_MAX][4200];
    const char *paths[FILES_MAX];
    det_reader_result out[FILES_MAX];
    const det_reader_options options = {.warmup_calls = DET_RAW_WARMUP_HALF, .bin_ns = 1e9};
    if (argc != 4 && argc != 6) {
        (void)fprintf(stderr, "usage: %s WORK_DIR FILES LINES [RSCRIPT SCRIPT]\n", argv[0]);
        return 2;
    }
    const size_t files = strtoul(argv[2], NULL, 10), lines = strtoul(argv[3], NULL, 10);
    double size = 0, best = INFINITY, wc = INFINITY, r = NAN;
    for (size_t i = 0; i < files && i < FILES_MAX; i++) {
        struct stat info;
        (void)snprintf(names[i], sizeof names[i], "%s/raw-%zu-10-0.csv", argv[1], i + 1);
        paths[i] = names[i];
        if ((stat(names[i], &info) != 0 && file_write(names[i], lines, i + 1) != 0) ||
            stat(names[i], &info) != 0) {
            (void)fprintf(stderr, "%s: cannot be written\n", names[i]);
            return 3;
        }
        size += (double)info.st_size;
    }
    for (int round = 0; round < ROUNDS; round++) {
        wc = fmin(wc, wc_seconds(argv[1]));
        const double start = now();
        if (det_reader_files(out, paths, files, &options) != DET_OK) {
            (void)fprintf(stderr, "%s\n", out[0].error.text);
            return 3;
        }
        best = fmin(best, now() - start);
        for (size_t i = 0; i < files; i++)
            det_reader_result_clear(&out[i]);
    }
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    if (argc == 6) {
        char command[9000];
        (void)snprintf(command, sizeof command, "'%s' '%s' '%s' >/dev/null", argv[4], argv[5],
                       argv[1]);
        const double start = now();
        /* NOLINTNEXTLINE(cert-env33-c): a peer's own command, not the product */
        r = system(command) == 0 ? now() - start : NAN;
    }
    (void)printf("| %.0f MB in %zu files | seconds |\n|---|---|\n| wc -l | %.3f |\n| moowatch | "
                 "%.3f |\n| R | %.1f |\n",
                 size / 1e6, files, wc, best, r);
    struct utsname machine = {0};
    (void)uname(&machine);
    const char *commit = getenv("MOOWATCH_COMMIT");
    (void)printf("{\"bench\":\"analyze\",\"figures\":{\"ratio_to_wc\":%.3f,\"seconds\":%.4f,"
                 "\"peak_mb\":%.1f",
                 best / wc, best, (double)usage.ru_maxrss / 1024);
    if (!isnan(r))
        (void)printf(",\"speedup_over_r\":%.1f", r / best);
    (void)printf("},\"machine\":{\"system\":\"%s\",\"release\":\"%s\",\"cores\":%ld},"
                 "\"commit\":\"%s\"}\n",
                 machine.sysname, machine.release, sysconf(_SC_NPROCESSORS_ONLN),
                 commit ? commit : "unknown");
    return 0;
}
