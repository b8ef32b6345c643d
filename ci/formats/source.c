#include "ci/formats/moobench.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ci_entry *entry_new(const char *name, char *path, uint64_t bytes, uint64_t index) {
    ci_entry *entry = g_new0(ci_entry, 1);
    entry->name = g_strdup(name);
    entry->path = path;
    entry->bytes = bytes;
    entry->index = index;
    return entry;
}

static void entry_free(void *pointer) {
    ci_entry *entry = pointer;
    g_free(entry->name);
    g_free(entry->path);
    g_free(entry);
}

/* A name that would leave the folder it is unpacked to: nothing good made such a file. */
static bool leads_out(const char *name) {
    if (name[0] == '/' || strchr(name, '\\') || (g_ascii_isalpha(name[0]) && name[1] == ':'))
        return true;
    g_auto(GStrv) parts = g_strsplit(name, "/", -1);
    return g_strv_contains((const char *const *)parts, "..");
}

static bool entry_check(const char *path, const cfg_zip_entry *entry, GError **error) {
    if (leads_out(entry->name)) {
        ci_wrong(error, "%s: entry \"%s\" points out of the archive; it is not read", path,
                 entry->name);
    } else if (entry->bytes > CI_SOURCE_RATIO_FROM &&
               entry->bytes / CI_SOURCE_RATIO_MAX > entry->packed_bytes) {
        ci_wrong(error,
                 "%s: entry \"%s\" unpacks %" G_GUINT64_FORMAT " bytes to %" G_GUINT64_FORMAT
                 ": a zip bomb, it is not read",
                 path, entry->name, entry->packed_bytes, entry->bytes);
    } else {
        return true;
    }
    return false;
}

static bool list(const cfg_zip *zip, const char *path, GPtrArray *entries, GError **error) {
    uint64_t total = 0;
    for (uint64_t i = 0; i < zip->count; i++) {
        const cfg_zip_entry *entry = &zip->entries[i];
        if (!entry_check(path, entry, error))
            return false;
        total += MIN(entry->bytes, CI_SOURCE_BYTES_MAX);
        if (total > CI_SOURCE_BYTES_MAX)
            return ci_wrong(error, "%s: unpacks to more than 64 GiB", path);
        if (g_str_has_suffix(entry->name, "/"))
            continue;
        const char *slash = strrchr(entry->name, '/');
        g_ptr_array_add(entries,
                        entry_new(slash ? slash + 1 : entry->name,
                                  g_strdup_printf("%s: %s", path, entry->name), entry->bytes, i));
    }
    return true;
}

static int open_to_read(const char *path, GError **error) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        ci_wrong(error, "%s: %s", path, g_strerror(errno));
    return file;
}

static cfg_zip *zip_at(const char *path, GError **error) {
    const cfg_zip_errors errors = {path, "give a folder of raw files or a results.zip", CI_ERROR,
                                   CI_ERROR_INPUT};
    const int file = open_to_read(path, error);
    if (file < 0)
        return NULL;
    cfg_zip *zip = cfg_zip_open(file, &errors, error);
    (void)close(file);
    return zip;
}

/* Entries of a zip file, checked as moobench.h says. NULL with error. */
static GPtrArray *zip_list(const char *path, GError **error) {
    g_autoptr(cfg_zip) zip = zip_at(path, error);
    g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(entry_free);
    return zip && list(zip, path, entries, error) ? g_steal_pointer(&entries) : NULL;
}

static bool zip_read(const char *path, const ci_entry *entry, cfg_zip_take take, void *user,
                     GError **error) {
    g_autoptr(cfg_zip) zip = zip_at(path, error);
    return zip && cfg_zip_read(zip, &(cfg_zip_entry){entry->name, entry->index, entry->bytes, 0},
                               take, user, error);
}

#define PIECE_BYTES ((size_t)1024 * 1024)

static GPtrArray *folder_list(const char *path, GError **error) {
    g_autoptr(GError) wrong = NULL;
    g_autoptr(GDir) dir = g_dir_open(path, 0, &wrong);
    if (!dir) {
        ci_wrong(error, "%s", wrong->message);
        return NULL;
    }
    g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(entry_free);
    const char *name;
    while ((name = g_dir_read_name(dir))) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        struct stat about;
        if (stat(file, &about) != 0 || !S_ISREG(about.st_mode))
            continue;
        if (entries->len >= CFG_ZIP_ENTRIES_MAX) {
            ci_wrong(error, "%s: more than %u files", path, CFG_ZIP_ENTRIES_MAX);
            return NULL;
        }
        g_ptr_array_add(entries,
                        entry_new(name, g_steal_pointer(&file), (uint64_t)about.st_size, 0));
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
        ci_wrong(error, "%s: there is no such file or folder", path);
        return NULL;
    }
    GPtrArray *entries = folder ? folder_list(path, error) : zip_list(path, error);
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

const ci_entry *ci_source_find(const ci_source *source, const char *name) {
    for (guint i = 0; i < source->entries->len; i++) {
        const ci_entry *entry = source->entries->pdata[i];
        if (g_str_equal(entry->name, name))
            return entry;
    }
    return NULL;
}

static bool file_read(const ci_entry *entry, cfg_zip_take take, void *user, GError **error) {
    g_autofree void *buffer = g_malloc(PIECE_BYTES);
    const int file = open_to_read(entry->path, error);
    ssize_t got = 1;
    bool good = file >= 0;
    while (good && got > 0) {
        got = read(file, buffer, PIECE_BYTES);
        if (got > 0)
            good = take(buffer, (size_t)got, user, error);
    }
    if (got < 0) {
        ci_wrong(error, "%s: %s", entry->path, g_strerror(errno));
        good = false;
    }
    if (file >= 0)
        (void)close(file);
    return good;
}

bool ci_source_read(const ci_source *source, const ci_entry *entry, cfg_zip_take take, void *user,
                    GError **error) {
    return source->folder ? file_read(entry, take, user, error)
                          : zip_read(source->path, entry, take, user, error);
}

typedef struct {
    GString *text;
    size_t limit;
    const char *path;
} text_reading;

static bool text_take(const void *bytes, size_t size, void *user, GError **error) {
    text_reading *reading = user;
    if (size > reading->limit - reading->text->len)
        return ci_wrong(error, "%s: larger than %zu bytes", reading->path, reading->limit);
    g_string_append_len(reading->text, bytes, (gssize)size);
    return true;
}

char *ci_source_text(const ci_source *source, const ci_entry *entry, size_t limit, GError **error) {
    g_autoptr(GString) text = g_string_new(NULL);
    text_reading reading = {text, limit, entry->path};
    if (!ci_source_read(source, entry, text_take, &reading, error))
        return NULL;
    if (!g_utf8_validate(text->str, (gssize)text->len, NULL)) {
        ci_wrong(error, "%s: is not UTF-8 text", entry->path);
        return NULL;
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}
