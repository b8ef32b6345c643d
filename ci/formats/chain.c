#include "ci/formats/chain.h"

#include "config/model/benchmark.h"
#include "config/number.h"

#include <string.h>

#define KEY_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789"
#define KEY_BYTES 60 /* of what is readable of it */
#define HASH_BYTES 8

/* Frameworks/…/labels.sh and their history. */
static const struct {
    const char *label, *now; /* now: NULL, or what it is called today */
    unsigned step;
    bool metrics;
} labels[] = {
    {"No instrumentation", NULL, 0, false},
    {"Deactivated probe", NULL, 1, false},
    {"Pinpoint Deactivated", NULL, 1, false},
    {"Disabled Profiling", NULL, 1, false},
    {"Skywalking no data collection", NULL, 1, false},
    {"No logging", NULL, 2, false},
    {"No collection", "No logging", 2, false}, /* since 2025-11-11 */
    {"No logging (null writer)", "No logging", 2, false},
    {"OpenTelemetry No Export", NULL, 2, false},
    {"OpenTelemetry No Logging", "OpenTelemetry No Export", 2, false},
    {"Pinpoint No Measurement", NULL, 2, false},
    {"Text file", NULL, 3, false},
    {"Binary file", NULL, 3, false},
    {"Binary TCP", NULL, 3, false},
    {"Binary file (Milli timer)", NULL, 3, false},
    {"Binary file (Zero timer)", NULL, 3, false},
    {"Binary TCP (Zero timer)", NULL, 3, false},
    {"Logging (Generic Text)", NULL, 3, false},
    {"Logging (Generic Bin)", NULL, 3, false},
    {"Logging (TCP)", NULL, 3, false},
    {"Logging (Single TCP)", NULL, 3, false},
    {"Logging", NULL, 3, false},
    {"Zipkin", NULL, 3, false},
    {"Zipkin+Cassandra", NULL, 3, false},
    {"Prometheus", NULL, 3, true},
    {"OpenTelemetry Logging", NULL, 3, false},
    {"OpenTelemetry Jaeger", NULL, 3, false},
    {"OpenTelemetry Zipkin", NULL, 3, false},
    {"OpenTelemetry Prometheus", NULL, 3, true},
    {"Instrumentation and Profiling", NULL, 3, false},
    {"Skywalking instrumentation", NULL, 3, false},
    {"Skywalking 20Hz Sampling", NULL, 3, false},
    {"Skywalking Sampling 20Hz", "Skywalking 20Hz Sampling", 3, false},
    {"Regular Writing", NULL, 3, false},
    {"Writing without sanitizing fields", NULL, 3, false},
    {"Pinpoint Basic", NULL, 3, false},
    {"Pinpoint Sampling", NULL, 3, false},
};

static const char *const numbered[] = {"No instrumentation", "Deactivated probe", "No logging"};

static bool find_known(const char *label, ci_upstream *out) {
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
        if (g_ascii_strcasecmp(labels[i].label, label) == 0) {
            *out = (ci_upstream){.label = labels[i].now ? labels[i].now : labels[i].label,
                                 .step = labels[i].step,
                                 .metrics = labels[i].metrics};
            return true;
        }
    return false;
}

bool ci_upstream_find(const char *label, ci_upstream *out) {
    static const char prefix[] = "Configuration ", dash[] = " - ";
    guint64 number;
    if (g_str_has_prefix(label, prefix) &&
        cfg_number_unsigned(label + strlen(prefix), 0, 99, &number)) {
        *out = (ci_upstream){.label = label, .step = 3};
        return number >= G_N_ELEMENTS(numbered) || find_known(numbered[number], out);
    }
    if (find_known(label, out))
        return true;
    const char *variant = g_strrstr(label, dash);
    if (!variant || strlen(variant) != strlen(dash) + 1 || !g_ascii_isupper(variant[strlen(dash)]))
        return false;
    g_autofree char *own = g_strndup(label, (gsize)(variant - label));
    if (!find_known(own, out))
        return false;
    out->variant[0] = variant[strlen(dash)];
    return true;
}

/* "No logging" → "no-logging" */
static char *upstream_letters(const char *label) {
    g_autofree char *lower = g_ascii_strdown(label, -1);
    g_strcanon(lower, KEY_LETTERS, '-');
    return g_steal_pointer(&lower);
}

