#include "runner/driver/harvest.h"

#include "runner/ground/error.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#define DEPTH_LIMIT 10000   /* of nested backtracking points */
#define HEAP_LIMIT_KB 20000 /* PCRE2's own default */
#define SHOWN_BYTES 120     /* of a pattern or line in an error */
#define TEXT_BYTES_MAX 256  /* of a number or unit: no honest one is longer */

typedef struct {
    const run_extract_rule *rule;
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *context;
    run_values *values;
    gint64 deadline_us; /* monotonic */
    size_t line;        /* of the text that is searched, from 1 */
} search;

static void clear(search *self) {
    pcre2_match_data_free(self->data);
    pcre2_match_context_free(self->context);
    pcre2_code_free(self->code);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(search, clear)

/* A text for people: one line, cut. */
static char *shown(const char *text, size_t length) {
    size_t line = 0;
    while (line < length && line < SHOWN_BYTES && text[line] != '\n' && text[line] != '\r')
        line++;
    g_autofree char *valid = g_utf8_make_valid(text, (gssize)line);
    return g_strconcat(valid, line < length ? "…" : "", NULL);
}

static bool wrong(const search *self, GError **error, const char *what) {
    g_autofree char *pattern = shown(self->rule->pattern, strlen(self->rule->pattern));
    return run_wrong(error, "pattern /%s/, line %zu: %s", pattern, self->line, what);
}

static pcre2_code *compile(const run_extract_rule *rule, GError **error) {
    int problem = 0;
    PCRE2_SIZE offset = 0;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)rule->pattern, PCRE2_ZERO_TERMINATED,
                                     PCRE2_UTF | PCRE2_MULTILINE, &problem, &offset, NULL);
    if (!code) {
        PCRE2_UCHAR text[TEXT_BYTES_MAX] = {0};
        pcre2_get_error_message(problem, text, sizeof text);
        run_wrong(error, "read.pattern, offset %zu: %s", (size_t)offset, (const char *)text);
        return NULL;
    }
    int group = pcre2_substring_number_from_name(code, (PCRE2_SPTR) "value");
    if (group < 0 && group != PCRE2_ERROR_NOUNIQUESUBSTRING) {
        run_wrong(error, "read.pattern has no group named value; write (?<value>[0-9.]+)");
        g_clear_pointer(&code, pcre2_code_free);
    }
    return code;
}

/* What a group matched, NULL when it did not take part or does not exist. */
static char *group_text(const search *self, const char *name, size_t bytes_max) {
    PCRE2_UCHAR *text = NULL;
    PCRE2_SIZE length = 0;
    if (pcre2_substring_get_byname(self->data, (PCRE2_SPTR)name, &text, &length) != 0)
        return NULL;
    char *copy = g_strndup((const char *)text, MIN(length, bytes_max));
    pcre2_substring_free(text);
    return copy;
}

static bool take(search *self, GError **error) {
    g_autofree char *value = group_text(self, "value", TEXT_BYTES_MAX);
    g_autofree char *unit = group_text(self, "unit", TEXT_BYTES_MAX);
    g_autofree char *name = group_text(self, "name", 4 * TEXT_BYTES_MAX);
    const char *used = unit && unit[0] != '\0' ? unit : self->rule->unit;
    if (!value)
        return wrong(self, error, "matches, but its group value is empty");
    if (!used)
        return wrong(self, error, "matches, but its group unit is empty; set read.unit");
    g_autofree char *pattern = shown(self->rule->pattern, strlen(self->rule->pattern));
    g_autofree char *place = g_strdup_printf("line %zu", self->line);
    if (run_values_parse(self->values, name, value, used, place, error))
        return true;
    g_prefix_error(error, "pattern /%s/, ", pattern);
    return false;
}

