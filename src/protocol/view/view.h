/* The encrypted global view: all sites' rows in one table of codes that stand for group elements,
 * so that any algorithm that needs no order on values can run on it.
 *
 * From:   EGV, sections 4.2 to 4.4: encryption (R-PRR), integration (L-SRR), anonymization at the
 *         master, decryption (SRR) and decoding, for h parties with data. An external master takes
 *         the master's place in the ring without data or keys. Changes against the paper:
 *         ristretto255 instead of prime192v1; dictionaries are sorted anew by every party; row ids
 *         are compared before they are dropped; the master draws the final order of rows; only the
 *         values of the result are decrypted; where hierarchies are public they decode, not the
 *         ring of secret dictionaries.
 * Model:  semi-honest; decisional Diffie-Hellman, hash to group as a random oracle. Encryption is
 *         deterministic within a run: equal cells stay equal, frequencies and co-occurrences are
 *         open to frequency attacks. The master must not collude with anyone, and a master with
 *         data can find its own rows by what occurs together.
 * Output: "view.release" (release), rows: the anonymized table, at all parties with data;
 *         "view.notes" (aggregate): its loss and how long the search took, at the same.
 * Leaks:  "view.patterns" (choice): at each party with data, for the rows of the others while
 *         they are encrypted, and "view.table" (choice): at the master, for the rows of all: which
 *         cells are equal, how many rows and distinct values there are, and the shape of the
 *         hierarchies, which may tell what a node is; marked values are known to be those that
 *         models list. An external master can tell the rows of the first party from those of the
 *         others before it merges them. With row ids: "view.matched" (aggregate): how many rows
 *         lack a partner; the master also learns how many any of the sites have in common. Values
 *         that no public hierarchy lists: "view.values" (choice): a party that decodes sees which
 *         of them the parties before it know.
 * Cost:   with c columns, a packet is 1 + 2c messages, one more with row ids: view.shape (choice),
 *         view.tids (blinded), view.points (blinded) and view.codes (choice), see view_wire.h.
 *         Encryption: h (h-1) packets; a party multiplies every entry of every site's dictionaries
 *         and every row id once, and hashes its own. Vertical: view.list (blinded): every party
 *         with data tells all others; where lists differ view.ids (blinded), h messages to the
 *         master, view.kept (choice), h back. Then, and for hybrid tables: view.unmatched
 *         (aggregate), from the master to all others. Integration: h packets, all but one of
 *         growing size one after the other; with r external masters two of them go to each;
 *         view.coins (masked), r-1 messages. Decryption: view.verdict (choice), from every master
 *         to all parties with data; h packets (h-1 with a master that has data) one after the
 *         other; a multiplication per party and value of the result. Decoding: view.missing
 *         (aggregate), h-1 messages; if needed view.seek (blinded) and view.found (release), h of
 *         each one after the other; view.texts (release), view.letters (release) and view.rows
 *         (release), to h-1 parties. A run that ends because of what the master said ends with
 *         view.heard (control), exchanged. */
#ifndef PROTOCOL_VIEW_VIEW_H
#define PROTOCOL_VIEW_VIEW_H

#include "core/context.h"
#include "protocol/options.h"
#include "protocol/report.h"
#include "protocol/view/view_crypt.h"
#include "protocol/view/view_packet.h"
#include "wire/party.h"

/* Labels that everyone can list: the public hierarchy of a column. */
typedef struct view_known {
    uint32_t n_levels;
    const uint32_t *start; /* [n_levels + 1] */
    const view_label *labels;
} view_known;

/* A column as one party gives it. */
typedef struct view_source {
    uint32_t n_levels;        /* of its hierarchy, root included; 1: none; 0: not held here */
    const uint32_t *start;    /* [n_levels + 1] labels by level */
    const view_label *labels; /* those that this party adds to the dictionary; distinct per level */
    const uint32_t *parent;   /* a label of the next level, VIEW_NONE where another party tells it;
                               * NULL: everywhere */
    const uint8_t *mark;      /* bits that stay with a label, seen by all; NULL: none */
    const uint32_t *codes;    /* [n_rows] a label, of any level */
    view_known known;         /* levels 0: nothing public */
} view_source;

