#include "detector/reader/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "detector/reader/scan__.h"

#ifndef READER_SLICE                   /* the fuzz preset makes it small: its files are */
#define READER_SLICE ((size_t)8 << 20) /* bytes between two releases of what was read */
#endif
#define READER_KEEP ((size_t)64 << 20) /* files up to this size stay resident while read */
#define THREADS_MAX 64

typedef struct {
    const char *bytes;
    size_t size;
    char *pages; /* the same, where they may be given back while reading; else NULL */
} source;

/* The end of the next slice: after a newline if there is one, else at the end. */
static size_t slice_end(const source *s, size_t from) {
    if (s->size - from <= READER_SLICE)
        return s->size;
    const char *newline = memrchr(s->bytes + from, '\n', READER_SLICE);
    return newline ? (size_t)(newline + 1 - s->bytes) : s->size;
}

/* Keeps the resident memory small whatever the file's size. */
static void release(const source *s, size_t from, size_t to) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t first = from / page * page, last = to / page * page;
    if (s->pages && last > first)
        (void)madvise(s->pages + first, last - first, MADV_DONTNEED);
}

/* The first of two walks over the bytes: what is small stays for the second. */
static uint64_t lines_of(const source *s) {
    uint64_t lines = 0;
    for (size_t from = 0; from < s->size;) {
        const size_t to = s->size - from > READER_SLICE ? from + READER_SLICE : s->size;
        lines += scan_lines(s->bytes + from, to - from);
        if (s->size > READER_KEEP)
            release(s, from, to);
        from = to;
    }
    return lines;
}

static scan_end scan_all(scan *s, reader__counts *counts, const source *from) {
    for (size_t at = 0; at < from->size;) {
        const size_t to = slice_end(from, at);
        const scan_end end = scan_slice(s, counts, from->bytes + at, to - at);
        if (end != SCAN_DONE)
            return end;
        release(from, at, to);
        at = to;
    }
    return from->size ? SCAN_DONE : SCAN_ODD;
}

static uint64_t warmup_of(const det_reader_options *options, uint64_t calls) {
    if (options->warmup_calls == DET_RAW_WARMUP_HALF)
        return calls / 2;
    return options->warmup_calls < calls ? options->warmup_calls : calls;
}

static det_status summarize(const det_raw_result *raw, const det_reader_options *options,
                            det_reader_result *out) {
    det_status status = det_summary_of(&out->summary, raw->ns, raw->calls);
    size_t n = 0;
    out->warmup_calls = raw->warmup_calls;
    out->threads = (unsigned)raw->threads;
    out->columns = raw->columns;
    if (status != DET_OK || !(options->bin_ns > 0))
        return status;
    status = det_throughput_bins(NULL, 0, &n, raw->ns, raw->calls, options->bin_ns);
    out->bins_count = n < SCAN_BINS_MAX ? n : SCAN_BINS_MAX;
    out->bins = status == DET_OK ? calloc(out->bins_count + 1, sizeof *out->bins) : NULL;
    if (status == DET_OK && !out->bins)
        return DET_ENOMEM;
    return det_throughput_bins(out->bins, out->bins_count, &n, raw->ns, raw->calls,
                               options->bin_ns);
}

/* What raw.h says about a file that the scan could not make sense of; it may still be a well-formed
   one, with leading zeros for example. */
static det_status explain(const source *from, const det_reader_options *options,
                          reader__counts *counts, det_reader_result *out) {
    const det_raw_options raw_options = {.warmup_calls = options->warmup_calls};
    det_raw_result result;
    det_raw *raw = det_raw_new(&raw_options);
    det_status status = raw ? DET_OK : DET_ENOMEM;
    for (size_t at = 0; status == DET_OK && at < from->size;) {
        const size_t to = from->size - at > READER_SLICE ? at + READER_SLICE : from->size;
        status = det_raw_feed(raw, from->bytes + at, to - at, &out->error);
        release(from, at, to);
        at = to;
    }
    if (status == DET_OK)
        status = det_raw_finish(raw, &result, &out->error);
    if (status == DET_OK)
        status = summarize(&result, options, out);
    reader__counts_reset(counts);
    for (size_t i = 0; status == DET_OK && i < result.calls; i++)
        reader__counts_add(counts, (uint64_t)result.ns[i]);
    det_raw_free(raw);
    return status;
}

static det_status collect(scan *s, reader__counts *counts, det_reader_result *out) {
    const det_status status =
        s->failed ? DET_ENOMEM : reader__counts_summary(counts, &out->summary);
    if (status != DET_OK) {
        (void)snprintf(out->error.text, sizeof out->error.text, "%s",
                       status == DET_ESHORT ? "all calls are warm-up" : det_status_text(status));
        return status;
    }
    out->columns = s->columns;
    out->bins_count = scan_full_bins(s);
    if (s->failed)
        return DET_ENOMEM;
    out->bins = s->bins;
    s->bins = NULL;
    return DET_OK;
}

