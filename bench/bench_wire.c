/* How fast large vectors move between two parties over TLS on loopback, against a bare transfer
 * with OpenSSL (blocking sockets, SSL_write and SSL_read of 256 KB) of as many bytes, in turns;
 * and what a round trip costs. The ratio of the best runs counts. Seconds are CPU seconds of both
 * ends together, since other work may keep the machine busy; wall seconds beside them.
 *
 * usage: bench_wire [MEGABYTES] */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <openssl/ssl.h>

#include "core/error.h"
#include "wire/tls/tls_session.h"

enum { RUNS = 5, CHUNK = 256 * 1024, TRIPS = 2000 };

typedef struct measured {
    double cpu, wall;
} measured;

static size_t total = 256u << 20;
static unsigned char *vector;
static identity *id[2];

static double clock_of(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static measured now(void)
{
    return (measured){clock_of(CLOCK_PROCESS_CPUTIME_ID), clock_of(CLOCK_MONOTONIC)};
}

static void die(const char *why)
{
    fprintf(stderr, "bench_wire: %s\n", why);
    exit(1);
}

static identity *make_identity(arena *memory)
{
    char path[] = "/tmp/kith-bench-key-XXXXXX";
    identity *made = NULL;
    kith_error error = {0};
    close(mkstemp(path));
    if (identity_create(path, "bench", time(NULL) - 3600, time(NULL) + 3600, true, &error) !=
            KITH_OK ||
        identity_load(&made, memory, path, &error) != KITH_OK)
        die(error.message);
    unlink(path);
    return made;
}

/* Listens on a free port of loopback. */
static int listen_somewhere(struct sockaddr_in *at)
{
    socklen_t size = sizeof *at;
    int s = socket(AF_INET, SOCK_STREAM, 0);
    *at = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (s < 0 || bind(s, (struct sockaddr *)at, size) != 0 || listen(s, 1) != 0 ||
        getsockname(s, (struct sockaddr *)at, &size) != 0)
        die("cannot listen");
    return s;
}

/* The bare transfer. */
static SSL *bare_end(int descriptor, identity *who, bool server)
{
    SSL_CTX *c = SSL_CTX_new(TLS_method());
    SSL_CTX_set_min_proto_version(c, TLS1_3_VERSION);
    SSL_CTX_set_num_tickets(c, 0);
    SSL_CTX_use_certificate(c, who->certificate);
    SSL_CTX_use_PrivateKey(c, who->key);
    SSL *ssl = SSL_new(c);
    SSL_CTX_free(c);
    SSL_set_fd(ssl, descriptor);
    if ((server ? SSL_accept(ssl) : SSL_connect(ssl)) != 1)
        die("bare handshake failed");
    return ssl;
}

static void *bare_sender(void *object)
{
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(s, object, sizeof(struct sockaddr_in)) != 0)
        die("cannot connect");
    SSL *ssl = bare_end(s, id[1], false);
    for (size_t done = 0; done < total; done += CHUNK)
        if (SSL_write(ssl, vector + done, CHUNK) != CHUNK)
            die("bare write failed");
    SSL_shutdown(ssl);
    SSL_free(ssl);
    close(s);
    return NULL;
}

static measured bare_run(unsigned char *into)
{
    struct sockaddr_in at;
    pthread_t thread;
    int listener = listen_somewhere(&at);
    pthread_create(&thread, NULL, bare_sender, &at);
    int s = accept(listener, NULL, NULL);
    SSL *ssl = bare_end(s, id[0], true);
    measured start = now();
    for (size_t done = 0; done < total;) {
        int got = SSL_read(ssl, into + done, CHUNK);
        if (got <= 0)
            die("bare read failed");
        done += (size_t)got;
    }
    measured end = now();
    pthread_join(thread, NULL);
    SSL_free(ssl);
    close(s);
    close(listener);
    return (measured){end.cpu - start.cpu, end.wall - start.wall};
}

/* The same through a session. */
static const message_type bulk = {"bench.bulk", DISCLOSE_MASKED};

typedef struct end {
    tls_options options;
    unsigned char *into;
    measured bulk, trip;
} end;

