/* The values of a variable, from the text that a profile has of them (see network.h). */
#ifndef GENERATE_VALUES_H
#define GENERATE_VALUES_H

#include "generate/network.h"

/* KITH_BUG: the text is malformed. */
kith_status values_read(value **values, uint32_t *count, arena *memory, const node *n,
                        kith_error *error);

#endif
