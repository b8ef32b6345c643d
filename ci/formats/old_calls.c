/*
 * A file: magic, version; blocks, each its size in 4 bytes and one zstd frame; 0; lines and bytes
 * of all, 8 bytes each. Numbers are little-endian.
 *
 * A block: 0 and text; or 1, columns (2 or 4), calls in 2 bytes, and the columns. A column: 0 and
 * runs, each how many and the step from the run before, as varints; or 1 (2: steps), shift, base in
 * 8 bytes, bytes of bits in 4, a symbol a call, bits. Steps are zigzag: 0, -1, 1, -2 …
 */
#include "ci/formats/old_calls.h"

#include "config/packed.h"

#include <errno.h>

#define COLUMNS 4u
#define CALLS_MAX 8192u
#define BLOCK_MAX (4 + COLUMNS * (32 + CALLS_MAX * 11))
#define SLACK 16 /* bytes behind a block that bits may be read from */
#define MAGIC_BYTES 8
#define END_BYTES 20
#define DAMAGED "a block of it is damaged"

enum { RUNS, VALUES, STEPS };                             /* of a column */
enum { LINEAR = 192, BELOW = 255, HEAD = 14, BITS = 61 }; /* of symbols */

typedef struct {
    const guint8 *at, *end;
} bytes;

typedef struct {
    guint calls, columns;
    guint64 number[COLUMNS][CALLS_MAX];
    guint8 block[BLOCK_MAX + SLACK];
} state;

static guint64 number_of(const guint8 *from, unsigned size) {
    guint64 value = 0;
    for (unsigned i = 0; i < size; i++)
        value |= (guint64)from[i] << 8 * i;
    return value;
}

static guint64 step_from(guint64 before, guint64 step) {
    return before + (step >> 1 ^ (step & 1 ? G_MAXUINT64 : 0));
}

