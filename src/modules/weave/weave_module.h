/* What the files share that register the protocol. */
#ifndef MODULES_WEAVE_WEAVE_MODULE_H
#define MODULES_WEAVE_WEAVE_MODULE_H

#include "protocol/disclosures.h"
#include "protocol/module.h"

extern const disclosure_line weave_disclosures[];
extern const disclosure_saying weave_sayings[];

#endif
