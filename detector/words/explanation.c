#include "detector/words/explanation.h"

#include <math.h>
#include <string.h>

#include "detector/words/change.h"
#include "detector/words/text__.h"

#define SHARE_LEAST 1e-3     /* of the configuration's cost: what layout alone may do to a count */
#define ELSEWHERE_LEAST 0.01 /* of the change: less is not worth a word */
#define SAMPLE_UNITS 100     /* of the last place: samples a call are few */
#define NAME_SHOWN 120       /* bytes of a function's name */

/* Counted exactly, or sampled and so different each time? */
static int is_sampled(const det_explanation *e) {
    return strcmp(e->unit, "instructions") != 0;
}

static int is_of_time(const det_explanation *e) {
    return strcmp(e->unit, "ns") == 0;
}

/* As far as its interval tells: with one loop it tells nothing. */
static int holds_nothing(const det_interval *change) {
    return change->high > change->low && change->low <= 0 && change->high >= 0;
}

double det_explanation_scale(const det_explanation *e) {
    const det_interval *change = &e->found->change;
    if (!isfinite(e->change_ns) || e->change_ns == 0 || change->mean == 0 ||
        fabs(change->mean) < SHARE_LEAST * e->found->level_cost || holds_nothing(change) ||
        change->mean * e->change_ns < 0)
        return (double)NAN;
    return e->change_ns / change->mean;
}

/* Is at least half of the change in it? */
static int has_half(const det_contrast *found, const det_contrast_function *share) {
    return share->change.mean * found->change.mean > 0 &&
           fabs(share->change.mean) >= fabs(found->change.mean) / 2 &&
           !holds_nothing(&share->change);
}

/* The function with the largest share: the first that moved as the whole did. The one that stacks
 * begin with is that of the harness, and stands for whatever is not below another one: where it
 * does not have half of the change, it says less than the next one. */
static const det_contrast_function *share_of(const det_contrast *found) {
    const det_contrast_function *first = NULL;
    for (size_t i = 0; i < found->count; i++) {
        const det_contrast_function *one = &found->functions[i];
        if (one->change.mean * found->change.mean <= 0)
            continue;
        if (one->caller || has_half(found, one))
            return one;
        first = first ? first : one;
    }
    return first ? first : &found->functions[0];
}

static int explanation_explains(const det_explanation *e) {
    return isfinite(det_explanation_scale(e)) && e->found->count > 0 &&
           has_half(e->found, share_of(e->found));
}

static void put_ns(det__line *line, double ns, int is_signed) {
    const int unit = det__unit(ns);
    det__put(line, is_signed && ns >= 0 ? "+" : "");
    det__put_in(line, ns, unit, det__decimals(ns / det__unit_ns(unit)), NULL);
}

static void put_bytes(det__line *line, double bytes, int is_signed) {
    det__put(line, is_signed && bytes >= 0 ? "+" : "");
    det__put_fixed(line, bytes, fabs(bytes) >= 100 ? 0 : det__decimals(bytes));
    det__put(line, " bytes");
}

/* How an amount is put: of time, or of bytes. */
typedef void put_amount(det__line *line, double value, int is_signed);

static void put_count(det__line *line, double value) {
    det__put(line, value >= 0 ? "+" : "");
    det__put_fixed(line, value, fabs(value) >= 100 ? 0 : det__decimals(value));
}

/* "kieker/probe/Aspect.operation" is "Aspect.operation" to people, but "f (dir/file.py)" stays; a
 * letter is not cut in two. */
static void put_name(det__line *line, const char *name) {
    const char *slash = strrchr(name, '/');
    char shown[NAME_SHOWN + 1];
    if (slash && strchr(slash, '.') && !strchr(name, ' '))
        name = slash + 1;
    size_t length = strlen(name);
    const int cut = length > NAME_SHOWN;
    if (cut)
        for (length = NAME_SHOWN; length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80;)
            length--;
    memcpy(shown, name, length);
    shown[length] = '\0';
    det__put(line, "`");
    det__put(line, shown);
    det__put(line, cut ? "…`" : "`");
}

/* " (520 ns to 600 ns)", the smaller first; not where they would be printed alike. */
static void put_range(det__line *line, const det_interval *change, double scale, put_amount *put) {
    if (!(change->high > change->low) || det__same_in_print(change->low, change->high))
        return;
    det__put(line, " (");
    put(line, (scale < 0 ? change->high : change->low) * scale, 1);
    det__put(line, " to ");
    put(line, (scale < 0 ? change->low : change->high) * scale, 1);
    det__put(line, ")");
}

