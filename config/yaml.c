#include "config/yaml.h"

#include "config/config.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

G_DEFINE_QUARK(cfg_error, cfg_error)

static const cfg__yaml_bounds bounds = {
    .bytes_max = CFG__FILE_LIMIT_BYTES, .nodes_max = 100000, .depth_max = 64};

struct cfg__yaml {
    char *path;
    char *folder;
    yaml_document_t *document; /* NULL until it was parsed */
    cyaml_config_t config;
    const cyaml_schema_value_t *schema;
    void *data;
    const char *within; /* keys are of this section; NULL: of the whole file */
    /* What libcyaml said while loading. */
    char *message;
    char *field; /* the key it was about; NULL: none */
    unsigned long line;
};

const cyaml_strval_t cfg__flags[2] = {{"false", CFG__FALSE}, {"true", CFG__TRUE}};

const cyaml_schema_value_t cfg__string = {
    CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED)};

bool cfg__flag_or(const cfg__flag *flag, bool fallback) {
    return flag ? *flag == CFG__TRUE : fallback;
}

/* libcyaml hands memory to structures that are freed with g_free. */
static void *memory(void *context, void *pointer, size_t size) {
    (void)context;
    if (size == 0) {
        g_free(pointer);
        return NULL;
    }
    return g_try_realloc(pointer, size);
}

static void listen_to_cyaml(cyaml_log_t level, void *context, const char *format, va_list args)
    G_GNUC_PRINTF(3, 0);

/* Keeps the first complaint, and the first (innermost) line of the backtrace under it. */
static void listen_to_cyaml(cyaml_log_t level, void *context, const char *format, va_list args) {
    cfg__yaml *yaml = context;
    if (level < CYAML_LOG_WARNING)
        return;
    g_autofree char *text = g_strdup_vprintf(format, args);
    g_strstrip(text);
    const char *said = g_str_has_prefix(text, "Load: ") ? text + strlen("Load: ") : text;
    const char *place = strstr(said, "(line: ");
    if (place) {
        const char *field = strchr(said, '\''), *end = field ? strchr(field + 1, '\'') : NULL;
        if (yaml->line == 0)
            yaml->line = strtoul(place + strlen("(line: "), NULL, 10);
        if (!yaml->field && end && end < place)
            yaml->field = g_strndup(field + 1, (gsize)(end - field - 1));
    } else if (!yaml->message && strcmp(said, "Backtrace:") != 0) {
        yaml->message = g_strdup(said);
    }
}

static const char *scalar(const yaml_node_t *node) {
    return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value : NULL;
}

static yaml_node_t *child(yaml_document_t *document, const yaml_node_t *node, const char *key,
                          size_t length, size_t *line) {
    for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
         pair < node->data.mapping.pairs.top; pair++) {
        yaml_node_t *name = yaml_document_get_node(document, pair->key);
        const char *text = scalar(name);
        if (text && strlen(text) == length && strncmp(text, key, length) == 0) {
            *line = name->start_mark.line + 1;
            return yaml_document_get_node(document, pair->value);
        }
    }
    return NULL;
}

/* The key as seen from the top of the file; caller frees. */
static char *whole_key(const cfg__yaml *yaml, const char *key) {
    return yaml->within ? g_strconcat(yaml->within, ".", key, NULL) : g_strdup(key);
}

/* Follows "a.b[2].c" as far as it exists: the line of the last step that does, and the node of the
 * whole path (NULL when it does not exist to its end). */
static yaml_node_t *follow(const cfg__yaml *yaml, const char *name, size_t *line_out) {
    g_autofree char *whole = whole_key(yaml, name);
    const char *key = whole;
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
            node =
                node->type == YAML_MAPPING_NODE ? child(document, node, key, length, &line) : NULL;
            key += length;
        }
    }
    *line_out = line;
    return node;
}

