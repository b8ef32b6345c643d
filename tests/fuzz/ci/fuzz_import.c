/* Results of other tools, whichever they say they are; what is read is written again. */
#include "ci/formats/imported.h"

#include "tests/fuzz/ci/memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int fd;
    g_autoptr(GError) error = NULL;
    g_autofree char *path = memory_file(data, size, &fd);
    json_t *nights = ci_import(path, &error);
    if ((!nights) != (error != NULL))
        abort();
    char *text = nights ? json_dumps(nights, JSON_COMPACT) : NULL;
    if (nights && !text) /* a value that JSON has no word for */
        abort();
    free(text);
    json_decref(nights);
    (void)close(fd);
    return 0;
}
