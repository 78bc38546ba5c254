/* The ledger of a run at one party: messages and bytes per step, type and peer, rounds per step,
 * and every deliberate disclosure. The channel fills it, below the protocols, so that no protocol
 * can forget anything. Bytes are those of whole frames, as handed to the transport.
 *
 * Invariants, which ledger_check checks in debug builds: no two lines have the same step, type and
 * peer; no two disclosures the same step, kind and text. The totals are the sums over the lines
 * and over the primitives. The steps' rounds add up to at most `n_rounds` (less if out of memory).
 */
#ifndef WIRE_LEDGER_H
#define WIRE_LEDGER_H

#include <stdbool.h>

#include "core/check.h"
#include "core/document.h"
#include "wire/party.h"

typedef struct ledger_count {
    uint64_t n_messages;
    uint64_t bytes;
} ledger_count;

/* One kind of message to and from one peer in one step. */
typedef struct ledger_line {
    const char *step;
    const char *type;
    disclosure disclosure;
    uint32_t peer;
    ledger_count sent;
    ledger_count received;
} ledger_line;

typedef struct ledger_step {
    const char *name;
    uint32_t n_rounds; /* by which this step made the longest chain of messages longer */
} ledger_step;

/* What the party learned; equal disclosures in one step are one entry with `times`. */
typedef struct ledger_disclosure {
    const char *step;
    const char *what;
    disclosure kind;
    uint64_t times;
    uint64_t count; /* values, summed over all times */
} ledger_disclosure;

enum { LEDGER_PRIMITIVES = 24 };

typedef struct ledger {
    arena *memory;
    ledger_line *lines;
    size_t n_lines, line_room;
    size_t last_line; /* the line used last: the next message is often of the same kind */
    ledger_step *steps;
    size_t n_steps, step_room;
    ledger_disclosure *disclosures;
    size_t n_disclosures, disclosure_room;
    ledger_count sent, received;
    uint32_t n_rounds;
    uint64_t n_calls; /* of primitives */
    struct {
        const char *primitive;
        uint64_t n_calls;
    } called[LEDGER_PRIMITIVES]; /* in the order of their first calls; NULL: unused */
} ledger;

#if KITH_DEBUG
void ledger_check(const ledger *l);
#endif

void ledger_init(ledger *l, arena *memory);
/* All texts are kept as pointers and must live as long as the ledger. `n_messages` is 0 for later
 * frames of a message. False: out of memory. */
bool ledger_sent(ledger *l, const char *step, const message_type *type, uint32_t peer,
                 uint64_t n_messages, uint64_t bytes);
bool ledger_received(ledger *l, const char *step, const message_type *type, uint32_t peer,
                     uint64_t n_messages, uint64_t bytes);
bool ledger_rounds(ledger *l, const char *step, uint32_t n_rounds);
bool ledger_learns(ledger *l, const char *step, disclosure kind, const char *what, uint64_t count);

/* Counts a call of a primitive; `primitive` is a static text. */
void ledger_called(ledger *l, const char *primitive);

/* How often party_learns was called with this kind. */
uint64_t ledger_learned(const ledger *l, disclosure kind);

/* What this party sent, received and learned so far. */
const ledger *party_ledger(const party *p);

/* An entry of the disclosures in words; NULL and 0 where there are none. */
typedef struct ledger_words {
    const char *says;    /* what it is */
    const char *promise; /* the line of the dry run that announces it */
    uint32_t number;     /* of that line, from 1 on */
} ledger_words;

/* What a written ledger says about the run as a whole. */
typedef struct ledger_heading {
    const char *study; /* its name */
    const char *digest;
    const char *run;     /* hexadecimal */
    const char *outcome; /* "complete", "failed" */
    uint32_t self;
    uint32_t count;
    const char *const *names; /* [count] */
    /* Entries in words, and the lines of the dry run, which `announce` adds to the document. Both
     * are NULL if the run had no dry run. */
    ledger_words (*explain)(const void *user, const char *step, const char *what);
    void (*announce)(const void *user, kith_document *d, document_node *root);
    const void *explained_by; /* their first argument */
} ledger_heading;

/* The ledger as a document (ledger.json) and as a page for people (ledger.txt; free()). */
kith_status ledger_document(const ledger *l, const ledger_heading *heading, kith_document **out,
                            kith_error *error) KITH_MUST_USE;
kith_status ledger_page(const ledger *l, const ledger_heading *heading, char **text,
                        kith_error *error) KITH_MUST_USE;
/* Writes ledger.json and ledger.txt into a directory that exists, readable by the owner only. */
kith_status ledger_write(const ledger *l, const ledger_heading *heading, const char *directory,
                         kith_error *error) KITH_MUST_USE;

#endif
