#include "detector/packed/numbers.h"

#include "detector/packed/bits__.h"
#include "detector/packed/calls.h"

#include <math.h>

enum { RUNS, VALUES, DELTAS };

enum {
    LINEAR = 192,    /* symbols that stand for the step of this number above the base */
    BELOW = 255,     /* below the base: its bits follow */
    VALUES_HEAD = 14 /* encoding, shift, base, bytes of bits */
};

typedef struct {
    int encoding;
    unsigned shift; /* bits of a number that are not looked at */
    uint64_t base;
    double cost; /* bits of all, as entropy has it */
} plan;

/* One number: the symbol, and the bits behind it. */
typedef struct {
    unsigned symbol, width;
    uint64_t bits;
} token;

static token token_of(uint64_t value, uint64_t base, unsigned shift) {
    if (value < base)
        return (token){BELOW, bits_width(base), value};
    const uint64_t above = value - base, step = above >> shift;
    const uint64_t low = above & ((UINT64_C(1) << shift) - 1);
    if (step < LINEAR)
        return (token){(unsigned)step, shift, low};
    const uint64_t rest = step - (LINEAR - 1);
    const unsigned power = bits_width(rest) - 1;
    return (token){LINEAR + power, power + shift, (rest - (UINT64_C(1) << power)) << shift | low};
}

static uint64_t delta_of(uint64_t now, uint64_t before) {
    const uint64_t delta = now - before;
    return delta << 1 ^ (delta >> 63 ? UINT64_MAX : 0); /* 0, -1, 1, -2, 2 … */
}

static uint64_t delta_undo(uint64_t coded, uint64_t before) {
    return before + (coded >> 1 ^ (coded & 1 ? UINT64_MAX : 0));
}

static uint64_t coded(const uint64_t *x, size_t i, int encoding) {
    return encoding == DELTAS ? delta_of(x[i], i ? x[i - 1] : 0) : x[i];
}

static double cost_of(const uint64_t *x, size_t n, const plan *p) {
    unsigned counts[256] = {0};
    double bits = 0;
    for (size_t i = 0; i < n; i++) {
        const token t = token_of(coded(x, i, p->encoding), p->base, p->shift);
        counts[t.symbol]++;
        bits += t.width;
    }
    for (unsigned s = 0; s < 256; s++)
        if (counts[s])
            bits -= counts[s] * log2((double)counts[s] / (double)n) - 4; /* a table's entry */
    return bits;
}

#define SAMPLE 256

/* The least of a sample, and what nine in ten of it are below. */
static void sample_range(const uint64_t *x, size_t n, int encoding, uint64_t *least,
                         uint64_t *most) {
    uint64_t sorted[SAMPLE] = {0};
    const size_t step = n / SAMPLE + 1;
    size_t count = 0;
    for (size_t i = n > 1; i < n; i += step) { /* not the first delta, which is from 0 */
        const uint64_t value = coded(x, i, encoding);
        size_t at = count++;
        for (; at > 0 && sorted[at - 1] > value; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = value;
    }
    *least = sorted[0];
    *most = sorted[count * 9 / 10];
}

/* Sets base and shift: of the shifts that leave 8 to 256 steps for most numbers the cheapest. */
static void plan_make(const uint64_t *x, size_t n, int encoding, plan *best) {
    uint64_t least, most;
    sample_range(x, n, encoding, &least, &most);
    const unsigned width = bits_width(most - least);
    plan one = {.encoding = encoding, .base = least};
    *best = one;
    best->cost = INFINITY;
    for (one.shift = width > 8 ? width - 8 : 0; one.shift + 3 <= width || one.shift == 0;
         one.shift++) {
        one.cost = cost_of(x, n, &one);
        if (one.cost < best->cost)
            *best = one;
    }
}

static void put_u32(unsigned char *out, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        out[i] = (unsigned char)(value >> 8 * i);
}

static void put_u64(unsigned char *out, uint64_t value) {
    put_u32(out, (uint32_t)value);
    put_u32(out + 4, (uint32_t)(value >> 32));
}

static uint32_t get_u32(const unsigned char *in) {
    return in[0] | (uint32_t)in[1] << 8 | (uint32_t)in[2] << 16 | (uint32_t)in[3] << 24;
}

static uint64_t get_u64(const unsigned char *in) {
    return get_u32(in) | (uint64_t)get_u32(in + 4) << 32;
}

/* encoding, shift, base, bytes of bits | a symbol each | bits */
static size_t values_write(const uint64_t *x, size_t n, const plan *p, unsigned char *out) {
    unsigned char *symbols = out + VALUES_HEAD, *bits = symbols + n;
    size_t at = 0;
    memset(bits, 0, n * 8);
    for (size_t i = 0; i < n; i++) {
        const token t = token_of(coded(x, i, p->encoding), p->base, p->shift);
        symbols[i] = (unsigned char)t.symbol;
        at = bits_put(bits, at, t.bits, t.width);
    }
    const size_t bytes = (at + 7) / 8;
    out[0] = (unsigned char)p->encoding;
    out[1] = (unsigned char)p->shift;
    put_u64(out + 2, p->base);
    put_u32(out + 10, (uint32_t)bytes);
    return VALUES_HEAD + n + bytes;
}

static det_status values_read(const unsigned char *in, size_t size, uint64_t *x, size_t n,
                              size_t *used) {
    if (size < VALUES_HEAD + n)
        return DET_ESYNTAX;
    const unsigned shift = in[1];
    const uint64_t base = get_u64(in + 2);
    const size_t bytes = get_u32(in + 10), end = bytes * 8;
    const unsigned below = bits_width(base);
    const unsigned char *symbols = in + VALUES_HEAD, *bits = symbols + n;
    if (bytes > size - VALUES_HEAD - n || shift > DET_NUMBERS_BIT_MAX || below > 63)
        return DET_ESYNTAX;
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        const unsigned symbol = symbols[i];
        if (symbol < LINEAR) {
            x[i] = base + ((uint64_t)symbol << shift) + bits_get(bits, at, shift);
            at += shift;
        } else if (symbol == BELOW) {
            x[i] = bits_get(bits, at, below);
            at += below;
        } else {
            const unsigned width = symbol - LINEAR + shift;
            if (width > DET_NUMBERS_BIT_MAX)
                return DET_ESYNTAX;
            const uint64_t rest = UINT64_C(1) << width | bits_get(bits, at, width);
            x[i] = base + rest + ((uint64_t)(LINEAR - 1) << shift);
            at += width;
        }
        if (at > end)
            return DET_ESYNTAX;
    }
    *used = VALUES_HEAD + n + bytes;
    return (at + 7) / 8 == bytes ? DET_OK : DET_ESYNTAX;
}

