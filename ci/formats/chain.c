#include "ci/formats/chain.h"

#include "config/number.h"

#include <string.h>

void ci_link_free(void *pointer) {
    ci_link *link = pointer;
    if (!link)
        return;
    g_free(link->name);
    g_free(link->label);
    g_free(link->portion);
    g_free(link);
}

static int find(const GPtrArray *links, const char *name, guint before) {
    for (guint i = 0; i < before; i++)
        if (g_str_equal(((const ci_link *)links->pdata[i])->name, name))
            return (int)i;
    return -1;
}

static void set(ci_link *link, int parent, char *portion) {
    link->parent = parent;
    g_free(link->portion);
    link->portion = portion;
}

static bool numbers_check(const GPtrArray *links, guint *writers, GError **error) {
    for (guint i = 0; i < links->len; i++) {
        const ci_link *link = links->pdata[i];
        guint64 number;
        if (!cfg_number_unsigned(link->name, 0, 999, &number))
            return ci_wrong(error,
                            "configuration \"%s\" is not a number, so its place in the chain is "
                            "unknown; give the chain with --chain or --project",
                            link->name);
        *writers += number > 2;
    }
    return true;
}

/* Metrics are counted in place of the traces that 2 makes, and upstream switches those off for
 * them: what 2 costs is not in it. */
static bool is_of_metrics(const ci_link *link) {
    return link->label && g_ascii_strncasecmp(link->label, "Prometheus", 10) == 0;
}

static bool is_taken(const GPtrArray *links, const char *portion, guint before) {
    for (guint i = 0; i < before; i++)
        if (g_strcmp0(((const ci_link *)links->pdata[i])->portion, portion) == 0)
            return true;
    return false;
}

/* "W Zipkin": of several writers each is called by its label, or without one by its number. */
static void writer_name(const GPtrArray *links, guint at, GString *portion) {
    const ci_link *link = links->pdata[at];
    const gsize letters = portion->len;
    const bool labelled = link->label && *link->label && !g_str_equal(link->label, link->name);
    if (labelled)
        g_string_append_printf(portion, " %s", link->label);
    if (!labelled || is_taken(links, portion->str, at)) {
        g_string_truncate(portion, letters);
        g_string_append_printf(portion, "-%s", link->name);
    }
}

static char *letters_of(unsigned level, unsigned number) {
    static const char *const letters[] = {"T", "I", "C", "W"};
    GString *portion = g_string_new(NULL);
    for (unsigned l = level; l <= MIN(number, 3); l++)
        g_string_append_printf(portion, "%s%s", portion->len ? "+" : "", letters[l]);
    return g_string_free(portion, FALSE);
}

bool ci_chain_upstream(GPtrArray *links, GError **error) {
    guint writers = 0;
    int last = -1, probe = -1, records = -1; /* the newest of 0, 1, 2; 1; 2; -1: not there */
    unsigned level = 0;                      /* first letter not yet spoken for */
    if (!numbers_check(links, &writers, error))
        return false;
    for (guint i = 0; i < links->len; i++) {
        ci_link *link = links->pdata[i];
        const unsigned number = (unsigned)g_ascii_strtoull(link->name, NULL, 10);
        const bool aside = number > 2 && probe >= 0 && records >= 0 && is_of_metrics(link);
        g_autofree char *letters = letters_of(aside ? 2 : level, number);
        g_autoptr(GString) portion = g_string_new(letters);
        if (number > 2 && writers > 1 && i)
            writer_name(links, i, portion);
        set(link, aside ? probe : last, g_string_free(g_steal_pointer(&portion), FALSE));
        if (number <= 2 || !i) {
            last = (int)i;
            level = MIN(number, 2) + 1;
        }
        probe = number == 1 ? (int)i : probe;
        records = number == 2 ? (int)i : records;
    }
    return true;
}

bool ci_chain_spec(GPtrArray *links, const char *spec, GError **error) {
    g_auto(GStrv) items = g_strsplit(spec, ",", -1);
    const guint count = g_strv_length(items);
    if (count != links->len)
        return ci_wrong(error, "--chain has %u items, but there are %u configurations", count,
                        links->len);
    for (guint i = 0; i < count; i++) {
        char *colon = strchr(items[i], ':');
        int parent = (int)i - 1;
        if (colon) {
            *colon = 0;
            parent = find(links, colon + 1, i);
            if (!i || parent < 0)
                return ci_wrong(error,
                                "--chain: \"%s\" is not one of the configurations before \"%s\"",
                                colon + 1, ((ci_link *)links->pdata[i])->name);
        }
        if (!*items[i] || strlen(items[i]) >= DET_NAME_MAX)
            return ci_wrong(error, "--chain: a portion's name has 1 to %u bytes, not \"%s\"",
                            DET_NAME_MAX - 1, items[i]);
        set(links->pdata[i], parent, g_strdup(items[i]));
    }
    return true;
}

bool ci_chain_project(GPtrArray *links, const cfg_project *project, GError **error) {
    const cfg_benchmark *benchmark = &project->benchmark;
    if (links->len != benchmark->configurations_count)
        return ci_wrong(error, "project %s has %u configurations, but the results have %u",
                        project->name, benchmark->configurations_count, links->len);
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    for (guint i = 0; i < links->len; i++) {
        g_autofree char *number = g_strdup_printf("%u", i);
        int at = find(links, benchmark->configurations[i].name, links->len);
        if (at < 0)
            at = find(links, number, links->len);
        if (at < 0)
            return ci_wrong(error, "there are no results of configuration \"%s\" (number %u)",
                            benchmark->configurations[i].name, i);
        g_ptr_array_add(sorted, links->pdata[at]);
    }
    for (guint i = 0; i < links->len; i++) {
        const cfg_configuration *c = &benchmark->configurations[i];
        ci_link *link = sorted->pdata[i];
        int parent = -1;
        for (guint p = 0; c->parent && p < i; p++)
            if (g_str_equal(benchmark->configurations[p].name, c->parent))
                parent = (int)p;
        set(link, parent, g_strdup(c->portion));
        g_free(link->label);
        link->label = g_strdup(c->label);
        links->pdata[i] = link;
    }
    return true;
}

bool ci_chain_detector(const GPtrArray *links, det_chain *chain, GError **error) {
    det_chain_init(chain);
    if (links->len > DET_CONFIGURATIONS_MAX)
        return ci_wrong(error, "there are %u configurations; at most %u can be analysed",
                        links->len, DET_CONFIGURATIONS_MAX);
    bool good = true;
    for (guint i = 0; good && i < links->len; i++) {
        const ci_link *link = links->pdata[i];
        good = det_chain_add(chain, link->portion, link->parent) == DET_OK;
    }
    return (good && det_chain_check(chain) == DET_OK) ||
           ci_wrong(error, "the configurations must form a tree: the first has no parent, and a "
                           "parent comes before its children");
}
