#include "detector/reader/scan__.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define BLOCK 64
#define FIELD_MAX 15 /* digits that cannot exceed 2^53 */

/* Which of 64 bytes are separators, which newlines; fine: all others are digits. */
typedef struct {
    uint64_t separators, newlines;
    int fine;
} marks;

#if defined(__SSE2__)
static inline uint64_t four(__m128i a, __m128i b, __m128i c, __m128i d) {
    return (uint64_t)(uint16_t)_mm_movemask_epi8(a) |
           (uint64_t)(uint16_t)_mm_movemask_epi8(b) << 16 |
           (uint64_t)(uint16_t)_mm_movemask_epi8(c) << 32 |
           (uint64_t)(uint16_t)_mm_movemask_epi8(d) << 48;
}

static inline marks marks_of(const char *p) {
    const __m128i newline = _mm_set1_epi8('\n'), semicolon = _mm_set1_epi8(';'),
                  low = _mm_set1_epi8((char)('0' - 128)), nine = _mm_set1_epi8(-128 + 9);
    __m128i n[4], s[4], odd[4];
    for (int i = 0; i < 4; i++) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        n[i] = _mm_cmpeq_epi8(x, newline);
        s[i] = _mm_or_si128(n[i], _mm_cmpeq_epi8(x, semicolon));
        /* x - '0' as unsigned is above 9: shifted to signed, because SSE2 compares only those */
        odd[i] = _mm_andnot_si128(s[i], _mm_cmpgt_epi8(_mm_sub_epi8(x, low), nine));
    }
    return (marks){.separators = four(s[0], s[1], s[2], s[3]),
                   .newlines = four(n[0], n[1], n[2], n[3]),
                   .fine = four(odd[0], odd[1], odd[2], odd[3]) == 0};
}
#else
static inline marks marks_of(const char *p) {
    marks m = {.fine = 1};
    for (int i = 0; i < BLOCK; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        if (p[i] == '\n')
            m.newlines |= bit;
        if (p[i] == '\n' || p[i] == ';')
            m.separators |= bit;
        else if (p[i] < '0' || p[i] > '9')
            m.fine = 0;
    }
    return m;
}
#endif

