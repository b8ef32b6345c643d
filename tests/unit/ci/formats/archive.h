#pragma once
/* A zip whose entries a test chooses. */
#include "tests/unit/ci/expect.h"

#include <zip.h>

typedef struct {
    const char *name, *text;
} item;

/* results.zip in the folder; caller frees its path. */
static inline char *make_zip(const char *folder, const item *items, size_t count) {
    char *path = g_build_filename(folder, "results.zip", NULL);
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    for (size_t i = 0; i < count; i++) {
        zip_source_t *source = zip_source_buffer(zip, items[i].text, strlen(items[i].text), 0);
        assert_true(g_str_has_suffix(items[i].name, "/")
                        ? zip_dir_add(zip, items[i].name, ZIP_FL_ENC_UTF_8) >= 0
                        : zip_file_add(zip, items[i].name, source, ZIP_FL_ENC_UTF_8) >= 0);
        if (g_str_has_suffix(items[i].name, "/"))
            zip_source_free(source);
    }
    assert_int_equal(zip_close(zip), 0);
    return path;
}
