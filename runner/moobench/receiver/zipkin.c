#include "runner/moobench/receiver/zipkin.h"

#include <jansson.h>

bool rcv_zipkin_count(const uint8_t *text, size_t size, uint64_t *spans) {
    json_t *list = json_loadb((const char *)text, size, 0, NULL);
    bool good = json_is_array(list);
    size_t i;
    json_t *span;
    json_array_foreach (list, i, span)
        good = good && json_is_string(json_object_get(span, "id"));
    *spans = good ? json_array_size(list) : 0;
    json_decref(list);
    return good;
}
