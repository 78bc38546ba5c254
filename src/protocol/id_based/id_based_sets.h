/* The quasi-identifiers of one party, how many rows have each, and which rows Alice gives up. */
#ifndef PROTOCOL_ID_BASED_ID_BASED_SETS_H
#define PROTOCOL_ID_BASED_ID_BASED_SETS_H

#include "core/arena.h"
#include "core/rng.h"
#include "protocol/id_based/id_based.h"

/* Names without repetition, ascending by their bytes. */
typedef struct id_based_names {
    uint32_t count;
    id_based_name *name;
} id_based_names;

/* The quasi-identifiers of a party. Invariants: `names` are ascending; n_rows[i] > 0;
 * n_left[i] <= n_rows[i] is how many of these rows are not suppressed. */
typedef struct id_based_sets {
    id_based_names names;
    uint32_t *n_rows; /* [names.count] */
    uint32_t *n_left; /* [names.count] */
    uint32_t *of_row; /* [rows of the task] number of the row's quasi-identifier */
} id_based_sets;

/* Groups the rows; none is suppressed yet. */
kith_status id_based_sets_make(id_based_sets *out, const id_based_task *task, arena *memory,
                               kith_error *error) KITH_MUST_USE;

/* Sigma: marks the k rows with the least frequent quasi-identifiers in suppressed[], all rows if
 * there are fewer, and takes them off n_left. Ties are broken by the generator, never by the order
 * of rows, which may tell something. At most one quasi-identifier that k or more rows have loses
 * rows: *split is its number if fewer than k are left, otherwise UINT32_MAX. */
kith_status id_based_sets_sigma(id_based_sets *s, bool *suppressed, uint32_t *split,
                                const id_based_task *task, rng *choices, arena *scratch,
                                kith_error *error) KITH_MUST_USE;

/* The place of a name among others, or UINT32_MAX; whether it has one. */
uint32_t id_based_names_find(const id_based_names *names, const id_based_name *name);
bool id_based_names_have(const id_based_names *names, const id_based_name *name);
/* Strictly ascending: what is expected from a peer. */
bool id_based_names_ascend(const id_based_names *names);
/* The names of both. */
kith_status id_based_names_unite(id_based_names *out, const id_based_names *a,
                                 const id_based_names *b, arena *memory,
                                 kith_error *error) KITH_MUST_USE;

#endif
