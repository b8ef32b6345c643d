#include "detector/profile/stacks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX
#define NUMBER_MAX 32 /* bytes of a cost as text */

typedef struct {
    uint32_t parent, depth, label;
    uint32_t next; /* of the same hash; NONE: the last */
} node;

typedef struct {
    char *text;
    size_t length;
    uint32_t next;
} label;

struct det_stacks {
    size_t columns;
    node *nodes;
    double *values; /* [node * columns + column] */
    uint32_t count, room;
    label *labels;
    uint32_t label_count, label_room;
    uint32_t *node_table, *label_table; /* first of a hash */
    uint32_t table_size;                /* of both; a power of two */
    uint64_t seed; /* where the tree lies: nobody can choose names that all have the same hash */
};

#define TABLE_FIRST 1024u

static uint32_t mix(uint64_t value) {
    value ^= value >> 33;
    value *= UINT64_C(0xff51afd7ed558ccd);
    value ^= value >> 33;
    return (uint32_t)value;
}

static uint32_t hash_name(const det_stacks *s, const char *name, size_t length) {
    uint64_t hash = UINT64_C(1469598103934665603) ^ s->seed;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
    return mix(hash);
}

static uint32_t hash_node(const det_stacks *s, uint32_t parent, uint32_t name) {
    return mix((((uint64_t)parent << 32) | name) ^ s->seed);
}

static int grow_nodes(det_stacks *s) {
    if (s->count < s->room)
        return 1;
    const uint32_t room = s->room ? s->room * 2 : 64;
    node *nodes = realloc(s->nodes, room * sizeof *nodes);
    if (!nodes)
        return 0;
    s->nodes = nodes;
    double *values = realloc(s->values, room * s->columns * sizeof *values);
    if (!values)
        return 0;
    s->values = values;
    s->room = room;
    return 1;
}

static int grow_labels(det_stacks *s) {
    if (s->label_count < s->label_room)
        return 1;
    const uint32_t room = s->label_room ? s->label_room * 2 : 64;
    label *labels = realloc(s->labels, room * sizeof *labels);
    if (!labels)
        return 0;
    s->labels = labels;
    s->label_room = room;
    return 1;
}

/* Both chains anew, for twice as many. */
static int grow_tables(det_stacks *s) {
    if (s->count < s->table_size)
        return 1;
    const uint32_t size = s->table_size ? s->table_size * 2 : TABLE_FIRST;
    uint32_t *nodes = malloc(size * sizeof *nodes), *labels = malloc(size * sizeof *labels);
    if (!nodes || !labels) {
        free(nodes);
        free(labels);
        return 0;
    }
    memset(nodes, 0xff, size * sizeof *nodes);
    memset(labels, 0xff, size * sizeof *labels);
    for (uint32_t i = 0; i < s->count; i++) {
        uint32_t *first = &nodes[hash_node(s, s->nodes[i].parent, s->nodes[i].label) & (size - 1)];
        s->nodes[i].next = *first;
        *first = i;
    }
    for (uint32_t i = 0; i < s->label_count; i++) {
        uint32_t *first =
            &labels[hash_name(s, s->labels[i].text, s->labels[i].length) & (size - 1)];
        s->labels[i].next = *first;
        *first = i;
    }
    free(s->node_table);
    free(s->label_table);
    s->node_table = nodes;
    s->label_table = labels;
    s->table_size = size;
    return 1;
}

static uint32_t label_of(det_stacks *s, const char *name, size_t length) {
    uint32_t *first = &s->label_table[hash_name(s, name, length) & (s->table_size - 1)];
    for (uint32_t i = *first; i != NONE; i = s->labels[i].next)
        if (s->labels[i].length == length && memcmp(s->labels[i].text, name, length) == 0)
            return i;
    char *text = grow_labels(s) ? malloc(length + 1) : NULL;
    if (!text)
        return NONE;
    memcpy(text, name, length);
    text[length] = '\0';
    s->labels[s->label_count] = (label){text, length, *first};
    return *first = s->label_count++;
}

static uint32_t node_of(det_stacks *s, uint32_t parent, uint32_t name) {
    uint32_t *first = &s->node_table[hash_node(s, parent, name) & (s->table_size - 1)];
    for (uint32_t i = *first; i != NONE; i = s->nodes[i].next)
        if (i != DET_STACKS_ROOT && s->nodes[i].parent == parent && s->nodes[i].label == name)
            return i;
    if (s->count >= DET_STACKS_FRAMES_MAX || !grow_nodes(s))
        return NONE;
    const uint32_t depth = s->count == 0 ? 0 : s->nodes[parent].depth + 1;
    s->nodes[s->count] = (node){parent, depth, name, *first};
    for (size_t c = 0; c < s->columns; c++)
        s->values[s->count * s->columns + c] = 0;
    return *first = s->count++;
}

