#include "search/cluster/merge_equal.h"

#include "core/error.h"
#include "search/cluster/agglomerative.h"

kith_status merge_equal(partition *classes, const problem *p, context *c, kith_error *error)
{
    for (;;) {
        bool merged = false;
        uint32_t model = UINT32_MAX, class = UINT32_MAX;
        TRY(partition_unite_equal(classes, p, c->memory, &merged, error));
        /* Repairs may make further closures equal, hence the loop. */
        if (!merged || partition_holds(classes, p, c->memory, &model, &class))
            return KITH_OK;
        if (model == UINT32_MAX)
            return error_nomem(error);
        TRY(agglomerative_finish(classes, p, c, error));
    }
}
