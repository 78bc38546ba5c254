#include <kith/kith.h>

const char *kith_version(void)
{
    return KITH_VERSION;
}
