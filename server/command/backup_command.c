#include "server/command/backup_command.h"

#include "config/shown.h"
#include "server/command/backup_manifest.h"
#include "server/command/command.h"
#include "server/context.h"
#include "server/ground/auth.h"
#include "server/ground/clock.h"
#include "server/ground/error.h"
#include "server/store/bucket.h"
#include "server/store/raw_path.h"
#include "server/store/store_backup.h"
#include "server/store/store_move.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DATABASE "moowatch.db"

typedef struct {
    char *config, *folder;
} options;

/* A database, and where the files are that it speaks of: a folder, and a bucket for those that are
 * not in it (NULL: none). */
typedef struct {
    const char *database, *files;
    srv_bucket *bucket;
} place;

static bool fail(GError **error, const char *what, const char *path) {
    const int code = errno;
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s %s: %s", what, path, g_strerror(code));
    return false;
}

/* A file of ours to another folder, whole or not at all; readable by the owner alone. */
static bool file_copy(const char *from, const char *to, GError **error) {
    g_autoptr(GFile) source = g_file_new_for_path(from);
    g_autofree char *partial = g_strconcat(to, ".partial", NULL);
    g_autoptr(GFile) target = g_file_new_for_path(partial);
    g_autofree char *folder = g_path_get_dirname(to);
    if (g_mkdir_with_parents(folder, 0700) != 0)
        return fail(error, "cannot make", folder);
    if (!g_file_copy(source, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, error))
        return false;
    return (g_chmod(partial, 0600) == 0 && g_rename(partial, to) == 0) ||
           fail(error, "cannot write", to);
}

static bool hash_matches(const char *path, const char *sha256) {
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    g_autofree char *hash =
        file ? g_compute_checksum_for_data(G_CHECKSUM_SHA256,
                                           (const guchar *)g_mapped_file_get_contents(file),
                                           g_mapped_file_get_length(file))
             : NULL;
    return g_strcmp0(hash, sha256) == 0;
}

/* From the bucket to a file of the backup, whole or not at all. */
static bool bucket_copy(srv_bucket *bucket, const char *sha256, const char *suffix,
                        const char *folder, GError **error) {
    g_autofree char *key = srv_raw_path("raw", sha256, suffix);
    g_autofree char *path = srv_raw_path(folder, sha256, suffix);
    g_autofree char *partial = g_strconcat(path, ".partial", NULL);
    g_autofree char *above = g_path_get_dirname(path);
    uint64_t bytes;
    if (g_mkdir_with_parents(above, 0700) != 0)
        return fail(error, "cannot make", above);
    FILE *file = fopen(partial, "w+be");
    if (!file)
        return fail(error, "cannot make", partial);
    bool good = srv_bucket_get(bucket, key, sha256, file, &bytes, error);
    if (fclose(file) != 0 && good)
        good = fail(error, "cannot write", partial);
    if (good && (g_chmod(partial, 0600) != 0 || g_rename(partial, path) != 0))
        good = fail(error, "cannot write", path);
    if (!good)
        (void)g_unlink(partial);
    return good;
}

static bool bucket_copy_either(srv_bucket *bucket, const char *sha256, const char *folder,
                               GError **error) {
    g_autoptr(GError) problem = NULL;
    if (bucket_copy(bucket, sha256, SRV_RAW_CALLS, folder, &problem))
        return true;
    if (g_error_matches(problem, SRV_ERROR, SRV_ERROR_NOT_FOUND))
        return bucket_copy(bucket, sha256, SRV_RAW_LINES, folder, error);
    g_propagate_error(error, g_steal_pointer(&problem));
    return false;
}

/* What a policy has removed since the database was copied is no loss. Asked only of a file that
 * cannot be copied: each question opens the database. */
static bool is_removed(const char *database, const char *sha256) {
    bool there = true;
    return srv_store_raw_there(database, sha256, &there, NULL) && !there;
}

static bool one_copy(place source, const char *sha256, const char *to, GError **error) {
    g_autofree char *folder = g_build_filename(source.files, "raw", NULL);
    const char *suffix = srv_raw_suffix(folder, sha256);
    if (!suffix && source.bucket)
        return bucket_copy_either(source.bucket, sha256, to, error);
    g_autofree char *path = srv_raw_path(folder, sha256, suffix ? suffix : SRV_RAW_CALLS);
    g_autofree char *target = srv_raw_path(to, sha256, suffix ? suffix : SRV_RAW_CALLS);
    if (suffix && hash_matches(path, sha256))
        return file_copy(path, target, error);
    g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL, "%s is missing or damaged", path);
    return false;
}

