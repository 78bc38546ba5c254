/* What the files share that register the protocol. */
#ifndef MODULES_ENCRYPTED_VIEW_ENCRYPTED_VIEW_MODULE_H
#define MODULES_ENCRYPTED_VIEW_ENCRYPTED_VIEW_MODULE_H

#include "protocol/disclosures.h"
#include "protocol/module.h"

struct joint_run;

kith_status joint_view(struct joint_run *j, kith_error *error);
extern const disclosure_line encrypted_view_disclosures[];
extern const disclosure_saying encrypted_view_sayings[];

#endif
