#include "detector/words/doubt.h"

#include "detector/words/text__.h"

bool det_doubt_silent(double mean_low_ns, double median_low_ns) {
    return mean_low_ns <= 0 && median_low_ns <= 0;
}

static void put_all(det__line *line, const char *const *texts, size_t count) {
    for (size_t i = 0; i < count; i++)
        det__put(line, texts[i]);
}

void det_doubt_put_silent(char *text, size_t size, const char *portion, const char *configuration,
                          const char *parent) {
    det__line line = det__line_of(text, size);
    const char *const texts[] = {
        portion,       ": these loops cannot tell ",
        configuration, " from ",
        parent,        ". Measure more, or check that it instruments and records."};
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
    det__put_fixed(&line, expected > 0 ? 100 * (double)records / (double)expected : 0, 1);
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
    det__put(&line, ": ");
    det__put_count(&line, failed);
    det__put(&line, " of ");
    det__put_count(&line, loops);
    det__put(&line, loops == 1 ? " loop failed: " : " loops failed; the last: ");
    det__put(&line, reason);
}
