#include "tests/bench/detector/young.h"

#include "tests/bench/detector/loop.h"

#define ALARMS 512
#define AFTER 3 /* nights that have the change; the first of them counts as well */
#define SIZES 4
#define ROWS 5

static const double sizes[SIZES] = {0.05, 0.10, 0.20, 0.50};
static const size_t before[ROWS] = {2, 4, 6, 9, 12}; /* with AFTER: histories of 5 to 15 nights */

typedef struct {
    double found1, found2, found3; /* by the first, second and third night of the change */
    double wrong, nights;          /* alarms on histories without change */
    loop_cost cost;
} young;

/* A portion in turn rises by that share in night `at`. */
static void generate(history *h, uint64_t seed, size_t at, double size) {
    history_generate_change(
        h, seed, HISTORY_STANDARD, at + AFTER,
        &(history_change){
            .night = (int)at, .portion = 1 + (int)(seed % 3), .sign = 1, .size = size});
}

static size_t alarms_of(const history *h, uint64_t seed, int closed, alarm_at *out, young *y) {
    return closed ? loop_closed(h, seed, out, ALARMS, &y->cost) : loop_open(h, 1, out, ALARMS);
}

static void count_found(young *y, const history *h, const alarm_at *alarms, size_t count) {
    const history_change *c = &h->change[0];
    int first = AFTER;
    for (size_t i = 0; i < count; i++)
        if (alarms[i].portion == c->portion && alarms[i].direction > 0 &&
            alarms[i].night >= c->night && alarms[i].night - c->night < first)
            first = alarms[i].night - c->night;
    y->found1 += first == 0;
    y->found2 += first <= 1;
    y->found3 += first <= 2;
}

static young cell(uint64_t seed, size_t at, double size, int closed, int count) {
    alarm_at alarms[ALARMS];
    young y = {0};
    for (int i = 0; i < count; i++) {
        history h;
        if (size > 0)
            generate(&h, seed + (uint64_t)i, at, size);
        else
            history_generate(&h, seed + (uint64_t)i, HISTORY_STANDARD, at + AFTER, 1);
        const size_t n = alarms_of(&h, seed + 7 + (uint64_t)i, closed, alarms, &y);
        if (size > 0)
            count_found(&y, &h, alarms, n);
        else
            y.wrong += (double)n;
        y.nights += (double)h.nights;
        history_clear(&h);
    }
    return y;
}

void young_table(report *r, uint64_t seed, int count) {
    say(r, "\n| nights in all | loop | 5 %%: by 1st, 2nd, 3rd night | 10 %% | 20 %% | 50 %% | "
           "nothing there: alarms / 100 histories | extra time "
           "|\n|---|---|---|---|---|---|---|---|\n");
    for (size_t k = 0; k < ROWS; k++)
        for (int closed = 0; closed < 2; closed++) {
            say(r, "| %zu | %s |", before[k] + AFTER, closed ? "closed" : "open");
            for (size_t s = 0; s < SIZES; s++) {
                const young y = cell(seed + 1000 * k, before[k], sizes[s], closed, count);
                say(r, " %.2f, %.2f, %.2f |", y.found1 / count, y.found2 / count, y.found3 / count);
            }
            const young none = cell(seed + 500000 + 1000 * k, before[k], 0, closed, count);
            say(r, " %.2f |", 100 * none.wrong / count);
            if (closed)
                say(r, " %.0f %% |\n", 100 * none.cost.processes / none.cost.nightly);
            else
                say(r, " |\n");
        }
    say(r,
        "\n%d histories a cell; the change is in the last %d nights, in I, C and W in turn, ten "
        "loops a night, noise as in the other tables.\n",
        count, AFTER);
}
