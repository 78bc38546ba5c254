/* How an honest party may end if a peer lies. Header only. */
#ifndef SUPPORT_HONEST_END_H
#define SUPPORT_HONEST_END_H

#include <stdbool.h>
#include <string.h>

#include <kith/status.h>

/* What a liar says of its own table is its input: nobody can tell a false one from a small table,
 * or from one of other people. */
static inline bool honest_end_allowed(const kith_error *e)
{
    static const char *const claims[] = {"no row is complete", "no identifier occurs at every site",
                                         "more than once",     "cells are at two sites",
                                         " has no rows",       " rows, site"};
    bool claimed = false;
    for (unsigned i = 0; i < sizeof claims / sizeof *claims; i++)
        claimed = claimed || strstr(e->message, claims[i]) != NULL;
    return e->status == KITH_OK || e->status == KITH_PEER || e->status == KITH_INFEASIBLE ||
           (e->status == KITH_DATA && claimed);
}

/* An error because of a peer says who it was; sums and unions do not tell who was wrong. */
static inline bool honest_end_names_a_party(const char *message)
{
    return strstr(message, "site") != NULL || strstr(message, "a party") != NULL;
}

#endif
