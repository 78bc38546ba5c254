/* Placeholders for protocols that are being written: each is replaced when its own file is there.
 */
#include "core/error.h"
#include "job/joint.h"

static kith_status not_yet(const char *what, kith_error *error)
{
    return error_set(error, KITH_INVALID, "this version does not have the protocol %s yet", what);
}

__attribute__((weak)) kith_status joint_vertical(joint_run *j, kith_error *error)
{
    (void)j;
    return not_yet("clustering for vertical data", error);
}
