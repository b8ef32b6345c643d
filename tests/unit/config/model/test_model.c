/* One table of every type of member: what is read, what is written, and which path an error names.
 */
#include "tests/unit/test.h"

#include "config/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    char *key, *value;
} setting;

typedef struct {
    int64_t id;
    double width;
} inner;

typedef enum { COLD, WARM } heat;

typedef struct {
    int64_t id;
    uint64_t calls;
    unsigned count;
    uint16_t port;
    int side;
    double mean, share;
    bool open, loud;
    heat heat;
    char *name, *note, *unit, *place;
    char **words;
    unsigned words_count;
    json_t *rest;
    inner part;
    inner *own;
    inner *items;
    unsigned items_count;
    setting *settings;
    unsigned settings_count;
} thing;

static const char *const heats[] = {"cold", "warm", NULL};
static const char *const volumes[] = {"soft", "loud", NULL};

static bool is_wide(const void *object, GError **error) {
    return !(((const inner *)object)->width < 0) || model_wrong(error, "width", "0 or more");
}

static bool is_warm(const void *object) {
    return ((const thing *)object)->heat == WARM;
}

static const model_member inner_members[] = {MODEL(inner, id, "id", .low = 1),
                                             MODEL(inner, width, "width", MODEL_NULL, NAN)};
static const model_noun inner_noun = MODEL_NOUN(inner, inner_members, "inner", is_wide);
static const model_member setting_members[] = {
    MODEL(setting, key, NULL, .good = model_is_plain, .expected = "an object with plain keys"),
    MODEL(setting, value, NULL)};
static const model_noun setting_noun = MODEL_NOUN(setting, setting_members, "setting");
static const model_member place_members[] = {MODEL(thing, unit, "unit", MODEL_LEFT_OUT),
                                             MODEL(thing, place, "name")};
static const model_noun place_noun = MODEL_NOUN(thing, place_members, "place");

static const model_member members[] = {
    MODEL(thing, id, "id"),
    MODEL(thing, calls, "calls", MODEL_LEFT_OUT),
    MODEL(thing, count, "count", MODEL_WRITTEN, 7, .low = 2, .high = 9),
    MODEL(thing, port, "port", MODEL_LEFT_OUT),
    MODEL(thing, side, "side", MODEL_NULL, -1),
    MODEL(thing, mean, "mean_ns"),
    MODEL(thing, share, "share", MODEL_LEFT_OUT, NAN),
    MODEL(thing, open, "open", MODEL_LEFT_OUT),
    MODEL(thing, loud, "volume", MODEL_LEFT_OUT, .words = volumes),
    MODEL(thing, heat, "heat", .words = heats, .expected = "; ask for another one"),
    MODEL(thing, name, "name", MODEL_PLAIN),
    MODEL(thing, note, "note", MODEL_NULL),
    MODEL_INSIDE(place_noun, "place"),
    MODEL(thing, words, "words", MODEL_WRITTEN, .most_items = 2, .most = 3,
          .count_offset = offsetof(thing, words_count)),
    MODEL(thing, rest, "rest", MODEL_LEFT_OUT),
    MODEL_A(thing, part, inner_noun, MODEL_PART, "part", .belongs = is_warm),
    MODEL_A(thing, own, inner_noun, MODEL_OWN, "own", MODEL_NULL),
    MODEL_SEVERAL(thing, items, inner_noun, MODEL_LIST, "items", .low = 1, .most_items = 2),
    MODEL_SEVERAL(thing, settings, setting_noun, MODEL_MAP, "settings", MODEL_WRITTEN)};
static const model_noun thing_noun = MODEL_NOUN(thing, members, "thing");

/* Single quotes stand for double ones. */
static json_t *json_of(const char *text) {
    g_autofree char *quoted = g_strdelimit(g_strdup(text), "'", '"');
    json_error_t wrong;
    json_t *json = json_loads(quoted, JSON_DECODE_ANY | JSON_ALLOW_NUL, &wrong);
    if (!json)
        fail_msg("%s at %d of %s", wrong.text, wrong.position, text);
    return json;
}

#define LEAST                                                                                      \
    "'id': 1, 'mean_ns': 2.5, 'heat': 'cold', 'name': 'n', 'place': {'name': 'p'},"                \
    "'items': [{'id': 3}]"

/* The least with something else instead: the last of two equal keys counts. */
static json_t *with(const char *more) {
    g_autofree char *text = g_strdup_printf("{" LEAST "%s%s}", *more ? "," : "", more);
    return json_of(text);
}

