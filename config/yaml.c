#include "config/yaml.h"

#include "config/config.h"
#include "config/number.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

G_DEFINE_QUARK(cfg_error, cfg_error)

static const cfg__yaml_bounds bounds = {
    .bytes_max = CFG__FILE_LIMIT_BYTES, .nodes_max = 100000, .depth_max = 64};

struct cfg__yaml {
    char *path;
    char *folder;
    yaml_document_t *document; /* NULL until it was parsed */
};

const char *cfg__yaml_text(const yaml_node_t *node) {
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

const yaml_node_pair_t *cfg__yaml_pair(yaml_document_t *document, const yaml_node_t *node,
                                       const char *key) {
    if (!node || node->type != YAML_MAPPING_NODE)
        return NULL;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++)
        if (g_strcmp0(cfg__yaml_text(yaml_document_get_node(document, pair->key)), key) == 0)
            return pair;
    return NULL;
}

/* The value of that key; line: out, of the key, where it is there. */
static yaml_node_t *child(yaml_document_t *document, const yaml_node_t *node, const char *key,
                          size_t length, size_t *line) {
    g_autofree char *name = g_strndup(key, length);
    const yaml_node_pair_t *pair = cfg__yaml_pair(document, node, name);
    if (!pair)
        return NULL;
    *line = yaml_document_get_node(document, pair->key)->start_mark.line + 1;
    return yaml_document_get_node(document, pair->value);
}

/* Follows "a.b[2].c" as far as it exists: the line of the last step that does, and the node of the
 * whole path (NULL when it does not exist to its end). */
static yaml_node_t *follow(const cfg__yaml *yaml, const char *key, size_t *line_out) {
    yaml_document_t *document = yaml->document;
    yaml_node_t *node = document ? yaml_document_get_root_node(document) : NULL;
    size_t line = 1;
    while (node && *key) {
        if (*key == '[') {
            unsigned long index = strtoul(key + 1, NULL, 10);
            key = strchr(key, ']') + 1;
            if (node->type != YAML_SEQUENCE_NODE ||
                node->data.sequence.items.start + index >= node->data.sequence.items.top) {
                node = NULL;
                break;
            }
            node = yaml_document_get_node(document, node->data.sequence.items.start[index]);
            if (node)
                line = node->start_mark.line + 1;
        } else {
            if (*key == '.')
                key++;
            size_t length = strcspn(key, ".[");
            node = child(document, node, key, length, &line);
            key += length;
        }
    }
    *line_out = line;
    return node;
}

bool cfg__yaml_has(const cfg__yaml *yaml, const char *key) {
    size_t line;
    return follow(yaml, key, &line) != NULL;
}

static void fail(const cfg__yaml *yaml, GError **error, cfg_error code, size_t line,
                 const char *key, const char *text) {
    g_set_error(error, CFG_ERROR, (int)code, "%s:%zu: %s%s%s", yaml->path, line, key,
                *key ? ": " : "", text);
}

bool cfg__yaml_wrong(const cfg__yaml *yaml, GError **error, const char *key, const char *format,
                     ...) {
    size_t line;
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    (void)follow(yaml, key, &line);
    fail(yaml, error, CFG_ERROR_MEANING, line, key, text);
    return false;
}

typedef struct {
    const cfg__yaml *yaml;
    GError **error;
} reading;

/* Where in the file it reads. */
typedef struct place {
    const struct place *up;
    const char *name; /* NULL: an entry of a list */
    size_t index, line;
} place;

static void place_add(GString *to, const place *at) {
    if (at->up)
        place_add(to, at->up);
    if (at->up && at->name)
        g_string_append_printf(to, "%s%s", to->len > 0 ? "." : "", at->name);
    else if (at->up)
        g_string_append_printf(to, "[%zu]", at->index);
}

