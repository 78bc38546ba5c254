/* Parties over TLS on 127.0.0.1 within a test: throw-away keys, free ports, a thread per party. */
#ifndef SUPPORT_LOOPBACK_H
#define SUPPORT_LOOPBACK_H

#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "wire/tls/tls_session.h"

enum { LOOPBACK_MAX = 8 };

typedef struct loopback_site {
    tls_options options;
    kith_status (*fn)(party *p, void *user, kith_error *error);
    void *user;
    void (*done)(party *p, void *user);
    kith_status status;
    kith_error error;
} loopback_site;

typedef struct loopback {
    arena *memory;
    uint32_t count;
    tls_peer peer[LOOPBACK_MAX];
    identity *id[LOOPBACK_MAX];
    loopback_site site[LOOPBACK_MAX];
    agreement_entry entry[2];
} loopback;

/* For tests over TLS, whose time is that of the system: they may ask whether so much has passed,
 * but not whether no more has. */
static inline double loopback_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* A child process that does not outlive this one, not even if it is stopped. */
static inline pid_t loopback_fork(void)
{
    pid_t parent = getpid(), child = fork();
    if (child < 0)
        abort();
    if (child == 0 && (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent))
        _exit(1);
    return child;
}

static inline bool loopback_free_port(unsigned port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                             .sin_port = htons((uint16_t)port)};
    int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool good = s >= 0 && bind(s, (struct sockaddr *)&at, sizeof at) == 0;
    if (s >= 0)
        close(s);
    return good;
}

/* A port that was free a moment ago, below those that the system hands out itself; no two of a
 * process are the same, and other processes begin elsewhere. */
static inline unsigned loopback_port(void)
{
    enum { FIRST = 12000, PORTS = 20000 };
    static atomic_uint next;
    for (int tries = 0; tries < PORTS; tries++) {
        unsigned at = (unsigned)getpid() * 97 + atomic_fetch_add(&next, 1);
        if (loopback_free_port(FIRST + at % PORTS))
            return FIRST + at % PORTS;
    }
    abort();
}

/* A fresh key; the days count from today. */
static inline identity *loopback_identity(arena *memory, const char *name, int first_day,
                                          int last_day)
{
    char path[] = "/tmp/kith-test-key-XXXXXX";
    identity *id = NULL;
    kith_error error = {0};
    time_t now = time(NULL);
    int made = mkstemp(path);
    if (made < 0)
        abort();
    close(made);
    if (identity_create(path, name, now + first_day * 86400L, now + last_day * 86400L, true,
                        &error) != KITH_OK ||
        identity_load(&id, memory, path, &error) != KITH_OK) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    unlink(path);
    return id;
}

/* m parties that agree, and wait for each other for minutes; what differs in a test is changed in
 * site[i].options afterwards. */
static inline void loopback_init(loopback *b, uint32_t count,
                                 kith_status (*fn)(party *p, void *user, kith_error *error))
{
    static const char *const names[] = {"north", "south", "east",  "west",
                                        "upper", "lower", "inner", "outer"};
    memset(b, 0, sizeof *b);
    b->memory = arena_new();
    b->count = count;
    b->entry[0] = (agreement_entry){"study", "first"};
    b->entry[1] = (agreement_entry){"columns.age.role", "second"};
    for (uint32_t i = 0; i < count; i++) {
        char address[32];
        snprintf(address, sizeof address, "127.0.0.1:%u", loopback_port());
        b->id[i] = loopback_identity(b->memory, names[i], -1, 10);
        b->peer[i] = (tls_peer){.name = names[i], .address = arena_strdup(b->memory, address)};
        memcpy(b->peer[i].pin, b->id[i]->pin, IDENTITY_PIN);
    }
    for (uint32_t i = 0; i < count; i++) {
        b->site[i].fn = fn;
        b->site[i].options = (tls_options){.count = count,
                                           .self = i,
                                           .peers = b->peer,
                                           .identity = b->id[i],
                                           .agreement = {"digest", 2, b->entry},
                                           .wait_ms = 300000,
                                           .deadline_ms = 300000};
    }
}

static inline void loopback_free(loopback *b)
{
    arena_free(b->memory);
}

static inline kith_status loopback_visit(loopback_site *s, arena *memory)
{
    party *p;
    kith_status status = tls_session_open(&p, memory, &s->options, &s->error);
    if (status != KITH_OK)
        return status;
    status = tls_session_end(p, s->fn(p, s->user, &s->error), &s->error);
    if (s->done != NULL)
        s->done(p, s->user);
    return status;
}

static inline void *loopback_thread(void *object)
{
    loopback_site *s = object;
    arena *memory = arena_new();
    s->error.status = KITH_OK;
    s->status = memory == NULL ? error_nomem(&s->error) : loopback_visit(s, memory);
    if (memory != NULL)
        arena_free(memory);
    return NULL;
}

/* Starts one of them. */
static inline pthread_t loopback_start(loopback_site *s)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, loopback_thread, s) != 0)
        abort();
    return thread;
}

/* All at once. */
static inline void loopback_run(loopback *b)
{
    pthread_t thread[LOOPBACK_MAX];
    for (uint32_t i = 0; i < b->count; i++)
        thread[i] = loopback_start(&b->site[i]);
    for (uint32_t i = 0; i < b->count; i++)
        pthread_join(thread[i], NULL);
}

#endif
