#pragma once
/* bits__ - numbers of 0 to 63 bits one after the other, the lowest bit first. */
#include <stdint.h>
#include <string.h>

#define BITS_SLACK 16 /* bytes behind the last one that must be there, whatever is in them */

/* bits_get - count bits from bit `at` on. */
static inline uint64_t bits_get(const unsigned char *bytes, size_t at, unsigned count) {
    const unsigned char *from = bytes + (at >> 3);
    const unsigned skip = at & 7;
    uint64_t word;
    memcpy(&word, from, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    word >>= skip;
    if (count + skip > 64)
        word |= (uint64_t)from[8] << (64 - skip);
    return word & ((UINT64_C(1) << count) - 1);
}

/* bits_put - appends; the bits from `at` on are 0 so far. Returns the bit behind. */
static inline size_t bits_put(unsigned char *bytes, size_t at, uint64_t value, unsigned count) {
    unsigned char *to = bytes + (at >> 3);
    const unsigned skip = at & 7;
    for (unsigned done = 0, first = 8 - skip; done < count; done += first, first = 8) {
        const uint64_t some = done ? value >> done : value << skip;
        *to++ |= (unsigned char)some;
    }
    return at + count;
}

/* bits_width - the bits that a number needs; 0: none. */
static inline unsigned bits_width(uint64_t value) {
    return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}
