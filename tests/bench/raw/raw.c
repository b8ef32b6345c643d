/*
 * bench raw - the ways of a raw file: read, summarised and packed by the agent in one pass; looked
 * at by the store; unpacked to lines.
 *
 * Usage: bench_raw read FROM TO CALLS | bench_raw lines FILE
 * Prints "seconds packed-bytes bytes"; seconds are of the processor.
 */
#include "config/packed.h"
#include "runner/driver/bounded.h"
#include "runner/driver/harvest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PIECE_BYTES 65536

static int fail(const char *what, const char *why) {
    fprintf(stderr, "raw: %s: %s\n", what, why);
    return 1;
}

static double used_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int tell(double start_s, uint64_t packed, uint64_t bytes) {
    printf("%.6f %ju %ju\n", used_s() - start_s, (uintmax_t)packed, (uintmax_t)bytes);
    return 0;
}

/* As the agent does with one thread's calls, half of them warm-up. */
static int read_once(const char *from, const char *to, uint64_t calls) {
    g_autoptr(GError) error = NULL;
    const run_summary_expected expected = {.calls = calls, .warmup_calls = calls / 2, .threads = 1};
    g_autoptr(run_loop) loop = run_loop_new("none", NULL, 1);
    run_durable_pack *pack = NULL;
    run_durable_raw raw;
    const double start_s = used_s();
    const int fd = run_bounded_file(AT_FDCWD, from, "raw file", UINT64_MAX, &error);
    const bool good = fd >= 0 && run_summary_read(fd, &expected, to, loop, &pack, &error) &&
                      run_durable_pack_end(pack, &raw, &error);
    if (fd >= 0)
        close(fd);
    return good ? tell(start_s, raw.bytes, raw.uncompressed_bytes) : fail(from, error->message);
}

static int lines(const char *path) {
    static char piece[PIECE_BYTES];
    struct stat status;
    uint64_t bytes = 0;
    ssize_t got;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        return fail(path, g_strerror(errno));
    const double start_s = used_s();
    cfg_unpack *unpack = cfg_unpack_new(fd);
    while ((got = cfg_unpack_read(unpack, piece, sizeof piece)) > 0)
        bytes += (uint64_t)got;
    const int code = got == 0 ? tell(start_s, (uint64_t)status.st_size, bytes)
                              : fail(path, cfg_unpack_problem(unpack));
    cfg_unpack_free(unpack);
    close(fd);
    return code;
}

int main(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], "read") == 0)
        return read_once(argv[2], argv[3], strtoull(argv[4], NULL, 10));
    if (argc == 3 && strcmp(argv[1], "lines") == 0)
        return lines(argv[2]);
    fprintf(stderr, "usage: bench_raw read FROM TO CALLS | lines FILE\n");
    return 2;
}
