/* The preloaded library's calls for sockets, threads, processes and random numbers. See failing.h.
 */
#include "failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#pragma GCC visibility push(default)

static bool works(failing_kind kind)
{
    return failing_path(kind, NULL) == FATE_WORKS;
}

int socket(int family, int type, int protocol)
{
    return works(FAILING_SOCKET) ? REAL(socket)(family, type, protocol) : -1;
}

int setsockopt(int descriptor, int level, int name, const void *value, socklen_t bytes)
{
    return works(FAILING_SOCKET) ? REAL(setsockopt)(descriptor, level, name, value, bytes) : -1;
}

int bind(int descriptor, const struct sockaddr *address, socklen_t bytes)
{
    return works(FAILING_SOCKET) ? REAL(bind)(descriptor, address, bytes) : -1;
}

int listen(int descriptor, int backlog)
{
    return works(FAILING_SOCKET) ? REAL(listen)(descriptor, backlog) : -1;
}

int connect(int descriptor, const struct sockaddr *address, socklen_t bytes)
{
    return works(FAILING_CONNECT) ? REAL(connect)(descriptor, address, bytes) : -1;
}

int accept4(int descriptor, struct sockaddr *address, socklen_t *bytes, int flags)
{
    return works(FAILING_ACCEPT) ? REAL(accept4)(descriptor, address, bytes, flags) : -1;
}

/* The other end notices, too, if a connection breaks. */
static ssize_t reset(int descriptor)
{
    const int why = errno;
    if (why == ECONNRESET)
        shutdown(descriptor, SHUT_RDWR);
    errno = why;
    return -1;
}

ssize_t send(int descriptor, const void *bytes, size_t length, int flags)
{
    switch (failing_path(FAILING_SEND, NULL)) {
    case FATE_FAILS: return reset(descriptor);
    case FATE_SHORT: return REAL(send)(descriptor, bytes, length > 0, flags);
    default: return REAL(send)(descriptor, bytes, length, flags);
    }
}

ssize_t recv(int descriptor, void *bytes, size_t room, int flags)
{
    switch (failing_path(FAILING_RECV, NULL)) {
    case FATE_FAILS: return reset(descriptor);
    case FATE_SHORT: return REAL(recv)(descriptor, bytes, room > 0, flags);
    default: return REAL(recv)(descriptor, bytes, room, flags);
    }
}

int poll(struct pollfd *descriptors, nfds_t count, int timeout)
{
    return works(FAILING_POLL) ? REAL(poll)(descriptors, count, timeout) : -1;
}

int __poll_chk(struct pollfd *descriptors, nfds_t count, int timeout, size_t room);
int __poll_chk(struct pollfd *descriptors, nfds_t count, int timeout, size_t room)
{
    (void)room;
    return poll(descriptors, count, timeout);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *user)
{
    if (!works(FAILING_THREAD))
        return errno;
    return REAL(pthread_create)(thread, attributes, run, user);
}

pid_t fork(void)
{
    return works(FAILING_PROCESS) ? REAL(fork)() : -1;
}

int pipe2(int ends[2], int flags)
{
    return works(FAILING_PROCESS) ? REAL(pipe2)(ends, flags) : -1;
}

ssize_t getrandom(void *bytes, size_t length, unsigned flags)
{
    return works(FAILING_RANDOM) ? REAL(getrandom)(bytes, length, flags) : -1;
}
