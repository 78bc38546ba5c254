#include "wire/tls/tls_lookup.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Belongs to the caller and to the thread; the last one of them frees it. */
struct tls_lookup {
    char host[256], port[16];
    struct addrinfo *found;
    const char *why;
    atomic_bool done; /* `found` and `why` are set, and do not change any more */
    atomic_int owners;
};

/* Splits host:port or [host]:port; the brackets are for IPv6. */
static bool split_address(const char *address, char host[256], char port[16])
{
    const char *colon = strrchr(address, ':');
    if (colon == NULL)
        return false;
    const char *start = address;
    size_t length = (size_t)(colon - address);
    if (length >= 2 && address[0] == '[' && colon[-1] == ']') {
        start++;
        length -= 2;
    }
    if (length == 0 || length > 255 || strlen(colon + 1) > 15)
        return false;
    memcpy(host, start, length);
    host[length] = '\0';
    memcpy(port, colon + 1, strlen(colon + 1) + 1);
    return true;
}

static bool tls_lookup_begin(tls_lookup *l, int flags)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV | flags};
    int failed = getaddrinfo(l->host, l->port, &hints, &l->found);
    if (failed != 0)
        l->found = NULL;
    l->why = failed == 0 ? NULL : gai_strerror(failed);
    return failed == 0;
}

static void *thread_main(void *object)
{
    tls_lookup *l = object;
    tls_lookup_begin(l, 0);
    atomic_store(&l->done, true);
    tls_lookup_free(l);
    return NULL;
}

/* The thread is not joined: it may outlive the session. */
static bool start_thread(tls_lookup *l)
{
    pthread_attr_t detached;
    pthread_t thread;
    if (pthread_attr_init(&detached) != 0)
        return false;
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    atomic_store(&l->owners, 2);
    bool started = pthread_create(&thread, &detached, thread_main, l) == 0;
    pthread_attr_destroy(&detached);
    return started;
}

tls_lookup *tls_lookup_start(const char *address)
{
    tls_lookup *l = calloc(1, sizeof *l);
    if (l == NULL)
        return NULL;
    atomic_init(&l->owners, 1);
    if (!split_address(address, l->host, l->port)) {
        l->why = "not an address of the form host:port";
        atomic_store(&l->done, true);
    } else if (tls_lookup_begin(l, AI_NUMERICHOST)) {
        atomic_store(&l->done, true);
    } else if (!start_thread(l)) {
        free(l);
        return NULL;
    }
    return l;
}

bool tls_lookup_is_done(const tls_lookup *l)
{
    return atomic_load(&l->done);
}

const struct addrinfo *tls_lookup_result(const tls_lookup *l, const char **why)
{
    *why = l->why;
    return l->found;
}

void tls_lookup_free(tls_lookup *l)
{
    if (l == NULL || atomic_fetch_sub(&l->owners, 1) > 1)
        return;
    if (l->found != NULL)
        freeaddrinfo(l->found);
    free(l);
}