static size_t line_of(const cfg__yaml *yaml, const char *key) {
    size_t line = 1;
    (void)follow(yaml, key, &line);
    return line;
}

bool cfg__yaml_has(const cfg__yaml *yaml, const char *key) {
    size_t line;
    return follow(yaml, key, &line) != NULL;
}

/* The line of the first key of that name anywhere at or after `from`; `from` when there is none. */
static size_t line_of_key_after(const cfg__yaml *yaml, const char *key, size_t from) {
    yaml_document_t *document = yaml->document;
    size_t best = 0;
    for (yaml_node_t *node = document->nodes.start; node < document->nodes.top; node++) {
        if (node->type != YAML_MAPPING_NODE)
            continue;
        for (yaml_node_pair_t *pair = node->data.mapping.pairs.start;
             pair < node->data.mapping.pairs.top; pair++) {
            yaml_node_t *name = yaml_document_get_node(document, pair->key);
            size_t line = name->start_mark.line + 1;
            if (g_strcmp0(scalar(name), key) == 0 && line >= from && (best == 0 || line < best))
                best = line;
        }
    }
    return best ? best : from;
}

bool cfg__yaml_wrong(const cfg__yaml *yaml, GError **error, const char *key, const char *format,
                     ...) {
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *whole = whole_key(yaml, key);
    g_set_error(error, CFG_ERROR, CFG_ERROR_MEANING, "%s:%zu: %s%s%s", yaml->path,
                line_of(yaml, key), whole, *whole ? ": " : "", text);
    return false;
}

/* The words that this key takes, wherever it stands; NULL: it takes none. */
static const cyaml_schema_value_t *words_of(const cyaml_schema_value_t *value, const char *key) {
    const cyaml_schema_value_t *found = NULL;
    if (value->type == CYAML_SEQUENCE)
        return words_of(value->sequence.entry, key);
    if (value->type != CYAML_MAPPING)
        return NULL;
    for (const cyaml_schema_field_t *field = value->mapping.fields; field->key && !found; field++)
        found = field->value.type == CYAML_ENUM && strcmp(field->key, key) == 0
                    ? &field->value
                    : words_of(&field->value, key);
    return found;
}

/* "retries: must be never or always, not "x""; NULL: that is not what is wrong. */
static char *wrong_word(const cfg__yaml *yaml, const char *said) {
    static const char *const prefix = "Invalid ENUM value: ";
    const cyaml_schema_value_t *words =
        yaml->field && g_str_has_prefix(said, prefix) ? words_of(yaml->schema, yaml->field) : NULL;
    if (!words)
        return NULL;
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%s: must be ", yaml->field);
    for (uint32_t i = 0; i < words->enumeration.count; i++)
        g_string_append_printf(text, "%s%s",
                               i == 0                              ? ""
                               : i + 1 == words->enumeration.count ? " or "
                                                                   : ", ",
                               words->enumeration.strings[i].str);
    g_string_append_printf(text, ", not \"%s\"", said + strlen(prefix));
    return g_string_free(text, FALSE);
}

/* Keys that older versions knew, and what became of them. */
static const struct {
    const char *key, *hint;
} gone[] = {{"calibration", "; nodes do not stand in for each other any more: remove this key, see "
                            "\"Several nodes of one kind\" in docs/scale.md"}};

static const char *hint_of(const char *key) {
    for (size_t i = 0; i < G_N_ELEMENTS(gone); i++)
        if (g_str_equal(key, gone[i].key))
            return gone[i].hint;
    return "; this key is not allowed here, see docs/configure.md";
}