static json_t *wrong(const reading *in, const place *at, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

/* NULL, with error; nothing of what the file says does more in it than to be read. */
static json_t *wrong(const reading *in, const place *at, const char *format, ...) {
    g_autoptr(GString) key = g_string_new(NULL);
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    for (char *c = text; *c != '\0'; c++)
        *c = g_ascii_iscntrl(*c) ? '?' : *c;
    place_add(key, at);
    fail(in->yaml, in->error, CFG_ERROR_SYNTAX, at->line, key->str, text);
    return NULL;
}

static bool is_whole(const char *text, cfg__range range, uint64_t *value) {
    return (text[0] != '0' || text[1] == '\0') &&
           cfg_number_unsigned(text, range.low, range.high, value);
}

#define NOT_WHOLE "%s is not a whole number between %" G_GUINT64_FORMAT " and %" G_GUINT64_FORMAT

static json_t *whole_json(const reading *in, const model_member *member, const char *text,
                          const place *at) {
    const bool any = member->high >= (double)G_MAXINT64, told = member->missing >= member->low;
    const cfg__range range = {told ? (uint64_t)member->missing : 0, (uint64_t)member->low,
                              any ? G_MAXINT64 : (uint64_t)member->high};
    uint64_t value;
    if (is_whole(text, range, &value))
        return json_integer((json_int_t)value);
    return told && range.fallback <= range.high
               ? wrong(in, at, NOT_WHOLE "; the default is %" G_GUINT64_FORMAT, text, range.low,
                       range.high, range.fallback)
               : wrong(in, at, NOT_WHOLE, text, range.low, range.high);
}

static json_t *real_json(const reading *in, const model_member *member, const char *text,
                         const place *at) {
    char *end;
    const double value = g_ascii_strtod(text, &end);
    if (end != text && *end == '\0' && value >= member->low && value <= member->high)
        return json_real(value);
    return wrong(in, at, "%s is not a number between %g and %g; the default is %g", text,
                 member->low, member->high, member->missing);
}

static json_t *word_json(const reading *in, const char *const *words, const char *text,
                         const place *at) {
    g_autoptr(GString) list = g_string_new(NULL);
    for (size_t i = 0; words[i]; i++) {
        if (g_str_equal(words[i], text))
            return json_string(text);
        g_string_append_printf(list, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    }
    return wrong(in, at, "must be %s, not \"%s\"", list->str, text);
}

static json_t *flag_json(const reading *in, const char *text, const place *at) {
    static const char *const flags[] = {"true", "false", NULL};
    json_auto_t *word = word_json(in, flags, text, at);
    return word ? json_boolean(g_str_equal(text, "true")) : NULL;
}

/* As the struct has it; a folder's name need not be UTF-8. */
static json_t *kept_json(const reading *in, const model_member *member, const char *text) {
    g_autofree char *path = member->path ? cfg__yaml_path(in->yaml, text) : NULL;
    return path ? json_string_nocheck(path) : json_string(text);
}

static json_t *text_json(const reading *in, const model_member *member, const char *text,
                         const place *at) {
    const size_t size = strlen(text);
    if ((size > 0 || !at->name) && (member->most == 0 || size <= member->most) &&
        (!member->good || member->good(text)))
        return kept_json(in, member, text);
    return member->expected ? wrong(in, at, "\"%s\" must be %s", text, member->expected)
           : size == 0      ? wrong(in, at, "must not be empty")
                            : wrong(in, at, "is longer than %zu bytes", member->most);
}

static json_t *scalar_json(const reading *in, const model_member *member, const yaml_node_t *node,
                           const place *at) {
    const char *text = cfg__yaml_text(node);
    if (!text)
        return wrong(in, at, "must be a single value");
    if (member->words)
        return word_json(in, member->words, text, at);
    switch (member->type) {
    case MODEL_BOOL:
        return flag_json(in, text, at);
    case MODEL_DOUBLE:
        return real_json(in, member, text, at);
    case MODEL_TEXT:
    case MODEL_TEXTS:
        return text_json(in, member, text, at);
    default:
        return whole_json(in, member, text, at);
    }
}

/* An entry "NAME=value" of a list becomes a member of an object. */
static bool variable_add(const reading *in, const model_member *member, const yaml_node_t *node,
                         const place *at, json_t *variables) {
    const char *text = cfg__yaml_text(node), *equals = text ? strchr(text, '=') : NULL;
    g_autofree char *name = equals ? g_strndup(text, (gsize)(equals - text)) : NULL;
    if (name && member->noun->members[0].good(name) && !json_object_get(variables, name))
        return json_object_set_new(variables, name, json_string(equals + 1)) == 0;
    (void)wrong(in, at, "\"%s\" must read NAME=value, each NAME once", text ? text : "");
    return false;
}

static json_t *mapping_json(const reading *in, const model_noun *noun, const yaml_node_t *node,
                            const place *at);

static bool entry_add(const reading *in, const model_member *member, const yaml_node_t *node,
                      const place *at, json_t *list) {
    if (member->type == MODEL_MAP)
        return variable_add(in, member, node, at, list);
    json_t *entry = member->type == MODEL_LIST ? mapping_json(in, member->noun, node, at)
                                               : scalar_json(in, member, node, at);
    return entry && json_array_append_new(list, entry) == 0;
}

/* The bounds of numbers are those of each. */
static size_t least_of(const model_member *member) {
    return member->type == MODEL_NUMBERS ? member->most_items > 0 : (size_t)member->low;
}

/* How many entries a list may have is in its row; a number's bounds are those of each. */
static json_t *list_json(const reading *in, const model_member *member, const yaml_node_t *node,
                         const place *at) {
    const bool is_list = node->type == YAML_SEQUENCE_NODE;
    const yaml_node_item_t *first = is_list ? node->data.sequence.items.start : NULL;
    const size_t count = is_list ? (size_t)(node->data.sequence.items.top - first) : 0;
    const size_t least = least_of(member);
    if (!is_list || count < least || (member->most_items > 0 && count > member->most_items))
        return wrong(in, at, "must be a list of %zu to %zu entries", least,
                     member->most_items > 0 ? member->most_items : bounds.nodes_max);
    json_auto_t *list = member->type == MODEL_MAP ? json_object() : json_array();
    for (size_t i = 0; i < count; i++) {
        const yaml_node_t *entry = yaml_document_get_node(in->yaml->document, first[i]);
        const place here = {.up = at, .index = i, .line = entry->start_mark.line + 1};
        if (!entry_add(in, member, entry, &here, list))
            return NULL;
    }
    return json_incref(list);
}

static json_t *value_json(const reading *in, const model_member *member, const yaml_node_t *node,
                          const place *at) {
    switch (member->type) {
    case MODEL_PART:
    case MODEL_OWN:
    case MODEL_JSON:
        return mapping_json(in, member->noun, node, at);
    case MODEL_NUMBERS:
        if (cfg__yaml_text(node) && member->most_items > 0) { /* where one is enough */
            json_t *one = scalar_json(in, member, node, at);
            return one ? json_pack("[o]", one) : NULL;
        }
        return list_json(in, member, node, at);
    case MODEL_TEXTS:
    case MODEL_LIST:
    case MODEL_MAP:
        return list_json(in, member, node, at);
    default:
        return scalar_json(in, member, node, at);
    }
}

static bool key_add(const reading *in, const model_noun *noun, const yaml_node_pair_t *pair,
                    const place *at, json_t *object) {
    yaml_document_t *document = in->yaml->document;
    const yaml_node_t *key = yaml_document_get_node(document, pair->key);
    const char *name = cfg__yaml_text(key) ? cfg__yaml_text(key) : "?";
    const place here = {.up = at, .name = name, .line = key->start_mark.line + 1};
    model_place row;
    json_t *value =
        model_find(noun, NULL, name, &row, NULL)
            ? value_json(in, row.member, yaml_document_get_node(document, pair->value), &here)
            : wrong(in, &here, "this key is not allowed here, see docs/configure.md");
    return value && json_object_set_new(object, name, value) == 0;
}

/* With what stands for keys that are left out; are all there that must be? */
static bool complete(const reading *in, const model_noun *noun, const place *at, json_t *object) {
    for (size_t i = 0; i < noun->count; i++) {
        const model_member *member = &noun->members[i];
        const place here = {.up = at, .name = member->name, .line = at->line};
        if (json_object_get(object, member->name))
            continue;
        if (member->need == MODEL_REQUIRED)
            return wrong(in, &here, "is missing; add it, see docs/configure.md") != NULL;
        if (member->otherwise)
            json_object_set_new(object, member->name, kept_json(in, member, member->otherwise));
    }
    return true;
}

static json_t *mapping_json(const reading *in, const model_noun *noun, const yaml_node_t *node,
                            const place *at) {
    if (node->type != YAML_MAPPING_NODE)
        return wrong(in, at, "must hold \"key: value\" lines");
    json_auto_t *object = json_object();
    bool good = true;
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         good && pair < node->data.mapping.pairs.top; pair++)
        good = key_add(in, noun, pair, at, object);
    return good && complete(in, noun, at, object) ? json_incref(object) : NULL;
}

/* The first key that stands twice in one mapping; NULL when there is none. */
static const yaml_node_t *repeated_key(yaml_document_t *document, const yaml_node_t *node) {
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = yaml_document_get_node(document, pair->key);
        union {
            const char *text;
            void *key;
        } name = {cfg__yaml_text(key)};
        if (name.text && !g_hash_table_add(seen, name.key))
            return key;
    }
    return NULL;
}