/* Every raw file the database speaks of; one whose bytes are not its name's is an error. removed:
 * those that went meanwhile are added to it. */
static bool raw_copy(const GPtrArray *raw, place source, const char *to, unsigned *copied,
                     GPtrArray *removed, GError **error) {
    g_autofree char *target_folder = g_build_filename(to, "raw", NULL);
    for (guint i = 0; i < raw->len; i++) {
        const char *sha256 = raw->pdata[i];
        GError *problem = NULL;
        if (strlen(sha256) != 64 || srv_raw_suffix(target_folder, sha256))
            continue;
        if (one_copy(source, sha256, target_folder, &problem)) {
            (*copied)++;
        } else if (is_removed(source.database, sha256)) {
            g_ptr_array_add(removed, raw->pdata[i]);
            g_error_free(problem);
        } else {
            g_propagate_error(error, problem);
            return false;
        }
    }
    return true;
}

static bool tokens_copy(const char *from, const char *to, GError **error) {
    g_autofree char *source = g_build_filename(from, SRV_AUTH_FILE, NULL);
    g_autofree char *target = g_build_filename(to, SRV_AUTH_FILE, NULL);
    return !g_file_test(source, G_FILE_TEST_EXISTS) || file_copy(source, target, error);
}

/* The database first: whatever it speaks of was stored before it. */
static bool measured_copy(place source, place target, unsigned *raw_files, GError **error) {
    const char *to = target.files;
    g_autoptr(GPtrArray) raw = NULL;
    g_autoptr(GPtrArray) removed = g_ptr_array_new();
    if (g_mkdir_with_parents(to, 0700) != 0)
        return fail(error, "cannot make", to);
    unsigned copied = 0;
    if (!srv_store_backup(source.database, target.database, error) ||
        !srv_store_file_check(target.database, &raw, error) ||
        !raw_copy(raw, source, to, &copied, removed, error) ||
        (removed->len > 0 && !srv_store_file_forget(target.database, removed, srv_now_ms(), error)))
        return false;
    *raw_files = raw->len - removed->len;
    printf("%s: the database, %u raw results (%u of them new)\n", to, *raw_files, copied);
    return true;
}

static bool backup(const cfg_server *config, const char *folder, GError **error) {
    g_autofree char *source = srv_context_database(config);
    g_autofree char *target = g_build_filename(folder, DATABASE, NULL);
    g_autoptr(srv_bucket) bucket = config->bucket.url ? srv_bucket_new(&config->bucket) : NULL;
    unsigned raw_files;
    return srv_command_database(config, error) && srv__manifest_drop(folder, error) &&
           measured_copy((place){source, config->shared_dir, bucket}, (place){target, folder, NULL},
                         &raw_files, error) &&
           tokens_copy(config->shared_dir, folder, error) &&
           srv__manifest_write(folder, target, raw_files, srv_now_ms(), error);
}

static void tell_compared(const json_t *manifest, int64_t rows) {
    if (!manifest)
        puts("The backup has no backup.json, so its rows could not be compared: an earlier version "
             "made it, or it was interrupted.");
    else if (rows == SRV__MANIFEST_UPGRADED)
        puts("The backup is of an older version: its database was upgraded, and its rows could not "
             "be compared with it.");
    else
        printf("%" G_GINT64_FORMAT " rows, as many of each table as the backup has\n", rows);
}

/* Into a server's database, by way of a copy: the backup itself stays as it is. The tokens last:
 * until the database has turned out to be empty, those in shared_dir may be of one that is used. */
