#include "detector/packed/calls.h"

#include <string.h>

/* A number up to its separator; NULL: not as calls.h says, or cut off. */
static const char *number_read(const char *at, const char *end, uint64_t *out) {
    const char *begin = at;
    uint64_t number = 0;
    while (at < end && *at >= '0' && *at <= '9' && at - begin <= DET_CALLS_DIGITS)
        number = number * 10 + (uint64_t)(*at++ - '0');
    const ptrdiff_t digits = at - begin;
    *out = number;
    if (at == end || digits == 0 || digits > DET_CALLS_DIGITS || (*begin == '0' && digits > 1))
        return NULL;
    return at;
}

/* One line's numbers to row `count`; NULL: it is of another kind. columns: its columns, out. */
static const char *line_read(const char *at, const char *end, det_calls *out, unsigned *columns) {
    for (unsigned c = 0; c < DET_CALLS_COLUMNS; c++) {
        at = number_read(at, end, &out->number[c][out->count]);
        if (!at || (*at != ';' && *at != '\n'))
            return NULL;
        if (*at++ == '\n') {
            *columns = c + 1;
            return c == 1 || c == 3 ? at : NULL;
        }
    }
    return NULL;
}

size_t det_calls_read(const char *text, size_t size, det_calls *out) {
    const char *at = text, *end = text + size;
    out->count = 0;
    out->columns = 0;
    while (out->count < DET_CALLS_MAX) {
        unsigned columns = 0;
        const char *next = line_read(at, end, out, &columns);
        if (!next || (out->columns && columns != out->columns))
            break;
        out->columns = columns;
        out->count++;
        at = next;
    }
    return (size_t)(at - text);
}

static unsigned digits_of(uint64_t number) {
    unsigned digits = 1;
    for (; number >= 10000; number /= 10000)
        digits += 4;
    return digits + (number >= 10) + (number >= 100) + (number >= 1000);
}

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

/* Two digits at a time, from the last one on. */
static char *number_write(char *out, uint64_t number) {
    const unsigned digits = digits_of(number);
    char *at = out + digits;
    for (; number > UINT32_MAX; number /= 100)
        memcpy(at -= 2, pairs + number % 100 * 2, 2);
    uint32_t rest = (uint32_t)number; /* quicker to divide */
    for (; rest >= 100; rest /= 100)
        memcpy(at -= 2, pairs + rest % 100 * 2, 2);
    if (rest >= 10)
        memcpy(at - 2, pairs + rest * 2, 2);
    else
        at[-1] = (char)('0' + rest);
    return out + digits;
}

/* What stands before and after the time, which few lines change. */
typedef struct {
    char text[64];
    size_t size;
    uint64_t first, second;
} part;

static void before_make(part *before, uint64_t thread) {
    char *at = number_write(before->text, thread);
    *at++ = ';';
    before->size = (size_t)(at - before->text);
    before->first = thread;
}

static void after_make(part *after, uint64_t heap, uint64_t collections) {
    char *at = after->text;
    *at++ = ';';
    at = number_write(at, heap);
    *at++ = ';';
    at = number_write(at, collections);
    *at++ = '\n';
    after->size = (size_t)(at - after->text);
    after->first = heap;
    after->second = collections;
}

/* 16 bytes at once, and the rest where there is more: the room behind is for that. */
static char *part_copy(char *out, const part *from) {
    memcpy(out, from->text, 16);
    if (from->size > 16)
        memcpy(out + 16, from->text + 16, sizeof from->text - 16);
    return out + from->size;
}

size_t det_calls_text(const det_calls *calls, char *out) {
    part before = {.size = 0}, after = {.text = "\n", .size = 1};
    const int all = calls->columns == DET_CALLS_COLUMNS;
    char *at = out;
    for (size_t i = 0; i < calls->count; i++) {
        const uint64_t thread = calls->number[0][i];
        if (i == 0 || thread != before.first)
            before_make(&before, thread);
        if (all &&
            (i == 0 || calls->number[2][i] != after.first || calls->number[3][i] != after.second))
            after_make(&after, calls->number[2][i], calls->number[3][i]);
        at = part_copy(at, &before);
        at = number_write(at, calls->number[1][i]);
        at = part_copy(at, &after);
    }
    return (size_t)(at - out);
}

size_t det_calls_size(const det_calls *calls) {
    size_t size = calls->count * calls->columns; /* separators */
    for (unsigned c = 0; c < calls->columns; c++) {
        const uint64_t *number = calls->number[c];
        unsigned digits = 0;
        for (size_t i = 0; i < calls->count; i++) {
            if (i == 0 || number[i] != number[i - 1])
                digits = digits_of(number[i]);
            size += digits;
        }
    }
    return size;
}
