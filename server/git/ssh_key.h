#pragma once
/* ssh_key - what is in a file that should hold a private key for ssh; nothing is decrypted. */
#include <glib.h>

typedef enum {
    SRV_SSH_KEY_UNKNOWN,   /* none that we know the form of */
    SRV_SSH_KEY_PUBLIC,    /* the other half */
    SRV_SSH_KEY_ENCRYPTED, /* wants a passphrase, and there is nobody to ask */
    SRV_SSH_KEY_RSA,
    SRV_SSH_KEY_OTHER /* ECDSA, Ed25519, … */
} srv_ssh_key_kind;

/** srv_ssh_key_look - text: the file's, OpenSSH's own form, PEM or PKCS #8. */
srv_ssh_key_kind srv_ssh_key_look(const char *text);
