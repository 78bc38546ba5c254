/* Mailboxes: one per party, with a queue per sender, a lock and a bell.
 *
 * Invariant: whoever puts parcels into a mailbox, takes parcels for which a sender waits, or closes
 * an end, rings the bell of the party concerned under its lock; a party that read the bell before
 * it looked at the queues and finds it unchanged may sleep. */
#include "wire/inproc.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "wire/party_internal.h"

enum { SLOT_BYTES = 4 << 20 }; /* a sender waits while more than this lies in its slot */

typedef struct slot {
    frame_queue queue;
    bool blocked; /* the sender wants to know when there is room */
    bool closed;  /* the sender has left */
} slot;

typedef struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t rung;
    uint64_t bell;
    slot *from; /* [m] */
} mailbox;

typedef struct hub {
    arena *memory;
    mailbox *boxes; /* [m] */
    uint32_t m;
    const inproc_options *options;
    unsigned char run[32];
    unsigned char secret[32]; /* of which pair seeds are made */
    kith_status (*fn)(party *p, void *user, kith_error *error);
} hub;

static void wake(mailbox *box)
{
    box->bell++;
    pthread_cond_signal(&box->rung);
}

/* Takes what has come into the queues of the party; tells senders who waited for room. */
static bool collect(party *p, hub *h, uint64_t *bell)
{
    mailbox *mine = &h->boxes[p->self];
    frame_queue got[PARTY_MAX] = {{0}};
    bool freed[PARTY_MAX] = {false}, gone[PARTY_MAX], any = false;
    pthread_mutex_lock(&mine->lock);
    *bell = mine->bell;
    for (uint32_t i = 0; i < h->m; i++) {
        slot *s = &mine->from[i];
        gone[i] = s->closed;
        if (s->queue.head == NULL || p->peers[i].in.bytes > PARTY_QUEUE_IN)
            continue;
        got[i] = s->queue;
        s->queue = (frame_queue){0};
        freed[i] = s->blocked;
        s->blocked = false;
    }
    pthread_mutex_unlock(&mine->lock);
    for (uint32_t i = 0; i < h->m; i++) {
        any = any || got[i].head != NULL;
        for (frame_buffer *one = frame_queue_pop(&got[i]); one != NULL;
             one = frame_queue_pop(&got[i]))
            party_arrived(p, i, one);
        if (freed[i]) {
            pthread_mutex_lock(&h->boxes[i].lock);
            wake(&h->boxes[i]);
            pthread_mutex_unlock(&h->boxes[i].lock);
        }
        if (gone[i] && !p->peers[i].closed) {
            party_lost(p, i, "its thread has ended");
            any = true;
        }
    }
    return any;
}

/* Puts what is due into the mailbox of a peer. */
static bool deliver(party *p, hub *h, uint32_t to, int64_t now)
{
    frame_queue *out = &p->peers[to].out;
    if (out->head == NULL || out->head->due_us > now)
        return false;
    bool any = false;
    mailbox *box = &h->boxes[to];
    pthread_mutex_lock(&box->lock);
    slot *s = &box->from[p->self];
    while (out->head != NULL && out->head->due_us <= now && s->queue.bytes <= SLOT_BYTES) {
        frame_queue_push(&s->queue, frame_queue_pop(out));
        any = true;
    }
    s->blocked = s->blocked || s->queue.bytes > SLOT_BYTES;
    if (any)
        wake(box);
    pthread_mutex_unlock(&box->lock);
    return any;
}

static void sleep_until(mailbox *mine, uint64_t bell, int64_t until_us)
{
    struct timespec until = {.tv_sec = until_us / 1000000,
                             .tv_nsec = (long)(until_us % 1000000) * 1000};
    pthread_mutex_lock(&mine->lock);
    while (mine->bell == bell && pthread_cond_timedwait(&mine->rung, &mine->lock, &until) == 0) {
    }
    pthread_mutex_unlock(&mine->lock);
}

/* Earliest moment at which a frame that is held back becomes due, or `until`. */
static int64_t wake_at(const party *p, int64_t now, int64_t until)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const frame_buffer *next = p->peers[i].out.head;
        if (next != NULL && next->due_us > now && next->due_us < until)
            until = next->due_us;
    }
    return until;
}

static void pump(party *p, int64_t until_us)
{
    hub *h = p->link;
    for (;;) {
        uint64_t bell;
        int64_t now = party_now_us();
        bool moved = collect(p, h, &bell);
        for (uint32_t i = 0; i < p->count; i++)
            moved = deliver(p, h, i, now) || moved;
        if (moved || now >= until_us)
            return;
        sleep_until(&h->boxes[p->self], bell, wake_at(p, now, until_us));
    }
}

static const transport mailboxes = {pump};

static void leave(hub *h, uint32_t self)
{
    for (uint32_t i = 0; i < h->m; i++) {
        pthread_mutex_lock(&h->boxes[i].lock);
        h->boxes[i].from[self].closed = true;
        wake(&h->boxes[i]);
        pthread_mutex_unlock(&h->boxes[i].lock);
    }
}

/* Both ends of a pair make the same seed. */
static void pair_seed(const hub *h, uint32_t a, uint32_t b, unsigned char seed[PARTY_KEY_BYTES])
{
    unsigned char pair[2] = {(unsigned char)(a < b ? a : b), (unsigned char)(a < b ? b : a)};
    crypto_generichash(seed, PARTY_KEY_BYTES, pair, sizeof pair, h->secret, sizeof h->secret);
}

