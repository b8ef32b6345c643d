#include "runner/job/job_take.h"

#include "runner/ground/error.h"
#include "runner/protocol.h"

#include <inttypes.h>
#include <string.h>

bool run__take_wrong(GError **error, const char *key, const char *expected) {
    g_set_error(error, RUN_ERROR, RUN_ERROR_JOB, "job: \"%s\" must be %s", key, expected);
    return false;
}

bool run__take_number(json_t *object, const char *key, uint64_t low, uint64_t high, uint64_t *out,
                      GError **error) {
    json_t *value = json_object_get(object, key);
    json_int_t number = json_integer_value(value);
    if (json_is_integer(value) && number >= 0 && (uint64_t)number >= low &&
        (uint64_t)number <= high) {
        *out = (uint64_t)number;
        return true;
    }
    g_autofree char *expected =
        g_strdup_printf("a whole number from %" PRIu64 " to %" PRIu64, low, high);
    return run__take_wrong(error, key, expected);
}

bool run__take_unsigned(json_t *object, const char *key, unsigned low, unsigned high, unsigned *out,
                        GError **error) {
    uint64_t number = 0;
    bool good = run__take_number(object, key, low, high, &number, error);
    *out = (unsigned)number;
    return good;
}

bool run__take_real(json_t *object, const char *key, double low, double high, double missing,
                    double *out, GError **error) {
    json_t *value = json_object_get(object, key);
    *out = json_is_number(value) ? json_number_value(value) : missing;
    if ((!value || json_is_null(value) || json_is_number(value)) && *out >= low && *out <= high)
        return true;
    g_autofree char *expected = g_strdup_printf("a number from %g to %g", low, high);
    return run__take_wrong(error, key, expected);
}

bool run__take_choice(json_t *object, const char *key, const char *no, const char *yes, bool *out,
                      GError **error) {
    const char *word = json_string_value(json_object_get(object, key));
    g_autofree char *expected = g_strdup_printf("\"%s\" or \"%s\"", no, yes);
    *out = g_strcmp0(word, yes) == 0;
    return *out || g_strcmp0(word, no) == 0 || run__take_wrong(error, key, expected);
}

/* No control characters and no NUL: the text may reach argv, a path or a log line. */
static bool is_plain(json_t *value) {
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    if (!text || length > RUN_WORD_BYTES_MAX || strlen(text) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            return false;
    return true;
}

bool run__take_text(json_t *object, const char *key, char **out, GError **error) {
    json_t *value = json_object_get(object, key);
    if (!is_plain(value) || json_string_length(value) == 0)
        return run__take_wrong(error, key, "a text without control characters");
    *out = g_strdup(json_string_value(value));
    return true;
}

bool run__take_words(json_t *object, const char *key, GStrv *out, GError **error) {
    json_t *list = json_object_get(object, key);
    size_t count = json_array_size(list);
    if ((list && !json_is_null(list) && !json_is_array(list)) || count > RUN_WORDS_MAX)
        return run__take_wrong(error, key, "a list of texts");
    GStrv words = g_new0(char *, count + 1);
    *out = words;
    for (size_t i = 0; i < count; i++) {
        json_t *word = json_array_get(list, i);
        if (!json_string_value(word) || json_string_length(word) > RUN_WORD_BYTES_MAX ||
            strlen(json_string_value(word)) != json_string_length(word))
            return run__take_wrong(error, key, "a list of texts");
        words[i] = g_strdup(json_string_value(word));
    }
    return true;
}

static bool is_variable_name(const char *name) {
    return name[0] != '\0' && !g_ascii_isdigit(name[0]) &&
           name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_")] ==
               '\0';
}

bool run__take_environment(json_t *object, GStrv *out, GError **error) {
    json_t *map = json_object_get(object, "environment");
    if (map && !json_is_null(map) && !json_is_object(map))
        return run__take_wrong(error, "environment", "an object of texts");
    GStrv words = g_new0(char *, json_object_size(map) + 1);
    *out = words;
    const char *name;
    json_t *value;
    json_object_foreach (map, name, value) {
        if (!is_variable_name(name) || !json_string_value(value) ||
            json_string_length(value) > RUN_WORD_BYTES_MAX ||
            strlen(json_string_value(value)) != json_string_length(value)) {
            return run__take_wrong(error, "environment",
                                   "an object of texts, named [A-Za-z_][A-Za-z0-9_]*");
        }
        *words++ = g_strdup_printf("%s=%s", name, json_string_value(value));
    }
    return true;
}

/* Below the checkout, whatever a server sends. */
static bool is_below(const char *path) {
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    for (size_t i = 0; parts[i]; i++)
        if (parts[i][0] == '\0' || strcmp(parts[i], "..") == 0)
            return false;
    return path[0] != '-';
}

bool run__take_path(json_t *object, const char *key, char **out, GError **error) {
    return run__take_text(object, key, out, error) &&
           (is_below(*out) || run__take_wrong(error, key, "a relative path without \"..\""));
}