static bool check_keys(cfg__yaml *yaml, GError **error) {
    yaml_document_t *document = yaml->document;
    for (const yaml_node_t *node = document->nodes.start; node < document->nodes.top; node++) {
        const yaml_node_t *key =
            node->type == YAML_MAPPING_NODE ? repeated_key(document, node) : NULL;
        if (key) {
            g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX,
                        "%s:%zu: %s: this key is given twice; remove one", yaml->path,
                        key->start_mark.line + 1, cfg__yaml_text(key));
            return false;
        }
    }
    return true;
}

bool cfg__yaml_parse(const char *text, size_t size, const char *name, yaml_document_t *document,
                     GError **error) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        g_set_error(error, CFG_ERROR, CFG_ERROR_READ, "%s: out of memory", name);
        return false;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    const bool good = yaml_parser_load(&parser, document);
    if (!good)
        g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "%s:%zu: not valid YAML: %s", name,
                    parser.problem_mark.line + 1,
                    parser.problem ? parser.problem : "cannot be read");
    yaml_parser_delete(&parser);
    return good;
}

static bool read_document(cfg__yaml *yaml, const char *text, size_t length, GError **error) {
    yaml_document_t *document = g_new0(yaml_document_t, 1);
    if (!cfg__yaml_parse(text, length, yaml->path, document, error)) {
        g_free(document);
        return false;
    }
    yaml->document = document;
    const yaml_node_t *root = yaml_document_get_root_node(document);
    if (root && root->type == YAML_MAPPING_NODE)
        return true;
    g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX,
                "%s:1: the file must hold \"key: value\" lines, see docs/configure.md", yaml->path);
    return false;
}

