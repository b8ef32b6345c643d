#include "tests/bench/detector/report.h"

#include <stdarg.h>

void say(report *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vprintf(format, arguments);
    va_end(arguments);
    if (!r->markdown)
        return;
    va_start(arguments, format);
    (void)vfprintf(r->markdown, format, arguments);
    va_end(arguments);
}

void head(report *r) {
    say(r, "| detector | P@3 | R@3 | F1@3 | P@14 | R@14 | F1@14 | delay, nights | false alarms "
           "/ 100 nights |\n|---|---|---|---|---|---|---|---|---|\n");
}

void row(report *r, const char *name, const score *s) {
    say(r, "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.1f | %.3f |\n", name,
        score_precision(s, 3), score_recall(s, 3), score_f1(s, 3), score_precision(s, 14),
        score_recall(s, 14), score_f1(s, 14), s->hits14 > 0 ? s->delay / s->hits14 : 0,
        score_false(s));
}

void figure(report *r, const char *key, double value) {
    json_object_set_new(r->figures, key, json_real(value));
}