det_stacks *det_stacks_new(size_t columns) {
    if (columns == 0 || columns > DET_STACKS_COLUMNS_MAX)
        return NULL;
    det_stacks *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->columns = columns;
    s->seed = (uint64_t)(uintptr_t)s * UINT64_C(0x9e3779b97f4a7c15);
    if (!grow_tables(s) || label_of(s, "", 0) == NONE || node_of(s, 0, 0) == NONE) {
        det_stacks_free(s);
        return NULL;
    }
    return s;
}

void det_stacks_free(det_stacks *s) {
    if (!s)
        return;
    for (uint32_t i = 0; i < s->label_count; i++)
        free(s->labels[i].text);
    free(s->labels);
    free(s->nodes);
    free(s->values);
    free(s->node_table);
    free(s->label_table);
    free(s);
}

static det_status child(det_stacks *s, uint32_t parent, const char *name, size_t length,
                        uint32_t *frame) {
    if (s->nodes[parent].depth >= DET_STACKS_DEPTH_MAX)
        return DET_ESYNTAX;
    if (!grow_tables(s))
        return DET_ENOMEM;
    const uint32_t own = label_of(s, name, length);
    *frame = own == NONE ? NONE : node_of(s, parent, own);
    return *frame == NONE ? DET_ENOMEM : DET_OK;
}

static int is_plain(char c) {
    return (unsigned char)c >= ' ' && c != 0x7f && c != ';';
}

det_status det_stacks_child(det_stacks *s, uint32_t parent, const char *name, size_t length,
                            uint32_t *frame) {
    char short_name[256];
    if (parent >= s->count || length == 0)
        return DET_EINVAL;
    if (length > DET_STACKS_NAME_MAX)
        length = DET_STACKS_NAME_MAX;
    char *clean = length <= sizeof short_name ? short_name : malloc(length);
    if (!clean)
        return DET_ENOMEM;
    memcpy(clean, name, length);
    for (size_t i = 0; i < length; i++)
        if (!is_plain(clean[i]))
            clean[i] = '_';
    const det_status status = child(s, parent, clean, length, frame);
    if (clean != short_name)
        free(clean);
    return status;
}

void det_stacks_add(det_stacks *s, uint32_t frame, size_t column, double value) {
    if (frame < s->count && column < s->columns && isfinite(value) && value > 0)
        s->values[frame * s->columns + column] =
            fmin(s->values[frame * s->columns + column] + value, DET_STACKS_VALUE_MAX);
}

/* --- reading --- */

static det_status wrong(det_stacks_error *error, size_t line, det_status status, const char *text) {
    error->line = line;
    snprintf(error->text, sizeof error->text, "%s", text);
    return status;
}

/* Digits, with a fraction perhaps; NaN when it is anything else. */
static double number(const char *text, size_t length) {
    double value = 0, place = 0;
    size_t digits = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && place == 0) {
            place = 1;
            continue;
        }
        if (text[i] < '0' || text[i] > '9')
            return (double)NAN;
        digits++;
        place *= 10;
        value = place > 0 ? value + (text[i] - '0') / place : value * 10 + (text[i] - '0');
    }
    return digits > 0 && value <= DET_STACKS_VALUE_MAX ? value : (double)NAN;
}

static det_status read_frames(det_stacks *s, const char *text, size_t size, size_t line,
                              uint32_t *frame, det_stacks_error *error) {
    *frame = DET_STACKS_ROOT;
    for (size_t at = 0; at <= size;) {
        size_t length = 0;
        while (at + length < size && is_plain(text[at + length]))
            length++;
        if (at + length < size && text[at + length] != ';')
            return wrong(error, line, DET_ESYNTAX, "a name has a control character");
        if (length == 0)
            return wrong(error, line, DET_ESYNTAX, "a frame has no name");
        if (length > DET_STACKS_NAME_MAX)
            return wrong(error, line, DET_ESYNTAX, "a name is longer than 10,000 bytes");
        const det_status status = child(s, *frame, text + at, length, frame);
        if (status == DET_ESYNTAX)
            return wrong(error, line, status, "the stack is deeper than 2,000 frames");
        if (status != DET_OK)
            return wrong(error, line, status, "there are more than 200,000 different frames");
        at += length + 1;
    }
    return DET_OK;
}

