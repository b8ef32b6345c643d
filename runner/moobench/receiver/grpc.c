#include "runner/moobench/receiver/receiver.h"

#include <endian.h>
#include <errno.h>
#include <nghttp2/nghttp2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Before each message: is it packed, and its length. */
#define PREFIX_BYTES 5
/* Large, so that no client waits for us. */
#define STREAM_WINDOW_BYTES (1 << 20)
#define CONNECTION_WINDOW_BYTES (16 << 20)
#define CALLS_MAX 100                      /* at once; an agent has a few */
#define ROOM_KEPT_BYTES ((size_t)64 << 10) /* of a call, for its next messages */

typedef struct call {
    struct call *next;
    char path[256];
    uint8_t *bytes; /* of messages that are not complete yet */
    size_t size, room;
} call;

typedef struct {
    const rcv_grpc_service *service;
    call *calls; /* those that are open */
    size_t held; /* bytes of all of them */
    bool failed;
} connection;

static call *call_open(connection *all) {
    call *one = calloc(1, sizeof *one);
    if (one) {
        one->next = all->calls;
        all->calls = one;
    }
    return one;
}

static void call_close(connection *all, const call *one) {
    for (call **at = &all->calls; *at; at = &(*at)->next) {
        if (*at != one)
            continue;
        call *gone = *at;
        *at = gone->next;
        all->held -= gone->size;
        free(gone->bytes);
        free(gone);
        return;
    }
}

static bool keep(connection *all, call *one, const uint8_t *bytes, size_t size) {
    if (size > RCV_GRPC_MESSAGE_MAX + PREFIX_BYTES - all->held)
        return false;
    if (one->size + size > one->room) {
        size_t room = 2 * (one->size + size);
        uint8_t *more = realloc(one->bytes, room);
        if (!more)
            return false;
        one->bytes = more;
        one->room = room;
    }
    memcpy(one->bytes + one->size, bytes, size);
    one->size += size;
    all->held += size;
    return true;
}

/* What a large message took is given back: many calls may stay open. */
static void give_back(call *one) {
    if (one->room <= ROOM_KEPT_BYTES || one->room <= 4 * one->size)
        return;
    uint8_t *less = realloc(one->bytes, one->size + 1);
    one->bytes = less ? less : one->bytes;
    one->room = less ? one->size + 1 : one->room;
}

/* Hands on what is complete. False when a message is packed or too large. */
static bool hand_on(connection *all, call *one) {
    size_t at = 0;
    while (one->size - at >= PREFIX_BYTES) {
        const uint8_t *prefix = one->bytes + at;
        uint32_t length;
        memcpy(&length, prefix + 1, sizeof length);
        length = be32toh(length);
        if (prefix[0] != 0 || length > RCV_GRPC_MESSAGE_MAX)
            return false;
        if (one->size - at - PREFIX_BYTES < length)
            break;
        all->service->take(all->service->data, one->path, prefix + PREFIX_BYTES, length);
        at += PREFIX_BYTES + length;
    }
    if (at > 0)
        memmove(one->bytes, one->bytes + at, one->size - at);
    one->size -= at;
    all->held -= at;
    give_back(one);
    return true;
}

/* nghttp2 copies both, but asks for what may be written. */
#define HEADER(name, value)                                                                        \
    { (name), (value), sizeof(name) - 1, sizeof(value) - 1, NGHTTP2_NV_FLAG_NONE }

/* The one message of the answer, then the status. */
static ssize_t give_answer(nghttp2_session *session, int32_t stream, uint8_t *to, size_t room,
                           uint32_t *flags, nghttp2_data_source *source, void *data) {
    (void)source;
    const rcv_grpc_service *service = ((connection *)data)->service;
    const size_t size = PREFIX_BYTES + service->answer_size;
    const uint32_t length = htobe32((uint32_t)service->answer_size);
    uint8_t status[] = "grpc-status", fine[] = "0";
    const nghttp2_nv trailer = HEADER(status, fine);
    if (room < size)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    to[0] = 0;
    memcpy(to + 1, &length, sizeof length);
    if (service->answer_size > 0)
        memcpy(to + PREFIX_BYTES, service->answer, service->answer_size);
    *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
    return nghttp2_submit_trailer(session, stream, &trailer, 1) == 0
               ? (ssize_t)size
               : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

static int on_begin(nghttp2_session *session, const nghttp2_frame *frame, void *data) {
    if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST)
        return 0;
    call *one = call_open(data);
    if (!one)
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    return nghttp2_session_set_stream_user_data(session, frame->hd.stream_id, one);
}

