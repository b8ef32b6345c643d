#include "detector/profile/sampled.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS_DIGITS_LEAST 4
#define MARK 4u                               /* bytes of one */
#define TEXT_ROOM (DET_STACKS_NAME_MAX - 16u) /* so that a mark fits behind it */

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

/* What stands in a name before `end`; 0: it is not there. */
static size_t before(const char *name, size_t length, const char *end) {
    const size_t size = strlen(end);
    for (size_t i = 1; i + size <= length; i++)
        if (memcmp(name + i, end, size) == 0)
            return i;
    return 0;
}

/* The bytes of "(0x7F1A2C0B8000)", "(4711)"; 0: it is no number. */
static size_t number_at(const char *text, size_t length) {
    size_t at = 1;
    while (at < length && (is_hex(text[at]) || text[at] == 'x'))
        at++;
    return length > 0 && text[0] == '(' && at > 1 && at < length && text[at] == ')' ? at + 1 : 0;
}

/* "[GC Thread#0 tid=4711]", "thread (0x7F1A2C0B8000): MainThread": "thread GC Thread#", as those of
 * a pool differ by a number; some have no name. 0: it is no thread. */
static size_t thread(char *to, const char *name, size_t length) {
    static const char mark[] = "thread ", between[] = ": ";
    const size_t head = sizeof mark - 1;
    const int marked = length > head && memcmp(name, mark, head) == 0;
    const size_t number = marked ? number_at(name + head, length - head) : 0;
    const size_t tid = name[0] == '[' ? before(name, length, "tid=") : 0;
    const size_t begin = tid > 0 ? 1 : head + number + sizeof between - 1;
    size_t end = tid > 1 ? tid - 1 : tid > 0 ? tid : length;
    if (number == 0 && tid == 0)
        return 0;
    if (end <= begin)
        return put_mark(to, 0, "thread without a name");
    while (end > begin + 1 && name[end - 1] >= '0' && name[end - 1] <= '9')
        end--;
    return put(to, put_mark(to, 0, mark), name + begin, end - begin);
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

/* a frame's name [length] as it is known here, without a zero.
 * to  [DET_STACKS_NAME_MAX]; returns how many bytes were written, 0: nothing is left of it */
static size_t det__name_write(char *to, const char *name, size_t length,
                              const det_sampled_wanted *wanted) {
    const size_t of_thread = length > 0 && !wanted->root && wanted->names != DET_SAMPLED_PLAIN
                                 ? thread(to, name, length)
                                 : 0;
    if (length == 0 || of_thread > 0)
        return of_thread;
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

/* likewise of a class that is allocated. */
static size_t name_class(char *to, const char *name, size_t length) {
    static const char begin[] = "new ";
    const size_t own = has_mark(name, length) ? length - MARK : length;
    memcpy(to, begin, sizeof begin - 1);
    /* the mark's room is larger than that */
    return sizeof begin - 1 + put_stable(to + sizeof begin - 1, name, own);
}

#define LINE_FRAMES_MAX 8192u /* of one stack that are looked at */
#define SLOTS 16384u          /* more than those, and a power of two */

/* Where a name was seen in the present stack. */
typedef struct {
    uint32_t line; /* of the text; another one: nothing is here */
    uint32_t frame, place;
} slot;

typedef struct {
    det_stacks *stacks;
    size_t column;
    const det_sampled_wanted *wanted;
    uint32_t line, depth;
    int inside; /* the root was there */
    uint32_t path[DET_STACKS_DEPTH_MAX];
    uint64_t seed;
    slot slots[SLOTS];
    char name[DET_STACKS_NAME_MAX];
} reading;

static uint32_t hash(const reading *r, const char *name, size_t length) {
    uint64_t value = UINT64_C(1469598103934665603) ^ r->seed;
    for (size_t i = 0; i < length; i++)
        value = (value ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
    return (uint32_t)(value ^ (value >> 32));
}

/* Still on the path, or left out by a fold? */
static int is_live(const reading *r, const slot *s) {
    return s->place < r->depth && r->path[s->place] == s->frame;
}

static int is_called(const reading *r, const slot *s, size_t length) {
    const det_frame frame = det_stacks_frame(r->stacks, s->frame);
    return frame.length == length && memcmp(frame.name, r->name, length) == 0;
}

/* The slot of r->name: where it is on the path, or one that is free for it. */
static slot *slot_of(reading *r, size_t length) {
    slot *unused = NULL;
    for (uint32_t at = hash(r, r->name, length);; at++) {
        slot *s = &r->slots[at & (SLOTS - 1)];
        if (s->line != r->line)
            return unused ? unused : s;
        if (!is_live(r, s))
            unused = unused ? unused : s;
        else if (is_called(r, s, length))
            return s;
    }
}

static det_status push(reading *r, size_t length) {
    slot *s = slot_of(r, length);
    if (s->line == r->line && is_live(r, s) && is_called(r, s, length)) {
        r->depth = s->place + 1;
        return DET_OK;
    }
    if (r->depth == DET_STACKS_DEPTH_MAX)
        return DET_OK;
    const uint32_t parent = r->depth > 0 ? r->path[r->depth - 1] : DET_STACKS_ROOT;
    uint32_t frame;
    const det_status status = det_stacks_child(r->stacks, parent, r->name, length, &frame);
    if (status != DET_OK)
        return status;
    *s = (slot){r->line, frame, r->depth};
    r->path[r->depth++] = frame;
    return DET_OK;
}

static int is_root(const reading *r, size_t length) {
    const char *root = r->wanted->root;
    return !root || (strlen(root) == length && memcmp(root, r->name, length) == 0);
}

/* The last frame of an allocation is its class. */
static size_t name_write(reading *r, const char *frame, size_t length, int is_last) {
    return is_last && r->wanted->names == DET_SAMPLED_ALLOCATED
               ? name_class(r->name, frame, length)
               : det__name_write(r->name, frame, length, r->wanted);
}

static det_status take_frames(reading *r, const char *text, size_t size) {
    r->depth = 0;
    r->inside = 0;
    uint32_t frames = 0;
    for (size_t at = 0; at < size && frames < LINE_FRAMES_MAX;) {
        const char *stop = memchr(text + at, ';', size - at);
        const size_t length = stop ? (size_t)(stop - text) - at : size - at;
        const size_t written = name_write(r, text + at, length, !stop);
        at += length + 1;
        if (written == 0)
            continue;
        r->inside = r->inside || is_root(r, written);
        frames += r->inside ? 1 : 0;
        const det_status status = r->inside ? push(r, written) : DET_OK;
        if (status != DET_OK)
            return status;
    }
    return DET_OK;
}

/* The number at the end of a line [size]; NaN: it has none. frames: bytes before it. */
static double number_of(const char *line, size_t size, size_t *frames) {
    double value = 0;
    size_t at = size;
    while (at > 0 && line[at - 1] != ' ')
        at--;
    *frames = at > 0 ? at - 1 : 0;
    if (at == 0 || at == size || size - at > 18)
        return (double)NAN;
    for (; at < size; at++) {
        if (line[at] < '0' || line[at] > '9')
            return (double)NAN;
        value = value * 10 + (line[at] - '0');
    }
    return value;
}

/* The line at `at`, without its end; next: where the one behind it begins. */
static size_t line_at(const char *text, size_t size, size_t at, size_t *next) {
    const char *stop = memchr(text + at, '\n', size - at);
    const size_t length = stop ? (size_t)(stop - text) - at : size - at;
    *next = at + length + 1;
    return length > 0 && text[at + length - 1] == '\r' ? length - 1 : length;
}

double det_sampled_sum(const char *text, size_t size) {
    double sum = 0;
    for (size_t at = 0, next, frames; at < size; at = next) {
        const size_t length = line_at(text, size, at, &next);
        const double value = number_of(text + at, length, &frames);
        sum += isnan(value) ? 0 : value;
    }
    return sum;
}

static det_status wrong(const reading *r, det_status status, det_stacks_error *error) {
    error->line = r->line;
    (void)snprintf(error->text, sizeof error->text, "%s",
                   status == DET_ESYNTAX
                       ? "it must be frames, a space and a whole number"
                       : "there are more than 200,000 different frames, or no memory");
    return status;
}

static det_status read_lines(reading *r, const char *text, size_t size, det_stacks_error *error) {
    int found = 0;
    for (size_t at = 0, next, frames; at < size; at = next) {
        const size_t length = line_at(text, size, at, &next);
        r->line++;
        if (length == 0)
            continue;
        const double value = number_of(text + at, length, &frames);
        if (isnan(value))
            return wrong(r, DET_ESYNTAX, error);
        const det_status status = take_frames(r, text + at, frames);
        if (status != DET_OK)
            return wrong(r, status, error);
        if (r->depth > 0)
            det_stacks_add(r->stacks, r->path[r->depth - 1], r->column, value * r->wanted->scale);
        found = found || (r->depth > 0 && value > 0);
    }
    return found ? DET_OK : DET_ESHORT;
}

det_status det_sampled_read(det_stacks *stacks, size_t column, const char *text, size_t size,
                            const det_sampled_wanted *wanted, det_stacks_error *error) {
    *error = (det_stacks_error){0};
    if (column >= det_stacks_columns(stacks) || !(wanted->scale > 0))
        return DET_EINVAL;
    reading *r = calloc(1, sizeof *r);
    if (!r)
        return DET_ENOMEM;
    r->seed = (uint64_t)(uintptr_t)r * UINT64_C(0x9e3779b97f4a7c15); /* as stacks.c has it */
    r->stacks = stacks;
    r->column = column;
    r->wanted = wanted;
    const det_status status = read_lines(r, text, size, error);
    free(r);
    return status;
}
