/* The plainest hierarchy: every value directly below the root. */
#include "hierarchy/builders.h"

kith_status suppress_build(draft *d, const leaf_source *leaves, kith_findings *findings,
                           kith_error *error)
{
    return leaf_source_begin(leaves, d, 2, findings, error);
}
