#include "hierarchy/repeated_findings.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/findings.h"

/* Counts all, shows the first few: a wrong file would fill the screen. */
void repeated_findings_add(repeated_findings *t, size_t line, const char *format, ...)
{
    if (t->count++ >= REPEATED_FINDINGS_SHOWN)
        return;
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    findings_add(t->findings, t->severity, t->file, line, 0, "%s", text);
}

void repeated_findings_end(const repeated_findings *t, const char *what)
{
    if (t->count > REPEATED_FINDINGS_SHOWN)
        findings_add(t->findings, t->severity, t->file, 0, 0, "… and %zu more %s",
                     t->count - REPEATED_FINDINGS_SHOWN, what);
}
