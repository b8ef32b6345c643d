/* Statements of PostgreSQL: prepared once a connection; all numbers go and come as they are. */
#include "server/store/db_postgres.h"

#include <string.h>

/* The types that a column may have: PostgreSQL's numbers of them (pg_type.dat). */
enum {
    TYPE_BOOL = 16,
    TYPE_BYTEA = 17,
    TYPE_NAME = 19,
    TYPE_INT8 = 20,
    TYPE_INT2 = 21,
    TYPE_INT4 = 23,
    TYPE_TEXT = 25,
    TYPE_FLOAT4 = 700,
    TYPE_FLOAT8 = 701,
    TYPE_UNKNOWN = 705,
    TYPE_VOID = 2278
};

typedef union {
    uint64_t bits;
    double real;
    int64_t integer;
} number;

typedef struct {
    char letter;      /* its type */
    uint64_t number;  /* in the order of the network */
    const char *data; /* NULL: SQL's NULL */
    int size;
} parameter;

typedef struct {
    srv_db_statement base;
    srv__postgres *db;
    char *sql;
    bool reads;    /* and changes nothing: may be asked again */
    unsigned made; /* the connection that it is prepared on */
    char name[16];
    int columns;
    char **names;     /* [columns] */
    Oid *types;       /* likewise */
    PGresult *result; /* NULL: not asked yet, or */
    int row;
    int parameters;
    parameter given[];
} statement;

static Oid type_of(char letter) {
    return letter == 'i'   ? TYPE_INT8
           : letter == 'd' ? TYPE_FLOAT8
           : letter == 'b' ? TYPE_BYTEA
                           : TYPE_TEXT;
}

static bool is_known(Oid type) {
    static const Oid known[] = {TYPE_BOOL,   TYPE_BYTEA,   TYPE_NAME, TYPE_INT8,
                                TYPE_INT2,   TYPE_INT4,    TYPE_TEXT, TYPE_FLOAT4,
                                TYPE_FLOAT8, TYPE_UNKNOWN, TYPE_VOID};
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++)
        if (known[i] == type)
            return true;
    return false;
}

/* A sum of integers, for instance, is as large as it likes: the text has to say how large. */
static bool columns_read(statement *s, const PGresult *about) {
    g_strfreev(s->names);
    s->columns = PQnfields(about);
    s->names = g_new0(char *, (gsize)s->columns + 1);
    g_free(s->types);
    s->types = g_new0(Oid, (gsize)s->columns + 1);
    for (int i = 0; i < s->columns; i++) {
        s->names[i] = g_strdup(PQfname(about, i));
        s->types[i] = PQftype(about, i);
        if (!is_known(PQftype(about, i))) {
            g_autofree char *text = g_strdup_printf("column %s needs a CAST", s->names[i]);
            return srv__postgres_fail(s->db, SRV_DB_OTHER, text);
        }
    }
    return true;
}

static bool prepare_now(statement *s) {
    g_autofree Oid *types = g_new(Oid, (gsize)s->parameters + 1);
    for (int i = 0; i < s->parameters; i++)
        types[i] = type_of(s->given[i].letter);
    g_snprintf(s->name, sizeof s->name, "s%u", s->db->prepared++);
    PGresult *result = srv__postgres_answer(
        s->db, PQsendPrepare(s->db->handle, s->name, s->sql, s->parameters, types));
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        return srv__postgres_fail_result(s->db, result);
    PQclear(result);
    s->made = s->db->made;
    result = srv__postgres_answer(s->db, PQsendDescribePrepared(s->db->handle, s->name));
    if (PQresultStatus(result) != PGRES_COMMAND_OK)
        return srv__postgres_fail_result(s->db, result);
    const bool good = columns_read(s, result);
    PQclear(result);
    return good;
}

/* On the connection of now. That it is gone is noticed here at the earliest. */
static bool prepared(statement *s) {
    for (int tries = 0; tries < 2; tries++) {
        if (!srv__postgres_ready(s->db))
            return false;
        if (s->made == s->db->made || prepare_now(s))
            return true;
        if (!srv__postgres_lost(s->db))
            break;
    }
    return false;
}

