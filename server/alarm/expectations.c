#include "server/alarm/expectations.h"

#include "config/json_text.h"
#include "config/model/detection.h"
#include "server/alarm/series_rows.h"
#include "server/alarm/trial.h"
#include "server/result/result.h"
#include "server/store/projects.h"
#include "sql/series.h"

#include <math.h>
#include <string.h>

/*
 * expectation - what a commit says in advance about its overhead. Pure.
 *
 *     Overhead-Expected: PORTION[,PORTION …] [[+|-]NUMBER UNIT] [reason]
 *
 * PORTION is a short name of the project's (I, C, W, …), * all. UNIT is %, ns, us, µs or ms; with
 * a sign only a change that way is expected, without a bound one of any size.
 */

#define TEXT_MAX 500u /* bytes of a trailer that are looked at */

typedef struct {
    char **portions; /* NULL-ended; a single "*": all */
    int direction;   /* +1, -1, 0: either */
    double percent;  /* of the level before; NaN: no such bound */
    double ns;       /* likewise, absolute */
    char *reason;    /* NULL: none is given */
} expectation;

#define EXAMPLE "write it as in: Overhead-Expected: C +50ns new serializer"

static void expectation_clear(expectation *expect) {
    g_clear_pointer(&expect->portions, g_strfreev);
    g_clear_pointer(&expect->reason, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(expectation, expectation_clear)

static const char *skip(const char *at) {
    while (*at == ' ' || *at == '\t')
        at++;
    return at;
}

/* How many bytes of text are a known name, the longest one; 0: none. A name may hold blanks. */
static size_t name_length(const char *text, const char *const *names, size_t count) {
    size_t longest = *text == '*' ? 1 : 0;
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(names[i]);
        if (length > longest && strncmp(text, names[i], length) == 0)
            longest = strchr(", \t", text[length]) ? length : longest;
    }
    return longest > 0 && strchr(", \t", text[longest]) ? longest : 0;
}

static char *known_names(const char *const *names, size_t count) {
    g_autoptr(GString) all = g_string_new(NULL);
    for (size_t i = 0; i < count; i++)
        g_string_append_printf(all, "%s%s", i > 0 ? ", " : "", names[i]);
    return g_string_free(g_steal_pointer(&all), FALSE);
}

/* "I, W Zipkin" up to the first blank that no comma goes before and no name holds; at: out, what
 * follows. */
static bool portions_read(const char **at, const char *const *names, size_t count, expectation *out,
                          char **problem) {
    g_autoptr(GStrvBuilder) portions = g_strv_builder_new();
    for (bool more = true; more;) {
        const size_t known = name_length(*at, names, count);
        const size_t length = known > 0 ? known : strcspn(*at, ", \t");
        g_autofree char *name = g_strndup(*at, length);
        if (length == 0) {
            *problem = g_strdup("it names no portion; " EXAMPLE);
            return false;
        }
        if (known == 0) {
            g_autofree char *all = known_names(names, count);
            *problem = g_strdup_printf(
                "\"%s\" is not a portion of the project, which has %s; " EXAMPLE, name, all);
            return false;
        }
        g_strv_builder_add(portions, name);
        *at = skip(*at + length);
        more = **at == ',';
        if (more)
            *at = skip(*at + 1);
    }
    out->portions = g_strv_builder_end(portions);
    return true;
}

/* Multiplier to ns, or 0 for percent; false when none of them follows. */
static bool unit_read(const char **at, double *factor) {
    static const struct {
        const char *text;
        double factor;
    } units[] = {{"%", 0}, {"ns", 1}, {"us", 1e3}, {"\u00b5s", 1e3}, {"\u03bcs", 1e3}, {"ms", 1e6}};
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        size_t length = strlen(units[i].text);
        if (strncmp(*at, units[i].text, length) == 0 && !g_ascii_isalnum((*at)[length])) {
            *factor = units[i].factor;
            *at += length;
            return true;
        }
    }
    return false;
}

