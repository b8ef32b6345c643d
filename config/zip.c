#include "config/zip.h"

#include <errno.h>
#include <unistd.h>
#include <zip.h>

#define PIECE_BYTES ((size_t)1024 * 1024)

/* Always false. */
static bool wrong(const cfg_zip_errors *errors, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
static bool wrong(const cfg_zip_errors *errors, GError **error, const char *format, ...) {
    va_list list;
    va_start(list, format);
    g_autofree char *text = g_strdup_vprintf(format, list);
    va_end(list);
    g_set_error(error, errors->domain, errors->code, "%s: %s", errors->place, text);
    return false;
}

static zip_t *begin(int fd, const cfg_zip_errors *errors, GError **error) {
    int code = 0;
    const int own = dup(fd); /* zip_fdopen takes it over */
    zip_t *zip = own >= 0 ? zip_fdopen(own, ZIP_CHECKCONS, &code) : NULL;
    if (!zip) {
        zip_error_t problem;
        zip_error_init_with_code(&problem, code);
        (void)wrong(errors, error, "%s; %s",
                    own >= 0 ? zip_error_strerror(&problem) : g_strerror(errno), errors->hint);
        zip_error_fini(&problem);
        if (own >= 0)
            (void)close(own);
    }
    return zip;
}

static bool list(cfg_zip *zip, GError **error) {
    const zip_uint64_t wanted = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    zip->count = (uint64_t)zip_get_num_entries(zip->archive, 0);
    if (zip->count > CFG_ZIP_ENTRIES_MAX)
        return wrong(&zip->errors, error, "more than %u entries", CFG_ZIP_ENTRIES_MAX);
    zip->entries = g_new0(cfg_zip_entry, zip->count);
    for (uint64_t i = 0; i < zip->count; i++) {
        zip_stat_t stat;
        if (zip_stat_index(zip->archive, i, 0, &stat) != 0)
            return wrong(&zip->errors, error, "%s", zip_strerror(zip->archive));
        if ((stat.valid & wanted) != wanted || !g_utf8_validate(stat.name, -1, NULL))
            return wrong(&zip->errors, error, "an entry without name or size; pack it again");
        zip->entries[i] = (cfg_zip_entry){stat.name, i, stat.size, stat.comp_size};
    }
    return true;
}

cfg_zip *cfg_zip_open(int fd, const cfg_zip_errors *errors, GError **error) {
    zip_t *archive = begin(fd, errors, error);
    if (!archive)
        return NULL;
    g_autoptr(cfg_zip) zip = g_new0(cfg_zip, 1);
    *zip = (cfg_zip){.archive = archive, .errors = *errors};
    return list(zip, error) ? g_steal_pointer(&zip) : NULL;
}

void cfg_zip_free(cfg_zip *zip) {
    if (!zip)
        return;
    zip_discard(zip->archive);
    g_free(zip->entries);
    g_free(zip);
}

static bool read_all(const cfg_zip *zip, zip_file_t *file, const cfg_zip_entry *entry,
                     cfg_zip_take take, void *user, GError **error) {
    g_autofree void *buffer = g_malloc(PIECE_BYTES);
    uint64_t total = 0;
    zip_int64_t got;
    while ((got = zip_fread(file, buffer, PIECE_BYTES)) > 0) {
        total += (uint64_t)got;
        if (total > entry->bytes)
            return wrong(&zip->errors, error, "%s: is longer than the zip says; it is damaged",
                         entry->name);
        if (!take(buffer, (size_t)got, user, error))
            return false;
    }
    if (got < 0 || total != entry->bytes)
        return wrong(&zip->errors, error, "%s: %s; the zip is damaged", entry->name,
                     got < 0 ? zip_file_strerror(file) : "is shorter than the zip says");
    return true;
}

bool cfg_zip_read(const cfg_zip *zip, const cfg_zip_entry *entry, cfg_zip_take take, void *user,
                  GError **error) {
    zip_file_t *file = zip_fopen_index(zip->archive, entry->index, 0);
    if (!file)
        return wrong(&zip->errors, error, "%s: %s", entry->name, zip_strerror(zip->archive));
    const bool good = read_all(zip, file, entry, take, user, error);
    (void)zip_fclose(file);
    return good;
}
