#include "ci/site/columns.h"

#include <glib.h>
#include <stdbool.h>
#include <string.h>

static json_t *pack_list(json_t *list);

static json_t *pack_object(json_t *object) {
    json_t *out = json_object();
    const char *key;
    json_t *value, *own;
    json_object_foreach (object, key, value)
        json_object_set_new(out, key, ci_columns_pack(value));
    own = out;
    key = json_object_iter_key(json_object_iter(out));
    return json_object_size(out) == 1 && strlen(key) == 1 && strchr("=*/?!", *key)
               ? json_pack("{s:o}", "!", own)
               : own;
}

json_t *ci_columns_pack(json_t *value) {
    return json_is_array(value)    ? pack_list(value)
           : json_is_object(value) ? pack_object(value)
                                   : json_deep_copy(value);
}

static bool all_equal(json_t *list) {
    json_t *first = json_array_get(list, 0);
    for (size_t i = 1; i < json_array_size(list); i++)
        if (!json_equal(first, json_array_get(list, i)))
            return false;
    return true;
}

static bool has_keys(json_t *object, json_t *like) {
    const char *key;
    json_t *value;
    if (json_object_size(object) != json_object_size(like))
        return false;
    json_object_foreach (like, key, value)
        if (!json_object_get(object, key))
            return false;
    return true;
}

static bool all_alike(json_t *list) {
    json_t *first = json_array_get(list, 0);
    if (!json_is_object(first) || json_object_size(first) == 0)
        return false;
    for (size_t i = 1; i < json_array_size(list); i++)
        if (!json_is_object(json_array_get(list, i)) || !has_keys(json_array_get(list, i), first))
            return false;
    return true;
}

static bool all_lists(json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_array(json_array_get(list, i)))
            return false;
    return true;
}

/* Some are null, and the others objects or lists: these are worth a list of their own. */
static bool some_null(json_t *list) {
    size_t nulls = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *value = json_array_get(list, i);
        nulls += json_is_null(value);
        if (!json_is_null(value) && !json_is_object(value) && !json_is_array(value))
            return false;
    }
    return nulls > 0 && nulls < json_array_size(list);
}

static json_t *pack_columns(json_t *list) {
    json_t *first = json_array_get(list, 0);
    json_t *columns = json_object();
    const char *key;
    json_t *unused;
    json_object_foreach (first, key, unused) {
        json_t *column = json_array();
        for (size_t i = 0; i < json_array_size(list); i++)
            json_array_append(column, json_object_get(json_array_get(list, i), key));
        json_object_set_new(columns, key, pack_list(column));
        json_decref(column);
    }
    return json_pack("{s:[I, o]}", "*", (json_int_t)json_array_size(list), columns);
}

static json_t *pack_lists(json_t *list) {
    json_t *lengths = json_array(), *all = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *one = json_array_get(list, i);
        json_array_append_new(lengths, json_integer((json_int_t)json_array_size(one)));
        json_array_extend(all, one);
    }
    json_t *out = json_pack("{s:[o, o]}", "/", pack_list(lengths), pack_list(all));
    json_decref(lengths);
    json_decref(all);
    return out;
}

static json_t *pack_sparse(json_t *list) {
    GString *mask = g_string_new(NULL);
    json_t *there = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        json_t *value = json_array_get(list, i);
        g_string_append_c(mask, json_is_null(value) ? '0' : '1');
        if (!json_is_null(value))
            json_array_append(there, value);
    }
    json_t *out = json_pack("{s:[s, o]}", "?", mask->str, pack_list(there));
    json_decref(there);
    (void)g_string_free(mask, TRUE);
    return out;
}

static json_t *pack_each(json_t *list) {
    json_t *out = json_array();
    for (size_t i = 0; i < json_array_size(list); i++)
        json_array_append_new(out, ci_columns_pack(json_array_get(list, i)));
    return out;
}

