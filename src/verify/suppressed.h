/* Which rows of a release are suppressed: those that show the root in every quasi-identifier. This
 * is the only definition; the verifier, the measures and the summaries of all commands use it. */
#ifndef VERIFY_SUPPRESSED_H
#define VERIFY_SUPPRESSED_H

#include <stdbool.h>
#include <stdint.h>

#include "hierarchy/hierarchy.h"
#include "table/table.h"
#include "verify/classes.h"

/* How the root of one quasi-identifier appears in a release. */
typedef struct suppressed_root {
    const char *label; /* of the root, never empty */
    bool star;         /* `*` is not a label of the hierarchy, so that it can only mean the root:
                          some programs write it whatever the root is called */
} suppressed_root;

/* The root of a hierarchy; NULL: of a builder, which is always `*`. */
suppressed_root suppressed_root_of(const kith_hierarchy *hierarchy);

/* The class of `c` whose rows show the root's label in all `n_quasi` columns, or, if there is none,
 * the one that shows `*` instead of labels. UINT32_MAX if there is no such class, or if it has more
 * than `may_suppress` rows: then it is a class like any other. `roots` may be NULL if
 * `may_suppress` is 0. */
uint32_t suppressed_find(const kith_table *release, const classes *c, const uint32_t *quasi,
                         const suppressed_root *roots, uint32_t n_quasi, uint64_t may_suppress);

#endif
