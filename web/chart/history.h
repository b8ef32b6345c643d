#pragma once
/*
 * What was measured, ready for drawing: nights oldest first, each with the values of the stacked
 * chain's portions. Made from nights; text is made valid UTF-8, freed of control
 * characters and cut; numbers that are missing, not finite or absurd become "absent".
 */
#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

#include "config/model/night.h"
#include "web/chart/chart.h"

/* The API hands out at most 5000 nights at once; a chain has one portion a configuration. */
#define WEB_HISTORY_NIGHTS_MAX 5000
#define WEB_HISTORY_PORTIONS_MAX 64
/* 1e15 ns are eleven days a call: not a response time, but a damaged number. */
#define WEB_HISTORY_NS_MAX 1e15

typedef enum {
    WEB_VERDICT_OK, /* or another that has no mark */
    WEB_VERDICT_ANOMALY,
    WEB_VERDICT_SUSPECT /* to be measured again */
} web_verdict;

typedef enum { WEB_NIGHT_MEASURED, WEB_NIGHT_FAILED, WEB_NIGHT_QUARANTINED } web_night_state;

typedef struct {
    double mean_ns, low_ns, high_ns; /* mean or median; low and high equal it without interval */
    bool present;
    web_verdict verdict;
    int direction; /* +1 up, -1 down, 0 not said */
} web_value;

typedef struct {
    const char *date;     /* "YYYY-MM-DD", or what was sent */
    const char *commit;   /* short id, may be empty */
    const char *reason;   /* why it failed, may be NULL */
    GDate day;            /* invalid (g_date_valid) when the date is not a date */
    double level;         /* of its intervals, such as 0.95; NaN when it is not said */
    const char *incident; /* name of the one that begins with it, NULL: none, or another environment
                           * that no bridge leads to */
    const char *note;     /* what people say of it, or NULL */
    const char *baseline; /* why somebody says that a level begins with it, or NULL */
    const char *release;  /* the tag that makes its commit a release, or NULL */
    bool boundary;        /* its environment is another than the night's before */
    bool accepted;        /* a change of this night was accepted: a new baseline begins */
    web_night_state state;
    web_value total[2];         /* height of the whole chain; [web_chart_of] */
    const web_value *values[2]; /* [web_chart_of][count], by portion; use web_night_value */
    guint count;
} web_night;

typedef struct {
    char *name;  /* "T", "I", "C", "W" or the project's own */
    char *label; /* for the legend: "method time", … or the configuration's label */
    char *unit;  /* of its values; NULL: they are times */
} web_portion;

/* Texts and values lie together, in a few large pieces: thousands of small ones between what is
 * read and thrown away for each request would keep all its pages. */
struct web_history {
    GArray *nights;      /* web_night, oldest first */
    GArray *portions;    /* web_portion, bottom of the stack first */
    GStringChunk *texts; /* of the nights; NULL in a window, which borrows them */
    GArray *values;      /* web_value; likewise */
    struct {             /* until web_history_end */
        const char *leaf;
        char *until;
        unsigned limit;
    } reading;
};

/**
 * web_history_new - reads *night* objects.
 * until  "YYYY-MM-DD" or NULL; leaf: configuration whose chain is stacked, or NULL for the first
 * limit  keep the newest so many; 0: WEB_HISTORY_NIGHTS_MAX
 * Returns NULL and WEB_CHART_ERROR_INPUT when it is no array of objects. Free with
 * web_history_free.
 */
web_history *web_history_new(const json_t *nights, const char *until, const char *leaf,
                             unsigned limit, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/**
 * web_history_begin - the same from several pieces, each with nights that are not newer than those
 * of the one before: web_history_add each, then web_history_end. leaf must live until then.
 */
web_history *web_history_begin(const char *until, const char *leaf,
                               unsigned limit) G_GNUC_WARN_UNUSED_RESULT;
void web_history_add(web_history *history, const cfg_night *nights, size_t count);
void web_history_end(web_history *history);
void web_history_free(web_history *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(web_history, web_history_free)

/**
 * web_history_window - the newest `limit` (0: all) nights up to `until` (NULL: the newest).
 * Shares everything with history, which must live longer; no night is copied. Free with
 * web_history_free.
 */
web_history *web_history_window(const web_history *history, const char *until,
                                unsigned limit) G_GNUC_WARN_UNUSED_RESULT;

/** web_night_value - of a portion; absent where the night has none of it. */
static inline web_value web_night_value(const web_night *night, web_chart_of of, guint portion) {
    return portion < night->count ? night->values[of][portion] : (web_value){0};
}

/** web_history_unit - of all its values: a chain has one; NULL: they are times. Borrowed. */
const char *web_history_unit(const web_history *history);

/** web_history_shows - does any night have a value of the portion? */
bool web_history_shows(const web_history *history, web_chart_of of, guint portion);
