/* The inside of a party: queues per peer above a transport.
 *
 * party.c        messages, made of frames; what protocols call
 * party_frames.c frames in and out, failures
 * party_wait.c   waiting: time-outs, signs of life, cancellation
 * party_end.c    the end of a run: BYE or ABORT
 *
 * Invariants, which party_check checks in debug builds:
 * - Sequence numbers grow by one per direction, without gaps, for all kinds of frames. Only an
 *   ABORT may skip numbers, since it overtakes frames that were still queued.
 * - The `in` queue of a peer holds whole, checked data frames, in order.
 * - `failure` is set once and never changes; from then on all calls return it.
 * - A party sends nothing to itself.
 * Only the transport's pump blocks, so that one loop (party_wait_step) covers all waiting. */
#ifndef WIRE_PARTY_INTERNAL_H
#define WIRE_PARTY_INTERNAL_H

#include <stdbool.h>

#include "core/check.h"
#include "wire/test_hooks.h"
#include "wire/frame.h"
#include "wire/ledger.h"
#include "wire/compress.h"
#include "wire/party.h"

enum {
    PARTY_QUEUE_OUT = 16 << 20, /* per peer: if more is queued, party_send waits */
    PARTY_QUEUE_IN = 64 << 20,  /* per peer: if more is queued, the transport stops reading */
    PARTY_MOVE = 512 << 10,     /* per peer: if more is queued, party_send calls the transport */
    PARTY_SPARES = 8,
    /* Values of a party's index that name no party; all fit the byte of a frame. */
    PARTY_NOBODY = 0xff,
    PARTY_INTERRUPTED = 0xfe,   /* who is to blame: the user, who stopped the run */
    PARTY_SOMEBODY = 0xfd,      /* who is to blame: a party, but it is not known which */
    PARTY_ABORT = FRAME_CONTROL /* maximal bytes of an ABORT */
};

typedef struct peer_state {
    frame_queue out, in;
    uint64_t next_out, next_in; /* sequence numbers */
    bool bye;                   /* it has sent BYE: it expects no more messages */
    bool closed;                /* nothing more will come */
    uint32_t waits_for;         /* as it said last, unchecked; PARTY_NOBODY: it works */
    int64_t changed_us;         /* when it said something else about that than before */
    int64_t excused_us;         /* when it first said so after its last message; 0: it did not */
    int64_t heard_us;           /* when the last frame of any kind came from it */
    int64_t spoke_us;           /* when the last frame was queued for it */
    unsigned char *seed;        /* PARTY_KEY_BYTES, in memory that is never swapped or dumped */
} peer_state;

/* Moves the frames. pump: sends what is due and receives what has come (party_arrived,
 * party_lost). If nothing moved, it waits until something does, at most until `until_us`. */
typedef struct transport {
    void (*pump)(party *p, int64_t until_us);
} transport;

typedef struct party_storage {
    const char *name;
    void *value;
    struct party_storage *next;
} party_storage;

struct party {
    /* Set when the session opens. */
    arena *memory;
    uint32_t self, count;
    const char **names;
    unsigned char run[32];
    const transport *transport;
    void *link; /* the transport's own data */
    int64_t deadline_us;
    int64_t opening_us; /* so much longer a peer may be silent that has not begun with the run */
    int64_t limit_us;   /* of the whole run, which ends at end_us at the latest */
    int64_t end_us;
    int64_t delay_us;                                  /* holds back every frame, for simulations */
    bool (*waiting)(void *user, const char *for_whom); /* called while waiting; false: stop */
    void *waiting_user;
    fault_hook fault;
    payload_hook payload;
    record_hook record;
    unsigned char *changed; /* the payload hook's copy; NULL before its first call */

    /* Set by the protocol. */
    const char *step;
    party_storage *storage;
    uint64_t n_calls;

    /* The channel. */
    peer_state *peers; /* [count] */
    uint32_t depth;    /* length of the longest chain of messages that ends here: rounds */
    ledger ledger;
    compressor compressor;
    frame_buffer *spares[PARTY_SPARES]; /* of full size, for reuse */
    int n_spares;
    int64_t asked_us, polled_us; /* when `waiting` was called, and the network looked at */

    /* The end. */
    bool done;                        /* has sent BYE to all */
    kith_error failure;               /* .status KITH_OK: none */
    uint32_t blamed;                  /* for the failure, or PARTY_NOBODY */
    unsigned char abort[PARTY_ABORT]; /* the ABORT that another party sent */
    size_t abort_length;              /* 0: none did */
};

