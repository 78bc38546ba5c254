#include "reference/id_based_plain.h"

#include <stdlib.h>

bool id_based_plain_sigma(const id_based_plain_row *rows, uint32_t n_rows, uint32_t n_values,
                          uint32_t k)
{
    uint32_t n_alice = 0, n_chosen = 0, highest = 0;
    uint32_t *count = calloc(n_values + 1, sizeof *count);
    uint32_t *outside = calloc(n_values + 1, sizeof *outside);
    bool right = true;
    for (uint32_t i = 0; i < n_rows; i++) {
        right = right && (rows[i].of_alice || !rows[i].in_sigma);
        n_alice += rows[i].of_alice;
        n_chosen += rows[i].in_sigma;
        count[rows[i].value] += rows[i].of_alice;
        outside[rows[i].value] += rows[i].of_alice && !rows[i].in_sigma;
    }
    for (uint32_t i = 0; i < n_rows; i++)
        if (rows[i].in_sigma && count[rows[i].value] > highest)
            highest = count[rows[i].value];
    /* Nothing less frequent than the most frequent one in sigma is left outside. */
    for (uint32_t v = 0; v < n_values; v++)
        right = right && (outside[v] == 0 || count[v] >= highest);
    /* Quasi-identifiers are taken one after the other: at most one is taken in part. */
    uint32_t n_parts = 0;
    for (uint32_t v = 0; v < n_values; v++)
        n_parts += outside[v] > 0 && outside[v] < count[v];
    free(count);
    free(outside);
    return right && n_parts <= 1 && n_chosen == (n_alice < k ? n_alice : k);
}

bool id_based_plain(bool *suppressed, const id_based_plain_row *rows, uint32_t n_rows,
                    uint32_t n_values, uint32_t k)
{
    uint32_t *all = calloc(n_values + 1, sizeof *all), *left = calloc(n_values + 1, sizeof *left);
    bool already = true;
    for (uint32_t i = 0; i < n_rows; i++) {
        all[rows[i].value]++;
        left[rows[i].value] += !rows[i].in_sigma;
    }
    for (uint32_t i = 0; i < n_rows; i++)
        already = already && all[rows[i].value] >= k;
    for (uint32_t i = 0; i < n_rows; i++)
        suppressed[i] = !already && (rows[i].in_sigma || left[rows[i].value] < k);
    free(all);
    free(left);
    return already;
}
