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
/* where half the lines may end: one of so many parts of the file too late */
#define GUESS_LATE 64
#define THREADS_MAX 64

typedef struct {
    const char *bytes;
    size_t size;
    char *pages; /* the same, where they may be given back while reading; else NULL */
} source;

/* The end of the next slice: after a newline if there is one; else no line is so long, and the scan
   will say so. */
static size_t slice_end(const source *s, size_t from, size_t end) {
    if (end - from <= READER_SLICE)
        return end;
    const char *newline = memrchr(s->bytes + from, '\n', READER_SLICE);
    return newline ? (size_t)(newline + 1 - s->bytes) : from + READER_SLICE;
}

/* Keeps the resident memory small whatever the file's size. */
static void release(const source *s, size_t from, size_t to) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t first = from / page * page, last = to / page * page;
    if (s->pages && last > first)
        (void)madvise(s->pages + first, last - first, MADV_DONTNEED);
}

static scan_end scan_part(scan *s, reader__counts *counts, const source *from, size_t at,
                          size_t end) {
    while (at < end) {
        const size_t to = slice_end(from, at, end);
        const scan_end result = scan_slice(s, counts, from->bytes + at, to - at);
        if (result != SCAN_DONE)
            return result;
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

static det_status feed(det_raw *raw, const source *from, det_raw_result *result,
                       det_raw_error *error) {
    det_status status = raw ? DET_OK : DET_ENOMEM;
    for (size_t at = 0; status == DET_OK && at < from->size;) {
        const size_t to = from->size - at > READER_SLICE ? at + READER_SLICE : from->size;
        status = det_raw_feed(raw, from->bytes + at, to - at, error);
        release(from, at, to);
        at = to;
    }
    return status == DET_OK ? det_raw_finish(raw, result, error) : status;
}

/* What raw.h says about a file that the scan could not make sense of. It may still be a well-formed
   one, with leading zeros for example; but only then are its calls kept. */
static det_status explain(const source *from, const det_reader_options *options,
                          reader__counts *counts, det_reader_result *out) {
    det_raw_options raw_options = {
        .warmup_calls = options->warmup_calls, .calls_max = options->calls_max, .check_only = 1};
    det_raw_result result;
    det_raw *raw = det_raw_new(&raw_options);
    det_status status = feed(raw, from, &result, &out->error);
    if (status == DET_OK) {
        det_raw_free(raw);
        raw_options.check_only = 0;
        raw = det_raw_new(&raw_options);
        status = feed(raw, from, &result, &out->error);
    }
    if (status == DET_OK)
        status = summarize(&result, options, out);
    reader__counts_reset(counts);
    for (size_t i = 0; status == DET_OK && i < result.calls; i++)
        reader__counts_add(counts, (uint64_t)result.ns[i]);
    det_raw_free(raw);
    return status;
}

static det_status collect(scan *s, const det_reader_options *options, reader__counts *counts,
                          det_reader_result *out) {
    const size_t asked = options->calls_max ? options->calls_max : DET_RAW_CALLS_DEFAULT;
    const size_t most = asked < UINT32_MAX ? asked : UINT32_MAX; /* what a counter holds */
    det_status status = s->failed ? DET_ENOMEM : reader__counts_summary(counts, &out->summary);
    if (counts->calls + out->warmup_calls > most) {
        status = DET_ENOMEM;
        (void)snprintf(out->error.text, sizeof out->error.text,
                       "more than %zu calls; raise the limit or make fewer calls", most);
    } else if (status != DET_OK) {
        (void)snprintf(out->error.text, sizeof out->error.text, "%s",
                       status == DET_ESHORT ? "all calls are warm-up" : det_status_text(status));
    }
    if (status != DET_OK)
        return status;
    out->columns = s->columns;
    out->bins_count = scan_full_bins(s);
    if (s->failed)
        return DET_ENOMEM;
    out->bins = s->bins;
    s->bins = NULL;
    return DET_OK;
}

/* The start of the line `lines` before the one that starts at `at`. */
static size_t lines_back(const source *from, size_t at, uint64_t lines) {
    for (; lines && at; lines--) {
        const char *newline = memrchr(from->bytes, '\n', at - 1);
        at = newline ? (size_t)(newline + 1 - from->bytes) : 0;
    }
    return at;
}

/* Where the first half of the lines ends if all are of about one length, or a little later. */
static size_t half_guess(const source *from) {
    const size_t most = from->size / 2 + from->size / GUESS_LATE;
    const size_t least = most > READER_SLICE ? most - READER_SLICE : 0; /* no line is so long */
    const char *newline = memrchr(from->bytes + least, '\n', most - least);
    return newline ? (size_t)(newline + 1 - from->bytes) : 0;
}

/* Where the warm-up ends is known only when all lines are; the file is walked through once all the
   same: the calls behind a guess are counted, then those that it left out. */
static scan_end scan_half(scan *s, reader__counts *counts, const source *from, uint64_t *warmup) {
    const size_t guess = half_guess(from);
    s->threads[0].skip = UINT64_MAX;
    scan_end end = scan_part(s, counts, from, 0, guess);
    const uint64_t before = UINT64_MAX - s->threads[0].skip;
    s->threads[0].skip = 0;
    if (end == SCAN_DONE)
        end = scan_part(s, counts, from, guess, from->size);
    *warmup = (before + counts->calls) / 2;
    if (end != SCAN_DONE || *warmup == before)
        return end;
    if (*warmup < before)
        return scan_part(s, counts, from, lines_back(from, guess, before - *warmup), guess);
    reader__counts_reset(counts); /* the lines get shorter and shorter: rare */
    s->threads[0].skip = *warmup;
    return scan_part(s, counts, from, 0, from->size);
}

/* One thread id: its calls are in one row. */
static scan_end read_one(const source *from, const det_reader_options *options,
                         reader__counts *counts, det_reader_result *out) {
    scan s;
    scan_end end = SCAN_DONE;
    uint64_t warmup = options->warmup_calls;
    if (!scan_init(&s, SCAN_ONE, options->bin_ns)) {
        out->status = DET_ENOMEM;
        return SCAN_DONE;
    }
    if (warmup == DET_RAW_WARMUP_HALF && options->bin_ns > 0) { /* bins need the calls in order */
        s.threads[0].skip = UINT64_MAX;
        end = scan_part(&s, counts, from, 0, from->size);
        warmup = (UINT64_MAX - s.threads[0].skip) / 2;
    }
    if (end == SCAN_DONE && warmup == DET_RAW_WARMUP_HALF) {
        end = scan_half(&s, counts, from, &warmup);
    } else if (end == SCAN_DONE) {
        s.threads[0].skip = warmup;
        end = scan_part(&s, counts, from, 0, from->size);
        warmup -= s.threads[0].skip;
    }
    if (end == SCAN_DONE) {
        out->threads = 1;
        out->warmup_calls = warmup;
        out->status = collect(&s, options, counts, out);
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
    scan_end end = scan_part(&s, counts, from, 0, from->size);
    if (end == SCAN_DONE) {
        out->warmup_calls = 0;
        for (unsigned t = 0; t < s.threads_count; t++) {
            s.threads[t].skip = warmup_of(options, s.threads[t].calls);
            out->warmup_calls += s.threads[t].skip;
        }
        s.mode = SCAN_DROP;
        end = scan_part(&s, counts, from, 0, from->size);
        out->threads = s.threads_count;
        out->status = collect(&s, options, counts, out);
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
    char words[128];
    out->status = DET_EINVAL;
    (void)snprintf(out->error.text, sizeof out->error.text, "%s: %s", what,
                   strerror_r(errno, words, sizeof words));
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
