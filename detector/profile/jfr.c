#include "detector/profile/sampled.h"

#include <stdlib.h>
#include <string.h>

/* A piece of the text. */
typedef struct {
    const char *at;
    size_t length;
} piece;

typedef struct {
    const char *text;
    size_t size, next; /* where the next line begins */
    char *out;
    size_t used, samples;
} collapsing;

static piece line_of(collapsing *c) {
    const char *begin = c->text + c->next;
    const char *stop = memchr(begin, '\n', c->size - c->next);
    size_t length = stop ? (size_t)(stop - begin) : c->size - c->next;
    c->next += length + 1;
    while (length > 0 && (*begin == ' ' || *begin == '\t')) {
        begin++;
        length--;
    }
    while (length > 0 && (begin[length - 1] == '\r' || begin[length - 1] == ' '))
        length--;
    return (piece){begin, length};
}

static int is(piece line, const char *words) {
    return line.length == strlen(words) && memcmp(line.at, words, line.length) == 0;
}

/* What stands before the arguments: "java.lang.String.valueOf(Object) line: 4"; without: empty. */
static piece method_of(piece line) {
    const char *open = memchr(line.at, '(', line.length);
    return (piece){line.at, open ? (size_t)(open - line.at) : 0};
}

/* The last dot is before the method, the others are the package's. */
static void put_method(collapsing *c, piece method) {
    size_t last = method.length;
    for (size_t i = 0; i < method.length; i++)
        last = method.at[i] == '.' ? i : last;
    for (size_t i = 0; i < method.length; i++) {
        const char letter = method.at[i];
        c->out[c->used++] = (char)(letter == '.' && i != last ? '/' : letter == ';' ? '_' : letter);
    }
    c->out[c->used++] = ';';
}

/* The lines of a stack stand innermost first; begin: of the first one, end: behind the last. */
static void put_stack(collapsing *c, size_t begin, size_t end) {
    const size_t before = c->used;
    while (end > begin) {
        size_t from = end - 1;
        while (from > begin && c->text[from - 1] != '\n')
            from--;
        collapsing one = {.text = c->text, .size = end - 1, .next = from};
        const piece method = method_of(line_of(&one));
        if (method.length > 0)
            put_method(c, method);
        end = from;
    }
    if (c->used == before)
        return;
    memcpy(c->out + c->used - 1, " 1\n", 3); /* in place of the last ';' */
    c->used += 2;
    c->samples++;
}

static void take_stack(collapsing *c) {
    const size_t begin = c->next;
    while (c->next < c->size) {
        const size_t at = c->next;
        if (is(line_of(c), "]")) {
            put_stack(c, begin, at);
            return;
        }
    }
}

char *det_jfr_collapse(const char *text, size_t size, size_t *samples) {
    /* A frame is a line with brackets, and longer than its name and ';'; a sample has "]" more. */
    collapsing c = {.text = text, .size = size, .out = malloc(size + 4)};
    if (!c.out)
        return NULL;
    while (c.next < c.size)
        if (is(line_of(&c), "stackTrace = ["))
            take_stack(&c);
    c.out[c.used] = '\0';
    *samples = c.samples;
    return c.out;
}
