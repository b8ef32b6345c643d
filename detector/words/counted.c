#include "detector/words/counted.h"

#include "detector/words/text__.h"

#include <math.h>
#include <string.h>

#define WHOLE_FROM 100.0 /* counts from here on have no decimals */
#define FEWER_MOST 99.9  /* per cent: fewer are not all */

static void put_amount(det__line *line, double value) {
    det__put_fixed(line, value,
                   fabs(value) >= WHOLE_FROM || value == round(value) ? 0 : det__decimals(value));
}

static int moved(const det_counted *one) {
    return det_dimension_moved(one->dimension, &one->before, &one->after);
}

/* How many of them are told. */
static size_t put_change(det__line *line, const char *portion, const det_counted *list,
                         size_t count) {
    size_t told = 0;
    int a_call = 0;
    for (size_t i = 0; i < count; i++) {
        const double change = list[i].after.mean - list[i].before.mean;
        if (!moved(&list[i]))
            continue;
        const int whole = strcmp(list[i].dimension->per, "call") != 0;
        if (a_call && whole)
            det__put(line, " a call");
        det__put(line, told == 0 ? portion : ",");
        det__put(line, change > 0 ? " +" : " ");
        put_amount(line, change);
        det__put(line, " ");
        det__put(line, list[i].dimension->label);
        det__put(line, list[i].slow ? " (in small steps)" : "");
        a_call = strcmp(list[i].dimension->per, "call") == 0;
        told++;
    }
    if (a_call)
        det__put(line, " a call");
    return told;
}

void det_counted_change(char *text, size_t size, const char *portion, const det_counted *list,
                        size_t count) {
    det__line line = det__line_of(text, size);
    (void)put_change(&line, portion, list, count);
}

static det_interval third_of(const det_interval *share) {
    const double half = (share->high - share->low) / 6;
    return (det_interval){
        .mean = share->mean, .low = share->mean - half, .high = share->mean + half};
}

bool det_counted_lost(char *text, size_t size, const char *portion, const det_counted *lost) {
    const det_counted sure = {.dimension = lost->dimension,
                              .before = third_of(&lost->before),
                              .after = third_of(&lost->after)};
    det_counted_change(text, size, portion, &sure, moved(&sure) > 0 ? 1 : 0);
    return *text != '\0';
}

void det_counted_alone(char *text, size_t size, const det_counted *one) {
    det__line line = det__line_of(text, size);
    const double change = one->after.mean - one->before.mean;
    if (!one->dimension || !isfinite(change))
        return;
    const int way = moved(one);
    det__put(&line, way > 0 ? "+" : "");
    put_amount(&line, way != 0 ? change : one->after.mean);
    det__put(&line, " ");
    det__put(&line, one->dimension->label);
    det__put(&line, way != 0 ? " a call" : " a call, as before");
}

static const det_counted *instructions_of(const det_counted *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].dimension->name, "instructions") == 0 &&
            isfinite(list[i].after.mean - list[i].before.mean))
            return &list[i];
    return NULL;
}

void det_counted_verdict(char *text, size_t size, const char *portion, int direction,
                         const det_counted *list, size_t count) {
    det__line line = det__line_of(text, size);
    const det_counted *instructions = instructions_of(list, count);
    const int way = instructions ? moved(instructions) : direction;
    const size_t told = put_change(&line, portion, list, count);
    if (way == direction)
        return;
    det__put(&line, told > 0 ? "; " : portion);
    det__put(&line, told > 0 ? "" : ": ");
    if (way != 0) {
        det__put(&line, direction > 0 ? "it does less and takes longer"
                                      : "it does more and takes less time");
        det__put(&line, DET__NO_WORK);
        return;
    }
    det__put(&line, "its instructions did not change (");
    put_amount(&line, instructions->after.mean);
    det__put(&line, " a call)");
    det__put(&line, DET__NO_WORK);
}

bool det_doubt_silent(double mean_low_ns, double median_low_ns) {
    return mean_low_ns <= 0 && median_low_ns <= 0;
}

static void put_all(det__line *line, const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++)
        det__put(line, texts[i]);
}

void det_doubt_put_silent(char *text, size_t size, const char *portion, const char *configuration,
                          const char *parent, bool less) {
    det__line line = det__line_of(text, size);
    const char *const texts[] = {portion,
                                 less ? ": in these loops " : ": these loops cannot tell ",
                                 configuration,
                                 less ? " takes less than " : " from ",
                                 parent,
                                 less ? ". Check" : ". Measure more, or check",
                                 " that it instruments and records."};
    put_all(&line, texts, sizeof texts / sizeof *texts);
}

static void put_fewer(char *text, size_t size, const char *configuration,
                      unsigned long long records, unsigned long long expected, const char *how) {
    det__line line = det__line_of(text, size);
    det__put(&line, configuration);
    det__put(&line, ": ");
    det__put_count(&line, records);
    det__put(&line, " of ");
    det__put_count(&line, expected);
    det__put(&line, " records ");
    det__put(&line, how);
    det__put(&line, " (");
    const double share = expected > 0 ? 100 * (double)records / (double)expected : 0;
    det__put_fixed(&line, fmin(share, FEWER_MOST), 1);
    det__put(&line, " %); the rest was dropped.");
}

void det_doubt_put_dropped(char *text, size_t size, const char *configuration,
                           unsigned long long records, unsigned long long expected) {
    put_fewer(text, size, configuration, records, expected, "reached the receiver");
}

void det_doubt_put_unwritten(char *text, size_t size, const char *configuration,
                             unsigned long long records, unsigned long long expected) {
    put_fewer(text, size, configuration, records, expected, "were written, as verify counted");
}

void det_doubt_put_failed(char *text, size_t size, const char *configuration,
                          unsigned long long failed, unsigned long long loops, const char *reason) {
    det__line line = det__line_of(text, size);
    det__put(&line, configuration);
    det__put(&line, loops == 1 ? " has no result: " : ": ");
    if (loops != 1) {
        det__put_count(&line, failed);
        det__put(&line, " of ");
        det__put_count(&line, loops);
        det__put(&line, " loops failed; the last: ");
    }
    det__put(&line, reason);
}