/* Words for people as labels are, "With Zipkin": the key says all of it, so nothing else has that
 * key. What ends as a hash does, or begins as a label of MooBench's, could be another's. */
static bool is_plain(const char *label, const char *letters) {
    const size_t length = strlen(label);
    g_autofree char *back = g_strdelimit(g_strdup(letters), "-", ' ');
    back[0] = g_ascii_toupper(back[0]);
    if (!g_ascii_isupper(label[0]) || length > KEY_BYTES || !g_str_equal(back, label))
        return false;
    const char *end = letters + length - MIN(length, HASH_BYTES);
    if (end > letters && end[-1] == '-' && strspn(end, "0123456789abcdef") == HASH_BYTES)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
        g_autofree char *taken = upstream_letters(labels[i].label);
        if (g_str_has_prefix(letters, taken))
            return false;
    }
    return true;
}

char *ci_upstream_key(const char *label) {
    ci_upstream known;
    if (ci_upstream_find(label, &known)) {
        g_autofree char *full =
            g_strconcat(known.label, *known.variant ? "-" : "", known.variant, NULL);
        return upstream_letters(full);
    }
    g_autofree char *letters = upstream_letters(label);
    if (is_plain(label, letters))
        return g_steal_pointer(&letters);
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA1, label, -1);
    return g_strdup_printf("%.*s-%.*s", KEY_BYTES, letters, HASH_BYTES, hash);
}

void ci_link_free(void *pointer) {
    ci_link *link = pointer;
    if (!link)
        return;
    g_free(link->name);
    g_free(link->label);
    g_free(link->portion);
    g_free(link->unit);
    g_free(link->over);
    g_free(link);
}

/* By its name, else by its label, else by the letters of a label that only one has. */
static int find(const GPtrArray *links, const char *name) {
    int alike = -1, count = 0;
    for (guint i = 0; i < links->len; i++)
        if (g_str_equal(((const ci_link *)links->pdata[i])->name, name))
            return (int)i;
    for (guint i = 0; i < links->len; i++) {
        const char *label = ((const ci_link *)links->pdata[i])->label;
        g_autofree char *lower = g_ascii_strdown(label ? label : "", -1);
        if (g_strcmp0(label, name) == 0)
            return (int)i;
        g_strcanon(lower, "abcdefghijklmnopqrstuvwxyz0123456789", '-');
        if (g_str_equal(lower, name)) {
            alike = (int)i;
            count++;
        }
    }
    return count == 1 ? alike : -1;
}

static void set(ci_link *link, int parent, char *portion) {
    link->parent = parent;
    g_free(link->portion);
    link->portion = portion;
}

#define UNKNOWN 4 /* a step that no label and no number tells: it stands alone */

/* What a configuration is by its label, else by its number. */
static ci_upstream step_of(const ci_link *link) {
    ci_upstream step = {0};
    guint64 number;
    if ((!link->label || !ci_upstream_find(link->label, &step)) &&
        cfg_number_unsigned(link->name, 0, 999, &number))
        step.step = MIN((unsigned)number, 3);
    else if (!step.label)
        step.step = UNKNOWN;
    step.metrics = step.step == 3 && link->label &&
                   (step.metrics || g_ascii_strncasecmp(link->label, "Prometheus", 10) == 0);
    return step;
}

static gint by_step(gconstpointer a, gconstpointer b) {
    const ci_upstream x = step_of(*(ci_link *const *)a), y = step_of(*(ci_link *const *)b);
    return (x.step > y.step) - (x.step < y.step);
}

/* A name that is no number says nothing, unless labels tell the others: then it stands alone. */
static bool numbers_check(const GPtrArray *links, GError **error) {
    const bool labelled = ci_chain_is_upstreams(links);
    for (guint i = 0; i < links->len && !labelled; i++) {
        const ci_link *link = links->pdata[i];
        guint64 number;
        if (!cfg_number_unsigned(link->name, 0, 999, &number))
            return ci_wrong(error,
                            "configuration \"%s\" is not a number, so its place in the chain is "
                            "unknown; give the chain with --chain or --project",
                            link->name);
    }
    return true;
}

