#include "detector/packed/block.h"

#include <string.h>

enum { TEXT, CALLS }; /* the first byte */
enum { CALLS_HEAD = 4 };

#define CALLS_FEW 1024u /* not worth a block while there is text that is not calls behind them */

static size_t calls_write(const det_calls *calls, unsigned char *out, det_block_cuts *cuts) {
    size_t size = CALLS_HEAD;
    out[0] = CALLS;
    out[1] = (unsigned char)calls->columns;
    out[2] = (unsigned char)(calls->count & 255);
    out[3] = (unsigned char)(calls->count >> 8);
    for (unsigned c = 0; c < calls->columns; c++) {
        det_numbers_symbols symbols;
        const size_t bytes =
            det_numbers_write(calls->number[c], calls->count, out + size, &symbols);
        if (symbols.size) {
            cuts->at[cuts->count++] = size + symbols.begin;
            cuts->at[cuts->count++] = size + symbols.begin + symbols.size;
        }
        size += bytes;
    }
    return size;
}

size_t det_block_write(const char *text, size_t size, det_calls *calls, unsigned char *out,
                       size_t *taken, det_block_cuts *cuts) {
    cuts->count = 0;
    *taken = det_calls_read(text, size, calls);
    /* What is left may be the beginning of one more such line. */
    const int all = size - *taken < DET_CALLS_COLUMNS * (DET_CALLS_DIGITS + 1);
    if (calls->count >= CALLS_FEW || (calls->count && all))
        return calls_write(calls, out, cuts);
    calls->count = 0;
    *taken = size < DET_BLOCK_TEXT_MAX ? size : DET_BLOCK_TEXT_MAX;
    out[0] = TEXT;
    memcpy(out + 1, text, *taken);
    return 1 + *taken;
}

static det_status calls_read(const unsigned char *bytes, size_t size, det_calls *calls) {
    if (size < CALLS_HEAD)
        return DET_ESYNTAX;
    const unsigned columns = bytes[1];
    const size_t count = bytes[2] | (size_t)bytes[3] << 8;
    if ((columns != 2 && columns != 4) || count == 0 || count > DET_CALLS_MAX)
        return DET_ESYNTAX;
    size_t at = CALLS_HEAD, used = 0;
    for (unsigned c = 0; c < columns; c++, at += used)
        if (det_numbers_read(bytes + at, size - at, calls->number[c], count, &used) != DET_OK)
            return DET_ESYNTAX;
    calls->columns = columns;
    calls->count = count;
    return at == size ? DET_OK : DET_ESYNTAX;
}

det_status det_block_read(const unsigned char *bytes, size_t size, det_calls *calls,
                          const char **text, size_t *text_size) {
    calls->count = 0;
    *text = NULL;
    *text_size = 0;
    if (size < 2 || bytes[0] > CALLS)
        return DET_ESYNTAX;
    if (bytes[0] == CALLS)
        return calls_read(bytes, size, calls);
    *text = (const char *)bytes + 1;
    *text_size = size - 1;
    return DET_OK;
}
