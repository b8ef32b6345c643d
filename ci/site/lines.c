#include "ci/site/lines.h"

#include "ci/command/command.h"
#include "ci/site/experiment.h"

#include <string.h>

enum { MONTH_CHARS = 7 };

/* A part of a text: from its first character to behind its last; of nothing both NULL. */
typedef struct {
    const char *from, *to;
} part;

typedef struct {
    ci_site_line line;
    part text;
    json_t *json; /* once it was read */
} entry;

struct ci_site_lines {
    GPtrArray *answers; /* GBytes, whose parts the entries are */
    GArray *entries;
};

static void entry_clear(gpointer data) {
    json_decref(((entry *)data)->json);
}

ci_site_lines *ci_site_lines_new(void) {
    ci_site_lines *lines = g_new0(ci_site_lines, 1);
    lines->answers = g_ptr_array_new_with_free_func((GDestroyNotify)g_bytes_unref);
    lines->entries = g_array_new(FALSE, TRUE, sizeof(entry));
    g_array_set_clear_func(lines->entries, entry_clear);
    return lines;
}

void ci_site_lines_free(ci_site_lines *lines) {
    g_array_unref(lines->entries);
    g_ptr_array_unref(lines->answers);
    g_free(lines);
}

/* Where a text goes on: in front of `to`, behind white space. */
static const char *start_of(const char *at, const char *to) {
    while (at < to && strchr(" \t\r\n", *at) && *at)
        at++;
    return at;
}

/* Behind a string that begins at `at`; NULL: it does not end. */
static const char *string_end(const char *at, const char *to) {
    for (at++; at < to && *at != '"'; at++)
        at += *at == '\\';
    return at < to ? at + 1 : NULL;
}

