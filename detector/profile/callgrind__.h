#pragma once
/* callgrind__ - a file of callgrind in memory: for its reader and for what makes stacks of it. Not
 * installed. */
#include "detector/profile/callgrind.h"

#define DET__NOWHERE UINT32_MAX

typedef struct {
    uint32_t object, name; /* of the texts */
} det__function;

/* A cost at a place: of the function itself, or of a call with all below it. */
typedef struct {
    uint32_t function, callee; /* callee DET__NOWHERE: the function itself */
    uint32_t object;           /* of the function */
    uint32_t place;            /* once they are sorted */
    uint64_t address;
    double cost;
} det__entry;

typedef struct {
    uint32_t object;
    uint64_t address;
    char *names; /* inlined there; NULL: nothing is known */
} det__place;

struct det_callgrind {
    char **texts; /* names of functions and objects */
    uint32_t text_count, text_room;
    det__function *functions;
    uint32_t function_count, function_room;
    det__entry *entries; /* by function, then by place */
    uint32_t entry_count, entry_room;
    det__place *places;
    uint32_t place_count;
};
