/* Dependency networks (Bayesian networks of discrete variables): each variable depends on up to
 * three earlier ones. A row of synthetic data is one draw of all variables in order. Dependencies
 * matter, because data whose columns are independent is easier to anonymize than real data. */
#ifndef GENERATE_NETWORK_H
#define GENERATE_NETWORK_H

#include <stddef.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/rng.h"

enum {
    NETWORK_PARENTS = 3,
    NETWORK_TEXT = 31,    /* longest text of a value */
    NETWORK_LEVELS = 3,   /* of a hierarchy file, without leaf and root */
    NETWORK_NODES = 24,   /* most variables of a profile */
    NETWORK_NUMBERS = 12, /* of a value, besides its weight */
    NETWORK_CELL_MAX = 40 /* bytes a cell may take in the output buffer, separator included */
};

/* A value as it was read from a profile. */
typedef struct value {
    const char *text;
    uint32_t code; /* its place among the values of the variable */
    uint32_t weight;
    const char *up[NETWORK_LEVELS];    /* the groups above it, finest first; NULL: no more */
    uint32_t numbers[NETWORK_NUMBERS]; /* what depends on the value; 0 where none is given */
} value;

typedef enum node_kind {
    NODE_VALUES, /* one of the values */
    NODE_SERIAL, /* the row's number, from 10000001 on: unique */
    NODE_SPREAD  /* a number of one of the ranges FIRST..LAST, uniform inside */
} node_kind;

/* One variable:
 *
 *     {"job", .given = "band sex", .missing = 250, .weight = weigh_job,
 *      .values = "health/services: nurse=34, physician=11\n"
 *                "arts/services: musician=2, writer=1"}
 *
 * has the values of its texts, in this order: "nurse" is drawn 34 times as often as a value of
 * weight 1, and its row of the hierarchy file is nurse;health;services;*. More numbers may follow
 * the weight, as in "other=4 2 30". "17..26=5" stands for ten values of weight 5 (but for one range
 * of a spread). A value that depends on others has the product of its weight and one number for
 * every value of the parents, the first parent's numbers first; where that is not how the
 * dependency is, `weight` says how likely a value is, given those of the parents, in any unit. A
 * variable of very many values has `format`, which writes their texts, instead of `values`. */
typedef struct node {
    const char *name;
    const char *given; /* names of up to three earlier variables, the parents; NULL: none */
    node_kind kind;
    const char *values;
    uint32_t count; /* with `format`: how many values there are */
    void (*format)(uint32_t code, char text[NETWORK_TEXT + 1]);
    uint32_t (*weight)(const value *v, const value *const *parents);
    uint32_t missing; /* how many of 10,000 cells are empty */
} node;

typedef struct profile {
    const char *name;
    const char *summary;
    const char *columns;     /* names of the variables that are columns, in output order */
    const char *hierarchies; /* names of those that get a hierarchy file */
    const char *study;       /* YAML, without the leading comment */
    const size_t *study_length;
    node nodes[NETWORK_NODES]; /* parents before children; ends with one without a name */
} profile;

extern const profile profile_hospital, profile_adult, profile_survey;

/* The study of each profile, embedded from <profile>.yaml; no 0 follows the text. */
extern const char study_hospital[], study_adult[], study_survey[];
extern const size_t study_hospital_length, study_adult_length, study_survey_length;

typedef struct network network;

/* Reads a profile and builds its tables. KITH_BUG: it is malformed. */
kith_status network_new(network **net, arena *memory, const profile *p, kith_error *error);

uint32_t network_n_columns(const network *net);
const char *network_column(const network *net, uint32_t index);

/* The values of a variable, of which there are *count; NULL if no variable has that name. */
const value *network_values(const network *net, const char *name, uint32_t *count);

/* Most bytes that a row can take, including bytes behind its end that network_row may overwrite. */
size_t network_row_bytes(const network *net);

/* Draws one row and writes it with its line end to `out`; returns the end. */
char *network_row(const network *net, rng *r, uint64_t row, char *out);

#endif
