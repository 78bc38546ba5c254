/* Collecting everything that is wrong with an input, instead of stopping at the first. */
#ifndef CORE_FINDINGS_H
#define CORE_FINDINGS_H

#include <stdarg.h>

#include <kith/status.h>

/* Adds a finding; `findings` may be NULL (nothing happens). `file` may be NULL. A list keeps at
 * most 1,000 findings and counts the rest; one that could not be stored for lack of memory counts
 * too. */
void findings_add(kith_findings *findings, kith_severity severity, const char *file, size_t line,
                  size_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* The finding of this index, or NULL. */
const kith_finding *findings_item(const kith_findings *findings, size_t index);

/* Returns KITH_OK if the list holds no problem since `before` (a value of
 * kith_findings_n_problems), else fills `error` with the first of them, and a hint that counts the
 * others. */
kith_status findings_status(const kith_findings *findings, size_t before, kith_status status,
                            kith_error *error);

#endif