static int on_header(nghttp2_session *session, const nghttp2_frame *frame, nghttp2_rcbuf *name,
                     nghttp2_rcbuf *value, uint8_t flags, void *data) {
    (void)flags;
    (void)data;
    call *one = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    const nghttp2_vec key = nghttp2_rcbuf_get_buf(name), text = nghttp2_rcbuf_get_buf(value);
    if (one && key.len == strlen(":path") && memcmp(key.base, ":path", key.len) == 0 &&
        text.len < sizeof one->path)
        memcpy(one->path, text.base, text.len); /* the rest is zero */
    return 0;
}

static int on_data(nghttp2_session *session, uint8_t flags, int32_t stream, const uint8_t *bytes,
                   size_t size, void *data) {
    (void)flags;
    connection *all = data;
    call *one = nghttp2_session_get_stream_user_data(session, stream);
    if (one && keep(all, one, bytes, size) && hand_on(all, one))
        return 0;
    all->failed = true;
    return NGHTTP2_ERR_CALLBACK_FAILURE;
}

static int on_frame(nghttp2_session *session, const nghttp2_frame *frame, void *data) {
    (void)data;
    const call *one = nghttp2_session_get_stream_user_data(session, frame->hd.stream_id);
    const bool ends = frame->hd.flags & NGHTTP2_FLAG_END_STREAM;
    if (!ends || (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA))
        return 0;
    if (one && one->size > 0) /* in the middle of a message */
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    uint8_t status[] = ":status", fine[] = "200", type[] = "content-type",
            grpc[] = "application/grpc";
    const nghttp2_nv headers[] = {HEADER(status, fine), HEADER(type, grpc)};
    const nghttp2_data_provider answer = {.read_callback = give_answer};
    return nghttp2_submit_response(session, frame->hd.stream_id, headers, 2, &answer);
}

static int on_close(nghttp2_session *session, int32_t stream, uint32_t code, void *data) {
    (void)code;
    call_close(data, nghttp2_session_get_stream_user_data(session, stream));
    return 0;
}

static nghttp2_session *session_new(connection *all) {
    nghttp2_session_callbacks *callbacks;
    nghttp2_session *session = NULL;
    if (nghttp2_session_callbacks_new(&callbacks) != 0)
        return NULL;
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin);
    nghttp2_session_callbacks_set_on_header_callback2(callbacks, on_header);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    if (nghttp2_session_server_new(&session, callbacks, all) != 0)
        session = NULL;
    nghttp2_session_callbacks_del(callbacks);
    const nghttp2_settings_entry settings[] = {
        {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, STREAM_WINDOW_BYTES},
        {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, CALLS_MAX}};
    if (session && (nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, settings, 2) != 0 ||
                    nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0,
                                                          CONNECTION_WINDOW_BYTES) != 0)) {
        nghttp2_session_del(session);
        session = NULL;
    }
    return session;
}

static bool send_all(int fd, nghttp2_session *session) {
    const uint8_t *bytes;
    ssize_t size;
    while ((size = nghttp2_session_mem_send(session, &bytes)) > 0) {
        while (size > 0) {
            ssize_t sent = send(fd, bytes, (size_t)size, MSG_NOSIGNAL);
            if (sent < 0 && errno == EINTR)
                continue;
            if (sent <= 0)
                return false;
            bytes += sent;
            size -= sent;
        }
    }
    return size == 0;
}

/* The next bytes, 0 at the end; a connection that breaks has ended too. */
static ssize_t receive(int fd, uint8_t *buffer, size_t room) {
    ssize_t got;
    do {
        got = read(fd, buffer, room);
    } while (got < 0 && errno == EINTR);
    return got > 0 ? got : 0;
}

bool rcv_grpc_serve(int fd, const rcv_grpc_service *service) {
    uint8_t buffer[65536];
    connection all = {.service = service};
    nghttp2_session *session = session_new(&all);
    bool good = session != NULL, open = good;
    ssize_t got;
    while (open && send_all(fd, session) && (got = receive(fd, buffer, sizeof buffer)) > 0) {
        good = nghttp2_session_mem_recv(session, buffer, (size_t)got) == got && !all.failed;
        open = good && (nghttp2_session_want_read(session) || nghttp2_session_want_write(session));
    }
    if (good && session)
        (void)send_all(fd, session);
    nghttp2_session_del(session);
    while (all.calls)
        call_close(&all, all.calls);
    return good;
}
