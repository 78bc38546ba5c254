/* The transport between threads: every party has a mailbox with one slot per sender.
 *
 * Invariant: a thread that puts frames into a mailbox, takes frames for which a sender waits, or
 * closes an end, increments `n_changes` of the party concerned under its lock and signals it. A
 * party that read n_changes before it looked at the queues, and finds it unchanged, may sleep:
 * nothing can have come in between. No thread holds two locks, so that no deadlock is possible. */
#include "wire/inproc.h"

#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "wire/party_internal.h"

/* A sender waits while its slot holds more than this, so that a fast sender does not fill the
 * memory while the receiver works. */
enum { SLOT_BYTES = 4 << 20 };

typedef struct slot {
    frame_queue queue;
    bool blocked; /* the sender wants to know when there is room */
    bool closed;  /* the sender has left */
} slot;

typedef struct mailbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t n_changes; /* grows with every event for which the party may be waiting */
    slot *from;         /* [m] */
} mailbox;

/* What the threads share. Apart from the mailboxes, nothing changes after open_hub. */
typedef struct hub {
    arena *memory;
    mailbox *boxes; /* [m] */
    uint32_t m;
    const inproc_options *options;
    unsigned char run[32];
    unsigned char secret[32]; /* from which the seeds of the pairs are derived */
    kith_status (*fn)(party *p, void *user, kith_error *error);
} hub;

/* The caller holds the lock. */
static void wake(mailbox *box)
{
    box->n_changes++;
    pthread_cond_signal(&box->changed);
}

/* Moves frames from the party's mailbox into its queues, and wakes senders that waited for room.
 * Frames are taken under the lock, but parsed after it, since parsing takes time. Does not read
 * from a sender whose frames the protocol leaves unread (PARTY_QUEUE_IN). */
static bool inproc_collect(party *p, hub *h, uint64_t *n_changes)
{
    mailbox *mine = &h->boxes[p->self];
    frame_queue got[PARTY_MAX] = {{0}};
    bool freed[PARTY_MAX] = {false}, gone[PARTY_MAX], any = false;
    pthread_mutex_lock(&mine->lock);
    *n_changes = mine->n_changes; /* before looking at the slots: see the invariant */
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
    }
    /* After the frames of all: one of them may be an ABORT that says why a party left. */
    for (uint32_t i = 0; i < h->m; i++)
        if (gone[i] && !p->peers[i].closed) {
            party_lost(p, i, "its thread has ended");
            any = true;
        }
    return any;
}

/* Moves frames that are due into the mailbox of a peer; true if any moved. */
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
    CHECK(frame_queue_check(&s->queue));
    s->blocked = s->blocked || s->queue.bytes > SLOT_BYTES;
    if (any)
        wake(box);
    pthread_mutex_unlock(&box->lock);
    return any;
}

/* Sleeps until the mailbox changes or the time comes. The loop is for spurious wakeups. */
static void sleep_until(mailbox *mine, uint64_t n_changes, int64_t until_us)
{
    struct timespec until = {.tv_sec = until_us / 1000000,
                             .tv_nsec = (long)(until_us % 1000000) * 1000};
    pthread_mutex_lock(&mine->lock);
    while (mine->n_changes == n_changes &&
           pthread_cond_timedwait(&mine->changed, &mine->lock, &until) == 0) {
    }
    pthread_mutex_unlock(&mine->lock);
}

/* The earliest time at which a frame that is held back becomes due, at most `until`. */
static int64_t wake_at(const party *p, int64_t now, int64_t until)
{
    for (uint32_t i = 0; i < p->count; i++) {
        const frame_buffer *next = p->peers[i].out.head;
        if (next != NULL && next->due_us > now && next->due_us < until)
            until = next->due_us;
    }
    return until;
}

/* The transport's pump: moves what can be moved; sleeps only if nothing did. */
static void pump(party *p, int64_t until_us)
{
    hub *h = p->link;
    for (;;) {
        uint64_t n_changes;
        int64_t now = party_now_us();
        bool moved = inproc_collect(p, h, &n_changes);
        for (uint32_t i = 0; i < p->count; i++)
            moved = deliver(p, h, i, now) || moved;
        if (moved || now >= until_us)
            return;
        sleep_until(&h->boxes[p->self], n_changes, wake_at(p, now, until_us));
    }
}

static const transport mailboxes = {pump};

/* Tells all others that this party sends nothing more. */
static void leave(hub *h, uint32_t self)
{
    for (uint32_t i = 0; i < h->m; i++) {
        pthread_mutex_lock(&h->boxes[i].lock);
        h->boxes[i].from[self].closed = true;
        wake(&h->boxes[i]);
        pthread_mutex_unlock(&h->boxes[i].lock);
    }
}

