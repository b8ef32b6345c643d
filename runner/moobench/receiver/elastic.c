#include "runner/moobench/receiver/elastic.h"

#include <jansson.h>
#include <string.h>

static bool count_line(const uint8_t *line, size_t size, uint64_t *spans, uint64_t *others) {
    json_t *event = json_loadb((const char *)line, size, 0, NULL);
    const bool good = json_is_object(event) && json_object_size(event) == 1;
    if (good) {
        const bool wanted = json_object_get(event, "transaction") || json_object_get(event, "span");
        *spans += wanted;
        *others += !wanted;
    }
    json_decref(event);
    return good;
}

bool rcv_elastic_count(const uint8_t *text, size_t size, uint64_t *spans, uint64_t *others) {
    const uint8_t *end = text + size;
    *spans = *others = 0;
    while (text < end) {
        const uint8_t *newline = memchr(text, '\n', (size_t)(end - text));
        const uint8_t *stop = newline ? newline : end;
        if (stop > text && !count_line(text, (size_t)(stop - text), spans, others))
            return false;
        text = newline ? newline + 1 : end;
    }
    return true;
}
