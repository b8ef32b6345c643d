#include "config/moobench.h"

#include "config/config.h"
#include "config/yaml.h"

#include <math.h>
#include <string.h>

/* A thousand years of nights with ten configurations each. */
static const cfg__yaml_bounds bounds = {
    .bytes_max = (size_t)256 << 20, .nodes_max = 4000000, .depth_max = 16};

typedef struct {
    yaml_document_t *document;
    const char *name;
} source;

static bool wrong(const source *s, const yaml_node_t *node, GError **error, const char *what) {
    g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "%s:%zu: %s", s->name,
                node ? node->start_mark.line + 1 : 1, what);
    return false;
}

static yaml_node_t *get(const source *s, const yaml_node_t *map, const char *key) {
    const yaml_node_pair_t *pair = cfg__yaml_pair(s->document, map, key);
    return pair ? yaml_document_get_node(s->document, pair->value) : NULL;
}

static bool number(const source *s, const yaml_node_t *node, double *out, GError **error) {
    const char *text = cfg__yaml_text(node);
    char *end = NULL;
    static const char *const none[] = {".NAN", "NaN", "NA"};
    for (size_t i = 0; text && i < G_N_ELEMENTS(none); i++) /* as R writes it, too */
        if (g_ascii_strcasecmp(text, none[i]) == 0) {
            *out = (double)NAN;
            return true;
        }
    *out = text ? g_ascii_strtod(text, &end) : 0;
    return (text && end != text && !*end && isfinite(*out)) ||
           wrong(s, node, error, "a number is expected");
}

static bool measurement(const source *s, const yaml_node_t *key, const yaml_node_t *list,
                        cfg_measurement *out, GError **error) {
    if (!cfg__yaml_text(key))
        return wrong(s, key, error, "a label is expected");
    if (!list || list->type != YAML_SEQUENCE_NODE ||
        list->data.sequence.items.top - list->data.sequence.items.start != CFG_MOOBENCH_VALUES)
        return wrong(s, list ? list : key, error,
                     "[mean, sd, ci95, q1, median, q3, max, min] is expected");
    for (int i = 0; i < CFG_MOOBENCH_VALUES; i++)
        if (!number(s, yaml_document_get_node(s->document, list->data.sequence.items.start[i]),
                    &out->us[i], error))
            return false;
    g_free(out->label);
    out->label = g_strstrip(g_strdup(cfg__yaml_text(key)));
    return true;
}

static void measurement_clear(void *pointer) {
    g_free(((cfg_measurement *)pointer)->label);
}

static void experiment_free(void *pointer) {
    cfg_moobench_experiment *experiment = pointer;
    g_array_unref(experiment->measurements);
    g_free(experiment);
}

static bool experiment(const source *s, const yaml_node_t *node, cfg_moobench *out,
                       GError **error) {
    const yaml_node_t *list = get(s, node, "measurements");
    cfg_moobench_experiment *one = g_new0(cfg_moobench_experiment, 1);
    one->measurements = g_array_new(FALSE, TRUE, sizeof(cfg_measurement));
    g_array_set_clear_func(one->measurements, measurement_clear);
    g_ptr_array_add(out->experiments, one);
    if (!list || list->type != YAML_MAPPING_NODE)
        return wrong(s, node, error, "an experiment has no measurements");
    if (!number(s, get(s, node, "timestamp"), &one->timestamp_s, error))
        return false;
    for (const yaml_node_pair_t *p = list->data.mapping.pairs.start;
         p < list->data.mapping.pairs.top; p++) {
        cfg_measurement value = {0};
        if (!measurement(s, yaml_document_get_node(s->document, p->key),
                         yaml_document_get_node(s->document, p->value), &value, error))
            return false;
        g_array_append_val(one->measurements, value);
    }
    return true;
}

/* The last place of a key; of files one behind the other it is not the first one. */
static const yaml_node_t *last_of(const source *s, const yaml_node_t *map, const char *key) {
    const yaml_node_t *last = NULL;
    if (map && map->type == YAML_MAPPING_NODE)
        for (const yaml_node_pair_t *p = map->data.mapping.pairs.start;
             p < map->data.mapping.pairs.top; p++)
            if (g_strcmp0(cfg__yaml_text(yaml_document_get_node(s->document, p->key)), key) == 0)
                last = yaml_document_get_node(s->document, p->value);
    return last;
}

