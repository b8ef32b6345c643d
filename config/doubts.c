#include "config/doubts.h"

#include "config/config.h"
#include "config/json_text.h"
#include "detector/statistics/dimension.h"
#include "detector/words/counted.h"

#include <glib.h>
#include <math.h>
#include <string.h>

static void add(cfg_night *night, const char *kind, const char *configuration, const char *portion,
                const char *sentence) {
    /* A reason may hold what a program printed. */
    char *valid = g_utf8_make_valid(sentence, -1);
    cfg_doubt *doubt = model_add(&cfg_night_model, night, "doubts");
    *doubt = (cfg_doubt){g_strdup(kind), g_strdup(configuration), g_strdup(portion), valid};
}

char *cfg_doubt_silent(const cfg_portion *portion) {
    const char *name = portion->portion, *configuration = portion->configuration;
    char words[DET_DOUBT_MAX];
    if (!name || !configuration || !portion->parent ||
        !det_doubt_silent(portion->now.low, portion->median.low))
        return NULL;
    /* More threads may well add nothing to the method. */
    if (g_str_has_prefix(configuration, portion->parent) &&
        g_str_has_suffix(configuration, strrchr(CFG_THREADS_NAME, '-')))
        return NULL;
    det_doubt_put_silent(words, sizeof words, name, configuration, portion->parent,
                         portion->now.high < 0);
    return g_strdup(words);
}

static void add_silent(cfg_night *night, const cfg_portion *portion) {
    g_autofree char *words = cfg_doubt_silent(portion);
    if (words)
        add(night, "silent", portion->configuration, portion->portion, words);
}

#define STUCK_NIGHTS 5
#define STUCK_ALIKE 1e-9 /* of the value */

/* A fraction that is the same to its last digit night after night is hardly measured any more.
 * Whole numbers are counts, which may well be the same. */
static void add_stuck(cfg_night *night, const cfg_portion *portion) {
    const double mean = portion->now.mean, alike = STUCK_ALIKE * fabs(mean);
    const det_interval *before = &portion->reference;
    if (!portion->unit || portion->reference_nights < STUCK_NIGHTS || !(fabs(mean) > 0) ||
        fabs(mean - round(mean)) <= alike || !(fabs(mean - before->mean) <= alike) ||
        !(before->high - before->low <= alike))
        return;
    g_autofree char *words = g_strdup_printf(
        "%s: %.10g %s to the last digit, as in the %lld nights before. Check that it is still "
        "measured.",
        portion->portion, mean, portion->unit, (long long)portion->reference_nights);
    add(night, "stuck", portion->configuration, portion->portion, words);
}

/* Records that one of the two who count them found. */
typedef struct {
    unsigned long long records, expected;
    unsigned long long many, due; /* likewise of loops to which more came than could */
} found;

/* Of the loops of one configuration. */
typedef struct {
    unsigned long long failed, disturbed, loops;
    found received, verified;
    const char *reason;      /* of the last that failed; borrowed */
    const char *disturbance; /* of the last that was disturbed; borrowed */
    const char *problem;     /* what its harness could not tell; borrowed */
    unsigned long long left; /* processes that outlived it */
} counts;

/* A verify that does not say what it expected compares nothing. */
static void count_found(found *mine, const json_t *told) {
    const json_int_t records = cfg_json_integer(told, "records");
    const json_int_t expected = cfg_json_integer(told, "expected");
    if (!json_is_integer(json_object_get(told, "records")) || records < 0 || expected <= 0)
        return;
    *(records > expected ? &mine->many : &mine->records) += (unsigned long long)records;
    *(records > expected ? &mine->due : &mine->expected) += (unsigned long long)expected;
}

static void count_loop(counts *mine, const cfg_loop *loop) {
    const json_t *readings = loop->readings;
    mine->loops++;
    if (loop->failed) {
        mine->failed++;
        mine->reason = loop->failed;
        return;
    }
    if (loop->disturbed && !cfg_json_true(readings, "stray")) {
        const char *why = cfg_json_word(readings, "disturbed_by", NULL);
        mine->disturbed++;
        mine->disturbance = why ? why : mine->disturbance;
    }
    const char *problem = cfg_json_word(json_object_get(readings, "harness"), "problem", NULL);
    const json_int_t left = cfg_json_integer(json_object_get(readings, "process"), "left");
    mine->problem = problem ? problem : mine->problem;
    mine->left += left > 0 ? (unsigned long long)left : 0;
    count_found(&mine->received, json_object_get(readings, "receiver"));
    count_found(&mine->verified, json_object_get(readings, "verify"));
}

