#pragma once
/* A tar archive (ustar) of entries as a hostile program would write them. */
#include "tests/unit/runner/test.h"

#include <string.h>

typedef struct {
    const char *name;
    char type; /* '0' file, '1' hard link, '2' link, '3' device, '5' folder, '6' pipe */
    const char *text, *target;
    unsigned mode;
} tar_entry;

/* The number in octal, with its zero or not. */
static inline void tar_field(char *block, size_t at, int digits, guint64 value) {
    g_autofree char *text = g_strdup_printf("%0*" G_GINT64_MODIFIER "o", digits, value);
    for (size_t i = 0; text[i]; i++)
        block[at + i] = text[i];
}

static inline void tar_add(GByteArray *out, const tar_entry *entry) {
    char block[512] = "";
    const size_t size = entry->text ? strlen(entry->text) : 0;
    memcpy(block, entry->name, MIN(strlen(entry->name), 100));
    tar_field(block, 100, 7, entry->mode);
    tar_field(block, 124, 11, size);
    tar_field(block, 136, 11, 1709600000);
    block[156] = entry->type;
    if (entry->target)
        memcpy(block + 157, entry->target, strlen(entry->target));
    memcpy(block + 257, "ustar\00000", 8);
    memset(block + 148, ' ', 8);
    guint64 sum = 0;
    for (size_t i = 0; i < sizeof block; i++)
        sum += (unsigned char)block[i];
    tar_field(block, 148, 6, sum);
    block[154] = '\0';
    g_byte_array_append(out, (const guint8 *)block, sizeof block);
    if (size)
        g_byte_array_append(out, (const guint8 *)entry->text, (guint)size);
    static const guint8 padding[512];
    g_byte_array_append(out, padding, (guint)((512 - size % 512) % 512));
}

/* A whole archive as a file; the path of it, caller frees. */
static inline char *put_tar(const char *folder, const char *name, const tar_entry *entries,
                            size_t count) {
    static const guint8 end[1024];
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    for (size_t i = 0; i < count; i++)
        tar_add(bytes, &entries[i]);
    g_byte_array_append(bytes, end, sizeof end);
    char *path = g_build_filename(folder, name, NULL);
    assert_true(g_file_set_contents(path, (const char *)bytes->data, (gssize)bytes->len, NULL));
    return path;
}