/* A function that was never sampled may still have been there. */
static const char *news_of(const det_contrast_function *f, int sampled) {
    return f->is_new    ? sampled ? " (not seen before)" : " (new)"
           : f->is_gone ? sampled ? " (not seen after)" : " (gone)"
                        : "";
}

static void put_function(det__line *line, const det_contrast_function *f, double scale, int sampled,
                         put_amount *put) {
    det__put(line, sampled ? "about " : "");
    put(line, f->change.mean * scale, 1);
    if (sampled)
        put_range(line, &f->change, scale, put);
    det__put(line, " in ");
    put_name(line, f->name);
    det__put(line, news_of(f, sampled));
    if (!f->caller)
        return;
    det__put(line, ", called from ");
    put_name(line, f->caller);
}

static void put_cost(det__line *line, const det_explanation *e) {
    if (is_of_time(e)) {
        put_ns(line, e->found->change.mean, 1);
    } else {
        det__put(line, e->found->change.mean >= 0 ? "+" : "");
        det__put_fixed(line, e->found->change.mean,
                       det__decimals_of(e->found->change.mean, SAMPLE_UNITS));
        det__put(line, " samples");
    }
}

static void put_loops(det__line *line, const det_contrast *found) {
    det__put(line, " in ");
    det__put_count(line, found->loops);
    det__put(line, found->loops == 1 ? " loop" : " loops");
}

/* "(from samples of processor time: +612 ns a call in 5 loops)" */
static void put_samples(det__line *line, const det_explanation *e) {
    det__put(line, is_of_time(e) ? " (from samples of processor time: " : " (from samples: ");
    put_cost(line, e);
    det__put(line, " a call");
    put_loops(line, e->found);
    det__put(line, ")");
}

static void put_source(det__line *line, const det_explanation *e) {
    if (is_sampled(e)) {
        put_samples(line, e);
        return;
    }
    det__put(line, " (scaled from ");
    put_count(line, e->found->change.mean);
    det__put(line, " ");
    det__put(line, e->unit);
    det__put(line, " a call)");
}

/* Samples do not show it: they scatter too widely, or the processor has nothing to do with it. */
static void put_unseen_samples(det__line *line, const det_explanation *e) {
    const det_interval *change = &e->found->change;
    const int still = fabs(change->mean) < SHARE_LEAST * e->found->level_cost || change->mean == 0;
    const char *what = is_of_time(e) ? "processor time" : "samples";
    det__put(line, ", but ");
    det__put(line, holds_nothing(change) ? "profiles do not show where: its " : "its ");
    det__put(line, what);
    det__put(line, holds_nothing(change) ? " changed by "
                   : still               ? " did not change ("
                   : change->mean > 0    ? " rose ("
                                         : " fell (");
    put_cost(line, e);
    if (holds_nothing(change) && is_of_time(e))
        put_range(line, change, 1, put_ns);
    det__put(line, " a call");
    put_loops(line, e->found);
    if (!holds_nothing(change))
        det__put(line, e->is_judged ? "): the cause may be waiting (locks, input, output)" : ")");
}

/* The profiles do not show it. */
static void put_unseen(det__line *line, const det_explanation *e) {
    const double change = e->found->change.mean;
    const int still = fabs(change) < SHARE_LEAST * e->found->level_cost || change == 0;
    det__put(line, ", but its ");
    det__put(line, e->unit);
    det__put(line, still ? " did not change" : change > 0 ? " rose" : " fell");
    det__put(line, " (");
    put_count(line, change);
    det__put(line, " a call)");
    det__put(line, e->is_judged ? DET__NO_WORK : "");
}

static void put_functions(det__line *line, const det_explanation *e, double scale) {
    const det_contrast_function *first = share_of(e->found);
    const double elsewhere = e->change_ns - first->change.mean * scale;
    if (!explanation_explains(e)) {
        det__put(line, "; no function explains half of it; the largest share is ");
        put_function(line, first, scale, is_sampled(e), put_ns);
    } else {
        det__put(line, ": ");
        put_function(line, first, scale, is_sampled(e), put_ns);
        if (fabs(elsewhere) >= ELSEWHERE_LEAST * fabs(e->change_ns)) {
            det__put(line, "; ");
            put_ns(line, elsewhere, 1);
            det__put(line, " elsewhere");
        }
    }
    put_source(line, e);
}