static void rows_finish(srv_db_statement *base) {
    statement *s = (statement *)base;
    PQclear(s->result);
    if (s->made == s->db->made && PQtransactionStatus(s->db->handle) != PQTRANS_INERROR) {
        g_autofree char *sql = g_strconcat("DEALLOCATE ", s->name, NULL);
        PQclear(srv__postgres_answer(s->db, PQsendQuery(s->db->handle, sql)));
    }
    g_strfreev(s->names);
    g_free(s->types);
    g_free(s->sql);
    g_free(s);
}

static void number_give(parameter *p, number value) {
    p->number = GUINT64_TO_BE(value.bits);
    p->data = (const char *)&p->number;
    p->size = sizeof p->number;
}

static bool rows_bind(srv_db_statement *base, int at, const srv_db_value *value) {
    statement *s = (statement *)base;
    if (at < 1 || at > s->parameters)
        return srv__postgres_fail(s->db, SRV_DB_OTHER, "the statement has no such parameter");
    parameter *p = &s->given[at - 1];
    const bool is_integer = value->type == SRV_DB_INTEGER;
    if (value->type == SRV_DB_NULL) {
        p->data = NULL;
    } else if (p->letter == 'i') {
        number_give(p, (number){.integer = is_integer ? value->integer : (int64_t)value->real});
    } else if (p->letter == 'd') {
        number_give(p, (number){.real = is_integer ? (double)value->integer : value->real});
    } else {
        p->data = value->data ? value->data : "";
        p->size = (int)value->size;
    }
    return true;
}

static PGresult *ask(const statement *s) {
    const gsize n = (gsize)s->parameters + 1;
    g_autofree const char **values = g_new0(const char *, n);
    g_autofree int *sizes = g_new0(int, n), *binary = g_new0(int, n);
    for (int i = 0; i < s->parameters; i++) {
        values[i] = s->given[i].data;
        sizes[i] = s->given[i].size;
        binary[i] = 1;
    }
    return srv__postgres_answer(s->db, PQsendQueryPrepared(s->db->handle, s->name, s->parameters,
                                                           values, sizes, binary, 1));
}

static bool answers_otherwise(const statement *s, const char *name) {
    g_autofree char *text =
        g_strdup_printf("the server answers otherwise than it was asked: column %s", name);
    return srv__postgres_fail(s->db, SRV_DB_OTHER, text);
}

/* The columns are those that it described. */
static bool is_as_described(const statement *s, const PGresult *result) {
    if (PQnfields(result) != s->columns)
        return answers_otherwise(s, "count");
    for (int i = 0; i < s->columns; i++)
        if (PQftype(result, i) != s->types[i] || PQfformat(result, i) != 1)
            return answers_otherwise(s, s->names[i]);
    return true;
}

/* Bytes of a value; 0: as many as it likes. */
static int bytes_of(Oid type) {
    return type == TYPE_BOOL                          ? 1
           : type == TYPE_INT2                        ? 2
           : type == TYPE_INT4 || type == TYPE_FLOAT4 ? 4
           : type == TYPE_INT8 || type == TYPE_FLOAT8 ? 8
                                                      : 0;
}

/* Numbers are as long as their types: what stands behind a shorter one is not the row's. */
static bool is_whole(const statement *s) {
    for (int i = 0; i < s->columns; i++) {
        const int size = bytes_of(s->types[i]);
        if (size > 0 && !PQgetisnull(s->result, s->row, i) &&
            PQgetlength(s->result, s->row, i) != size)
            return answers_otherwise(s, s->names[i]);
    }
    return true;
}

/* What only reads is asked again when the connection broke. */
static bool run(statement *s) {
    for (int tries = 0; tries < 2; tries++) {
        if (!prepared(s))
            return false;
        PGresult *result = ask(s);
        const ExecStatusType status = PQresultStatus(result);
        if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
            if (!is_as_described(s, result)) {
                PQclear(result);
                return false;
            }
            s->result = result;
            s->row = -1;
            if (!s->reads)
                s->db->changes = g_ascii_strtoll(PQcmdTuples(result), NULL, 10);
            return true;
        }
        srv__postgres_fail_result(s->db, result);
        if (!srv__postgres_lost(s->db) || s->db->in_transaction || !s->reads)
            break;
    }
    if (srv__postgres_lost(s->db) && !s->db->in_transaction && !s->reads)
        srv__postgres_fail(s->db, SRV_DB_UNKNOWN, "the connection broke before the answer came");
    return false;
}