static size_t varint_write(unsigned char *out, uint64_t value) {
    size_t size = 0;
    for (; value >= 128; value >>= 7)
        out[size++] = (unsigned char)(value | 128);
    out[size++] = (unsigned char)value;
    return size;
}

/* Bytes taken; 0: cut off, or more than 64 bits. */
static size_t varint_read(const unsigned char *in, size_t size, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < size && i < 10; i++) {
        *value |= (uint64_t)(in[i] & 127) << 7 * i;
        if (in[i] < 128)
            return i + 1;
    }
    return 0;
}

/* encoding | calls, step from the run before | … */
static size_t runs_write(const uint64_t *x, size_t n, unsigned char *out) {
    size_t size = 1;
    uint64_t before = 0;
    out[0] = RUNS;
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && x[next] == x[i]; next++)
            continue;
        size += varint_write(out + size, next - i);
        size += varint_write(out + size, delta_of(x[i], before));
        before = x[i];
    }
    return size;
}

static det_status runs_read(const unsigned char *in, size_t size, uint64_t *x, size_t n,
                            size_t *used) {
    uint64_t value = 0, count, step;
    size_t at = 1;
    for (size_t i = 0; i < n;) {
        const size_t first = varint_read(in + at, size - at, &count);
        const size_t second = first ? varint_read(in + at + first, size - at - first, &step) : 0;
        if (!second || count == 0 || count > n - i)
            return DET_ESYNTAX;
        at += first + second;
        value = delta_undo(step, value);
        for (const size_t end = i + (size_t)count; i < end; i++)
            x[i] = value;
    }
    *used = at;
    return DET_OK;
}

static size_t runs_count(const uint64_t *x, size_t n) {
    size_t runs = 1;
    for (size_t i = 1; i < n; i++)
        runs += x[i] != x[i - 1];
    return runs;
}

size_t det_numbers_write(const uint64_t *x, size_t n, unsigned char *out,
                         det_numbers_symbols *symbols) {
    *symbols = (det_numbers_symbols){0};
    if (runs_count(x, n) * 16 <= n + 15)
        return runs_write(x, n, out);
    plan values, deltas;
    plan_make(x, n, VALUES, &values);
    plan_make(x, n, DELTAS, &deltas);
    *symbols = (det_numbers_symbols){VALUES_HEAD, n};
    return values_write(x, n, deltas.cost < values.cost ? &deltas : &values, out);
}

static void deltas_undo(uint64_t *x, size_t n) {
    uint64_t before = 0;
    for (size_t i = 0; i < n; i++)
        before = x[i] = delta_undo(x[i], before);
}

det_status det_numbers_read(const unsigned char *bytes, size_t size, uint64_t *x, size_t n,
                            size_t *used) {
    if (size == 0 || bytes[0] > DELTAS)
        return DET_ESYNTAX;
    if (bytes[0] == RUNS)
        return runs_read(bytes, size, x, n, used);
    const det_status status = values_read(bytes, size, x, n, used);
    if (status == DET_OK && bytes[0] == DELTAS)
        deltas_undo(x, n);
    return status;
}
