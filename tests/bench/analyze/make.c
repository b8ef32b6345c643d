/*
 * A MooBench result of upstream's size, the same bytes on every machine:
 *   make FOLDER LOOPS CALLS
 * writes raw-<loop>-10-<0…3>.csv with lines "thread;ns;heap;collections".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t next(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* A tight body, a long tail one call in a thousand, a heap that fills and is collected. */
static int write_file(const char *path, unsigned level, unsigned calls, uint64_t *seed) {
    FILE *file = fopen(path, "w");
    uint64_t heap = 150000000;
    unsigned collections = 0;
    if (!file)
        return 0;
    for (unsigned i = 0; i < calls; i++) {
        const uint64_t random = next(seed);
        const uint64_t tail = random % 1009 == 0 ? (uint64_t)level * (random % 200) : 0;
        heap += 40;
        if (heap > 400000000) {
            heap = 150000000;
            collections++;
        }
        const uint64_t ns = level + random % (level / 4) + tail;
        (void)fprintf(file, "15;%" PRIu64 ";%" PRIu64 ";%u\n", ns, heap, collections);
    }
    return fclose(file) == 0;
}

int main(int argc, char **argv) {
    static const unsigned levels[] = {70, 270, 1150, 2500};
    const unsigned loops = argc == 4 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    const unsigned calls = argc == 4 ? (unsigned)strtoul(argv[3], NULL, 10) : 0;
    uint64_t seed = 1;
    char path[4096];
    if (!loops || !calls) {
        (void)fprintf(stderr, "usage: make FOLDER LOOPS CALLS\n");
        return 2;
    }
    for (unsigned loop = 1; loop <= loops; loop++)
        for (unsigned c = 0; c < 4; c++) {
            (void)snprintf(path, sizeof path, "%s/raw-%u-10-%u.csv", argv[1], loop, c);
            if (!write_file(path, levels[c], calls, &seed)) {
                perror(path);
                return 1;
            }
        }
    return 0;
}