static det_status read_line(det_stacks *s, size_t column, const char *text, size_t size,
                            size_t line, det_stacks_error *error) {
    size_t end = size;
    while (end > 0 && text[end - 1] != ' ')
        end--;
    const double value = end > 1 ? number(text + end, size - end) : (double)NAN;
    if (isnan(value))
        return wrong(error, line, DET_ESYNTAX,
                     "it must be frames, a space and a number that is not negative");
    uint32_t frame;
    const det_status status = read_frames(s, text, end - 1, line, &frame, error);
    if (status == DET_OK)
        det_stacks_add(s, frame, column, value);
    return status;
}

det_status det_stacks_read(det_stacks *s, size_t column, const char *text, size_t size,
                           det_stacks_error *error) {
    if (column >= s->columns)
        return wrong(error, 0, DET_EINVAL, "there is no such column");
    size_t line = 0;
    for (size_t at = 0; at < size;) {
        const char *stop = memchr(text + at, '\n', size - at);
        size_t length = stop ? (size_t)(stop - text) - at : size - at;
        const size_t next = at + length + 1;
        if (length > 0 && text[at + length - 1] == '\r')
            length--;
        line++;
        if (length > 0) {
            const det_status status = read_line(s, column, text + at, length, line, error);
            if (status != DET_OK)
                return status;
        }
        at = next;
    }
    return DET_OK;
}

void det_stacks_merge_small(det_stacks *s, size_t column, double least) {
    for (uint32_t i = s->count - 1; i > 0; i--) { /* children stand behind their parents */
        const uint32_t parent = s->nodes[i].parent;
        double *own = &s->values[i * s->columns + column];
        if (*own >= least || parent == DET_STACKS_ROOT)
            continue;
        det_stacks_add(s, parent, column, *own);
        *own = 0;
    }
}

/* --- asking --- */

uint32_t det_stacks_count(const det_stacks *s) {
    return s->count;
}

uint32_t det_stacks_labels(const det_stacks *s) {
    return s->label_count;
}

size_t det_stacks_columns(const det_stacks *s) {
    return s->columns;
}

det_frame det_stacks_frame(const det_stacks *s, uint32_t frame) {
    const node *n = &s->nodes[frame];
    const label *l = &s->labels[n->label];
    return (det_frame){l->text, l->length, n->parent, n->depth, n->label};
}

double det_stacks_self(const det_stacks *s, uint32_t frame, size_t column) {
    return s->values[frame * s->columns + column];
}

/* --- writing --- */

/* The whole number that stands there, 0: none does. printf alone would write 0.5 as 0. */
static double shown(const det_stacks *s, uint32_t frame, size_t column) {
    return frame == DET_STACKS_ROOT ? 0 : round(det_stacks_self(s, frame, column));
}

static size_t path_bytes(const det_stacks *s, uint32_t frame) {
    size_t bytes = 0;
    for (; frame != DET_STACKS_ROOT; frame = s->nodes[frame].parent)
        bytes += s->labels[s->nodes[frame].label].length + 1;
    return bytes;
}

/* From the end to the beginning: the innermost frame is known first. */
static char *path_write(const det_stacks *s, uint32_t frame, char *at) {
    char *end = at + path_bytes(s, frame), *to = end;
    for (; frame != DET_STACKS_ROOT; frame = s->nodes[frame].parent) {
        const label *l = &s->labels[s->nodes[frame].label];
        *--to = ';';
        to -= l->length;
        memcpy(to, l->text, l->length);
    }
    end[-1] = ' ';
    return end;
}

/* Counted before anything is written: of deep stacks with long names it could be 20 GB. */
static size_t text_bytes(const det_stacks *s, size_t column, size_t most) {
    char number[NUMBER_MAX];
    size_t bytes = 0;
    for (uint32_t i = 0; i < s->count && bytes <= most; i++)
        if (shown(s, i, column) > 0)
            bytes += path_bytes(s, i) +
                     (size_t)snprintf(number, sizeof number, "%.0f\n", shown(s, i, column));
    return bytes;
}

char *det_stacks_text(const det_stacks *s, size_t column, size_t most) {
    const size_t bytes = text_bytes(s, column, most);
    if (bytes > most)
        return NULL;
    /* snprintf ends each number in a zero, of which the last one is the text's */
    char *text = malloc(bytes + 1), *at = text;
    for (uint32_t i = 0; text && i < s->count; i++)
        if (shown(s, i, column) > 0) {
            at = path_write(s, i, at);
            at += snprintf(at, bytes + 1 - (size_t)(at - text), "%.0f\n", shown(s, i, column));
        }
    if (text)
        *at = '\0';
    return text;
}
