#include "web/words/words.h"

#include "detector/words/change.h"
#include "web/layout/text.h"

#include <glib.h>
#include <math.h>

enum { NAME_CHARS = 60 };

static const struct {
    char letter;
    const char *label;
} STANDARD[] = {
    {'T', "method time"}, {'I', "instrumentation"}, {'C', "collection"}, {'W', "writing"}};

static const char *label_of(char letter) {
    for (size_t i = 0; i < G_N_ELEMENTS(STANDARD); i++)
        if (STANDARD[i].letter == letter)
            return STANDARD[i].label;
    return NULL;
}

const char *web_portion_label(const char *portion) {
    return portion && *portion && portion[1] == '\0' ? label_of(*portion) : NULL;
}

size_t web_portion_letters(const char *portion) {
    for (size_t count = 1; portion && label_of(*portion); count++, portion += 2)
        if (portion[1] != '+')
            return portion[1] == '\0' || portion[1] == ' ' || portion[1] == '-' ? count : 0;
    return 0;
}

char *web_portion_spelled(const char *portion) {
    const size_t count = web_portion_letters(portion);
    GString *text = count > 0 ? g_string_new(NULL) : NULL;
    for (size_t i = 0; i < count; i++)
        g_string_append_printf(text, "%s%s",
                               i == 0           ? ""
                               : i + 1 == count ? " and "
                                                : ", ",
                               label_of(portion[2 * i]));
    return text ? g_string_free(text, FALSE) : NULL;
}

char *web_portion_joined(const char *portion, const char *own, const char *parent) {
    if (web_portion_letters(portion) < 2)
        return NULL;
    g_autofree char *what = web_portion_spelled(portion);
    g_autofree char *to = web_text_name(own, NAME_CHARS);
    g_autofree char *from = parent ? web_text_name(parent, NAME_CHARS) : NULL;
    *what = g_ascii_toupper(*what);
    return from ? g_strdup_printf("%s cannot be told apart: nothing was measured between \"%s\" "
                                  "and \"%s\", so this is what all of it adds.",
                                  what, from, to)
                : g_strdup_printf("%s cannot be told apart: nothing was measured below \"%s\".",
                                  what, to);
}

char *web_portion_name(const char *portion, const char *which) {
    g_autofree char *letter = web_text_name(portion && *portion ? portion : "?", NAME_CHARS);
    g_autofree char *configuration = which ? web_text_name(which, NAME_CHARS) : NULL;
    g_autofree char *label = web_portion_spelled(letter);
    if (!label)
        return configuration ? g_strdup_printf("%s (%s)", letter, configuration)
                             : g_steal_pointer(&letter);
    char *name = g_strdup_printf("%s (%s%s%s)", label, letter, configuration ? ", " : "",
                                 configuration ? configuration : "");
    *name = g_ascii_toupper(*name);
    return name;
}

static int sign_of(const char *direction) {
    return g_strcmp0(direction, "up") == 0 ? 1 : g_strcmp0(direction, "down") == 0 ? -1 : 0;
}

/* A verdict that has several reasons is told by its rule. */
const char *web_portion_words(const cfg_portion *portion) {
    static const struct {
        const char *verdict, *rule, *words; /* rule NULL: any */
    } table[] = {
        {"ok", "little-evidence", "not shown to have changed"},
        {"ok", "below-minimum-effect", "differs little"},
        {"ok", "answered-false", "no change here, as somebody said"},
        {"ok", "set-by-hand", "no change here, as somebody said"},
        {"ok", "not-this-commit", "changed, not with this commit"}, /* of the gate, as the next */
        {"ok", "commit-unknown", "changed, its commit is not known"},
        {"ok", NULL, "as before"},
        {"first", "new-level", "a new level, set by hand"},
        {"first", "missing", "no result"}, /* of a comparison */
        {"first", NULL, "first of its series"},
        {"suspect", NULL, "suspected, to be measured again"},
        {"cleared", NULL, "suspected and cleared"},
        {"environment", "new-environment", "the environment changed"},
        {"environment", "new-level", "a new level begins"},
        {"environment", "common-scale", "moved by one factor"},
        {"environment", "not-scaled", "the control moved otherwise"},
        {"environment", "control-moved", "the control moved"},
        {"environment", "machine-unclear", "not clear whether the machine changed"},
        {"environment", NULL, "not comparable with before"},
        {"harness", NULL, "the measurement is suspect"},
    };
    if (cfg_is(portion->verdict, "anomaly"))
        return det_change_verb(sign_of(portion->direction));
    if (cfg_is(cfg_portion_standing(portion), "missing"))
        return "no result";
    if (cfg_is(portion->rule, "pending"))
        return det_change_maybe(sign_of(portion->direction));
    if (cfg_is(portion->rule, "common-scale") && sign_of(portion->direction) == 0)
        return "likely the machine"; /* and this portion is where it was */
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++)
        if (cfg_is(portion->verdict, table[i].verdict) &&
            (!table[i].rule || cfg_is(portion->rule, table[i].rule)))
            return table[i].words;
    return portion->verdict ? portion->verdict : "";
}

const char *web_verdict_mark(const char *direction) {
    static const char *const marks[] = {"▼", "●", "▲"};
    return marks[sign_of(direction) + 1];
}

char *web_level_interval(double level) {
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    if (!(level > 0 && level < 1))
        return g_strdup("interval");
    g_ascii_formatd(number, sizeof number, "%g", round(1e6 * level) / 1e4);
    return g_strconcat(number, " % interval", NULL);
}
