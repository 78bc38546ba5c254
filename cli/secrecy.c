/* Keeps keys and masks out of what the system writes to disk by itself. */
#include "cli.h"

#include <sys/prctl.h>
#include <sys/resource.h>

/* The limit is for files; the kernel also hands cores to programs (core_pattern), which only the
 * second call prevents. It also keeps other programs of the same user from looking into this one.
 */
void secrecy_begin(void)
{
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)prctl(PR_SET_DUMPABLE, 0);
}
