#pragma once
/*
 * stream - server-sent events: one hub, many waiting connections.
 *
 * Each client has a bounded queue; one that cannot keep up is dropped (it reconnects and reads the
 * state anew). An event costs one copy of its text for all clients. About 22 KiB a client.
 */
#include <stdbool.h>

typedef struct srv_stream_hub srv_stream_hub;
struct MHD_Connection;
struct MHD_Response;

/** srv_stream_hub_new - limit: streams at once; per_client: of one other than this machine. */
srv_stream_hub *srv_stream_hub_new(unsigned limit, unsigned per_client);
void srv_stream_hub_free(srv_stream_hub *hub);

/**
 * srv_stream_open - a response that follows the hub; NULL when a limit is reached or it is closed.
 * address  the client's
 * token    key of the secret that opened it (auth.h); NULL: anybody may read
 * details  whether it shows what is withheld from others
 */
struct MHD_Response *srv_stream_open(srv_stream_hub *hub, struct MHD_Connection *connection,
                                     const char *address, const char *token, bool details);

/** srv_stream_review - ends the streams of tokens that are no longer valid. valid: short. */
void srv_stream_review(srv_stream_hub *hub, bool (*valid)(void *user, const char *token),
                       void *user);

/** srv_stream_publish - to every client; data is one line of JSON, shown what of it those see who
 * see no details; NULL: all. Thread-safe, never blocks. */
void srv_stream_publish(srv_stream_hub *hub, const char *type, const char *data, const char *shown);

/** srv_stream_heartbeat - a comment line to every client; how clients that are gone are noticed. */
void srv_stream_heartbeat(srv_stream_hub *hub);

/** srv_stream_count - clients now. */
unsigned srv_stream_count(srv_stream_hub *hub);

/** srv_stream_close - ends every stream and lets no new one in. */
void srv_stream_close(srv_stream_hub *hub);