static cfg_moobench *document_read(const source *s, GError **error) {
    const yaml_node_t *root = yaml_document_get_root_node(s->document);
    const yaml_node_t *list = get(s, root, "experiments");
    const char *kind = cfg__yaml_text(get(s, root, "kind"));
    g_autoptr(cfg_moobench) out = g_new0(cfg_moobench, 1);
    out->experiments = g_ptr_array_new_with_free_func(experiment_free);
    out->kind = g_strdup(kind ? kind : "");
    if (!list || list->type != YAML_SEQUENCE_NODE) {
        wrong(s, root, error, "it has no experiments: key; is this MooBench's results.yaml?");
        return NULL;
    }
    if (list != last_of(s, root, "experiments")) {
        wrong(s, last_of(s, root, "experiments"), error,
              "\"experiments\" is there twice; read each file by itself");
        return NULL;
    }
    for (const yaml_node_item_t *item = list->data.sequence.items.start;
         item < list->data.sequence.items.top; item++)
        if (!experiment(s, yaml_document_get_node(s->document, *item), out, error))
            return NULL;
    return g_steal_pointer(&out);
}

cfg_moobench *cfg_moobench_parse(const char *text, gsize size, const char *name, GError **error) {
    yaml_document_t document;
    if (!cfg__yaml_check(text, size, name, &bounds, error) ||
        !cfg__yaml_parse(text, size, name, &document, error))
        return NULL;
    const source s = {&document, name};
    cfg_moobench *out = document_read(&s, error);
    yaml_document_delete(&document);
    return out;
}

void cfg_moobench_free(cfg_moobench *moobench) {
    if (!moobench)
        return;
    g_free(moobench->kind);
    g_ptr_array_unref(moobench->experiments);
    g_free(moobench);
}

/* At most nine digits: no overflow, and nobody has more loops. */
static bool take_digits(const char **at, char end, unsigned *out) {
    unsigned value = 0, digits = 0;
    for (; g_ascii_isdigit(**at) && digits < 10; digits++)
        value = value * 10 + (unsigned)(*(*at)++ - '0');
    *out = value;
    return digits > 0 && digits < 10 && *(*at)++ == end;
}

bool cfg_moobench_raw_name(const char *name, cfg_moobench_raw *out) {
    const char *at = name + strlen("raw-");
    if (!g_str_has_prefix(name, "raw-") || !take_digits(&at, '-', &out->loop) ||
        !take_digits(&at, '-', &out->depth) || !g_ascii_isalnum(*at) ||
        !g_str_has_suffix(at, ".csv"))
        return false;
    const size_t length = strlen(at) - strlen(".csv");
    if (length < 1 || length >= sizeof out->configuration)
        return false;
    memcpy(out->configuration, at, length);
    out->configuration[length] = '\0';
    return strspn(out->configuration, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789._-") == length;
}

#define LABEL_MAX 200

GHashTable *cfg_labels_parse(const char *text) {
    GHashTable *labels = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(GRegex) line = g_regex_new(
        "^[ \\t]*TITLE\\[([0-9]{1,3})\\]=(?:\"([^\"\\n]*)\"|'([^'\\n]*)'|([^\\s#;\"']+))",
        G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    g_regex_match(line, text, 0, &match);
    for (; g_match_info_matches(match); g_match_info_next(match, NULL)) {
        g_autofree char *number = g_match_info_fetch(match, 1);
        g_autofree char *label = NULL;
        for (gint part = 2; part <= 4 && (!label || !*label); part++) {
            g_free(label);
            label = g_match_info_fetch(match, part);
        }
        if (label && *label)
            g_hash_table_replace(
                labels, GUINT_TO_POINTER(g_ascii_strtoull(number, NULL, 10)),
                g_utf8_substring(label, 0, MIN(g_utf8_strlen(label, -1), LABEL_MAX)));
    }
    return labels;
}
