/*
 * scan_fast - lines of the plainest kind, 64 bytes at a time with AVX2.
 *
 * A chunk is first checked as a whole, without a branch: bit masks of newlines and separators tell
 * whether every line has its columns, no empty one and the thread's id. Only then are its calls
 * read; those of the warm-up are only counted. A chunk with anything else in it is left to the slow
 * way, which knows what is wrong or that nothing is.
 */
#include "detector/reader/scan__.h"

#include <string.h>

#if defined(__x86_64__) && !defined(SCAN_PLAIN) /* SCAN_PLAIN: tests the other way */
#include <immintrin.h>

#define FAST __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define FAST_INLINE FAST __attribute__((always_inline)) static inline
#define FAST_ID_MAX 4 /* digits of a thread id; a JVM's main thread has one or two */
#define BLOCK 64
#define BLOCKS (SCAN_CHUNK / BLOCK)
#define LINES_MAX (SCAN_CHUNK / 4) /* "1;1\n" */
#define BEHIND 8 /* bytes read behind the last block: an id with its separator, eight digits */

/* What a plain line of this file looks like. */
typedef struct {
    __m256i id[FAST_ID_MAX + 1]; /* its bytes and the separator after, each 32 times */
    uint64_t pattern;            /* which of the separators in a row are newlines */
    uint64_t turn;               /* columns - 1: after so many the pattern begins again */
} plain;

FAST_INLINE plain plain_of(const scan *s, size_t id_size) {
    plain line = {.pattern =
                      s->columns == 4 ? UINT64_C(0x8888888888888888) : UINT64_C(0xaaaaaaaaaaaaaaaa),
                  .turn = (uint64_t)s->columns - 1};
    for (size_t i = 0; i < id_size; i++)
        line.id[i] = _mm256_set1_epi8(s->id[i]);
    line.id[id_size] = _mm256_set1_epi8(';');
    return line;
}

FAST_INLINE uint64_t mask_of(__m256i low, __m256i high) {
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(low) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

FAST_INLINE __m256i load(const char *p) {
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

/* The word shifted up, filled from the one before it. */
FAST_INLINE uint64_t shifted(uint64_t word, uint64_t before, int by) {
    return word << by | before >> (64 - by);
}

/* Runs of sixteen bytes that are no separators, a number that may be too large: their last bits.
   `runs` keeps runs of 1, 2, 4 and 8 of the block before. */
FAST_INLINE uint64_t long_runs(uint64_t digits, uint64_t runs[4]) {
    const uint64_t two = digits & shifted(digits, runs[0], 1);
    const uint64_t four = two & shifted(two, runs[1], 2);
    const uint64_t eight = four & shifted(four, runs[2], 4);
    const uint64_t sixteen = eight & shifted(eight, runs[3], 8);
    runs[0] = digits, runs[1] = two, runs[2] = four, runs[3] = eight;
    return sixteen;
}

typedef struct {
    __m256i newlines, separators, good; /* each byte all ones or none */
} half;

/* 32 bytes; good: may be there, and is no newline without the id behind it. */
FAST_INLINE half half_of(const char *p, const plain *line, size_t id_size) {
    /* the byte a low half byte stands for; 0xff: none that may be there */
    const __m256i allowed = _mm256_broadcastsi128_si256(
        _mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '\n', ';', -1, -1, -1, -1));
    const __m256i x = load(p), newlines = _mm256_cmpeq_epi8(x, _mm256_set1_epi8('\n'));
    __m256i known = _mm256_cmpeq_epi8(load(p + 1), line->id[0]);
    for (size_t i = 1; i <= id_size; i++)
        known = _mm256_and_si256(known, _mm256_cmpeq_epi8(load(p + 1 + i), line->id[i]));
    const __m256i right = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(allowed, x), x);
    return (half){newlines, _mm256_or_si256(newlines, _mm256_cmpeq_epi8(x, line->id[id_size])),
                  _mm256_andnot_si256(_mm256_andnot_si256(known, newlines), right)};
}

/* Where the newlines of a chunk are, from a line's start on. False: not only plain lines. */
FAST_INLINE int newlines_of(uint64_t newlines[BLOCKS], const char *p, size_t blocks,
                            const plain *line, size_t id_size) {
    __m256i good = _mm256_set1_epi8(-1);
    uint64_t odd = 0, before = UINT64_C(1) << 63, runs[4] = {0}, seen = 0;
    for (size_t b = 0; b < blocks; b++, p += BLOCK) {
        const half low = half_of(p, line, id_size), high = half_of(p + 32, line, id_size);
        const uint64_t separators = mask_of(low.separators, high.separators);
        const uint64_t n = mask_of(low.newlines, high.newlines);
        const uint64_t count = (uint64_t)__builtin_popcountll(separators);
        const uint64_t expected = _bzhi_u64(line->pattern >> (seen & line->turn), (unsigned)count);
        good = _mm256_and_si256(good, _mm256_and_si256(low.good, high.good));
        odd |= separators & shifted(separators, before, 1); /* an empty column */
        odd |= _pext_u64(n, separators) ^ expected;         /* too many or too few */
        odd |= long_runs(~separators, runs);
        seen += count;
        before = separators;
        newlines[b] = n;
    }
    return !odd && (uint32_t)_mm256_movemask_epi8(good) == UINT32_MAX;
}

