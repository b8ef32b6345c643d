#include "server/ground/json_cost.h"

#include "server/ground/error.h"

/* Of jansson 2.14 on 64 bits, with what malloc adds. A value in a list has its comma, one in an
 * object its colon and the string before it, too. */
enum { OBJECT = 240, ARRAY = 144, STRING = 48, COLON = 56, COMMA = 48 };

/* Within a string a byte is a byte. */
static void add_in_string(srv_json_cost *cost, char c) {
    cost->bytes++;
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
    g_set_error(error, SRV_ERROR, SRV_ERROR_TOO_LARGE,
                "its JSON values would take %" G_GUINT64_FORMAT
                " MiB of memory, at most %" G_GUINT64_FORMAT " are allowed; send less at once",
                cost.bytes >> 20, most >> 20);
    return false;
}
