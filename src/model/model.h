/* Privacy models as conditions on a class of records.
 *
 * A model judges a class of records (class_view). A class is described by its size, by how often
 * every value of each sensitive attribute occurs in it, and by the nodes that its records are
 * generalized to. Both count units, the persons to whom records belong: records, where each is a
 * unit. A unit with several values counts for each of them once, so that counts may add up to more
 * than the size. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "hierarchy/tree.h"

typedef enum model_id {
    MODEL_K_ANONYMITY,
    MODEL_L_DIVERSITY,
    MODEL_T_CLOSENESS,
    MODEL_K_MAP,
    MODEL_DELTA_PRESENCE,
    MODEL_ALPHA_K,
    MODEL_P_SENSITIVE,
    MODEL_LKC,
    MODEL_DISSIMILARITY,
    MODEL_DELTA_DISCLOSURE,
    MODEL_BETA_LIKENESS,
    MODEL_M_INVARIANCE,
    MODEL_DOMINANCE,
    MODEL_L_SITE_DIVERSITY, /* this one and the next look at sites: protocols enforce them */
    MODEL_M_PRIVACY,
    MODEL_COUNT
} model_id;

typedef enum model_variant {
    VARIANT_NONE,
    VARIANT_FREQUENCY,
    VARIANT_DISTINCT,
    VARIANT_ENTROPY,
    VARIANT_RECURSIVE,
    VARIANT_EQUAL,
    VARIANT_ORDERED,
    VARIANT_HIERARCHICAL,
    VARIANT_BASIC,
    VARIANT_ENHANCED,
    VARIANT_ATTRIBUTES,
    VARIANT_SITES,
    VARIANT_COUNT
} model_variant;

/* The people among whom k-map hides a class (model/k_map.h). */
typedef struct population population;

/* What a model must know about the whole table. Values are codes of its sensitive attribute. */
typedef struct model_facts {
    uint32_t n_records; /* or units, where the model counts those; so does `overall` */
    uint32_t n_values;
    const uint32_t *overall; /* [n_values] how often each occurs in the table */
    uint32_t occurring;      /* values that occur at all */
    const uint32_t *rank;    /* [n_values] place in the order of the values that occur, else MAX */
    const uint32_t *by_rank; /* [occurring] the value at each place */
    const tree *tree;        /* hierarchy of the values; NULL where there is none */
    const uint32_t *leaf_of; /* [n_values] leaf of each, UINT32_MAX where a value never occurs */
    const uint32_t *value_of_leaf; /* [leaves] or UINT32_MAX */
    const uint8_t *listed;         /* [n_values] named in the study (lkc, delta-presence) */
    const population *population;  /* k-map */
    /* m-invariance: the values of the sensitive attribute `signature` are numbers of earlier
     * signatures, 0 for records without one; the signature s > 0 has the values
     * signature_value[signature_start[s] … [s + 1] - 1]. */
    uint32_t signature;
    const uint32_t *signature_start, *signature_value;
} model_facts;

/* What a study says about one model, and, once the model is bound to a table, the facts about it.
 */
typedef struct model_spec {
    model_id id;
    model_variant variant;
    uint32_t k;                /* k-anonymity, k-map, alpha-k, p-sensitive, lkc, dissimilarity */
    double l;                  /* l-diversity; lkc: how many attributes an attacker knows;
                                  l-site-diversity */
    double c;                  /* l-diversity (recursive), lkc */
    double t;                  /* t-closeness */
    double alpha;              /* alpha-k */
    double share;              /* dominance */
    uint32_t p;                /* p-sensitive */
    double min, max;           /* delta-presence */
    double epsilon, delta;     /* dissimilarity; delta-disclosure has delta */
    double beta;               /* beta-likeness */
    uint32_t m;                /* m-invariance */
    uint32_t other_values;     /* m-privacy: sensitive values without any one site; 0: any */
    const char *attribute;     /* sensitive column, NULL where the model has none */
    uint32_t sensitive;        /* index of that attribute among the problem's sensitive ones */
    const char *const *values; /* [n_values] lkc: protected values, none for all; delta-presence:
                                 those of the column `attribute` that make up the research subset */
    uint32_t n_values;         /* l-site-diversity (attributes): names of quasi-identifiers */
    const uint32_t *among;     /* [n_values] those as attributes of the problem; NULL until bound */
    const char *population;    /* k-map: path of a table */
    const char *const *previous; /* [n_previous] m-invariance: paths of earlier mappings */
    uint32_t n_previous;
    const char *person;       /* m-invariance: the column that tells persons apart */
    bool by_units;            /* counts people who may have several rows (class_view.units) */
    uint64_t line;            /* of the study, for messages */
    const model_facts *facts; /* NULL until the model is bound to a table */
} model_spec;