typedef struct view_task {
    const protocol_options *options;
    uint32_t n_columns; /* the same at all parties, like what follows about holding */
    const view_source *columns;
    uint32_t n_rows;
    const view_label *tid; /* [n_rows] vertical and hybrid: row ids, distinct */
    context *context;      /* threads; the master's seed */
} view_task;

/* Numbers of one phase at this party. */
typedef struct view_phase {
    double seconds;
    uint64_t n_messages, bytes; /* sent */
} view_phase;

/* What a master tells about its work; see view.note. */
enum { VIEW_NOTES = 8 };

enum { PHASE_ENCRYPTION, PHASE_INTEGRATION, PHASE_DECRYPTION, PHASE_DECODING, VIEW_PHASES };

typedef struct view {
    party *p;
    const view_task *task;
    arena *memory;
    view_keys *keys; /* parties with data */
    prg *coins;
    uint32_t self, n_holders;
    uint32_t master;    /* the first, or the only one */
    uint32_t n_masters; /* 1 or more */
    view_packet packet; /* a master's view after view_gather; all columns, all rows */
    uint64_t seed;      /* at masters: the same at all of them */
    uint64_t unmatched; /* row ids that were dropped for want of a partner, */
    uint64_t kept;      /* and those that stay, where that was in question */
    uint64_t n_operations;
    bool allowed_slow_peers; /* how the party waited before */
    double note[VIEW_NOTES]; /* set by the first master before view_reveal, known to all after it */
    view_phase phase[VIEW_PHASES];
} view;

/* The released table: texts by column, and codes. */
typedef struct view_release {
    uint32_t n_rows;
    uint32_t *values;    /* [n_columns] */
    view_label **labels; /* [n_columns][values] */
    uint32_t **codes;    /* [n_columns][n_rows] */
} view_release;

static inline bool view_holds(const view *v)
{
    return v->self < v->n_holders;
}
static inline bool view_masters(const view *v)
{
    return v->self >= v->master && v->self < v->master + v->n_masters;
}
static inline bool view_external(const view *v)
{
    return v->master >= v->n_holders;
}

/* Checks who is who and draws keys; from now on the party is patient with others that work. Close
 * it in any case: keys are wiped with it. */
kith_status view_open(view **v, party *p, const view_task *task, kith_error *error) KITH_MUST_USE;
void view_close(view *v);

/* Encryption and integration: masters end with the view, the others with nothing. KITH_DATA at all
 * parties where row ids that some sites lack are an error. */
kith_status view_gather(view *v, kith_error *error) KITH_MUST_USE;

/* Decryption and decoding. A master has replaced the codes of its packet by those of the entries
 * that are to be released (of any level), or failed: then `verdict` is its status, and all parties
 * fail with it. All parties with data get the table, in the same order, which says nothing;
 * it lives as long as the view. */
kith_status view_reveal(view *v, view_release *out, kith_status verdict,
                        kith_error *error) KITH_MUST_USE;

/* Adds "encryption_seconds", …; anonymization is the caller's. */
void view_report(const view *v, protocol_report *report);

/* --- inside --- */

/* Runs the phase's clock. */
void view_begin(view *v, int phase, const char *step);
void view_end(view *v, int phase);

/* The final barrier (leave_together.h) before all parties return the same error. */
void view_leave_together(view *v);

/* Vertical: drops row ids that not all sites have, or fails; then all sites' rows are in one order.
 * (view_match.c) */
kith_status view_match(view *v, view_packet *k, kith_error *error) KITH_MUST_USE;
/* From the master to all others: what became of rows without partner. */
kith_status view_tell_unmatched(view *v, uint64_t unmatched, uint64_t kept,
                                kith_error *error) KITH_MUST_USE;
/* Decoding (view_decode.c): `k` is this party's if it is `last`. */
kith_status view_decode(view *v, view_release *out, view_packet *k, uint32_t last,
                        kith_error *error) KITH_MUST_USE;

#endif
