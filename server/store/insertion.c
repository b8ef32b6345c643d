#include "server/store/insertion.h"

/* A text is prepared for each number of rows that comes up. */
enum { ROWS_MOST = 16 };

struct srv__insertion {
    srv_store *store;
    const char *into;
    unsigned columns, rows; /* rows that wait */
    unsigned most;          /* that may */
    GArray *args;           /* srv__arg, of all that wait */
    GStringChunk *texts;    /* of args */
    char *sql;              /* of sql_rows rows; NULL: not made yet */
    unsigned sql_rows;
};

srv__insertion *srv__insertion_begin(srv_store *store, const char *into) {
    srv__insertion *insertion = g_new(srv__insertion, 1);
    *insertion = (srv__insertion){.store = store,
                                  .into = into,
                                  .most = srv__gathers(store) ? ROWS_MOST : 1,
                                  .args = g_array_new(TRUE, TRUE, sizeof(srv__arg)),
                                  .texts = g_string_chunk_new(4096)};
    return insertion;
}

static char *sql_of(const srv__insertion *insertion) {
    GString *sql = g_string_new(insertion->into);
    unsigned parameter = 0;
    g_string_append(sql, " VALUES");
    for (unsigned row = 0; row < insertion->rows; row++) {
        g_string_append(sql, row > 0 ? ",(" : "(");
        for (unsigned column = 0; column < insertion->columns; column++)
            g_string_append_printf(sql, "%s$%u", column > 0 ? "," : "", ++parameter);
        g_string_append_c(sql, ')');
    }
    return g_string_free(sql, FALSE);
}

static bool write_out(srv__insertion *insertion, GError **error) {
    if (insertion->rows == 0)
        return true;
    if (insertion->sql_rows != insertion->rows) {
        g_free(insertion->sql);
        insertion->sql = sql_of(insertion);
        insertion->sql_rows = insertion->rows;
    }
    const bool good = srv__run(insertion->store, insertion->sql,
                               (const srv__arg *)insertion->args->data, NULL, error);
    g_array_set_size(insertion->args, 0);
    g_string_chunk_clear(insertion->texts);
    insertion->rows = 0;
    return good;
}

bool srv__insertion_add(srv__insertion *insertion, const srv__arg *args, GError **error) {
    insertion->columns = 0;
    for (; args->kind != 0; args++, insertion->columns++) {
        srv__arg arg = *args;
        if (arg.kind == 't' && arg.value.data)
            arg.value.data = g_string_chunk_insert(insertion->texts, arg.value.data);
        else if (arg.kind == 'b' && arg.value.data)
            arg.value.data =
                g_string_chunk_insert_len(insertion->texts, arg.value.data, (gssize)arg.value.size);
        g_array_append_val(insertion->args, arg);
    }
    insertion->rows++;
    return insertion->rows < insertion->most || write_out(insertion, error);
}

bool srv__insertion_end(srv__insertion *insertion, bool good, GError **error) {
    good = good && write_out(insertion, error);
    g_array_free(insertion->args, TRUE);
    g_string_chunk_free(insertion->texts);
    g_free(insertion->sql);
    g_free(insertion);
    return good;
}