static void the_least_has_what_is_missing(void **state) {
    (void)state;
    json_t *json = with("");
    thing it;
    assert_true(model_read(&thing_noun, json, &it, NULL));
    assert_true(it.id == 1 && it.calls == 0 && it.count == 7 && it.side == -1 && !it.open);
    assert_true(it.mean == 2.5 && isnan(it.share) && isnan(it.items[0].width));
    assert_string_equal(it.place, "p");
    assert_null(it.unit);
    assert_null(it.note);
    assert_null(it.own);
    assert_null(it.words[0]);
    assert_int_equal(it.items_count, 1);
    json_t *back = model_write(&thing_noun, &it);
    json_t *wanted =
        json_of("{'id': 1, 'count': 7, 'side': null, 'mean_ns': 2.5, 'heat': 'cold',"
                "'name': 'n', 'note': null, 'place': {'name': 'p'}, 'words': [], 'own': null,"
                "'items': [{'id': 3, 'width': null}], 'settings': {}}");
    assert_true(json_equal(back, wanted));
    json_decref(wanted);
    json_decref(back);
    json_decref(json);
    model_clear(&thing_noun, &it);
    assert_null(it.name);
}

static void all_of_it_comes_back(void **state) {
    (void)state;
    json_t *json =
        json_of("{'id': -9223372036854775808, 'calls': 9223372036854775807, 'count': 2,"
                "'port': 65535, 'side': -2147483648, 'mean_ns': 1e300, 'share': 0.5,"
                "'open': true, 'volume': 'loud', 'heat': 'warm', 'name': 'ä', 'note': '',"
                "'place': {'unit': 'ns', 'name': 'p'}, 'words': ['a', 'b'],"
                "'rest': [1, {'x': null}], 'part': {'id': 4, 'width': 1.5}, 'own': {'id': 5,"
                "'width': null}, 'items': [{'id': 6, 'width': null}, {'id': 7, 'width': 2.0}],"
                "'settings': {'A': 'b', 'C': ''}}");
    thing it;
    g_autoptr(GError) error = NULL;
    if (!model_read(&thing_noun, json, &it, &error))
        fail_msg("%s", error->message);
    assert_int_equal(it.heat, WARM);
    assert_int_equal(it.words_count, 2);
    assert_string_equal(it.settings[1].key, "C");
    json_t *back = model_write(&thing_noun, &it);
    if (!json_equal(back, json))
        fail_msg("%s", json_dumps(back, 0));
    json_decref(back);
    json_decref(json);
    model_clear(&thing_noun, &it);
}

