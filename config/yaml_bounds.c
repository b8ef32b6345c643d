#include "config/yaml.h"

#include "config/config.h"

#include <string.h>
#include <yaml.h>

typedef struct {
    const char *name;
    const cfg__yaml_bounds *bounds;
    size_t nodes;
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
        bool good = take(work, &event, error);
        yaml_event_delete(&event);
        if (!good)
            return false;
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
    bool good = check_events(&work, &parser, error);
    yaml_parser_delete(&parser);
    return good;
}
