#pragma once
/*
 * stream - bytes of a connection, read in large pieces and taken in small ones.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int fd; /* blocking */
    size_t at, end;
    uint8_t buffer[65536];
} rcv_stream;

/* rcv_stream_take - exactly so many bytes; `to` may be NULL: they are passed over. False when the
 * connection ends before. */
bool rcv_stream_take(rcv_stream *stream, void *to, size_t size);

/**
 * rcv_stream_line - up to the next newline, without it and a carriage return before it.
 * Returns false at the end of the connection, or when the line does not fit into `size` bytes.
 */
bool rcv_stream_line(rcv_stream *stream, char *line, size_t size);
