/* The plainest hierarchy: every value directly below the root. */
#include "hierarchy/builders.h"

kith_status build_flat(draft *d, const leaf_source *leaves, kith_findings *findings,
                       kith_error *error)
{
    return build_leaves_begin(leaves, d, 2, findings, error);
}