static bool varint(bytes *in, guint64 *value) {
    *value = 0;
    for (unsigned shift = 0; in->at < in->end && shift < 70; shift += 7) {
        const guint8 byte = *in->at++;
        *value |= (guint64)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static bool runs_read(bytes *in, guint64 *x, guint n) {
    guint64 count, step, value = 0;
    for (guint i = 0; i < n; i += (guint)count) {
        if (!varint(in, &count) || !varint(in, &step) || count == 0 || count > n - i)
            return false;
        value = step_from(value, step);
        for (guint k = 0; k < count; k++)
            x[i + k] = value;
    }
    return true;
}

/* The bits that follow the symbols, the lowest first; SLACK may be read behind them. */
static guint64 bits_get(const guint8 *from, gsize at, unsigned count) {
    const unsigned skip = at & 7;
    guint64 word = number_of(from + (at >> 3), 8) >> skip;
    if (count + skip > 64)
        word |= (guint64)from[(at >> 3) + 8] << (64 - skip);
    return word & (((guint64)1 << count) - 1);
}

/* One number: its symbol says how many bits there are. Returns the bit behind, 0: damaged. */
static gsize value_read(guint64 *x, unsigned symbol, const guint8 *bits, gsize at, guint64 base,
                        unsigned shift) {
    const unsigned base_bits = base ? 64 - (unsigned)__builtin_clzll(base) : 0;
    unsigned width = symbol < LINEAR ? shift : symbol - LINEAR + shift;
    if (symbol == BELOW)
        width = base_bits;
    else if (width > BITS)
        return 0;
    const guint64 rest = bits_get(bits, at, width);
    if (symbol == BELOW)
        *x = rest;
    else if (symbol < LINEAR)
        *x = base + ((guint64)symbol << shift) + rest;
    else
        *x = base + (((guint64)1 << width) | rest) + ((guint64)(LINEAR - 1) << shift);
    return at + width + 1; /* so that 0 is not a place */
}

static bool values_read(bytes *in, guint64 *x, guint n) {
    if ((gsize)(in->end - in->at) < HEAD - 1 + (gsize)n)
        return false;
    const unsigned shift = in->at[0];
    const guint64 base = number_of(in->at + 1, 8);
    const gsize size = (gsize)number_of(in->at + 9, 4);
    const guint8 *symbols = in->at + HEAD - 1, *bits = symbols + n;
    gsize at = 0;
    if (size > (gsize)(in->end - bits) || shift > BITS || base >> 63)
        return false;
    for (guint i = 0; i < n; i++) {
        const gsize next = value_read(&x[i], symbols[i], bits, at, base, shift);
        if (next == 0 || next - 1 > size * 8)
            return false;
        at = next - 1;
    }
    in->at = bits + size;
    return (at + 7) / 8 == size;
}

static bool column_read(bytes *in, guint64 *x, guint n) {
    if (in->at == in->end || *in->at > STEPS)
        return false;
    const guint8 how = *in->at++;
    if (how == RUNS)
        return runs_read(in, x, n);
    if (!values_read(in, x, n))
        return false;
    for (guint i = 0; how == STEPS && i < n; i++)
        x[i] = step_from(i ? x[i - 1] : 0, x[i]);
    return true;
}

static bool calls_read(state *s, bytes in) {
    if (in.end - in.at < 3)
        return false;
    s->columns = in.at[0];
    s->calls = (guint)number_of(in.at + 1, 2);
    in.at += 3;
    if ((s->columns != 2 && s->columns != COLUMNS) || s->calls == 0 || s->calls > CALLS_MAX)
        return false;
    for (guint c = 0; c < s->columns; c++)
        if (!column_read(&in, s->number[c], s->calls))
            return false;
    return in.at == in.end;
}

/* The block's text, to g_string_free; NULL: damaged. lines: what it adds to the file's. */
static GString *block_text(state *s, bytes in, guint64 *lines) {
    GString *text = g_string_new(NULL);
    if (in.end - in.at > 1 && *in.at == 0) {
        g_string_append_len(text, (const char *)in.at + 1, in.end - in.at - 1);
        for (gsize i = 0; i < text->len; i++)
            *lines += text->str[i] == '\n';
        return text;
    }
    if (in.end - in.at < 2 || *in.at++ != 1 || !calls_read(s, in)) {
        g_string_free(text, TRUE);
        return NULL;
    }
    for (guint i = 0; i < s->calls; i++)
        for (guint c = 0; c < s->columns; c++)
            g_string_append_printf(text, "%" G_GUINT64_FORMAT "%c", s->number[c][i],
                                   c + 1 < s->columns ? ';' : '\n');
    *lines += s->calls;
    return text;
}

/* Of the frame at `in`. */
static GString *frame_text(state *s, bytes in, guint64 *lines) {
    const gsize packed = (gsize)(in.end - in.at);
    guint64 size;
    if (!cfg_packed_length(in.at, packed, &size) || size > BLOCK_MAX ||
        !cfg_packed_unblock(s->block, (gsize)size, in.at, packed))
        return NULL;
    return block_text(s, (bytes){s->block, s->block + size}, lines);
}

static const char *write_all(state *s, bytes in, FILE *to) {
    guint64 lines = 0, length = 0, size;
    bool in_line = false;
    for (; in.end - in.at >= 4 && (size = number_of(in.at, 4)) > 0; in.at += 4 + size) {
        if (size > (guint64)(in.end - in.at) - 4)
            return "it is cut off";
        g_autoptr(GString) text = frame_text(s, (bytes){in.at + 4, in.at + 4 + size}, &lines);
        if (!text)
            return DAMAGED;
        if (fwrite(text->str, 1, text->len, to) != text->len)
            return g_strerror(errno);
        length += text->len;
        in_line = text->str[text->len - 1] != '\n';
    }
    if (in.end - in.at < END_BYTES)
        return "it is cut off";
    if (number_of(in.at + 4, 8) != lines + in_line || number_of(in.at + 12, 8) != length)
        return "blocks of it are missing";
    return in.end - in.at > END_BYTES ? "there are bytes after its end" : NULL;
}

const char *ci_old_calls_write(const guint8 *from, gsize size, FILE *to) {
    if (size < MAGIC_BYTES)
        return "it is cut off";
    if (from[MAGIC_BYTES - 1] != 1)
        return "a newer version of moowatch wrote it";
    g_autofree state *s = g_new0(state, 1);
    return write_all(s, (bytes){from + MAGIC_BYTES, from + size}, to);
}
