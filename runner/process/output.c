#include "runner/process/output.h"

#include "runner/protocol.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIMIT_MIN 1024 /* below that neither head nor tail would tell anything */

struct run_output {
    GByteArray *head;
    char *ring; /* the last ring_size bytes after the head */
    size_t head_size, ring_size, ring_next;
    uint64_t after_head, total;
};

run_output *run_output_new(uint64_t limit_bytes) {
    run_output *output = g_new0(run_output, 1);
    size_t limit = (size_t)CLAMP(limit_bytes, LIMIT_MIN, (uint64_t)G_MAXINT);
    output->head_size = limit / 4;
    output->ring_size = limit - output->head_size;
    output->head = g_byte_array_new();
    return output;
}

void run_output_free(run_output *output) {
    if (output) {
        g_byte_array_unref(output->head);
        g_free(output->ring);
        g_free(output);
    }
}

void run_output_add(run_output *output, const void *bytes, size_t length) {
    const char *next = bytes;
    output->total += length;
    size_t to_head = MIN(length, output->head_size - output->head->len);
    g_byte_array_append(output->head, (const guint8 *)next, (guint)to_head);
    next += to_head;
    length -= to_head;
    if (length == 0)
        return;
    if (!output->ring)
        output->ring = g_malloc(output->ring_size);
    output->after_head += length;
    if (length > output->ring_size) {
        next += length - output->ring_size;
        length = output->ring_size;
    }
    size_t first = MIN(length, output->ring_size - output->ring_next);
    memcpy(output->ring + output->ring_next, next, first);
    memcpy(output->ring, next + first, length - first);
    output->ring_next = (output->ring_next + length) % output->ring_size;
}

void run_output_add_file(run_output *output, int fd) {
    struct stat status;
    char buffer[16384];
    if (fstat(fd, &status) != 0 || status.st_size <= 0)
        return;
    off_t offset = 0;
    off_t tail = status.st_size - (off_t)output->ring_size;
    while (offset < status.st_size) {
        if (output->head->len == output->head_size && offset < tail) {
            output->total += (uint64_t)(tail - offset);
            output->after_head += (uint64_t)(tail - offset);
            offset = tail;
        }
        size_t room = output->head_size - output->head->len;
        ssize_t got =
            pread(fd, buffer, room > 0 ? MIN(room, sizeof buffer) : sizeof buffer, offset);
        if (got <= 0)
            return;
        run_output_add(output, buffer, (size_t)got);
        offset += got;
    }
}

uint64_t run_output_bytes(const run_output *output) {
    return output->total;
}

char *run_output_text(const run_output *output) {
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_len(text, (const char *)output->head->data, (gssize)output->head->len);
    if (output->after_head > output->ring_size) {
        g_string_append_printf(text, "\n[… %" PRIu64 " bytes left out …]\n",
                               output->after_head - output->ring_size);
        g_string_append_len(text, output->ring + output->ring_next,
                            (gssize)(output->ring_size - output->ring_next));
        g_string_append_len(text, output->ring, (gssize)output->ring_next);
    } else if (output->after_head > 0) {
        g_string_append_len(text, output->ring, (gssize)output->after_head);
    }
    return g_utf8_make_valid(text->str, (gssize)text->len);
}

/* The last bytes, unchecked: of the ring, and of the head where the ring is not enough. */
static GString *end_of(const run_output *output, size_t limit) {
    GString *text = g_string_new(NULL);
    size_t held = (size_t)MIN(output->after_head, (uint64_t)output->ring_size);
    size_t of_ring = MIN(limit, held);
    if (output->after_head <= output->ring_size) {
        size_t of_head = MIN(limit - of_ring, (size_t)output->head->len);
        g_string_append_len(text, (const char *)output->head->data + output->head->len - of_head,
                            (gssize)of_head);
    }
    if (of_ring > 0) {
        size_t start = (output->ring_next + output->ring_size - of_ring) % output->ring_size;
        size_t first = MIN(of_ring, output->ring_size - start);
        g_string_append_len(text, output->ring + start, (gssize)first);
        g_string_append_len(text, output->ring, (gssize)(of_ring - first));
    }
    return text;
}

/* At most limit bytes of the end, valid UTF-8 without NUL, from the beginning of a line where there
 * is one. Returns a string to g_free. */
static char *output_tail(const run_output *output, size_t limit) {
    g_autoptr(GString) text = end_of(output, limit);
    bool cut = text->len < output->total;
    g_autofree char *valid = g_utf8_make_valid(text->str, (gssize)text->len);
    size_t length = strlen(valid);
    const char *from = valid;
    if (length > limit) { /* what was not text has become longer */
        cut = true;
        from = valid + (length - limit);
        while (((unsigned char)*from & 0xC0) == 0x80)
            from++;
    }
    const char *line = cut ? strchr(from, '\n') : NULL;
    return g_strdup(line && line[1] != '\0' ? line + 1 : from);
}

void run_printed_begin(run_printed *printed, const run_output *output, bool quiet) {
    printed->now = output;
    printed->quiet = quiet;
}

void run_printed_end(run_printed *printed) {
    g_free(printed->last);
    printed->last = output_tail(printed->now, RUN_LOG_TAIL_BYTES);
    printed->now = NULL;
}

void run_printed_clear(run_printed *printed) {
    g_clear_pointer(&printed->last, g_free);
    printed->now = NULL;
}

char *run_printed_tail(const run_printed *printed) {
    if (!printed->now)
        return g_strdup(printed->last);
    return printed->quiet ? NULL : output_tail(printed->now, RUN_LOG_TAIL_BYTES);
}
