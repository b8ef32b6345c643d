#include "ci/formats/moobench.h"

#include "config/number.h"

#include "config/moobench.h"
#include "detector/reader/raw.h"

#include <pthread.h>

#define LABELS_BYTES_MAX ((size_t)256 * 1024)

typedef struct {
    const ci_source *source;
    const ci_raw_files *files;
    const ci_moobench_options *options;
    ci_results *results;
    pthread_mutex_t lock; /* of all below */
    ci_counts **counts;   /* [configurations] */
    guint next, done;
    GError *error; /* of the first file that cannot be read, by their order */
    guint wrong;   /* which one that is */
} reading;

static bool is_fine(det_status status, const det_raw_error *wrong, GError **error) {
    if (status != DET_OK)
        ci_wrong(error, "%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT ": %s", (guint64)wrong->line,
                 (guint64)wrong->column, wrong->text);
    return status == DET_OK;
}

static bool feed(const void *bytes, size_t size, void *user, GError **error) {
    det_raw_error wrong;
    return is_fine(det_raw_feed(user, bytes, size, &wrong), &wrong, error);
}

static uint64_t warmup_of(const reading *r, const ci_raw_file *file) {
    return r->options->project_warmup
               ? r->options->project->benchmark.configurations[file->configuration].warmup_calls
               : r->options->warmup_calls;
}

/* One raw file to its summary; counts gets every call. */
static bool file_read(const reading *r, const ci_raw_file *file, ci_loop *loop, ci_counts *counts,
                      GError **error) {
    const det_raw_options options = {.warmup_calls = warmup_of(r, file), .calls_max = CI_CALLS_MAX};
    det_raw *raw = det_raw_new(&options);
    det_raw_result result = {0};
    det_raw_error wrong;
    const bool good = raw && ci_source_read(r->source, file->entry, feed, raw, error) &&
                      is_fine(det_raw_finish(raw, &result, &wrong), &wrong, error);
    if (!raw)
        ci_wrong(error, " no memory");
    if (good) {
        ci_counts_add(counts, result.ns, result.calls);
        *loop = (ci_loop){.warmup_calls = result.warmup_calls,
                          .threads = (unsigned)result.threads,
                          .present = true};
        (void)ci_counts_summary(counts, &loop->calls);
    } else if (!g_str_has_prefix((*error)->message, file->entry->path)) {
        g_prefix_error(error, "%s:", file->entry->path);
    }
    det_raw_free(raw);
    return good;
}

