/* Changes JSON where it is JSON: a value, a key, a member taken from elsewhere. Bytes flipped in it
 * are mostly refused by the parser, so what reads the values would hardly be reached.
 *
 * An input is lines; of each, what stands before its first '{' is left alone, the rest is JSON or
 * not. Linked into the targets that read JSON, with libFuzzer only. */
#include <glib.h>
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

enum { NODES_MAX = 5000, STRING_MAX = 300, PLAIN_OF = 4 };

/* Every value of a document, with what holds it. */
typedef struct {
    json_t *holder;
    const char *key; /* of an object's member */
    size_t index;    /* of an array's */
} place;

static void collect(json_t *value, GArray *places) {
    const char *key;
    size_t index;
    json_t *child;
    json_object_foreach (value, key, child) {
        const place one = {value, key, 0};
        if (places->len < NODES_MAX)
            g_array_append_val(places, one);
        collect(child, places);
    }
    json_array_foreach (value, index, child) {
        const place one = {value, NULL, index};
        if (places->len < NODES_MAX)
            g_array_append_val(places, one);
        collect(child, places);
    }
}

static json_t *value_at(const place *at) {
    return at->key ? json_object_get(at->holder, at->key) : json_array_get(at->holder, at->index);
}

static void put(const place *at, json_t *value) {
    if (!at->key)
        json_array_set_new(at->holder, at->index, value);
    else {
        g_autofree char *key = g_strdup(at->key);
        json_object_set_new(at->holder, key, value);
    }
}

static json_t *a_number(GRand *draw) {
    static const json_int_t whole[] = {
        0,   1,          -1,         2,         64,        65,
        255, 1000,       65535,      65536,     INT32_MAX, -2147483648LL,
        100, 4294967296, 1000000000, INT64_MAX, INT64_MIN, 1000000001};
    static const double real[] = {0.0,   -0.0,   0.5,      0.95,  1e-308,
                                  1e308, -1e308, 4.9e-324, 99.99, 1e15};
    return g_rand_boolean(draw)
               ? json_integer(whole[g_rand_int_range(draw, 0, G_N_ELEMENTS(whole))])
               : json_real(real[g_rand_int_range(draw, 0, G_N_ELEMENTS(real))]);
}

static json_t *a_string(GRand *draw, const json_t *old) {
    static const char *const words[] = {"",
                                        "a",
                                        "-x",
                                        "../x",
                                        "/",
                                        "nightly",
                                        "confirmation",
                                        "native",
                                        "java",
                                        "moobench",
                                        "command",
                                        "off",
                                        "on",
                                        "some",
                                        "all",
                                        "line",
                                        "whole",
                                        "output",
                                        "real",
                                        "cpu",
                                        "none",
                                        "%s",
                                        "\x1b[2J",
                                        "2024-02-30",
                                        "0000-00-00",
                                        "9999-12-31",
                                        "T",
                                        "measured",
                                        "failed",
                                        "pattern",
                                        "jmh-json",
                                        "google-benchmark-json",
                                        "hyperfine-json",
                                        "gungraun-json",
                                        "https://-x/",
                                        "file:///x",
                                        "u@h:p",
                                        "refs/heads/x"};
    if (!json_is_string(old) || g_rand_int_range(draw, 0, 3) == 0)
        return json_string(words[g_rand_int_range(draw, 0, G_N_ELEMENTS(words))]);
    uint8_t bytes[STRING_MAX];
    const size_t size = MIN(json_string_length(old), sizeof bytes / 2);
    memcpy(bytes, json_string_value(old), size);
    const size_t now = LLVMFuzzerMutate(bytes, size, sizeof bytes);
    g_autofree char *text = g_utf8_make_valid((const char *)bytes, (gssize)now);
    return json_string(text);
}

static json_t *another(GRand *draw, const json_t *old) {
    switch (g_rand_int_range(draw, 0, 8)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean(g_rand_boolean(draw));
    case 2:
        return json_array();
    case 3:
        return json_object();
    case 4:
    case 5:
        return a_number(draw);
    default:
        return a_string(draw, old);
    }
}