/* A bound begins with a digit, or with a sign and a digit; anything else is the reason. */
static bool bound_read(const char **at, expectation *out, char **problem) {
    const char *digits = *at + (**at == '+' || **at == '-');
    double factor;
    if (!g_ascii_isdigit(*digits))
        return true;
    out->direction = **at == '+' ? 1 : **at == '-' ? -1 : 0;
    char *end;
    double value = g_ascii_strtod(digits, &end);
    *at = skip(end);
    if (!unit_read(at, &factor)) {
        *problem = g_strdup("its bound has no unit (%, ns, us, ms); " EXAMPLE);
        return false;
    }
    if (!isfinite(value) || value <= 0) {
        *problem = g_strdup("its bound is not above 0; " EXAMPLE);
        return false;
    }
    *(factor == 0 ? &out->percent : &out->ns) = factor == 0 ? value : value * factor;
    *at = skip(*at);
    return true;
}

static char *reason_read(const char *at) {
    g_autofree char *text = g_strstrip(g_strdup(at));
    size_t length = strlen(text);
    if (length >= 2 && text[0] == '(' && text[length - 1] == ')') {
        text[length - 1] = '\0';
        return g_strstrip(g_strdup(text + 1));
    }
    return length > 0 ? g_steal_pointer(&text) : NULL;
}

/*
 * The text after the colon.
 * names    [count] short names of the project's portions
 * problem  out: a sentence, owned by the caller, when it cannot be understood
 * Returns true, and out is to be cleared; false, and out is empty.
 */
static bool expectation_parse(const char *text, const char *const *names, size_t count,
                              expectation *out, char **problem) {
    const char *at = skip(text);
    *out = (expectation){.percent = NAN, .ns = NAN};
    *problem = NULL;
    if (strlen(text) > TEXT_MAX)
        *problem = g_strdup_printf("it is longer than %u bytes", TEXT_MAX);
    else if (!g_utf8_validate(text, -1, NULL))
        *problem = g_strdup("it is not UTF-8");
    else if (portions_read(&at, names, count, out, problem) && bound_read(&at, out, problem))
        out->reason = reason_read(at);
    if (*problem)
        expectation_clear(out);
    return !*problem;
}

/*
 * Was this change announced?
 * low_ns, high_ns  interval of the difference, which is what the bound is held against: noise does
 *                  not make a change larger than announced
 */
static bool expectation_covers(const expectation *expect, const char *portion, double before_ns,
                               double low_ns, double high_ns) {
    bool up = low_ns + high_ns > 0;
    double least = fmax(up ? low_ns : -high_ns, 0);
    bool named = false;
    for (char **name = expect->portions; name && *name; name++)
        named = named || g_str_equal(*name, "*") || g_str_equal(*name, portion);
    if (!named || (expect->direction != 0 && (expect->direction > 0) != up))
        return false;
    if (!isnan(expect->ns) && !(least <= expect->ns))
        return false;
    return isnan(expect->percent) || least <= expect->percent / 100 * fabs(before_ns);
}

/* By what a project's announcements are read; the tree's names are borrowed from body. */
typedef struct {
    json_t *body;
    cfg_detection detection;
} project_facts;

static const model_member project_members[] = {
    MODEL(project_facts, body, "body"),
    MODEL_A(project_facts, detection, cfg_detection_model, MODEL_PART, "detection")};
static const model_noun project_noun = MODEL_NOUN(project_facts, project_members, "project");

static const model_member commit_members[] = {
    MODEL(srv__announcement, sha, "sha"),
    MODEL_NULLS(srv__announcement, author, author_email, time_ms, subject)};
static const model_noun commit_noun = MODEL_NOUN(srv__announcement, commit_members, "commit");

static const model_member announcement_members[] = {MODEL_NULLS(srv__announcement, place, text),
                                                    MODEL_INSIDE(commit_noun, "commit")};
static const model_noun announcement_noun =
    MODEL_NOUN(srv__announcement, announcement_members, "announcement");

