#include "core/error.h"
#include "table/sink.h"
kith_status postgres_sink_open(sink *s, const sink_request *r, kith_error *error)
{
    (void)s;
    (void)r;
    return error_set(error, KITH_INVALID, "databases are not read or written yet");
}
