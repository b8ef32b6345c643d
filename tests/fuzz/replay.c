/* Replays files through a fuzz target of a room, where libFuzzer's own main is not there:
 * `fuzz_<room> <target> <file>…`. mains.inc is made by moowatch_fuzz (ci/build.cmake). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNIT(entry, name) int entry(const uint8_t *data, size_t size);
#include "mains.inc"
#undef UNIT

typedef int (*fuzz_target)(const uint8_t *data, size_t size);

static const struct {
    const char *name;
    fuzz_target entry;
} targets[] = {
#define UNIT(entry, name) {name, entry},
#include "mains.inc"
};

static fuzz_target find(const char *name) {
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        if (strcmp(name, targets[i].name) == 0)
            return targets[i].entry;
    return NULL;
}

int main(int argc, char **argv) {
    const fuzz_target target = argc > 2 ? find(argv[1]) : NULL;
    if (!target) {
        (void)fputs("usage: fuzz_<room> <target> <file>…\n", stderr);
        return 2;
    }
    for (int i = 2; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        uint8_t *bytes = malloc(1 << 20);
        if (!file || !bytes) {
            (void)fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
        const size_t size = fread(bytes, 1, 1 << 20, file);
        (void)fclose(file);
        (void)target(bytes, size);
        free(bytes);
    }
    return 0;
}
