/* When other parties name records that should be lent, in a joint tree of columns whose study does
 * not say (`name`). All parties decide alike: from the study, their number and that of the common
 * records. */
#ifndef PROTOCOL_COLUMN_TREE_COLUMN_TREE_NAMING_H
#define PROTOCOL_COLUMN_TREE_COLUMN_TREE_NAMING_H

#include <stdint.h>

#include "protocol/options.h"

enum {
    COLUMN_TREE_NAMING_LIMIT = 20000000, /* bytes, of all parties */
    /* In how many sets that borrow a record is, on average: at most 2.7 on Adult. */
    COLUMN_TREE_NAMING_SETS = 3
};

/* The bytes that all parties together send for it (logic.h). */
static inline double column_tree_naming_bytes(uint32_t n_records, uint32_t n_parties)
{
    const double per_bit = n_parties == 2 ? 16 + 1 / 8. : n_parties;
    return per_bit * COLUMN_TREE_NAMING_SETS * n_records;
}

/* Two parties would tell each other single bits, for a gain of 1 to 3%. */
static inline bool column_tree_naming(naming wanted, uint32_t n_records, uint32_t n_parties)
{
    return wanted == NAMING_ALWAYS ||
           (wanted == NAMING_IF_CHEAP && n_parties > 2 &&
            column_tree_naming_bytes(n_records, n_parties) < COLUMN_TREE_NAMING_LIMIT);
}

#endif
