#include "runner/moobench/receiver/receiver.h"

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRINGS_MAX 1000000
#define NAME_BYTES_MAX 65536
#define REGISTRY_ID (-1)

/* The fields behind the time of logging: strings are ids, 4 bytes. */
static const struct {
    const char *name; /* without its package */
    size_t size_bytes;
    bool counts;
    size_t operation_at; /* where its signature's id is; of those that count */
} classes[] = {
    /* signature, session, trace, in, out, host, order, stack */
    {"OperationExecutionRecord", 4 + 4 + 8 + 8 + 8 + 4 + 4 + 4, true, 0},
    /* version, controller, host, experiment, debug, offset, unit, records */
    {"KiekerMetadataRecord", 4 + 4 + 4 + 4 + 1 + 8 + 4 + 8, false, 0},
    /* trace, thread, session, host, parent, parent's order */
    {"TraceMetadata", 8 + 8 + 4 + 4 + 8 + 4, false, 0},
    /* and the application; since 2.0 */
    {"ApplicationTraceMetadata", 8 + 8 + 4 + 4 + 8 + 4 + 4, false, 0},
    /* time, trace, order, operation, class */
    {"BeforeOperationEvent", 8 + 8 + 4 + 4 + 4, false, 0},
    {"AfterOperationEvent", 8 + 8 + 4 + 4 + 4, true, 8 + 8 + 4},
    /* and the cause */
    {"AfterOperationFailedEvent", 8 + 8 + 4 + 4 + 4 + 4, true, 8 + 8 + 4},
};
enum { CLASSES = sizeof classes / sizeof classes[0], FIELDS_MAX = 64 };

/* What an id stands for: a class above, or another text. */
typedef struct {
    size_t count;
    signed char *kinds;    /* index in classes, -1: none */
    char (*names)[80];     /* the end of it, for messages */
    bool *wanted;          /* it names an operation that counts */
    const char *operation; /* what such a name contains; NULL: every one counts */
} registry;

static bool take_int(rcv_stream *stream, int32_t *value) {
    uint32_t raw;
    if (!rcv_stream_take(stream, &raw, sizeof raw))
        return false;
    *value = (int32_t)be32toh(raw);
    return true;
}

static signed char kind_of(const char *name) {
    const char *dot = strrchr(name, '.');
    for (size_t i = 0; i < CLASSES; i++)
        if (strcmp(dot ? dot + 1 : name, classes[i].name) == 0)
            return (signed char)i;
    return -1;
}

/* The list with room for so many; what is new is zero. NULL when there is no memory. */
static void *grown(void *list, size_t before, size_t count, size_t size) {
    char *more = realloc(list, count * size);
    if (more)
        memset(more + before * size, 0, (count - before) * size);
    return more;
}

static bool make_room(registry *known, size_t id) {
    if (id < known->count)
        return true;
    size_t count = 2 * id + 64;
    signed char *kinds = grown(known->kinds, known->count, count, sizeof *kinds);
    known->kinds = kinds ? kinds : known->kinds;
    char(*names)[80] = grown(known->names, known->count, count, sizeof *names);
    known->names = names ? names : known->names;
    bool *wanted = grown(known->wanted, known->count, count, sizeof *wanted);
    known->wanted = wanted ? wanted : known->wanted;
    if (!kinds || !names || !wanted)
        return false;
    memset(kinds + known->count, -1, count - known->count);
    known->count = count;
    return true;
}

static bool remember(registry *known, size_t id, const char *text) {
    if (!make_room(known, id))
        return false;
    size_t length = strlen(text);
    known->kinds[id] = kind_of(text);
    known->wanted[id] = !known->operation || strstr(text, known->operation) != NULL;
    snprintf(known->names[id], sizeof known->names[id], "%.79s",
             length > 79 ? text + length - 79 : text);
    return true;
}

static bool take_string(rcv_stream *stream, registry *known, rcv_kieker_counts *counts) {
    int32_t id, length;
    char text[NAME_BYTES_MAX + 1];
    if (!take_int(stream, &id) || !take_int(stream, &length))
        return false;
    if (id < 0 || id >= STRINGS_MAX || length < 0 || length > NAME_BYTES_MAX) {
        snprintf(counts->problem, sizeof counts->problem,
                 "string %d of %d bytes: this is not a stream of Kieker's TCP writer", id, length);
        return false;
    }
    if (!rcv_stream_take(stream, text, (size_t)length))
        return false;
    text[length] = '\0';
    return remember(known, (size_t)id, text);
}

static bool take_record(rcv_stream *stream, const registry *known, int32_t id,
                        rcv_kieker_counts *counts) {
    const int kind = id >= 0 && (size_t)id < known->count ? known->kinds[id] : -1;
    if (kind < 0) {
        snprintf(counts->problem, sizeof counts->problem,
                 "record of class %d (%s), whose length is not known here", id,
                 id >= 0 && (size_t)id < known->count ? known->names[id] : "never named");
        return false;
    }
    uint8_t fields[FIELDS_MAX];
    uint32_t raw;
    if (!rcv_stream_take(stream, NULL, sizeof(int64_t)) ||
        !rcv_stream_take(stream, fields, classes[kind].size_bytes))
        return false;
    memcpy(&raw, fields + classes[kind].operation_at, sizeof raw);
    const size_t operation = be32toh(raw);
    const bool wanted = !known->operation || (operation < known->count && known->wanted[operation]);
    if (classes[kind].counts && wanted)
        counts->records++;
    else
        counts->others++;
    return true;
}

bool rcv_kieker_read(rcv_stream *stream, const char *operation, rcv_kieker_counts *counts) {
    registry known = {.operation = operation};
    int32_t id;
    bool good = true;
    *counts = (rcv_kieker_counts){0};
    while (good && take_int(stream, &id)) {
        good = id == REGISTRY_ID ? take_string(stream, &known, counts)
                                 : take_record(stream, &known, id, counts);
        if (!good && counts->problem[0] == '\0')
            snprintf(counts->problem, sizeof counts->problem, "the connection ended in a record");
    }
    free(known.kinds);
    free(known.names);
    free(known.wanted);
    return good;
}
