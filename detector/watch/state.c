/* state - a watch as bytes and back: little-endian, with version and checksum. */
#include <math.h>
#include <string.h>

#include "detector/watch/watch__.h"

/* A night's value is another one with each trim, so a state is of use with its own only. */
static const uint64_t magics[] = {
    [DET_TRIM_ENDS] = UINT64_C(0x45637465446f6f4d), /* "MooDetcE" */
    [DET_TRIM_SLOW] = UINT64_C(0x49637465446f6f4d), /* "MooDetcI" */
};

/* One walk over the fields serves writing and reading, so the two cannot differ. */
typedef struct {
    unsigned char *out;      /* NULL: do not write */
    const unsigned char *in; /* NULL: do not read */
    size_t size, at;
} cursor;

/* Stored bytes are little-endian: on such a machine nothing has to be done. */
static inline uint64_t little_endian(uint64_t value) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? value : __builtin_bswap64(value);
}

static inline void bytes8(cursor *c, uint64_t *value) {
    if (c->at + sizeof *value <= c->size) {
        uint64_t bits = little_endian(*value);
        if (c->out)
            memcpy(c->out + c->at, &bits, sizeof bits);
        if (c->in) {
            memcpy(&bits, c->in + c->at, sizeof bits);
            *value = little_endian(bits);
        }
    }
    c->at += sizeof *value;
}

static void real(cursor *c, double *value) {
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    bytes8(c, &bits);
    memcpy(value, &bits, sizeof bits);
}

static void text(cursor *c, char *value, size_t size) {
    for (size_t i = 0; i < size; i += 8) {
        uint64_t bits;
        memcpy(&bits, value + i, 8);
        bytes8(c, &bits);
        memcpy(value + i, &bits, 8);
    }
    value[size - 1] = 0;
}

/* Most of a state is rows of numbers: they are moved as they are, not one by one. */
static void reals(cursor *c, double *values, size_t count) {
    if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
        for (size_t i = 0; i < count; i++)
            real(c, &values[i]);
        return;
    }
    const size_t size = count * sizeof *values;
    if (c->at + size <= c->size) {
        if (c->out)
            memcpy(c->out + c->at, values, size);
        if (c->in)
            memcpy(values, c->in + c->at, size);
    }
    c->at += size;
}

static void spreads(cursor *c, det__spread *spread, size_t count) {
    for (size_t i = 0; i < count; i++) {
        real(c, &spread[i].sum);
        real(c, &spread[i].weight);
        real(c, &spread[i].loops);
        real(c, &spread[i].number);
        real(c, &spread[i].usual);
        reals(c, spread[i].score, DET__PACES);
        real(c, &spread[i].wander);
    }
}

static void stamp(cursor *c, det__stamp *stamp) {
    _Static_assert(DET_LABEL_MAX % 8 == 0, "labels are walked in words of 8 bytes");
    uint64_t id = (uint64_t)stamp->id;
    bytes8(c, &id);
    stamp->id = (int64_t)id;
    text(c, stamp->label, DET_LABEL_MAX);
}

static void smalls(cursor *c, det__small *small, size_t count) {
    for (size_t i = 0; i < count; i++) {
        real(c, &small[i].sum);
        real(c, &small[i].variance);
        bytes8(c, &small[i].steps);
        bytes8(c, &small[i].nights);
        uint64_t from = (uint64_t)small[i].from;
        bytes8(c, &from);
        small[i].from = (int64_t)from;
        stamp(c, &small[i].before);
    }
}

static void odd(cursor *c, det__odd *o) {
    bytes8(c, &o->count);
    real(c, &o->factor);
    stamp(c, &o->first);
    stamp(c, &o->before);
}

static void incident(cursor *c, det__incident *i) {
    bytes8(c, &i->kind);
    bytes8(c, &i->begins);
    bytes8(c, &i->lasts);
    bytes8(c, &i->moved);
    bytes8(c, &i->seen);
    bytes8(c, &i->who);
    real(c, &i->factor);
    real(c, &i->low);
    real(c, &i->high);
    stamp(c, &i->since);
    stamp(c, &i->before);
}

static void onset(cursor *c, det__onset *o, size_t n) {
    bytes8(c, &o->row);
    reals(c, o->low, n);
    reals(c, o->high, n);
    reals(c, o->level, n);
    bytes8(c, &o->waiting);
    bytes8(c, &o->since);
}

static void ring(cursor *c, det_watch *watch) {
    const size_t n = watch->chain.count;
    for (size_t i = 0; i < DET__DEPTH; i++)
        stamp(c, &watch->stamps[i]);
    _Static_assert(sizeof(det__cell) == 3 * sizeof(double), "a cell is three numbers");
    reals(c, (double *)watch->cells, DET__DEPTH * n * 3);
    reals(c, watch->before, DET__BELIEFS * det__filter_size(n));
    spreads(c, watch->spread_before, DET__BELIEFS * n);
}

