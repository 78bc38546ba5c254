/* A party inside: queues per peer above a transport.
 *
 * Invariants: sequence numbers count up by one per direction, without gaps, whatever the kind of
 * frame (an ABORT may skip some, since it overtakes what was still queued). Incoming parcels of a
 * peer are whole, checked data frames in order. `failure` is set once and never changes; from then
 * on all calls return it. Only the transport's pump blocks. */
#ifndef WIRE_PARTY_INTERNAL_H
#define WIRE_PARTY_INTERNAL_H

#include <stdbool.h>

#include "wire/test_hooks.h"
#include "wire/frame.h"
#include "wire/ledger.h"
#include "wire/compress.h"
#include "wire/party.h"

enum {
    PARTY_QUEUE_OUT = 16 << 20, /* per peer: beyond that party_send waits */
    PARTY_QUEUE_IN = 64 << 20,  /* per peer: beyond that nothing more is read */
    PARTY_MOVE = 512 << 10,     /* per peer: beyond that party_send tries to move bytes */
    PARTY_SPARES = 8,
    PARTY_NOBODY = 0xff,
    PARTY_INTERRUPTED = 0xfe, /* instead of who is to blame: the user did not want to go on */
    PARTY_ABORT = 2 + 63      /* bytes of an ABORT at most */
};

typedef struct peer_state {
    const char *name;
    frame_queue out, in;
    uint64_t next_out, next_in; /* sequence numbers */
    bool bye;                   /* said that it is done */
    bool closed;                /* nothing more will come */
    uint32_t waits_for;         /* as it said last, or PARTY_NOBODY */
    int64_t excused_us;         /* when it first said so since its last message; 0: it did not */
    int64_t heard_us;           /* when the last frame came from it, of any kind */
    int64_t spoke_us;           /* when the last frame was queued for it */
    unsigned char seed[PARTY_KEY_BYTES];
} peer_state;

/* What moves the frames. pump: sends what is due, receives what has come (party_arrived,
 * party_lost); if nothing moved, waits for something to move, until `until_us` at most. */
typedef struct transport {
    void (*pump)(party *p, int64_t until_us);
} transport;

typedef struct party_storage {
    const char *name;
    void *value;
    struct party_storage *next;
} party_storage;

struct party {
    arena *memory;
    party_storage *storage;
    uint32_t self, count;
    peer_state *peers; /* [count] */
    const char **names;
    unsigned char run[32];
    const transport *transport;
    void *link; /* the transport's own */
    int64_t deadline_us, delay_us;
    bool allows_slow_peers; /* with peers that work */
    const char *step;
    uint32_t depth;
    uint64_t n_calls;
    ledger ledger;
    compressor compressor;
    fault_hook fault;
    record_hook record;
    bool (*waiting)(void *user, const char *for_whom); /* asked while waiting; false: stop */
    void *waiting_user;
    bool done;                          /* said BYE to all */
    int64_t asked_us, polled_us;        /* when `waiting` was called, and the network looked at */
    frame_buffer *spares[PARTY_SPARES]; /* of full size, for reuse */
    int n_spares;
    kith_error failure;               /* .status KITH_OK: none */
    uint32_t blamed;                  /* for the failure, or PARTY_NOBODY */
    unsigned char abort[PARTY_ABORT]; /* what another party said when it ended the run */
    size_t abort_length;              /* 0: none did */
};

/* A party without transport; everything lives in `memory` and is wiped with it. Its own seed is
 * drawn here, those shared with peers are the session's to set. */
kith_status party_new(party **p, arena *memory, uint32_t self, uint32_t count,
                      const char *const *names, unsigned deadline_ms, unsigned delay_ms,
                      bool compress, kith_error *error) KITH_MUST_USE;

/* Monotonic microseconds. */
int64_t party_now_us(void);

/* Remembers the first failure and fills `error` with it; returns its status. */
kith_status party_fail(party *p, kith_error *error, kith_status status, uint32_t blamed,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The failure so far. */
kith_status party_state(const party *p, kith_error *error);

/* For transports: a whole frame came from a peer (taken over), or the connection has ended; `why`
 * says how, in a few words. */
void party_arrived(party *p, uint32_t from, frame_buffer *one);
void party_lost(party *p, uint32_t from, const char *why);
/* Parcels for frames: large ones are kept and used again, so that the allocator does not hand their
 * pages back to the system each time. NULL if out of memory. */
frame_buffer *party_frame_new(party *p, size_t length);
void party_frame_recycle(party *p, frame_buffer *one);

extern const message_type party_waiting, party_bye, party_abort;

/* A frame to be made. */
typedef struct outgoing {
    frame_kind kind;
    const message_type *type; /* names it in the ledger */
    const void *payload;
    size_t length;
    uint64_t message_bytes; /* of the whole message */
    bool first;             /* frame of its message */
} outgoing;

/* Queues one frame. */
kith_status party_queue(party *p, uint32_t to, const outgoing *o, kith_error *error) KITH_MUST_USE;

/* A party waits for `peer`, or for its network (PARTY_NOBODY). */
typedef struct wait_state {
    uint32_t peer;
    int64_t start_us, said_us; /* said: when all were told; 0: not yet */
} wait_state;

wait_state party_wait_begin(uint32_t peer);
/* Lets frames move, until `until_us` at most, and does what is to be done meanwhile: asks the user,
 * tells the others. Fails if the run had failed before; the caller looks what has come. */
kith_status party_wait_step(party *p, wait_state *v, int64_t until_us,
                            kith_error *error) KITH_MUST_USE;
/* When patience ends: at the deadline, or a quarter later than that of a peer that had to wait
 * itself. */
int64_t party_wait_deadline(const party *p, const wait_state *v);
/* Who is to blame if `peer` does not send: the end of the chain of those who wait. */
uint32_t party_wait_culprit(const party *p, uint32_t peer);
/* What a time-out should add: "; b says it waits for c". */
const char *party_timeout_detail(const party *p, uint32_t peer, char *text, size_t size);

/* Ends the session: after success all say BYE and wait for it, else the others are told why. The
 * status that the run has for this party. */
kith_status party_end(party *p, kith_status status, kith_error *error) KITH_MUST_USE;
/* For party_arrived: what an ABORT says. */
void party_handle_abort(party *p, uint32_t from, const frame *f);

#endif
