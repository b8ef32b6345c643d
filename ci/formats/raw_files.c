#include "ci/formats/moobench.h"
#include "config/moobench.h"
#include "config/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

void ci_raw_files_clear(ci_raw_files *files) {
    g_clear_pointer(&files->files, g_array_unref);
    g_clear_pointer(&files->links, g_ptr_array_unref);
}

/* Numbers before names, numbers by value: "10" after "9". */
static gint by_number(gconstpointer a, gconstpointer b) {
    const ci_link *const *x = a, *const *y = b;
    guint64 m, n;
    const bool first = cfg_number_unsigned((*x)->name, 0, G_MAXUINT32, &m);
    const bool second = cfg_number_unsigned((*y)->name, 0, G_MAXUINT32, &n);
    if (first && second)
        return (m > n) - (m < n);
    return first != second ? (first ? -1 : 1) : strcmp((*x)->name, (*y)->name);
}

typedef struct {
    const ci_entry *entry;
    char *configuration;
    unsigned loop, depth;
} found;

static void found_clear(void *pointer) {
    g_free(((found *)pointer)->configuration);
}

/* With allow_missing a file without a call is as one that is not there. */
static bool collect(const ci_source *source, bool allow_missing, GArray *all, GError **error) {
    const GPtrArray *entries = source->entries;
    for (guint i = 0; i < entries->len; i++) {
        const ci_entry *entry = entries->pdata[i];
        cfg_moobench_raw raw;
        if (!cfg_moobench_raw_name(entry->name, &raw) || (allow_missing && entry->bytes == 0))
            continue;
        const found one = {entry, g_strdup(raw.configuration), raw.loop, raw.depth};
        g_array_append_val(all, one);
        if (one.loop < 1 || one.loop > DET_LOOPS_MAX)
            return ci_wrong(error, "%s: loop %u is not between 1 and %u", entry->path, one.loop,
                            DET_LOOPS_MAX);
    }
    return all->len ||
           ci_wrong(
               error,
               "%s: holds no raw-<loop>-<depth>-<configuration>.csv; is this a MooBench result?",
               source->path);
}

static gint ascending(gconstpointer a, gconstpointer b) {
    const unsigned *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static bool one_depth(const ci_source *source, const GArray *all, unsigned asked, unsigned *depth,
                      GError **error) {
    g_autoptr(GArray) depths = g_array_new(FALSE, FALSE, sizeof(unsigned));
    for (guint i = 0; i < all->len; i++) {
        const unsigned d = g_array_index(all, found, i).depth;
        bool known = false;
        for (guint k = 0; k < depths->len; k++)
            known |= g_array_index(depths, unsigned, k) == d;
        if (!known)
            g_array_append_val(depths, d);
        if (d == asked && asked != CI_DEPTH_ANY) {
            *depth = asked;
            return true;
        }
    }
    g_array_sort(depths, ascending);
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint k = 0; k < depths->len; k++)
        g_string_append_printf(list, "%s%u", k ? ", " : "", g_array_index(depths, unsigned, k));
    if (asked != CI_DEPTH_ANY)
        return ci_wrong(error, "%s: no results of recursion depth %u; found: %s", source->path,
                        asked, list->str);
    *depth = g_array_index(depths, unsigned, 0);
    return depths->len == 1 ||
           ci_wrong(error, "%s: results of several recursion depths (%s); choose one with --depth",
                    source->path, list->str);
}

static void name_links(const GArray *all, ci_raw_files *out) {
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < all->len; i++) {
        const found *one = &g_array_index(all, found, i);
        if (one->depth != out->depth || !g_hash_table_add(seen, one->configuration))
            continue;
        ci_link *link = g_new0(ci_link, 1);
        link->name = g_strdup(one->configuration);
        link->label = g_strdup(one->configuration);
        link->parent = -1;
        g_ptr_array_add(out->links, link);
    }
    g_ptr_array_sort(out->links, by_number);
}

static bool place(const ci_source *source, const GArray *all, bool allow_missing, ci_raw_files *out,
                  GError **error) {
    for (guint i = 0; i < all->len; i++) {
        const found *one = &g_array_index(all, found, i);
        if (one->depth != out->depth)
            continue;
        ci_raw_file file = {one->entry, one->loop, one->depth, 0};
        while (!g_str_equal(((ci_link *)out->links->pdata[file.configuration])->name,
                            one->configuration))
            file.configuration++;
        out->loops = MAX(out->loops, one->loop);
        g_array_append_val(out->files, file);
    }
    g_autofree const ci_entry **grid =
        g_new0(const ci_entry *, (gsize)out->loops * out->links->len);
    for (guint i = 0; i < out->files->len; i++) {
        const ci_raw_file *file = &g_array_index(out->files, ci_raw_file, i);
        const ci_entry **cell = &grid[(gsize)file->configuration * out->loops + file->loop - 1];
        if (*cell)
            return ci_wrong(error, "two files for loop %u of configuration %s: %s and %s",
                            file->loop, ((ci_link *)out->links->pdata[file->configuration])->name,
                            (*cell)->path, file->entry->path);
        *cell = file->entry;
    }
    for (gsize i = 0; i < (gsize)out->loops * out->links->len && !allow_missing; i++)
        if (!grid[i])
            return ci_wrong(error,
                            "%s: raw-%u-%u-%s.csv is missing (the last loop there is %u); "
                            "--allow-missing continues without it",
                            source->path, (unsigned)(i % out->loops) + 1, out->depth,
                            ((ci_link *)out->links->pdata[i / out->loops])->name, out->loops);
    return true;
}

