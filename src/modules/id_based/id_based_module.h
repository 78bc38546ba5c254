/* What the files share that register the protocol. */
#ifndef MODULES_ID_BASED_ID_BASED_MODULE_H
#define MODULES_ID_BASED_ID_BASED_MODULE_H

#include "protocol/disclosures.h"
#include "protocol/module.h"

struct joint_run;

kith_status joint_id_based(struct joint_run *j, kith_error *error);
extern const disclosure_line id_based_disclosures[];
extern const disclosure_saying id_based_sayings[];

#endif
