/* What the files share that register the protocol. */
#ifndef MODULES_MONDRIAN_MONDRIAN_MODULE_H
#define MODULES_MONDRIAN_MONDRIAN_MODULE_H

#include "protocol/disclosures.h"
#include "protocol/module.h"

extern const disclosure_line mondrian_disclosures[];
extern const disclosure_saying mondrian_sayings[];

#endif