typedef struct party_thread {
    hub *hub;
    uint32_t self;
    const char *const *names;
    void *user;
    pthread_t thread;
    bool started;
    kith_status status;
    kith_error error;
} party_thread;

static kith_status take_part(party_thread *s, arena *memory)
{
    hub *h = s->hub;
    const inproc_options *o = h->options;
    party *p;
    TRY(party_new(&p, memory, s->self, h->m, s->names, o->deadline_ms, o->delay_ms, o->compress,
                  &s->error));
    memcpy(p->run, h->run, sizeof p->run);
    p->transport = &mailboxes;
    p->link = h;
    p->fault = o->fault;
    p->record = o->record;
    for (uint32_t i = 0; i < h->m; i++)
        if (i != s->self)
            pair_seed(h, s->self, i, p->peers[i].seed);
    kith_status status = party_end(p, h->fn(p, s->user, &s->error), &s->error);
    if (o->done != NULL)
        o->done(p, s->user);
    return status;
}

static void *run_seat(void *object)
{
    party_thread *s = object;
    arena *memory = arena_new();
    s->status = memory == NULL ? error_nomem(&s->error) : take_part(s, memory);
    leave(s->hub, s->self);
    arena_free(memory);
    return NULL;
}

static void close_hub(void *object)
{
    hub *h = object;
    for (uint32_t i = 0; i < h->m; i++) {
        for (uint32_t j = 0; j < h->m; j++)
            frame_queue_clear(&h->boxes[i].from[j].queue);
        pthread_cond_destroy(&h->boxes[i].rung);
        pthread_mutex_destroy(&h->boxes[i].lock);
    }
    sodium_memzero(h->secret, sizeof h->secret);
}

static kith_status open_hub(hub *h, arena *memory, kith_error *error)
{
    pthread_condattr_t monotonic;
    if (sodium_init() < 0)
        return error_set(error, KITH_BUG, "libsodium cannot be initialised");
    slot *slots = arena_zalloc(memory, (size_t)h->m * h->m, sizeof *slots);
    h->boxes = arena_zalloc(memory, h->m, sizeof *h->boxes);
    if (slots == NULL || h->boxes == NULL)
        return error_nomem(error);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    for (uint32_t i = 0; i < h->m; i++) {
        h->boxes[i].from = slots + (size_t)i * h->m;
        pthread_mutex_init(&h->boxes[i].lock, NULL);
        pthread_cond_init(&h->boxes[i].rung, &monotonic);
    }
    pthread_condattr_destroy(&monotonic);
    randombytes_buf(h->run, sizeof h->run);
    randombytes_buf(h->secret, sizeof h->secret);
    return arena_defer(memory, close_hub, h) ? KITH_OK : error_nomem(error);
}

static const char *const *default_names(uint32_t m, arena *memory)
{
    const char **names = arena_zalloc(memory, m, sizeof *names);
    for (uint32_t i = 0; names != NULL && i < m; i++) {
        names[i] = arena_printf(memory, "site%u", (unsigned)i + 1);
        if (names[i] == NULL)
            return NULL;
    }
    return names;
}

/* The first party works in the thread of the caller. A party whose thread cannot be started has
 * left. */
static void run_seats(party_thread *seats, uint32_t m)
{
    for (uint32_t i = 1; i < m; i++) {
        int failed = pthread_create(&seats[i].thread, NULL, run_seat, &seats[i]);
        seats[i].started = failed == 0;
        if (failed != 0) {
            seats[i].status = error_errno(&seats[i].error, failed, "start", "a thread");
            leave(seats[i].hub, i);
        }
    }
    run_seat(&seats[0]);
    for (uint32_t i = 1; i < m; i++)
        if (seats[i].started)
            pthread_join(seats[i].thread, NULL);
}

static kith_status run_all(hub *h, const char *const *names, void *const *user, kith_error *errors,
                           kith_error *error)
{
    kith_status result = KITH_OK;
    TRY(open_hub(h, h->memory, error));
    party_thread *seats = arena_zalloc(h->memory, h->m, sizeof *seats);
    names = names != NULL ? names : default_names(h->m, h->memory);
    if (seats == NULL || names == NULL)
        return error_nomem(error);
    for (uint32_t i = 0; i < h->m; i++) {
        seats[i] = (party_thread){.hub = h, .self = i, .names = names};
        seats[i].user = user != NULL ? user[i] : NULL;
    }
    run_seats(seats, h->m);
    for (uint32_t i = 0; i < h->m; i++) {
        if (seats[i].status != KITH_OK && (result == KITH_OK || result == KITH_PEER))
            result = seats[i].status;
        if (errors != NULL)
            errors[i] = seats[i].error;
    }
    return result;
}

kith_status inproc_run(uint32_t m, const char *const *names, const inproc_options *options,
                       kith_status (*fn)(party *p, void *user, kith_error *error),
                       void *const *user, kith_error *errors)
{
    static const inproc_options defaults = {0};
    if (m < 2 || m > PARTY_MAX)
        return error_set(errors, KITH_INVALID, "a run has 2 to %d parties, not %u", PARTY_MAX,
                         (unsigned)m);
    arena *memory = TRY_ALLOC(arena_new(), errors);
    hub h = {.memory = memory, .m = m, .options = options != NULL ? options : &defaults, .fn = fn};
    kith_status status = run_all(&h, names, user, errors, errors);
    arena_free(memory);
    return status;
}
