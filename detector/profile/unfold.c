/* From what callgrind counted for each function and call to stacks of frames (callgrind.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "detector/profile/callgrind__.h"

#define SHARE_LEAST 1e-5 /* of all that is shown: what is called for less is its caller's */
#define OBJECT_MAX 200   /* bytes of its name beside a function's */
/* Of the walk down: where each of many functions calls the next from two places, the ways double
 * with each of them. */
#define STEPS_MAX 50000000u

typedef struct {
    const det_callgrind *from;
    const det_callgrind_wanted *wanted;
    det_stacks *stacks;
    size_t column;
    uint32_t *first;     /* [functions + 1] of its entries */
    double *incoming;    /* [functions] what all calls of it cost that do not close a circle */
    double *below;       /* [functions] it and what it calls, circles left out */
    unsigned char *way;  /* [functions] of the search for circles; then: is on the present stack */
    unsigned char *back; /* [entries] this call closes a circle */
    double least;
    uint32_t steps; /* taken so far */
} unfolding;

enum { UNSEEN, OPEN, CLOSED };

/* One function of the walk down: where it is with its entries. */
typedef struct {
    uint32_t function, at;
} step;

/* Depth first from one function: marks the calls that close a circle. stack [functions]. */
static void find_circles(unfolding *u, uint32_t from, step *stack) {
    size_t depth = 0;
    stack[depth++] = (step){from, u->first[from]};
    u->way[from] = OPEN;
    while (depth > 0) {
        step *top = &stack[depth - 1];
        if (top->at == u->first[top->function + 1]) {
            u->way[top->function] = CLOSED;
            depth--;
            continue;
        }
        const uint32_t entry = top->at++, callee = u->from->entries[entry].callee;
        if (callee == DET__NOWHERE)
            continue;
        u->back[entry] = u->way[callee] == OPEN;
        if (u->way[callee] == UNSEEN) {
            u->way[callee] = OPEN;
            stack[depth++] = (step){callee, u->first[callee]};
        }
    }
}

/* As far as stacks hold: beyond whole numbers are not exact, and a sum could become infinite. */
static void add(double *sum, double cost) {
    *sum = fmin(*sum + cost, DET_STACKS_VALUE_MAX);
}

static void find_costs(unfolding *u) {
    for (uint32_t i = 0; i < u->from->entry_count; i++) {
        const det__entry *one = &u->from->entries[i];
        if (one->callee == DET__NOWHERE || !u->back[i])
            add(&u->below[one->function], one->cost);
        if (one->callee != DET__NOWHERE && !u->back[i])
            add(&u->incoming[one->callee], one->cost);
    }
}

static int is_own(const unfolding *u, const char *object) {
    for (size_t i = 0; i < u->wanted->own_count; i++)
        if (strncmp(object, u->wanted->own[i], strlen(u->wanted->own[i])) == 0)
            return 1;
    return 0;
}

/* size: of the text with what is still to come. */
static void put(char *to, size_t size, size_t *at, const char *text, size_t length) {
    if (length > size - *at)
        length = size - *at;
    memcpy(to + *at, text, length);
    *at += length;
}

/* "history_add", or "calloc [libc.so.6]" of elsewhere. */
static det_status frame_of(unfolding *u, uint32_t parent, uint32_t function, uint32_t *frame) {
    char text[DET_STACKS_NAME_MAX];
    size_t length = 0;
    const det__function *f = &u->from->functions[function];
    const char *name = u->from->texts[f->name], *object = u->from->texts[f->object];
    const char *base = strrchr(object, '/');
    base = base ? base + 1 : object;
    put(text, sizeof text - OBJECT_MAX, &length, *name ? name : "?", *name ? strlen(name) : 1);
    if (*base && !is_own(u, object)) {
        put(text, sizeof text, &length, " [", 2);
        put(text, sizeof text - 1, &length, base, strlen(base));
        put(text, sizeof text, &length, "]", 1);
    }
    return det_stacks_child(u->stacks, parent, text, length, frame);
}

/* The frames of what was put into a function at a place, below the function's own, as far as a
 * stack goes. */
static det_status inlined(unfolding *u, uint32_t parent, uint32_t place, uint32_t *frame) {
    *frame = parent;
    const char *names = u->from->places[place].names;
    while (names && *names && det_stacks_frame(u->stacks, *frame).depth < DET_STACKS_DEPTH_MAX) {
        const size_t length = strcspn(names, ";");
        u->steps++;
        const det_status status =
            length > 0 ? det_stacks_child(u->stacks, *frame, names, length, frame) : DET_OK;
        if (status != DET_OK)
            return status;
        names += length + (names[length] == ';');
    }
    return DET_OK;
}

/* A function on the present stack. */
typedef struct {
    uint32_t function, frame, at;
    double share; /* of all its calls */
} level;

