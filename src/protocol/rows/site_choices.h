/* Choices that every site of a joint run makes for its own records: to which cluster they belong at
 * first, and which half they go to when a large cluster is split (SDC Algorithm 3, steps 2 and 22).
 * A run that has the records of all sites in one place makes the same choices site by site. */
#ifndef PROTOCOL_ROWS_SITE_CHOICES_H
#define PROTOCOL_ROWS_SITE_CHOICES_H

#include "core/rng.h"
#include "search/cluster/clusters.h"
#include "search/random_split.h"
#include "search/sequential_rules.h"

typedef struct site_choices {
    clusters *c;
    random_split split;
    const uint32_t *site_of; /* [records] NULL: all records are of one site */
    uint32_t *members;       /* [records] scratch */
    uint32_t *part;          /* [records] scratch */
    uint32_t *part_of;       /* [records] by record: the part of the last distribution */
} site_choices;

/* `by` is as in random_split_init; `n_parts` is the number of parts of the first distribution, at
 * most. Lives in c->memory. */
kith_status site_choices_init(site_choices *s, clusters *c, const uint32_t *site,
                              const sensitive_attribute *by, uint32_t n_parts, kith_error *error);
/* The generator of one site's choices. */
void site_choices_rng(rng *r, uint64_t seed, uint32_t site);
/* Another one, of choices that do not change the clusters. */
void site_choices_padding_rng(rng *r, uint64_t seed, uint32_t site);

/* How many parts the first distribution has: about k/2 records in each, or as many as a cluster
 * needs for its closure to be told. */
static inline uint32_t site_choices_parts(uint32_t n_records, uint32_t k, uint32_t min_known)
{
    return sequential_parts(n_records, min_known > k / 2 ? 2 * min_known : k);
}
/* Distributes the records of a site (record[0 … count-1], ascending) to `n_parts` parts: part_of.
 */
void site_choices_distribute(site_choices *s, const uint32_t *record, uint32_t count,
                             uint32_t n_parts, rng *r);
/* Makes clusters 0 … n_parts-1 of the parts; there must be none yet. Closes those with members;
 * sizes count the records that are here. */
kith_status site_choices_create_clusters(site_choices *s, uint32_t n_parts, kith_error *error);

/* Writes the records of a site in a cluster, ascending, to s->members; returns how many. */
uint32_t site_choices_members(site_choices *s, uint32_t cluster, uint32_t site);
/* Distributes the records of a site in one cluster to two halves: part_of. */
void site_choices_halve(site_choices *s, uint32_t cluster, uint32_t site, rng *r);
/* Moves the records of the second half to the empty cluster `other`. Sizes follow; closures do not.
 */
kith_status site_choices_move_half(site_choices *s, uint32_t cluster, uint32_t other,
                                   kith_error *error);

/* --- where sites hide how many records they have (SDC 8.2.3) --- */

/* The records that a site visits in its next turn: alpha times as many as it has, with a random
 * alpha between 0.5 and 1.5, beginning where the last turn ended. Alpha is drawn once: over many
 * turns others could average new ones out. The records are cut into at most two laps, neither of
 * which has a record twice. */
typedef struct site_choices_laps {
    double alpha;                  /* 0: not drawn yet */
    uint32_t next;                 /* where the turn after this begins */
    uint32_t first[2], records[2]; /* of each lap */
} site_choices_laps;
void site_choices_next_laps(site_choices_laps *l, uint32_t n_records, bool hide, rng *r);

/* --- where models look at sensitive values (SDC 6.1) --- */

/* Counts a distribution: adds the values of record[0 … count-1] to the rows of their parts. */
void site_choices_count(const site_choices *s, const value_counts *by, uint32_t *table,
                        const uint32_t *record, uint32_t count);
/* Moves records of one site to other parts so that every value of the tightest sensitive attribute
 * is spread more evenly over the `n_parts` rows of `table`, which follow. When all sites have done
 * so one after another, no two parts differ by more than one record of any value. Cost: records +
 * table. */
kith_status site_choices_flatten(site_choices *s, const value_counts *by, uint32_t *table,
                                 uint32_t n_parts, const uint32_t *record, uint32_t count,
                                 kith_error *error);
/* How many parts to try next if `n_parts` of them do not satisfy the models. */
static inline uint32_t site_choices_fewer_parts(uint32_t n_parts)
{
    return n_parts - (n_parts / 8 + 1) > 0 ? n_parts - (n_parts / 8 + 1) : 1;
}
/* Do all parts that have records satisfy the models? */
bool site_choices_hold(const value_counts *by, const uint32_t *table, uint32_t n_parts);

#endif
