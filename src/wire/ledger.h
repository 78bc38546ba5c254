/* The ledger of a run at one party: messages and bytes per step, type and peer, rounds per step,
 * and every deliberate disclosure. Filled by the channel, below the protocols, so that no protocol
 * can forget anything. Bytes are those of whole frames, as handed to the transport. */
#ifndef WIRE_LEDGER_H
#define WIRE_LEDGER_H

#include <stdbool.h>

#include <kith/document.h>

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
    uint32_t n_rounds; /* by which the longest chain of messages grew */
} ledger_step;

/* A thing learned; equal ones of one step are one entry with `times`. */
typedef struct ledger_disclosure {
    const char *step;
    const char *what;
    disclosure kind;
    uint64_t times;
    uint64_t count; /* values, all times together */
} ledger_disclosure;

enum { LEDGER_PRIMITIVES = 24 };

typedef struct ledger {
    arena *memory;
    ledger_line *lines;
    size_t n_lines, line_room, last_line;
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
    } called[LEDGER_PRIMITIVES]; /* in the order of their first calls; ends with NULL */
} ledger;

void ledger_init(ledger *l, arena *memory);
/* All texts are kept as pointers and must live as long as the ledger; false: out of memory. */
bool ledger_sent(ledger *l, const char *step, const message_type *type, uint32_t peer,
                 uint64_t n_messages, uint64_t bytes);
bool ledger_received(ledger *l, const char *step, const message_type *type, uint32_t peer,
                     uint64_t n_messages, uint64_t bytes);
bool ledger_rounds(ledger *l, const char *step, uint32_t n_rounds);
bool ledger_learns(ledger *l, const char *step, disclosure kind, const char *what, uint64_t count);

/* Counts a call of a primitive; `primitive` is a static text. */
void ledger_called(ledger *l, const char *primitive);

/* What all lines of a kind of disclosure say together: entries of party_learns. */
uint64_t ledger_learned(const ledger *l, disclosure kind);

/* What this party sent, received and learned so far. */
const ledger *party_ledger(const party *p);

/* Who is who in a written ledger. */
typedef struct ledger_heading {
    const char *study; /* its name */
    const char *digest;
    const char *run;     /* hexadecimal */
    const char *outcome; /* "complete", "failed" */
    uint32_t self;
    uint32_t count;
    const char *const *names; /* [count] */
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
