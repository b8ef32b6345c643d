#include "config/model/model.h"

#include "config/json_text.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define PLAIN_BYTES_MAX (32 * 1024)

G_DEFINE_QUARK(moowatch - model - error, model_error)

static void *at(const void *object, size_t offset) {
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the caller says whether it is written */
    return (void *)((uintptr_t)object + offset);
}

/* A member's field as its type, in a struct. */
#define FIELD(type, object, member) (*(type *)at(object, (member)->offset))

static unsigned *count_of(const void *object, const model_member *member) {
    return at(object, member->count_offset);
}

static void *item_of(const void *object, const model_member *member, size_t index) {
    return at(FIELD(void *, object, member), index * member->noun->size);
}

static bool belongs(const model_member *member, const void *object) {
    return !member->belongs || member->belongs(object);
}

/* Where in the JSON somebody reads. */
typedef struct path {
    const struct path *up;
    const char *name; /* NULL: an item, or the value itself */
    size_t index;
    bool is_item, lenient;
} path;

static void path_add(GString *to, const path *from) {
    if (!from)
        return;
    path_add(to, from->up);
    if (from->is_item)
        g_string_append_printf(to, "[%zu]", from->index);
    else if (from->name)
        g_string_append_printf(to, "%s%s", to->len > 0 ? "." : "", from->name);
}

/* Items that a list of so many has room for. */
static size_t room_of(size_t count) {
    size_t room = 4;
    while (room < count)
        room *= 2;
    return room;
}

/* items with room for one more. */
static void *with_room(void *items, size_t count, size_t size) {
    const bool full = count == 0 || room_of(count) == count;
    return full ? g_realloc_n(items, room_of(count + 1), size) : items;
}

bool model_wrong(GError **error, const char *name, const char *expected) {
    g_set_error(error, MODEL_ERROR, 0, "\"%s\" must be %s", name, expected);
    return false;
}

static bool wrong(const path *where, const char *expected, GError **error) {
    g_autoptr(GString) name = g_string_new(NULL);
    path_add(name, where);
    if (name->len > 0)
        return model_wrong(error, name->str, expected);
    g_set_error(error, MODEL_ERROR, 0, "JSON must be %s", expected);
    return false;
}

/* What the `whole` of a part says of a member gets the way to the part in front. */
static bool wrong_below(const path *where, GError **error) {
    g_autoptr(GString) name = g_string_new(NULL);
    path_add(name, where);
    if (error && *error && name->len > 0 && (*error)->domain == MODEL_ERROR) {
        char *message = g_strdup_printf("\"%s.%s", name->str, (*error)->message + 1);
        g_free((*error)->message);
        (*error)->message = message;
    }
    return false;
}

bool model_is_plain(const char *text) {
    size_t bytes = 0;
    for (; text[bytes] != '\0'; bytes++)
        if ((unsigned char)text[bytes] < ' ' || text[bytes] == 0x7f)
            return false;
    return bytes > 0 && bytes <= PLAIN_BYTES_MAX;
}

/* What the numbers of a type go from and to. */
static void bounds_of(const model_member *member, double *low, double *high) {
    static const struct {
        double low, high;
    } types[] = {[MODEL_INT64] = {(double)INT64_MIN, (double)INT64_MAX},
                 [MODEL_UINT64] = {0, (double)INT64_MAX}, /* of JSON */
                 [MODEL_INT] = {INT_MIN, INT_MAX},
                 [MODEL_UNSIGNED] = {0, UINT_MAX},
                 [MODEL_UINT16] = {0, UINT16_MAX},
                 [MODEL_DOUBLE] = {-HUGE_VAL, HUGE_VAL}};
    const bool own = member->low != 0 || member->high != 0;
    *low = own ? member->low : types[member->type].low;
    *high = own && member->high > member->low ? member->high : types[member->type].high;
}