/* Behind an object or a list that begins at `at`; NULL: it does not end. */
static const char *nest_end(const char *at, const char *to) {
    size_t depth = 0;
    while (at < to) {
        if (*at == '"') {
            at = string_end(at, to);
            if (!at)
                return NULL;
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
        if (depth == 0)
            return at;
    }
    return NULL;
}

static const char *value_end(const char *at, const char *to) {
    if (at < to && *at == '"')
        return string_end(at, to);
    if (at < to && (*at == '{' || *at == '['))
        return nest_end(at, to);
    const char *end = at;
    while (end < to && !strchr(",]} \t\r\n", *end))
        end++;
    return end > at ? end : NULL;
}

/* What goes from one part of an object or a list to the next: inside its brackets. */
typedef struct {
    const char *at, *to;
    bool wrong; /* it is not written as JSON is */
} walk;

static walk inside(part whole) {
    return (walk){whole.from + 1, whole.to - 1, false};
}

/* The next value, a ',' behind it passed; false: there is none. */
static bool next_value(walk *w, part *value) {
    value->from = start_of(w->at, w->to);
    if (value->from >= w->to)
        return false;
    value->to = value_end(value->from, w->to);
    w->at = value->to ? start_of(value->to, w->to) : NULL;
    w->wrong = !w->at || (w->at < w->to && *w->at != ',');
    w->at += !w->wrong && w->at < w->to;
    return !w->wrong;
}

static bool next_member(walk *w, part *key, part *value) {
    key->from = start_of(w->at, w->to);
    if (key->from >= w->to)
        return false;
    key->to = *key->from == '"' ? string_end(key->from, w->to) : NULL;
    const char *colon = key->to ? start_of(key->to, w->to) : w->to;
    w->wrong = colon >= w->to || *colon != ':';
    w->at = colon + 1;
    return !w->wrong && next_value(w, value);
}

static bool is_text(part text, const char *word) {
    const size_t length = strlen(word);
    return (size_t)(text.to - text.from) == length && memcmp(text.from, word, length) == 0;
}

static bool begins_with(part text, char first) {
    return text.from < text.to && *text.from == first;
}

/* A line's own members stand before those that are long: the walk ends with the last that counts.
 */
static void line_read(entry *e) {
    part key, value;
    unsigned found = 0;
    ci_site_line *line = &e->line;
    bool unmeasured = false;
    memcpy(line->month, "0000-00", sizeof line->month);
    for (walk w = inside(e->text); found < 3 && next_member(&w, &key, &value);) {
        const bool id = is_text(key, "\"experiment\""), state = is_text(key, "\"state\"");
        const bool night = is_text(key, "\"night\"");
        found += id || state || night;
        if (id)
            line->experiment = g_ascii_strtoll(value.from, NULL, 10);
        if (night && begins_with(value, '"') && value.to - value.from > MONTH_CHARS + 2)
            memcpy(line->month, value.from + 1, MONTH_CHARS);
        if (state)
            unmeasured = !is_text(value, "\"measured\"");
    }
    line->measured = line->experiment != 0 && !unmeasured;
}

static bool add_items(ci_site_lines *lines, part items) {
    entry e = {0};
    walk w = inside(items);
    while (next_value(&w, &e.text)) {
        if (!begins_with(e.text, '{'))
            return false;
        line_read(&e);
        g_array_append_val(lines->entries, e);
    }
    return !w.wrong;
}

/* A string as it is meant, owned; NULL: it is none. */
static char *string_of(part text) {
    json_auto_t *value =
        text.from ? json_loadb(text.from, (size_t)(text.to - text.from), JSON_DECODE_ANY, NULL)
                  : NULL;
    return g_strdup(json_string_value(value));
}

static bool add_answer(ci_site_lines *lines, part text, char **next) {
    part key, value, items = {0}, cursor = {0};
    text.from = start_of(text.from, text.to);
    const char *end = begins_with(text, '{') ? nest_end(text.from, text.to) : NULL;
    if (!end || start_of(end, text.to) != text.to)
        return false;
    walk w = inside((part){text.from, end});
    while (next_member(&w, &key, &value))
        if (is_text(key, "\"items\""))
            items = value;
        else if (is_text(key, "\"next\""))
            cursor = value;
    *next = string_of(cursor);
    return !w.wrong && begins_with(items, '[') && add_items(lines, items);
}

bool ci_site_lines_add(ci_site_lines *lines, GBytes *answer, char **next, GError **error) {
    gsize size;
    const char *text = g_bytes_get_data(answer, &size);
    g_ptr_array_add(lines->answers, g_bytes_ref(answer));
    return (size > 0 && add_answer(lines, (part){text, text + size}, next)) ||
           ci_wrong(error, "the server's answer is no list of nights");
}

size_t ci_site_lines_count(const ci_site_lines *lines) {
    return lines->entries->len;
}

static entry *entry_at(const ci_site_lines *lines, size_t at) {
    return &g_array_index(lines->entries, entry, at);
}

const ci_site_line *ci_site_lines_at(const ci_site_lines *lines, size_t at) {
    return at < lines->entries->len ? &entry_at(lines, at)->line : NULL;
}

char *ci_site_lines_digest(const ci_site_lines *lines, size_t from, size_t to) {
    /* Nobody gains by two nights that are taken for one; of GLib's sums it is the fastest. */
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_MD5);
    for (; from < to; from++) {
        const part text = entry_at(lines, from)->text;
        g_checksum_update(sum, (const guchar *)text.from, text.to - text.from);
    }
    return g_strdup(g_checksum_get_string(sum));
}

json_t *ci_site_lines_read(ci_site_lines *lines, size_t at, GError **error) {
    entry *e = entry_at(lines, at);
    if (!e->json) {
        e->json = json_loadb(e->text.from, (size_t)(e->text.to - e->text.from), 0, NULL);
        ci_site_round(e->json, CI_SITE_DIGITS);
    }
    if (!e->json)
        ci_wrong(error, "the server's answer has a night that is not JSON");
    return e->json;
}

void ci_site_lines_forget(ci_site_lines *lines, size_t from, size_t to) {
    for (; from < to; from++)
        g_clear_pointer(&entry_at(lines, from)->json, json_decref);
}