/* Why this commit's author may not announce; NULL: they may, or nobody said who may. */
static char *stranger(const cfg_detection *detection, const srv__announcement *item) {
    const char *mail = item->author_email;
    for (unsigned i = 0; mail && i < detection->announcers_count; i++)
        if (g_ascii_strcasecmp(mail, detection->announcers[i]) == 0)
            return NULL;
    return detection->announcers_count == 0
               ? NULL
               : g_strdup_printf("%s is not among detection.announcers", mail ? mail : "nobody");
}

static bool take_one(srv_store *store, int64_t project, const srv__tree *tree,
                     const cfg_detection *detection, const srv__announcement *item,
                     GError **error) {
    g_autofree char *problem = NULL;
    g_auto(expectation) expect = {0};
    if (!item->text)
        return true;
    if (!expectation_parse(item->text, tree->portion, tree->chain.count, &expect, &problem))
        expect.percent = expect.ns = NAN;
    if (!problem)
        problem = stranger(detection, item);
    json_auto_t *list = cfg_json_texts(expect.portions, SIZE_MAX);
    g_autofree char *portions = json_dumps(list, JSON_COMPACT);
    return srv__run(store,
                    ASK(expectation_insert, project, item->place, item->sha, item->author,
                        item->time_ms, item->subject, item->text, portions, expect.direction,
                        expect.percent, expect.ns, expect.reason ? expect.reason : item->subject,
                        problem),
                    error);
}

static bool item_take(srv_store *store, int64_t project, const srv__tree *tree,
                      const cfg_detection *detection, const json_t *json, GError **error) {
    MODEL_HELD(srv__announcement, item, announcement_noun);
    return model_read(&announcement_noun, json, &item, error) &&
           take_one(store, project, tree, detection, &item, error);
}

static bool take(srv_store *store, int64_t project, const json_t *list, bool anew, GError **error) {
    srv__tree tree;
    MODEL_HELD(project_facts, facts, project_noun);
    bool good =
        srv__one(store, ASK(project_benchmark, project), &project_noun, &facts, NULL, error) &&
        srv__tree_read(&tree, facts.body, error) &&
        (!anew || srv__run(store, ASK(expectations_drop, project), error));
    for (size_t i = 0; good && i < json_array_size(list); i++)
        good = item_take(store, project, &tree, &facts.detection, json_array_get(list, i), error);
    return good;
}

bool srv_expectations_take(srv_store *store, const char *project, const json_t *list, bool anew,
                           GError **error) {
    int64_t id;
    if (json_array_size(list) == 0 && !anew)
        return true;
    return srv__project_id(store, project, &id, error) && srv__begin(store, error) &&
           srv__end(store, take(store, id, list, anew, error), error);
}

/* What a commit between an alert's nights has announced. */
typedef struct {
    char *sha, *author, *text, *reason;
    expectation expect;
    cfg_detection detection;
} announced;

static const model_member announced_members[] = {
    MODEL(announced, sha, "sha"),
    MODEL_NULLS(announced, author, text, reason),
    MODEL(announced, expect.portions, "portions", MODEL_NULL),
    MODEL(announced, expect.direction, "direction", MODEL_NULL),
    MODEL(announced, expect.percent, "percent", MODEL_NULL, NAN),
    MODEL(announced, expect.ns, "ns", MODEL_NULL, NAN),
    MODEL_A(announced, detection, cfg_detection_model, MODEL_PART, "detection")};
static const model_noun announced_noun = MODEL_NOUN(announced, announced_members, "announcement");

/* How a portion of an alert changed. */
typedef struct {
    char *portion, *configuration, *dimension;
    double before, mean, low, high; /* low, high: as mean where they are not known */
} changed;

static const model_member changed_members[] = {
    MODEL(changed, portion, "portion"), MODEL_NULLS(changed, before, mean),
    MODEL(changed, low, "low", MODEL_NULL, NAN), MODEL(changed, high, "high", MODEL_NULL, NAN),
    MODELS(changed, configuration, dimension)};