/* One party of the run; only its own thread uses it until that has ended. */
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

/* Makes the party, runs the protocol and ends the session. */
static kith_status run_party(party_thread *s, arena *memory)
{
    hub *h = s->hub;
    const inproc_options *o = h->options;
    party *p;
    const party_times times = {o->deadline_ms, o->limit_ms, o->delay_ms};
    TRY(party_new(&p, memory, s->self, h->m, s->names, &times, o->compress, &s->error));
    memcpy(p->run, h->run, sizeof p->run);
    p->transport = &mailboxes;
    p->link = h;
    p->fault = o->fault;
    p->payload = o->payload;
    p->record = o->record;
    for (uint32_t i = 0; i < h->m; i++)
        if (i != s->self) {
            /* The seed of the pair is the same at both ends. */
            unsigned char pair[2] = {(unsigned char)(s->self < i ? s->self : i),
                                     (unsigned char)(s->self < i ? i : s->self)};
            crypto_generichash(p->peers[i].seed, PARTY_KEY_BYTES, pair, sizeof pair, h->secret,
                               sizeof h->secret);
        }
    kith_status status = party_end(p, h->fn(p, s->user, &s->error), &s->error);
    if (o->done != NULL)
        o->done(p, s->user);
    return status;
}

static void *thread_main(void *object)
{
    party_thread *s = object;
    arena *memory = arena_new();
    s->status = memory == NULL ? error_nomem(&s->error) : run_party(s, memory);
    leave(s->hub, s->self); /* frames in mailboxes do not belong to the arena and stay valid */
    arena_free(memory);
    return NULL;
}

/* Runs when the arena is freed, after all threads have ended. Frees frames that were not read. */
static void close_hub(void *object)
{
    hub *h = object;
    for (uint32_t i = 0; i < h->m; i++) {
        for (uint32_t j = 0; j < h->m; j++)
            frame_queue_clear(&h->boxes[i].from[j].queue);
        pthread_cond_destroy(&h->boxes[i].changed);
        pthread_mutex_destroy(&h->boxes[i].lock);
    }
    sodium_memzero(h->secret, sizeof h->secret);
}

/* Condition variables use the monotonic clock, like all deadlines. */
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
        pthread_cond_init(&h->boxes[i].changed, &monotonic);
    }
    pthread_condattr_destroy(&monotonic);
    randombytes_buf(h->run, sizeof h->run);
    randombytes_buf(h->secret, sizeof h->secret);
    return arena_defer(memory, close_hub, h) ? KITH_OK : error_nomem(error);
}

/* "site1", "site2", … */
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

/* KITH_PEER at one party is usually the consequence of another status at another: returns that. */
static kith_status run_all(hub *h, const char *const *names, void *const *user, kith_error *errors,
                           kith_error *error)
{
    kith_status result = KITH_OK;
    TRY(open_hub(h, h->memory, error));
    party_thread *threads = arena_zalloc(h->memory, h->m, sizeof *threads);
    names = names != NULL ? names : default_names(h->m, h->memory);
    if (threads == NULL || names == NULL)
        return error_nomem(error);
    for (uint32_t i = 0; i < h->m; i++) {
        threads[i] = (party_thread){.hub = h, .self = i, .names = names};
        threads[i].user = user != NULL ? user[i] : NULL;
    }
    /* The first party runs in the caller's thread. If a thread does not start, its party counts as
     * having left, so that the others end. */
    for (uint32_t i = 1; i < h->m; i++) {
        int failed = pthread_create(&threads[i].thread, NULL, thread_main, &threads[i]);
        threads[i].started = failed == 0;
        if (failed != 0) {
            threads[i].status = error_errno(&threads[i].error, failed, "start", "a thread");
            leave(threads[i].hub, i);
        }
    }
    thread_main(&threads[0]);
    for (uint32_t i = 1; i < h->m; i++)
        if (threads[i].started)
            pthread_join(threads[i].thread, NULL);
    for (uint32_t i = 0; i < h->m; i++) {
        if (threads[i].status != KITH_OK && (result == KITH_OK || result == KITH_PEER))
            result = threads[i].status;
        if (errors != NULL)
            errors[i] = threads[i].error;
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
    /* Before the arena, whose end closes it. */
    hub h = {.m = m, .options = options != NULL ? options : &defaults, .fn = fn};
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), errors);
    h.memory = memory;
    return run_all(&h, names, user, errors, errors);
}
