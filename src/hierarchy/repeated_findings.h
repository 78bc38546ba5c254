/* Findings of the same kind, of which only the first are told one by one. */
#ifndef HIERARCHY_REPEATED_FINDINGS_H
#define HIERARCHY_REPEATED_FINDINGS_H

#include <kith/status.h>

enum { TALLY_TOLD = 10 };

typedef struct tally {
    kith_findings *findings;
    const char *file; /* may be NULL */
    kith_severity severity;
    size_t count;
} tally;

void tally_add(tally *t, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "… and 35 more <what>", if there were more than are told. */
void tally_end(const tally *t, const char *what);

#endif
