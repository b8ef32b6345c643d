#include "ci/command/table.h"
#include "config/shown.h"
#include "detector/words/change.h"

#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct ci_table {
    guint columns;
    bool *right;
    GPtrArray *cells; /* the titles first */
};

ci_table *ci_table_new(const char *const *titles) {
    ci_table *table = g_new0(ci_table, 1);
    table->cells = g_ptr_array_new_with_free_func(g_free);
    while (titles[table->columns])
        table->columns++;
    table->right = g_new0(bool, table->columns);
    for (guint i = 0; i < table->columns; i++) {
        table->right[i] = titles[i][0] == '>';
        g_ptr_array_add(table->cells, g_strdup(titles[i] + table->right[i]));
    }
    return table;
}

void ci_table_free(ci_table *table) {
    if (!table)
        return;
    g_ptr_array_unref(table->cells);
    g_free(table->right);
    g_free(table);
}

void ci_table_add(ci_table *table, char *text) {
    g_ptr_array_add(table->cells, cfg_shown(text));
    g_free(text);
}

static glong width_of(const char *text) {
    glong width = 0;
    for (const char *p = text; *p; p = g_utf8_next_char(p)) {
        const gunichar c = g_utf8_get_char(p);
        width += g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
    }
    return width;
}

static void spaces(FILE *to, glong count) {
    (void)fprintf(to, "%*s", (int)MAX(0, count), "");
}

/* One row's cells of the columns that are shown: the first, and those from from up to end. */
static void row_print(const ci_table *table, guint first, const glong *widths, guint from,
                      guint end, FILE *to) {
    for (guint column = 0; column < end; column = column ? column + 1 : from) {
        const char *text = table->cells->pdata[first + column];
        const glong rest = widths[column] - width_of(text);
        spaces(to, (column ? 2 : 0) + (table->right[column] ? rest : 0));
        (void)fputs(text, to);
        spaces(to, table->right[column] || column + 1 == end ? 0 : rest);
    }
    (void)fputc('\n', to);
}

/* Likewise, in so many characters a line where a column has room. */
static void table_print_within(const ci_table *table, glong width, FILE *to) {
    g_autofree glong *widths = g_new0(glong, table->columns);
    for (guint i = 0; i < table->cells->len; i++)
        widths[i % table->columns] =
            MAX(widths[i % table->columns], width_of(table->cells->pdata[i]));
    for (guint from = 1, end; from == 1 || from < table->columns; from = end) {
        glong taken = widths[0];
        for (end = from; end < table->columns && (end == from || taken + 2 + widths[end] <= width);
             end++)
            taken += 2 + widths[end];
        if (from > 1)
            (void)fputc('\n', to);
        for (guint i = 0; i < table->cells->len; i += table->columns)
            row_print(table, i, widths, from, MAX(end, 1), to);
    }
}

void ci_table_print(const ci_table *table, FILE *to) {
    struct winsize window;
    const bool known = isatty(fileno(to)) && ioctl(fileno(to), TIOCGWINSZ, &window) == 0;
    table_print_within(table, known && window.ws_col > 0 ? window.ws_col : G_MAXLONG / 2, to);
}

char *ci_ns(double ns) {
    if (!isfinite(ns))
        return g_strdup("-");
    const double size = fabs(ns);
    return g_strdup_printf("%.*f", size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3, ns);
}

char *ci_ns_interval(double low, double high) {
    if (!isfinite(low) || !isfinite(high))
        return g_strdup("-");
    g_autofree char *from = ci_ns(low);
    g_autofree char *to = ci_ns(high);
    return g_strdup_printf("[%s, %s]", from, to);
}

char *ci_percent(double percent) {
    char text[DET_SHARE_MAX];
    const det_interval all = {.mean = 100, .low = NAN};
    return g_strdup(det_change_share(text, sizeof text, percent, &all) ? text : "-");
}
