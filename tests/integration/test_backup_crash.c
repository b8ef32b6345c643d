/*
 * Nothing lost by a backup: it is killed at random writes, names and syncs, and what it reads is
 * damaged; whatever happens, a backup restores, and it is the last good one or the new one. So is a
 * restore killed, and then done again.
 *
 * test_backup_crash [kills [damages]]: 40 of each and 30 by default. One JSON object is the last
 * line.
 */
#include "tests/unit/server/fixture.h"

#include "server/command/command.h"
#include "server/store/store_sql.h"
#include "tests/unit/server/folder.h"
#include "tests/unit/server/sql_text.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define KILLS_DEFAULT 40
#define DAMAGES_DEFAULT 30
enum { FIRST = 3, ALL = 5 }; /* nights of the last good backup, and of the server */

/* In a child: how many changes of files it may begin, and how many it has begun. */
static atomic_long *begun;
static long allowed = -1;

/* The last one that is begun is done by half, or not at all. */
static bool dies(void) {
    return begun && atomic_fetch_add(begun, 1) == allowed;
}

static int die_now(void) {
    (void)kill(getpid(), SIGKILL);
    return -1;
}

#define REAL(type, name, ...)                                                                      \
    union {                                                                                        \
        void *object;                                                                              \
        type (*function)(__VA_ARGS__);                                                             \
    } real = {.object = dlsym(RTLD_NEXT, name)}

static ssize_t torn(int fd, const void *bytes, size_t size, off64_t at) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off64_t);
    const bool last = dies();
    const ssize_t wrote = real.function(fd, bytes, last ? size / 2 : size, at);
    return last ? die_now() : wrote;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
    return torn(fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
    return torn(fd, bytes, size, at);
}

int fsync(int fd) {
    (void)fd;
    return dies() ? die_now() : 0;
}

int fdatasync(int fd) {
    return fsync(fd);
}

int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return dies() ? die_now() : real.function(from, to);
}

int unlink(const char *path) {
    REAL(int, "unlink", const char *);
    return dies() ? die_now() : real.function(path);
}

int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    return dies() ? die_now() : real.function(path, mode);
}

static void quit(const char *what, const char *detail) {
    fprintf(stderr, "%s: %s\n", what, detail);
    exit(1);
}

