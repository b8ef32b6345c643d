#pragma once
/*
 * model - what a thing is made of, written once: a struct and one table of its members.
 *
 * From the table follow the reading and writing of JSON, and the release of memory. A new member is
 * a field of the struct and a row of the table. Whoever reads gets all of it or an error that names
 * the path of what is wrong ("benchmark.configurations[2].name"); members that the table does not
 * have are passed over, since they come from a newer program.
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_ERROR (model_error_quark())
GQuark model_error_quark(void);

typedef enum {
    MODEL_INT64,
    MODEL_UINT64,
    MODEL_INT,
    MODEL_UNSIGNED, /* also an enumeration, with `words` */
    MODEL_UINT16,
    MODEL_DOUBLE,
    MODEL_BOOL,    /* with `words`: the word of false, the word of true */
    MODEL_TEXT,    /* char *, owned */
    MODEL_CHARS,   /* char [], with room for `most` bytes and a NUL */
    MODEL_TEXTS,   /* char **, owned, ends with NULL */
    MODEL_NUMBERS, /* uint64_t *, owned; how many: count_offset */
    MODEL_JSON,    /* json_t *, a reference; NULL: not there */
    MODEL_PART,    /* a struct inside this one; it is missing where its first member is */
    MODEL_OWN,     /* a pointer to a struct; NULL: not there */
    MODEL_LIST,    /* a pointer to structs, and an unsigned that says how many */
    MODEL_MAP      /* likewise from an object: the first member of each is its key */
} model_type;

/* What to do about a member that is not there. null counts as not there. */
typedef enum {
    MODEL_REQUIRED, /* reading fails */
    MODEL_LEFT_OUT, /* it gets `missing`; with that value it is not written */
    MODEL_NULL,     /* likewise, but null is written */
    MODEL_WRITTEN   /* likewise, but it is always written: older programs do not write it */
} model_need;

typedef struct model_noun model_noun;

typedef struct {
    size_t offset;
    model_type type;
    const char *name; /* its key; NULL: the noun is this value, without an object around it */
    model_need need;
    double missing;                 /* the number, yes or no, or index of the word */
    double low, high;               /* of a number; both 0: what its type holds */
    bool whole;                     /* a MODEL_DOUBLE is written as an integer where it is one */
    size_t most;                    /* bytes of a text; 0: any */
    size_t most_items;              /* of a list; 0: any */
    const char *const *words;       /* of an enumeration, ends with NULL */
    const model_noun *noun;         /* of a part */
    size_t count_offset;            /* of a list */
    bool (*good)(const char *text); /* of a text, and of each of several; NULL: any */
    const char *expected;  /* what it must be, for the error; after the words of an enumeration */
    bool path;             /* of a text in a YAML file: made absolute from the file's folder */
    const char *otherwise; /* likewise: what stands for it when its section leaves it out */
    bool (*belongs)(const void *object); /* is it a member of this one? It sees what is above it in
                                            the table; NULL: always */
    unsigned shown;    /* bits of the forms of the JSON that have it; 0: all have */
    bool only_written; /* another row has read this field: in this form it has another place or need
                        */
} model_member;

struct model_noun {
    size_t size; /* of the struct */
    const model_member *members;
    size_t count;
    const char *name;                                  /* begins an error: "job" */
    bool (*whole)(const void *object, GError **error); /* do the members fit? NULL: always. It fails
                                                          with model_wrong. */
};

#define MODEL_TYPE_OF(S, field)                                                                    \
    _Generic(((S *)0)->field,                                                                      \
        int64_t: MODEL_INT64,                                                                      \
        uint64_t: MODEL_UINT64,                                                                    \
        int: MODEL_INT,                                                                            \
        unsigned: MODEL_UNSIGNED,                                                                  \
        uint16_t: MODEL_UINT16,                                                                    \
        double: MODEL_DOUBLE,                                                                      \
        bool: MODEL_BOOL,                                                                          \
        char *: MODEL_TEXT,                                                                        \
        const char *: MODEL_TEXT, /* of a struct that is only written */                           \
        char **: MODEL_TEXTS,                                                                      \
        uint64_t *: MODEL_NUMBERS,                                                                 \
        json_t *: MODEL_JSON)

