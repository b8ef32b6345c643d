/*
 * A child queues, leases, uploads and ingests as fast as it can and says so after each step that
 * was acknowledged; it is killed with SIGKILL at random moments and started again. Afterwards
 * everything it said is there, once, and the database is sound.
 *
 * test_store_crash [kills]: 30 by default. One JSON object is the last line.
 */
#include "tests/unit/server/database.h"
#include "tests/unit/server/fixture.h"

#include "server/ground/error.h"
#include "server/views/views.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define KILLS_DEFAULT 30
#define LIFE_SHORTEST_US 3000
#define LIFE_LONGEST_US 500000
#define PROJECT "kieker"

static void die(const char *what, const GError *error) {
    fprintf(stderr, "%s: %s\n", what, error ? error->message : "");
    exit(1);
}

static int64_t newest_job(fixture *fix) {
    GError *error = NULL;
    json_t *page =
        srv_view_list(fix->store, &srv_list_jobs, PROJECT, NULL, (srv_page){1, NULL}, &error);
    if (!page)
        die("jobs", error);
    int64_t id = number_of(json_array_get(json_object_get(page, "items"), 0), "id");
    json_decref(page);
    return id;
}

/* Until it is killed: a night a round, at most one job open. */
static void child(const char *dir) {
    static const double means[4] = {70, 270, 1400, 3000};
    fixture *fix = fix_at(dir);
    fix_sync(fix, PROJECT, NULL);
    for (;;) {
        GError *error = NULL;
        bool created;
        json_t *leased = fix_lease(fix);
        if (!leased) {
            int number = (int)newest_job(fix) + 1;
            g_autofree char *night = g_strdup_printf("20%02d-%02d-%02d", number / 300,
                                                     number / 25 % 12 + 1, number % 25 + 1);
            int64_t job = fix_add(fix, PROJECT, number, night, SRV_KIND_NIGHTLY);
            printf("queued %d\n", (int)job);
        } else {
            int64_t job = number_of(json_object_get(leased, "job"), "id");
            json_t *body = fix_result(fix, leased, means);
            json_t *answer = srv_ingest_result(fix->store, job, body, 1, &created, &error);
            if (!answer)
                die("ingest", error);
            printf("done %d %d\n", (int)job, (int)number_of(answer, "experiment"));
            json_decref(answer);
            json_decref(body);
        }
        fflush(stdout);
        json_decref(leased);
    }
}

/* Start the child, let it live for a while, kill it; what it said is appended to said. */
static void one_life(const char *self, const char *dir, unsigned life_us, GString *said) {
    int fds[2];
    if (pipe(fds) != 0)
        die("pipe", NULL);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(fds[1], STDOUT_FILENO);
        close(fds[0]);
        close(fds[1]);
        execl(self, self, "--child", dir, (char *)NULL);
        _exit(127);
    }
    close(fds[1]);
    g_usleep(life_us);
    kill(pid, SIGKILL);
    char buffer[4096];
    ssize_t size;
    while ((size = read(fds[0], buffer, sizeof buffer)) > 0 || (size < 0 && errno == EINTR))
        if (size > 0)
            g_string_append_len(said, buffer, size);
    close(fds[0]);
    int status;
    waitpid(pid, &status, 0);
    if (WIFEXITED(status))
        die("the child ended by itself", NULL);
    /* A last line that was cut is no acknowledgement. */
    char *end = strrchr(said->str, '\n');
    g_string_truncate(said, end ? (gsize)(end - said->str + 1) : 0);
}

typedef struct {
    unsigned acknowledged, lost, doubled, corrupted;
} score;

static bool file_sound(fixture *fix, const char *sha) {
    uint64_t bytes;
    int fd = srv__place_read(fix->raw, sha, &bytes, NULL);
    if (fd < 0)
        return false;
    g_autofree guchar *data = g_malloc(bytes);
    bool whole = read(fd, data, bytes) == (ssize_t)bytes;
    close(fd);
    g_autofree char *sum = g_compute_checksum_for_data(G_CHECKSUM_SHA256, data, bytes);
    return whole && g_str_equal(sum, sha);
}