static void explain(const cfg__yaml *yaml, cyaml_err_t code, GError **error) {
    const char *said = yaml->message ? yaml->message : cyaml_strerror(code);
    size_t line = yaml->line ? yaml->line : 1;
    const char *hint = "";
    g_autofree char *words = wrong_word(yaml, said);
    said = words ? words : said;
    if (code == CYAML_ERR_INVALID_KEY && g_str_has_prefix(said, "Unexpected key: ")) {
        line = line_of_key_after(yaml, said + strlen("Unexpected key: "), line);
        hint = hint_of(said + strlen("Unexpected key: "));
    } else if (code == CYAML_ERR_MAPPING_FIELD_MISSING) {
        hint = "; add it, see docs/configure.md";
    } else if (code == CYAML_ERR_ALIAS) {
        hint = "; write the value itself, aliases are not supported";
    }
    g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "%s:%zu: %s%s", yaml->path, line, said, hint);
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
        } name = {scalar(key)};
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
                        key->start_mark.line + 1, scalar(key));
            return false;
        }
    }
    return true;
}

static bool read_document(cfg__yaml *yaml, const char *text, size_t length, GError **error) {
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) {
        g_set_error(error, CFG_ERROR, CFG_ERROR_READ, "%s: out of memory", yaml->path);
        return false;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    yaml_document_t *document = g_new0(yaml_document_t, 1);
    if (yaml_parser_load(&parser, document))
        yaml->document = document;
    else
        g_free(document);
    const yaml_node_t *root = yaml->document ? yaml_document_get_root_node(document) : NULL;
    bool good = root && root->type == YAML_MAPPING_NODE;
    if (!yaml->document)
        g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "%s:%zu: not valid YAML: %s", yaml->path,
                    parser.problem_mark.line + 1,
                    parser.problem ? parser.problem : "cannot be read");
    else if (!good)
        g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX,
                    "%s:1: the file must hold \"key: value\" lines, see docs/configure.md",
                    yaml->path);
    yaml_parser_delete(&parser);
    return good;
}

static bool read_data(cfg__yaml *yaml, const char *text, size_t length, GError **error) {
    yaml->config = (cyaml_config_t){.log_fn = listen_to_cyaml,
                                    .log_ctx = yaml,
                                    .mem_fn = memory,
                                    .log_level = CYAML_LOG_WARNING,
                                    .flags = CYAML_CFG_NO_ALIAS};
    cyaml_err_t code = cyaml_load_data((const uint8_t *)text, length, &yaml->config, yaml->schema,
                                       &yaml->data, NULL);
    if (code != CYAML_OK)
        explain(yaml, code, error);
    return code == CYAML_OK;
}

cfg__yaml *cfg__yaml_load(const char *path, const cyaml_schema_value_t *schema, GError **error) {
    g_autoptr(cfg__yaml) yaml = g_new0(cfg__yaml, 1);
    yaml->path = g_strdup(path);
    yaml->folder = g_path_get_dirname(path);
    yaml->schema = schema;

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
        !read_data(yaml, text, length, error))
        return NULL;
    return g_steal_pointer(&yaml);
}

void cfg__yaml_free(cfg__yaml *yaml) {
    if (!yaml)
        return;
    if (yaml->data)
        cyaml_free(&yaml->config, yaml->schema, yaml->data, 0);
    if (yaml->document)
        yaml_document_delete(yaml->document);
    g_free(yaml->document);
    g_free(yaml->message);
    g_free(yaml->field);
    g_free(yaml->folder);
    g_free(yaml->path);
    g_free(yaml);
}

void *cfg__yaml_data(const cfg__yaml *yaml) {
    return yaml->data;
}

bool cfg__yaml_number(const cfg__yaml *yaml, const char *key, const uint64_t *value,
                      cfg__range range, uint64_t *out, GError **error) {
    *out = value ? *value : range.fallback;
    if (!value)
        return true;
    /* libcyaml takes "-3" for 2^64 - 3 and "010" for 8: what was written decides. */
    size_t line = 0;
    const char *text = scalar(follow(yaml, key, &line));
    bool plain = text && g_regex_match_simple("^(0|[1-9][0-9]*)$", text, G_REGEX_DOLLAR_ENDONLY, 0);
    if (!plain || *value < range.low || *value > range.high)
        return cfg__yaml_wrong(yaml, error, key,
                               "%s is not a whole number between %" G_GUINT64_FORMAT
                               " and %" G_GUINT64_FORMAT "; the default is %" G_GUINT64_FORMAT,
                               text ? text : "this", range.low, range.high, range.fallback);
    return true;
}

