#include "ci/formats/source.h"
#include "ci/formats/zip.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES ((size_t)1024 * 1024)

struct ci_source {
    char *path;
    bool folder;
    GPtrArray *entries;
};

static GPtrArray *folder_list(const char *path, GError **error) {
    g_autoptr(GError) wrong = NULL;
    g_autoptr(GDir) dir = g_dir_open(path, 0, &wrong);
    if (!dir) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s", wrong->message);
        return NULL;
    }
    g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(ci__entry_free);
    const char *name;
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        struct stat about;
        if (stat(file, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        if (entries->len >= CI_SOURCE_ENTRIES_MAX) {
            g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: more than %u files", path,
                        CI_SOURCE_ENTRIES_MAX);
            return NULL;
        }
        g_ptr_array_add(entries,
                        ci__entry_new(name, g_steal_pointer(&file), (uint64_t)about.st_size, 0));
    }
    return g_steal_pointer(&entries);
}

static gint by_name(gconstpointer a, gconstpointer b) {
    const ci_entry *const *x = a, *const *y = b;
    return strcmp((*x)->name, (*y)->name);
}

ci_source *ci_source_open(const char *path, GError **error) {
    const bool folder = g_file_test(path, G_FILE_TEST_IS_DIR);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: there is no such file or folder", path);
        return NULL;
    }
    GPtrArray *entries = folder ? folder_list(path, error) : ci__zip_list(path, error);
    if (!entries)
        return NULL;
    g_ptr_array_sort(entries, by_name);
    ci_source *source = g_new0(ci_source, 1);
    source->path = g_strdup(path);
    source->folder = folder;
    source->entries = entries;
    return source;
}

void ci_source_free(ci_source *source) {
    if (!source)
        return;
    g_free(source->path);
    g_ptr_array_unref(source->entries);
    g_free(source);
}

const GPtrArray *ci_source_entries(const ci_source *source) {
    return source->entries;
}
const char *ci_source_path(const ci_source *source) {
    return source->path;
}

bool ci_source_is_folder(const ci_source *source) {
    return source->folder;
}

const ci_entry *ci_source_find(const ci_source *source, const char *name) {
    for (guint i = 0; i < source->entries->len; i++) {
        const ci_entry *entry = source->entries->pdata[i];
        if (g_str_equal(entry->name, name))
            return entry;
    }
    return NULL;
}

static bool file_read(const ci_entry *entry, void *buffer, ci_source_fn take, void *user,
                      GError **error) {
    const int file = open(entry->path, O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : 1;
    bool good = true;
    while (good && got > 0) {
        got = read(file, buffer, PIECE_BYTES);
        if (got > 0)
            good = take(buffer, (size_t)got, user, error);
    }
    if (got < 0) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: %s", entry->path, g_strerror(errno));
        good = false;
    }
    if (file >= 0)
        (void)close(file);
    return good;
}

bool ci_source_read(const ci_source *source, const ci_entry *entry, ci_source_fn take, void *user,
                    GError **error) {
    g_autofree void *buffer = g_malloc(PIECE_BYTES);
    return source->folder
               ? file_read(entry, buffer, take, user, error)
               : ci__zip_read(source->path, entry, buffer, PIECE_BYTES, take, user, error);
}

typedef struct {
    GString *text;
    size_t limit;
    const char *path;
} text_reading;

static bool text_take(const void *bytes, size_t size, void *user, GError **error) {
    text_reading *reading = user;
    if (size > reading->limit - reading->text->len) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: larger than %zu bytes", reading->path,
                    reading->limit);
        return false;
    }
    g_string_append_len(reading->text, bytes, (gssize)size);
    return true;
}

char *ci_source_text(const ci_source *source, const ci_entry *entry, size_t limit, GError **error) {
    g_autoptr(GString) text = g_string_new(NULL);
    text_reading reading = {text, limit, entry->path};
    if (!ci_source_read(source, entry, text_take, &reading, error))
        return NULL;
    if (!g_utf8_validate(text->str, (gssize)text->len, NULL)) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: is not UTF-8 text", entry->path);
        return NULL;
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}
