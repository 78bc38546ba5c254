/* The end of horizontal clustering: Algorithm 3, step 31, but for the sensitive values, which are
 * the caller's affair. */
#ifndef PROTOCOL_ROWS_ROWS_CONCLUDE_H
#define PROTOCOL_ROWS_ROWS_CONCLUDE_H

#include "protocol/rows/rows_state.h"

/* Classes, their sizes and closures. Where wide levels had been left out, closures are looked for
 * there now, if a class has few enough candidates. */
kith_status rows_conclude(rows_result *result, rows_state *v, kith_error *error);

#endif