/* By how much is told where it is judged, and may be told anew. */
static void put_change(det__line *line, const det_explanation *e) {
    det__put(line, e->portion);
    if (!isfinite(e->change_ns)) {
        det__put(line, " has no time of both nights");
        return;
    }
    det__put(line, " ");
    det__put(line, det_change_verb((e->change_ns > 0) - (e->change_ns < 0)));
    if (!e->is_judged)
        det__put(line, " from one night to the other, which this alert does not judge");
}

void det_explanation_sentence(char *text, size_t size, const det_explanation *e) {
    det__line line = det__line_of(text, size);
    const double scale = det_explanation_scale(e);
    put_change(&line, e);
    if (isfinite(scale) && e->found->count > 0)
        put_functions(&line, e, scale);
    else if (is_sampled(e))
        put_unseen_samples(&line, e);
    else
        put_unseen(&line, e);
}

/* ---- of amounts that are what they are: bytes, whole processes ---- */

static void put_ms(det__line *line, double ns, int is_signed) {
    det__put(line, is_signed && ns >= 0 ? "+" : "");
    det__put_fixed(line, ns / 1e6, det__decimals(ns / 1e6));
    det__put(line, " ms");
}

static void put_mb(det__line *line, double bytes, int is_signed) {
    det__put(line, is_signed && bytes >= 0 ? "+" : "");
    det__put_fixed(line, bytes / (1 << 20), det__decimals(bytes / (1 << 20)));
    det__put(line, " MB");
}

static void put_taken(det__line *line, double samples, int is_signed) {
    det__put(line, is_signed && samples >= 0 ? "+" : "");
    det__put_fixed(line, samples, det__decimals_of(samples, SAMPLE_UNITS));
    det__put(line, " samples");
}

/* "start of W takes 12.0 ms of processor more" */
typedef struct {
    const char *unit, *before, *verb, *of, *from;
    put_amount *put;
} amount;

static const amount amounts[] = {
    {"bytes", "", " allocates ", " a call", " (from samples", put_bytes},
    {"ns a process", "", " takes ", " of processor a process", " (from samples", put_ms},
    {"samples a process", "", " takes ", " of processor a process", " (from samples", put_taken},
    {"ns a start", "start of ", " takes ", " of processor", " (from samples", put_ms},
    {"samples a start", "start of ", " takes ", " of processor", " (from samples", put_taken},
    {"bytes a process", "", " keeps ", " of heap", " (live at the end", put_mb}};

static const amount *amount_of(const char *unit) {
    for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++)
        if (strcmp(amounts[i].unit, unit) == 0)
            return &amounts[i];
    return NULL;
}

int det_explanation_is_amount(const char *unit) {
    return amount_of(unit) != NULL;
}

static int is_still(const det_contrast *found) {
    return found->change.mean == 0 || fabs(found->change.mean) < SHARE_LEAST * found->level_cost;
}

static void put_as_much(det__line *line, const amount *a, const det_contrast *found) {
    det__put(line, "as much as before");
    if (is_still(found)) {
        det__put(line, " (");
        a->put(line, found->after, 0);
        det__put(line, a->of);
        det__put(line, ")");
        return;
    }
    det__put(line, ", as far as samples tell: ");
    a->put(line, found->change.mean, 1);
    put_range(line, &found->change, 1, a->put);
    det__put(line, a->of);
}

static void put_where(det__line *line, const amount *a, const det_contrast *found) {
    const det_contrast_function *first = share_of(found);
    const double whole = found->change.mean, elsewhere = whole - first->change.mean;
    const int explains = has_half(found, first);
    det__put(line, explains ? ": " : "; no function explains half of it; the largest share is ");
    put_function(line, first, 1, 1, a->put);
    if (!explains || fabs(elsewhere) < ELSEWHERE_LEAST * fabs(whole))
        return;
    det__put(line, "; ");
    a->put(line, elsewhere, 1);
    det__put(line, " elsewhere");
}

void det_explanation_amount(char *text, size_t size, const char *portion, const char *unit,
                            const det_contrast *found) {
    det__line line = det__line_of(text, size);
    const amount *a = amount_of(unit);
    det__put(&line, a->before);
    det__put(&line, portion);
    det__put(&line, a->verb);
    if (is_still(found) || holds_nothing(&found->change)) {
        put_as_much(&line, a, found);
    } else {
        a->put(&line, fabs(found->change.mean), 0);
        det__put(&line, a->of);
        det__put(&line, found->change.mean > 0 ? " more" : " less");
        if (found->count > 0)
            put_where(&line, a, found);
        else
            det__put(&line, "; profiles do not show where");
    }
    det__put(&line, a->from);
    put_loops(&line, found);
    det__put(&line, ")");
}
