#include "server/store/sql_writes.h"

#include <string.h>

typedef struct {
    const char *at; /* what has not been read yet */
    int depth;      /* of parentheses */
    char word[32];  /* the present token; "" at the end of the text */
    char last[32];  /* the one before it */
    bool quoted;    /* the present one is a name, whatever it says */
    GArray *found;
} reader;

static const char *quoted_end(const char *text, char quote) {
    const char *end = strchr(text, quote);
    return end ? end + 1 : text + strlen(text);
}

/* The next token: a word, whether in double quotes or not, or a single character. */
static void next(reader *r) {
    g_strlcpy(r->last, r->word, sizeof r->last);
    r->at += strspn(r->at, " \t\n");
    const char *from = r->at;
    gsize length = 0;
    r->quoted = *from == '"';
    if (*from == '\'') {
        r->at = quoted_end(from + 1, '\'');
        length = 1;
    } else if (*from == '"') {
        r->at = quoted_end(from + 1, '"');
        length = (gsize)(r->at - ++from) - 1;
    } else if (g_ascii_isalpha(*from) || *from == '_') {
        while (g_ascii_isalnum(*r->at) || *r->at == '_')
            r->at++;
        length = (gsize)(r->at - from);
    } else if (*from != '\0') {
        r->at++;
        length = 1;
        r->depth += *from == '(' ? 1 : *from == ')' ? -1 : 0;
    }
    g_strlcpy(r->word, from, MIN(length + 1, sizeof r->word));
}

static bool is(const reader *r, const char *keyword) {
    return !r->quoted && g_ascii_strcasecmp(r->word, keyword) == 0;
}

static bool follows(const reader *r, const char *keyword) {
    return g_ascii_strcasecmp(r->last, keyword) == 0;
}

static void found(reader *r, srv__write_kind kind, const char *table, const char *column) {
    srv__write write = {.kind = kind};
    g_strlcpy(write.table, table, sizeof write.table);
    g_strlcpy(write.column, column, sizeof write.column);
    g_array_append_val(r->found, write);
}

static bool ends_assignments(const reader *r, int depth) {
    return *r->word == '\0' || r->depth < depth ||
           (r->depth == depth &&
            (is(r, "WHERE") || is(r, "RETURNING") || (is(r, "FROM") && !follows(r, "DISTINCT"))));
}

/* SET a=…, (b, c)=(…): what stands before a '='. */
static void read_assignments(reader *r, const char *table) {
    const int depth = r->depth;
    bool value = false; /* else the names of columns */
    for (next(r); !ends_assignments(r, depth); next(r))
        if (r->depth == depth && *r->word == '=')
            value = true;
        else if (r->depth == depth && *r->word == ',')
            value = false;
        else if (!value && (g_ascii_isalpha(*r->word) || *r->word == '_'))
            found(r, SRV__WRITE_UPDATE, table, r->word);
}

static void skip_to(reader *r, const char *keyword) {
    while (*r->word != '\0' && !is(r, keyword))
        next(r);
}

GArray *srv__sql_writes(const char *sql) {
    reader r = {.at = sql, .found = g_array_new(FALSE, FALSE, sizeof(srv__write))};
    char table[32] = "";
    for (next(&r); *r.word != '\0'; next(&r)) {
        if (is(&r, "INTO") || (is(&r, "FROM") && follows(&r, "DELETE"))) {
            const bool inserts = is(&r, "INTO");
            next(&r);
            g_strlcpy(table, r.word, sizeof table);
            found(&r, inserts ? SRV__WRITE_INSERT : SRV__WRITE_DELETE, table, "");
        } else if (is(&r, "UPDATE") && !follows(&r, "FOR")) {
            /* DO UPDATE: of the row that the INSERT met */
            if (!follows(&r, "DO")) {
                next(&r);
                g_strlcpy(table, r.word, sizeof table);
            }
            skip_to(&r, "SET");
            read_assignments(&r, table);
        }
    }
    return r.found;
}

/* Tables of which nobody sees anything in nights, charts and alerts. One that is not named here
 * counts as shown. */
static bool is_apart(const char *table) {
    static const char *const names[] = {"job",         "node",      "node_label",   "delivery",
                                        "outbox",      "channel",   "raw",          "artifact",
                                        "expectation", "duty",      "audit",        "pull",
                                        "pull_job",    "pull_loop", "pull_portion", "raw_job",
                                        "raw_share",   "gone",      "backport_try"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_equal(table, names[i]))
            return true;
    return false;
}

/* What polls, leases and waiting jobs leave behind. */
static bool is_bookkeeping(const char *table, const char *column) {
    static const char *const names[][2] = {{"project", "polled_ms"},   {"project", "next_night_ms"},
                                           {"project", "served_ms"},   {"project", "fetch_problem"},
                                           {"project", "job_problem"}, {"revision", "place"}};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_str_equal(table, names[i][0]) && g_str_equal(column, names[i][1]))
            return true;
    return false;
}

/* Of a table that is apart: a night says when its raw values were removed, and by which rule. */
static bool is_shown(const char *table, const char *column) {
    return g_str_equal(table, "raw_job") &&
           (g_str_equal(column, "pruned_ms") || g_str_equal(column, "rule"));
}

bool srv__write_shows(const srv__write *write) {
    if (is_apart(write->table))
        return is_shown(write->table, write->column);
    /* A commit that becomes known is not a night yet. */
    if (write->kind == SRV__WRITE_INSERT && g_str_equal(write->table, "revision"))
        return false;
    return write->kind != SRV__WRITE_UPDATE || !is_bookkeeping(write->table, write->column);
}
