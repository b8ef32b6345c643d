/* How a row becomes JSON. */
#include "tests/unit/test.h"

#include "tests/unit/server/fixture.h"

#include "server/store/store_sql.h"
#include "tests/unit/server/sql_text.h"

#include <string.h>

static void row_is(fixture *fix, const char *sql, const char *expected) {
    json_t *row;
    GError *error = NULL;
    if (!srv__object(fix->store, sql_text(sql, ""), SRV__NO_ARGS, &row, &error))
        fail_msg("%s", error->message);
    g_autofree char *text = json_dumps(row, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_string_equal(text, expected);
    json_decref(row);
}

static void columns_become_members_in_their_order(void **state) {
    row_is(*state,
           "SELECT 1 AS one, 'x' AS text, CAST(2.5 AS DOUBLE PRECISION) AS number, NULL AS unset, "
           "1 AS \"yes?\","
           " NULL AS \"unknown?\", '[1,2]' AS \"list{\"",
           "{\"one\":1,\"text\":\"x\",\"number\":2.5,\"unset\":null,\"yes\":true,"
           "\"unknown\":false,\"list\":[1,2]}");
}

static void a_group_is_an_object(void **state) {
    row_is(*state, "SELECT 1 AS \"a.x\", 7 AS other, 2 AS \"a.y\"",
           "{\"a\":{\"x\":1,\"y\":2},\"other\":7}");
}

static void members_before_the_first_that_is_known_keep_their_place(void **state) {
    row_is(*state,
           "SELECT NULL AS \"a.x\", NULL AS \"a.is?\", 1 AS other, 2 AS \"a.y\", NULL AS \"a.z\"",
           "{\"a\":{\"x\":null,\"is\":false,\"y\":2,\"z\":null},\"other\":1}");
}

static void a_group_with_nothing_in_it_is_null(void **state) {
    row_is(*state, "SELECT NULL AS \"a.x\", NULL AS \"a.is?\", 3 AS \"b.x\", NULL AS \"a.y\"",
           "{\"a\":null,\"b\":{\"x\":3}}");
}

static void a_group_goes_on_after_others(void **state) {
    row_is(*state,
           "SELECT 1 AS \"a.x\", 2 AS \"a.y\", NULL AS \"b.x\", 3 AS \"a.z\", 4 AS \"b.y\","
           " NULL AS \"b.z\", NULL AS \"a.w\"",
           "{\"a\":{\"x\":1,\"y\":2,\"z\":3,\"w\":null},"
           "\"b\":{\"x\":null,\"y\":4,\"z\":null}}");
}

/* Of one, eight and more bytes, with letters that are more than one byte at either end. */
static void texts_of_any_letters(void **state) {
    row_is(*state,
           "SELECT '' AS a, 'x' AS b, '12345678' AS c, 'é' AS d, '1234567é' AS e, '12345678é' AS f,"
           " 'µ234567890' AS g, 'a \"q\" \\ b' AS h",
           "{\"a\":\"\",\"b\":\"x\",\"c\":\"12345678\",\"d\":\"é\",\"e\":\"1234567é\","
           "\"f\":\"12345678é\",\"g\":\"µ234567890\",\"h\":\"a \\\"q\\\" \\\\ b\"}");
}

#define NUMBERS                                                                                    \
    "WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k+1 FROM n WHERE k<200)"                    \
    " SELECT k, k*2 AS twice FROM n WHERE k IN " SQL_KEYS

/* How often each key had its row: twice its number. */
typedef struct {
    int64_t owner, twice;
} doubled;

static const model_member doubled_members[] = {MODEL(doubled, twice, "twice")};
static const model_noun doubled_noun = MODEL_NOUN(doubled, doubled_members, "number");

/* NULL of number 13: nobody wants it. */
static void *doubled_add(void *user, int64_t owner) {
    if (owner == 13)
        return NULL;
    doubled *row = model_list_add(user);
    row->owner = owner;
    return row;
}

/* More than fit into two statements, one of them without rows. */
static void many_things_are_asked_for_at_once(void **state) {
    fixture *fix = *state;
    g_auto(model_list) rows = {.noun = &doubled_noun};
    g_autoptr(GArray) keys = g_array_new(FALSE, FALSE, sizeof(int64_t));
    for (int64_t key = 60; key <= 200; key++)
        g_array_append_val(keys, key);
    const int64_t nobody = 1000;
    g_array_append_val(keys, nobody);
    const uint64_t before = srv__statements(fix->store);
    assert_true(srv__each_of(fix->store, sql_text_of_keys(NUMBERS), keys, &doubled_noun,
                             doubled_add, &rows, NULL));
    assert_int_equal(srv__statements(fix->store) - before, 3);
    assert_int_equal(rows.count, 141);
    const doubled *row = rows.items;
    for (unsigned i = 0; i < rows.count; i++)
        assert_int_equal(row[i].twice, 2 * row[i].owner);
}

static void nothing_is_asked_for_no_things(void **state) {
    fixture *fix = *state;
    g_auto(model_list) rows = {.noun = &doubled_noun};
    g_autoptr(GArray) none = g_array_new(FALSE, FALSE, sizeof(int64_t));
    const uint64_t before = srv__statements(fix->store);
    assert_true(srv__each_of(fix->store, sql_text_of_keys(NUMBERS), none, &doubled_noun,
                             doubled_add, &rows, NULL));
    assert_int_equal(srv__statements(fix->store), before);
    assert_int_equal(rows.count, 0);
}

static void each_row_is_made_anew(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    json_t *rows =
        srv__array(fix->store,
                   sql_text("SELECT n AS \"a.n\" FROM (SELECT 1 AS n UNION ALL SELECT NULL"
                            " UNION ALL SELECT 3) AS list",
                            ""),
                   SRV__NO_ARGS, &error);
    if (!rows)
        fail_msg("%s", error->message);
    g_autofree char *text = json_dumps(rows, JSON_COMPACT);
    assert_string_equal(text, "[{\"a\":{\"n\":1}},{\"a\":null},{\"a\":{\"n\":3}}]");
    json_decref(rows);
}

static void each_row_comes_with_its_owner(void **state) {
    fixture *fix = *state;
    GError *error = NULL;
    g_auto(model_list) rows = {.noun = &doubled_noun};
    assert_true(srv__each_struct(
        fix->store,
        sql_text(
            "SELECT n, n+n AS twice FROM (SELECT 7 AS n UNION ALL SELECT 9) AS list ORDER BY n",
            ""),
        SRV__NO_ARGS, &doubled_noun, doubled_add, &rows, &error));
    const doubled *row = rows.items;
    assert_int_equal(rows.count, 2);
    assert_true(row[0].owner == 7 && row[0].twice == 14 && row[1].owner == 9 && row[1].twice == 18);
    assert_false(srv__each_struct(fix->store, sql_text("SELECT nothing FROM nowhere", ""),
                                  SRV__NO_ARGS, &doubled_noun, doubled_add, &rows, &error));
    assert_non_null(error);
    g_clear_error(&error);
    assert_false(srv__each_struct(fix->store, sql_text("SELECT 13 AS n, 26 AS twice", ""),
                                  SRV__NO_ARGS, &doubled_noun, doubled_add, &rows, &error));
    assert_string_equal(error->message, "a row of number belongs to 13, which was not asked for");
    g_clear_error(&error);
}

typedef struct {
    int64_t x;
    char *y;
} pair;

typedef struct {
    int64_t id;
    double ns;
    bool yes;
    char *text;
    char **list;
    pair a, *b;
} row;

static const model_member pair_members[] = {MODEL(pair, x, "x", MODEL_NULL, -1),
                                            MODEL(pair, y, "y", MODEL_NULL)};
static const model_noun pair_noun = MODEL_NOUN(pair, pair_members, "pair");
static const model_member row_members[] = {MODEL(row, id, "id"),
                                           MODEL(row, ns, "ns", MODEL_NULL, 7),
                                           MODEL(row, yes, "yes"),
                                           MODEL(row, text, "text", MODEL_NULL),
                                           MODEL(row, list, "list", MODEL_NULL),
                                           MODEL_A(row, a, pair_noun, MODEL_PART, "a", MODEL_NULL),
                                           MODEL_A(row, b, pair_noun, MODEL_OWN, "b", MODEL_NULL)};
static const model_noun row_noun = MODEL_NOUN(row, row_members, "row");

static void a_row_becomes_a_struct(void **state) {
    fixture *fix = *state;
    row it;
    assert_true(srv__one(
        fix->store,
        sql_text("SELECT 3 AS id, NULL AS ns, 1 AS yes, 'x' AS text, '[\"p\"]' AS \"list{\","
                 " NULL AS \"a.x\", 'y' AS \"a.y\", NULL AS \"b.x\", NULL AS \"b.y\"",
                 ""),
        SRV__NO_ARGS, &row_noun, &it, NULL, NULL));
    assert_true(it.id == 3 && it.ns == 7 && it.yes && it.a.x == -1 && !it.b);
    assert_string_equal(it.list[0], "p");
    assert_string_equal(it.a.y, "y");
    model_clear(&row_noun, &it);
    assert_true(srv__one(fix->store,
                         sql_text("SELECT 4 AS id, NULL AS \"b.x\", 'z' AS \"b.y\"", ""),
                         SRV__NO_ARGS, &row_noun, &it, NULL, NULL));
    assert_true(it.b && it.b->x == -1);
    assert_string_equal(it.b->y, "z");
    assert_null(it.list[0]);
    model_clear(&row_noun, &it);
}

static void rows_become_structs(void **state) {
    fixture *fix = *state;
    g_auto(model_list) list;
    assert_true(
        srv__many(fix->store,
                  sql_text("SELECT n AS id, 'x' AS text FROM (SELECT 7 AS n UNION ALL SELECT 9)"
                           " AS two ORDER BY n",
                           ""),
                  SRV__NO_ARGS, &row_noun, &list, NULL));
    const row *rows = list.items;
    assert_int_equal(list.count, 2);
    assert_int_equal(rows[1].id, 9);
    assert_string_equal(rows[0].text, "x");
}

static void what_does_not_fit_is_said(void **state) {
    fixture *fix = *state;
    static const struct {
        const char *sql, *says;
    } cases[] = {
        {"SELECT 1 AS ident", "a row of row: \"ident\" must be a member of its table"},
        {"SELECT 'x' AS id", "a row of row: \"id\" must be a whole number"},
        {"SELECT NULL AS id", "a row of row: \"id\" must be a whole number"},
        {"SELECT 1 AS id, 2 AS \"c.x\"", "\"c\" must be a part of its table"},
        {"SELECT 1 AS id, 'q' AS \"b.x\"", "\"b.x\" must be a whole number"},
        {"SELECT 1 AS id WHERE 1=0", "there is no row"},
        {"SELECT nothing FROM nowhere", "nowhere"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        row it;
        bool there;
        g_autoptr(GError) error = NULL;
        if (srv__one(fix->store, sql_text(cases[i].sql, ""), SRV__NO_ARGS, &row_noun, &it, NULL,
                     &error))
            fail_msg("%s was taken", cases[i].sql);
        if (!strstr(error->message, cases[i].says))
            fail_msg("%s: %s", cases[i].sql, error->message);
        if (strstr(cases[i].says, "no row")) {
            assert_true(srv__one(fix->store, sql_text(cases[i].sql, ""), SRV__NO_ARGS, &row_noun,
                                 &it, &there, NULL));
            assert_false(there);
        }
    }
    model_list list;
    assert_false(srv__many(fix->store, sql_text("SELECT 1 AS id UNION ALL SELECT NULL AS id", ""),
                           SRV__NO_ARGS, &row_noun, &list, NULL));
    assert_int_equal(list.count, 0);
}

static void a_key_is_found_among_keys(void **state) {
    fixture *fix = *state;
    g_autoptr(GArray) ids =
        srv__ids(fix->store, sql_text("SELECT 7 UNION ALL SELECT 5 UNION ALL SELECT 9", ""),
                 SRV__NO_ARGS, NULL);
    assert_int_equal(ids->len, 3);
    assert_int_equal(srv__ids_place(ids, 7), 0);
    assert_int_equal(srv__ids_place(ids, 9), 2);
    assert_int_equal(srv__ids_place(ids, 6), 3);
    g_array_set_size(ids, 0);
    assert_int_equal(srv__ids_place(ids, 7), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        FIX_TEST(columns_become_members_in_their_order),
        FIX_TEST(a_group_is_an_object),
        FIX_TEST(members_before_the_first_that_is_known_keep_their_place),
        FIX_TEST(a_group_with_nothing_in_it_is_null),
        FIX_TEST(a_group_goes_on_after_others),
        FIX_TEST(texts_of_any_letters),
        FIX_TEST(many_things_are_asked_for_at_once),
        FIX_TEST(nothing_is_asked_for_no_things),
        FIX_TEST(each_row_is_made_anew),
        FIX_TEST(each_row_comes_with_its_owner),
        FIX_TEST(a_row_becomes_a_struct),
        FIX_TEST(rows_become_structs),
        FIX_TEST(what_does_not_fit_is_said),
        FIX_TEST(a_key_is_found_among_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
