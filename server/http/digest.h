#pragma once
/*
 * digest - the header Content-Digest (RFC 9530), as far as SHA-256 goes.
 */
#include <stdbool.h>

/**
 * srv_digest_sha256 - the hash that a Content-Digest names, "sha-256=:BASE64:", among others or
 * alone. sha256  out: 64 lower-case hex digits and NUL Returns false when there is none, or one
 * that is no hash; the last of two counts, as in every structured field (RFC 8941).
 */
bool srv_digest_sha256(const char *header, char sha256[65]);
