#include "server/views/views.h"
#include "server/views/views_parts.h"
#include "sql/views.h"

#include <math.h>
#include <string.h>

/* A loop's profile. */
typedef struct {
    int64_t loop, calls;
    char *stacks;
} loop_stacks;

static const model_member stacks_members[] = {MODELS(loop_stacks, loop, calls, stacks)};
static const model_noun stacks_noun = MODEL_NOUN(loop_stacks, stacks_members, "profile");

static bool nowhere(GError **error, const srv_profile_name *name) {
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND,
                     "alert %" G_GINT64_FORMAT " has no profile of %s", name->alert,
                     name->configuration);
}

/* Of one configuration and commit of an alert, by loop: [loop_stacks]. */
static bool loops_read(srv_store *store, const srv_profile_name *name, model_list *loops,
                       GError **error) {
    return srv__many(
        store, ASK(profile_rows, name->alert, name->dimension, name->configuration, name->before),
        &stacks_noun, loops, error);
}

char *srv_view_profile(srv_store *store, const srv_profile_name *name, GError **error) {
    g_auto(model_list) loops = {0};
    if (!loops_read(store, name, &loops, error) || (loops.count == 0 && !nowhere(error, name)))
        return NULL;
    GString *text = g_string_new(NULL);
    const loop_stacks *loop = loops.items;
    for (unsigned i = 0; i < loops.count; i++, loop++)
        g_string_append(text, loop->stacks);
    return g_string_free(text, FALSE);
}

/* Every loop of one end and configuration into its columns. */
static bool columns_read(srv_flame *f, const model_list *loops, bool after, bool of_parent) {
    const loop_stacks *loop = loops->items;
    for (unsigned i = 0; i < loops->count; i++, loop++) {
        det_stacks_error wrong;
        const size_t column = det_contrast_column(&f->plan, after, of_parent, i);
        if (i >= f->plan.loops || det_stacks_read(f->stacks, column, loop->stacks,
                                                  strlen(loop->stacks), &wrong) != DET_OK)
            return false;
        f->calls[column] = (double)loop->calls;
    }
    return true;
}

static bool ends_read(srv_flame *f, srv_store *store, srv_profile_name name, bool of_parent,
                      GError **error) {
    bool good = true;
    for (int after = 0; good && after < 2; after++) {
        g_auto(model_list) loops = {0};
        name.before = !after;
        good = loops_read(store, &name, &loops, error) &&
               (columns_read(f, &loops, after, of_parent) || nowhere(error, &name));
    }
    return good;
}

static bool make_room(srv_flame *f, size_t loops, bool has_parent) {
    const size_t columns = 4 * loops;
    f->stacks = det_stacks_new(columns);
    f->calls = g_new(double, columns);
    for (size_t i = 0; i < columns; i++)
        f->calls[i] = 1;
    f->plan = (det_contrast_plan){loops, has_parent, f->calls, 0.95};
    return f->stacks != NULL;
}

static bool load(srv_flame *f, srv_store *store, srv_profile_name name, const cfg_found *found,
                 GError **error) {
    g_auto(model_list) loops = {0};
    srv_profile_name of_parent = name;
    of_parent.configuration = found->parent;
    name.before = false;
    if (!loops_read(store, &name, &loops, error))
        return false;
    if (loops.count == 0 || !make_room(f, loops.count, found->parent != NULL))
        return nowhere(error, &name);
    f->title = g_strdup(found->sentence);
    f->scale_ns = found->change_ns / (found->after_units - found->before_units);
    if (!isfinite(f->scale_ns) || f->scale_ns <= 0)
        f->scale_ns = (double)NAN;
    return ends_read(f, store, name, false, error) &&
           (!found->parent || ends_read(f, store, of_parent, true, error));
}

bool srv_flame_load(srv_flame *flame, srv_store *store, const srv_profile_name *name,
                    GError **error) {
    g_auto(cfg_alert) alert = {0};
    *flame = (srv_flame){.scale_ns = (double)NAN};
    if (!srv__alert_explained(store, name->alert, &alert, error))
        return false;
    const cfg_explanation *why = alert.explanation;
    const bool bytes = strcmp(name->dimension, SRV_PROFILE_BYTES) == 0;
    const cfg_allocations *allocated = why && bytes ? why->allocations : NULL;
    const cfg_found *found = allocated ? allocated->portions : why && !bytes ? why->portions : NULL;
    const unsigned count = allocated ? allocated->portions_count : found ? why->portions_count : 0;
    flame->unit = g_strdup(bytes ? name->dimension : why ? why->unit : NULL);
    for (unsigned i = 0; i < count; i++, found++)
        if (cfg_is(found->configuration, name->configuration))
            return load(flame, store, *name, found, error);
    return nowhere(error, name);
}

void srv_flame_clear(srv_flame *flame) {
    det_stacks_free(flame->stacks);
    g_free(flame->calls);
    g_free(flame->title);
    g_free(flame->unit);
    *flame = (srv_flame){.scale_ns = (double)NAN};
}
