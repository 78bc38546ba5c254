/* The options of a joint run in a study: plain data, the same at all parties. */
#ifndef PROTOCOL_OPTIONS_H
#define PROTOCOL_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

/* How a table is divided between the sites. */
typedef enum partition_kind {
    PARTITION_NONE,       /* not a study for joint runs */
    PARTITION_HORIZONTAL, /* rows */
    PARTITION_VERTICAL,   /* columns of the same people */
    PARTITION_HYBRID      /* both */
} partition_kind;

/* The joint tree of columns: do other sites name records that should be lent? */
typedef enum naming {
    NAMING_NEVER,
    NAMING_IF_CHEAP, /* if three sites or more pay little for it: column_tree_naming.h */
    NAMING_ALWAYS
} naming;

/* Rows at several sites: may a person have rows at two of them? */
typedef enum overlap_kind {
    OVERLAP_UNKNOWN, /* the study says nothing: such a person counts twice */
    OVERLAP_NONE,    /* no, the parties state */
    OVERLAP_MATCHED  /* the parties find out who does (smc/sets/homes.h) */
} overlap_kind;

/* When two texts name the same person. */
typedef enum match_rule {
    MATCH_TRIM,  /* equal without blanks around them */
    MATCH_CASE,  /* the same, and A to Z are a to z */
    MATCH_DIGITS /* equal digits; everything else is left out */
} match_rule;

enum { OPTIONS_WITHHOLD = 2 }; /* unless the study says otherwise: no record alone is told */

#define PROTOCOL_MASTER_EXTERNAL UINT32_MAX
/* m-privacy of joint runs over rows in studies that do not give another k. */
#define PROTOCOL_MIN_OTHERS 3
/* The same by values, in studies with a model about them. */
#define PROTOCOL_OTHER_VALUES 2
/* weave over rows: `blur` raises thresholds by up to k / 8. */
#define PROTOCOL_BLUR_SHARE 8
/* The most rows of a party where both work as long as the larger number of rows says (id-based
 * without `lists`), unless the study says otherwise. */
#define OPTIONS_ROWS_OF_LISTS 16384

typedef struct protocol_options {
    partition_kind partition;
    const struct protocol_module *protocol; /* never NULL in a study: module.h */
    bool own_rows;            /* publish: own-rows or virtual; each site gets its own rows only */
    bool virtual_rows;        /* publish: virtual; into a database, to be queried together */
    bool publish_insensitive; /* insensitive cells go with the sensitive ones */
    bool hide_sizes;          /* clustering over rows: questions come in full blocks */
    uint32_t withhold;        /* clustering, rows: closures of fewer records are not told; at least
                               * 1 there, 0 elsewhere */
    bool private_diversity;   /* clustering: only yes/no answers about diversity */
    double noise;             /* clustering, vertical: relative; 0: none */
    bool ids_aligned;         /* vertical: rows are in the same order everywhere */
    uint32_t master;          /* encrypted-view: index of a party with data, or EXTERNAL: the last
                               * party of the study has no data and anonymizes */
    uint32_t n_replicas;      /* encrypted-view: external parties (the last ones) whose results must
                               * agree; 1 unless said otherwise */
    uint32_t *pregeneralize;  /* encrypted-view: [n_columns of the study] level from which cells
                               * start;  NULL: all 0 */
    bool drop_unmatched;   /* unmatched: drop (default); else rows without partner are an error */
    uint32_t min_others;   /* weave, clustering, mondrian over rows: m-privacy by default, unless
                             * the study gives that model: the others of any one site have at least
                             * so many records in a class */
    uint32_t other_values; /* the same: different sensitive values that they have; 0: any */
    bool blur;             /* weave */
    bool quiet;            /* weave: answers about slots that split nothing stay secret */
    naming name;           /* weave, vertical */
    bool pools;            /* the same: small rests leave for pools; discloses more */
    uint32_t reweave;      /* weave: rounds of joint reweaving, 0: none */
    uint32_t max_rows;     /* of any party; 0: no bound */
    double alpha;          /* mondrian: weight of the range in the score; 1: range alone */
    uint32_t lists;        /* id-based: a bound on the quasi-identifiers of a party; 0: follows
                             * from the larger number of rows */
    bool hashing;          /* id-based: compare what is in the same bin, not all pairs */
    bool units; /* over rows: models count persons, who may have several rows (key `unit`) */
    overlap_kind overlap;
    match_rule match;       /* OVERLAP_MATCHED */
    bool again;             /* a second run on changed data or parameters is intended */
    uint32_t n_site_models; /* models about sites, apart from those of a class */
    const model_spec *site_models;
} protocol_options;

extern const char *const options_partitions[]; /* end with NULL */
extern const char *const options_overlaps[];
extern const char *const options_matches[];
const char *options_partition_name(partition_kind kind);      /* "horizontal" */
const char *options_protocol_name(const protocol_options *o); /* "weave" */

/* Is the last party a master without data, perhaps with replicas? */
bool options_external_master(const protocol_options *o);
/* Number of parties that hold data; those behind them (an external master and its replicas) come
 * last in the study. */
uint32_t options_holders(const protocol_options *o, uint32_t n_parties);

#endif
