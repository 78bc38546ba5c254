#include "wire/tls_bio.h"

#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>

#include "core/check.h"

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

BIO *tls_bio_new(tls_socket *socket)
{
    pthread_once(&once, make_method);
    BIO *bio = method == NULL ? NULL : BIO_new(method);
    if (bio == NULL)
        return NULL;
    ASSERT(socket->descriptor >= 0);
    BIO_set_data(bio, socket);
    BIO_set_init(bio, 1);
    return bio;
}
