#include "ci/formats/zip.h"

#include <string.h>
#include <zip.h>

static zip_t *zip_begin(const char *path, GError **error) {
    int code = 0;
    zip_t *zip = zip_open(path, ZIP_RDONLY | ZIP_CHECKCONS, &code);
    if (!zip) {
        zip_error_t wrong;
        zip_error_init_with_code(&wrong, code);
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: %s; is it a zip file?", path,
                    zip_error_strerror(&wrong));
        zip_error_fini(&wrong);
    }
    return zip;
}

/* A name that would leave the folder it is unpacked to: nothing good made such a file. */
static bool leads_out(const char *name) {
    if (name[0] == '/' || strchr(name, '\\') || (g_ascii_isalpha(name[0]) && name[1] == ':'))
        return true;
    g_auto(GStrv) parts = g_strsplit(name, "/", -1);
    return g_strv_contains((const char *const *)parts, "..");
}

static bool entry_check(const char *path, const zip_stat_t *stat, GError **error) {
    const zip_uint64_t wanted = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    if ((stat->valid & wanted) != wanted || !g_utf8_validate(stat->name, -1, NULL)) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT,
                    "%s: an entry without name or size; pack it again", path);
    } else if (leads_out(stat->name)) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT,
                    "%s: entry \"%s\" points out of the archive; it is not read", path, stat->name);
    } else if (stat->size > CI_SOURCE_RATIO_FROM &&
               stat->size / CI_SOURCE_RATIO_MAX > stat->comp_size) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT,
                    "%s: entry \"%s\" unpacks %" G_GUINT64_FORMAT " bytes to %" G_GUINT64_FORMAT
                    ": a zip bomb, it is not read",
                    path, stat->name, (guint64)stat->comp_size, (guint64)stat->size);
    } else {
        return true;
    }
    return false;
}

static bool list(zip_t *zip, const char *path, GPtrArray *entries, GError **error) {
    const zip_int64_t count = zip_get_num_entries(zip, 0);
    uint64_t total = 0;
    if (count > (zip_int64_t)CI_SOURCE_ENTRIES_MAX) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: more than %u entries", path,
                    CI_SOURCE_ENTRIES_MAX);
        return false;
    }
    for (zip_int64_t i = 0; i < count; i++) {
        zip_stat_t stat;
        if (zip_stat_index(zip, (zip_uint64_t)i, 0, &stat) != 0) {
            g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: %s", path, zip_strerror(zip));
            return false;
        }
        if (!entry_check(path, &stat, error))
            return false;
        total += MIN(stat.size, CI_SOURCE_BYTES_MAX);
        if (total > CI_SOURCE_BYTES_MAX) {
            g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: unpacks to more than 64 GiB", path);
            return false;
        }
        if (g_str_has_suffix(stat.name, "/"))
            continue;
        const char *slash = strrchr(stat.name, '/');
        g_ptr_array_add(entries, ci__entry_new(slash ? slash + 1 : stat.name,
                                               g_strdup_printf("%s: %s", path, stat.name),
                                               stat.size, (uint64_t)i));
    }
    return true;
}

GPtrArray *ci__zip_list(const char *path, GError **error) {
    zip_t *zip = zip_begin(path, error);
    if (!zip)
        return NULL;
    g_autoptr(GPtrArray) entries = g_ptr_array_new_with_free_func(ci__entry_free);
    const bool good = list(zip, path, entries, error);
    zip_discard(zip);
    return good ? g_steal_pointer(&entries) : NULL;
}

static bool entry_read(zip_file_t *file, const ci_entry *entry, void *buffer, size_t size,
                       ci_source_fn take, void *user, GError **error) {
    uint64_t total = 0;
    zip_int64_t got;
    while ((got = zip_fread(file, buffer, size)) > 0) {
        total += (uint64_t)got;
        if (total > entry->bytes) {
            g_set_error(error, CI_ERROR, CI_ERROR_INPUT,
                        "%s: is longer than the zip says; it is damaged", entry->path);
            return false;
        }
        if (!take(buffer, (size_t)got, user, error))
            return false;
    }
    if (got < 0 || total != entry->bytes) {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: %s; the zip is damaged, fetch it again",
                    entry->path,
                    got < 0 ? zip_file_strerror(file) : "is shorter than the zip says");
        return false;
    }
    return true;
}

bool ci__zip_read(const char *path, const ci_entry *entry, void *buffer, size_t size,
                  ci_source_fn take, void *user, GError **error) {
    zip_t *zip = zip_begin(path, error);
    if (!zip)
        return false;
    bool good = false;
    zip_file_t *file = zip_fopen_index(zip, entry->index, 0);
    if (file) {
        good = entry_read(file, entry, buffer, size, take, user, error);
        (void)zip_fclose(file);
    } else {
        g_set_error(error, CI_ERROR, CI_ERROR_INPUT, "%s: %s", entry->path, zip_strerror(zip));
    }
    zip_discard(zip);
    return good;
}
