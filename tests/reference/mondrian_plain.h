/* Distributed Mondrian (protocol/mondrian/mondrian_protocol.h) in one place, by recursion and by
 * the definitions of the models: what the joint run must equal. Geometry (search/regions.h) and
 * private choices (search/ordered/mondrian_rule.h) are shared; what is counted and decided is not.
 */
#ifndef REFERENCE_MONDRIAN_PLAIN_H
#define REFERENCE_MONDRIAN_PLAIN_H

#include "search/search.h"

/* Which site holds which records of the union, and the models about sites. */
typedef struct mondrian_plain_sites {
    uint32_t count;
    const uint32_t *site_of; /* [n_records] below `count` */
    uint32_t n_models;
    const model_spec *models; /* [n_models] l-site-diversity of sites, m-privacy */
} mondrian_plain_sites;

/* How the score sums up the sites of a split, equation (2). The protocol has the first form; the
 * others are for experiments. */
typedef enum mondrian_plain_entropy {
    ENTROPY_PROTOCOL, /* nearly the last one, by sums (protocol/mondrian/mondrian_score.c) */
    ENTROPY_PRINTED,  /* the entropies of both halves, added as the paper prints it */
    ENTROPY_WEIGHTED  /* twice their mean, weighted by records */
} mondrian_plain_entropy;

typedef struct mondrian_plain_options {
    bool relaxed;
    double alpha;
    bool ranges; /* low and high of the result are the leaves at the ends of the regions */
    mondrian_plain_entropy entropy;
    uint64_t seed;
} mondrian_plain_options;

/* Classes are in the order of their first records; closures are those of their regions.
 * KITH_INFEASIBLE if all records together may not be a class. */
kith_status mondrian_plain(search_result *result, const problem *p,
                           const mondrian_plain_sites *sites, const mondrian_plain_options *options,
                           arena *memory, kith_error *error) KITH_MUST_USE;

#endif