static bool wrong_number(const model_member *member, const path *where, GError **error) {
    const char *kind = member->type == MODEL_DOUBLE ? "a number" : "a whole number";
    g_autoptr(GString) expected = g_string_new(member->expected ? member->expected : kind);
    double low, high;
    bounds_of(member, &low, &high);
    if (!member->expected && low > (double)INT64_MIN)
        g_string_append_printf(expected, " from %.12g", low);
    if (!member->expected && high < (double)INT64_MAX)
        g_string_append_printf(expected, " to %.12g", high);
    return wrong(where, expected->str, error);
}

static void set_number(const model_member *member, void *object, json_int_t whole, double real) {
    switch (member->type) {
    case MODEL_INT64:
        FIELD(int64_t, object, member) = whole;
        break;
    case MODEL_UINT64:
        FIELD(uint64_t, object, member) = (uint64_t)whole;
        break;
    case MODEL_INT:
        FIELD(int, object, member) = (int)whole;
        break;
    case MODEL_UNSIGNED:
        FIELD(unsigned, object, member) = (unsigned)whole;
        break;
    case MODEL_UINT16:
        FIELD(uint16_t, object, member) = (uint16_t)whole;
        break;
    case MODEL_BOOL:
        FIELD(bool, object, member) = whole != 0;
        break;
    case MODEL_DOUBLE:
        FIELD(double, object, member) = real;
        break;
    default:
        break;
    }
}

static json_int_t whole_of(const model_member *member, const void *object) {
    switch (member->type) {
    case MODEL_INT64:
        return FIELD(int64_t, object, member);
    case MODEL_UINT64:
        return (json_int_t)FIELD(uint64_t, object, member);
    case MODEL_INT:
        return FIELD(int, object, member);
    case MODEL_UNSIGNED:
        return FIELD(unsigned, object, member);
    case MODEL_UINT16:
        return FIELD(uint16_t, object, member);
    default:
        return FIELD(bool, object, member);
    }
}

static bool read_number(const model_member *member, const json_t *value, void *object,
                        const path *where, GError **error) {
    const bool real = member->type == MODEL_DOUBLE;
    double low, high;
    bounds_of(member, &low, &high);
    const double number = json_number_value(value);
    json_int_t whole;
    const bool is_whole = cfg_json_whole(value, &whole);
    if (!(real ? json_is_number(value) : is_whole) || number < low || number > high)
        return wrong_number(member, where, error);
    set_number(member, object, whole, number);
    return true;
}

static bool wrong_word(const model_member *member, const path *where, GError **error) {
    g_autoptr(GString) expected = g_string_new(NULL);
    for (size_t i = 0; member->words[i]; i++) {
        const char *before = i == 0 ? "" : member->words[i + 1] ? ", " : " or ";
        g_string_append_printf(expected, "%s\"%s\"", before, member->words[i]);
    }
    g_string_append(expected, member->expected ? member->expected : "");
    return wrong(where, expected->str, error);
}

static bool read_word(const model_member *member, const json_t *value, void *object,
                      const path *where, GError **error) {
    for (size_t i = 0; json_is_string(value) && member->words[i]; i++) {
        if (strcmp(member->words[i], json_string_value(value)) == 0) {
            set_number(member, object, (json_int_t)i, 0);
            return true;
        }
    }
    return wrong_word(member, where, error);
}

static bool is_text(const model_member *member, const json_t *value) {
    const char *text = json_string_value(value);
    const size_t length = json_string_length(value);
    return text && strlen(text) == length && (member->most == 0 || length <= member->most) &&
           (!member->good || member->good(text));
}

static bool read_text(const model_member *member, const json_t *value, void *object,
                      const path *where, GError **error) {
    if (!is_text(member, value))
        return wrong(where, member->expected ? member->expected : "a text", error);
    if (member->type == MODEL_CHARS)
        g_strlcpy(at(object, member->offset), json_string_value(value), member->most + 1);
    else
        FIELD(char *, object, member) = g_strdup(json_string_value(value));
    return true;
}

