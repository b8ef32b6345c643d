#include "config/formats/formats.h"

#include "config/config.h"
#include "detector/reader/raw.h"
#include "detector/statistics/interval.h"

#include <math.h>
#include <string.h>

static void value_free(void *pointer) {
    fmt_value *value = pointer;
    g_free(value->name);
    g_free(value->apart);
    g_free(value->alone);
    g_free(value->full);
    g_free(value->unit);
    g_free(value->over);
    g_array_unref(value->values_ns);
    g_array_unref(value->loops);
    g_array_unref(value->failed);
    g_free(value);
}

static void failed_clear(void *pointer) {
    g_free(((fmt_failed *)pointer)->why);
}

static void left_free(void *pointer) {
    fmt_left *left = pointer;
    g_free(left->name);
    g_free(left->apart);
    g_free(left->alone);
    g_free(left->full);
    g_free(left->why);
    g_clear_pointer(&left->failed, g_array_unref);
    g_free(left);
}

fmt_night *fmt_night_new(GPtrArray *nights, const char *format) {
    fmt_night *night = g_new0(fmt_night, 1);
    night->format = format;
    night->time_ms = night->commit_ms = -1;
    night->values = g_ptr_array_new_with_free_func(value_free);
    night->left = g_ptr_array_new_with_free_func(left_free);
    night->notes = g_ptr_array_new_with_free_func(g_free);
    night->unread = g_ptr_array_new_with_free_func(g_free);
    night->machine = json_object();
    g_ptr_array_add(nights, night);
    return night;
}

void fmt_night_free(void *pointer) {
    fmt_night *night = pointer;
    g_free(night->suite);
    g_free(night->sha);
    g_free(night->subject);
    g_free(night->author);
    g_ptr_array_unref(night->values);
    g_ptr_array_unref(night->left);
    g_ptr_array_unref(night->notes);
    g_ptr_array_unref(night->unread);
    json_decref(night->machine);
    g_free(night);
}

enum { MACHINE_MAX = 30, MACHINE_BYTES = 200 };

/* Numbers come as reals (fmt_json_read): 2.0 processors are 2. */
static json_t *whole(json_t *value) {
    const double number = json_number_value(value);
    return json_is_real(value) && number == floor(number) &&
                   fabs(number) < (double)DET_RAW_VALUE_MAX
               ? json_integer((json_int_t)number)
               : json_incref(value);
}

void fmt_night_machine(fmt_night *night, const fmt_at *of, const char *const *keys) {
    const char *key;
    json_t *value;
    json_object_foreach (of->json, key, value)
        if ((!keys || g_strv_contains(keys, key)) && strlen(key) < MACHINE_BYTES &&
            json_object_size(night->machine) < MACHINE_MAX &&
            (json_is_number(value) || json_is_boolean(value) ||
             (json_is_string(value) && json_string_length(value) < MACHINE_BYTES)))
            json_object_set_new(night->machine, key, whole(value));
}

static fmt_value *find(const GPtrArray *values, const char *name, const char *apart) {
    for (guint i = values->len; i > 0; i--) { /* a file tells one benchmark after the other */
        fmt_value *value = values->pdata[i - 1];
        if (g_str_equal(value->name, name) && g_strcmp0(value->apart, apart) == 0)
            return value;
    }
    return NULL;
}

fmt_value *fmt_night_value(fmt_night *night, const char *name, const char *apart) {
    fmt_value *value = find(night->values, name, apart);
    if (value)
        return value;
    value = g_new0(fmt_value, 1);
    value->name = g_strdup(name);
    value->apart = g_strdup(apart);
    value->mean_ns = value->low_ns = value->high_ns = value->allocated_bytes = (double)NAN;
    value->values_ns = g_array_new(FALSE, FALSE, sizeof(double));
    value->loops = g_array_new(FALSE, FALSE, sizeof(guint));
    value->failed = g_array_new(FALSE, FALSE, sizeof(fmt_failed));
    g_array_set_clear_func(value->failed, failed_clear);
    g_ptr_array_add(night->values, value);
    return value;
}

fmt_value *fmt_night_once(fmt_night *night, const fmt_at *at, const char *name, const char *apart,
                          GError **error) {
    const guint there = night->values->len;
    fmt_value *value = fmt_night_value(night, name, apart);
    if (night->values->len > there)
        return value;
    (void)fmt_wrong(at, error, "\"%s\" is there twice", name);
    return NULL;
}

bool fmt_each(const fmt_at *list, fmt_night *night,
              bool (*read)(const fmt_at *item, fmt_night *night, GError **error), GError **error) {
    bool good = true;
    for (size_t i = 0; good && i < fmt_size(list); i++) {
        const fmt_at item = fmt_item(list, i);
        good = read(&item, night, error);
    }
    return good;
}

