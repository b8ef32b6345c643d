#include "detector/profile/names__.h"

#include <string.h>

#define ADDRESS_DIGITS_LEAST 4
#define MARK 4u                          /* bytes of one */
#define TEXT_ROOM (DET__NAME_ROOM - 16u) /* so that a mark fits behind it */

static int ends_in(const char *name, size_t length, const char *end) {
    const size_t size = strlen(end);
    return length > size && memcmp(name + length - size, end, size) == 0;
}

static int is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* "/0x00007f1a2c0b8000", "+0x…", ".0x…": where a hidden class lies, another place each time. */
static size_t address_at(const char *name, size_t length) {
    if (length < 3 || !strchr("/+.", name[0]) || name[1] != '0' || name[2] != 'x')
        return 0;
    size_t end = 3;
    while (end < length && is_hex(name[end]))
        end++;
    return end - 3 >= ADDRESS_DIGITS_LEAST ? end : 0;
}

/* "$$Lambda$14": counted as they are made, and so by what ran before. */
static size_t lambda_at(const char *name, size_t length) {
    static const char word[] = "$$Lambda$";
    size_t end = sizeof word - 1;
    if (length < end || memcmp(name, word, end) != 0)
        return 0;
    while (end < length && name[end] >= '0' && name[end] <= '9')
        end++;
    return end > sizeof word - 1 ? end : 0;
}

static size_t put(char *to, size_t at, const char *text, size_t length) {
    const size_t room = TEXT_ROOM > at ? TEXT_ROOM - at : 0;
    const size_t count = length < room ? length : room;
    memcpy(to + at, text, count);
    return at + count;
}

static size_t put_stable(char *to, const char *name, size_t length) {
    size_t at = 0;
    for (size_t i = 0; i < length;) {
        const size_t lambda = lambda_at(name + i, length - i);
        const size_t address = address_at(name + i, length - i);
        if (lambda > 0)
            at = put(to, at, "$$Lambda", 8);
        else if (address == 0)
            at = put(to, at, name + i, 1);
        i += lambda > 0 ? lambda : address > 0 ? address : 1;
    }
    return at;
}

/* What a name is too long for goes, not the mark behind it. */
static size_t put_mark(char *to, size_t at, const char *mark) {
    while (*mark != '\0')
        to[at++] = *mark++;
    return at;
}

/* How a method was compiled, or of a class where it was allocated. */
static int has_mark(const char *name, size_t length) {
    static const char *const marks[] = {"_[j]", "_[i]", "_[0]", "_[1]", "_[k]"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (ends_in(name, length, marks[i]))
            return 1;
    return 0;
}

static size_t java(char *to, const char *name, size_t length) {
    if (ends_in(name, length, "_[k]"))
        return put_mark(to, put(to, 0, name, length - MARK), " [kernel]");
    return has_mark(name, length) ? put_stable(to, name, length - MARK)
                                  : put_mark(to, put(to, 0, name, length), " [native]");
}

/* The path in "operation (/path.py)"; NULL: there is none. */
static const char *path_of(const char *name, size_t length) {
    const char *open = NULL;
    for (size_t i = 0; i + 1 < length; i++)
        if (name[i] == ' ' && name[i + 1] == '(')
            open = name + i + 2;
    return open && name[length - 1] == ')' ? open : NULL;
}

static size_t python(char *to, const char *name, size_t length, const det_sampled_wanted *wanted) {
    const char *path = path_of(name, length);
    const size_t left = path ? length - (size_t)(path - name) : 0;
    for (size_t i = 0; path && i < wanted->own_count; i++) {
        const size_t own = strlen(wanted->own[i]);
        if (left > own + 1 && memcmp(path, wanted->own[i], own) == 0 && path[own] == '/') {
            const size_t at = put(to, 0, name, (size_t)(path - name));
            return put(to, at, path + own + 1, left - own - 1);
        }
    }
    return put_mark(to, put(to, 0, name, length), " [python]");
}

size_t det__name_write(char *to, const char *name, size_t length,
                       const det_sampled_wanted *wanted) {
    if (length == 0)
        return 0;
    switch (wanted->names) {
    case DET_SAMPLED_JAVA:
    case DET_SAMPLED_ALLOCATED:
        return java(to, name, length);
    case DET_SAMPLED_JFR:
        return put_stable(to, name, length);
    case DET_SAMPLED_PYTHON:
        return python(to, name, length, wanted);
    case DET_SAMPLED_PLAIN:
        break;
    }
    return put(to, 0, name, length);
}

size_t det__name_class(char *to, const char *name, size_t length) {
    static const char begin[] = "new ";
    const size_t own = has_mark(name, length) ? length - MARK : length;
    memcpy(to, begin, sizeof begin - 1);
    /* the mark's room is larger than that */
    return sizeof begin - 1 + put_stable(to + sizeof begin - 1, name, own);
}