static bool read_texts(const model_member *member, const json_t *value, void *object,
                       const path *where, GError **error) {
    const size_t count = json_array_size(value);
    bool good = json_is_array(value) && count >= (size_t)member->low &&
                (member->most_items == 0 || count <= member->most_items);
    g_strfreev(FIELD(char **, object, member));
    char **texts = FIELD(char **, object, member) = g_new0(char *, count + 1);
    for (size_t i = 0; i < count && good; i++) {
        good = is_text(member, json_array_get(value, i));
        texts[i] = good ? g_strdup(json_string_value(json_array_get(value, i))) : NULL;
    }
    if (good && member->count_offset > 0)
        *count_of(object, member) = (unsigned)count;
    return good || wrong(where, member->expected ? member->expected : "a list of texts", error);
}

static bool read_numbers(const model_member *member, const json_t *value, void *object,
                         const path *where, GError **error) {
    const size_t count = json_array_size(value);
    bool good = json_is_array(value);
    g_free(FIELD(uint64_t *, object, member));
    uint64_t *numbers = FIELD(uint64_t *, object, member) = g_new0(uint64_t, count);
    *count_of(object, member) = (unsigned)count;
    for (size_t i = 0; i < count && good; i++) {
        const json_t *number = json_array_get(value, i);
        json_int_t whole;
        good = cfg_json_whole(number, &whole) && whole >= 0;
        numbers[i] = good ? (uint64_t)whole : 0;
    }
    return good || wrong(where, "a list of whole numbers from 0", error);
}

static bool read_object(const model_noun *noun, size_t first, const json_t *json, void *out,
                        const path *where, GError **error);

static bool read_list(const model_member *member, const json_t *value, void *object,
                      const path *where, GError **error) {
    const size_t count = json_array_size(value);
    if (!json_is_array(value) || count < (size_t)member->low ||
        (member->most_items > 0 && count > member->most_items))
        return wrong(where, member->expected ? member->expected : "a list", error);
    FIELD(void *, object, member) = g_malloc0_n(room_of(count), member->noun->size);
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        const path item = {.up = where, .index = i, .is_item = true, .lenient = where->lenient};
        *count_of(object, member) = (unsigned)i + 1;
        good = read_object(member->noun, 0, json_array_get(value, i), item_of(object, member, i),
                           &item, error);
    }
    return good;
}

/* The key is the first member of each item, the value what follows. */
static bool read_map(const model_member *member, const json_t *value, void *object,
                     const path *where, GError **error) {
    const model_member *key = &member->noun->members[0];
    if (!json_is_object(value))
        return wrong(where, member->expected ? member->expected : "an object", error);
    FIELD(void *, object, member) = g_malloc0_n(json_object_size(value), member->noun->size);
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): jansson reads it only */
    json_t *entries = (json_t *)(uintptr_t)value;
    bool good = true;
    for (void *i = json_object_iter(entries); i && good; i = json_object_iter_next(entries, i)) {
        const path item = {.up = where, .name = json_object_iter_key(i), .lenient = where->lenient};
        void *out = item_of(object, member, (*count_of(object, member))++);
        FIELD(char *, out, key) = g_strdup(item.name);
        good = !key->good || key->good(item.name) || wrong(where, key->expected, error);
        good = good && read_object(member->noun, 1, json_object_iter_value(i), out, &item, error);
    }
    return good;
}

/* What stands there; NULL: nothing does, which no member takes. */
static bool read_value(const model_member *member, const json_t *value, void *object,
                       const path *where, GError **error) {
    if (member->words)
        return read_word(member, value, object, where, error);
    switch (member->type) {
    case MODEL_BOOL:
        set_number(member, object, json_is_true(value), 0);
        return json_is_boolean(value) || wrong(where, "true or false", error);
    case MODEL_TEXT:
    case MODEL_CHARS:
        return read_text(member, value, object, where, error);
    case MODEL_TEXTS:
        return read_texts(member, value, object, where, error);
    case MODEL_NUMBERS:
        return read_numbers(member, value, object, where, error);
    case MODEL_JSON:
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): a reference is counted */
        FIELD(json_t *, object, member) = json_incref((json_t *)(uintptr_t)value);
        return value || wrong(where, "there", error);
    case MODEL_PART:
        return read_object(member->noun, 0, value, at(object, member->offset), where, error);
    case MODEL_OWN:
        FIELD(void *, object, member) = g_malloc0(member->noun->size);
        return read_object(member->noun, 0, value, FIELD(void *, object, member), where, error);
    case MODEL_LIST:
        return read_list(member, value, object, where, error);
    case MODEL_MAP:
        return read_map(member, value, object, where, error);
    default:
        return read_number(member, value, object, where, error);
    }
}

