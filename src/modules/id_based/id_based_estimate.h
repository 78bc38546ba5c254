/* The cost of the ID-based protocol from numbers of rows and lists and the speed of this machine. */
#ifndef MODULES_ID_BASED_ID_BASED_ESTIMATE_H
#define MODULES_ID_BASED_ID_BASED_ESTIMATE_H

#include "job/rehearse/estimate.h"

/* For protocol_module. */
kith_status id_based_estimate_run(estimation *e, kith_error *error);

#endif