/* In a child that dies at this change (-1: it does not); its exit status, -1: it was killed. */
static int run(int (*command)(int, char **), const char *words, const char *log, long dies_at) {
    g_auto(GStrv) argv = g_strsplit(words, " ", -1);
    atomic_store(begun, 0);
    const pid_t pid = fork();
    if (pid == 0) {
        const int out = open(log, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
        if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
            _exit(127);
        allowed = dies_at;
        const int code = command((int)g_strv_length(argv), argv);
        (void)fflush(stdout);
        _exit(code);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        quit("fork", g_strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

typedef struct {
    char *dir, *live, *config, *copy, *elsewhere, *restored, *log;
} world;

static int back_up(const world *w, long dies_at) {
    g_autofree char *words =
        g_strdup_printf("backup --config %s --to %s --keep 1", w->config, w->copy);
    return run(srv_backup_command, words, w->log, dies_at);
}

static int check(const world *w) {
    g_autofree char *words = g_strdup_printf("backup --check %s", w->copy);
    return run(srv_backup_command, words, w->log, -1);
}

static int restore(const world *w, long dies_at) {
    g_autofree char *words = g_strdup_printf("restore --config %s --from %s", w->restored, w->copy);
    return run(srv_restore_command, words, w->log, dies_at);
}

/* from: NULL, it is no more. */
static void folder_becomes(const char *to, const char *from) {
    g_autofree char *words = from
                                 ? g_strdup_printf("sh -c 'rm -rf %s && cp -a %s %s'", to, from, to)
                                 : g_strdup_printf("rm -rf %s", to);
    int status = 1;
    if (!g_spawn_command_line_sync(words, NULL, NULL, &status, NULL) || status != 0)
        quit(words, "fails");
}

static void said(const world *w, const char *what) {
    g_autofree char *text = NULL;
    (void)g_file_get_contents(w->log, &text, NULL, NULL);
    quit(what, text ? text : "");
}

static int64_t restored_nights(const world *w) {
    g_autofree char *path = g_build_filename(w->elsewhere, "moowatch.db", NULL);
    g_autoptr(srv_store) store = srv_store_open(path, NULL);
    int64_t nights = -1;
    if (!store || !srv__number(store, sql_text("SELECT count(*) FROM experiment", ""), SRV__NO_ARGS,
                               0, &nights, NULL))
        quit("restored", "it cannot be opened");
    return nights;
}

/* Whole, with all raw files unless what was backed up had lost some. */
static int64_t restores(const world *w, bool may_lack) {
    folder_becomes(w->elsewhere, NULL);
    const int status = restore(w, -1);
    if (status != 0 && !(may_lack && status == 3))
        said(w, "the last good backup does not restore");
    return restored_nights(w);
}

static long drawn(GRand *random, long below) {
    return (long)g_rand_int_range(random, 0, (gint32)below);
}

static unsigned kills_of_backups(const world *w, const char *good, GRand *random, unsigned kills) {
    unsigned taken_over = 0;
    folder_becomes(w->copy, good);
    if (back_up(w, -1) != 0)
        said(w, "backup");
    const long all = atomic_load(begun);
    for (unsigned i = 0; i < kills; i++) {
        folder_becomes(w->copy, good);
        /* every third at the end, when it takes over and the one before it goes */
        const long at = i % 3 == 2 ? all - 1 - drawn(random, 12) : drawn(random, all);
        if (back_up(w, at) != -1 || check(w) != 0)
            said(w, "a killed backup");
        const int64_t nights = restores(w, false);
        if (nights != FIRST && nights != ALL)
            quit("nights", "neither the last good backup nor the new one");
        taken_over += nights == ALL;
        if (back_up(w, -1) != 0 || restores(w, false) != ALL)
            said(w, "a backup after a killed one");
    }
    return taken_over;
}

static void kills_of_restores(const world *w, GRand *random, unsigned kills) {
    if (restores(w, false) != ALL)
        quit("nights", "the backup has not all");
    folder_becomes(w->elsewhere, NULL);
    (void)restore(w, -1);
    const long all = atomic_load(begun);
    g_autofree char *database = g_build_filename(w->elsewhere, "moowatch.db", NULL);
    for (unsigned i = 0; i < kills; i++) {
        folder_becomes(w->elsewhere, NULL);
        if (restore(w, drawn(random, all)) != -1)
            said(w, "a restore that was to be killed");
        /* as soon as there is a database that a daemon would start with, all is there */
        if (!g_file_test(database, G_FILE_TEST_EXISTS) && restore(w, -1) != 0)
            said(w, "a restore after a killed one");
        if (restored_nights(w) != ALL)
            quit("nights", "a killed restore lost some");
    }
}

/* Bytes are changed, or the end is missing, or all of it. */
static void damage(const char *path, GRand *random) {
    g_autofree char *bytes = NULL;
    gsize size;
    if (!g_file_get_contents(path, &bytes, &size, NULL))
        quit("cannot read", path);
    const long way = drawn(random, 4);
    for (unsigned i = 0; i < 200 && way > 1; i++)
        ((guint8 *)bytes)[drawn(random, (long)size)] ^= (guint8)(1 + drawn(random, 255));
    if (way == 0 ? g_unlink(path) != 0
                 : !g_file_set_contents(path, bytes,
                                        way == 1 ? drawn(random, (long)size) : (gssize)size, NULL))
        quit("cannot damage", path);
}

static char *any_raw(const char *live, GRand *random) {
    g_autofree char *command = g_strdup_printf("find %s/raw -type f", live);
    g_autofree char *text = NULL;
    (void)g_spawn_command_line_sync(command, &text, NULL, NULL, NULL);
    g_auto(GStrv) paths = g_strsplit(g_strchomp(text), "\n", -1);
    return g_strdup(paths[drawn(random, (long)g_strv_length(paths))]);
}

static unsigned damages(const world *w, const char *good, GRand *random, unsigned count) {
    g_autofree char *sound = g_build_filename(w->dir, "sound", NULL);
    g_autofree char *database = g_build_filename(w->live, "moowatch.db", NULL);
    g_autofree char *tokens = g_build_filename(w->live, "tokens.json", NULL);
    unsigned refused = 0;
    folder_becomes(sound, w->live);
    for (unsigned i = 0; i < count; i++) {
        folder_becomes(w->live, sound);
        folder_becomes(w->copy, good);
        g_autofree char *raw = any_raw(w->live, random);
        damage(i % 4 < 2 ? database : i % 4 == 2 ? raw : tokens, random);
        const int status = back_up(w, -1);
        refused += status == 1;
        if (status != 0 && status != 1 && status != 3)
            said(w, "a backup of what is damaged");
        const int64_t nights = restores(w, status == 3);
        if (status == 1 && nights != FIRST)
            quit("nights", "not those of the last good backup");
    }
    return refused;
}

static char *config_at(const char *dir, const char *name, const char *data_dir) {
    g_autofree char *text = g_strdup_printf("data_dir: %s\n", data_dir);
    return folder_file(dir, name, text);
}

int main(int argc, char **argv) {
    static const double means[4] = {70, 270, 1400, 3000};
    const unsigned kills = argc > 1 ? (unsigned)atoi(argv[1]) : KILLS_DEFAULT;
    const unsigned damaged = argc > 2 ? (unsigned)atoi(argv[2]) : DAMAGES_DEFAULT;
    begun = mmap(NULL, sizeof *begun, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    world w = {.dir = folder_new()};
    w.live = g_build_filename(w.dir, "live", NULL);
    w.copy = g_build_filename(w.dir, "copy", NULL);
    w.elsewhere = g_build_filename(w.dir, "elsewhere", NULL);
    w.log = g_build_filename(w.dir, "log", NULL);
    w.config = config_at(w.dir, "live.yaml", w.live);
    w.restored = config_at(w.dir, "restored.yaml", w.elsewhere);
    g_autofree char *good = g_build_filename(w.dir, "good", NULL);
    if (begun == MAP_FAILED || g_mkdir(w.live, 0700) != 0)
        quit("cannot begin", w.dir);
    fixture *fix = fix_at(w.live);
    fix_sync(fix, "kieker", NULL);
    fix_nights(fix, "kieker", 1, FIRST, means);
    g_free(folder_file(w.live, "tokens.json", "{\"tokens\": []}"));
    if (back_up(&w, -1) != 0)
        said(&w, "backup");
    folder_becomes(good, w.copy);
    fix_nights(fix, "kieker", FIRST + 1, ALL, means);
    fix_leave(fix);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    const unsigned taken_over = kills_of_backups(&w, good, random, kills);
    kills_of_restores(&w, random, kills);
    const unsigned refused = damages(&w, good, random, damaged);
    printf("{\"kills_of_backups\": %u, \"taken_over\": %u, \"kills_of_restores\": %u, "
           "\"damages\": %u, \"refused\": %u}\n",
           kills, taken_over, kills, damaged, refused);
    folder_free(w.dir);
    return 0;
}