static bool read_data(const cfg__yaml *yaml, const model_noun *noun, void *out, GError **error) {
    static const place whole = {.line = 1};
    const reading in = {yaml, error};
    json_auto_t *data =
        mapping_json(&in, noun, yaml_document_get_root_node(yaml->document), &whole);
    if (!data || model_read(noun, data, out, error))
        return data != NULL;
    g_prefix_error(error, "%s: ", yaml->path);
    return false;
}

cfg__yaml *cfg__yaml_load(const char *path, const model_noun *noun, void *out, GError **error) {
    g_autoptr(cfg__yaml) yaml = g_new0(cfg__yaml, 1);
    yaml->path = g_strdup(path);
    yaml->folder = g_path_get_dirname(path);

    g_autofree char *text = NULL;
    gsize length = 0;
    GError *read_error = NULL;
    if (!g_file_get_contents(path, &text, &length, &read_error)) {
        g_set_error(error, CFG_ERROR, CFG_ERROR_READ, "%s", read_error->message);
        g_error_free(read_error);
        return NULL;
    }
    if (length > CFG__FILE_LIMIT_BYTES) {
        g_set_error(error, CFG_ERROR, CFG_ERROR_READ,
                    "%s: %zu bytes is too large for a configuration file", path, (size_t)length);
        return NULL;
    }
    if (!cfg__yaml_check(text, length, path, &bounds, error) ||
        !read_document(yaml, text, length, error) || !check_keys(yaml, error) ||
        !read_data(yaml, noun, out, error))
        return NULL;
    return g_steal_pointer(&yaml);
}