static void set_missing(const model_member *member, void *object) {
    if (member->type == MODEL_TEXTS && !FIELD(char **, object, member))
        FIELD(char **, object, member) = g_new0(char *, 1);
    for (size_t i = 0; member->type == MODEL_PART && i < member->noun->count; i++)
        set_missing(&member->noun->members[i], at(object, member->offset));
    set_number(member, object, isfinite(member->missing) ? (json_int_t)member->missing : 0,
               member->missing);
}

static void clear_member(const model_member *member, void *object);

/* A member that is there; one that is wrong and may be is taken for missing. */
static bool read_member(const model_member *member, const json_t *value, void *out,
                        const path *here, GError **error) {
    if (read_value(member, value, out, here, here->lenient ? NULL : error))
        return true;
    clear_member(member, out);
    set_missing(member, out);
    return here->lenient;
}

static bool read_object(const model_noun *noun, size_t first, const json_t *json, void *out,
                        const path *where, GError **error) {
    if (json && noun->members[first].name && !json_is_object(json) && !where->lenient)
        return wrong(where, "an object", error);
    for (size_t i = first; i < noun->count; i++) {
        const model_member *member = &noun->members[i];
        const path here = {.up = where, .name = member->name, .lenient = where->lenient};
        const json_t *value = member->name ? json_object_get(json, member->name) : json;
        value = json_is_null(value) ? NULL : value;
        if (member->only_written)
            continue;
        if (!belongs(member, out) || (!value && member->need != MODEL_REQUIRED))
            set_missing(member, out);
        else if (!read_member(member, value, out, &here, error))
            return false;
    }
    return !noun->whole || noun->whole(out, error) || wrong_below(where, error);
}

bool model_read(const model_noun *noun, const json_t *json, void *out, GError **error) {
    static const path whole = {0};
    memset(out, 0, noun->size);
    if (read_object(noun, 0, json, out, &whole, error))
        return true;
    g_prefix_error(error, "%s: ", noun->name);
    model_clear(noun, out);
    return false;
}

void model_read_leniently(const model_noun *noun, const json_t *json, void *out) {
    static const path whole = {.lenient = true};
    memset(out, 0, noun->size);
    (void)!read_object(noun, 0, json, out, &whole, NULL);
}

void model_begin(const model_noun *noun, void *out) {
    memset(out, 0, noun->size);
    for (size_t i = 0; i < noun->count; i++)
        set_missing(&noun->members[i], out);
}

static const model_member *find(const model_noun *noun, const char *name) {
    for (size_t i = 0; i < noun->count; i++)
        if (g_strcmp0(noun->members[i].name, name) == 0)
            return &noun->members[i];
    return NULL;
}

/* The struct of a part; one that is not there yet is made for a value. */
static void *part_of(const model_member *part, void *out, const json_t *value) {
    if (part->type == MODEL_PART)
        return at(out, part->offset);
    if (!FIELD(void *, out, part) && !json_is_null(value)) {
        FIELD(void *, out, part) = g_malloc(part->noun->size);
        model_begin(part->noun, FIELD(void *, out, part));
    }
    return FIELD(void *, out, part);
}

bool model_find(const model_noun *noun, const char *into, const char *name, model_place *place,
                GError **error) {
    const path outer = {.name = into}, where = {.up = &outer, .name = name};
    *place = (model_place){.part = into ? find(noun, into) : NULL};
    place->key = name;
    if (place->part && place->part->type == MODEL_JSON)
        return true;
    if (into && (!place->part || !place->part->noun))
        return wrong(&outer, "a part of its table", error);
    place->member = find(into ? place->part->noun : noun, name);
    return place->member || wrong(&where, "a member of its table", error);
}

static bool put_into_json(json_t **object, const char *key, json_t *value) {
    *object = *object ? *object : json_object();
    json_object_set_new_nocheck(*object, key, value);
    return true;
}

