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

void report_aims(report *r) {
    static const struct {
        const char *what, *key;
        double aim;
        int most, decimals;
    } table[] = {
        {"open loop, F1@3", "open_f1_3", 0.80, 0, 3},
        {"open loop, F1@14", "open_f1_14", 0.88, 0, 3},
        {"open loop, false alarms / 100 nights", "open_fa", 0.1, 1, 3},
        {"closed loop, F1@3", "closed_f1_3", 0.90, 0, 3},
        {"closed loop, F1@14", "closed_f1_14", 0.95, 0, 3},
        {"closed loop, recall @3 of 5 %", "closed_r3_5pct", 0.80, 0, 2},
        {"closed loop, recall @3 of 10 %", "closed_r3_10pct", 0.98, 0, 2},
        {"closed loop, recall @3 of 20 %", "closed_r3_20pct", 0.99, 0, 2},
        {"closed loop, recall @3 of 50 %", "closed_r3_50pct", 1, 0, 2},
        {"closed loop, recall @14 of 2 %", "closed_r14_2pct", 0.60, 0, 2},
        {"closed loop, false alerts / 100 nights", "closed_fa", 0.01, 1, 3},
        {"measuring again, % of the nightly time", "extra_time_pct", 40, 1, 0},
        {"real noise, planted steps: recall @14", "real_planted_r14", 0.75, 0, 2},
        {"the same noise: alarms with nothing planted", "real_quiet_alarms", 0, 1, 0},
        {"real histories, pending, share of the worst", "suites_pending", 0.05, 1, 3},
        {"trials with nothing there: confirmed, share", "trials_nothing_confirmed", 0.002, 1, 4},
        {"trials of ten standard errors: confirmed, share", "trials_ten_errors_confirmed", 0.999, 0,
         4},
        {"labels of the real history, F1", "real_labels_f1", 0.90, 0, 2},
        {"a night, as a share of Otava's last hundred", "night_ratio_to_otava", 0.05, 1, 3},
        {"a whole history, as a share of one pass of Otava", "pass_ratio_to_otava", 0.05, 1, 3},
    };
    say(r, "\n| measure | aim | measured | |\n|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const json_t *figure = json_object_get(r->figures, table[i].key);
        const double value = json_number_value(figure);
        const int met = table[i].most ? value <= table[i].aim : value >= table[i].aim;
        if (figure)
            say(r, "| %s | %s %g | %.*f | %s |\n", table[i].what, table[i].most ? "≤" : "≥",
                table[i].aim, table[i].decimals, value, met ? "met" : "missed");
    }
}