void cfg__yaml_free(cfg__yaml *yaml) {
    if (!yaml)
        return;
    if (yaml->document)
        yaml_document_delete(yaml->document);
    g_free(yaml->document);
    g_free(yaml->folder);
    g_free(yaml->path);
    g_free(yaml);
}

bool cfg__yaml_range(const cfg__yaml *yaml, const char *key, cfg__range range, uint64_t *value,
                     GError **error) {
    size_t line;
    const char *text = cfg__yaml_text(follow(yaml, key, &line));
    if (!text)
        *value = range.fallback;
    return !text || is_whole(text, range, value) ||
           cfg__yaml_wrong(yaml, error, key, NOT_WHOLE "; the default is %" G_GUINT64_FORMAT, text,
                           range.low, range.high, range.fallback);
}

char *cfg__yaml_path(const cfg__yaml *yaml, const char *path) {
    g_autofree char *joined =
        g_path_is_absolute(path) ? g_strdup(path) : g_build_filename(yaml->folder, path, NULL);
    return g_canonicalize_filename(joined, NULL);
}

void cfg__yaml_otherwise(char **text, const char *otherwise) {
    if (!*text)
        *text = g_strdup(otherwise);
}

/* Of a number, text or list; without an end where the row has none. */
static json_t *bounded(json_t *schema, const char *low, double min, const char *high, double max) {
    json_object_set_new(schema, low, json_integer((json_int_t)min));
    if (max > 0 && max < (double)G_MAXINT64) /* else there is none */
        json_object_set_new(schema, high, json_integer((json_int_t)max));
    return schema;
}

/* A text may look like a number: a portion 1, a date. */
static json_t *text_schema(const model_member *member, unsigned least) {
    return bounded(json_pack("{s:[s,s,s]}", "type", "string", "number", "boolean"), "minLength",
                   least, "maxLength", (double)member->most);
}

static json_t *words_schema(const char *const *words) {
    json_t *list = json_array();
    for (size_t i = 0; words[i]; i++)
        json_array_append_new(list, json_string(words[i]));
    return json_pack("{s:o}", "enum", list);
}

static json_t *list_schema(const model_member *member, json_t *entry) {
    return bounded(json_pack("{s:s, s:o}", "type", "array", "items", entry), "minItems",
                   (double)least_of(member), "maxItems", (double)member->most_items);
}

static json_t *number_schema(const model_member *member) {
    return bounded(json_pack("{s:s}", "type", "integer"), "minimum", member->low, "maximum",
                   member->high);
}

static json_t *member_schema(const model_member *member) {
    if (member->words)
        return words_schema(member->words);
    switch (member->type) {
    case MODEL_PART:
    case MODEL_OWN:
    case MODEL_JSON:
        return cfg__yaml_schema(member->noun);
    case MODEL_LIST:
        return list_schema(member, cfg__yaml_schema(member->noun));
    case MODEL_TEXTS:
    case MODEL_MAP:
        return list_schema(member, text_schema(member, 0));
    case MODEL_NUMBERS:
        return member->most_items == 0 ? list_schema(member, number_schema(member))
                                       : json_pack("{s:[o, o]}", "anyOf", number_schema(member),
                                                   list_schema(member, number_schema(member)));
    case MODEL_TEXT:
        return text_schema(member, 1);
    case MODEL_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case MODEL_DOUBLE:
        return json_pack("{s:s}", "type", "number");
    default:
        return number_schema(member);
    }
}

json_t *cfg__yaml_schema(const model_noun *noun) {
    json_t *properties = json_object(), *required = json_array();
    for (size_t i = 0; i < noun->count; i++) {
        const model_member *member = &noun->members[i];
        json_object_set_new(properties, member->name, member_schema(member));
        if (member->need == MODEL_REQUIRED)
            json_array_append_new(required, json_string(member->name));
    }
    return json_pack("{s:s, s:b, s:o, s:o}", "type", "object", "additionalProperties", false,
                     "properties", properties, "required", required);
}