void fmt_value_loop(fmt_value *value) {
    const guint none = 0;
    g_array_append_val(value->loops, none);
}

void fmt_value_add(fmt_value *value, double ns) {
    g_array_append_val(value->values_ns, ns);
    if (value->loops->len > 0)
        g_array_index(value->loops, guint, value->loops->len - 1)++;
}

void fmt_value_failed(fmt_value *value, char *why) {
    const fmt_failed failed = {value->loops->len + value->failed->len + 1, why};
    g_array_append_val(value->failed, failed);
}

void fmt_night_leave(fmt_night *night, const char *name, const char *apart, const char *why, ...) {
    va_list arguments;
    va_start(arguments, why);
    fmt_left *left = g_new0(fmt_left, 1);
    left->name = g_strdup(name ? name : "");
    left->apart = g_strdup(apart);
    left->why = g_strdup_vprintf(why, arguments);
    va_end(arguments);
    g_ptr_array_add(night->left, left);
}

static void add_once(GPtrArray *texts, const char *text) {
    if (!g_ptr_array_find_with_equal_func(texts, text, g_str_equal, NULL))
        g_ptr_array_add(texts, g_strdup(text));
}

void fmt_night_note(fmt_night *night, const char *text) {
    add_once(night->notes, text);
}

void fmt_night_unread(fmt_night *night, const char *name) {
    add_once(night->unread, name);
}

void fmt_night_unread_members(fmt_night *night, const fmt_at *of, const char *const *known) {
    const char *key;
    json_t *value;
    json_object_foreach (of->json, key, value)
        if (!json_is_string(value) && !json_is_boolean(value) && !g_strv_contains(known, key))
            fmt_night_unread(night, key);
}

/* One note for all of them: "beside the times, not read: spans, MB/s and 3 more". */
static void unread_tell(fmt_night *night) {
    enum { TOLD = 10 };
    g_autoptr(GString) text = g_string_new("beside the times, not read: ");
    for (guint i = 0; i < night->unread->len && i < TOLD; i++)
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : "", (char *)night->unread->pdata[i]);
    if (night->unread->len > TOLD)
        g_string_append_printf(text, " and %u more", night->unread->len - TOLD);
    if (night->unread->len > 0)
        fmt_night_note(night, text->str);
}

void fmt_night_numbers(fmt_night *night, fmt_value *value, const fmt_at *list, double factor,
                       const char *where) {
    for (size_t i = 0; i < fmt_size(list); i++) {
        const fmt_at one = fmt_item(list, i);
        if (isfinite(fmt_real(&one)))
            fmt_value_add(value, fmt_real(&one) * factor);
        else
            fmt_night_leave(night, value->name, value->apart, "%svalue %zu is not a number", where,
                            i + 1);
    }
}

static double mean_of(const fmt_value *value, guint from, guint count) {
    const double *numbers = (const double *)(const void *)value->values_ns->data + from;
    double sum = 0;
    for (guint i = 0; i < count; i++)
        sum += value->rates ? 1 / numbers[i] : numbers[i];
    return count == 0 ? (double)NAN : value->rates ? count / sum : sum / count;
}

double *fmt_value_means(const fmt_value *value) {
    double *means = g_new(double, value->loops->len + 1);
    guint from = 0;
    for (guint i = 0; i < value->loops->len; i++) {
        const guint count = g_array_index(value->loops, guint, i);
        means[i] = mean_of(value, from, count);
        from += count;
    }
    return means;
}

/* Loops without a value are none. */
static void loops_drop_empty(fmt_value *value) {
    for (guint i = value->loops->len; i > 0; i--)
        if (g_array_index(value->loops, guint, i - 1) == 0)
            g_array_remove_index(value->loops, i - 1);
}

static void mean_make(fmt_value *value) {
    det_interval interval;
    loops_drop_empty(value);
    g_autofree double *means = fmt_value_means(value);
    if (value->loops->len > 0) {
        double sum = 0;
        for (guint i = 0; i < value->loops->len; i++)
            sum += means[i];
        value->mean_ns = sum / value->loops->len;
    } else if (value->values_ns->len > 0 && isnan(value->mean_ns)) {
        value->mean_ns = mean_of(value, 0, value->values_ns->len);
    }
    if (det_interval_mean(&interval, means, value->loops->len, 0.95) == DET_OK) {
        value->low_ns = interval.low;
        value->high_ns = interval.high;
    }
}

