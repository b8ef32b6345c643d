/*
 * hostile - a benchmark that misbehaves in a chosen way; for the tests of runner/process/process.c.
 * hostile <way> [argument]
 */
#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void hang(void) {
    for (;;)
        pause();
}

static _Noreturn void ignore_term(void) {
    signal(SIGTERM, SIG_IGN);
    puts("ready");
    fflush(stdout);
    hang();
}

/* A daemon by the book: own session, twice forked, all descriptors closed, deaf. */
static int daemonise(const char *pid_path) {
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            signal(SIGTERM, SIG_IGN);
            signal(SIGHUP, SIG_IGN);
            FILE *file = fopen(pid_path, "w");
            if (file) {
                fprintf(file, "%d\n", (int)getpid());
                fclose(file);
            }
            syscall(SYS_close_range, 0, ~0U, 0);
            hang();
        }
        _exit(0);
    }
    wait(NULL);
    while (access(pid_path, F_OK) != 0)
        usleep(1000);
    return 0;
}

/* Children that fork children: each generation leaves its session before it forks. */
static int swarm(int generations) {
    for (int i = 0; i < 3; i++) {
        if (fork() == 0) {
            setsid();
            signal(SIGTERM, SIG_IGN);
            if (generations > 1)
                swarm(generations - 1);
            hang();
        }
    }
    return 0;
}

/* Never more than a few at once, but always a new one: each forks its successor and ends. */
static _Noreturn void hop(void) {
    for (;;) {
        pid_t pid = fork();
        if (pid != 0)
            _exit(0);
        setsid();
        usleep(100);
    }
}

static int print(long megabytes) {
    char line[1 << 16];
    memset(line, 'x', sizeof line);
    line[sizeof line - 1] = '\n';
    for (long i = 0; i < megabytes * 16; i++)
        if (fwrite(line, 1, sizeof line, stdout) != sizeof line)
            return 1;
    puts("the end");
    return 0;
}

static int write_file(const char *path, long megabytes) {
    char block[1 << 20] = {0};
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    for (long i = 0; i < megabytes; i++)
        if (write(fd, block, sizeof block) != (ssize_t)sizeof block)
            return 3;
    close(fd);
    return 0;
}

static _Noreturn void fill(const char *folder) {
    for (int i = 0;; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%d", folder, i);
        if (write_file(path, 1) != 0)
            pause();
        usleep(10000);
    }
}

static int tell(void) {
    extern char **environ;
    for (char **variable = environ; *variable; variable++)
        printf("env %s\n", *variable);
    for (int fd = 0; fd < 1024; fd++)
        if (fcntl(fd, F_GETFD) != -1)
            printf("fd %d\n", fd);
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    printf("term blocked %d\n", sigismember(&blocked, SIGTERM));
    struct sigaction pipe_action;
    sigaction(SIGPIPE, NULL, &pipe_action);
    printf("pipe ignored %d\n", pipe_action.sa_handler == SIG_IGN);
    struct rlimit core;
    getrlimit(RLIMIT_CORE, &core);
    printf("core %lu\n", (unsigned long)core.rlim_cur);
    printf("session leader %d\n", getsid(0) == getpid());
    printf("uid %d\n", (int)getuid());
    FILE *oom = fopen("/proc/self/oom_score_adj", "re");
    char score[16] = "";
    if (oom && fgets(score, sizeof score, oom))
        printf("oom %s", score);
    if (oom)
        fclose(oom);
    fflush(stdout);
    execl("/bin/grep", "grep", "NoNewPrivs", "/proc/self/status", (char *)NULL);
    return 1;
}

static int allocate(long megabytes) {
    char *memory = malloc((size_t)megabytes << 20);
    if (!memory)
        return 12;
    memset(memory, 1, (size_t)megabytes << 20);
    return memory[12345] != 1;
}

/* What outlives a process where nobody looks: System V and POSIX memory, semaphores and queues. By
 * the sizes test_process.c tells them from those of others. */
static int leave_memory(const char *name) {
    int memory = shmget(IPC_PRIVATE, 1060864, 0600), semaphores = semget(IPC_PRIVATE, 5, 0600);
    int messages = msgget(IPC_PRIVATE, 0600);
    int shared = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, NULL);
    if (memory < 0 || semaphores < 0 || messages < 0 || shared < 0 || queue < 0)
        return 4;
    return ftruncate(shared, 1 << 20) == 0 ? 0 : 5;
}

/* Everybody whom it may signal; never where that could be somebody outside of its namespace. */
static int kill_all(void) {
    if (getpid() != 2 || getppid() != 1)
        return 6;
    kill(-1, SIGKILL);
    kill(1, SIGKILL);
    printf("pid %d, parent %d\n", (int)getpid(), (int)getppid());
    return 0;
}

/* Its numbers of processes, as /proc tells them. */
static int list_processes(void) {
    DIR *folder = opendir("/proc");
    const struct dirent *entry;
    int count = 0;
    while (folder && (entry = readdir(folder)))
        count += entry->d_name[0] >= '0' && entry->d_name[0] <= '9';
    printf("%d processes\n", count);
    return 0;
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "";
    const char *argument = argc > 2 ? argv[2] : "0";
    if (strcmp(way, "exit") == 0)
        return atoi(argument);
    if (strcmp(way, "abort") == 0)
        abort();
    if (strcmp(way, "hang") == 0)
        hang();
    if (strcmp(way, "ignore-term") == 0)
        ignore_term();
    if (strcmp(way, "daemonise") == 0)
        return daemonise(argument);
    if (strcmp(way, "swarm") == 0)
        return swarm(atoi(argument));
    if (strcmp(way, "hop") == 0) {
        if (fork() == 0)
            hop();
        return 0;
    }
    if (strcmp(way, "print") == 0)
        return print(atol(argument));
    if (strcmp(way, "write") == 0)
        return write_file(argument, 64);
    if (strcmp(way, "fill") == 0)
        fill(argument);
    if (strcmp(way, "tell") == 0)
        return tell();
    if (strcmp(way, "allocate") == 0)
        return allocate(atol(argument));
    if (strcmp(way, "leave-memory") == 0)
        return leave_memory(argument);
    if (strcmp(way, "kill-all") == 0)
        return kill_all();
    if (strcmp(way, "list") == 0)
        return list_processes();
    return 2;
}
