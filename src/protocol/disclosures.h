/* What a joint run will disclose, in words: for `kith party --dry-run`. The headers of the
 * protocols and docs/protocols/ say the same at length; the ledger records it for a finished run.
 */
#ifndef PROTOCOL_DISCLOSURES_H
#define PROTOCOL_DISCLOSURES_H

#include "protocol/options.h"

typedef struct disclosure_line {
    const char *to; /* "all parties", "the master", … */
    const char *what;
} disclosure_line;

/* The lines that apply to these options, at most DISCLOSURES_MAX, and one with to == NULL after
 * them. */
enum { DISCLOSURES_MAX = 16 };
void disclosures_list(disclosure_line lines[DISCLOSURES_MAX + 1], const protocol_options *o);

#endif
