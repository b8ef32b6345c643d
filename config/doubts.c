#include "config/doubts.h"

#include "detector/statistics/dimension.h"
#include "detector/words/doubt.h"

#include <glib.h>
#include <math.h>

static double real(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *text(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void add(json_t *doubts, const char *kind, const char *configuration, const char *portion,
                const char *sentence) {
    /* A reason may hold what a program printed. */
    g_autofree char *valid = g_utf8_make_valid(sentence, -1);
    json_array_append_new(doubts, json_pack("{s:s, s:s?, s:s?, s:s}", "kind", kind, "configuration",
                                            configuration, "portion", portion, "sentence", valid));
}

/* A probe that silently did nothing has the time of its parent. */
static void add_silent(json_t *doubts, const json_t *portion) {
    const char *name = text(portion, "portion"), *configuration = text(portion, "configuration"),
               *parent = text(portion, "parent");
    if (!name || !configuration || !parent ||
        !det_doubt_silent(real(portion, "low_ns"), real(portion, "median_low_ns")))
        return;
    char words[DET_DOUBT_MAX];
    det_doubt_put_silent(words, sizeof words, name, configuration, parent);
    add(doubts, "silent", configuration, name, words);
}

/* Records that one of the two who count them found. */
typedef struct {
    unsigned long long records, expected;
} found;

/* Of the loops of one configuration. */
typedef struct {
    unsigned long long failed, loops;
    found received, verified;
    const char *reason;  /* of the last that failed; borrowed */
    const char *problem; /* what its harness could not tell; borrowed */
} counts;

/* A verify that does not say what it expected compares nothing. */
static void count_found(found *mine, const json_t *told) {
    const json_int_t records = json_integer_value(json_object_get(told, "records"));
    const json_int_t expected = json_integer_value(json_object_get(told, "expected"));
    if (!json_is_integer(json_object_get(told, "records")) || records < 0 || expected < 0)
        return;
    mine->records += (unsigned long long)records;
    mine->expected += (unsigned long long)expected;
}

static void count_loop(counts *mine, const json_t *loop) {
    const char *failed = text(loop, "failed");
    mine->loops++;
    if (failed) {
        mine->failed++;
        mine->reason = failed;
        return;
    }
    const json_t *readings = json_object_get(loop, "readings");
    const char *problem = text(json_object_get(readings, "harness"), "problem");
    mine->problem = problem ? problem : mine->problem;
    count_found(&mine->received, json_object_get(readings, "receiver"));
    count_found(&mine->verified, json_object_get(readings, "verify"));
}

/* More than a hundred percent cannot have arrived: somebody else's, or some of them twice. */
static void add_surplus(json_t *doubts, const char *name, const found *counted) {
    if (counted->records <= counted->expected || counted->expected == 0)
        return;
    g_autofree char *words = g_strdup_printf(
        "%s: %llu records came where %llu were expected; what was lost cannot be told.", name,
        counted->records, counted->expected);
    add(doubts, "uncounted", name, NULL, words);
}

static void add_counted(json_t *doubts, const json_t *configuration) {
    const char *name = text(configuration, "name");
    char words[DET_DOUBT_MAX];
    counts mine = {0};
    size_t i;
    const json_t *loop;
    json_array_foreach (json_object_get(configuration, "loop_results"), i, loop)
        count_loop(&mine, loop);
    if (name && mine.received.records < mine.received.expected) {
        det_doubt_put_dropped(words, sizeof words, name, mine.received.records,
                              mine.received.expected);
        add(doubts, "dropped", name, NULL, words);
    }
    if (name && mine.verified.records < mine.verified.expected) {
        det_doubt_put_unwritten(words, sizeof words, name, mine.verified.records,
                                mine.verified.expected);
        add(doubts, "dropped", name, NULL, words);
    }
    if (name) {
        add_surplus(doubts, name, &mine.received);
        add_surplus(doubts, name, &mine.verified);
    }
    if (name && mine.problem) {
        g_autofree char *problem = g_strdup_printf("%s: %s.", name, mine.problem);
        add(doubts, "uncounted", name, NULL, problem);
    }
    if (name && mine.failed > 0) {
        det_doubt_put_failed(words, sizeof words, name, mine.failed, mine.loops, mine.reason);
        add(doubts, "failed", name, NULL, words);
    }
}

/* Of one configuration: dimension → what its loops counted. */
static void add_no_count(json_t *doubts, const char *configuration, json_t *dimensions) {
    const char *name;
    json_t *loops, *value;
    size_t i;
    json_object_foreach (dimensions, name, loops) {
        bool good = json_is_array(loops);
        json_array_foreach (loops, i, value)
            good = good && json_is_number(value) && det_dimension_valid(json_number_value(value));
        if (good)
            continue;
        g_autofree char *words = g_strdup_printf(
            "%s: the count of %s is not valid: the counter overflowed or went backwards.",
            configuration, name);
        add(doubts, "uncounted", configuration, NULL, words);
    }
}

/* What the loops that count could not count. */
static void add_uncounted(json_t *doubts, const json_t *told) {
    const char *name;
    json_t *value;
    json_t *failed = json_object_get(told, "failed");
    json_t *configurations = json_object_get(told, "configurations");
    json_object_foreach (failed, name, value) {
        g_autofree char *words = g_strdup_printf(
            "not counted: %s", json_is_string(value) ? json_string_value(value) : name);
        add(doubts, "uncounted", NULL, NULL, words);
    }
    json_object_foreach (configurations, name, value)
        add_no_count(doubts, name, value);
}

json_t *cfg_doubts(const json_t *experiment) {
    json_t *doubts = json_array();
    size_t i;
    const json_t *one;
    json_array_foreach (json_object_get(experiment, "portions"), i, one)
        add_silent(doubts, one);
    json_array_foreach (json_object_get(experiment, "configurations"), i, one)
        add_counted(doubts, one);
    add_uncounted(doubts, json_object_get(experiment, "counts"));
    return doubts;
}
