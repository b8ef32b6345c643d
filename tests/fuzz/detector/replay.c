/* Replays files through a fuzz target, where libFuzzer's own main is not there. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        uint8_t *bytes = malloc(1 << 20);
        if (!file || !bytes) {
            (void)fprintf(stderr, "%s: cannot be read\n", argv[i]);
            return 1;
        }
        const size_t size = fread(bytes, 1, 1 << 20, file);
        (void)fclose(file);
        (void)LLVMFuzzerTestOneInput(bytes, size);
        free(bytes);
    }
    return argc > 1 ? 0 : 1;
}