/* Up to 8 digits that end before `end`; 8 readable bytes lie before it. */
static inline uint64_t eight(const char *end, size_t digits) {
    uint64_t v;
    memcpy(&v, end - 8, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    v -= UINT64_C(0x3030303030303030);
    v &= digits >= 8 ? ~UINT64_C(0) : ~(~UINT64_C(0) >> (8 * digits));
    v = (v * 10 + (v >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    v = (v * 100 + (v >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (v * 10000 + (v >> 32)) & UINT64_C(0xffffffff);
}

static uint64_t slowly(const char *start, const char *end) {
    uint64_t v = 0;
    for (; start < end; start++)
        v = v * 10 + (uint64_t)(*start - '0');
    return v;
}

int scan_init(scan *s, scan_mode mode, double bin_ns) {
    memset(s, 0, sizeof *s);
    s->mode = mode;
    s->bin_ns = s->bin_end = bin_ns;
    s->threads = calloc(DET_RAW_THREADS_MAX, sizeof *s->threads);
    return s->threads != NULL;
}

void scan_clear(scan *s) {
    free(s->threads);
    free(s->bins);
    memset(s, 0, sizeof *s);
}

static inline void call_one(scan *s, reader__counts *counts, uint64_t ns) {
    if (s->threads[0].skip) {
        s->threads[0].skip--;
        return;
    }
    reader__counts_add(counts, ns);
    if (s->bin_ns > 0)
        scan_bin_call(s, ns);
}

static void call_of_many(scan *s, reader__counts *counts, uint64_t ns) {
    scan_thread *thread = &s->threads[s->thread];
    thread->calls++;
    if (s->mode == SCAN_COUNT)
        return;
    if (thread->skip) {
        thread->skip--;
        return;
    }
    reader__counts_add(counts, ns);
    thread->now += (double)ns;
    if (s->bin_ns > 0) {
        const double bin = thread->now / s->bin_ns;
        if (bin < SCAN_BINS_MAX && scan_bin_touch(s, (size_t)bin))
            s->bins[(size_t)bin]++;
    }
}

/* Which thread of many the id is. */
static scan_end thread_of(scan *s, uint64_t id) {
    if (s->threads_count && s->threads[s->thread].id == id)
        return SCAN_DONE;
    for (unsigned t = 0; t < s->threads_count; t++)
        if (s->threads[t].id == id) {
            s->thread = t;
            return SCAN_DONE;
        }
    if (s->threads_count == DET_RAW_THREADS_MAX)
        return SCAN_ODD;
    s->thread = s->threads_count;
    s->threads[s->threads_count++].id = id;
    return SCAN_DONE;
}

static inline scan_end thread_end(scan *s, const char *field, size_t digits) {
    if (s->mode != SCAN_ONE)
        return thread_of(s, slowly(field, field + digits));
    if (!s->id_size) {
        s->id_size = digits;
        memcpy(s->id, field, digits);
        return SCAN_DONE;
    }
    if (digits != s->id_size)
        return SCAN_THREADS;
    if (digits == 1)
        return *field == s->id[0] ? SCAN_DONE : SCAN_THREADS;
    return memcmp(field, s->id, digits) == 0 ? SCAN_DONE : SCAN_THREADS;
}

typedef struct {
    const char *begin, *field; /* of the slice; of the field under way */
    int column;
} place;

static scan_end line_end(scan *s, place *p) {
    if (p->column != s->columns) {
        if (s->columns || (p->column != 2 && p->column != 4))
            return SCAN_ODD;
        s->columns = p->column;
    }
    p->column = 0;
    return SCAN_DONE;
}

/* A field ended at `end`. Returns SCAN_DONE to go on. */
static inline scan_end field_end(scan *s, reader__counts *counts, place *p, const char *end,
                                 int newline) {
    const size_t digits = (size_t)(end - p->field);
    scan_end result = SCAN_DONE;
    if (digits - 1 >= FIELD_MAX)
        return SCAN_ODD;
    if (p->column == 0) {
        result = thread_end(s, p->field, digits);
    } else if (p->column == 1) {
        const int fast = digits <= 8 && end - p->begin >= 8;
        const uint64_t ns = fast ? eight(end, digits) : slowly(p->field, end);
        if (s->mode == SCAN_ONE)
            call_one(s, counts, ns);
        else
            call_of_many(s, counts, ns);
    }
    p->column++;
    p->field = end + 1;
    if (newline)
        return result == SCAN_DONE ? line_end(s, p) : result;
    return p->column == 4 ? SCAN_ODD : result;
}

static inline scan_end block(scan *s, reader__counts *counts, place *p, const char *from, marks m) {
    while (m.separators) {
        const int bit = __builtin_ctzll(m.separators);
        const scan_end end = field_end(s, counts, p, from + bit, (int)(m.newlines >> bit & 1));
        if (end != SCAN_DONE)
            return end;
        m.separators &= m.separators - 1;
    }
    return SCAN_DONE;
}

/* Lines one separator at a time. */
static scan_end slow_lines(scan *s, reader__counts *counts, const char *bytes, size_t size) {
    place p = {.begin = bytes, .field = bytes};
    size_t at = 0;
    for (; at + BLOCK <= size; at += BLOCK) {
        const marks m = marks_of(bytes + at);
        const scan_end end = m.fine ? block(s, counts, &p, bytes + at, m) : SCAN_ODD;
        if (end != SCAN_DONE)
            return end;
    }
    for (; at < size; at++) {
        const int newline = bytes[at] == '\n';
        if (!newline && bytes[at] != ';') {
            if (bytes[at] < '0' || bytes[at] > '9')
                return SCAN_ODD;
            continue;
        }
        const scan_end end = field_end(s, counts, &p, bytes + at, newline);
        if (end != SCAN_DONE)
            return end;
    }
    return SCAN_DONE;
}

/* The first line tells id and columns. A chunk that the fast way leaves behind goes the slow
 * one. */
scan_end scan_slice(scan *s, reader__counts *counts, const char *bytes, size_t size) {
    if (!size || bytes[size - 1] != '\n')
        return SCAN_ODD;
    for (size_t at = 0; at < size;) {
        const size_t least = !s->columns ? 0 : scan_fast_can(s) ? SCAN_CHUNK : size;
        size_t next = size;
        if (least < size - at) {
            const char *newline = memchr(bytes + at + least, '\n', size - at - least);
            next = (size_t)(newline + 1 - bytes);
        }
        const scan_end end = slow_lines(s, counts, bytes + at, next - at);
        if (end != SCAN_DONE)
            return end;
        at = next;
        if (at < size && scan_fast_can(s))
            at += scan_fast_lines(s, counts, bytes + at, size - at);
    }
    return SCAN_DONE;
}
