#include "config/formats/formats.h"

#include "config/config.h"
#include "config/formats/list.h"
#include "config/json_text.h"

#include <string.h>

#define DECLARE(name_, word_) extern const fmt_format fmt_##name_;
FMT_LIST(DECLARE)

#define ROW(name_, word_) &fmt_##name_,
static const fmt_format *const formats[] = {FMT_LIST(ROW)};

const fmt_format *fmt_of(size_t place) {
    return formats[place];
}

/* what can be read, for people: "github-action-benchmark, JMH, …"; owned. */
static char *fmt_tools(void) {
    GString *list = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        g_string_append_printf(list, "%s%s", i > 0 ? ", " : "", formats[i]->tool);
    return g_string_free(list, FALSE);
}

/* Its place; the number of formats: none knows it. */
static size_t known(const fmt_input *in) {
    size_t i = 0;
    while (i < G_N_ELEMENTS(formats) && !formats[i]->is(in))
        i++;
    return i;
}

static bool looks_like_json(const char *text) {
    const char *at = text + strspn(text, " \t\r\n");
    return *at == '{' || *at == '[' || g_str_has_prefix(at, "window.BENCHMARK_DATA");
}

static bool unknown(const char *name, const fmt_input *in, GError **error) {
    g_autofree char *tools = fmt_tools();
    g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX,
                "%s: %s the output of a known tool; known are %s", name,
                in->several ? "holds several JSON texts, one after the other, which are not"
                : in->root  ? "is JSON, but not"
                : strstr(in->text, "\n{")
                    ? "begins with other text (2>&1 puts such before the JSON), and so is not"
                    : "is not",
                tools);
    return false;
}

/* A list of what a night leaves out, short. */
static char *left_text(const fmt_night *night) {
    enum { TOLD = 3 };
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < night->left->len && i < TOLD; i++) {
        const fmt_left *left = night->left->pdata[i];
        g_string_append_printf(text, "; %s: %s", left->name, left->why);
    }
    if (night->left->len > TOLD)
        g_string_append_printf(text, "; and %u more", night->left->len - TOLD);
    return g_string_free(text, FALSE);
}

/* A night without a value is no error while others have some; a file without one is. */
static bool ended(const fmt_format *format, const char *name, GPtrArray *nights, GError **error) {
    bool any = false;
    for (guint i = 0; i < nights->len; i++) {
        if (!fmt_night_end(nights->pdata[i], error)) {
            g_prefix_error(error, "%s: ", name);
            return false;
        }
        any = any || ((fmt_night *)nights->pdata[i])->values->len > 0;
    }
    g_autofree char *left = nights->len > 0 ? left_text(nights->pdata[0]) : g_strdup("");
    if (!any)
        g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX,
                    "%s: no benchmark of %s with a time per call in it%s; %s", name, format->tool,
                    left, format->how);
    return any;
}

/* What is wrong and where, unless the reader has said which file. */
static void placed(const fmt_format *row, bool asked, const char *name, const char *what,
                   GError **error) {
    if (g_str_has_prefix(what, name))
        g_set_error_literal(error, CFG_ERROR, CFG_ERROR_SYNTAX, what);
    else
        g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "%s: %s%s%s", name, asked ? "" : row->tool,
                    asked ? "" : ": ", what);
}

GPtrArray *fmt_read(const fmt_format *format, const char *name, const char *path, const char *text,
                    size_t size, bool cpu_time, GError **error) {
    const char *own = cfg_after_mark(text);
    json_t *root = NULL;
    size -= (size_t)(own - text);
    text = own;
    fmt_input in = {.path = path, .text = text, .size = size, .cpu_time = cpu_time};
    const bool json = looks_like_json(text);
    if (json && !(root = fmt_json_read(text, size, name, &in.several, error)))
        return NULL;
    in.root = root;
    const size_t place = format ? 0 : known(&in);
    const bool found = format ? format->is(&in) : place < G_N_ELEMENTS(formats);
    const fmt_format *row = format ? format : formats[found ? place : 0];
    g_autoptr(GPtrArray) nights = g_ptr_array_new_with_free_func(fmt_night_free);
    g_autoptr(GError) wrong = NULL;
    bool good = found && row->read(&in, nights, &wrong);
    if (good)
        good = ended(row, name, nights, error);
    else if (wrong)
        placed(row, format != NULL, name, wrong->message, error);
    else if (format)
        g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX, "%s: is not the output of %s; %s", name,
                    format->tool, format->how);
    else
        unknown(name, &in, error);
    json_decref(root);
    return good ? g_steal_pointer(&nights) : NULL;
}
