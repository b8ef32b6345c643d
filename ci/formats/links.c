#include "ci/formats/imported.h"

#include "ci/formats/chain.h"
#include "ci/formats/night.h"

int ci_links_find(const GPtrArray *links, const char *name) {
    g_autofree char *key = ci_upstream_key(name);
    for (guint i = 0; i < links->len; i++)
        if (g_str_equal(((const ci_link *)links->pdata[i])->name, key))
            return (int)i;
    return -1;
}

/* What was published without labels gets the one of its number. */
static char *label_of(const char *name) {
    ci_upstream known;
    return g_strdup(g_str_has_prefix(name, "Configuration ") && ci_upstream_find(name, &known)
                        ? known.label
                        : name);
}

static bool night_add(GPtrArray *links, const json_t *night, GError **error) {
    g_autofree bool *there =
        g_new0(bool, links->len + 1 + json_array_size(json_object_get(night, "values")));
    size_t k;
    json_t *value;
    json_array_foreach (json_object_get(night, "values"), k, value) {
        const char *name = cfg_json_word(value, "name", "");
        int at = ci_links_find(links, name);
        if (at < 0) {
            ci_link *link = g_new0(ci_link, 1);
            link->name = ci_upstream_key(name);
            link->parent = -1;
            at = (int)links->len;
            g_ptr_array_add(links, link);
        }
        ci_link *link = links->pdata[at];
        if (there[at])
            return ci_wrong(error,
                            g_str_equal(link->label, name)
                                ? "night %s: \"%s\" is there twice (%s), as control characters and "
                                  "blanks at its ends are left out"
                                : "night %s: \"%s\" and \"%s\" are one configuration of MooBench",
                            cfg_json_word(night, "night", "?"), link->label, name);
        there[at] = true;
        g_free(link->label);
        link->label = label_of(name);
    }
    return true;
}

/* "T No instrumentation, I Deactivated probe less No instrumentation" */
static char *chain_text(const GPtrArray *links) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < links->len; i++) {
        const ci_link *link = links->pdata[i];
        g_string_append_printf(text, "%s%s = %s", i > 0 ? ", " : "", link->portion, link->label);
        if (link->parent >= 0)
            g_string_append_printf(text, " less %s",
                                   ((const ci_link *)links->pdata[link->parent])->label);
    }
    return g_string_free(text, FALSE);
}

static bool chain_make(GPtrArray *links, const char *chain, GPtrArray *told, GError **error) {
    ci_upstream known;
    if (chain)
        return ci_chain_spec(links, chain, error);
    if (!ci_chain_is_upstreams(links)) {
        ci_chain_alone(links);
        if (links->len > 1)
            g_ptr_array_add(told,
                            g_strdup_printf("no chain is known for these %u: each stands by "
                                            "itself, nothing is subtracted (--chain tells one)",
                                            links->len));
        return true;
    }
    for (guint i = 0; i < links->len; i++) {
        const ci_link *link = links->pdata[i];
        if (!ci_upstream_find(link->label, &known))
            g_ptr_array_add(
                told,
                g_strdup_printf("\"%s\" is no label of MooBench: taken for a writer", link->label));
    }
    if (!ci_chain_upstream(links, error))
        return false;
    g_autofree char *text = chain_text(links);
    g_ptr_array_add(told, g_strdup_printf("chain by MooBench's labels: %s", text));
    return true;
}

static GPtrArray *all_of(const json_t *nights, GError **error) {
    g_autoptr(GPtrArray) links = g_ptr_array_new_with_free_func(ci_link_free);
    size_t i;
    json_t *night;
    json_array_foreach (nights, i, night)
        if (!night_add(links, night, error))
            return NULL;
    if (links->len == 0)
        ci_wrong(error, "there are no values with a unit of time");
    else if (links->len > DET_CONFIGURATIONS_MAX)
        ci_wrong(error,
                 "there are %u benchmarks; a project has at most %u: import them in parts, a file "
                 "or a --suite each, into a project each",
                 links->len, DET_CONFIGURATIONS_MAX);
    else
        return g_steal_pointer(&links);
    return NULL;
}

GPtrArray *ci_links_of_nights(const json_t *nights, const char *chain, GPtrArray *told,
                              GError **error) {
    GPtrArray *links = all_of(nights, error);
    if (links && !chain_make(links, chain, told, error))
        g_clear_pointer(&links, g_ptr_array_unref);
    return links;
}
