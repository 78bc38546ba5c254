/* Placeholders for protocols that are being written: each is replaced when its own file is there.
 */
#include "core/error.h"
#include "job/joint.h"
#include "protocol/horizontal.h"

static kith_status not_yet(const char *what, kith_error *error)
{
    return error_set(error, KITH_INVALID, "this version does not have the protocol %s yet", what);
}

__attribute__((weak)) kith_status joint_vertical(joint_run *j, kith_error *error)
{
    (void)j;
    return not_yet("clustering for vertical data", error);
}

__attribute__((weak)) kith_status clustering_horizontal(horizontal_result *result, party *p,
                                                        const horizontal_task *task,
                                                        kith_error *error)
{
    (void)result, (void)p, (void)task;
    return not_yet("clustering", error);
}