static kith_status converse(party *p, end *e, kith_error *error)
{
    uint64_t ball = 0;
    uint32_t other = 1 - party_self(p);
    TRY(party_send(p, other, &bulk, &ball, sizeof ball, error)); /* both are here */
    TRY(party_recv(p, other, &bulk, &ball, sizeof ball, error));
    measured start = now();
    if (party_self(p) == 1)
        TRY(party_send(p, 0, &bulk, vector, total, error));
    else
        TRY(party_recv(p, 1, &bulk, e->into, total, error));
    measured middle = now();
    for (int i = 0; i < TRIPS; i++) {
        TRY(party_send(p, other, &bulk, &ball, sizeof ball, error));
        TRY(party_recv(p, other, &bulk, &ball, sizeof ball, error));
    }
    measured last = now();
    e->bulk = (measured){middle.cpu - start.cpu, middle.wall - start.wall};
    e->trip = (measured){last.cpu - middle.cpu, last.wall - middle.wall};
    return KITH_OK;
}

static void *take_part(void *object)
{
    end *e = object;
    party *p;
    kith_error error = {0};
    arena *memory = arena_new();
    kith_status status = tls_session_open(&p, memory, &e->options, &error);
    if (status == KITH_OK)
        status = tls_session_end(p, converse(p, e, &error), &error);
    if (status != KITH_OK)
        die(error.message);
    arena_free(memory);
    return NULL;
}

static measured session_run(unsigned char *into, measured *trip)
{
    struct sockaddr_in at;
    char address[32];
    close(listen_somewhere(&at));
    snprintf(address, sizeof address, "127.0.0.1:%u", (unsigned)ntohs(at.sin_port));
    tls_peer peer[2] = {{.name = "north", .address = address},
                        {.name = "south", .address = "127.0.0.1:1"}};
    end ends[2];
    pthread_t thread[2];
    for (uint32_t i = 0; i < 2; i++) {
        memcpy(peer[i].pin, id[i]->pin, IDENTITY_PIN);
        ends[i] = (end){.options = {.count = 2, .self = i, .peers = peer, .identity = id[i]},
                        .into = into};
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, take_part, &ends[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    *trip = ends[0].trip;
    return ends[0].bulk;
}

static void keep_best(measured *best, measured one)
{
    best->cpu = one.cpu < best->cpu ? one.cpu : best->cpu;
    best->wall = one.wall < best->wall ? one.wall : best->wall;
}

int main(int argc, char **argv)
{
    if (argc > 1)
        total = (size_t)atoi(argv[1]) << 20;
    arena *memory = arena_new();
    unsigned char *into = malloc(total + CHUNK);
    vector = malloc(total);
    if (memory == NULL || into == NULL || vector == NULL || total == 0)
        die("out of memory");
    for (size_t i = 0; i < total; i++)
        vector[i] = (unsigned char)(i * 2654435761u >> 13);
    memset(into, 0, total);
    id[0] = make_identity(memory);
    id[1] = make_identity(memory);
    measured bare = {1e9, 1e9}, session = {1e9, 1e9}, trips = {1e9, 1e9}, trip;
    for (int i = 0; i < RUNS; i++) {
        keep_best(&bare, bare_run(into));
        memset(into, 0, total);
        keep_best(&session, session_run(into, &trip));
        keep_best(&trips, trip);
        if (memcmp(into, vector, total) != 0)
            die("not what was sent");
    }
    double mb = (double)total / 1e6;
    printf("%.0f MB over TLS on loopback, best of %d runs in turns\n", mb, RUNS);
    printf("  bare OpenSSL   %6.3f CPU s  %6.3f s  %6.0f MB/s\n", bare.cpu, bare.wall,
           mb / bare.wall);
    printf("  session        %6.3f CPU s  %6.3f s  %6.0f MB/s\n", session.cpu, session.wall,
           mb / session.wall);
    printf("  rate of the session / bare: %.2f by wall time, %.2f by CPU time\n",
           bare.wall / session.wall, bare.cpu / session.cpu);
    printf("  exchange of 8 bytes: %.0f us\n", trips.wall / TRIPS * 1e6);
    free(into);
    free(vector);
    arena_free(memory);
    return 0;
}