/* A row: the struct, its field, the key, then what else is said by name:
 * MODEL(run_job, loops, "loops", .low = 1, .high = 10000) */
/* clang-format off */
#define MODEL(S, field, ...)                                                                       \
    {.offset = offsetof(S, field), .type = MODEL_TYPE_OF(S, field), .name = __VA_ARGS__}
/* MODELS, MODEL_NULLS - rows of fields, two to twelve, that JSON calls as the struct does; the latter
 * may be null. */
#define MODELS(S, ...) MODEL__EACH(__VA_ARGS__)(MODEL__SAME, S, __VA_ARGS__)
#define MODEL_NULLS(S, ...) MODEL__EACH(__VA_ARGS__)(MODEL__SAME_NULL, S, __VA_ARGS__)
#define MODEL__SAME(S, x) MODEL(S, x, #x)
#define MODEL__SAME_NULL(S, x) MODEL(S, x, #x, MODEL_NULL)
#define MODEL__EACH(...)                                                                           \
    MODEL__NTH(__VA_ARGS__, MODEL__12, MODEL__11, MODEL__10, MODEL__9, MODEL__8, MODEL__7,         \
               MODEL__6, MODEL__5, MODEL__4, MODEL__3, MODEL__2, MODEL__1, 0)
#define MODEL__NTH(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, _11, _12, macro, ...) macro
#define MODEL__1(row, S, x) row(S, x)
#define MODEL__2(row, S, x, ...) row(S, x), MODEL__1(row, S, __VA_ARGS__)
#define MODEL__3(row, S, x, ...) row(S, x), MODEL__2(row, S, __VA_ARGS__)
#define MODEL__4(row, S, x, ...) row(S, x), MODEL__3(row, S, __VA_ARGS__)
#define MODEL__5(row, S, x, ...) row(S, x), MODEL__4(row, S, __VA_ARGS__)
#define MODEL__6(row, S, x, ...) row(S, x), MODEL__5(row, S, __VA_ARGS__)
#define MODEL__7(row, S, x, ...) row(S, x), MODEL__6(row, S, __VA_ARGS__)
#define MODEL__8(row, S, x, ...) row(S, x), MODEL__7(row, S, __VA_ARGS__)
#define MODEL__9(row, S, x, ...) row(S, x), MODEL__8(row, S, __VA_ARGS__)
#define MODEL__10(row, S, x, ...) row(S, x), MODEL__9(row, S, __VA_ARGS__)
#define MODEL__11(row, S, x, ...) row(S, x), MODEL__10(row, S, __VA_ARGS__)
#define MODEL__12(row, S, x, ...) row(S, x), MODEL__11(row, S, __VA_ARGS__)
#define MODEL_A(S, field, noun_, type_, ...)                                                       \
    {.offset = offsetof(S, field), .noun = &(noun_), .type = type_, .name = __VA_ARGS__}
#define MODEL_CHARS_OF(S, field, ...)                                                              \
    {.offset = offsetof(S, field), .type = MODEL_CHARS, .most = sizeof(((S *)0)->field) - 1,       \
     .name = __VA_ARGS__}