bool model_put(const model_place *place, void *out, json_t *value, GError **error) {
    const model_member *member = place->member;
    if (!member)
        return put_into_json(&FIELD(json_t *, out, place->part), place->key, value);
    const path outer = {.name = place->part ? place->part->name : NULL},
               where = {.up = &outer, .name = member->name};
    void *into = place->part ? part_of(place->part, out, value) : out;
    bool good = true;
    if (into && json_is_null(value))
        good = member->need != MODEL_REQUIRED || read_value(member, NULL, into, &where, error);
    else if (into && member->type == MODEL_BOOL && !member->words && json_is_integer(value))
        set_number(member, into, json_integer_value(value), 0);
    else if (into)
        good = read_value(member, value, into, &where, error);
    json_decref(value);
    return good;
}

const model_noun *model_noun_of(const model_noun *noun, const char *name) {
    return find(noun, name)->noun;
}

void *model_add(const model_noun *noun, void *object, const char *name) {
    const model_member *member = find(noun, name);
    if (member->type == MODEL_PART || member->type == MODEL_OWN)
        return part_of(member, object, NULL);
    unsigned *count = count_of(object, member);
    FIELD(void *, object, member) =
        with_room(FIELD(void *, object, member), *count, member->noun->size);
    void *item = item_of(object, member, (*count)++);
    model_begin(member->noun, item);
    return item;
}

void *model_list_add(model_list *list) {
    list->items = with_room(list->items, list->count, list->noun->size);
    void *item = at(list->items, list->count++ * list->noun->size);
    memset(item, 0, list->noun->size);
    return item;
}

void model_list_clear(model_list *list) {
    for (unsigned i = 0; i < list->count; i++)
        model_clear(list->noun, at(list->items, i * list->noun->size));
    g_clear_pointer(&list->items, g_free);
    list->count = 0;
}

static json_t *write_object(const model_noun *noun, size_t first, const void *object,
                            unsigned form);

static json_t *write_several(const model_member *member, const void *object, unsigned form) {
    const bool map = member->type == MODEL_MAP;
    json_t *all = map ? json_object() : json_array();
    for (size_t i = 0; i < *count_of(object, member); i++) {
        const void *item = item_of(object, member, i);
        json_t *value = write_object(member->noun, map ? 1 : 0, item, form);
        if (map)
            json_object_set_new(all, FIELD(char *, item, &member->noun->members[0]), value);
        else
            json_array_append_new(all, value);
    }
    return all;
}

static json_t *write_real(const model_member *member, double value) {
    return member->whole && value == floor(value) ? json_integer((json_int_t)value)
                                                  : json_real(value);
}

static json_t *write_numbers(const uint64_t *numbers, unsigned count) {
    json_t *list = json_array();
    for (unsigned i = 0; i < count; i++)
        json_array_append_new(list, json_integer((json_int_t)numbers[i]));
    return list;
}

/* NULL: there is nothing to write. */
static json_t *write_value(const model_member *member, const void *object, unsigned form) {
    if (member->words)
        return json_string(member->words[whole_of(member, object)]);
    switch (member->type) {
    case MODEL_DOUBLE:
        return write_real(member, FIELD(double, object, member));
    case MODEL_BOOL:
        return json_boolean(FIELD(bool, object, member));
    case MODEL_TEXT:
        return json_string(FIELD(char *, object, member));
    case MODEL_CHARS:
        return json_string(at(object, member->offset));
    case MODEL_TEXTS:
        return cfg_json_texts(FIELD(char **, object, member), SIZE_MAX);
    case MODEL_NUMBERS:
        return write_numbers(FIELD(uint64_t *, object, member), *count_of(object, member));
    case MODEL_JSON:
        return json_incref(FIELD(json_t *, object, member));
    case MODEL_PART:
        return write_object(member->noun, 0, at(object, member->offset), form);
    case MODEL_OWN:
        return FIELD(void *, object, member)
                   ? write_object(member->noun, 0, FIELD(void *, object, member), form)
                   : NULL;
    case MODEL_LIST:
    case MODEL_MAP:
        return write_several(member, object, form);
    default:
        return json_integer(whole_of(member, object));
    }
}

