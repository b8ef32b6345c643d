#include "runner/link/spool.h"

#include "config/log.h"
#include "config/number.h"
#include "runner/ground/durable.h"
#include "runner/ground/error.h"
#include "runner/loop/loop.h"
#include "runner/process/scratch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const model_member job_members[] = {MODEL(run_head, id, "id", .low = 1),
                                           MODEL_NULLS(run_head, commit, before),
                                           MODEL(run_head, beside, "beside", MODEL_LEFT_OUT)};
static const model_noun job = MODEL_NOUN(run_head, job_members, "job");

static bool is_counted(const void *head) {
    return ((const run_head *)head)->counted;
}

static const model_member members[] = {
    MODEL_INSIDE(job, "job"), /* and whole, which is what is written */
    MODEL(run_head, job, "job"),
    MODEL(run_head, lease, "lease", MODEL_LEFT_OUT),
    MODEL(run_head, started_ms, "started_ms", MODEL_WRITTEN),
    MODEL(run_head, prepared, "prepared", MODEL_LEFT_OUT),
    MODEL(run_head, environment, "environment", MODEL_LEFT_OUT),
    MODEL(run_head, explanation, "explanation", MODEL_LEFT_OUT),
    MODEL(run_head, counts, "counts", MODEL_LEFT_OUT),
    MODEL(run_head, counts, "counts", MODEL_NULL, .belongs = is_counted), /* null: there is none */
    MODEL(run_head, finished_ms, "finished_ms", MODEL_LEFT_OUT),
    MODEL(run_head, failure, "failure", MODEL_LEFT_OUT)};

static const model_noun run_head_model = MODEL_NOUN(run_head, members, "job.json");

/* For model_clear; false with MODEL_ERROR, and nothing is to be released. */
static bool run_head_read(run_head *head, const json_t *json, GError **error) {
    if (!model_read(&run_head_model, json, head, error))
        return false;
    head->counted = json_object_get(json, "counts") != NULL;
    return true;
}

json_t *run_head_detail(const run_head *head) {
    return json_object_get(head->environment, "detail");
}

#define PREFIX "job-"

struct run_spool {
    char *folder;
    run_head *head;
    GPtrArray *loops;
    GArray *numbers; /* file number of each loop */
    unsigned next;
};

static char *job_folder(const char *work_dir, int64_t id) {
    g_autofree char *name = g_strdup_printf(PREFIX "%" PRId64, id);
    return g_build_filename(work_dir, "spool", name, NULL);
}

static char *file_path(const run_spool *spool, unsigned number, const char *suffix) {
    return g_strdup_printf("%s/%u%s", spool->folder, number, suffix);
}

static char *raw_path_of(const run_spool *spool, unsigned number) {
    return file_path(spool, number, ".csv.zst");
}

static gint compare_ids(gconstpointer a, gconstpointer b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

GArray *run_spool_list(const char *work_dir) {
    GArray *ids = g_array_new(FALSE, FALSE, sizeof(int64_t));
    g_autofree char *path = g_build_filename(work_dir, "spool", NULL);
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;
    while (folder && (name = g_dir_read_name(folder))) {
        guint64 id;
        if (g_str_has_prefix(name, PREFIX) &&
            cfg_number_unsigned(name + strlen(PREFIX), 1, INT64_MAX, &id)) {
            int64_t value = (int64_t)id;
            g_array_append_val(ids, value);
        }
    }
    g_array_sort(ids, compare_ids);
    return ids;
}

static run_spool *new_spool(const char *work_dir, int64_t id) {
    run_spool *spool = g_new0(run_spool, 1);
    spool->folder = job_folder(work_dir, id);
    spool->head = g_new0(run_head, 1);
    spool->loops = run_loops_new();
    spool->numbers = g_array_new(FALSE, FALSE, sizeof(unsigned));
    spool->next = 1;
    return spool;
}

void run_spool_free(run_spool *spool) {
    if (spool) {
        g_free(spool->folder);
        model_clear(&run_head_model, spool->head);
        g_free(spool->head);
        g_ptr_array_unref(spool->loops);
        g_array_unref(spool->numbers);
        g_free(spool);
    }
}

bool run_spool_update(run_spool *spool, GError **error) {
    g_autofree char *path = g_build_filename(spool->folder, "job.json", NULL);
    json_auto_t *json = model_write(&run_head_model, spool->head);
    const bool good = run_durable_json(path, json, error);
    return good;
}

static bool head_read(run_spool *spool, const json_t *json, const char *place, GError **error) {
    g_autoptr(GError) problem = NULL;
    if (run_head_read(spool->head, json, &problem))
        return true;
    return run_fail(error, RUN_ERROR_NODE, "spool %s is damaged: %s", place, problem->message);
}

run_spool *run_spool_create(const char *work_dir, int64_t id, json_t *head, GError **error) {
    g_autoptr(run_spool) spool = new_spool(work_dir, id);
    if (!head_read(spool, head, "its head", error) || !run_scratch_make(spool->folder, error) ||
        !run_spool_update(spool, error))
        return NULL;
    return g_steal_pointer(&spool);
}

/* In a trial (its job has `before`) a loop of no known commit would be one of neither. */
static bool has_its_commit(const run_spool *spool, const run_loop *loop) {
    const run_head *head = spool->head;
    return !head->before || g_strcmp0(loop->commit, head->before) == 0 ||
           g_strcmp0(loop->commit, head->commit) == 0;
}

/* A loop as an earlier run left it, or NULL when it is damaged or its raw file does not match. */
static run_loop *load_loop(const run_spool *spool, unsigned number) {
    g_autofree char *json_path = file_path(spool, number, ".json");
    g_autofree char *raw_path = raw_path_of(spool, number);
    json_auto_t *object = json_load_file(json_path, JSON_REJECT_DUPLICATES, NULL);
    g_autoptr(run_loop) loop = run_loop_read(object);
    /* A driver that has only values keeps no raw file; its loop is in the summary. */
    if (loop && has_its_commit(spool, loop) &&
        (loop->raw.sha256[0] == '\0' ||
         (!loop->failed && run_durable_check(raw_path, loop->raw.sha256))))
        return g_steal_pointer(&loop);
    cfg_log("warning", "spool", "loop_damaged", "file=\"%s\" next=\"measured again\"", json_path);
    unlink(json_path);
    unlink(raw_path);
    return NULL;
}

static gint compare_numbers(gconstpointer a, gconstpointer b) {
    unsigned left = *(const unsigned *)a, right = *(const unsigned *)b;
    return (left > right) - (left < right);
}

/* Numbers of all n.json; files that a killed run left unfinished are removed. */
static GArray *find_loops(run_spool *spool) {
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(unsigned));
    g_autoptr(GDir) folder = g_dir_open(spool->folder, 0, NULL);
    const char *name;
    while (folder && (name = g_dir_read_name(folder))) {
        char *rest = NULL;
        unsigned long number = strtoul(name, &rest, 10);
        if (rest != name && strcmp(rest, ".json") == 0 && number > 0 && number < G_MAXINT) {
            unsigned value = (unsigned)number;
            g_array_append_val(numbers, value);
        } else if (g_str_has_suffix(name, ".new")) {
            g_autofree char *path = g_build_filename(spool->folder, name, NULL);
            unlink(path);
        }
    }
    g_array_sort(numbers, compare_numbers);
    return numbers;
}