/* All of the bank is walked, in use or not, so that the size is known beforehand. */
static void fields(cursor *c, det_watch *watch) {
    const size_t n = watch->chain.count;
    bytes8(c, &watch->nights);
    bytes8(c, &watch->broken);
    bytes8(c, &watch->changes);
    bytes8(c, &watch->away);
    for (size_t p = 0; p < n; p++) {
        bytes8(c, &watch->start[p]);
        bytes8(c, &watch->home[p]);
        bytes8(c, &watch->rest[p]);
        bytes8(c, &watch->bimodal[p]);
    }
    smalls(c, watch->small, n);
    for (int i = 0; i < DET_INCIDENT_KINDS; i++)
        incident(c, &watch->incident[i]);
    odd(c, &watch->broken_since);
    odd(c, &watch->missing_since);
    odd(c, &watch->noise_since);
    onset(c, &watch->onset, n);
    reals(c, watch->base, det__filter_size(n));
    spreads(c, watch->spread, n);
    for (size_t i = 0; i < n; i++) {
        reals(c, watch->pace[i].mean, DET__PACES);
        reals(c, watch->pace[i].variance, DET__PACES);
    }
    for (size_t i = 0; i < DET__BANK; i++) {
        bytes8(c, &watch->bank[i].start);
        bytes8(c, &watch->bank[i].portion);
        real(c, &watch->bank[i].evidence);
        real(c, &watch->bank[i].width);
    }
    reals(c, watch->beliefs, DET__BANK * det__block_rows(n));
    ring(c, watch);
}

/* FNV-1a over words of 8 bytes: against damage, not against malice. */
static uint64_t checksum(const unsigned char *bytes, size_t size) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ little_endian(word)) * UINT64_C(1099511628211);
    }
    return hash;
}

size_t det_watch_save(const det_watch *watch, void *bytes, size_t size) {
    det_watch copy = *watch; /* the walk writes back what it read; it writes the same values */
    cursor measure = {0};
    uint64_t magic = magics[watch->policy[0].trim], count = watch->chain.count, depth = DET__DEPTH,
             sum;
    for (int pass = 0; pass < 2; pass++) {
        cursor c = {.out = pass ? bytes : NULL, .size = pass ? size : 0};
        bytes8(&c, &magic);
        bytes8(&c, &count);
        bytes8(&c, &depth);
        fields(&c, &copy);
        measure = c;
        if (!bytes || size < c.at + 8)
            return c.at + 8;
    }
    sum = checksum(bytes, measure.at);
    bytes8(&measure, &sum);
    return measure.at;
}

/* Numbers that a watch can have come to; NaN where a value may be missing. */
static bool numbers_sane(const det_watch *watch) {
    const size_t n = watch->chain.count;
    for (size_t i = 0; i < DET__DEPTH * n; i++) {
        const det__cell *cell = &watch->cells[i];
        if (!(cell->loops >= 0 && cell->loops <= DET_LOOPS_MAX) || isinf(cell->mean) ||
            isinf(cell->variance))
            return false;
    }
    for (size_t i = 0; i < n; i++)
        if (!(watch->spread[i].sum >= 0) || !(watch->spread[i].weight >= 0) ||
            !(watch->spread[i].loops >= 0) || !(watch->spread[i].number >= 0) ||
            !(watch->spread[i].usual > 0) || !(watch->spread[i].wander >= 0))
            return false;
    return true;
}

/* What a damaged state could break is checked even though the checksum fits. */
static bool sane(const det_watch *watch) {
    if (watch->nights > UINT64_MAX / 2 || watch->changes > DET__BANK || watch->away > watch->nights)
        return false;
    for (size_t p = 0; p < watch->chain.count; p++)
        if (watch->start[p] > watch->nights || watch->home[p] > watch->nights ||
            watch->rest[p] > watch->nights + DET__DEPTH)
            return false;
    for (size_t i = 0; i < watch->changes; i++) {
        const det__change *change = &watch->bank[i];
        if (change->start >= watch->nights || watch->nights - change->start > DET__BELIEFS ||
            (change->portion % DET__ALONE >= watch->chain.count && change->portion != DET__SCALE) ||
            change->portion > DET__SCALE)
            return false;
    }
    return numbers_sane(watch);
}

det_watch *det_watch_restore(const det_chain *chain, const det_policy *policy, const void *bytes,
                             size_t size) {
    det_watch *watch = det_watch_new(chain, policy);
    if (!watch)
        return NULL;
    uint64_t magic = 0, count = 0, depth = 0, sum = 0;
    cursor c = {.in = bytes, .size = size};
    if (bytes && det_watch_save(watch, NULL, 0) == size) {
        bytes8(&c, &magic);
        bytes8(&c, &count);
        bytes8(&c, &depth);
        if (magic == magics[policy->trim] && count == chain->count && depth == DET__DEPTH) {
            fields(&c, watch);
            const size_t end = c.at;
            bytes8(&c, &sum);
            if (sum == checksum(bytes, end) && sane(watch)) {
                det__find_best(watch);
                return watch;
            }
        }
    }
    det_watch_free(watch);
    return NULL;
}
