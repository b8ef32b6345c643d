/*
 * libtest (cargo bench, Criterion's --output-format bencher): "test NAME ... bench: 16.87 ns/iter
 * (+/- 16.56)". What stands in the brackets is a deviation, no interval. A binary that ran again
 * has loops; equal names of two binaries are two benchmarks.
 */
#include "config/config.h"
#include "config/formats/formats.h"
#include "config/units.h"

#include <math.h>
#include <string.h>

#define BENCH " ... bench:"
#define TEST "test "

/* Where a line says its verdict; NULL: it is of no test. */
static const char *verdict_of(const char *line) {
    return g_str_has_prefix(line, TEST) ? strstr(line, " ... ") : NULL;
}

static bool is(const fmt_input *in) {
    for (const char *at = in->root ? NULL : strstr(in->text, BENCH); at;
         at = strstr(at + 1, BENCH)) {
        const char *line = at;
        while (line > in->text && line[-1] != '\n')
            line--;
        if (g_str_has_prefix(line, TEST))
            return true;
    }
    return false;
}

/* "   1,234.50 ns/iter (+/- 3)" */
static double time_of(const char *text) {
    g_auto(GStrv) words = g_strsplit(text + strspn(text, " "), " ", 3);
    if (g_strv_length(words) < 2)
        return (double)NAN;
    g_auto(GStrv) parts = g_strsplit(words[0], ",", -1);
    g_autofree char *number = g_strjoinv("", parts);
    const double factor = cfg_unit_ns(words[1]);
    return factor > 0 ? fmt_number(number) * factor : (double)NAN;
}

/* The binary that printed the lines, and how often one has started. */
typedef struct {
    char *file;       /* with the hash of its crate; NULL: no line says it */
    guint start;      /* 1: the first */
    bool named;       /* a line has said its file, and it has printed nothing yet */
    bool broken;      /* what the last benchmark printed has cut its result off */
    GHashTable *seen; /* fmt_value*: the start that printed it last */
} binary;

static void binary_start(binary *of, char *file) {
    g_free(of->file);
    of->file = file;
    of->start++;
}

/* Behind its folders. */
static const char *name_of(const char *path) {
    const char *name = path;
    for (const char *at = path; (at = strpbrk(at, "/\\")); at++)
        name = at + 1;
    return name;
}

/* "Running unittests src/lib.rs (target/release/deps/FILE)", with -v "Running `FILE --bench`";
 * "running 2 tests" is printed by the binary itself. */
static void start_read(const char *line, binary *of) {
    const char *at = line + strspn(line, " "), *from = strpbrk(at, "(`");
    const char *end = from && *from == '(' ? strrchr(from, ')')
                      : from               ? strpbrk(from + 1, " `")
                                           : NULL;
    if (g_str_has_prefix(at, "Running ") && end) {
        g_autofree char *path = g_strndup(from + 1, (gsize)(end - from - 1));
        binary_start(of, g_strdup(name_of(path)));
        of->named = true;
    } else if (g_str_has_prefix(line, "running ") && strstr(line, " test")) {
        if (!of->named)
            binary_start(of, NULL);
        of->named = false;
    }
}

/* "crate_a-61035ce61707a8e1.exe" is called crate_a. Owned. */
static char *short_of(const char *file) {
    enum { HASH_DIGITS = 16 };
    char *own = g_strndup(file, strlen(file) - (g_str_has_suffix(file, ".exe") ? 4 : 0));
    char *dash = strrchr(own, '-');
    if (dash && strlen(dash + 1) == HASH_DIGITS &&
        strspn(dash + 1, "0123456789abcdef") == HASH_DIGITS)
        *dash = '\0';
    return own;
}

static bool twice(const char *name, GError **error) {
    g_set_error(error, CFG_ERROR, CFG_ERROR_SYNTAX,
                "\"%s\" is there twice, and it is unclear whether it ran twice or two benchmarks "
                "share the name; keep the lines \"Running\" that cargo prints (2>&1), or give them "
                "names of their own",
                name);
    return false;
}

static bool line_read(const char *line, binary *of, fmt_night *night, GError **error) {
    const char *verdict = verdict_of(line), *alone = line + strspn(line, " ");
    if (!verdict && g_str_has_prefix(alone, "bench:") && !of->broken)
        fmt_night_leave(night, NULL, NULL, "has a result without a name: \"%s\"", alone);
    of->broken = of->broken && !g_str_has_prefix(alone, "bench:");
    if (!verdict)
        return true;
    g_autofree char *name =
        g_strstrip(g_strndup(line + strlen(TEST), (gsize)(verdict - line) - strlen(TEST)));
    g_autofree char *unknown = g_strdup_printf("%u", of->start); /* each start is another one */
    if (g_str_has_prefix(verdict, BENCH)) {
        const double ns = time_of(verdict + strlen(BENCH));
        if (!isfinite(ns)) {
            fmt_night_leave(night, name, of->file, "its time cannot be read");
            return true;
        }
        fmt_value *value = fmt_night_value(night, name, of->file ? of->file : unknown);
        if (GPOINTER_TO_UINT(g_hash_table_lookup(of->seen, value)) == of->start)
            return twice(name, error);
        g_hash_table_insert(of->seen, value, GUINT_TO_POINTER(of->start));
        fmt_value_loop(value);
        fmt_value_add(value, ns);
    } else if (g_str_has_prefix(verdict, " ... FAILED")) {
        fmt_night_leave(night, name, of->file, "has failed");
    } else if (!g_str_has_prefix(verdict, " ... ok") &&
               !g_str_has_prefix(verdict, " ... ignored")) { /* what it printed broke its line */
        of->broken = true;
        fmt_night_leave(night, name, of->file, "no result in its line: \"%s\"",
                        verdict + strlen(" ... "));
    }
    return true;
}

/* Files become names of binaries; a number becomes none. */
static void file_name(char **apart) {
    const bool known = *apart && (*apart)[strspn(*apart, "0123456789")] != '\0';
    char *name = known ? short_of(*apart) : NULL;
    g_free(*apart);
    *apart = name;
}

static bool binaries_name(fmt_night *night, GError **error) {
    g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < night->values->len; i++) {
        fmt_value *value = night->values->pdata[i];
        file_name(&value->apart);
        if (!g_hash_table_add(names, g_strconcat(value->name, "\n", value->apart, NULL)))
            return twice(value->name, error);
    }
    for (guint i = 0; i < night->left->len; i++)
        file_name(&((fmt_left *)night->left->pdata[i])->apart);
    return true;
}

static bool take(const fmt_input *in, GPtrArray *nights, GError **error) {
    fmt_night *night = fmt_night_new(nights, "libtest");
    night->lasting = true;
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    binary of = {.start = 1, .seen = seen};
    g_auto(GStrv) lines = g_strsplit_set(in->text, "\r\n", -1);
    bool good = true;
    for (GStrv line = lines; good && *line; line++) {
        start_read(*line, &of);
        good = line_read(*line, &of, night, error);
    }
    g_free(of.file);
    return good && binaries_name(night, error);
}

const fmt_format fmt_libtest = {"libtest", "libtest (cargo bench)",
                                "is this what cargo bench printed?", is, take};
