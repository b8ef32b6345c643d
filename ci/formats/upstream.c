#include "ci/formats/upstream.h"

#include "config/number.h"

#include <string.h>

#define KEY_LETTERS "abcdefghijklmnopqrstuvwxyz0123456789"
#define KEY_BYTES 60 /* of what is readable of it */
#define HASH_BYTES 8

/* Frameworks/…/labels.sh and their history. */
static const struct {
    const char *label, *now; /* now: NULL, or what it is called today */
    unsigned step;
    bool metrics;
} labels[] = {
    {"No instrumentation", NULL, 0, false},
    {"Deactivated probe", NULL, 1, false},
    {"Pinpoint Deactivated", NULL, 1, false},
    {"Disabled Profiling", NULL, 1, false},
    {"Skywalking no data collection", NULL, 1, false},
    {"No logging", NULL, 2, false},
    {"No collection", "No logging", 2, false}, /* since 2025-11-11 */
    {"No logging (null writer)", "No logging", 2, false},
    {"OpenTelemetry No Export", NULL, 2, false},
    {"OpenTelemetry No Logging", "OpenTelemetry No Export", 2, false},
    {"Pinpoint No Measurement", NULL, 2, false},
    {"Text file", NULL, 3, false},
    {"Binary file", NULL, 3, false},
    {"Binary TCP", NULL, 3, false},
    {"Binary file (Milli timer)", NULL, 3, false},
    {"Binary file (Zero timer)", NULL, 3, false},
    {"Binary TCP (Zero timer)", NULL, 3, false},
    {"Logging (Generic Text)", NULL, 3, false},
    {"Logging (Generic Bin)", NULL, 3, false},
    {"Logging (TCP)", NULL, 3, false},
    {"Logging (Single TCP)", NULL, 3, false},
    {"Logging", NULL, 3, false},
    {"Zipkin", NULL, 3, false},
    {"Zipkin+Cassandra", NULL, 3, false},
    {"Prometheus", NULL, 3, true},
    {"OpenTelemetry Logging", NULL, 3, false},
    {"OpenTelemetry Jaeger", NULL, 3, false},
    {"OpenTelemetry Zipkin", NULL, 3, false},
    {"OpenTelemetry Prometheus", NULL, 3, true},
    {"Instrumentation and Profiling", NULL, 3, false},
    {"Skywalking instrumentation", NULL, 3, false},
    {"Skywalking 20Hz Sampling", NULL, 3, false},
    {"Skywalking Sampling 20Hz", "Skywalking 20Hz Sampling", 3, false},
    {"Regular Writing", NULL, 3, false},
    {"Writing without sanitizing fields", NULL, 3, false},
    {"Pinpoint Basic", NULL, 3, false},
    {"Pinpoint Sampling", NULL, 3, false},
};

static const char *const numbered[] = {"No instrumentation", "Deactivated probe", "No logging"};

static bool find(const char *label, ci_upstream *out) {
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++)
        if (g_ascii_strcasecmp(labels[i].label, label) == 0) {
            *out = (ci_upstream){.label = labels[i].now ? labels[i].now : labels[i].label,
                                 .step = labels[i].step,
                                 .metrics = labels[i].metrics};
            return true;
        }
    return false;
}

bool ci_upstream_find(const char *label, ci_upstream *out) {
    static const char prefix[] = "Configuration ", dash[] = " - ";
    guint64 number;
    if (g_str_has_prefix(label, prefix) &&
        cfg_number_unsigned(label + strlen(prefix), 0, G_N_ELEMENTS(numbered) - 1, &number))
        return find(numbered[number], out);
    if (find(label, out))
        return true;
    const char *variant = g_strrstr(label, dash);
    if (!variant || strlen(variant) != strlen(dash) + 1 || !g_ascii_isupper(variant[strlen(dash)]))
        return false;
    g_autofree char *own = g_strndup(label, (gsize)(variant - label));
    if (!find(own, out))
        return false;
    out->variant[0] = variant[strlen(dash)];
    return true;
}

/* "No logging" → "no-logging" */
static char *letters_of(const char *label) {
    g_autofree char *lower = g_ascii_strdown(label, -1);
    g_strcanon(lower, KEY_LETTERS, '-');
    return g_steal_pointer(&lower);
}

/* Words for people as labels are, "With Zipkin": the key says all of it, so nothing else has that
 * key. What ends as a hash does, or begins as a label of MooBench's, could be another's. */
static bool is_plain(const char *label, const char *letters) {
    const size_t length = strlen(label);
    g_autofree char *back = g_strdelimit(g_strdup(letters), "-", ' ');
    back[0] = g_ascii_toupper(back[0]);
    if (!g_ascii_isupper(label[0]) || length > KEY_BYTES || !g_str_equal(back, label))
        return false;
    const char *end = letters + length - MIN(length, HASH_BYTES);
    if (end > letters && end[-1] == '-' && strspn(end, "0123456789abcdef") == HASH_BYTES)
        return false;
    for (size_t i = 0; i < G_N_ELEMENTS(labels); i++) {
        g_autofree char *taken = letters_of(labels[i].label);
        if (g_str_has_prefix(letters, taken))
            return false;
    }
    return true;
}

char *ci_upstream_key(const char *label) {
    ci_upstream known;
    if (ci_upstream_find(label, &known)) {
        g_autofree char *full =
            g_strconcat(known.label, *known.variant ? "-" : "", known.variant, NULL);
        return letters_of(full);
    }
    g_autofree char *letters = letters_of(label);
    if (is_plain(label, letters))
        return g_steal_pointer(&letters);
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA1, label, -1);
    return g_strdup_printf("%.*s-%.*s", KEY_BYTES, letters, HASH_BYTES, hash);
}
