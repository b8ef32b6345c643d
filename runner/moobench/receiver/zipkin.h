#pragma once
/* zipkin - how many spans are in a body of Zipkin's API, version 2 (JSON). */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* rcv_zipkin_count - a list of objects with an id each. False when it is not such a list. */
bool rcv_zipkin_count(const uint8_t *text, size_t size, uint64_t *spans);
