#include "config/yaml_edit.h"

#include "config/config.h"
#include "config/yaml.h"

#include <string.h>

typedef struct {
    const char *name;
    const cfg__yaml_bounds *bounds;
    size_t nodes, lines; /* lines: before the end of the document */
    unsigned depth;
} check;

static bool wrong(const check *work, size_t line, const char *what, GError **error) {
    g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "%s:%zu: %s", work->name, line, what);
    return false;
}

/* They stand before the document. libyaml compares each with all before it. */
static bool check_directives(const check *work, const char *text, size_t size, GError **error) {
    size_t line = 1;
    for (const char *at = text, *end = text + size; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (*at == '%')
            return wrong(work, line, "directives (%YAML, %TAG) are not read; remove them", error);
        if (*at != '#' && *at != '\n' && *at != '\r')
            return true;
        at = stop ? stop + 1 : end;
    }
    return true;
}

static const char *anchor_of(const yaml_event_t *event) {
    const yaml_char_t *anchor =
        event->type == YAML_SCALAR_EVENT           ? event->data.scalar.anchor
        : event->type == YAML_SEQUENCE_START_EVENT ? event->data.sequence_start.anchor
        : event->type == YAML_MAPPING_START_EVENT  ? event->data.mapping_start.anchor
                                                   : NULL;
    return (const char *)anchor;
}

static bool take(check *work, const yaml_event_t *event, GError **error) {
    const size_t line = event->start_mark.line + 1;
    bool opens =
        event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
    if (event->type == YAML_ALIAS_EVENT || anchor_of(event))
        return wrong(work, line, "anchors and aliases are not read; write the values out", error);
    work->nodes += opens || event->type == YAML_SCALAR_EVENT;
    work->depth += opens;
    work->depth -= event->type == YAML_SEQUENCE_END_EVENT || event->type == YAML_MAPPING_END_EVENT;
    if (work->nodes > work->bounds->nodes_max || work->depth > work->bounds->depth_max) {
        g_autofree char *what = g_strdup_printf("more than %zu values, or deeper than %u levels",
                                                work->bounds->nodes_max, work->bounds->depth_max);
        return wrong(work, line, what, error);
    }
    return true;
}

static bool check_events(check *work, yaml_parser_t *parser, GError **error) {
    for (bool more = true; more;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            g_autofree char *what = g_strdup_printf(
                "not valid YAML: %s", parser->problem ? parser->problem : "unreadable");
            return wrong(work, parser->problem_mark.line + 1, what, error);
        }
        more = event.type != YAML_DOCUMENT_END_EVENT && event.type != YAML_STREAM_END_EVENT;
        work->lines = event.end_mark.line;
        bool good = take(work, &event, error);
        yaml_event_delete(&event);
        if (!good)
            return false;
    }
    return true;
}

/* Nothing, a comment, or a mark (---, ...) with no more than a comment behind it. */
static bool is_blank(const char *line) {
    const bool mark = g_str_has_prefix(line, "---") || g_str_has_prefix(line, "...");
    const char *rest = line + (mark ? 3 : 0);
    rest += strspn(rest, " \t\r");
    return *rest == '\0' || (*rest == '#' && !(mark && rest == line + 3));
}

/* Behind its document a file has comments alone: all else would not be read. */
static bool check_rest(const check *work, const char *text, size_t size, GError **error) {
    size_t line = 1;
    for (const char *at = text, *end = text + size; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const size_t length = (size_t)((stop ? stop : end) - at);
        g_autofree char *own = line > work->lines ? g_strndup(at, length) : NULL;
        if (own && !is_blank(own))
            return wrong(work, line,
                         "a second document begins here (---); a file holds one, so put it into "
                         "another file",
                         error);
        at = stop ? stop + 1 : end;
    }
    return true;
}

bool cfg__yaml_check(const char *text, size_t size, const char *name,
                     const cfg__yaml_bounds *bounds, GError **error) {
    check work = {.name = name, .bounds = bounds};
    yaml_parser_t parser;
    if (size > bounds->bytes_max) {
        g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "%s: %zu bytes, more than the limit of %zu",
                    name, size, bounds->bytes_max);
        return false;
    }
    if (!check_directives(&work, text, size, error))
        return false;
    if (!yaml_parser_initialize(&parser)) {
        g_set_error(error, CFG_ERROR, CFG_ERROR_READ, "%s: out of memory", name);
        return false;
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
    bool good = check_events(&work, &parser, error) && check_rest(&work, text, size, error);
    yaml_parser_delete(&parser);
    return good;
}

typedef struct {
    const char *text;
    yaml_document_t document;
    const char *const *path;
    GError **error;
} edit;

static const yaml_node_t *node_of(edit *self, int id) {
    return yaml_document_get_node(&self->document, id);
}

/* libyaml counts letters. */
static size_t place_of(const edit *self, const yaml_mark_t *mark) {
    return (size_t)(g_utf8_offset_to_pointer(self->text, (glong)mark->index) - self->text);
}

static const yaml_node_pair_t *pair_of(edit *self, const yaml_node_t *node, const char *key) {
    return cfg__yaml_pair(&self->document, node, key);
}

