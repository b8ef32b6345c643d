/* A server's list of a project's nights, as `moowatch site` takes it apart without reading it
 * whole: what JSON's reader takes is taken, with as many lines. */
#include "ci/site/lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(ci_site_lines *lines) {
    const size_t count = ci_site_lines_count(lines);
    g_free(ci_site_lines_digest(lines, 0, count));
    for (size_t i = 0; i < count; i++) {
        g_autoptr(GError) error = NULL;
        if (!ci_site_lines_at(lines, i) || (!ci_site_lines_read(lines, i, &error)) != (!!error))
            abort();
    }
    if (ci_site_lines_at(lines, count))
        abort();
}

static bool is_list_of_objects(const json_t *items) {
    size_t i;
    json_t *item;
    json_array_foreach (items, i, item)
        if (!json_is_object(item))
            return false;
    return json_is_array(items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autoptr(GError) error = NULL;
    g_autofree char *next = NULL;
    g_autoptr(ci_site_lines) lines = ci_site_lines_new();
    g_autoptr(GBytes) answer = g_bytes_new(data, size);
    const bool taken = ci_site_lines_add(lines, answer, &next, &error);
    if (taken == (error != NULL))
        abort();
    if (taken)
        read_all(lines);
    json_auto_t *whole = json_loadb((const char *)data, size, 0, NULL);
    const json_t *items = json_object_get(whole, "items");
    /* a name may be written with escapes, which the server does not do; Jansson drops a NUL byte
     * behind a number, which is no JSON */
    if (is_list_of_objects(items) && !memchr(data, '\\', size) && !memchr(data, 0, size) &&
        (!taken || ci_site_lines_count(lines) != json_array_size(items)))
        abort();
    return 0;
}