static bool restore_rows(const cfg_server *config, const char *source, const char *folder,
                         GError **error) {
    srv_move moved = {0};
    g_autofree char *file = g_build_filename(config->data_dir, "restore.db", NULL);
    g_autofree char *beside = g_strconcat(file, "-changes", NULL);
    unsigned raw_files;
    if (g_mkdir_with_parents(config->data_dir, 0700) != 0)
        return fail(error, "cannot make", config->data_dir);
    const bool good = measured_copy((place){source, folder, NULL},
                                    (place){file, config->shared_dir, NULL}, &raw_files, error) &&
                      srv_store_move(file, config->database, true, NULL, &moved, error);
    (void)g_unlink(beside);
    (void)g_unlink(file);
    if (good)
        printf("%" G_GINT64_FORMAT " rows written, read back and compared\n", moved.compared);
    return good;
}

static bool restore_file(const cfg_server *config, const char *source, const char *folder,
                         GError **error) {
    g_autofree char *there = srv_context_database(config);
    unsigned raw_files;
    return measured_copy((place){source, folder, NULL}, (place){there, config->shared_dir, NULL},
                         &raw_files, error);
}

/* A file that is not what the backup has is not left for a daemon to start with. */
static bool compare(const cfg_server *config, const json_t *manifest, int64_t *rows,
                    GError **error) {
    g_autofree char *there = srv_context_database(config);
    const bool good = srv__manifest_compare(manifest, there, rows, error);
    if (!good && !config->database)
        (void)g_unlink(there);
    return good;
}

/* What is in the backup, then what has become of it. */
static bool restore_checked(const cfg_server *config, const char *source, const char *folder,
                            GError **error) {
    json_auto_t *manifest = NULL;
    int64_t rows = 0;
    if (!srv__manifest_read(folder, source, &manifest, error) ||
        !(config->database ? restore_rows : restore_file)(config, source, folder, error) ||
        !compare(config, manifest, &rows, error) || !tokens_copy(folder, config->shared_dir, error))
        return false;
    tell_compared(manifest, rows);
    return true;
}

/* Only where no database is: nothing that was measured is ever overwritten. */
static bool restore(const cfg_server *config, const char *folder, GError **error) {
    g_autofree char *there = g_build_filename(config->data_dir, DATABASE, NULL);
    g_autofree char *source = g_build_filename(folder, DATABASE, NULL);
    if (!config->database && g_file_test(there, G_FILE_TEST_EXISTS)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_CONFLICT,
                    "%s exists already; stop the daemon and move data_dir away first", there);
        return false;
    }
    if (!g_file_test(source, G_FILE_TEST_EXISTS)) {
        g_set_error(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                    "%s: holds no backup; give the folder that moowatchd backup --to made", folder);
        return false;
    }
    return restore_checked(config, source, folder, error);
}

static int command(int argc, char **argv, const char *folder_option, const char *summary,
                   bool (*run)(const cfg_server *, const char *, GError **)) {
    options o = {0};
    const GOptionEntry entries[] = {
        {"config", 'c', 0, G_OPTION_ARG_FILENAME, &o.config, "The server's YAML file", "FILE"},
        {folder_option, 0, 0, G_OPTION_ARG_FILENAME, &o.folder, "The backup's folder", "FOLDER"},
        {NULL, 0, 0, 0, NULL, NULL, NULL}};
    const char *name = argv[0];
    g_autoptr(GOptionContext) context = srv_command_context(name, NULL, summary);
    g_autoptr(GError) error = NULL;
    g_option_context_add_main_entries(context, entries, NULL);
    int status = 0;
    if (!g_option_context_parse(context, &argc, &argv, &error)) {
        status = 2;
    } else if (!o.config || !o.folder || argc > 1) {
        g_set_error(&error, SRV_ERROR, SRV_ERROR_INVALID, "needs --config FILE and --%s FOLDER",
                    folder_option);
        status = 2;
    } else {
        g_autoptr(cfg_server) config = srv_command_config(o.config, &error);
        if (!config || !run(config, o.folder, &error))
            status = 1;
    }
    if (error) {
        g_autofree char *who = g_strconcat("moowatchd ", name, NULL);
        cfg_complain(who, error->message);
    }
    g_free(o.config);
    g_free(o.folder);
    return status;
}

int srv_backup_command(int argc, char **argv) {
    return command(argc, argv, "to",
                   "Copies database, raw results and tokens while the daemon runs; a second time "
                   "only what is new.",
                   backup);
}

int srv_restore_command(int argc, char **argv) {
    return command(argc, argv, "from", "Fills an empty data_dir from a backup, after checking it.",
                   restore);
}