/* The struct is the member, of type T. */
#define MODEL_IT(T, ...) {.type = MODEL_TYPE_OF(struct { T it; }, it), .name = __VA_ARGS__}
/* Some fields of the struct are an object of their own in JSON. */
#define MODEL_INSIDE(noun_, ...) {.noun = &(noun_), .type = MODEL_PART, .name = __VA_ARGS__}
/* A MODEL_TEXTS or MODEL_NUMBERS whose number stands in the field `list`_count. */
#define MODEL_COUNTED(S, list, ...)                                                                \
    {.offset = offsetof(S, list), .type = MODEL_TYPE_OF(S, list),                                  \
     .count_offset = offsetof(S, list##_count), .name = __VA_ARGS__}
/* The number of items stands in the field `items`_count. */
#define MODEL_SEVERAL(S, items, noun_, type_, ...)                                                 \
    {.offset = offsetof(S, items), .count_offset = offsetof(S, items##_count),                     \
     .noun = &(noun_), .type = type_, .name = __VA_ARGS__}
#define MODEL_NOUN(S, rows, ...)                                                                   \
    {.size = sizeof(S), .members = rows, .count = G_N_ELEMENTS(rows), .name = __VA_ARGS__}
/* clang-format on */

/**
 * model_read - a struct from JSON.
 * out  written whole; release with model_clear. After an error nothing is to be released.
 * Fails with MODEL_ERROR: 'job: "repository.url" must be a text'.
 */
bool model_read(const model_noun *noun, const json_t *json, void *out,
                GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* model_read_leniently - the same from somebody else's answer: a member that is not as expected is
 * not there. For model_clear. */
void model_read_leniently(const model_noun *noun, const json_t *json, void *out);

/* model_begin, model_put - the same from values that come one by one, as the columns of a row. The
 * place of a column is found once for all rows: part is NULL where the member is the struct's own.
 * value is consumed; null is not there, and in a MODEL_OWN nothing but nulls is none. After an
 * error model_clear is due. */
typedef struct {
    const model_member *part, *member; /* member NULL: part is JSON, an object with the key */
    const char *key;
} model_place;
void model_begin(const model_noun *noun, void *out);
/* into: the name of the part, or NULL; name outlives the place. A name without a member is an
 * error.
 */
bool model_find(const model_noun *noun, const char *into, const char *name, model_place *place,
                GError **error) G_GNUC_WARN_UNUSED_RESULT;
bool model_put(const model_place *place, void *out, json_t *value,
               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/* model_add - one more item of a list, begun, or the part of this name, which is made when it is
 * not there yet; borrowed until the next one. */
void *model_add(const model_noun *noun, void *object, const char *name);
/* model_noun_of - of the member of this name. Static. */
const model_noun *model_noun_of(const model_noun *noun, const char *name);

/* Several structs of one noun. */
typedef struct {
    const model_noun *noun;
    void *items; /* [count], of the noun's size */
    unsigned count;
} model_list;

/* model_list_add - one more, all zero; borrowed until the next one. */
void *model_list_add(model_list *list);
void model_list_clear(model_list *list);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(model_list, model_list_clear)

/* model_write - the other way round; owned. Numbers that are not finite are not there. */
json_t *model_write(const model_noun *noun, const void *object) G_GNUC_WARN_UNUSED_RESULT;
/* model_write_as - likewise in a form, a bit of those in `shown`. */
json_t *model_write_as(const model_noun *noun, const void *object,
                       unsigned form) G_GNUC_WARN_UNUSED_RESULT;

/* model_clear - what the struct owns; the struct is the caller's, all zero afterwards. */
void model_clear(const model_noun *noun, void *object);

/* MODEL_HELD - a struct of that noun, all zero, released at the end of its block. */
typedef struct {
    const model_noun *noun;
    void *object;
} model_held;
static inline void model_held_clear(model_held *held) {
    model_clear(held->noun, held->object);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(model_held, model_held_clear)
#define MODEL_HELD(S, name, noun_)                                                                 \
    S name = {0};                                                                                  \
    g_auto(model_held) name##_held G_GNUC_UNUSED = {&(noun_), &(name)}

/* model_wrong - the error of a `whole`: the member at path must be what was expected. Returns
 * false. */
bool model_wrong(GError **error, const char *path, const char *expected);

/* model_is_plain - a text of 1 to 32 Ki bytes without control characters: it may reach a command
 * line, a path or a log. As a row: MODEL_PLAIN. */
bool model_is_plain(const char *text);
#define MODEL_PLAIN .good = model_is_plain, .expected = "a text without control characters"
