#include "server/views/settled.h"

#include "server/alarm/bisection.h"

static void name(json_t *open, json_int_t count, const char *one, const char *many) {
    if (count == 0)
        return;
    g_autofree char *text =
        g_strdup_printf("%" JSON_INTEGER_FORMAT " %s", count, count == 1 ? one : many);
    json_array_append_new(open, json_string(text));
}

bool srv__settled_add(srv_store *store, json_t *project, GError **error) {
    /* An alert is told in one transaction, and its search begins with the next poll. */
    g_auto(model_list) wanted = {0};
    if (!srv_bisections_wanted(store, json_string_value(json_object_get(project, "name")), &wanted,
                               error))
        return false;
    const json_t *counts = json_object_get(project, "open");
    const char *const keys[] = {"webhooks", "running", "trials", "searches"};
    json_int_t n[G_N_ELEMENTS(keys)];
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
        n[i] = json_integer_value(json_object_get(counts, keys[i]));
    json_t *open = json_array();
    name(open, n[0], "webhook waiting for its commit", "webhooks waiting for their commits");
    name(open, json_integer_value(json_object_get(project, "queued")), "job queued", "jobs queued");
    name(open, n[1], "job running", "jobs running");
    name(open, n[2], "trial of two commits running", "trials of two commits running");
    name(open, n[3], "search for a commit running", "searches for a commit running");
    name(open, (json_int_t)wanted.count, "search for a commit to begin",
         "searches for a commit to begin");
    json_object_set_new(project, "settled", json_boolean(json_array_size(open) == 0));
    json_object_set_new(project, "open", open);
    return true;
}