static const model_noun changed_noun = MODEL_NOUN(changed, changed_members, "portion of an alert");

static bool covers(const expectation *expect, const char *portion, const changed *change) {
    return expectation_covers(expect, portion, change->before,
                              isnan(change->low) ? change->mean : change->low,
                              isnan(change->high) ? change->mean : change->high);
}

/* So large a change needs a person, whoever announced it. */
static bool within_bound(const announced *row, const changed *portion) {
    char all[] = "*";
    char *portions[] = {all, NULL};
    const expectation bound = {
        .portions = portions, .percent = row->detection.announced_percent, .ns = NAN};
    return covers(&bound, all, portion);
}

static bool is_time(const changed *portion) {
    return g_str_equal(portion->dimension, SRV__TIME);
}

/* Does it follow from a time that is a change of the same alert? */
static bool follows(const model_list *portions, const changed *portion) {
    const det_dimension *of = det_dimension_find(portion->dimension);
    const changed *other = portions->items;
    for (unsigned i = 0; of && of->follows && i < portions->count; i++, other++)
        if (is_time(other) && g_str_equal(other->configuration, portion->configuration))
            return true;
    return false;
}

/* The announcement that covers a portion's change; NULL: none, as for all that is beside time. */
static const announced *covering(const model_list *list, const changed *portion) {
    const announced *row = list->items;
    for (unsigned i = 0; is_time(portion) && i < list->count; i++, row++)
        if (within_bound(row, portion) && covers(&row->expect, portion->portion, portion))
            return row;
    return NULL;
}

/* What is said of an alert: who announced it, or what of it nobody did. */
typedef struct {
    const announced *first; /* announcement that covers a portion; NULL: none does */
    GString *reasons, *others;
    bool whole;
} answer;

static void answer_add(answer *a, const changed *portion, const announced *by) {
    const char *name = portion->portion;
    a->whole = a->whole && by;
    if (!by) {
        g_string_append_printf(a->others, "%s%s", a->others->len > 0 ? ", " : "", name);
        return;
    }
    a->first = a->first ? a->first : by;
    g_autofree char *told =
        g_strdup_printf("%s (announced in %.9s: %s)", by->reason, by->sha, by->text);
    if (!strstr(a->reasons->str, told))
        g_string_append_printf(a->reasons, "%s%s", a->reasons->len > 0 ? "; " : "", told);
}

static bool answer_give(srv_store *store, int64_t alert, const answer *a, int64_t now_ms,
                        GError **error) {
    if (a->whole && a->first)
        return srv__alert_note(store, alert, "accepted", a->first->author, a->reasons->str, now_ms,
                               error);
    g_autofree char *reason = g_strdup_printf(
        "%s%sannounced another change: %s was not announced, or is larger (than announced, or than "
        "detection.announced_percent)",
        a->reasons->str, a->reasons->len > 0 ? "; but the change " : "the change ", a->others->str);
    return srv__alert_keep(store, alert, reason, now_ms, error);
}

bool srv__expectations_answer(srv_store *store, int64_t alert, int64_t now_ms, GError **error) {
    g_auto(model_list) list = {0};
    g_auto(model_list) portions = {0};
    if (!srv__many(store, ASK(expectations_of_alert, alert), &announced_noun, &list, error) ||
        !srv__many(store, ASK(alert_changes, alert), &changed_noun, &portions, error))
        return false;
    answer a = {NULL, g_string_new(NULL), g_string_new(NULL), true};
    const changed *portion = portions.items;
    for (unsigned i = 0; i < portions.count; i++, portion++)
        if (!follows(&portions, portion))
            answer_add(&a, portion, covering(&list, portion));
    const bool good = list.count == 0 || answer_give(store, alert, &a, now_ms, error);
    g_string_free(a.reasons, TRUE);
    g_string_free(a.others, TRUE);
    return good;
}
