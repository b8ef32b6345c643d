#include "runner/moobench/receiver/scouter.h"

#include <string.h>

enum { PACK_PROFILE = 26 };
enum { STEP_METHOD = 1, STEP_MESSAGE = 9 };
/* parent, index, start, processor time at the start; name, and two of its own: of a method how
 * long it took */
enum { STEP_NUMBERS = 7 };

typedef struct {
    const uint8_t *at, *end;
} cursor;

static bool pass(cursor *from, size_t size) {
    if (size > (size_t)(from->end - from->at))
        return false;
    from->at += size;
    return true;
}

/* A number: how many bytes it has, and they. 0 has none. */
static bool pass_number(cursor *from) {
    return from->at < from->end && *from->at <= 8 && pass(from, 1 + (size_t)*from->at);
}

static bool take_bytes(cursor *from, size_t count, size_t *value) {
    *value = 0;
    if (count > (size_t)(from->end - from->at))
        return false;
    for (size_t i = 0; i < count; i++)
        *value = *value << 8 | *from->at++;
    return true;
}

/* Up to 253 bytes by a byte that says how many; more by 255 and 2 bytes, or 254 and 4. */
static bool take_blob(cursor *from, cursor *blob) {
    size_t kind, size;
    if (!take_bytes(from, 1, &kind))
        return false;
    size = kind;
    if ((kind == 255 && !take_bytes(from, 2, &size)) ||
        (kind == 254 && !take_bytes(from, 4, &size)))
        return false;
    blob->at = from->at;
    blob->end = from->at + size;
    return pass(from, size);
}

static bool count_steps(cursor from, uint64_t *steps) {
    while (from.at < from.end) {
        const uint8_t type = *from.at++;
        if (type != STEP_METHOD && type != STEP_MESSAGE)
            return false;
        for (unsigned i = 0; i < STEP_NUMBERS; i++)
            if (!pass_number(&from))
                return false;
        *steps += type == STEP_METHOD;
    }
    return true;
}

/* time, object, service, transaction (8 bytes), the steps */
static bool count_profile(cursor from, uint64_t *steps) {
    cursor profile;
    return pass_number(&from) && pass_number(&from) && pass_number(&from) && pass(&from, 8) &&
           take_blob(&from, &profile) && from.at == from.end && count_steps(profile, steps);
}

bool rcv_scouter_count(const uint8_t *datagram, size_t size, uint64_t *steps, uint64_t *others) {
    cursor from = {datagram, datagram + size};
    size_t packs;
    *steps = *others = 0;
    if (size < 5)
        return false;
    from.at += 4;
    if (memcmp(datagram, "CAFE", 4) == 0) {
        if (*from.at++ == PACK_PROFILE)
            return count_profile(from, steps);
        *others = 1;
        return true;
    }
    if (memcmp(datagram, "CAFN", 4) == 0 && take_bytes(&from, 2, &packs)) {
        *others = packs;
        return true;
    }
    *others = 1;
    return memcmp(datagram, "CAFM", 4) == 0;
}
