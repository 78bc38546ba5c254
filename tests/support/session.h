/* Running a primitive among threads and looking at what each party saw. */
#ifndef SUPPORT_SESSION_H
#define SUPPORT_SESSION_H

#include <stdbool.h>

#include "wire/inproc.h"

typedef kith_status session_fn(party *p, void *user, kith_error *error);

/* All parties get the same `user`; they write to places of their own in it. */
kith_status session_run(uint32_t m, session_fn *fn, void *user) KITH_MUST_USE;

/* --- views --- */

/* Byte histograms of everything received under one type of message, all parties together, and a
 * hash over all received bytes in the order of arrival per party. */
typedef struct session_view {
    const char *type;
    uint64_t bin[256];
    uint64_t bytes;
    uint64_t fingerprint[PARTY_MAX];
    unsigned char *kept; /* if not NULL: what party `at` got from `from` (UINT32_MAX: anyone) */
    uint32_t at, from;
    size_t room, length;
} session_view;

/* How many samples a view is judged by: a million where KITH_EXHAUSTIVE is "full", else `few`. */
size_t session_samples(size_t few);

kith_status session_watch(uint32_t m, session_fn *fn, void *user, session_view *view) KITH_MUST_USE;

/* Upper tail of the chi-square statistic of `bin` against a uniform distribution over bins
 * first … last. */
double session_uniform_p(const uint64_t *bin, unsigned first, unsigned last);
/* The same for two samples being of one distribution. */
double session_same_p(const uint64_t *one, const uint64_t *other, unsigned bins);

/* --- ledger and header --- */

/* What a run's ledgers hold, of all parties together: "sum.share (masked" for messages,
 * "\"sum\" (aggregate" for lessons, each once. */
typedef struct session_facts {
    char facts[64][96];
    size_t count;
    uint32_t n_rounds;           /* the most of any party */
    uint64_t sent;               /* messages, all parties together */
    uint64_t learned[PARTY_MAX]; /* values, per party */
} session_facts;

/* Runs and adds to what the facts hold already; rounds, sent and learned are those of this run. */
kith_status session_audit(uint32_t m, session_fn *fn, void *user,
                          session_facts *facts) KITH_MUST_USE;
/* Compares with the fixed fields of src/smc/<header>: NULL if both name the same things, else what
 * differs. */
const char *session_disagreement(const session_facts *facts, const char *header);

#define session_agrees(facts, header)                                  \
    do {                                                               \
        const char *difference_ = session_disagreement(facts, header); \
        if (difference_ != NULL)                                       \
            fail_msg("%s: %s", header, difference_);                   \
    } while (0)

/* --- faults --- */

/* How many frames a run without faults sends, those of the session itself not counted. */
size_t session_frames(uint32_t m, session_fn *fn, void *user);
/* Does `fault` to the frame that leaves as number `victim` of all parties together: NULL if then
 * every party returns PEER and names somebody, else what went wrong. With the clock of
 * still_clock.h, a lost frame takes no longer than others. */
const char *session_fault(uint32_t m, session_fn *fn, void *user, frame_fault fault, size_t victim);
extern const char session_no_such_frame[]; /* what it returns if the run has fewer frames */
/* Runs once for every frame of a run, up to `max_victims`, and does `fault` to that frame. Returns
 * the number of runs, 0 if after any of them some party did not return PEER. */
size_t session_faults(uint32_t m, session_fn *fn, void *user, frame_fault fault,
                      size_t max_victims);

#endif
