/* Dependency networks (Bayesian networks of discrete variables): each variable depends on up to
 * three earlier ones. A row of synthetic data is one draw of all variables in order. Dependencies
 * matter, because data whose columns are independent is easier to anonymize than real data. */
#ifndef GENERATE_NETWORK_H
#define GENERATE_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/rng.h"

enum {
    NETWORK_PARENTS = 3,
    NETWORK_TEXT = 31,    /* longest text of a value */
    NETWORK_LEVELS = 3,   /* of a hierarchy file, without leaf and root */
    NETWORK_NODES = 24,   /* most variables of a profile */
    NETWORK_CELL_MAX = 40 /* bytes a cell may take in the output buffer, separator included */
};

/* A value with its weight and the groups above it, finest first (NULL: no more levels):
 *
 *     {"nurse", 34, {"health", "services"}}
 *
 * is drawn 34 times as often as a value of weight 1, and its row of the hierarchy file is
 * nurse;health;services;* */
typedef struct value {
    const char *text;
    uint32_t weight;
    const char *up[NETWORK_LEVELS];
} value;

typedef enum node_kind {
    NODE_VALUES, /* one of `count` texts */
    NODE_SERIAL, /* the row's number, from 10000001 on: unique */
    NODE_SPREAD  /* one of `count` ranges bounds[i] … bounds[i + 1] - 1, uniform inside */
} node_kind;

/* One variable. A profile is a table of them, written with designated initializers:
 *
 *     [JOB] = {.name = "job", .count = 35, .values = jobs, .weight = weigh_job,
 *              .n_parents = 2, .parents = {BAND, SEX}}
 *
 * `weight` says how likely a value is, given the values of the parents, in any unit;
 * without it values[].weight counts. Its texts are values[].text, or what `format` writes. */
typedef struct node {
    const char *name;
    node_kind kind;
    uint32_t count;
    const value *values;
    void (*format)(uint32_t code, char text[NETWORK_TEXT + 1]);
    uint32_t (*weight)(uint32_t code, const uint32_t *parents);
    const uint32_t *bounds;
    uint32_t n_parents;
    uint8_t parents[NETWORK_PARENTS];
    uint32_t missing; /* how many of 10,000 cells are empty */
} node;

/* Hierarchy file of a variable whose values have groups. */
typedef struct hierarchy_file {
    const char *name; /* such as "hospital-job.csv" */
    uint8_t node;
} hierarchy_file;

typedef struct profile {
    const char *name;
    const char *summary;
    const node *nodes; /* parents before children */
    uint32_t n_nodes;
    const uint8_t *columns; /* the variables that are columns, in output order */
    uint32_t n_columns;
    const hierarchy_file *hierarchies;
    uint32_t n_hierarchies;
    const char *study; /* YAML, without the leading comment */
} profile;

extern const profile profile_hospital, profile_adult, profile_survey;

typedef struct network network;

/* Builds the tables of a profile. Parents must come before their children. */
kith_status network_new(network **net, arena *memory, const profile *p, kith_error *error);

/* Most bytes that a row of this profile can take, including bytes behind its end that network_row
 * may overwrite. */
size_t network_row_bytes(const profile *p);

/* Draws one row and writes it with its line end to `out`; returns the end. */
char *network_row(const network *net, rng *r, uint64_t row, char *out);

#endif