static unsigned files_broken(fixture *fix, const json_t *experiment) {
    unsigned broken = 0;
    size_t c, l = 0;
    json_t *configuration, *loop;
    json_array_foreach (json_object_get(experiment, "configurations"), c, configuration) {
        json_array_foreach (json_object_get(configuration, "loop_results"), l, loop) {
            const json_t *raw = json_object_get(loop, "raw");
            broken += !file_sound(fix, json_string_value(json_object_get(raw, "sha256")));
        }
    }
    return broken + (c != 4 || l != FIX_LOOPS);
}

static void line_check(fixture *fix, const char *line, score *s) {
    int job, experiment;
    json_t *view = NULL;
    if (sscanf(line, "done %d %d", &job, &experiment) == 2) {
        s->acknowledged++;
        view = srv_view_experiment(fix->store, experiment, NULL);
        if (!view || number_of(view, "job") != job)
            s->lost++;
        else
            s->corrupted += files_broken(fix, view);
    } else if (sscanf(line, "queued %d", &job) == 1) {
        s->acknowledged++;
        view = srv_view_job(fix->store, job, NULL);
        s->lost += !view;
    }
    json_decref(view);
}

/* No commit and no job may be there twice. */
static unsigned doubled(fixture *fix) {
    GError *error = NULL;
    unsigned count = 0;
    g_autofree char *cursor = NULL;
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    do {
        json_t *page =
            srv_view_nights(fix->store, PROJECT, (srv_dates){0}, (srv_page){500, cursor}, &error);
        if (!page)
            die("nights", error);
        size_t i;
        json_t *night;
        json_array_foreach (json_object_get(page, "items"), i, night) {
            const json_t *commit = json_object_get(night, "commit");
            count += !g_hash_table_add(seen,
                                       g_strdup(json_string_value(json_object_get(commit, "sha"))));
            count +=
                !g_hash_table_add(seen, g_strdup_printf("job %d", (int)number_of(night, "job")));
        }
        g_free(cursor);
        cursor = g_strdup(json_string_value(json_object_get(page, "next")));
        json_decref(page);
    } while (cursor);
    return count;
}

static score check(const char *dir, const char *said) {
    score s = {0};
    fixture *fix = fix_at(dir);
    if (!database_is_sound(fix->store))
        die("integrity", NULL);
    g_auto(GStrv) lines = g_strsplit(said, "\n", -1);
    for (char **line = lines; *line; line++)
        line_check(fix, *line, &s);
    s.doubled = doubled(fix);
    fix_free(fix);
    return s;
}

int main(int argc, char **argv) {
    if (argc == 3 && g_str_equal(argv[1], "--child"))
        child(argv[2]);
    int kills = argc > 1 ? atoi(argv[1]) : KILLS_DEFAULT;
    g_autofree char *dir = g_dir_make_tmp("moowatch-crash-XXXXXX", NULL);
    g_autoptr(GString) said = g_string_new(NULL);
    GRand *random = g_rand_new_with_seed(20130417);
    for (int i = 0; i < kills; i++)
        one_life(argv[0], dir,
                 (unsigned)g_rand_int_range(random, LIFE_SHORTEST_US, LIFE_LONGEST_US), said);
    g_rand_free(random);
    score s = check(dir, said->str);
    printf("{\"bench\": \"store-crash\", \"figures\": {\"kills\": %d, \"acknowledged\": %u, "
           "\"lost\": %u, \"doubled\": %u, \"corrupted\": %u}}\n",
           kills, s.acknowledged, s.lost, s.doubled, s.corrupted);
    return s.lost + s.doubled + s.corrupted == 0 && s.acknowledged > 0 ? 0 : 1;
}
