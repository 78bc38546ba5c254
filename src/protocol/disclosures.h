/* What a joint run discloses, in words, before it begins: for `kith party --dry-run`. The headers
 * of the protocols and docs/protocols/ say the same at length; a ledger says it of a finished run.
 */
#ifndef PROTOCOL_DISCLOSURES_H
#define PROTOCOL_DISCLOSURES_H

#include "protocol/options.h"

typedef struct disclosure_line {
    const char *to; /* "all parties", "the master", … */
    const char *what;
} disclosure_line;

/* Lines that apply to these options; the last one has to == NULL. At most DISCLOSURES_MAX. */
enum { DISCLOSURES_MAX = 16 };
void disclosures_list(disclosure_line lines[DISCLOSURES_MAX + 1], const protocol_options *o);

#endif
