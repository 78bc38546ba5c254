/* All secure primitives, once each, on tiny inputs that follow from the party's number, so that
 * every party knows what must come out: for tests of what may go wrong on the way. */
#ifndef SUPPORT_MEDLEY_H
#define SUPPORT_MEDLEY_H

#include "wire/party.h"

typedef struct medley_item {
    const char *name;
    uint32_t least; /* parties */
    kith_status (*fn)(party *p, void *user, kith_error *error);
} medley_item;

extern const medley_item medley[];
extern const size_t medley_items;

/* One after the other, as steps of their names, those for which there are enough parties. KITH_BUG
 * if a result is wrong and `user` is NULL; whoever expects wrong results, since a party lies,
 * passes anything else. */
kith_status medley_all(party *p, void *user, kith_error *error) KITH_MUST_USE;

#endif
