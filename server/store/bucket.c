#include "server/store/bucket.h"

#include "config/http.h"
#include "server/ground/error.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define STALL_S 30
#define END_US (3 * G_USEC_PER_SEC) /* for what is under way when the server ends */
/* Of the body of a request that has none; S3 wants to be told. */
#define EMPTY_SHA256 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
#define CHECK_KEY "moowatch-check"
#define ANSWER_BYTES_MAX 8192u  /* of what a bucket says is wrong */
#define SKEW_TOLD_S INT64_C(60) /* by which clocks differ, when it refused for that */

struct srv_bucket {
    const cfg_bucket *config;
    uint64_t bytes_max;     /* of what is got */
    _Atomic int64_t end_us; /* monotonic, when calls are given up; 0: they are not */
};

/* One request, and what came of it. */
typedef struct {
    const char *method, *key;
    FILE *file; /* to or from */
    bool sends;
    char *headers[4]; /* ends with NULL */
    GChecksum *sum;   /* of what comes; NULL: nothing is wanted */
    uint64_t bytes;
    const srv_bucket *bucket;
    cfg_http_answer answer;
} request;

srv_bucket *srv_bucket_new(const cfg_server *config) {
    srv_bucket *bucket = config->bucket.url ? g_new0(srv_bucket, 1) : NULL;
    if (bucket)
        *bucket = (srv_bucket){&config->bucket,
                               MAX(config->raw_limit_bytes, config->artifact_limit_bytes), 0};
    return bucket;
}

void srv_bucket_free(srv_bucket *bucket) {
    g_free(bucket);
}

void srv_bucket_end(srv_bucket *bucket) {
    if (bucket)
        atomic_store(&bucket->end_us, g_get_monotonic_time() + END_US);
}

static bool busy(const srv_bucket *bucket, GError **error, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
static bool busy(const srv_bucket *bucket, GError **error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_BUSY, "the bucket %s %s", bucket->config->url,
                     what);
}

/* "id:secret", owned; NULL with error. */
static char *credentials(const srv_bucket *bucket, GError **error) {
    const char *path = bucket->config->credentials_file;
    struct stat about;
    g_autofree char *text = NULL;
    if (stat(path, &about) == 0 && (about.st_mode & 0007) != 0) {
        busy(bucket, error, "is not used: every user can read %s; run chmod o= on it", path);
        return NULL;
    }
    g_autoptr(GError) problem = NULL;
    if (!g_file_get_contents(path, &text, NULL, &problem)) {
        busy(bucket, error, "needs credentials_file: %s", problem->message);
        return NULL;
    }
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", 3);
    if (g_strv_length(lines) == 2 && *g_strstrip(lines[0]) && *g_strstrip(lines[1]))
        return g_strconcat(lines[0], ":", lines[1], NULL);
    busy(bucket, error, "needs two lines in %s: the key's id, and its secret", path);
    return NULL;
}

static void header_add(request *r, const char *name, const char *value) {
    char **end = r->headers;
    while (*end)
        end++;
    *end = g_strconcat(name, ": ", value, NULL);
}

static bool take(void *user, const char *bytes, gsize size) {
    request *r = user;
    g_checksum_update(r->sum, (const guchar *)bytes, (gssize)size);
    r->bytes += size;
    return r->bytes <= r->bucket->bytes_max && fwrite(bytes, 1, size, r->file) == size;
}

static bool is_over(void *user) {
    const request *r = user;
    const int64_t end_us = atomic_load(&r->bucket->end_us);
    return end_us != 0 && g_get_monotonic_time() > end_us;
}