/* More than a hundred percent cannot have arrived: somebody else's, or some of them twice. What
 * another loop lacks does not make up for it. */
static void add_surplus(cfg_night *night, const char *name, const found *counted) {
    if (counted->many == 0)
        return;
    g_autofree char *words = g_strdup_printf(
        "%s: %llu records came where %llu were expected; what was lost cannot be told.", name,
        counted->many, counted->due);
    add(night, "uncounted", name, NULL, words);
}

/* What nobody waits for is in no account of the kernel's. */
static void add_left(cfg_night *night, const char *name, unsigned long long left) {
    if (left == 0)
        return;
    g_autofree char *words = g_strdup_printf(
        "%s: when its program had ended, %llu %s it had started still ran and %s killed; what %s "
        "used is not in its processor time.",
        name, left, left == 1 ? "process that" : "processes that", left == 1 ? "was" : "were",
        left == 1 ? "it" : "they");
    add(night, "uncounted", name, NULL, words);
}

/* Where most loops were disturbed, none is left that could stand for the others. */
static void add_disturbed(cfg_night *night, const char *name, const counts *mine) {
    const unsigned long long ran = mine->loops - mine->failed;
    if (2 * mine->disturbed <= ran)
        return;
    g_autofree char *words = g_strdup_printf(
        "%s: %llu of %llu loops were disturbed%s%s.", name, mine->disturbed, ran,
        mine->disturbance ? ", such as: " : "", mine->disturbance ? mine->disturbance : "");
    add(night, "disturbed", name, NULL, words);
}

static void add_counted(cfg_night *night, const cfg_measured *configuration) {
    const char *name = configuration->name;
    char words[DET_DOUBT_MAX];
    counts mine = {0};
    for (unsigned i = 0; i < configuration->loop_results_count; i++)
        count_loop(&mine, &configuration->loop_results[i]);
    if (name && mine.received.records < mine.received.expected) {
        det_doubt_put_dropped(words, sizeof words, name, mine.received.records,
                              mine.received.expected);
        add(night, "dropped", name, NULL, words);
    }
    if (name && mine.verified.records < mine.verified.expected) {
        det_doubt_put_unwritten(words, sizeof words, name, mine.verified.records,
                                mine.verified.expected);
        add(night, "dropped", name, NULL, words);
    }
    if (name) {
        add_surplus(night, name, &mine.received);
        add_surplus(night, name, &mine.verified);
        add_left(night, name, mine.left);
    }
    if (name && mine.problem) {
        g_autofree char *problem = g_strdup_printf("%s: %s.", name, mine.problem);
        add(night, "uncounted", name, NULL, problem);
    }
    if (name)
        add_disturbed(night, name, &mine);
    if (name && mine.failed > 0) {
        det_doubt_put_failed(words, sizeof words, name, mine.failed, mine.loops, mine.reason);
        add(night, "failed", name, NULL, words);
    }
}

/* Of one configuration: dimension → what its loops counted. */
static void add_no_count(cfg_night *night, const char *configuration, json_t *dimensions) {
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
        add(night, "uncounted", configuration, NULL, words);
    }
}

/* What the loops that count could not count. */
static void add_uncounted(cfg_night *night, const json_t *told) {
    const char *name;
    json_t *value;
    json_t *failed = json_object_get(told, "failed");
    json_t *configurations = json_object_get(told, "configurations");
    json_object_foreach (failed, name, value) {
        g_autofree char *words = g_strdup_printf(
            "not counted: %s", json_is_string(value) ? json_string_value(value) : name);
        add(night, "uncounted", NULL, NULL, words);
    }
    json_object_foreach (configurations, name, value)
        add_no_count(night, name, value);
}

void cfg_doubts(cfg_night *night) {
    for (unsigned i = 0; i < night->portions_count; i++) {
        add_silent(night, &night->portions[i]);
        add_stuck(night, &night->portions[i]);
    }
    for (unsigned i = 0; i < night->configurations_count; i++)
        add_counted(night, &night->configurations[i]);
    add_uncounted(night, night->counts);
}
