/* Estimates the cost of a run by the encrypted view before any data are sent: the model of EGV 4.5,
 * with the packets that this implementation sends.
 *
 * Like the paper's it assumes that rows and columns are spread evenly over the sites, and counts
 * group operations and bytes only. Unlike the paper's, in which "each party extracts the relevant
 * subsets" of the hierarchies, the first holder of a column sends a public hierarchy as a whole.
 * Where the paper takes 32 bits per cell and one dictionary per message, cells here take 1, 2 or 4
 * bytes, and hierarchies travel once per site. */
#ifndef PROTOCOL_VIEW_VIEW_COST_H
#define PROTOCOL_VIEW_VIEW_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "protocol/options.h"
#include "protocol/view/view.h"

/* One column of the joint table. */
typedef struct view_cost_column {
    uint64_t n_values;    /* distinct ones */
    uint64_t n_entries;   /* values and their generalizations of all sites: all that is encrypted */
    bool hierarchy;       /* there are generalizations */
    uint64_t released;    /* distinct values of the result; 0: not known, as many as values */
    uint64_t n_first;     /* entries that its first holder sends: a whole hierarchy; 0: as others */
    const double *n_held; /* [sites with the column + 1] entries of the values that so many of them
                           * have together, on average; NULL: each has all */
} view_cost_column;

typedef struct view_cost_task {
    partition_kind partition;
    uint32_t n_holders;      /* parties with data */
    uint32_t n_masters;      /* external ones; 0: a party with data is the master */
    uint32_t master;         /* its number, if it has data */
    uint32_t n_column_parts; /* into how many parts the columns are split: 1 for horizontal, the
                              * holders for vertical tables */
    uint64_t n_rows;         /* of the joint table */
    uint32_t n_columns;
    bool has_persons; /* the last one says whose each row is, and is none of the result */
    view_cost_column *columns;
} view_cost_task;

/* Rates of one party. */
typedef struct view_calibration {
    double multiply_seconds; /* one core */
    double hash_seconds;
    double check_seconds;    /* to validate a group element */
    double cores;            /* of one party; may be a fraction */
    double bytes_per_second; /* of the network, one way; 0: no limit */
} view_calibration;

/* Measures on one core for about the given time; the caller sets cores and network. */
void view_cost_calibrate(view_calibration *c, double seconds);

typedef struct view_cost_phase {
    uint64_t n_operations; /* multiplications one after the other: one party's in the encryption,
                            * all parties' in the decryption */
    uint64_t n_messages;   /* of all parties */
    uint64_t bytes;
    double seconds;
} view_cost_phase;

typedef struct view_cost {
    view_cost_phase phase[VIEW_PHASES];
    view_cost_phase all;
    view_cost_phase paper; /* all by the formulas as printed, 32-bit cells and 256-bit values */
} view_cost;

void view_cost_estimate(view_cost *out, const view_cost_task *task, const view_calibration *c);

#endif