run_spool *run_spool_open(const char *work_dir, int64_t id, GError **error) {
    g_autoptr(run_spool) spool = new_spool(work_dir, id);
    g_autofree char *head_path = g_build_filename(spool->folder, "job.json", NULL);
    json_error_t problem;
    json_auto_t *head = json_load_file(head_path, JSON_REJECT_DUPLICATES, &problem);
    if (!head)
        run_fail(error, RUN_ERROR_NODE, "spool %s is damaged: %s", head_path, problem.text);
    const bool good = head && head_read(spool, head, head_path, error);
    if (!good)
        return NULL;
    g_autoptr(GArray) numbers = find_loops(spool);
    for (guint i = 0; i < numbers->len; i++) {
        unsigned number = g_array_index(numbers, unsigned, i);
        run_loop *loop = load_loop(spool, number);
        if (loop) {
            g_ptr_array_add(spool->loops, loop);
            g_array_append_val(spool->numbers, number);
        }
        spool->next = number + 1;
    }
    return g_steal_pointer(&spool);
}

run_head *run_spool_head(const run_spool *spool) {
    return spool->head;
}

GPtrArray *run_spool_loops(const run_spool *spool) {
    return spool->loops;
}

unsigned run_spool_next(const run_spool *spool) {
    return spool->next;
}

char *run_spool_raw_path(const run_spool *spool, size_t i) {
    return raw_path_of(spool, g_array_index(spool->numbers, unsigned, i));
}

/* n.json: with it the loop is there, whatever happens next. */
static bool write_loop(const run_spool *spool, const run_loop *loop, GError **error) {
    g_autofree char *path = file_path(spool, spool->next, ".json");
    json_auto_t *object = run_loop_json(loop);
    const bool good = run_durable_json(path, object, error);
    return good;
}

char *run_spool_next_raw_path(const run_spool *spool) {
    return raw_path_of(spool, spool->next);
}

bool run_spool_add(run_spool *spool, run_loop *loop, run_durable_pack *raw, GError **error) {
    g_autoptr(run_loop) own = loop;
    if ((raw && !run_durable_pack_end(raw, &loop->raw, error)) || !write_loop(spool, loop, error))
        return false;
    g_ptr_array_add(spool->loops, g_steal_pointer(&own));
    g_array_append_val(spool->numbers, spool->next);
    spool->next++;
    return true;
}

bool run_spool_forget_loops(run_spool *spool, GError **error) {
    for (guint i = 0; i < spool->numbers->len; i++) {
        unsigned number = g_array_index(spool->numbers, unsigned, i);
        g_autofree char *json_path = file_path(spool, number, ".json");
        g_autofree char *raw_path = raw_path_of(spool, number);
        if (!run_durable_remove(json_path, error) || !run_durable_remove(raw_path, error))
            return false;
    }
    g_array_set_size(spool->numbers, 0);
    g_ptr_array_set_size(spool->loops, 0);
    return true;
}

bool run_spool_drop(run_spool *spool, GError **error) {
    /* job.json first: without it the rest is nothing, should we be killed in between. */
    g_autofree char *head_path = g_build_filename(spool->folder, "job.json", NULL);
    return run_durable_remove(head_path, error) && run_scratch_remove(spool->folder, error);
}
