/* The encrypted global view: all sites' rows in one table of codes that stand for group elements,
 * so that any algorithm that needs no order on values can run on it.
 *
 * From:   EGV, sections 4.2 to 4.4: encryption (R-PRR), integration (L-SRR), anonymization at the
 *         master, decryption (SRR) and decoding, for h parties with data. An external master takes
 *         the master's place in the ring without data or keys. Changes against the paper:
 *         ristretto255 instead of prime192v1; every party sorts the dictionaries again; row ids
 *         are compared before they are dropped; the master draws the final order of rows; only the
 *         values of the result are decrypted; public hierarchies decode where they exist, instead
 *         of the ring of secret dictionaries.
 * Model:  semi-honest; decisional Diffie-Hellman, hash to group as a random oracle. Encryption is
 *         deterministic within a run: equal cells stay equal, and an attacker who has other records
 *         of the population names most values by what occurs together
 *         (docs/protocols/encrypted-view.md has figures): treat the master and all parties with
 *         data as able to read the table but for values that hardly repeat. The master must not
 *         collude with another party.
 * Output: "view.release" (release), rows: the anonymized table, at all parties with data;
 *         "view.notes" (aggregate): its loss and how long the search took, at the same parties.
 * Leaks:  "view.patterns" (choice): at each party with data, for the rows of the others while
 *         they are encrypted, and "view.table" (choice): at the master, for the rows of all: which
 *         cells are equal, how many rows and distinct values there are, and the shape of the
 *         hierarchies, which may tell what a node is; marked values are known to be those that
 *         models list. An external master can tell the rows of the first party from those of the
 *         others before it merges them. Where rows are of persons: "view.persons" (choice) and
 *         "view.table.persons" (choice): the same parties learn which rows are of one person;
 *         "view.refused" (aggregate): why a master could not, if it says so. With row ids: "view.matched" (aggregate): how many rows
 *         lack a partner; the master also learns how many row ids any subset of the sites have in
 *         common. Values that no public hierarchy lists: "view.values" (choice): a party that
 *         decodes sees which of them the parties before it know.
 * Cost:   with c columns (that of persons included, until the decryption), a packet is 1 + 2c messages, one more with row ids: view.shape (choice),
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
 *         each one after the other; view.texts (release), view.bytes (release) and view.rows
 *         (release), to h-1 parties. A run that ends because of what the master said ends with
 *         view.heard (control), exchanged.
 *
 *     step of EGV (4.2)                                function
 *     keys of a run                                    view_crypt_keys_new (view_crypt.c)
 *     encryption: encrypt one's own data               encrypt_own_table (view_gather.c)
 *     encryption: R-PRR                                encrypt_around (view_gather.c)
 *     vertical: sort by encrypted ids                  view_packet_by_tid (view_packet.c)
 *     vertical: drop the ids                           view_match (view_match.c)
 *     integration: L-SRR                               integrate_leftwards (view_gather.c)
 *     integration: join columns, unite rows            view_merge (view_merge.c)
 *     integration: merge hierarchies                   merge_column (view_merge.c)
 *     anonymization at the master                      the caller, on view_joint.packet
 *     decryption: SRR                                  decrypt_around (view_reveal.c)
 *     decoding: look up hashes (4.4)                   view_decode (view_decode.c)
 *     cost (4.5)                                       view_cost_estimate (view_cost.c) */
#ifndef PROTOCOL_VIEW_VIEW_H
#define PROTOCOL_VIEW_VIEW_H

#include "core/run/context.h"
#include "protocol/options.h"
#include "protocol/report.h"
#include "protocol/view/view_crypt.h"
#include "protocol/view/view_packet.h"
#include "wire/party.h"

enum { PHASE_ENCRYPTION, PHASE_INTEGRATION, PHASE_DECRYPTION, PHASE_DECODING, VIEW_PHASES };

/* --- what the caller sets --- */

/* Labels that every party can list: the public hierarchy of a column. */
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
    view_known known;         /* n_levels 0: no public hierarchy */
} view_source;

typedef struct view_task {
    const protocol_options *options;
    uint32_t n_columns;  /* the same at all parties */
    uint32_t n_released; /* of them; if there is one more, it says whose each row is */
    const view_source *columns;
    uint32_t n_rows;
    const view_label *tid; /* [n_rows] vertical and hybrid: row ids, distinct */
    context *context;      /* threads; the master's seed */
} view_task;

/* --- results --- */

/* What a master works on. */
typedef struct view_joint {
    view_packet *packet; /* all columns, all rows; NULL at parties that are not masters */
    uint64_t seed;       /* of the search: the first master's, at all masters */
} view_joint;

/* What the first master tells the parties with data about its search. Sent as it lies in memory. */
typedef struct view_notes {
    double seconds;         /* that the search took */
    double lm;              /* mean loss per cell */
    double objective;       /* mean loss by the measure that was minimized */
    uint64_t loss_is_known; /* 1: the losses above are valid */
    uint64_t n_passes;
    uint64_t n_transformations; /* of the lattice; 0: the algorithm searches none */
    uint64_t n_checked;         /* of them */
    uint64_t reason;            /* of a failure, as view_abandon was told it */
} view_notes;

/* The released table: texts by column, and codes. */
typedef struct view_release {
    uint32_t n_rows;
    uint32_t *values;    /* [n_columns] */
    view_label **labels; /* [n_columns][values]; NULL at parties without data */
    uint32_t **codes;    /* [n_columns][n_rows] */
} view_release;

/* --- the run --- */

typedef struct view view; /* view_internal.h */

/* All memory of a view is wiped when it is given back. Checks the roles and draws keys. Until
 * view_close the party waits longer for peers that compute. `task` must outlive the view. The
 * caller closes the view also after an error: that wipes the keys. */
kith_status view_open(view **v, party *p, const view_task *task, kith_error *error) KITH_MUST_USE;
void view_close(view *v);

/* Encryption and integration. KITH_DATA at all parties if some sites lack row ids of others and
 * the task does not say to drop them. `joint` lives as long as the view. */
kith_status view_gather(view *v, view_joint *joint, kith_error *error) KITH_MUST_USE;

/* Decryption and decoding. Before it a master replaces the codes of its packet by those of the
 * entries to be released (of any level). `notes`: the first master sets them, parties with data
 * receive them. All parties with data get the table, in the same random order of rows; it lives as
 * long as the view. */
kith_status view_reveal(view *v, view_release *out, view_notes *notes,
                        kith_error *error) KITH_MUST_USE;
/* Instead of view_reveal, at a master whose search failed with `status`: all parties with data fail
 * with it, too, and find `reason` in their notes: a number that the callers agree on, 0 if there is
 * nothing to say. Returns nothing, because the caller has an error to report already. */
void view_abandon(view *v, kith_status status, uint64_t reason);

/* Adds "encryption_seconds", …; the caller reports the anonymization. */
void view_report(const view *v, protocol_report *report);

#endif
