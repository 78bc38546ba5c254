/* Which records do all sites have, and in which order do all parties process them?
 *
 * From:   SDC section 5 assumes that all sites have the same records in the same order; private
 *         set intersection (smc/sets/sets.h) provides that.
 * Model:  as smc/sets/sets.h: semi-honest, decisional Diffie-Hellman.
 * Output: "intersection" (aggregate), which of its own identifiers all parties have, at each
 *         party. The order is that of a hash under a key that party 0 derives from that of its
 *         private choices, so that it says nothing about the records.
 * Leaks:  "align.counts" (aggregate), 2 (m - 1) values: how many rows each party has and how many
 *         of its identifiers occur more than once, at all parties. Where rows are matched,
 *         "set.sizes" (aggregate), the same numbers again, and "set.overlaps" (aggregate), how many
 *         identifiers any of the parties have in common, at party 0. If
 *         the rows are aligned already, only their numbers leak.
 * Cost:   align.counts (aggregate), 16 bytes, exchanged; where rows are matched align.key
 *         (control), m-1 messages of 32 bytes, and one intersection: set.size (aggregate), set.ring
 *         (blinded), set.merge (blinded), set.chosen (aggregate), set.strip (blinded) and set.plain
 *         (aggregate), as smc/sets/sets.h says; m+1 multiplications per row at each party. Where it ends
 *         in an error that all parties know, leave.together (control), exchanged. */
#ifndef PROTOCOL_COLUMNS_ALIGN_H
#define PROTOCOL_COLUMNS_ALIGN_H

#include "smc/sets/commute.h"

typedef struct columns_align_task {
    uint32_t n_rows;
    const commute_key *id;        /* [n_rows] the person of a row; NULL: rows are aligned already */
    uint32_t max_rows;            /* of any party; 0: no bound */
    threads *pool;                /* for the encryption; may be NULL */
    bool drop_unmatched;          /* false: rows that some sites lack are an error */
    const unsigned char *choices; /* key of private choices (private_choices.h), or NULL */
    bool seeded;                  /* tests and benchmarks: the order comes from the seed */
    uint64_t seed;
} columns_align_task;

typedef struct columns_align_result {
    uint32_t n_records; /* the same at all parties, more than 0 */
    uint32_t *row;      /* [n_records] this party's row of each record */
    uint32_t unmatched; /* rows of this party that some parties lack */
} columns_align_result;

/* Either all parties give identifiers, or none does. KITH_DATA, at all parties alike, if an
 * identifier occurs twice at some party, if there are no common records, if there are unmatched
 * ones that are not to be dropped, or if aligned rows differ in number; messages name who. */
kith_status columns_align(columns_align_result *result, party *p, const columns_align_task *task,
                          arena *memory, kith_error *error) KITH_MUST_USE;

#endif