static bool is_taken(const GPtrArray *links, const char *portion, guint before) {
    for (guint i = 0; i < before; i++)
        if (g_strcmp0(((const ci_link *)links->pdata[i])->portion, portion) == 0)
            return true;
    return false;
}

/* "W Zipkin": of several of a step each is called by its label, or without one by its number. */
static void writer_name(const GPtrArray *links, guint at, GString *portion) {
    const ci_link *link = links->pdata[at];
    const gsize letters = portion->len;
    const bool labelled = link->label && *link->label &&
                          (!g_str_equal(link->label, link->name) || !g_ascii_isdigit(*link->name));
    if (labelled)
        g_string_append_printf(portion, " %s", link->label);
    if (!labelled || is_taken(links, portion->str, at)) {
        g_string_truncate(portion, letters);
        g_string_append_printf(portion, "-%s", link->name);
    }
}

/* Its label, by which nothing else goes. */
static void own_name(const GPtrArray *links, guint at, GString *portion) {
    const ci_link *link = links->pdata[at];
    g_string_assign(portion, link->label ? link->label : link->name);
    if (is_taken(links, portion->str, at))
        g_string_append_printf(portion, "-%s", link->name);
}

static char *letters_of(unsigned level, unsigned number) {
    static const char *const letters[] = {"T", "I", "C", "W"};
    GString *portion = g_string_new(NULL);
    for (unsigned l = level; l <= MIN(number, 3); l++)
        g_string_append_printf(portion, "%s%s", portion->len ? "+" : "", letters[l]);
    return g_string_free(portion, FALSE);
}

bool ci_chain_is_rare(const GPtrArray *links, guint at) {
    guint most = 0;
    for (guint i = 0; i < links->len; i++)
        most = MAX(most, ((const ci_link *)links->pdata[i])->nights);
    return 2 * ((const ci_link *)links->pdata[at])->nights < most;
}

/* The highest step below, of the same variant or of none; -1: there is none. Metrics are counted in
 * place of what step 2 makes, and upstream switches that off for them: it is not in them. */
static int below(const GPtrArray *links, const ci_upstream *steps, guint at) {
    int best = -1;
    for (guint i = 0; i < links->len; i++) {
        const bool ours =
            *steps[i].variant == '\0' || g_str_equal(steps[i].variant, steps[at].variant);
        if (!ours || ci_chain_is_rare(links, i) || steps[at].step == UNKNOWN ||
            steps[i].step >= steps[at].step || (steps[at].metrics && steps[i].step == 2))
            continue;
        if (best < 0 || steps[i].step > steps[best].step)
            best = (int)i;
    }
    return best;
}

bool ci_chain_upstream(GPtrArray *links, GError **error) {
    g_autofree ci_upstream *steps = g_new0(ci_upstream, links->len + 1);
    guint writers = 0;
    bool variants = false;
    if (!numbers_check(links, error))
        return false;
    g_ptr_array_sort(links, by_step);
    for (guint i = 0; i < links->len; i++) {
        steps[i] = step_of(links->pdata[i]);
        writers += steps[i].step == 3;
        for (guint k = 0; k < i; k++)
            variants = variants || (*steps[i].variant && *steps[k].variant &&
                                    *steps[i].variant != *steps[k].variant);
    }
    for (guint i = 0; i < links->len; i++) {
        const int parent = below(links, steps, i);
        g_autofree char *letters =
            letters_of(parent >= 0 ? steps[parent].step + 1 : 0, steps[i].step);
        g_autoptr(GString) portion = g_string_new(letters);
        if (steps[i].step == UNKNOWN)
            own_name(links, i, portion);
        else if (steps[i].step == 3 && writers > 1 && i)
            writer_name(links, i, portion);
        else if (variants && *steps[i].variant)
            g_string_append_printf(portion, " %s", steps[i].variant);
        if (is_taken(links, portion->str, i))
            writer_name(links, i, portion);
        set(links->pdata[i], parent, g_string_free(g_steal_pointer(&portion), FALSE));
    }
    return true;
}

bool ci_chain_is_upstreams(const GPtrArray *links) {
    ci_upstream known;
    bool root = false, above = false;
    for (guint i = 0; i < links->len; i++) {
        const char *label = ((const ci_link *)links->pdata[i])->label;
        if (!label || !ci_upstream_find(label, &known))
            continue;
        root = root || known.step == 0;
        above = above || known.step > 0;
    }
    return root && above;
}

