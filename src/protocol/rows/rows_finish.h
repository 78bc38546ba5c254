/* Clusters that are too small in the end: Algorithm 3, steps 26 to 30, or the hybrid way. */
#ifndef PROTOCOL_ROWS_ROWS_FINISH_H
#define PROTOCOL_ROWS_ROWS_FINISH_H

#include "protocol/rows/rows_turn.h"

kith_status rows_finish(rows_state *v, rows_turn *t, kith_error *error);

#endif
