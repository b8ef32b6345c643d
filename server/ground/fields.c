#include "server/ground/fields.h"

#include "config/json_text.h"
#include "server/ground/error.h"

#include <math.h>
#include <string.h>

void srv__field_fail(srv__fields *fields, const char *key, const char *what) {
    if (!fields->failed)
        g_set_error(fields->error, SRV_ERROR, SRV_ERROR_INVALID, "%s%s%s: %s", fields->where,
                    *fields->where != '\0' ? "." : "", key, what);
    fields->failed = true;
}

static const json_t *member(srv__fields *fields, const char *key, bool optional) {
    const json_t *value = json_object_get(fields->object, key);
    if (value && !json_is_null(value))
        return value;
    if (!optional)
        srv__field_fail(fields, key, "is missing");
    return NULL;
}

const char *srv__field_text(srv__fields *fields, const char *key, size_t limit, bool optional) {
    const json_t *value = member(fields, key, optional);
    if (!value)
        return NULL;
    const char *text = json_string_value(value);
    if (!text) {
        srv__field_fail(fields, key, "must be a text");
        return NULL;
    }
    if (json_string_length(value) > limit || strlen(text) != json_string_length(value)) {
        srv__field_fail(fields, key, "is too long, or holds a zero byte");
        return NULL;
    }
    for (const char *at = text; *at != '\0'; at++)
        if (((unsigned char)*at < 0x20 && strchr("\t\r\n", *at) == NULL) || *at == 0x7f) {
            srv__field_fail(fields, key, "holds control characters");
            return NULL;
        }
    return text;
}

int64_t srv__field_int(srv__fields *fields, const char *key, int64_t low, int64_t high,
                       bool optional, int64_t missing) {
    const json_t *value = member(fields, key, optional);
    if (!value)
        return missing;
    json_int_t number;
    if (!cfg_json_whole(value, &number)) {
        srv__field_fail(fields, key, "must be a whole number");
        return missing;
    }
    if (number >= low && number <= high)
        return number;
    g_autofree char *what = g_strdup_printf("is %" JSON_INTEGER_FORMAT ", must be %" G_GINT64_FORMAT
                                            " to %" G_GINT64_FORMAT,
                                            number, low, high);
    srv__field_fail(fields, key, what);
    return missing;
}

double srv__field_real(srv__fields *fields, const char *key, double low, bool optional) {
    const json_t *value = member(fields, key, optional);
    if (!value)
        return NAN;
    if (!json_is_number(value)) {
        srv__field_fail(fields, key, "must be a number");
        return NAN;
    }
    double number = json_number_value(value);
    if (!isfinite(number) || number < low) {
        g_autofree char *what =
            g_strdup_printf("is %g, must be finite and at least %g", number, low);
        srv__field_fail(fields, key, what);
        return NAN;
    }
    return number;
}

bool srv__field_bool(srv__fields *fields, const char *key, bool missing) {
    const json_t *value = member(fields, key, SRV__OPTIONAL);
    if (!value)
        return missing;
    if (!json_is_boolean(value))
        srv__field_fail(fields, key, "must be true or false");
    return json_is_true(value);
}

const json_t *srv__field_json(srv__fields *fields, const char *key, json_type type, bool optional) {
    const json_t *value = member(fields, key, optional);
    if (!value)
        return NULL;
    if (json_typeof(value) == type)
        return value;
    srv__field_fail(fields, key, type == JSON_ARRAY ? "must be a list" : "must be an object");
    return NULL;
}

char *srv__line_tidy(const char *text, glong limit) {
    g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);
    for (unsigned char *c = (unsigned char *)valid; *c != '\0'; c++)
        if (*c < ' ' || *c == 0x7f)
            *c = ' ';
        else if (c[0] == 0xc2 && c[1] < 0xa0) /* U+0080 … U+009F */
            c[0] = c[1] = ' ';
    if (g_utf8_strlen(valid, -1) <= limit)
        return g_steal_pointer(&valid);
    g_autofree char *cut = g_utf8_substring(valid, 0, limit - 1);
    return g_strconcat(cut, "…", NULL);
}

/* Of jansson 2.14 on 64 bits, with what malloc adds. A value in a list has its comma, one in an
 * object its colon and the string before it, too. */
enum { OBJECT = 240, ARRAY = 144, STRING = 48, COLON = 56, COMMA = 48, LONG = 64 << 10 };

/* Within a string a byte is a byte; a long one has a buffer of twice its size while it is read. */
static void add_in_string(srv_json_cost *cost, char c) {
    cost->bytes += ++cost->length > LONG ? 3 : 1;
    if (cost->escaped)
        cost->escaped = false;
    else if (c == '\\')
        cost->escaped = true;
    else if (c == '"')
        cost->in_string = false;
}

void srv_json_cost_add(srv_json_cost *cost, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (cost->in_string) {
            add_in_string(cost, text[i]);
            continue;
        }
        switch (text[i]) {
        case '{':
            cost->bytes += OBJECT;
            break;
        case '[':
            cost->bytes += ARRAY;
            break;
        case '"':
            cost->bytes += STRING;
            cost->in_string = true;
            cost->length = 0;
            break;
        case ':':
            cost->bytes += COLON;
            break;
        case ',':
            cost->bytes += COMMA;
            break;
        default:
            break;
        }
    }
}

bool srv_json_cost_check(const char *text, size_t size, uint64_t most, GError **error) {
    srv_json_cost cost = {0};
    srv_json_cost_add(&cost, text, size);
    if (cost.bytes <= most)
        return true;
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_TOO_LARGE,
                     "its JSON values would take %" G_GUINT64_FORMAT
                     " MiB of memory, at most %" G_GUINT64_FORMAT " are allowed; send less at once",
                     cost.bytes >> 20, most >> 20);
}
