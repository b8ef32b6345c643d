#pragma once
/*
 * notify_deliver - one message to one channel: the right words, the right protocol.
 */
#include "server/notify/notify_message.h"

/**
 * srv_deliver - send it; blocking.
 * reference  out, the receiver's name for it (an issue's number, a Message-ID); NULL: none
 */
void srv_deliver(const srv_message *message, srv_sent *out, char **reference);

/** srv_deliver_to_operator - what is wrong with the server, to mail->operator; blocking. */
void srv_deliver_to_operator(const cfg_mail *mail, const char *text, int64_t now_ms,
                             srv_send_stop stop, srv_sent *out);

/** srv_deliver_signature - "sha256=<hex>" HMAC-SHA256 of the body, as GitHub signs. */
char *srv_deliver_signature(const char *key, gsize key_size, const char *body);