bool cfg__yaml_unsigned(const cfg__yaml *yaml, const char *key, const uint64_t *value,
                        cfg__range range, unsigned *out, GError **error) {
    uint64_t wide = 0;
    bool good = cfg__yaml_number(yaml, key, value, range, &wide, error);
    *out = (unsigned)wide;
    return good;
}

bool cfg__yaml_real(const cfg__yaml *yaml, const char *key, const double *value,
                    cfg__real_range range, double *out, GError **error) {
    *out = value ? *value : range.fallback;
    if (value && !(isfinite(*value) && *value >= range.low && *value <= range.high))
        return cfg__yaml_wrong(yaml, error, key, "%g is not between %g and %g; the default is %g",
                               *value, range.low, range.high, range.fallback);
    return true;
}

char *cfg__yaml_path(const cfg__yaml *yaml, const char *path) {
    if (!path)
        return NULL;
    g_autofree char *joined =
        g_path_is_absolute(path) ? g_strdup(path) : g_build_filename(yaml->folder, path, NULL);
    return g_canonicalize_filename(joined, NULL);
}

void cfg__yaml_within(cfg__yaml *yaml, const char *section) {
    yaml->within = section;
}

static json_t *mapping_schema(const cyaml_schema_field_t *field) {
    json_t *properties = json_object(), *required = json_array();
    for (; field->key; field++) {
        json_object_set_new(properties, field->key, cfg__yaml_schema(&field->value));
        if (!(field->value.flags & CYAML_FLAG_OPTIONAL))
            json_array_append_new(required, json_string(field->key));
    }
    return json_pack("{s:s, s:b, s:o, s:o}", "type", "object", "additionalProperties", false,
                     "properties", properties, "required", required);
}

static json_t *words_schema(const cyaml_schema_value_t *value) {
    if (value->enumeration.strings == cfg__flags)
        return json_pack("{s:s}", "type", "boolean");
    json_t *words = json_array();
    for (uint32_t i = 0; i < value->enumeration.count; i++)
        json_array_append_new(words, json_string(value->enumeration.strings[i].str));
    return json_pack("{s:o}", "enum", words);
}

/* Of a text or list; without an end where the table has none. */
static json_t *bounded(json_t *schema, const char *low, uint32_t min, const char *high,
                       uint32_t max) {
    json_object_set_new(schema, low, json_integer(min));
    if (max != CYAML_UNLIMITED)
        json_object_set_new(schema, high, json_integer(max));
    return schema;
}

json_t *cfg__yaml_schema(const cyaml_schema_value_t *schema) {
    switch (schema->type) {
    case CYAML_MAPPING:
        return mapping_schema(schema->mapping.fields);
    case CYAML_SEQUENCE:
        return bounded(json_pack("{s:s, s:o}", "type", "array", "items",
                                 cfg__yaml_schema(schema->sequence.entry)),
                       "minItems", schema->sequence.min, "maxItems", schema->sequence.max);
    case CYAML_ENUM:
        return words_schema(schema);
    case CYAML_BOOL:
        return json_pack("{s:s}", "type", "boolean");
    case CYAML_UINT:
        return json_pack("{s:s, s:i}", "type", "integer", "minimum", 0);
    case CYAML_FLOAT:
        return json_pack("{s:s}", "type", "number");
    default: /* a text, which may look like a number: a portion 1, a date */
        return bounded(json_pack("{s:[s,s,s]}", "type", "string", "number", "boolean"), "minLength",
                       schema->string.min, "maxLength", schema->string.max);
    }
}