static void *work(void *user) {
    reading *r = user;
    pthread_mutex_lock(&r->lock);
    while (!r->error && r->next < r->files->files->len) {
        const guint at = r->next++;
        const ci_raw_file *file = &g_array_index(r->files->files, ci_raw_file, at);
        pthread_mutex_unlock(&r->lock);
        ci_loop loop = {0};
        g_autoptr(ci_counts) counts = ci_counts_new();
        g_autoptr(GError) error = NULL;
        const bool good = file_read(r, file, &loop, counts, &error);
        pthread_mutex_lock(&r->lock);
        if (!good) {
            if (r->error && at > r->wrong)
                break;
            g_clear_error(&r->error);
            r->error = g_steal_pointer(&error);
            r->wrong = at;
            break;
        }
        r->results->configurations[file->configuration].loops[file->loop - 1] = loop;
        ci_counts_merge(r->counts[file->configuration], counts);
        r->done++;
        if (r->options->progress)
            r->options->progress(r->done, r->files->files->len, r->options->progress_user);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static bool read_files(reading *r, GError **error) {
    guint count = r->options->threads ? r->options->threads : g_get_num_processors();
    count = MAX(1, MIN(count, r->files->files->len));
    g_autofree pthread_t *threads = g_new(pthread_t, count);
    guint started = 0;
    while (started + 1 < count && pthread_create(&threads[started], NULL, work, r) == 0)
        started++;
    (void)work(r);
    for (guint i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    if (r->error)
        g_propagate_error(error, r->error);
    return !r->error;
}

static const char *path_of(const ci_raw_files *files, guint configuration, unsigned loop) {
    for (guint i = 0; i < files->files->len; i++) {
        const ci_raw_file *file = &g_array_index(files->files, ci_raw_file, i);
        if (file->configuration == configuration && file->loop == loop)
            return file->entry->path;
    }
    return "";
}

/* A process that died early leaves a shorter file, which may well end with a whole line. */
static bool lengths_check(const ci_results *results, const ci_raw_files *files, GError **error) {
    for (guint c = 0; c < results->links->len; c++) {
        unsigned shortest = 0, longest = 0; /* loops, from 1; 0: none yet */
        uint64_t least = UINT64_MAX, most = 0;
        for (unsigned l = 1; l <= results->loops; l++) {
            const ci_loop *loop = &results->configurations[c].loops[l - 1];
            const uint64_t calls = loop->calls.n + loop->warmup_calls;
            if (loop->present && calls < least)
                least = calls, shortest = l;
            if (loop->present && calls > most)
                most = calls, longest = l;
        }
        if (shortest && least != most)
            return ci_wrong(error,
                            "%s: %" G_GUINT64_FORMAT " calls, but %" G_GUINT64_FORMAT
                            " in %s; was it cut short? --allow-missing uses what is there",
                            path_of(files, c, shortest), least, most, path_of(files, c, longest));
    }
    return true;
}

static bool read_all(const ci_source *source, const ci_raw_files *files,
                     const ci_moobench_options *options, ci_results *results, GError **error) {
    reading r = {.source = source, .files = files, .options = options, .results = results};
    pthread_mutex_init(&r.lock, NULL);
    r.counts = g_new0(ci_counts *, results->links->len);
    for (guint i = 0; i < results->links->len; i++)
        r.counts[i] = ci_counts_new();
    const bool good = read_files(&r, error);
    for (guint i = 0; i < results->links->len; i++) {
        (void)ci_counts_summary(r.counts[i], &results->configurations[i].all);
        ci_counts_free(r.counts[i]);
    }
    g_free(r.counts);
    pthread_mutex_destroy(&r.lock);
    return good && (options->allow_missing || lengths_check(results, files, error));
}

static bool label(const ci_source *source, const char *asked, GPtrArray *links, GError **error) {
    g_autofree char *folder = asked ? g_path_get_dirname(asked) : NULL;
    g_autoptr(ci_source) other = asked ? ci_source_open(folder, error) : NULL;
    if (asked && !other)
        return false;
    g_autofree char *name = asked ? g_path_get_basename(asked) : g_strdup("labels.sh");
    const ci_entry *entry = ci_source_find(other ? other : source, name);
    if (!entry) {
        if (asked)
            ci_wrong(error, "%s: there is no such file", asked);
        return !asked;
    }
    g_autofree char *text = ci_source_text(other ? other : source, entry, LABELS_BYTES_MAX, error);
    if (!text)
        return false;
    g_autoptr(GHashTable) labels = cfg_labels_parse(text);
    for (guint i = 0; i < links->len; i++) {
        ci_link *link = links->pdata[i];
        guint64 number;
        const char *title = NULL;
        if (cfg_number_unsigned(link->name, 0, 999, &number))
            title = g_hash_table_lookup(labels, GUINT_TO_POINTER((guint)number));
        if (title) {
            g_free(link->label);
            link->label = g_strdup(title);
        }
    }
    return true;
}

/* The folder of a framework keeps labels.sh beside results/; two that differ are not guessed at. */
static bool labels_find(const ci_source *source, const ci_moobench_options *options, char **path,
                        GError **error) {
    *path = g_strdup(options->labels);
    if (options->labels || options->project)
        return true;
    g_autofree char *folder = g_path_get_dirname(source->path);
    const bool is_folder = g_file_test(source->path, G_FILE_TEST_IS_DIR);
    g_autofree char *above = is_folder ? g_build_filename(source->path, "..", "labels.sh", NULL)
                                       : g_build_filename(folder, "labels.sh", NULL);
    const ci_entry *inside = ci_source_find(source, "labels.sh");
    if (!g_file_test(above, G_FILE_TEST_IS_REGULAR))
        return true;
    g_autofree char *here = inside ? ci_source_text(source, inside, LABELS_BYTES_MAX, error) : NULL;
    g_autofree char *there = NULL;
    if (inside && !here)
        return false;
    if (inside && g_file_get_contents(above, &there, NULL, NULL) && !g_str_equal(here, there))
        return ci_wrong(error, "two label files that differ: %s and %s; choose one with --labels",
                        inside->path, above);
    if (!inside)
        *path = g_steal_pointer(&above);
    return true;
}

static bool chain(ci_results *results, const ci_moobench_options *options, GError **error) {
    const bool good = options->project ? ci_chain_project(results->links, options->project, error)
                      : options->chain ? ci_chain_spec(results->links, options->chain, error)
                                       : ci_chain_upstream(results->links, error);
    return good && ci_chain_detector(results->links, &results->chain, error);
}

static bool has_raw(const ci_source *source) {
    g_autoptr(GPatternSpec) raw = g_pattern_spec_new("raw-*-*-*.csv");
    const GPtrArray *entries = source->entries;
    for (guint i = 0; i < entries->len; i++)
        if (g_pattern_spec_match_string(raw, ((const ci_entry *)entries->pdata[i])->name))
            return true;
    return false;
}

/* Where upstream's scripts leave results below a framework's folder: [char*], by name. */
static GPtrArray *below_of(const char *path) {
    GPtrArray *below = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    g_ptr_array_add(below, g_strdup("results"));
    for (const char *name; folder && (name = g_dir_read_name(folder));)
        if (g_str_has_prefix(name, "results-"))
            g_ptr_array_add(below, g_strdup(name));
    for (guint i = 0, folders = below->len; i < folders; i++)
        g_ptr_array_add(below, g_build_filename(below->pdata[i], "results.zip", NULL));
    g_ptr_array_add(below, g_strdup("results.zip"));
    return below;
}

/* Where the raw files are: here, in results/ or results-<framework>/, or in a results.zip. Of
 * two places that have some none is guessed at. */
static ci_source *source_open(const char *path, GError **error) {
    g_autoptr(ci_source) source = ci_source_open(path, error);
    g_autoptr(ci_source) found = NULL;
    if (!source || !g_file_test(path, G_FILE_TEST_IS_DIR) || has_raw(source))
        return g_steal_pointer(&source);
    g_autoptr(GPtrArray) below = below_of(path);
    for (guint i = 0; i < below->len; i++) {
        g_autofree char *inner = g_build_filename(path, below->pdata[i], NULL);
        if (!g_file_test(inner, G_FILE_TEST_EXISTS))
            continue;
        g_autoptr(ci_source) other = ci_source_open(inner, error);
        if (!other)
            return NULL;
        if (!has_raw(other))
            continue;
        if (found && found->folder == other->folder) {
            ci_wrong(error, "%s and %s both have raw files; name one of them", found->path, inner);
            return NULL;
        }
        if (!found)
            found = g_steal_pointer(&other);
    }
    return found ? g_steal_pointer(&found) : g_steal_pointer(&source);
}

ci_results *ci_moobench_read(const char *path, const ci_moobench_options *options, GError **error) {
    g_autoptr(ci_source) source = source_open(path, error);
    g_auto(ci_raw_files) files = {0};
    g_autofree char *labels = NULL;
    if (!source ||
        !ci_raw_files_find(source, options->depth, options->allow_missing, &files, error) ||
        !labels_find(source, options, &labels, error) || !label(source, labels, files.links, error))
        return NULL;
    g_autoptr(ci_results) results = g_new0(ci_results, 1);
    results->path = g_strdup(source->path);
    results->depth = files.depth;
    results->loops = files.loops;
    results->links = g_ptr_array_ref(files.links);
    /* the project's order may differ from the files': follow the links, not the indices */
    g_autofree ci_link **before =
        g_memdup2(files.links->pdata, files.links->len * sizeof(ci_link *));
    if (!chain(results, options, error))
        return NULL;
    for (guint i = 0; i < files.files->len; i++) {
        ci_raw_file *file = &g_array_index(files.files, ci_raw_file, i);
        guint at = 0;
        while (results->links->pdata[at] != before[file->configuration])
            at++;
        file->configuration = at;
    }
    results->configurations = g_new0(ci_configuration, results->links->len);
    for (guint i = 0; i < results->links->len; i++) {
        results->configurations[i].link = results->links->pdata[i];
        results->configurations[i].loops = g_new0(ci_loop, results->loops);
    }
    return read_all(source, &files, options, results, error) ? g_steal_pointer(&results) : NULL;
}

void ci_results_free(ci_results *results) {
    if (!results)
        return;
    for (guint i = 0; results->configurations && i < results->links->len; i++)
        g_free(results->configurations[i].loops);
    g_free(results->configurations);
    g_clear_pointer(&results->links, g_ptr_array_unref);
    g_free(results->path);
    g_free(results);
}
