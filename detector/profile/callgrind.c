#include "detector/profile/callgrind__.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDS_MAX 4000000u

/* "(12) name" defines, "(12)" refers: what a number stands for. */
typedef struct {
    uint32_t *text; /* [room] DET__NOWHERE: not yet */
    uint32_t room;
} known_names;

/* One of both, of the texts: the function of that name in that object. */
typedef struct {
    uint32_t *first, *next; /* [size] of a hash; [functions] */
    uint32_t size;
} function_table;

typedef struct {
    det_callgrind *out;
    known_names objects, functions;
    function_table table;
    unsigned position_columns;
    int has_address;
    uint64_t address;
    uint32_t object, function;       /* where costs are; DET__NOWHERE: nothing was said */
    uint32_t call_object, call_name; /* of the call that was announced */
    int in_call, in_jump;            /* the next line of costs is of the call, of nothing */
} reading;

static int grow(void **memory, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room)
        return 1;
    const uint32_t more = *room ? *room * 2 : 256;
    void *grown = realloc(*memory, more * size);
    if (!grown)
        return 0;
    *memory = grown;
    *room = more;
    return 1;
}

static uint32_t text_add(det_callgrind *out, const char *text, size_t length) {
    if (out->text_count >= DET_CALLGRIND_NAMES_MAX)
        return DET__NOWHERE;
    void *texts = out->texts;
    char *copy = grow(&texts, out->text_count, &out->text_room, sizeof *out->texts)
                     ? malloc(length + 1)
                     : NULL;
    out->texts = texts;
    if (!copy)
        return DET__NOWHERE;
    memcpy(copy, text, length);
    copy[length] = '\0';
    out->texts[out->text_count] = copy;
    return out->text_count++;
}

static int names_grow(known_names *n, uint32_t id) {
    if (id < n->room)
        return 1;
    uint32_t room = n->room ? n->room : 256;
    while (room <= id)
        room *= 2;
    uint32_t *text = realloc(n->text, room * sizeof *text);
    if (!text)
        return 0;
    memset(text + n->room, 0xff, (room - n->room) * sizeof *text);
    n->text = text;
    n->room = room;
    return 1;
}

/* A decimal number at *at, which moves on; 0 when there is none. */
static int take_number(const char **at, const char *end, uint64_t *value) {
    const char *from = *at;
    *value = 0;
    for (; *at < end && **at >= '0' && **at <= '9' && *value < UINT64_MAX / 16; (*at)++)
        *value = *value * 10 + (uint64_t)(**at - '0');
    return *at > from;
}

static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int take_hex(const char **at, const char *end, uint64_t *value) {
    const char *from = *at;
    *value = 0;
    for (; *at < end && hex_digit(**at) >= 0 && *at - from < 16; (*at)++)
        *value = *value * 16 + (uint64_t)hex_digit(**at);
    return *at > from;
}

/* What follows the '=' of a name: a text's index, DET__NOWHERE with *status. */
static uint32_t take_name(reading *r, known_names *known, const char *at, const char *end,
                          det_status *status) {
    uint64_t id;
    *status = DET_ESYNTAX;
    if (at == end || *at != '(') {
        const uint32_t text = text_add(r->out, at, (size_t)(end - at));
        *status = text == DET__NOWHERE ? DET_ENOMEM : DET_OK;
        return text;
    }
    at++;
    if (!take_number(&at, end, &id) || at == end || *at != ')' || id >= IDS_MAX)
        return DET__NOWHERE;
    *status = DET_ENOMEM;
    if (!names_grow(known, (uint32_t)id))
        return DET__NOWHERE;
    at++;
    while (at < end && *at == ' ')
        at++;
    if (at < end && known->text[id] == DET__NOWHERE)
        known->text[id] = text_add(r->out, at, (size_t)(end - at));
    if (at == end && known->text[id] == DET__NOWHERE)
        *status = DET_ESYNTAX;
    if (known->text[id] != DET__NOWHERE)
        *status = DET_OK;
    return known->text[id];
}

static uint32_t hash(uint32_t object, uint32_t name) {
    uint64_t value = (((uint64_t)object << 32) | name) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(value >> 32);
}

static int table_grow(reading *r) {
    function_table *t = &r->table;
    if (r->out->function_count < t->size)
        return 1;
    const uint32_t size = t->size ? t->size * 2 : 256;
    uint32_t *first = realloc(t->first, size * sizeof *first);
    t->first = first ? first : t->first;
    uint32_t *next = realloc(t->next, size * sizeof *next);
    t->next = next ? next : t->next;
    if (!first || !next)
        return 0;
    t->size = size;
    memset(first, 0xff, size * sizeof *first);
    for (uint32_t i = 0; i < r->out->function_count; i++) {
        const det__function *f = &r->out->functions[i];
        uint32_t *at = &first[hash(f->object, f->name) & (size - 1)];
        next[i] = *at;
        *at = i;
    }
    return 1;
}

