#pragma once
/* elastic - how many transactions and spans are in a body of Elastic APM's intake (NDJSON). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * rcv_elastic_count - lines of JSON, an object with one key each: what it is.
 * spans   out, lines with "transaction" or "span"
 * others  out, metadata, metrics, errors
 * Returns false when a line is no such object; what came before it is counted.
 */
bool rcv_elastic_count(const uint8_t *text, size_t size, uint64_t *spans, uint64_t *others);