/* The item of a list that is a mapping with this name. */
static const yaml_node_t *named(edit *self, const yaml_node_t *list, const char *name) {
    for (const yaml_node_item_t *item = list->data.sequence.items.start;
         item < list->data.sequence.items.top; item++) {
        const yaml_node_t *one = node_of(self, *item);
        const yaml_node_pair_t *pair = pair_of(self, one, "name");
        if (pair && g_strcmp0(cfg__yaml_text(node_of(self, pair->value)), name) == 0)
            return one;
    }
    return NULL;
}

/* One step down; NULL: there is nothing. */
static const yaml_node_t *below(edit *self, const yaml_node_t *from, const char *word) {
    if (from && from->type == YAML_SEQUENCE_NODE)
        return named(self, from, word);
    const yaml_node_pair_t *pair = pair_of(self, from, word);
    return pair ? node_of(self, pair->value) : NULL;
}

static char *refuse(edit *self, const char *what) {
    g_autoptr(GString) path = g_string_new(self->path[0]);
    for (size_t i = 1; self->path[0] && self->path[i]; i++)
        g_string_append_printf(path, ".%s", self->path[i]);
    g_set_error(self->error, CFG_ERROR, CFG_ERROR_MEANING, "%s: %s", path->str, what);
    return NULL;
}

static char *spliced(const edit *self, size_t from, size_t to, const char *by) {
    return g_strdup_printf("%.*s%s%s", (int)from, self->text, by, self->text + to);
}

static char *replaced(edit *self, const yaml_node_t *old, const char *value) {
    if (old->type != YAML_SCALAR_NODE || old->data.scalar.style == YAML_LITERAL_SCALAR_STYLE ||
        old->data.scalar.style == YAML_FOLDED_SCALAR_STYLE)
        return refuse(self, "is not a plain value; set it by hand");
    const size_t from = place_of(self, &old->start_mark), to = place_of(self, &old->end_mark);
    /* "key:" without a value ends where it begins, right behind the colon. */
    g_autofree char *spaced = from == to ? g_strconcat(" ", value, NULL) : NULL;
    return spliced(self, from, to, spaced ? spaced : value);
}

static char *added_in_flow(edit *self, const yaml_node_t *mapping, const char *key,
                           const char *value) {
    size_t end = place_of(self, &mapping->end_mark) - 1; /* the brace */
    while (end > 0 && g_ascii_isspace(self->text[end - 1]))
        end--;
    const bool empty = mapping->data.mapping.pairs.start == mapping->data.mapping.pairs.top;
    const bool comma = empty || self->text[end - 1] == ',';
    g_autofree char *pair = g_strdup_printf("%s%s: %s",
                                            empty   ? ""
                                            : comma ? " "
                                                    : ", ",
                                            key, value);
    return spliced(self, end, end, pair);
}

/* The last pair whose key and value share a line: below it there is room. */
static const yaml_node_pair_t *last_short(edit *self, const yaml_node_t *mapping) {
    for (const yaml_node_pair_t *p = mapping->data.mapping.pairs.top;
         p-- > mapping->data.mapping.pairs.start;) {
        const yaml_node_t *value = node_of(self, p->value);
        if (value->type == YAML_SCALAR_NODE &&
            value->end_mark.line == node_of(self, p->key)->start_mark.line)
            return p;
    }
    return NULL;
}

static char *added_in_block(edit *self, const yaml_node_t *mapping, const char *key,
                            const char *value) {
    const yaml_node_pair_t *above = last_short(self, mapping);
    if (!above)
        return refuse(self, "there is no plain value beside it; add it by hand");
    const size_t indent = node_of(self, above->key)->start_mark.column;
    const size_t from = place_of(self, &node_of(self, above->value)->end_mark);
    const char *stop = strchr(self->text + from, '\n');
    const size_t at = stop ? (size_t)(stop - self->text) + 1 : strlen(self->text);
    const char *end = stop && stop > self->text && stop[-1] == '\r' ? "\r\n" : "\n";
    g_autofree char *line = g_strdup_printf("%s%*s%s: %s%s", stop ? "" : end, (int)indent, "", key,
                                            value, stop ? end : "");
    return spliced(self, at, at, line);
}

static char *set(edit *self, const char *value) {
    const yaml_node_t *at = yaml_document_get_root_node(&self->document);
    const char *const *word = self->path;
    for (; at && word[0] && word[1]; word++)
        at = below(self, at, word[0]);
    if (!at || at->type != YAML_MAPPING_NODE || !word[0])
        return refuse(self, "is not in a mapping of the file");
    const yaml_node_pair_t *pair = pair_of(self, at, word[0]);
    if (pair)
        return replaced(self, node_of(self, pair->value), value);
    return at->data.mapping.style == YAML_FLOW_MAPPING_STYLE
               ? added_in_flow(self, at, word[0], value)
               : added_in_block(self, at, word[0], value);
}

char *cfg_yaml_set(const char *text, const char *const *path, const char *value, GError **error) {
    edit self = {.text = text, .path = path, .error = error};
    if (!g_utf8_validate(text, -1, NULL)) {
        g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "the text is not UTF-8");
        return NULL;
    }
    if (!cfg__yaml_parse(text, strlen(text), "the text", &self.document, error))
        return NULL;
    char *out = set(&self, value);
    yaml_document_delete(&self.document);
    return out;
}

char *cfg_yaml_quoted(const char *text) {
    g_auto(GStrv) parts = g_strsplit(text, "'", -1);
    g_autofree char *doubled = g_strjoinv("''", parts);
    return g_strconcat("'", doubled, "'", NULL);
}
