/* Any text packed comes back; any bytes unpacked end with their text or a reason. */
#include "config/packed.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define TEXT_MAX ((size_t)1 << 24)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool add(void *to, const void *bytes, size_t size) {
    g_byte_array_append(to, bytes, (guint)size);
    return true;
}

/* The text of a file, read in pieces; whether it is whole. */
static bool unpack(const guint8 *bytes, size_t size, size_t step, GByteArray *text) {
    static int fd = -1;
    char piece[256];
    ssize_t got;
    if (fd < 0)
        fd = memfd_create("packed", MFD_CLOEXEC);
    if (ftruncate(fd, 0) != 0 || pwrite(fd, bytes, size, 0) != (ssize_t)size ||
        lseek(fd, 0, SEEK_SET) != 0)
        abort();
    cfg_unpack *u = cfg_unpack_new(fd);
    while ((got = cfg_unpack_read(u, piece, step)) > 0 && text->len < TEXT_MAX)
        g_byte_array_append(text, (const guint8 *)piece, (guint)got);
    if (got < 0 && !cfg_unpack_problem(u))
        abort();
    cfg_unpack_free(u);
    return got == 0;
}

static void there_and_back(const uint8_t *data, size_t size, size_t step) {
    g_autoptr(GByteArray) file = g_byte_array_new();
    g_autoptr(GByteArray) text = g_byte_array_new();
    cfg_pack *pack = cfg_pack_new(size, add, file);
    for (size_t at = 0; at < size; at += step)
        if (!cfg_pack_feed(pack, data + at, MIN(step, size - at)))
            abort();
    if (!cfg_pack_end(pack) || !unpack(file->data, file->len, step, text) || text->len != size ||
        (size && memcmp(text->data, data, size) != 0))
        abort();
    cfg_pack_free(pack);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2)
        return 0;
    const size_t step = (size_t)data[1] + 1;
    g_autoptr(GByteArray) text = g_byte_array_new();
    if (data[0] % 2 == 0)
        there_and_back(data + 2, size - 2, step);
    else
        (void)unpack(data + 2, size - 2, step, text);
    return 0;
}
