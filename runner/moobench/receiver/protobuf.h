#pragma once
/* protobuf - how many messages of one kind are in another. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * rcv_protobuf_count - the messages that lie where a path of fields leads.
 * path      the number of a field on each level, ended by 0; {1, 2, 2, 0} are the spans of an
 *           ExportTraceServiceRequest: resource_spans[].scope_spans[].spans[]
 * messages  out
 * Returns false when it is no protobuf, or a field on the path is no message.
 */
bool rcv_protobuf_count(const uint8_t *message, size_t size, const uint8_t *path,
                        uint64_t *messages);