static bool is_shown(const model_member *member, unsigned form) {
    return member->shown == 0 || (member->shown & form) != 0;
}

static bool is_missing(const model_member *member, const void *object, unsigned form);

static bool part_is_missing(const model_noun *noun, const void *part, unsigned form) {
    size_t first = 0;
    while (first + 1 < noun->count && !is_shown(&noun->members[first], form))
        first++;
    return is_missing(&noun->members[first], part, form);
}

/* Has it the value of a member that is not there? */
static bool is_missing(const model_member *member, const void *object, unsigned form) {
    switch (member->type) {
    case MODEL_DOUBLE:
        return isnan(member->missing) ? !isfinite(FIELD(double, object, member))
                                      : FIELD(double, object, member) == member->missing;
    case MODEL_TEXTS:
        return !FIELD(char **, object, member) || !FIELD(char **, object, member)[0];
    case MODEL_NUMBERS:
    case MODEL_LIST:
    case MODEL_MAP:
        return *count_of(object, member) == 0;
    case MODEL_CHARS:
        return *(const char *)at(object, member->offset) == '\0';
    case MODEL_TEXT:
    case MODEL_JSON:
    case MODEL_OWN:
        return !FIELD(void *, object, member);
    case MODEL_PART:
        return part_is_missing(member->noun, at(object, member->offset), form);
    default:
        return whole_of(member, object) == (json_int_t)member->missing;
    }
}

static json_t *write_object(const model_noun *noun, size_t first, const void *object,
                            unsigned form) {
    if (!noun->members[first].name)
        return write_value(&noun->members[first], object, form);
    json_t *json = json_object();
    for (size_t i = first; i < noun->count; i++) {
        const model_member *member = &noun->members[i];
        const bool optional = member->need == MODEL_LEFT_OUT || member->need == MODEL_NULL;
        if (!belongs(member, object) || !is_shown(member, form))
            continue;
        json_t *value =
            optional && is_missing(member, object, form) ? NULL : write_value(member, object, form);
        if (value || member->need == MODEL_NULL)
            json_object_set_new_nocheck(json, member->name, value ? value : json_null());
    }
    return json;
}

json_t *model_write(const model_noun *noun, const void *object) {
    return write_object(noun, 0, object, ~0u);
}

json_t *model_write_as(const model_noun *noun, const void *object, unsigned form) {
    return write_object(noun, 0, object, form);
}

static void clear_members(const model_noun *noun, void *object);

static void clear_several(const model_member *member, void *object) {
    for (size_t i = 0; FIELD(void *, object, member) && i < *count_of(object, member); i++)
        clear_members(member->noun, item_of(object, member, i));
    g_clear_pointer(&FIELD(void *, object, member), g_free);
    *count_of(object, member) = 0;
}

/* A field may stand in several rows. */
static void clear_member(const model_member *member, void *object) {
    if (member->type == MODEL_TEXT || member->type == MODEL_NUMBERS)
        g_clear_pointer(&FIELD(void *, object, member), g_free);
    else if (member->type == MODEL_TEXTS)
        g_clear_pointer(&FIELD(char **, object, member), g_strfreev);
    else if (member->type == MODEL_JSON)
        g_clear_pointer(&FIELD(json_t *, object, member), json_decref);
    else if (member->type == MODEL_PART)
        clear_members(member->noun, at(object, member->offset));
    else if (member->type == MODEL_LIST || member->type == MODEL_MAP)
        clear_several(member, object);
    else if (member->type == MODEL_OWN && FIELD(void *, object, member)) {
        clear_members(member->noun, FIELD(void *, object, member));
        g_clear_pointer(&FIELD(void *, object, member), g_free);
    }
}

static void clear_members(const model_noun *noun, void *object) {
    for (size_t i = 0; i < noun->count; i++)
        clear_member(&noun->members[i], object);
}

void model_clear(const model_noun *noun, void *object) {
    clear_members(noun, object);
    memset(object, 0, noun->size);
}
