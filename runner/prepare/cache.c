#include "runner/prepare/cache.h"

#include "config/json_text.h"
#include "config/log.h"
#include "runner/ground/durable.h"
#include "runner/ground/error.h"
#include "runner/process/scratch.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ENTRY "entry.json"
#define COMING "coming" /* not whole yet */

struct run_cache {
    const run_node *node;
    char *folder;
    bool shared;            /* code under test is of our user: nothing on disk is believed */
    GHashTable *remembered; /* key → hash, of what this agent has put */
};

typedef struct {
    char *key;
    uint64_t bytes;
    int64_t used_ns;
} item;

static void item_clear(void *memory) {
    g_free(((item *)memory)->key);
}

static char *path_of(const run_cache *cache, const char *key, const char *below) {
    return g_build_filename(cache->folder, key, below, NULL);
}

static void drop_folder(const char *path) {
    g_autoptr(GError) problem = NULL;
    if (!run_scratch_remove(path, &problem))
        cfg_log("warning", "cache", "left_over", "reason=\"%s\"", problem->message);
}

static void drop(run_cache *cache, const char *key) {
    g_autofree char *path = path_of(cache, key, NULL);
    g_hash_table_remove(cache->remembered, key);
    drop_folder(path);
}

static json_t *read_entry(const run_cache *cache, const char *key, struct stat *status) {
    g_autofree char *path = path_of(cache, key, ENTRY);
    json_t *entry =
        lstat(path, status) == 0 && S_ISREG(status->st_mode) ? json_load_file(path, 0, NULL) : NULL;
    if (json_is_string(json_object_get(entry, "sha256")) &&
        json_is_object(json_object_get(entry, "record")))
        return entry;
    json_decref(entry);
    return NULL;
}

static int by_use(const void *a, const void *b) {
    int64_t one = ((const item *)a)->used_ns, other = ((const item *)b)->used_ns;
    return (one > other) - (one < other);
}

/* All entries, least recently used first; anything else there is removed. sum: of their bytes, out.
 */
static GArray *list(run_cache *cache, uint64_t *sum) {
    GArray *items = g_array_new(FALSE, TRUE, sizeof(item));
    g_array_set_clear_func(items, item_clear);
    g_autoptr(GDir) dir = g_dir_open(cache->folder, 0, NULL);
    g_autoptr(GPtrArray) wrong = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while (dir && (name = g_dir_read_name(dir))) {
        struct stat status;
        json_auto_t *entry = read_entry(cache, name, &status);
        if (!entry) {
            g_ptr_array_add(wrong, g_strdup(name));
            continue;
        }
        item one = {.key = g_strdup(name),
                    .bytes = (uint64_t)cfg_json_integer(entry, "bytes"),
                    .used_ns = (int64_t)status.st_mtim.tv_sec * INT64_C(1000000000) +
                               status.st_mtim.tv_nsec};
        *sum += one.bytes;
        g_array_append_val(items, one);
    }
    for (guint i = 0; i < wrong->len; i++)
        drop(cache, wrong->pdata[i]);
    g_array_sort(items, by_use);
    return items;
}

uint64_t run_cache_bytes(run_cache *cache) {
    uint64_t sum = 0;
    g_array_unref(list(cache, &sum));
    return sum;
}

void run_cache_shrink(run_cache *cache, uint64_t bytes) {
    uint64_t sum = 0;
    g_autoptr(GArray) items = list(cache, &sum);
    for (guint i = 0; i < items->len && sum > bytes; i++) {
        const item *one = &g_array_index(items, item, i);
        cfg_log("info", "cache", "dropped", "key=%s bytes=%" PRIu64, one->key, one->bytes);
        sum -= one->bytes;
        drop(cache, one->key);
    }
}

run_cache *run_cache_open(const run_node *node) {
    run_cache *cache = g_new0(run_cache, 1);
    cache->node = node;
    cache->folder = run_node_path(node, "cache");
    cache->shared = !node->switch_user;
    cache->remembered = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    run_cache_shrink(cache, cache->shared ? 0 : node->config->prepared_cache_bytes);
    return cache;
}

void run_cache_free(run_cache *cache) {
    if (cache) {
        g_hash_table_unref(cache->remembered);
        g_free(cache->folder);
        g_free(cache);
    }
}

/* An error of the node's costs the cache, not the job. True: go on without. */
static bool go_on(GError *problem, const char *what, GError **error) {
    if (!g_error_matches(problem, RUN_ERROR, RUN_ERROR_NODE)) {
        g_propagate_error(error, problem);
        return false;
    }
    cfg_log("warning", "cache", what, "reason=\"%s\"", problem->message);
    g_error_free(problem);
    return true;
}

