/* What the files share that register the protocol. */
#ifndef MODULES_CLUSTERING_CLUSTERING_MODULE_H
#define MODULES_CLUSTERING_CLUSTERING_MODULE_H

#include "protocol/disclosures.h"
#include "protocol/module.h"

extern const disclosure_line clustering_disclosures[];
extern const disclosure_saying clustering_sayings[];

#endif