#if KITH_DEBUG
void party_check(const party *p);
#endif

/* Times in milliseconds; zero means the default of party_times. */
typedef struct party_times {
    unsigned deadline_ms; /* 30 s */
    unsigned limit_ms;    /* a day */
    unsigned delay_ms;    /* none */
} party_times;

/* Makes a party without transport. Everything lives in `memory` and is wiped with it. Draws the
 * party's own seed; the session sets the seeds that it shares with peers. */
kith_status party_new(party **p, arena *memory, uint32_t self, uint32_t count,
                      const char *const *names, const party_times *times, bool compress,
                      kith_error *error) KITH_MUST_USE;
/* The session stands: the limit of the run counts from now on. */
void party_begin(party *p);

/* Monotonic microseconds. */
int64_t party_now_us(void);

/* Records a failure unless there was one before; fills `error` with the first one and returns its
 * status. */
kith_status party_fail(party *p, kith_error *error, kith_status status, uint32_t blamed,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The failure so far, or KITH_OK. */
kith_status party_state(const party *p, kith_error *error);

/* For transports: a whole frame came from a peer (takes the buffer over). */
void party_arrived(party *p, uint32_t from, frame_buffer *one);
/* For transports: the connection to a peer has ended; `why` in a few words. */
void party_lost(party *p, uint32_t from, const char *why);
/* Buffers for frames. Large ones are kept and used again: the allocator would otherwise return
 * their pages to the system each time, which costs more than the copying. NULL if out of memory. */
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
    bool first;             /* the first frame of its message: the ledger counts one message */
} outgoing;

/* Queues one frame. */
kith_status party_queue(party *p, uint32_t to, const outgoing *o, kith_error *error) KITH_MUST_USE;

/* The first peer for whom frames are queued, or PARTY_NOBODY. */
uint32_t party_first_unsent(const party *p);

/* A party waits for `peer`, or for its network (PARTY_NOBODY). */
typedef struct wait_state {
    uint32_t peer;
    int64_t start_us;
    int64_t said_us; /* when it last told all others that it waits; 0: not yet */
} wait_state;

wait_state party_wait_begin(uint32_t peer);
/* Lets frames move, at most until `until_us`; before that, asks the user whether to go on and tells
 * the others that this party waits. Fails if the run had failed before or has reached its limit.
 * The caller checks whether what it waits for has come. */
kith_status party_wait_step(party *p, wait_state *w, int64_t until_us,
                            kith_error *error) KITH_MUST_USE;
/* How long a peer may be silent; longer while it may still be opening the session. */
int64_t party_wait_patience(const party *p, uint32_t peer);
/* Since when nothing has been heard of the party for which all wait: from the start of the wait, or
 * from its last sign of life, if it says that it works. */
int64_t party_wait_since(const party *p, const wait_state *w);
/* When a wait for a message times out: after the deadline, or a quarter later for a peer that had
 * to wait itself, so that the party nearest to the culprit reports it first. */
int64_t party_wait_deadline(const party *p, const wait_state *w);
/* Who is to blame if `peer` does not send: the end of the chain of waiting parties. */
uint32_t party_wait_culprit(const party *p, uint32_t peer);
/* A detail for the message of a time-out, "; b says it waits for c", or an empty text. */
const char *party_timeout_detail(const party *p, uint32_t peer, char *text, size_t size);

/* Ends the session. After success, sends BYE to all and waits for theirs; otherwise tells the
 * others why. Returns the status of the run for this party. */
kith_status party_end(party *p, kith_status status, kith_error *error) KITH_MUST_USE;
/* Writes an ABORT of this party as a frame for `to` and returns its length: for a peer that may
 * have begun with the run while this party has not. */
enum { PARTY_ABORT_FRAME = FRAME_HEADER + FRAME_NAME + FRAME_CONTROL };
size_t party_write_abort(party *p, uint32_t to, unsigned char bytes[PARTY_ABORT_FRAME]);
/* How long a party that has failed stays to tell a peer why. One that is slow to read must hear of
 * it: otherwise it would see this party leave, and blame it. The peer that is to blame is often one
 * that does not read at all, and is hardly waited for. */
int64_t party_linger_us(const party *p, uint32_t peer);
/* For party_arrived: records the failure that an ABORT reports. */
void party_handle_abort(party *p, uint32_t from, const frame *f);

#endif