static uint32_t function_of(reading *r, uint32_t object, uint32_t name) {
    det_callgrind *out = r->out;
    void *functions = out->functions;
    if (!table_grow(r) ||
        !grow(&functions, out->function_count, &out->function_room, sizeof *out->functions))
        return DET__NOWHERE;
    out->functions = functions;
    uint32_t *first = &r->table.first[hash(object, name) & (r->table.size - 1)];
    for (uint32_t i = *first; i != DET__NOWHERE; i = r->table.next[i])
        if (out->functions[i].object == object && out->functions[i].name == name)
            return i;
    if (out->function_count >= DET_CALLGRIND_NAMES_MAX)
        return DET__NOWHERE;
    out->functions[out->function_count] = (det__function){object, name};
    r->table.next[out->function_count] = *first;
    return *first = out->function_count++;
}

/* "0x1f4", "+12", "-3", "*", "17": only what is said of addresses is of use. */
static det_status take_positions(reading *r, const char **at, const char *end) {
    for (unsigned i = 0; i < r->position_columns; i++) {
        uint64_t value = 0;
        char sign = '\0';
        if (*at < end)
            sign = **at;
        const int is_address = r->has_address && i == 0;
        *at += sign == '+' || sign == '-' || sign == '*';
        if (end - *at > 2 && (*at)[0] == '0' && (*at)[1] == 'x') {
            *at += 2;
            if (!take_hex(at, end, &value))
                return DET_ESYNTAX;
        } else if (sign != '*' && !take_number(at, end, &value)) {
            return DET_ESYNTAX;
        }
        if (is_address)
            r->address = sign == '*'   ? r->address
                         : sign == '+' ? r->address + value
                         : sign == '-' ? r->address - value
                                       : value;
        while (*at < end && **at == ' ')
            (*at)++;
    }
    return DET_OK;
}

static det_status take_costs(reading *r, const char *at, const char *end) {
    uint64_t cost = 0;
    det_callgrind *out = r->out;
    const det_status status = take_positions(r, &at, end);
    if (status != DET_OK)
        return status;
    const int counts = take_number(&at, end, &cost), call = r->in_call, jump = r->in_jump;
    r->in_call = r->in_jump = 0;
    if (jump || !counts)
        return DET_OK;
    if (r->function == DET__NOWHERE)
        return DET_ESYNTAX;
    void *entries = out->entries;
    if (out->entry_count >= DET_CALLGRIND_ENTRIES_MAX ||
        !grow(&entries, out->entry_count, &out->entry_room, sizeof *out->entries))
        return DET_ENOMEM;
    out->entries = entries;
    uint32_t callee = DET__NOWHERE;
    if (call && (r->call_name == DET__NOWHERE ||
                 (callee = function_of(r, r->call_object, r->call_name)) == DET__NOWHERE))
        return r->call_name == DET__NOWHERE ? DET_ESYNTAX : DET_ENOMEM;
    out->entries[out->entry_count++] = (det__entry){
        r->function, callee, out->functions[r->function].object, 0, r->address, (double)cost};
    return DET_OK;
}

static const char *after(const char *line, const char *end, const char *key) {
    const size_t length = strlen(key);
    return (size_t)(end - line) >= length && memcmp(line, key, length) == 0 ? line + length : NULL;
}

static int has_word(const char *at, const char *end, const char *word) {
    const size_t length = strlen(word);
    for (; end - at >= (ptrdiff_t)length; at++)
        if (memcmp(at, word, length) == 0)
            return 1;
    return 0;
}

static det_status set_function(reading *r, const char *at, const char *end) {
    det_status status;
    const uint32_t name = take_name(r, &r->functions, at, end, &status);
    if (status != DET_OK)
        return status;
    r->function = function_of(r, r->object, name);
    return r->function == DET__NOWHERE ? DET_ENOMEM : DET_OK;
}

static det_status take_name_line(reading *r, const char *line, const char *end, int *known) {
    det_status status = DET_OK;
    const char *at;
    *known = 1;
    if ((at = after(line, end, "ob=")))
        r->object = take_name(r, &r->objects, at, end, &status);
    else if ((at = after(line, end, "cob=")))
        r->call_object = take_name(r, &r->objects, at, end, &status);
    else if ((at = after(line, end, "fn="))) {
        status = set_function(r, at, end);
        r->call_object = r->object;
    } else if ((at = after(line, end, "cfn=")))
        r->call_name = take_name(r, &r->functions, at, end, &status);
    else if (after(line, end, "calls="))
        r->in_call = 1;
    else if (after(line, end, "jump=") || after(line, end, "jcnd="))
        r->in_jump = 1;
    else if ((at = after(line, end, "positions:"))) {
        r->has_address = has_word(at, end, "instr");
        r->position_columns = (unsigned)r->has_address + (unsigned)has_word(at, end, "line");
    } else
        *known = 0;
    return status;
}

