/* Findings of the same kind, of which only the first are told one by one. */
#ifndef HIERARCHY_REPEATED_FINDINGS_H
#define HIERARCHY_REPEATED_FINDINGS_H

#include <kith/status.h>

enum { REPEATED_FINDINGS_SHOWN = 10 };

typedef struct repeated_findings {
    kith_findings *findings;
    const char *file; /* may be NULL */
    kith_severity severity;
    size_t count;
} repeated_findings;

void repeated_findings_add(repeated_findings *t, size_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "… and 35 more <what>", if there were more than are told. */
void repeated_findings_end(const repeated_findings *t, const char *what);

#endif
