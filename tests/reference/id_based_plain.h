/* The function that the ID-based protocol computes (IDK 5.3), with both tables in one place. */
#ifndef REFERENCE_ID_BASED_PLAIN_H
#define REFERENCE_ID_BASED_PLAIN_H

#include <stdbool.h>
#include <stdint.h>

/* A row: its quasi-identifier, as a number below n_values, and whether it is one of Alice's. */
typedef struct id_based_plain_row {
    uint32_t value;
    bool of_alice;
    bool in_sigma; /* Alice's choice, which id_based_plain_sigma judges */
} id_based_plain_row;

/* Whether the rows marked in_sigma are a sigma: k of Alice's rows (all, if she has fewer) whose
 * quasi-identifiers are the least frequent ones among hers. */
bool id_based_plain_sigma(const id_based_plain_row *rows, uint32_t n_rows, uint32_t n_values,
                          uint32_t k);

/* Fills suppressed[] for the given sigma. True if the table is k-anonymous as it is. */
bool id_based_plain(bool *suppressed, const id_based_plain_row *rows, uint32_t n_rows,
                    uint32_t n_values, uint32_t k);

#endif