static bool fail(const search *self, int code, GError **error) {
    PCRE2_UCHAR text[TEXT_BYTES_MAX] = {0};
    if (code == PCRE2_ERROR_MATCHLIMIT || code == PCRE2_ERROR_DEPTHLIMIT ||
        code == PCRE2_ERROR_HEAPLIMIT) {
        return wrong(self, error,
                     "needs more steps than read.match_limit allows; simplify it (no nested "
                     "repetition), anchor it with ^, or raise the limit");
    }
    pcre2_get_error_message(code, text, sizeof text);
    return wrong(self, error, (const char *)text);
}

static size_t lines_in(const char *text, size_t from, size_t to) {
    size_t lines = 0;
    for (size_t i = from; i < to; i++)
        lines += text[i] == '\n';
    return lines;
}

/* All matches in one subject; self->line is that of its first byte. */
static bool scan(search *self, const char *text, size_t length, GError **error) {
    size_t at = 0, counted = 0;
    while (at <= length) {
        /* One match is bounded by its work, many by time. */
        if (g_get_monotonic_time() > self->deadline_us) {
            return wrong(self, error,
                         "reading the output takes longer than read.timeout_seconds; make the "
                         "pattern simpler or the output shorter");
        }
        int code = pcre2_match(self->code, (PCRE2_SPTR)text, length, at, PCRE2_NO_UTF_CHECK,
                               self->data, self->context);
        if (code == PCRE2_ERROR_NOMATCH)
            return true;
        if (code < 0)
            return fail(self, code, error);
        const PCRE2_SIZE *span = pcre2_get_ovector_pointer(self->data);
        size_t begin = MIN(span[0], span[1]), end = MAX(span[0], span[1]);
        self->line += lines_in(text, counted, begin);
        counted = begin;
        if (!take(self, error))
            return false;
        at = end;
        if (end == begin) /* an empty match: on by one letter */
            at = end < length ? (size_t)(g_utf8_next_char(text + end) - text) : length + 1;
    }
    return true;
}

static bool scan_lines(search *self, const char *text, size_t length, GError **error) {
    const char *end = text + length;
    for (const char *at = text; at < end;) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t line = (size_t)((newline ? newline : end) - at);
        size_t kept = line > 0 && at[line - 1] == '\r' ? line - 1 : line;
        size_t number = self->line;
        if (!scan(self, at, kept, error))
            return false;
        self->line = number + 1;
        at += line + 1;
    }
    return true;
}

static bool no_match(const search *self, const char *text, size_t length, GError **error) {
    g_autofree char *pattern = shown(self->rule->pattern, strlen(self->rule->pattern));
    size_t end = length;
    while (end > 0 && g_ascii_isspace(text[end - 1]))
        end--;
    const char *last = end > 0 ? g_strrstr_len(text, (gssize)end, "\n") : NULL;
    const char *line = last ? last + 1 : text;
    g_autofree char *said = shown(line, (size_t)(text + end - line));
    return run_wrong(error,
                     "no match of the pattern /%s/ in %zu bytes, %zu lines; the last line: \"%s\"; "
                     "correct read.pattern, or what the program prints",
                     pattern, length,
                     lines_in(text, 0, length) + (length > 0 && text[length - 1] != '\n'), said);
}

bool run_extract(const run_extract_rule *rule, const char *text, size_t length, run_values *values,
                 GError **error) {
    g_auto(search)
        self = {.rule = rule,
                .values = values,
                .line = 1,
                .deadline_us = g_get_monotonic_time() + rule->timeout_s * G_USEC_PER_SEC};
    self.code = compile(rule, error);
    if (!self.code)
        return false;
    self.data = pcre2_match_data_create_from_pattern(self.code, NULL);
    self.context = pcre2_match_context_create(NULL);
    pcre2_set_match_limit(self.context, rule->match_limit);
    pcre2_set_depth_limit(self.context, DEPTH_LIMIT);
    pcre2_set_heap_limit(self.context, HEAP_LIMIT_KB);
    if (!(rule->whole ? scan : scan_lines)(&self, text, length, error))
        return false;
    return run_values_seen(values) > 0 || no_match(&self, text, length, error);
}
