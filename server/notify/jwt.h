#pragma once
/*
 * jwt - JSON web tokens signed with RSA (RS256), as GitHub Apps prove who they are. With https
 * listening, one of the daemon's two users of GnuTLS itself.
 */
#include <glib.h>
#include <jansson.h>

/**
 * srv_jwt_sign - header.claims.signature, each in base64url. RFC 7515, 7518.
 * key  PEM, RSA, PKCS#1 or PKCS#8
 * Returns the token, caller frees; NULL with error (G_IO_ERROR): the key cannot be used. No part
 * of the key is in the error's text.
 */
char *srv_jwt_sign(const char *key, gsize key_size, const json_t *claims,
                   GError **error) G_GNUC_WARN_UNUSED_RESULT;