typedef struct {
    level *levels; /* [functions + 1]: none is there twice */
    size_t depth;
} walk;

static det_status enter(unfolding *u, walk *w, uint32_t function, uint32_t parent, double share) {
    uint32_t frame;
    const det_status status = frame_of(u, parent, function, &frame);
    if (status != DET_OK)
        return status;
    u->way[function] = 1;
    w->levels[w->depth++] = (level){function, frame, u->first[function], share};
    return DET_OK;
}

/* Another entry of the innermost function: its own cost, or a call to go into. */
static det_status go_on(unfolding *u, walk *w) {
    level *top = &w->levels[w->depth - 1];
    const uint32_t at = top->at++;
    const det__entry *one = &u->from->entries[at];
    const double cost = one->cost * top->share;
    uint32_t frame;
    if (u->steps++ >= STEPS_MAX)
        return DET_ENOMEM;
    if (one->callee != DET__NOWHERE && u->back[at])
        return DET_OK; /* what it costs is counted where the circle was entered */
    const det_status status = inlined(u, top->frame, one->place, &frame);
    if (status != DET_OK)
        return status;
    const int too_deep = det_stacks_frame(u->stacks, frame).depth + 1 >= DET_STACKS_DEPTH_MAX;
    if (one->callee == DET__NOWHERE || cost < u->least || too_deep || u->way[one->callee]) {
        det_stacks_add(u->stacks, frame, u->column, cost);
        return DET_OK;
    }
    const double incoming = u->incoming[one->callee];
    return enter(u, w, one->callee, frame, incoming > 0 ? one->cost * top->share / incoming : 0);
}

static det_status unfold(unfolding *u, uint32_t root, double share) {
    walk w = {malloc(((size_t)u->from->function_count + 1) * sizeof *w.levels), 0};
    if (!w.levels)
        return DET_ENOMEM;
    u->least = u->below[root] * SHARE_LEAST;
    det_status status = enter(u, &w, root, DET_STACKS_ROOT, share);
    while (status == DET_OK && w.depth > 0) {
        const level *top = &w.levels[w.depth - 1];
        if (top->at < u->first[top->function + 1]) {
            status = go_on(u, &w);
            continue;
        }
        u->way[top->function] = 0;
        w.depth--;
    }
    free(w.levels);
    return status;
}

/* From each function that the stacks begin with. */
static det_status each_root(unfolding *u, step *stack) {
    const char *root = u->wanted->root;
    const det_callgrind *from = u->from;
    det_status status = DET_ESHORT;
    for (uint32_t f = 0; f < from->function_count; f++)
        if (root ? strcmp(from->texts[from->functions[f].name], root) == 0 : u->incoming[f] == 0)
            if (u->way[f] == UNSEEN)
                find_circles(u, f, stack);
    memset(u->way, 0, from->function_count);
    memset(u->incoming, 0, from->function_count * sizeof *u->incoming);
    find_costs(u);
    for (uint32_t f = 0; f < from->function_count; f++) {
        const int is_root = root ? strcmp(from->texts[from->functions[f].name], root) == 0
                                 : u->incoming[f] == 0 && u->below[f] > 0;
        if (!is_root)
            continue;
        status = unfold(u, f, 1);
        if (status != DET_OK)
            return status;
    }
    return status;
}

det_status det_callgrind_stacks(const det_callgrind *callgrind, const det_callgrind_wanted *wanted,
                                det_stacks *stacks, size_t column) {
    if (column >= det_stacks_columns(stacks))
        return DET_EINVAL;
    const size_t functions = callgrind->function_count, entries = callgrind->entry_count;
    unfolding u = {callgrind,
                   wanted,
                   stacks,
                   column,
                   calloc(functions + 2, sizeof *u.first),
                   calloc(functions + 1, sizeof *u.incoming),
                   calloc(functions + 1, sizeof *u.below),
                   calloc(functions + 1, 1),
                   calloc(entries + 1, 1),
                   0,
                   0};
    step *stack = malloc((functions + 1) * sizeof *stack);
    det_status status = DET_ENOMEM;
    if (u.first && u.incoming && u.below && u.way && u.back && stack) {
        for (size_t i = 0; i < entries; i++)
            u.first[callgrind->entries[i].function + 1]++;
        for (size_t f = 0; f < functions; f++)
            u.first[f + 1] += u.first[f];
        for (size_t i = 0; !wanted->root && i < entries; i++) {
            const uint32_t callee = callgrind->entries[i].callee;
            if (callee != DET__NOWHERE)
                add(&u.incoming[callee], callgrind->entries[i].cost);
        }
        status = each_root(&u, stack);
    }
    free(u.first);
    free(u.incoming);
    free(u.below);
    free(u.way);
    free(u.back);
    free(stack);
    return status;
}