static json_t *pack_list(json_t *list) {
    if (json_array_size(list) < 2)
        return pack_each(list);
    if (all_equal(list))
        return json_pack("{s:[I, o]}", "=", (json_int_t)json_array_size(list),
                         ci_columns_pack(json_array_get(list, 0)));
    return all_alike(list)   ? pack_columns(list)
           : all_lists(list) ? pack_lists(list)
           : some_null(list) ? pack_sparse(list)
                             : pack_each(list);
}

static json_t *unpack_list(json_t *packed);

static json_t *unpack_each(json_t *list) {
    json_t *out = json_array(), *value;
    size_t i;
    json_array_foreach (list, i, value)
        json_array_append_new(out, ci_columns_unpack(value));
    return out;
}

static json_t *unpack_object(json_t *object) {
    json_t *out = json_object(), *value;
    const char *key;
    json_object_foreach (object, key, value)
        json_object_set_new(out, key, ci_columns_unpack(value));
    return out;
}

/* What kind of list an object stands for, "!" for an object; 0: it is just that. */
static char kind_of(json_t *packed) {
    const char *key = json_object_iter_key(json_object_iter(packed));
    if (json_object_size(packed) != 1 || strlen(key) != 1 || !strchr("=*/?!", *key))
        return '\0';
    return *key;
}

json_t *ci_columns_unpack(json_t *packed) {
    const char kind = json_is_object(packed) ? kind_of(packed) : '\0';
    return kind == '!'                     ? unpack_object(json_object_get(packed, "!"))
           : kind || json_is_array(packed) ? unpack_list(packed)
           : json_is_object(packed)        ? unpack_object(packed)
                                           : json_incref(packed);
}

static json_t *unpack_equal(json_t *count, json_t *value) {
    json_t *out = json_array();
    for (json_int_t i = 0; i < json_integer_value(count); i++)
        json_array_append_new(out, ci_columns_unpack(value));
    return out;
}

static json_t *unpack_columns(json_t *count, json_t *columns) {
    json_t *out = json_array(), *packed;
    const char *key;
    for (json_int_t i = 0; i < json_integer_value(count); i++)
        json_array_append_new(out, json_object());
    json_object_foreach (columns, key, packed) {
        json_auto_t *column = unpack_list(packed);
        for (size_t i = 0; i < json_array_size(out); i++)
            json_object_set(json_array_get(out, i), key, json_array_get(column, i));
    }
    return out;
}

static json_t *unpack_lists(json_t *packed_lengths, json_t *packed) {
    json_auto_t *lengths = unpack_list(packed_lengths), *all = unpack_list(packed);
    json_t *out = json_array(), *length;
    size_t i, at = 0;
    json_array_foreach (lengths, i, length) {
        json_t *one = json_array();
        for (json_int_t k = 0; k < json_integer_value(length); k++)
            json_array_append(one, json_array_get(all, at++));
        json_array_append_new(out, one);
    }
    return out;
}

static json_t *unpack_sparse(json_t *mask, json_t *packed) {
    json_auto_t *there = unpack_list(packed);
    json_t *out = json_array();
    size_t at = 0;
    for (const char *bit = json_string_value(mask); bit && *bit; bit++)
        if (*bit == '1')
            json_array_append(out, json_array_get(there, at++));
        else
            json_array_append_new(out, json_null());
    return out;
}

static json_t *unpack_list(json_t *packed) {
    if (json_is_array(packed))
        return unpack_each(packed);
    json_t *content = json_object_iter_value(json_object_iter(packed));
    json_t *how = json_array_get(content, 0), *of = json_array_get(content, 1);
    switch (kind_of(packed)) {
    case '=':
        return unpack_equal(how, of);
    case '*':
        return unpack_columns(how, of);
    case '/':
        return unpack_lists(how, of);
    case '?':
        return unpack_sparse(how, of);
    default:
        return json_array();
    }
}
