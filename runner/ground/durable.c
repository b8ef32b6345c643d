#include "runner/ground/durable.h"

#include "config/packed.h"
#include "runner/ground/error.h"
#include "runner/ground/procfs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool sync_folder(const char *path, GError **error) {
    g_autofree char *folder = g_path_get_dirname(path);
    g_auto(run_fd) fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return (fd >= 0 && fsync(fd) == 0) || run_cannot(error, "sync", folder);
}

static FILE *begin(const char *temporary, GError **error) {
    int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!file)
        run_cannot(error, "create", temporary);
    return file;
}

/* Ends a file begun as `temporary`: good ones get their name, others go. */
static bool end(FILE *file, const char *temporary, const char *path, bool good, GError **error) {
    if (good && (fflush(file) != 0 || fsync(fileno(file)) != 0))
        good = run_cannot(error, "write", path);
    if (fclose(file) != 0 && good)
        good = run_cannot(error, "write", path);
    if (good && rename(temporary, path) != 0)
        good = run_cannot(error, "rename", temporary);
    if (!good) {
        unlink(temporary);
        return false;
    }
    return sync_folder(path, error);
}

bool run_durable_json(const char *path, json_t *object, GError **error) {
    g_autofree char *temporary = g_strconcat(path, ".new", NULL);
    FILE *file = begin(temporary, error);
    if (!file)
        return false;
    bool good =
        json_dumpf(object, file, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(17)) == 0;
    if (!good)
        run_cannot(error, "write", path);
    return end(file, temporary, path, good, error);
}

struct run_durable_pack {
    char *path, *temporary;
    FILE *to;
    cfg_pack *pack;
    GChecksum *checksum;
    run_durable_raw raw;
};

static void pack_free(run_durable_pack *pack) {
    g_free(pack->path);
    g_free(pack->temporary);
    cfg_pack_free(pack->pack);
    g_checksum_free(pack->checksum);
    g_free(pack);
}

static bool write_packed(void *data, const void *bytes, size_t size) {
    run_durable_pack *pack = data;
    g_checksum_update(pack->checksum, bytes, (gssize)size);
    pack->raw.bytes += size;
    return fwrite(bytes, 1, size, pack->to) == size;
}

run_durable_pack *run_durable_pack_begin(const char *path, uint64_t bytes, GError **error) {
    g_autofree char *temporary = g_strconcat(path, ".new", NULL);
    FILE *to = begin(temporary, error);
    if (!to)
        return NULL;
    run_durable_pack *pack = g_new0(run_durable_pack, 1);
    *pack = (run_durable_pack){.path = g_strdup(path),
                               .temporary = g_steal_pointer(&temporary),
                               .to = to,
                               .pack = cfg_pack_new(bytes, write_packed, pack),
                               .checksum = g_checksum_new(G_CHECKSUM_SHA256),
                               .raw = {.uncompressed_bytes = bytes}};
    return pack;
}

bool run_durable_pack_feed(run_durable_pack *pack, const void *bytes, size_t size, GError **error) {
    return cfg_pack_feed(pack->pack, bytes, size) || run_cannot(error, "write", pack->path);
}

bool run_durable_pack_end(run_durable_pack *pack, run_durable_raw *out, GError **error) {
    bool good = cfg_pack_end(pack->pack) || run_cannot(error, "write", pack->path);
    good = end(pack->to, pack->temporary, pack->path, good, error);
    *out = pack->raw;
    g_strlcpy(out->sha256, g_checksum_get_string(pack->checksum), sizeof out->sha256);
    pack_free(pack);
    return good;
}

void run_durable_pack_drop(run_durable_pack *pack) {
    if (!pack)
        return;
    (void)fclose(pack->to);
    unlink(pack->temporary);
    pack_free(pack);
}

/* What else code under test may have put there: a pipe, which would be waited for. */
static FILE *open_regular(const char *path) {
    struct stat status;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file =
        fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? fdopen(fd, "r") : NULL;
    if (!file && fd >= 0)
        close(fd);
    return file;
}

bool run_durable_check(const char *path, const char *sha256) {
    FILE *file = open_regular(path);
    if (!file)
        return false;
    g_autoptr(GChecksum) sum = cfg_file_sum(file);
    fclose(file);
    return sum && g_strcmp0(g_checksum_get_string(sum), sha256) == 0;
}

bool run_durable_remove(const char *path, GError **error) {
    if (unlink(path) != 0)
        return errno == ENOENT || run_cannot(error, "remove", path);
    return sync_folder(path, error);
}