bool ci_raw_files_find(const ci_source *source, unsigned depth, bool allow_missing,
                       ci_raw_files *out, GError **error) {
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(found));
    g_array_set_clear_func(all, found_clear);
    g_auto(ci_raw_files) files = {
        .files = g_array_new(FALSE, FALSE, sizeof(ci_raw_file)),
        .links = g_ptr_array_new_with_free_func(ci_link_free),
    };
    if (!collect(source, allow_missing, all, error) ||
        !one_depth(source, all, depth, &files.depth, error))
        return false;
    name_links(all, &files);
    if (files.links->len > DET_CONFIGURATIONS_MAX)
        return ci_wrong(error, "%s: %u configurations; at most %u can be analysed", source->path,
                        files.links->len, DET_CONFIGURATIONS_MAX);
    if (!place(source, all, allow_missing, &files, error))
        return false;
    *out = files;
    files = (ci_raw_files){0};
    return true;
}

__extension__ typedef unsigned __int128 wide;

struct ci_counts {
    uint64_t dense[CI_COUNTS_DENSE];
    GArray *sparse; /* uint64_t, sorted before it is read */
    uint64_t n;
    wide sum; /* 2^53 a value, 2^64 values: fits */
};

ci_counts *ci_counts_new(void) {
    ci_counts *counts = g_new0(ci_counts, 1);
    counts->sparse = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    return counts;
}

void ci_counts_free(ci_counts *counts) {
    if (!counts)
        return;
    g_array_unref(counts->sparse);
    g_free(counts);
}

void ci_counts_add(ci_counts *counts, const double *ns, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const uint64_t value = (uint64_t)ns[i];
        counts->sum += value;
        if (value < CI_COUNTS_DENSE)
            counts->dense[value]++;
        else
            g_array_append_val(counts->sparse, value);
    }
    counts->n += n;
}

void ci_counts_merge(ci_counts *counts, const ci_counts *more) {
    for (size_t i = 0; i < CI_COUNTS_DENSE; i++)
        counts->dense[i] += more->dense[i];
    g_array_append_vals(counts->sparse, more->sparse->data, more->sparse->len);
    counts->n += more->n;
    counts->sum += more->sum;
}

static gint counts_ascending(gconstpointer a, gconstpointer b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The value at each of the given ranks (counts_ascending, from 0). */
static void at_ranks(const ci_counts *counts, const uint64_t *ranks, double *values, size_t n) {
    uint64_t before = 0;
    size_t next = 0;
    for (size_t v = 0; v < CI_COUNTS_DENSE && next < n; v++) {
        before += counts->dense[v];
        while (next < n && ranks[next] < before)
            values[next++] = (double)v;
    }
    for (; next < n; next++)
        values[next] = (double)g_array_index(counts->sparse, uint64_t, ranks[next] - before);
}

static double spread(const ci_counts *counts, long double mean) {
    if (counts->n < 2)
        return NAN;
    long double squares = 0;
    for (size_t v = 0; v < CI_COUNTS_DENSE; v++) {
        const long double deviation = (long double)v - mean;
        if (counts->dense[v])
            squares += (long double)counts->dense[v] * deviation * deviation;
    }
    for (guint i = 0; i < counts->sparse->len; i++) {
        const long double deviation =
            (long double)g_array_index(counts->sparse, uint64_t, i) - mean;
        squares += deviation * deviation;
    }
    return (double)sqrtl(squares / (long double)(counts->n - 1));
}

/* All quantiles of the summary (type 7), in two walks. */
static void quantiles(const ci_counts *counts, det_summary *out) {
    uint64_t below[DET_SUMMARY_MEMBERS], above[DET_SUMMARY_MEMBERS];
    double low[DET_SUMMARY_MEMBERS], high[DET_SUMMARY_MEMBERS], part[DET_SUMMARY_MEMBERS];
    const det_summary_member *members[DET_SUMMARY_MEMBERS];
    const uint64_t last = counts->n - 1;
    size_t n = 0;
    for (size_t i = 0; i < DET_SUMMARY_MEMBERS; i++) {
        const double position = (double)last * det_summary_members[i].probability;
        const bool known = det_summary_knows(&det_summary_members[i], counts->n);
        if (!known)
            det_summary_set(out, &det_summary_members[i], NAN);
        if (!known || isnan(position))
            continue;
        members[n] = &det_summary_members[i];
        below[n] = (uint64_t)position;
        above[n] = MIN(below[n] + 1, last);
        part[n] = position - (double)below[n];
        n++;
    }
    at_ranks(counts, below, low, n);
    at_ranks(counts, above, high, n);
    for (size_t i = 0; i < n; i++)
        det_summary_set(out, members[i], low[i] + part[i] * (high[i] - low[i]));
}

det_status ci_counts_summary(ci_counts *counts, det_summary *out) {
    if (!counts->n)
        return DET_ESHORT;
    g_array_sort(counts->sparse, counts_ascending);
    const long double mean = (long double)counts->sum / (long double)counts->n;
    *out = (det_summary){.n = counts->n, .mean = (double)mean, .sd = spread(counts, mean)};
    quantiles(counts, out);
    return DET_OK;
}
