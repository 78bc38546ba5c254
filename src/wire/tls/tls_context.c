#include "wire/tls/tls_context.h"

#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/check.h"

/* The signer of a certificate does not matter. */
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

/* --- sockets --- */

static int socket_write(BIO *bio, const char *bytes, int length)
{
    tls_socket *s = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t wrote = send(s->descriptor, bytes, (size_t)length, MSG_NOSIGNAL);
    if (wrote < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        BIO_set_retry_write(bio);
    if (wrote > 0)
        s->sent += (uint64_t)wrote;
    return (int)wrote;
}

/* OpenSSL distinguishes the end of the stream from an error by BIO_CTRL_EOF. */
static int socket_read(BIO *bio, char *bytes, int length)
{
    tls_socket *s = BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t got = recv(s->descriptor, bytes, (size_t)length, 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        BIO_set_retry_read(bio);
    if (got > 0)
        s->received += (uint64_t)got;
    if (got == 0)
        BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    return (int)got;
}

static long socket_control(BIO *bio, int command, long number, void *pointer)
{
    (void)number, (void)pointer;
    if (command == BIO_CTRL_FLUSH)
        return 1;
    if (command == BIO_CTRL_EOF)
        return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0;
    return 0;
}

static BIO_METHOD *method;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_method(void)
{
    BIO_METHOD *m = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "kith socket");
    if (m == NULL)
        return;
    BIO_meth_set_write(m, socket_write);
    BIO_meth_set_read(m, socket_read);
    BIO_meth_set_ctrl(m, socket_control);
    method = m; /* never freed: other sessions may use it until the process ends */
}

SSL *tls_socket_start(SSL_CTX *context, tls_socket *socket, bool connects)
{
    ASSERT(socket->descriptor >= 0);
    pthread_once(&once, make_method);
    SSL *ssl = method == NULL ? NULL : SSL_new(context);
    BIO *bio = ssl == NULL ? NULL : BIO_new(method);
    if (bio == NULL) {
        SSL_free(ssl);
        return NULL;
    }
    BIO_set_data(bio, socket);
    BIO_set_init(bio, 1);
    SSL_set_bio(ssl, bio, bio);
    if (connects)
        SSL_set_connect_state(ssl);
    else
        SSL_set_accept_state(ssl);
    return ssl;
}

void tls_socket_close(tls_socket *socket, SSL *ssl)
{
    if (ssl != NULL)
        (void)SSL_shutdown(ssl); /* tells the peer that the end is deliberate */
    SSL_free(ssl);
    if (socket->descriptor >= 0)
        close(socket->descriptor);
}
