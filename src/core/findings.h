/* Collecting everything that is wrong with an input, instead of stopping at the first. */
#ifndef CORE_FINDINGS_H
#define CORE_FINDINGS_H

#include <stdarg.h>

#include <kith/status.h>

/* Findings that are freed where their variable goes out of scope. */
#define FINDINGS_SCOPED __attribute__((cleanup(findings_free_scoped)))
static inline void findings_free_scoped(kith_findings **findings)
{
    kith_findings_free(*findings);
}

/* Those of the caller, or where there are none new ones, which *own then has, too. NULL if out of
 * memory. */
kith_findings *findings_or_own(kith_findings *callers, kith_findings **own);

/* Adds a finding; does nothing if `findings` is NULL. `file` may be NULL. A list keeps at most
 * 1,000 findings and only counts the rest. Where memory is lacking for one, findings_status says
 * so. */
void findings_add(kith_findings *findings, kith_severity severity, const char *file, size_t line,
                  size_t column, const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Says which key of a study a finding in the list is about. Without memory it has none. */
void findings_set_path(kith_findings *findings, size_t index, const char *path);

/* The finding of this index, or NULL. */
const kith_finding *findings_item(const kith_findings *findings, size_t index);

/* Returns KITH_OK if no problem was added since `before` (an earlier kith_findings_n_problems).
 * Otherwise fills `error` with the first of them and a hint that counts the others, and returns
 * `status`. KITH_NOMEM if the list is not complete because memory ran out. */
kith_status findings_status(const kith_findings *findings, size_t before, kith_status status,
                            kith_error *error);

#endif
