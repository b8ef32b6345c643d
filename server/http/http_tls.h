#pragma once
/*
 * http_tls - the listener's certificate, replaceable while connections are open.
 * TLS 1.2 and 1.3. Files are PEM: the chain, leaf first, and the key without a password.
 */
#include <glib.h>
#include <stdbool.h>

typedef struct srv_http_tls srv_http_tls;

/** srv_http_tls_new - reads both files; NULL with error naming the file. */
srv_http_tls *srv_http_tls_new(const char *certificate_file, const char *key_file,
                               GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_http_tls_reload - reads them again, for new connections; on error the old ones stay. */
bool srv_http_tls_reload(srv_http_tls *tls, GError **error) G_GNUC_WARN_UNUSED_RESULT;

/** srv_http_tls_free - after the listener has ended. NULL is fine. */
void srv_http_tls_free(srv_http_tls *tls);

/** srv__http_tls_use - the certificate for the listener's handshakes; one listener a process. */
void srv__http_tls_use(srv_http_tls *tls);

/** srv__http_tls_callback - what the HTTP library is given (MHD_OPTION_HTTPS_CERT_CALLBACK). */
void *srv__http_tls_callback(void);

/** srv__http_tls_send_last - these bytes and the end; session: the library's, of a connection. */
void srv__http_tls_send_last(void *session, const void *data, size_t size);

#define SRV__HTTP_TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"
