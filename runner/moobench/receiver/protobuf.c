#include "runner/moobench/receiver/protobuf.h"

enum { WIRE_VARINT, WIRE_64, WIRE_BYTES, WIRE_32 = 5 };

typedef struct {
    const uint8_t *at, *end;
} cursor;

static bool take_varint(cursor *from, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64 && from->at < from->end; shift += 7) {
        uint8_t byte = *from->at++;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

static bool take_bytes(cursor *from, uint64_t size, cursor *part) {
    if (size > (uint64_t)(from->end - from->at))
        return false;
    *part = (cursor){from->at, from->at + size};
    from->at += size;
    return true;
}

/* The next field; part is empty unless it is one of bytes. */
static bool take_field(cursor *from, uint64_t *number, bool *is_bytes, cursor *part) {
    uint64_t key, value;
    if (!take_varint(from, &key))
        return false;
    *number = key >> 3;
    *is_bytes = (key & 7) == WIRE_BYTES;
    switch (key & 7) {
    case WIRE_VARINT:
        return take_varint(from, &value);
    case WIRE_64:
        return take_bytes(from, 8, part);
    case WIRE_BYTES:
        return take_varint(from, &value) && take_bytes(from, value, part);
    case WIRE_32:
        return take_bytes(from, 4, part);
    default:
        return false;
    }
}

static bool count(cursor from, const uint8_t *path, uint64_t *messages) {
    while (from.at < from.end) {
        uint64_t number;
        bool is_bytes;
        cursor part;
        if (!take_field(&from, &number, &is_bytes, &part))
            return false;
        if (number != path[0])
            continue;
        if (!is_bytes)
            return false;
        if (path[1] == 0)
            ++*messages;
        else if (!count(part, path + 1, messages)) /* as deep as the path is long */
            return false;
    }
    return true;
}

bool rcv_protobuf_count(const uint8_t *message, size_t size, const uint8_t *path,
                        uint64_t *messages) {
    *messages = 0;
    return count((cursor){message, message + size}, path, messages);
}