/* The number at p, whatever follows it: a separator, then anything of a plain line. */
FAST_INLINE uint64_t number_at(const char *p) {
    uint64_t v, value = 0;
    memcpy(&v, p, sizeof v);
    v ^= UINT64_C(0x3030303030303030); /* digits: 0 to 9; separators: 0x0b, 0x3a */
    const uint64_t ends = (v + UINT64_C(0x0606060606060606)) & UINT64_C(0x5050505050505050);
    if (ends) {
        v <<= -((unsigned)__builtin_ctzll(ends) & 56) & 63;
        v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
        v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
        return (v * 10000 + (v >> 32)) & UINT64_C(0xffffffff);
    }
    for (; *p >= '0' && *p <= '9'; p++)
        value = value * 10 + (uint64_t)(*p - '0');
    return value;
}

/* The times of the chunk's calls; the first line begins at p. */
FAST_INLINE size_t times_of(uint64_t *ns, const char *p, const uint64_t *newlines, size_t blocks,
                            size_t id_size) {
    const char *field = p + id_size + 1;
    size_t n = 0;
    for (size_t b = 0; b < blocks; b++, p += BLOCK) {
        for (uint64_t left = newlines[b]; left; left = _blsr_u64(left)) {
            ns[n++] = number_at(field);
            field = p + _tzcnt_u64(left) + id_size + 2;
        }
    }
    return n;
}

/* Counts them. Apart from reading them: an increment waits for all those before it whose places are
   not known yet. */
static void count(scan *s, reader__counts *counts, const uint64_t *ns, size_t n) {
    uint32_t *const dense = counts->dense;
    uint64_t top = counts->top;
    counts->calls += n;
    for (size_t i = 0; i < n; i++) {
        if (ns[i] < COUNTS_DENSE) {
            dense[ns[i]]++;
            top = ns[i] >= top ? ns[i] + 1 : top;
        } else {
            reader__counts_add_large(counts, ns[i]);
        }
    }
    counts->top = (uint32_t)top;
    for (size_t i = 0; i < n && s->bin_ns > 0; i++)
        scan_bin_call(s, ns[i]);
}

/* Up to the last newline of the chunk. Returns 0 when it must be looked at closer. */
FAST_INLINE size_t chunk(scan *s, reader__counts *counts, const char *p, size_t blocks,
                         const plain *line, size_t id_size) {
    uint64_t newlines[BLOCKS], lines = 0;
    if (memcmp(p, s->id, id_size) != 0 || p[id_size] != ';' ||
        !newlines_of(newlines, p, blocks, line, id_size))
        return 0;
    size_t last = blocks;
    while (last && !newlines[last - 1])
        last--;
    if (!last)
        return 0;
    for (size_t b = 0; b < last; b++)
        lines += (uint64_t)__builtin_popcountll(newlines[b]);
    const uint64_t skip = s->threads[0].skip < lines ? s->threads[0].skip : lines;
    s->threads[0].skip -= skip;
    if (skip < lines) {
        uint64_t ns[LINES_MAX];
        count(s, counts, ns + skip, times_of(ns, p, newlines, last, id_size) - skip);
    }
    return last * BLOCK - (size_t)__builtin_clzll(newlines[last - 1]);
}

/* The id's length as a constant: the loops over its digits are gone. */
FAST_INLINE size_t lines_of(scan *s, reader__counts *counts, const char *bytes, size_t size,
                            size_t id_size) {
    const plain line = plain_of(s, id_size);
    size_t from = 0;
    while (size - from >= BLOCK + BEHIND) {
        const size_t blocks = (size - from - BEHIND) / BLOCK;
        const size_t read =
            chunk(s, counts, bytes + from, blocks < BLOCKS ? blocks : BLOCKS, &line, id_size);
        if (!read)
            break;
        from += read;
    }
    return from;
}

FAST size_t scan_fast_lines(scan *s, reader__counts *counts, const char *bytes, size_t size) {
    switch (s->id_size) {
    case 1:
        return lines_of(s, counts, bytes, size, 1);
    case 2:
        return lines_of(s, counts, bytes, size, 2);
    case 3:
        return lines_of(s, counts, bytes, size, 3);
    default:
        return lines_of(s, counts, bytes, size, FAST_ID_MAX);
    }
}

int scan_fast_can(const scan *s) {
    return s->mode == SCAN_ONE && s->id_size && s->id_size <= FAST_ID_MAX && s->columns &&
           __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}
#else
size_t scan_fast_lines(scan *s, reader__counts *counts, const char *bytes, size_t size) {
    (void)s, (void)counts, (void)bytes, (void)size;
    return 0;
}

int scan_fast_can(const scan *s) {
    (void)s;
    return 0;
}
#endif
