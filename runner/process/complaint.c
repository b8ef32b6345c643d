#include "runner/process/complaint.h"

#include <string.h>

#define COMPLAINT_BYTES 400

/* Where a log ends with a line like `last` and has one like `beside`: the first line like `line`
 * and not like `but` says why, or the last such one, or what follows it. Patterns of GLib; NULL:
 * whatever it is. */
typedef struct {
    const char *last, *beside, *line, *but;
    bool follows, lowest;
} rule;

static const rule rules[] = {
    {.last = "Node.js v*", .line = "*^", .follows = true}, /* it underlines what failed */
    {.line = "thread '*' *panicked at *", .follows = true},
    {.beside = "goroutine *", .line = "panic: *"},
    {.beside = "goroutine *", .line = "fatal error: *"},
    {.beside = "FATAL ERROR in native method: *", .line = "Caused by: *", .lowest = true},
    {.beside = "FATAL ERROR in native method: *", .line = "Exception in thread *"},
    {.last = "agent library failed to init: *", .line = "Error opening *"}, /* there is no jar */
    {.line = "* What went wrong:", .follows = true},                        /* Gradle */
    {.last = "[ERROR]*", .line = "[ERROR] ?*", .but = "[ERROR] COMPILATION ERROR*"}, /* Maven */
    {.last = "npm *", .line = "npm error notsup Required: *"}, /* of Node.js */
    {.last = "npm *", .line = "npm error *", .but = "npm error code *"},
    {.last = "npm *", .line = "npm ERR! *", .but = "npm ERR! code *"},
    {.last = "make*: *** *", .line = "*error: *"},
    {.last = "error: could not compile *", .line = "error*"}, /* Cargo, here and below */
    {.last = "required by package *", .line = "error: *"},
    {.last = "where `<compatible-ver>` *", .line = "error: rustc * is not *", .follows = true},
};

/* What stands below the line that says why, and tells nothing of this failure. */
static const char *const remarks[] = {"", "Node.js v*", "note: run with `RUST_BACKTRACE*",
                                      "(Use `node *", "[notice] *"};

static bool like(const char *pattern, const char *line) {
    return g_pattern_match_simple(pattern, line);
}

/* "\tat Main.main(Main.java:71)" of a JVM and of Node.js, and a JVM's "\t... 12 more". */
static bool is_frame(const char *line) {
    const char *text = line + strspn(line, " \t");
    return text != line && (g_str_has_prefix(text, "at ") || g_str_has_prefix(text, "... "));
}

static bool is_remark(const char *line) {
    size_t i = 0;
    while (i < G_N_ELEMENTS(remarks) && !like(remarks[i], line))
        i++;
    return i < G_N_ELEMENTS(remarks);
}

/* Without colours: Maven begins with some that nobody asked for. */
static void strip_colours(char *text) {
    char *out = text;
    for (const char *in = text; *in != '\0';)
        if (in[0] == '\033' && in[1] == '[') {
            in += 2 + strspn(in + 2, "0123456789;?");
            in += *in != '\0';
        } else
            *out++ = *in++;
    *out = '\0';
}

/* Lines without blanks around them, and without empty ones and frames. */
static GPtrArray *lines_of(const char *log) {
    GPtrArray *out = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = g_utf8_make_valid(log ? log : "", -1);
    strip_colours(text);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (size_t i = 0; lines[i]; i++)
        if (!is_frame(lines[i]) && *g_strstrip(lines[i]) != '\0')
            g_ptr_array_add(out, g_strdup(lines[i]));
    return out;
}

/* What the rule finds, whatever the log ends with; NULL: nothing. */
static const char *find(const GPtrArray *lines, const rule *one) {
    guint found = lines->len;
    for (guint i = 0; i < lines->len && (found == lines->len || one->lowest); i++)
        if (like(one->line, lines->pdata[i]) && !(one->but && like(one->but, lines->pdata[i])))
            found = i;
    if (found == lines->len)
        return NULL;
    const bool more = one->follows && found + 1 < lines->len && !is_remark(lines->pdata[found + 1]);
    return lines->pdata[more ? found + 1 : found];
}

static const char *by_rules(const GPtrArray *lines) {
    const char *found = NULL, *last = lines->len > 0 ? lines->pdata[lines->len - 1] : "";
    for (size_t i = 0; i < G_N_ELEMENTS(rules) && !found; i++) {
        const rule beside = {.line = rules[i].beside ? rules[i].beside : "*"};
        if ((!rules[i].last || like(rules[i].last, last)) && find(lines, &beside))
            found = find(lines, &rules[i]);
    }
    return found;
}

static const char *last_of(const GPtrArray *lines) {
    guint i = lines->len;
    while (i > 0 && is_remark(lines->pdata[i - 1]))
        i--;
    return i > 0 ? lines->pdata[i - 1] : "";
}

/* pip says at the end that there is no such version, and above which ones need another Python. To
 * g_free; NULL: this one is not among them. */
static char *with_python(const GPtrArray *lines, const char *last) {
    if (!like("ERROR: No matching distribution found for *==*", last))
        return NULL;
    g_autofree char *needs = g_strdup_printf(" %s Requires-Python ", strrchr(last, '=') + 1);
    const rule ignored = {.line = "ERROR: Ignored the following versions *"};
    const char *line = find(lines, &ignored), *found = line ? strstr(line, needs) : NULL;
    return found ? g_strdup_printf("%s (%.*s)", last, (int)strcspn(found + 1, ";"), found + 1)
                 : NULL;
}

char *run_complaint_of(const char *log) {
    g_autoptr(GPtrArray) lines = lines_of(log);
    const char *ruled = by_rules(lines), *line = ruled ? ruled : last_of(lines);
    g_autofree char *more = with_python(lines, line);
    g_autofree char *cut = g_strndup(more ? more : line, COMPLAINT_BYTES);
    return g_utf8_make_valid(cut, -1);
}

char *run_failure_of(const run_process_result *result, const char *aside) {
    g_autofree char *how = run_process_describe(result), *why = run_complaint_of(result->log);
    return how ? g_strconcat(how, aside, why[0] != '\0' ? ": " : "", why, NULL) : NULL;
}