/* Sends it. False with error when there was no answer; what the answer says is judge's. */
static bool send_once(request *r, const srv_bucket *bucket, uint64_t size, GError **error) {
    g_autofree char *key = credentials(bucket, error);
    if (!key)
        return false;
    g_autofree char *url = g_strconcat(bucket->config->url, "/", r->key, NULL);
    g_autofree char *provider = g_strdup_printf("aws:amz:%s:s3", bucket->config->region);
    const cfg_http_call call = {.url = url,
                                .method = r->sends ? NULL : r->method,
                                .agent = "moowatch",
                                .header = (const char *const *)r->headers,
                                .file = r->sends ? r->file : NULL,
                                .file_bytes = (int64_t)size,
                                .stall_s = STALL_S,
                                .answer_bytes_max = ANSWER_BYTES_MAX,
                                .take = r->sum ? take : NULL,
                                .stop = is_over,
                                .user = r,
                                .sigv4 = provider,
                                .key = key};
    r->bucket = bucket;
    if (cfg_http_send(NULL, &call, &r->answer))
        return true;
    return is_over(r) ? busy(bucket, error,
                             "is not waited for: this server ends; uploads stay "
                             "unconfirmed and are repeated")
                      : busy(bucket, error,
                             "cannot be reached: %s; uploads stay unconfirmed and are repeated",
                             r->answer.problem);
}

static void request_clear(request *r) {
    for (size_t i = 0; i < G_N_ELEMENTS(r->headers); i++)
        g_free(r->headers[i]);
    if (r->sum)
        g_checksum_free(r->sum);
    cfg_http_answer_clear(&r->answer);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(request, request_clear)

/* What stands between <Code> and </Code> of S3's errors; owned, printable, "" when nothing does. */
static char *code_of(const request *r) {
    const char *from = strstr(r->answer.body->str, "<Code>");
    from = from ? from + strlen("<Code>") : "";
    g_autofree char *code = g_strndup(from, MIN(strcspn(from, "<"), 64));
    for (char *c = code; *c; c++)
        if (!g_ascii_isalnum(*c))
            *c = '?';
    return g_steal_pointer(&code);
}

/* The clocks, when the bucket refused for that; by its own Date. */
static bool clock_wrong(const srv_bucket *bucket, const request *r, const char *code,
                        GError **error) {
    const int64_t apart_s = r->answer.date_s ? (int64_t)time(NULL) - r->answer.date_s : 0;
    if (!g_str_equal(code, "RequestTimeTooSkewed") && ABS(apart_s) <= SKEW_TOLD_S)
        return false;
    if (ABS(apart_s) <= SKEW_TOLD_S)
        busy(bucket, error,
             "says that this server's clock differs from its own; set both by NTP (%s)", code);
    else
        busy(bucket, error,
             "refuses (%s): this server's clock is %" G_GINT64_FORMAT
             " minutes %s that of the bucket; set them by NTP",
             code, ABS(apart_s) / 60, apart_s > 0 ? "ahead of" : "behind");
    return true;
}

/* 2xx. What is sent may be refused after its 200: then the error is in the body, which is empty
 * otherwise. */
static bool is_good(const request *r) {
    return r->answer.status / 100 == 2 && (r->sum || !strstr(r->answer.body->str, "<Error"));
}

/* Any other answer. Returns false. */
static bool refused(const srv_bucket *bucket, const request *r, GError **error) {
    g_autofree char *code = code_of(r);
    const char *and = *code ? ", " : "";
    if (r->answer.status == 404 && !g_str_equal(code, "NoSuchBucket") && !r->sends)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_NOT_FOUND, "the bucket %s has no %s",
                         bucket->config->url, r->key);
    if (r->answer.status == 403 && clock_wrong(bucket, r, code, error))
        return false;
    if (r->answer.status == 401 || r->answer.status == 403)
        return busy(bucket, error, "refuses the key in %s (%ld%s%s)",
                    bucket->config->credentials_file, r->answer.status, and, code);
    if (r->answer.status == 404)
        return busy(bucket, error, "does not exist (%ld%s%s); create it, or correct its url",
                    r->answer.status, and, code);
    if (g_str_equal(code, "BadDigest") || g_str_equal(code, "XAmzContentSHA256Mismatch"))
        return busy(bucket, error,
                    "received other bytes than were sent (%s); the upload is repeated", code);
    return busy(bucket, error, "answers %ld%s%s; uploads stay unconfirmed and are repeated",
                r->answer.status, and, code);
}