/* The greatest number is followed by the least. */
static json_t *beside(json_int_t number, int by) {
    return json_integer((json_int_t)((uint64_t)number + (uint64_t)by));
}

static void change_number(GRand *draw, const place *at) {
    const double old = json_number_value(value_at(at));
    put(at, g_rand_boolean(draw) ? a_number(draw)
            : json_is_integer(value_at(at))
                ? beside(json_integer_value(value_at(at)), g_rand_int_range(draw, -1, 2))
                : json_real(old * (g_rand_boolean(draw) ? 2 : 0.5)));
}

static void drop(const place *at) {
    if (!at->key)
        json_array_remove(at->holder, at->index);
    else {
        g_autofree char *key = g_strdup(at->key);
        json_object_del(at->holder, key);
    }
}

static void change(GRand *draw, json_t *root) {
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(place));
    collect(root, places);
    if (places->len == 0)
        return;
    const place *at = &g_array_index(places, place, g_rand_int_range(draw, 0, (gint32)places->len));
    const place *other =
        &g_array_index(places, place, g_rand_int_range(draw, 0, (gint32)places->len));
    json_t *value = value_at(at);
    switch (g_rand_int_range(draw, 0, 8)) {
    case 0:
        drop(at);
        break;
    case 1:
        put(at, another(draw, value));
        break;
    case 2: /* a value from elsewhere: a copy, so that nothing holds itself */
        put(at, json_deep_copy(value_at(other)));
        break;
    case 3: /* a member more */
        if (json_is_array(at->holder))
            json_array_append_new(at->holder, json_deep_copy(value));
        else if (json_is_object(at->holder) && other->key) {
            g_autofree char *key = g_strdup(other->key);
            json_object_set_new(at->holder, key, json_deep_copy(value_at(other)));
        }
        break;
    default:
        if (json_is_number(value))
            change_number(draw, at);
        else
            put(at, json_is_string(value) ? a_string(draw, value) : another(draw, value));
    }
}

/* The JSON of one line changed; NULL: there is none. */
static char *changed_line(GRand *draw, const char *line) {
    const char *start = strchr(line, '{');
    json_t *root = start ? json_loads(start, 0, NULL) : NULL;
    if (!root)
        return NULL;
    for (int n = g_rand_int_range(draw, 1, 4); n > 0; n--)
        change(draw, root);
    g_autofree char *before = g_strndup(line, (gsize)(start - line));
    char *json = json_dumps(root, JSON_COMPACT);
    char *whole = json ? g_strconcat(before, json, NULL) : NULL;
    free(json);
    json_decref(root);
    return whole;
}

static void change_lines(GRand *draw, GPtrArray *lines) {
    const guint at = (guint)g_rand_int_range(draw, 0, (gint32)lines->len);
    const guint other = (guint)g_rand_int_range(draw, 0, (gint32)lines->len);
    char *new = changed_line(draw, lines->pdata[at]);
    if (new) {
        g_free(lines->pdata[at]);
        lines->pdata[at] = new;
    }
    if (lines->len < 2 || g_rand_int_range(draw, 0, 4) != 0)
        return;
    if (g_rand_boolean(draw))
        g_ptr_array_add(lines, g_strdup(lines->pdata[other]));
    else
        g_ptr_array_remove_index(lines, other);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    g_autoptr(GRand) draw = g_rand_new_with_seed(seed);
    if (size == 0 || memchr(data, 0, size) || g_rand_int_range(draw, 0, PLAIN_OF) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    g_autofree char *text = g_strndup((const char *)data, size);
    g_auto(GStrv) split = g_strsplit(text, "\n", -1);
    g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);
    for (char **line = split; *line; line++)
        g_ptr_array_add(lines, g_strdup(*line));
    change_lines(draw, lines);
    g_ptr_array_add(lines, NULL);
    g_autofree char *whole = g_strjoinv("\n", (char **)lines->pdata);
    const size_t length = strlen(whole);
    if (length == 0 || length > max_size)
        return LLVMFuzzerMutate(data, size, max_size);
    memcpy(data, whole, length);
    return length;
}
