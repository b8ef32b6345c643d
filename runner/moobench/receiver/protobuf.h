#pragma once
/* otlp - how many spans are in an ExportTraceServiceRequest (protobuf). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * rcv_otlp_count - the message's resource_spans[].scope_spans[].spans[], all of field 1, 2, 2.
 * spans  out
 * Returns false when it is no protobuf of that shape.
 */
bool rcv_otlp_count(const uint8_t *message, size_t size, uint64_t *spans);