static void an_error_names_the_path(void **state) {
    (void)state;
    static const struct {
        const char *more, *says;
    } cases[] = {
        {"'id': null", "thing: \"id\" must be a whole number"},
        {"'id': 1.5", "\"id\" must be a whole number"},
        {"'calls': -1", "\"calls\" must be a whole number from 0"},
        {"'count': 1", "\"count\" must be a whole number from 2 to 9"},
        {"'count': 10", "\"count\" must be a whole number from 2 to 9"},
        {"'port': 65536", "\"port\" must be a whole number from 0 to 65535"},
        {"'mean_ns': '2'", "\"mean_ns\" must be a number"},
        {"'open': 1", "\"open\" must be true or false"},
        {"'volume': 'quiet'", "\"volume\" must be \"soft\" or \"loud\""},
        {"'heat': 0", "\"heat\" must be \"cold\" or \"warm\"; ask for another one"},
        {"'name': ''", "\"name\" must be a text without control characters"},
        {"'name': 'a\\nb'", "\"name\" must be a text without control characters"},
        {"'note': 7", "\"note\" must be a text"},
        {"'note': 'a\\u0000'", "\"note\" must be a text"},
        {"'place': 7", "\"place\" must be an object"},
        {"'place': {}", "\"place.name\" must be a text"},
        {"'words': 'a'", "\"words\" must be a list of texts"},
        {"'words': [1]", "\"words\" must be a list of texts"},
        {"'words': ['aaaa']", "\"words\" must be a list of texts"},
        {"'words': ['a', 'b', 'c']", "\"words\" must be a list of texts"},
        {"'heat': 'warm'", "\"part.id\" must be a whole number from 1"},
        {"'heat': 'warm', 'part': {'id': 1, 'width': -1}", "\"part.width\" must be 0 or more"},
        {"'own': {}", "\"own.id\" must be a whole number from 1"},
        {"'items': []", "\"items\" must be a list"},
        {"'items': [{'id': 1}, {'id': 2}, {'id': 3}]", "\"items\" must be a list"},
        {"'items': [{'id': 1}, {'id': 0}]", "thing: \"items[1].id\" must be a whole number from 1"},
        {"'items': [7]", "\"items[0]\" must be an object"},
        {"'settings': []", "\"settings\" must be an object"},
        {"'settings': {'a': 7}", "\"settings.a\" must be a text"},
        {"'settings': {'': 'x'}", "\"settings\" must be an object with plain keys"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *json = with(cases[i].more);
        thing it;
        g_autoptr(GError) error = NULL;
        if (model_read(&thing_noun, json, &it, &error))
            fail_msg("%s was taken", cases[i].more);
        if (error->domain != MODEL_ERROR || !strstr(error->message, cases[i].says))
            fail_msg("%s: %s", cases[i].more, error->message);
        json_decref(json);
    }
}

static void no_object_at_all(void **state) {
    (void)state;
    thing it;
    json_t *list = json_array();
    g_autoptr(GError) error = NULL, nothing = NULL;
    assert_false(model_read(&thing_noun, list, &it, &error));
    assert_string_equal(error->message, "thing: JSON must be an object");
    assert_false(model_read(&thing_noun, NULL, &it, &nothing));
    assert_string_equal(nothing->message, "thing: \"id\" must be a whole number");
    json_decref(list);
}

/* Of somebody else's answer: what is wrong is missing, and the rest is there. */
static void what_is_read_leniently_has_the_rest(void **state) {
    (void)state;
    json_t *json =
        with("'calls': -1, 'count': 99, 'note': 7, 'words': ['a', 1], 'own': {'id': 0,"
             "'width': 2}, 'items': [7, {'id': 4}], 'settings': 3, 'name': [], 'side': 6");
    thing it;
    model_read_leniently(&thing_noun, json, &it);
    assert_true(it.id == 1 && it.calls == 0 && it.count == 7 && it.side == 6);
    assert_true(!it.note && !it.name && !it.words[0] && it.settings_count == 0);
    assert_true(it.own->id == 0 && it.own->width == 2);
    assert_int_equal(it.items_count, 2);
    assert_true(it.items[0].id == 0 && it.items[1].id == 4);
    json_decref(json);
    model_clear(&thing_noun, &it);
    model_read_leniently(&thing_noun, NULL, &it);
    assert_true(it.id == 0 && it.count == 7);
    model_clear(&thing_noun, &it);
}

enum { LONG = 1, SHORT = 2 };

/* One struct in two forms; a part whose first member of a form is missing is null. */
static void a_form_has_what_is_shown_in_it(void **state) {
    (void)state;
    static const model_member width_members[] = {
        MODEL(inner, width, "width", MODEL_NULL, NAN, .whole = true, .shown = LONG),
        MODEL(inner, id, "id", MODEL_NULL, -1)};
    static const model_noun width = MODEL_NOUN(inner, width_members, "width");
    static const model_member both_members[] = {
        MODEL(inner, id, "id", .shown = LONG), MODEL_INSIDE(width, "part", MODEL_NULL),
        MODEL(inner, id, "last", MODEL_LEFT_OUT, 4, .shown = SHORT, .only_written = true)};
    static const model_noun both = MODEL_NOUN(inner, both_members, "both");
    static const struct {
        inner it;
        unsigned form;
        const char *wanted;
    } cases[] = {{{4, 3}, LONG, "{'id': 4, 'part': {'width': 3, 'id': 4}}"},
                 {{4, .5}, LONG, "{'id': 4, 'part': {'width': 0.5, 'id': 4}}"},
                 {{4, NAN}, LONG, "{'id': 4, 'part': null}"},
                 {{4, NAN}, SHORT, "{'part': {'id': 4}}"},
                 {{-1, 3}, SHORT, "{'part': null, 'last': -1}"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *json = model_write_as(&both, &cases[i].it, cases[i].form);
        json_t *wanted = json_of(cases[i].wanted);
        if (!json_equal(json, wanted))
            fail_msg("%zu: %s", i, json_dumps(json, 0));
        json_decref(wanted);
        json_decref(json);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_least_has_what_is_missing),
                                       cmocka_unit_test(all_of_it_comes_back),
                                       cmocka_unit_test(an_error_names_the_path),
                                       cmocka_unit_test(no_object_at_all),
                                       cmocka_unit_test(what_is_read_leniently_has_the_rest),
                                       cmocka_unit_test(a_form_has_what_is_shown_in_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
