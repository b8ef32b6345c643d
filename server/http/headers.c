#include "server/http/http_exchange.h"

#include <arpa/inet.h>
#include <string.h>

#define FORWARDED "x-forwarded-for"

enum { HEADERS_MAX = 100, HOST = 1, LENGTH = 2, CODING = 4 };

static bool is(const char *name, size_t size, const char *wanted) {
    return size == strlen(wanted) && g_ascii_strncasecmp(name, wanted, size) == 0;
}

/* By RFC 9110. */
static bool is_name(const char *name, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (!g_ascii_isalnum(name[i]) && (name[i] == '\0' || !strchr("!#$%&'*+-.^_`|~", name[i])))
            return false;
    return size > 0;
}

static bool is_value(const char *value, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)value[i] < ' ' && value[i] != '\t') || value[i] == 0x7f)
            return false;
    return true;
}

static void refuse(srv__headers_look *look, unsigned status, const char *wrong) {
    look->status = status;
    look->wrong = wrong;
}

/* What decides where the body ends, or whom the request is for, stands once. */
static void look_at_framing(srv__headers_look *look, const char *name, size_t size,
                            const char *value) {
    const unsigned bit = is(name, size, MHD_HTTP_HEADER_HOST)                ? HOST
                         : is(name, size, MHD_HTTP_HEADER_CONTENT_LENGTH)    ? LENGTH
                         : is(name, size, MHD_HTTP_HEADER_TRANSFER_ENCODING) ? CODING
                                                                             : 0;
    if ((look->framings & bit) != 0)
        refuse(look, 400, "Host, Content-Length and Transfer-Encoding may stand only once");
    look->framings |= bit;
    if ((look->framings & (LENGTH | CODING)) == (LENGTH | CODING))
        refuse(look, 400, "Content-Length and Transfer-Encoding exclude each other");
    if (bit == CODING && g_ascii_strcasecmp(value, "chunked") != 0)
        refuse(look, 400, "the only Transfer-Encoding that is read here is chunked");
}

static const char bare[] = "a line of the request's head does not end with CR LF, or holds a NUL";

/* A MHD_KeyValueIteratorN; data: srv__headers_look, first all 0. */
static enum MHD_Result headers_look_at(void *data, enum MHD_ValueKind kind, const char *name,
                                       size_t name_size, const char *value, size_t value_size) {
    (void)kind;
    srv__headers_look *look = data;
    const char *text = value ? value : "";
    if (!is_name(name, name_size) || !is_value(text, value ? value_size : 0))
        refuse(look, 400, "a header has a character that is not allowed there");
    else if (look->next && look->next != name)
        refuse(look, 400, bare);
    else if (!is(name, name_size, FORWARDED) && ++look->headers > HEADERS_MAX)
        refuse(look, 431, "the request has more than 100 headers");
    else
        look_at_framing(look, name, name_size, text);
    if (look->next && value)
        look->next = value + value_size + strlen("\r\n");
    return look->status == 0 ? MHD_YES : MHD_NO;
}

/* The library of Debian 12, 0.9.75, takes a bare LF for the end of a line, whatever it is told; 1.0
 * does not. It leaves the head where it came, each line's end overwritten with NULs: so it is known
 * where the next line begins. */
srv_reply *srv__headers_refusal(struct MHD_Connection *connection, const char *method,
                                const char *version) {
    const bool ours = strcmp(MHD_get_version(), "0.9.76") < 0;
    srv__headers_look look = {.next = ours ? version + strlen(version) + strlen("\r\n") : NULL};
    MHD_get_connection_values_n(connection, MHD_HEADER_KIND, headers_look_at, &look);
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (look.status == 0 && ours && info &&
        look.next + strlen("\r\n") != method + info->header_size)
        refuse(&look, 400, bare);
    if (look.status == 0)
        return NULL;
    srv_reply *refusal = srv_reply_problem(look.status, look.wrong);
    srv_reply_header(refusal, "Connection", "close");
    return refusal;
}

/* Without a port: of "203.0.113.7:50001", "[2001:db8::7]:50001", "[2001:db8::7]", "fe80::7%eth0".
 */
static void headers_client(const char *list, unsigned back, char out[INET6_ADDRSTRLEN]) {
    g_auto(GStrv) hops = g_strsplit(list, ",", -1);
    const guint n = g_strv_length(hops);
    char *hop = n > 0 ? g_strstrip(hops[n - MIN(MAX(back, 1), n)]) : NULL;
    struct in6_addr v6;
    struct in_addr v4;
    if (hop && hop[0] == '"') { /* as in the header Forwarded */
        hop++;
        hop[strcspn(hop, "\"")] = '\0';
    }
    if (hop && hop[0] == '[') {
        hop++;
        hop[strcspn(hop, "]%")] = '\0';
    } else if (hop) {
        const char *first = strchr(hop, ':');
        hop[first && !strchr(first + 1, ':') ? (size_t)(first - hop) : strcspn(hop, "%")] = '\0';
    }
    if (hop && inet_pton(AF_INET6, hop, &v6) == 1)
        inet_ntop(AF_INET6, &v6, out, INET6_ADDRSTRLEN);
    else if (hop && inet_pton(AF_INET, hop, &v4) == 1)
        inet_ntop(AF_INET, &v4, out, INET6_ADDRSTRLEN);
    else
        g_strlcpy(out, "unknown", INET6_ADDRSTRLEN);
}

typedef struct {
    GHashTable *headers;
    GString *forwarded; /* all lines as one list: a proxy may add one of its own */
} taken;

static enum MHD_Result take(void *data, enum MHD_ValueKind kind, const char *name,
                            const char *value) {
    (void)kind;
    taken *all = data;
    g_autofree char *key = g_ascii_strdown(name, -1);
    if (strcmp(key, FORWARDED) == 0)
        g_string_append_printf(all->forwarded, "%s%s", all->forwarded->len > 0 ? "," : "",
                               value ? value : "");
    else if (!g_hash_table_contains(all->headers, key))
        g_hash_table_insert(all->headers, g_steal_pointer(&key),
                            g_utf8_make_valid(value ? value : "", -1));
    return MHD_YES;
}

void srv__headers_read(struct MHD_Connection *connection, const srv_http_options *options,
                       srv_request *request) {
    taken all = {.headers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                 .forwarded = g_string_new(NULL)};
    char client[INET6_ADDRSTRLEN];
    MHD_get_connection_values(connection, MHD_HEADER_KIND, take, &all);
    request->headers = all.headers;
    if (options->config->behind_proxy && all.forwarded->len > 0) {
        headers_client(all.forwarded->str, options->config->proxy_count, client);
        request->client = g_strdup(client);
    } else {
        request->client = srv__connections_address(connection);
    }
    g_string_free(all.forwarded, TRUE);
}