/* One thread id: the number of lines tells the warm-up, then one scan does all. */
static scan_end read_one(const source *from, const det_reader_options *options,
                         reader__counts *counts, det_reader_result *out) {
    scan s;
    if (!scan_init(&s, SCAN_ONE, options->bin_ns)) {
        out->status = DET_ENOMEM;
        return SCAN_DONE;
    }
    s.threads[0].skip = out->warmup_calls = warmup_of(options, lines_of(from));
    const scan_end end = scan_all(&s, counts, from);
    if (end == SCAN_DONE) {
        out->threads = 1;
        out->status = collect(&s, counts, out);
    }
    scan_clear(&s);
    return end;
}

/* Several: a first scan counts each thread's calls, a second drops each one's warm-up. */
static scan_end read_many(const source *from, const det_reader_options *options,
                          reader__counts *counts, det_reader_result *out) {
    scan s;
    reader__counts_reset(counts);
    out->status = DET_ENOMEM;
    if (!scan_init(&s, SCAN_COUNT, options->bin_ns))
        return SCAN_DONE;
    scan_end end = scan_all(&s, counts, from);
    if (end == SCAN_DONE) {
        out->warmup_calls = 0;
        for (unsigned t = 0; t < s.threads_count; t++) {
            s.threads[t].skip = warmup_of(options, s.threads[t].calls);
            out->warmup_calls += s.threads[t].skip;
        }
        s.mode = SCAN_DROP;
        end = scan_all(&s, counts, from);
        out->threads = s.threads_count;
        out->status = collect(&s, counts, out);
    }
    scan_clear(&s);
    return end;
}

static void read_source(const source *from, const det_reader_options *options,
                        reader__counts *counts, det_reader_result *out) {
    reader__counts_reset(counts);
    scan_end end = read_one(from, options, counts, out);
    if (end == SCAN_THREADS)
        end = read_many(from, options, counts, out);
    if (end != SCAN_DONE)
        out->status = explain(from, options, counts, out);
}

static void fail_file(det_reader_result *out, const char *what) {
    out->status = DET_EINVAL;
    (void)snprintf(out->error.text, sizeof out->error.text, "%s: %s", what, strerror(errno));
}

static void read_path(const char *path, const det_reader_options *options, reader__counts *counts,
                      det_reader_result *out) {
    struct stat info;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        fail_file(out, "cannot be opened");
        return;
    }
    source from = {.bytes = ""};
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
        errno = errno ? errno : EINVAL;
        fail_file(out, "is not a regular file");
    } else if (info.st_size > 0) {
        from.size = (size_t)info.st_size;
        void *map = mmap(NULL, from.size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (map == MAP_FAILED) {
            fail_file(out, "cannot be mapped");
        } else {
            from.bytes = from.pages = map;
            (void)madvise(map, from.size, MADV_SEQUENTIAL);
            read_source(&from, options, counts, out);
            (void)munmap(map, from.size);
        }
    } else {
        read_source(&from, options, counts, out);
    }
    (void)close(fd);
}

typedef struct {
    det_reader_result *out;
    const char *const *paths;
    size_t count;
    const det_reader_options *options;
    atomic_size_t next;
} work;

static void *worker(void *argument) {
    work *w = argument;
    reader__counts counts;
    const det_status status = reader__counts_init(&counts);
    for (size_t i; (i = atomic_fetch_add(&w->next, 1)) < w->count;) {
        memset(&w->out[i], 0, sizeof w->out[i]);
        if (status == DET_OK)
            read_path(w->paths[i], w->options, &counts, &w->out[i]);
        else
            w->out[i].status = status;
        if (w->out[i].status == DET_OK && w->options->counted)
            w->options->counted(i, counts.dense, counts.top, counts.large, counts.large_count,
                                w->options->user);
    }
    if (status == DET_OK)
        reader__counts_clear(&counts);
    return NULL;
}

det_status det_reader_files(det_reader_result *out, const char *const *paths, size_t count,
                            const det_reader_options *options) {
    work w = {.out = out, .paths = paths, .count = count, .options = options};
    pthread_t threads[THREADS_MAX];
    size_t started = 0;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t wanted = options->threads ? options->threads : (size_t)(processors > 0 ? processors : 1);
    wanted = wanted < count ? wanted : count;
    wanted = wanted < THREADS_MAX ? wanted : THREADS_MAX;
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, worker, &w) == 0)
        started++;
    (void)worker(&w); /* this thread takes its share */
    for (size_t i = 0; i < started; i++)
        (void)pthread_join(threads[i], NULL);
    for (size_t i = 0; i < count; i++)
        if (out[i].status != DET_OK)
            return out[i].status;
    return DET_OK;
}

det_status det_reader_bytes(det_reader_result *out, const void *bytes, size_t size,
                            const det_reader_options *options) {
    const source from = {.bytes = size ? bytes : "", .size = size};
    reader__counts counts;
    memset(out, 0, sizeof *out);
    out->status = reader__counts_init(&counts);
    if (out->status == DET_OK) {
        read_source(&from, options, &counts, out);
        reader__counts_clear(&counts);
    }
    return out->status;
}

void det_reader_result_clear(det_reader_result *result) {
    free(result->bins);
    result->bins = NULL;
    result->bins_count = 0;
}
