#include "hierarchy/repeated_findings.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/findings.h"

void tally_add(tally *t, size_t line, const char *format, ...)
{
    if (t->count++ >= TALLY_TOLD)
        return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    findings_add(t->findings, t->severity, t->file, line, 0, "%s", text);
}

void tally_end(const tally *t, const char *what)
{
    if (t->count > TALLY_TOLD)
        findings_add(t->findings, t->severity, t->file, 0, 0, "… and %zu more %s",
                     t->count - TALLY_TOLD, what);
}