/* "fl=", "events:", "summary:" and whatever else there is says nothing of stacks. */
static det_status take_line(reading *r, const char *line, const char *end) {
    int known;
    const int was_call = r->in_call;
    if (line == end || *line == '#')
        return DET_OK;
    const det_status status = take_name_line(r, line, end, &known);
    if (known || status != DET_OK)
        return status;
    if ((*line >= '0' && *line <= '9') || *line == '+' || *line == '-' || *line == '*') {
        const det_status taken = take_costs(r, line, end);
        if (was_call)
            r->call_object = r->object; /* said anew for each call elsewhere */
        return taken;
    }
    return DET_OK;
}

/* --- places --- */

static int by_place(const void *a, const void *b) {
    const det__entry *x = a, *y = b;
    return x->object != y->object     ? (x->object > y->object) - (x->object < y->object)
           : x->address != y->address ? (x->address > y->address) - (x->address < y->address)
                                      : 0;
}

static int by_function(const void *a, const void *b) {
    const det__entry *x = a, *y = b;
    return x->function != y->function ? (x->function > y->function) - (x->function < y->function)
           : x->callee != y->callee   ? (x->callee > y->callee) - (x->callee < y->callee)
                                      : (x->place > y->place) - (x->place < y->place);
}

static det_status find_places(det_callgrind *out) {
    out->places = calloc((size_t)out->entry_count + 1, sizeof *out->places);
    if (!out->places)
        return DET_ENOMEM;
    if (out->entry_count > 0)
        qsort(out->entries, out->entry_count, sizeof *out->entries, by_place);
    for (uint32_t i = 0; i < out->entry_count; i++) {
        det__entry *one = &out->entries[i];
        if (i == 0 || by_place(one, one - 1) != 0)
            out->places[out->place_count++] = (det__place){one->object, one->address, NULL};
        one->place = out->place_count - 1;
    }
    if (out->entry_count > 0)
        qsort(out->entries, out->entry_count, sizeof *out->entries, by_function);
    return DET_OK;
}

static det_status fail(det_stacks_error *error, size_t line, const det_callgrind *out,
                       det_status status) {
    const int lines = out && out->entry_count >= DET_CALLGRIND_ENTRIES_MAX;
    const int names = out && (out->text_count >= DET_CALLGRIND_NAMES_MAX ||
                              out->function_count >= DET_CALLGRIND_NAMES_MAX);
    error->line = line;
    snprintf(error->text, sizeof error->text, "%s",
             status != DET_ENOMEM ? "this line is not in callgrind's format"
             : lines              ? "it holds more than 4,000,000 lines of costs"
             : names              ? "it names more than 500,000 functions"
                                  : "there is no memory for it");
    return status;
}

static det_status read_lines(reading *r, const char *text, size_t size, det_stacks_error *error) {
    size_t line = 0;
    for (size_t at = 0; at < size; line++) {
        const char *stop = memchr(text + at, '\n', size - at);
        const char *end = stop ? stop : text + size;
        const det_status status = take_line(r, text + at, end);
        if (status != DET_OK)
            return fail(error, line + 1, r->out, status);
        at = (size_t)(end - text) + 1;
    }
    const det_status status = find_places(r->out);
    return status == DET_OK ? status : fail(error, line, r->out, status);
}

det_status det_callgrind_read(det_callgrind **out, const char *text, size_t size,
                              det_stacks_error *error) {
    reading r = {.out = calloc(1, sizeof **out),
                 .position_columns = 1,
                 .function = DET__NOWHERE,
                 .call_name = DET__NOWHERE};
    *out = NULL;
    /* The object that is never named: the first text. */
    det_status status =
        r.out && text_add(r.out, "", 0) == 0 ? DET_OK : fail(error, 0, NULL, DET_ENOMEM);
    if (status == DET_OK)
        status = read_lines(&r, text, size, error);
    free(r.objects.text);
    free(r.functions.text);
    free(r.table.first);
    free(r.table.next);
    if (status == DET_OK)
        *out = r.out;
    else
        det_callgrind_free(r.out);
    return status;
}

void det_callgrind_free(det_callgrind *c) {
    if (!c)
        return;
    for (uint32_t i = 0; i < c->text_count; i++)
        free(c->texts[i]);
    for (uint32_t i = 0; i < c->place_count; i++)
        free(c->places[i].names);
    free(c->texts);
    free(c->functions);
    free(c->entries);
    free(c->places);
    free(c);
}

size_t det_callgrind_places(const det_callgrind *c) {
    return c->place_count;
}

det_callgrind_place det_callgrind_place_at(const det_callgrind *c, size_t place) {
    const det__place *at = &c->places[place];
    return (det_callgrind_place){c->texts[at->object], at->address};
}

int det_callgrind_inline(det_callgrind *c, size_t place, const char *names) {
    const size_t length = strlen(names);
    char *copy = malloc(length + 1);
    if (!copy)
        return 0;
    memcpy(copy, names, length + 1);
    free(c->places[place].names);
    c->places[place].names = copy;
    return 1;
}