/* Counts of one sensitive attribute in a class; counts[values], dense. */
typedef struct histogram {
    const uint32_t *counts;
    uint32_t n_values;
} histogram;

/* The records of a class whose units, persons say, may have several. */
typedef struct class_units {
    uint32_t n_records;
    uint32_t most_records;      /* of one unit */
    const uint32_t *most_shown; /* [n_sensitive] records with the most frequent value */
} class_units;

typedef struct class_view {
    uint32_t size;              /* units */
    const histogram *sensitive; /* [n_sensitive of the problem] units that show each value */
    const uint32_t *closure;    /* [n_attributes] nodes; only where models_need_closure */
    const class_units *units;   /* NULL: each record is a unit */
} class_view;

/* What a model finds in a class. */
typedef struct model_finding {
    bool holds;
    const char *quantity; /* what was measured: "records", "share of one value", … */
    double found, needed; /* in the model's own unit */
    bool at_most;         /* `needed` is an upper bound */
} model_finding;

const char *model_name(model_id id); /* "k-anonymity" */
const char *model_variant_name(model_variant variant);

/* Is the model about the sites of a joint run? Such a model cannot judge a class_view: the
 * functions below that take a model_spec do not accept it. */
bool model_of_sites(model_id id);

/* Does this pair of model and variant exist? */
bool model_exists(model_id id, model_variant variant);

/* The class must have a record. Cost: the values of the attribute, for dissimilarity their square.
 * Models other than k-anonymity, l-diversity, alpha-k and p-sensitive must have been bound. */
model_finding model_judge(const model_spec *model, const class_view *view);
bool model_holds(const model_spec *model, const class_view *view);
/* Is `a` worse than `b`, both values that this model found? */
bool model_worse(const model_spec *model, double a, double b);

/* Does the union of two classes that satisfy the model satisfy it too? True for all except
 * dissimilarity and m-invariance, but where units are counted only for those that look at no
 * values: a unit of both classes counts once in their union, so that another's share grows. */
bool model_closed(const model_spec *model);
/* The same as if each record were a unit. */
bool model_closed_by_records(const model_spec *model);
bool models_closed(const model_spec *models, uint32_t count);
/* In a lattice of generalizations: does a node satisfy the model if one below it does? With
 * suppression that takes more: a good class must stay good whichever records join it. */
bool model_monotone(const model_spec *model, bool with_suppression);
bool models_need_closure(const model_spec *models, uint32_t count);
/* Does the model speak of a distribution of values over units, so that each must have one?
 * Otherwise it looks at the units of each value by themselves. */
bool model_needs_one_value(const model_spec *model);
/* Does the model look at sensitive values (or the subset) at all? */
bool model_looks_at_values(const model_spec *model);

/* How many different values of an attribute the models ask for in a class, or make likely; 0: none
 * looks at it. */
uint32_t models_values_needed(const model_spec *models, uint32_t count, uint32_t sensitive);

/* Smallest class that these models allow: the largest k, at least 1. */
uint32_t models_minimum_size(const model_spec *models, uint32_t count);
/* A lower bound on the size of a class that satisfies the model; more than its k where the model
 * asks for several values. */
uint32_t model_minimum_size(const model_spec *model);

#endif