static bool perform(const srv_bucket *bucket, request *r, uint64_t size, GError **error) {
    if (!r->sends)
        header_add(r, "x-amz-content-sha256", EMPTY_SHA256);
    return send_once(r, bucket, size, error) && (is_good(r) || refused(bucket, r, error));
}

/* MD5 in base64, as Content-MD5 has it, and the size; the file is at its beginning again. */
static char *digest_of(FILE *file, uint64_t *size) {
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_MD5);
    guint8 digest[16], piece[16384];
    gsize length = sizeof digest, got;
    *size = 0;
    rewind(file);
    while ((got = fread(piece, 1, sizeof piece, file)) > 0) {
        g_checksum_update(sum, piece, (gssize)got);
        *size += got;
    }
    rewind(file);
    g_checksum_get_digest(sum, digest, &length);
    return g_base64_encode(digest, length);
}

bool srv_bucket_put(srv_bucket *bucket, const char *key, FILE *file, const char *sha256,
                    GError **error) {
    g_auto(request) r = {.method = "PUT", .key = key, .file = file, .sends = true};
    uint64_t size;
    g_autofree char *md5 = digest_of(file, &size);
    header_add(&r, "x-amz-content-sha256", sha256);
    header_add(&r, "Content-MD5", md5);
    header_add(&r, "Content-Type", "application/octet-stream");
    return perform(bucket, &r, size, error);
}

bool srv_bucket_get(srv_bucket *bucket, const char *key, const char *sha256, FILE *file,
                    uint64_t *bytes, GError **error) {
    g_auto(request) r = {.method = "GET", .key = key, .file = file};
    g_autoptr(GError) problem = NULL;
    r.sum = g_checksum_new(G_CHECKSUM_SHA256);
    rewind(file);
    if (!perform(bucket, &r, 0, &problem)) {
        if (r.bytes > bucket->bytes_max)
            g_set_error(error, SRV_ERROR, SRV_ERROR_INTERNAL,
                        "the bucket %s sends more than %" G_GUINT64_FORMAT
                        " bytes under %s; a file that is really larger needs a larger "
                        "raw_limit_bytes or artifact_limit_bytes",
                        bucket->config->url, bucket->bytes_max, key);
        else
            g_propagate_error(error, g_steal_pointer(&problem));
        return false;
    }
    *bytes = r.bytes;
    if (fflush(file) != 0)
        return SRV__FAIL(error, SRV_ERROR, SRV_ERROR_FULL, "cannot keep a copy of %s: %s", key,
                         g_strerror(errno));
    if (g_str_equal(g_checksum_get_string(r.sum), sha256))
        return true;
    return SRV__FAIL(
        error, SRV_ERROR, SRV_ERROR_INTERNAL,
        "the bucket %s has other bytes under %s than were stored (SHA-256 %s); restore the "
        "file from a backup",
        bucket->config->url, key, g_checksum_get_string(r.sum));
}

bool srv_bucket_delete(srv_bucket *bucket, const char *key, GError **error) {
    g_auto(request) r = {.method = "DELETE", .key = key};
    g_autoptr(GError) problem = NULL;
    if (perform(bucket, &r, 0, &problem) ||
        g_error_matches(problem, SRV_ERROR, SRV_ERROR_NOT_FOUND))
        return true;
    g_propagate_error(error, g_steal_pointer(&problem));
    return false;
}

bool srv_bucket_check(srv_bucket *bucket, GError **error) {
    static const char text[] = "written by moowatchd --check-bucket\n";
    g_autofree char *sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
    uint64_t bytes;
    FILE *file = tmpfile();
    const bool good = file && fputs(text, file) >= 0 && fflush(file) == 0 &&
                      srv_bucket_put(bucket, CHECK_KEY, file, sha256, error) &&
                      srv_bucket_get(bucket, CHECK_KEY, sha256, file, &bytes, error);
    if (!file)
        busy(bucket, error, "is not used: a temporary file cannot be made (%s)", g_strerror(errno));
    else
        (void)fclose(file);
    return good;
}