static srv_db_step rows_next(srv_db_statement *base) {
    statement *s = (statement *)base;
    if (!s->result && !run(s))
        return SRV_DB_ERROR;
    if (++s->row >= PQntuples(s->result))
        return SRV_DB_END;
    return is_whole(s) ? SRV_DB_ROW : SRV_DB_ERROR;
}

static void rows_reset(srv_db_statement *base) {
    statement *s = (statement *)base;
    g_clear_pointer(&s->result, PQclear);
    for (int i = 0; i < s->parameters; i++)
        s->given[i].data = NULL;
}

static int rows_columns(srv_db_statement *base) {
    return ((statement *)base)->columns;
}

static const char *rows_column_name(srv_db_statement *base, int column) {
    return ((statement *)base)->names[column];
}

static char rows_column_letter(srv_db_statement *base, int column) {
    switch (((statement *)base)->types[column]) {
    case TYPE_BOOL:
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_INT8:
        return 'i';
    case TYPE_FLOAT4:
    case TYPE_FLOAT8:
        return 'd';
    case TYPE_BYTEA:
        return 'b';
    default:
        return 't';
    }
}

/* size bytes in the order of the network. */
static uint64_t bits_of(const char *data, int size) {
    uint64_t bits = 0;
    for (int i = 0; i < size; i++)
        bits = bits << 8 | (unsigned char)data[i];
    return bits;
}

static double single_of(const char *data) {
    const uint32_t bits = (uint32_t)bits_of(data, 4);
    float real;
    memcpy(&real, &bits, sizeof real);
    return (double)real;
}

static srv_db_value integer(int64_t value) {
    return (srv_db_value){.type = SRV_DB_INTEGER, .integer = value};
}

static srv_db_value rows_column(srv_db_statement *base, int column) {
    const statement *s = (const statement *)base;
    if (PQgetisnull(s->result, s->row, column))
        return (srv_db_value){.type = SRV_DB_NULL};
    const char *data = PQgetvalue(s->result, s->row, column);
    const int size = PQgetlength(s->result, s->row, column);
    switch (PQftype(s->result, column)) {
    case TYPE_BOOL:
        return integer(*data != 0);
    case TYPE_INT2:
        return integer((int16_t)bits_of(data, 2));
    case TYPE_INT4:
        return integer((int32_t)bits_of(data, 4));
    case TYPE_INT8:
        return integer((int64_t)bits_of(data, 8));
    case TYPE_FLOAT4:
        return (srv_db_value){.type = SRV_DB_REAL, .real = single_of(data)};
    case TYPE_FLOAT8:
        return (srv_db_value){.type = SRV_DB_REAL, .real = (number){bits_of(data, 8)}.real};
    case TYPE_BYTEA:
        return (srv_db_value){.type = SRV_DB_BLOB, .data = data, .size = (size_t)size};
    case TYPE_VOID:
        return (srv_db_value){.type = SRV_DB_NULL};
    default:
        return (srv_db_value){.type = SRV_DB_TEXT, .data = data, .size = (size_t)size};
    }
}

static const srv_db_rows rows = {.finish = rows_finish,
                                 .bind = rows_bind,
                                 .next = rows_next,
                                 .reset = rows_reset,
                                 .columns = rows_columns,
                                 .column_name = rows_column_name,
                                 .column_letter = rows_column_letter,
                                 .column = rows_column};

srv_db_statement *srv__postgres_prepare(srv_db *base, const char *sql, const char *types) {
    const size_t parameters = strlen(types);
    statement *s = g_malloc0(sizeof *s + parameters * sizeof s->given[0]);
    s->base.driver = &rows;
    s->db = (srv__postgres *)base;
    s->sql = g_strdup(sql);
    s->reads = srv_db_only_reads(sql);
    s->parameters = (int)parameters;
    for (size_t i = 0; i < parameters; i++)
        s->given[i].letter = types[i];
    if (prepared(s))
        return &s->base;
    rows_finish(&s->base);
    return NULL;
}