/* Of the mean and all numbers that it is of. */
static double least_of(const fmt_value *value) {
    double least = value->mean_ns;
    for (guint i = 0; i < value->values_ns->len; i++)
        least = fmin(least, g_array_index(value->values_ns, double, i));
    return least;
}

/* Why it cannot be the time of a call; NULL: it can. A difference may be anything. */
static const char *flaw_of(const fmt_value *value) {
    const bool time = !value->unit;
    return !isfinite(value->mean_ns)     ? "is not a number"
           : value->over                 ? NULL
           : least_of(value) < 0 && time ? "is negative; a call cannot take negative time"
           : least_of(value) < 0         ? "is negative: only values from 0 on are watched"
           : value->mean_ns == 0 && time ? "is 0: nothing was measured"
                                         : NULL;
}

/* The name of a value, or of what is left out, and what tells it from others of that name. */
typedef struct {
    char **name, *apart, **alone, **full;
} named;

static GArray *names_of(const fmt_night *night) {
    GArray *names = g_array_new(FALSE, FALSE, sizeof(named));
    for (guint i = 0; i < night->values->len; i++) {
        fmt_value *value = night->values->pdata[i];
        const named one = {&value->name, value->apart, &value->alone, &value->full};
        g_array_append_val(names, one);
    }
    for (guint i = 0; i < night->left->len; i++) {
        fmt_left *left = night->left->pdata[i];
        const named one = {&left->name, left->apart, &left->alone, &left->full};
        if (one.apart && **one.name != '\0') /* else it may be of any */
            g_array_append_val(names, one);
    }
    return names;
}

/* Each whose name others have, too, is called by what tells it apart. */
static void names_part(fmt_night *night) {
    g_autoptr(GArray) names = names_of(night);
    g_autoptr(GHashTable) first = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) shared = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < names->len; i++) {
        const named *one = &g_array_index(names, named, i);
        gpointer apart;
        if (!g_hash_table_lookup_extended(first, *one->name, NULL, &apart))
            g_hash_table_insert(first, g_strdup(*one->name), one->apart);
        else if (g_strcmp0(apart, one->apart) != 0)
            g_hash_table_add(shared, g_strdup(*one->name));
    }
    for (guint i = 0; i < names->len; i++) {
        const named *one = &g_array_index(names, named, i);
        if (!one->apart)
            continue;
        *one->alone = g_strdup(*one->name);
        *one->full = g_strdup_printf("%s [%s]", *one->name, one->apart);
        if (g_hash_table_contains(shared, *one->alone)) {
            g_free(*one->name);
            *one->name = g_strdup(*one->full);
        }
    }
}

static bool names_differ(const fmt_night *night, GError **error) {
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < night->values->len; i++) {
        const fmt_value *value = night->values->pdata[i];
        if (!g_hash_table_add(names, value->name)) {
            g_set_error(
                error, CFG_ERROR, CFG_ERROR_SYNTAX,
                "\"%s\" is there twice, and nothing distinguishes them; give each a different name",
                value->name);
            return false;
        }
    }
    return true;
}

/* Why a value is none. All of its loops failed: they stand with the first reason that was given. */
static void value_leave(fmt_night *night, const fmt_value *value, const char *flaw) {
    if (value->failed->len == 0 || value->values_ns->len > 0) {
        fmt_night_leave(night, value->name, value->apart, "%s", flaw);
        fmt_left *left = night->left->pdata[night->left->len - 1];
        left->alone = g_strdup(value->alone);
        left->full = g_strdup(value->full);
        return;
    }
    for (guint i = 0; i < night->left->len; i++) {
        fmt_left *left = night->left->pdata[i];
        if (g_str_equal(left->name, value->name)) {
            left->failed = g_array_ref(value->failed);
            return;
        }
    }
}

bool fmt_night_end(fmt_night *night, GError **error) {
    unread_tell(night);
    names_part(night);
    for (guint i = 0; i < night->values->len;) {
        fmt_value *value = night->values->pdata[i];
        mean_make(value);
        const char *flaw = flaw_of(value);
        if (!(value->low_ns <= value->mean_ns)) /* also what is not a number */
            value->low_ns = (double)NAN;
        if (!(value->high_ns >= value->mean_ns))
            value->high_ns = (double)NAN;
        if (flaw) {
            value_leave(night, value, flaw);
            g_ptr_array_remove_index(night->values, i);
        } else {
            i++;
        }
    }
    return names_differ(night, error);
}

gint64 fmt_time_ms(const char *text) {
    g_autoptr(GTimeZone) utc = g_time_zone_new_utc();
    g_autoptr(GDateTime) moment = text ? g_date_time_new_from_iso8601(text, utc) : NULL;
    return moment ? g_date_time_to_unix(moment) * 1000 : -1;
}