void ci_chain_alone(GPtrArray *links) {
    for (guint i = 0; i < links->len; i++) {
        ci_link *link = links->pdata[i];
        set(link, -1, g_strdup(link->label));
    }
}

/* Parents before their children, otherwise as they are; false: they stand in a ring. */
static bool parents_first(GPtrArray *links) {
    const guint count = links->len;
    g_autofree int *place = g_new(int, count + 1); /* of each in the new order; -1: not yet */
    g_autofree ci_link **before = g_memdup2(links->pdata, count * sizeof(ci_link *));
    guint placed = 0, last = 1;
    for (guint i = 0; i < count; i++)
        place[i] = -1;
    for (; last > 0; placed += last) {
        last = 0;
        for (guint i = 0; i < count && last == 0; i++) {
            const int parent = before[i]->parent;
            if (place[i] >= 0 || (parent >= 0 && place[parent] < 0))
                continue;
            place[i] = (int)placed;
            links->pdata[placed] = before[i];
            last = 1;
        }
    }
    for (guint i = 0; placed == count && i < count; i++)
        before[i]->parent = before[i]->parent < 0 ? -1 : place[before[i]->parent];
    return placed == count;
}

bool ci_chain_is_own(const GPtrArray *links) {
    bool any = false;
    for (guint i = 0; i < links->len; i++)
        any = any || ((const ci_link *)links->pdata[i])->over;
    return any;
}

bool ci_chain_own(GPtrArray *links, GError **error) {
    ci_chain_alone(links);
    for (guint i = 0; i < links->len; i++) {
        ci_link *link = links->pdata[i];
        g_autofree char *key = link->over ? ci_upstream_key(link->over) : NULL;
        link->parent = key ? find(links, key) : -1;
        if (key && link->parent < 0)
            return ci_wrong(error, "\"%s\" is a portion over \"%s\", which is not among them",
                            link->label, link->over);
    }
    return parents_first(links) ||
           ci_wrong(error, "every value is a portion over another one; one must stand by itself");
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
            parent = find(links, colon + 1);
            if (parent < 0)
                return ci_wrong(error, "--chain: there is no configuration \"%s\"", colon + 1);
            if (parent == (int)i)
                return ci_wrong(error, "--chain: \"%s\" cannot be compared with itself", colon + 1);
        }
        if (!*items[i] || strlen(items[i]) >= DET_NAME_MAX)
            return ci_wrong(error, "--chain: a portion's name has 1 to %u bytes, not \"%s\"",
                            DET_NAME_MAX - 1, items[i]);
        if (is_taken(links, items[i], i))
            return ci_wrong(error, "--chain: " CI_CHAIN_TWICE, items[i]);
        set(links->pdata[i], parent, g_strdup(items[i]));
    }
    return parents_first(links) ||
           ci_wrong(error, "--chain: every configuration is compared with another one; one must "
                           "stand by itself, as the first item without a colon does");
}

bool ci_chain_project(GPtrArray *links, const cfg_project *project, GError **error) {
    const cfg_benchmark *benchmark = &project->benchmark;
    if (links->len != benchmark->configurations_count)
        return ci_wrong(error, "project %s has %u configurations, but the results have %u",
                        project->name, benchmark->configurations_count, links->len);
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    for (guint i = 0; i < links->len; i++) {
        g_autofree char *number = g_strdup_printf("%u", i);
        int at = find(links, benchmark->configurations[i].name);
        if (at < 0)
            at = find(links, number);
        if (at < 0)
            return ci_wrong(error, "there are no results of configuration \"%s\" (number %u)",
                            benchmark->configurations[i].name, i);
        g_ptr_array_add(sorted, links->pdata[at]);
    }
    for (guint i = 0; i < links->len; i++) {
        const cfg_configuration *c = &benchmark->configurations[i];
        ci_link *link = sorted->pdata[i];
        set(link, cfg_benchmark_find(benchmark, i, c->parent), g_strdup(c->portion));
        g_free(link->label);
        link->label = g_strdup(c->label);
        g_free(link->unit);
        link->unit = g_strdup(c->unit);
        link->higher = c->higher;
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