/* Does the copy have the bytes that were put? */
static bool is_right(const run_cache *cache, const char *key, json_t *entry, GChecksum *sum) {
    const char *expected = cfg_json_word(entry, "sha256", NULL);
    if (cache->shared)
        expected = g_hash_table_lookup(cache->remembered, key);
    return g_strcmp0(g_checksum_get_string(sum), expected) == 0;
}

bool run_cache_get(run_cache *cache, const char *key, const char *folder, run_process_tick tick,
                   void *tick_data, json_t **record, GError **error) {
    struct stat status;
    GError *problem = NULL;
    json_auto_t *entry = read_entry(cache, key, &status);
    *record = NULL;
    if (!entry)
        return true;
    g_autofree char *files = path_of(cache, key, "files");
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    run_tree_copying copying = {.limit_bytes = UINT64_MAX, .tick = tick, .tick_data = tick_data};
    bool good = run_scratch_remove(folder, &problem) &&
                run_scratch_reserve(cache->folder,
                                    cache->node->config->disk_reserve_bytes +
                                        (uint64_t)cfg_json_integer(entry, "bytes"),
                                    &problem) &&
                run_tree_copy(files, folder, &copying, sum, &problem);
    if (good && is_right(cache, key, entry, sum)) {
        g_autofree char *path = path_of(cache, key, ENTRY);
        struct timespec now[2];
        clock_gettime(CLOCK_REALTIME, &now[0]); /* finer than the kernel's own stamps */
        now[1] = now[0];
        utimensat(AT_FDCWD, path, now, 0);
        *record = json_incref(json_object_get(entry, "record"));
    } else if (good) {
        cfg_log("warning", "cache", "damaged", "key=%s next=\"prepared anew\"", key);
        drop(cache, key);
    } else {
        drop_folder(folder);
        return go_on(problem, "not_used", error);
    }
    return true;
}

/* Copied, synced and named: a power cut leaves all of it or nothing that counts. */
static bool store(run_cache *cache, const char *key, const char *folder, json_t *record,
                  run_tree_copying *copying, GError **error) {
    g_autofree char *coming = path_of(cache, COMING, NULL);
    g_autofree char *files = path_of(cache, COMING, "files");
    g_autofree char *entry_path = path_of(cache, COMING, ENTRY);
    g_autofree char *final = path_of(cache, key, NULL);
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    if (!run_scratch_make(coming, error) || !run_tree_copy(folder, files, copying, sum, error))
        return false;
    int fd = open(coming, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = fd >= 0 && syncfs(fd) == 0;
    if (fd >= 0)
        close(fd);
    json_auto_t *entry = json_pack("{s:s, s:I, s:O}", "sha256", g_checksum_get_string(sum), "bytes",
                                   (json_int_t)run_scratch_bytes(files), "record", record);
    bool good = run_durable_json(entry_path, entry, error);
    drop(cache, key);
    if (good && (!synced || rename(coming, final) != 0)) {
        run_fail(error, RUN_ERROR_NODE, "cannot keep %s", final);
        good = false;
    }
    if (good)
        g_hash_table_insert(cache->remembered, g_strdup(key), g_strdup(g_checksum_get_string(sum)));
    return good;
}

bool run_cache_put(run_cache *cache, const char *key, const char *folder, json_t *record,
                   run_process_tick tick, void *tick_data, GError **error) {
    const cfg_runner *config = cache->node->config;
    uint64_t bytes = config->prepared_cache_bytes > 0 ? run_scratch_bytes(folder) : UINT64_MAX;
    GError *problem = NULL;
    if (bytes > config->prepared_cache_bytes) {
        if (config->prepared_cache_bytes > 0)
            cfg_log("info", "cache", "too_large", "bytes=%" PRIu64, bytes);
        return true;
    }
    run_cache_shrink(cache, config->prepared_cache_bytes - bytes);
    uint64_t wanted = config->disk_reserve_bytes + bytes;
    if (run_scratch_free_bytes(cache->folder) < wanted)
        run_cache_shrink(cache, 0);
    run_tree_copying copying = {
        .limit_bytes = config->prepared_cache_bytes, .tick = tick, .tick_data = tick_data};
    if (run_scratch_reserve(cache->folder, wanted, &problem) &&
        store(cache, key, folder, record, &copying, &problem))
        return true;
    drop(cache, COMING);
    return go_on(problem, "not_kept", error);
}
