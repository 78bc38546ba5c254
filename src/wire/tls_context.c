#include "wire/tls_context.h"

/* Who signed a certificate is irrelevant. */
static int accept_certificate(X509_STORE_CTX *store, void *user)
{
    (void)store, (void)user;
    return 1;
}

SSL_CTX *tls_context_new(const identity *id)
{
    SSL_CTX *c = SSL_CTX_new(TLS_method());
    if (c == NULL || SSL_CTX_set_min_proto_version(c, TLS1_3_VERSION) != 1 ||
        SSL_CTX_set_max_proto_version(c, TLS1_3_VERSION) != 1 ||
        SSL_CTX_set1_groups_list(c, "X25519") != 1 || /* peers are of the same kind */
        SSL_CTX_set_num_tickets(c, 0) != 1 || SSL_CTX_set_max_early_data(c, 0) != 1 ||
        SSL_CTX_use_certificate(c, id->certificate) != 1 ||
        SSL_CTX_use_PrivateKey(c, id->key) != 1) {
        SSL_CTX_free(c);
        return NULL;
    }
    SSL_CTX_set_options(c, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
    SSL_CTX_set_session_cache_mode(c, SSL_SESS_CACHE_OFF);
    /* A write that would block is repeated later, perhaps from another address: handshake messages
     * are appended to a buffer that grows. */
    SSL_CTX_set_mode(c, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    /* SSL_read returns after a message of TLS itself (a change of keys), else a peer that sends
     * nothing but those would keep this party inside it. */
    SSL_CTX_clear_mode(c, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_verify(c, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
    SSL_CTX_set_cert_verify_callback(c, accept_certificate, NULL);
    return c;
}
