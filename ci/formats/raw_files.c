#include "ci/formats/moobench.h"

#include "config/number.h"

#include "config/moobench.h"

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

static bool collect(const ci_source *source, GArray *all, GError **error) {
    const GPtrArray *entries = ci_source_entries(source);
    for (guint i = 0; i < entries->len; i++) {
        const ci_entry *entry = entries->pdata[i];
        cfg_moobench_raw raw;
        if (!cfg_moobench_raw_name(entry->name, &raw))
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
               ci_source_path(source));
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
        return ci_wrong(error, "%s: no results of recursion depth %u; found: %s",
                        ci_source_path(source), asked, list->str);
    *depth = g_array_index(depths, unsigned, 0);
    return depths->len == 1 ||
           ci_wrong(error, "%s: results of several recursion depths (%s); choose one with --depth",
                    ci_source_path(source), list->str);
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
                            "%s: raw-%u-%u-%s.csv is missing (there are %u loops of other "
                            "configurations); --allow-missing continues without it",
                            ci_source_path(source), (unsigned)(i % out->loops) + 1, out->depth,
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
    if (!collect(source, all, error) || !one_depth(source, all, depth, &files.depth, error))
        return false;
    name_links(all, &files);
    if (files.links->len > DET_CONFIGURATIONS_MAX)
        return ci_wrong(error, "%s: %u configurations; at most %u can be analysed",
                        ci_source_path(source), files.links->len, DET_CONFIGURATIONS_MAX);
    if (!place(source, all, allow_missing, &files, error))
        return false;
    *out = files;
    files = (ci_raw_files){0};
    return true;
}
