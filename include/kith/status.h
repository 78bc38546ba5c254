/* Status codes, error messages and findings: how Kith reports what went wrong. */
#ifndef KITH_STATUS_H
#define KITH_STATUS_H

#include <stdbool.h>
#include <stddef.h>

#include <kith/macros.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grouped by what the caller can do about it. */
typedef enum kith_status {
    KITH_OK = 0,
    KITH_NOMEM,      /* out of memory: use a bigger machine or less data */
    KITH_INVALID,    /* a parameter or a study that no data could make right */
    KITH_DATA,       /* input that breaks its format or contradicts the study */
    KITH_IO,         /* the operating system, a database or a disk said no */
    KITH_PEER,       /* another party or the network failed */
    KITH_INFEASIBLE, /* the privacy models cannot be met on this data */
    KITH_CANCELLED,  /* the caller's progress callback asked to stop */
    KITH_BUG         /* Kith itself is wrong: please report it */
} kith_status;

/* Short English name of a status, never NULL. */
KITH_API const char *kith_status_name(kith_status status);

/* Filled by a call that does not return KITH_OK. Owned by the caller, who need not initialise it;
 * every call takes NULL for "not interested". `message` has no line end; `hint`, if not empty, says
 * what to do about it. This struct never changes. */
typedef struct kith_error {
    kith_status status;
    char message[1024];
    char hint[512];
} kith_error;

/* Releases a text that a call has handed out as char * or char **. */
KITH_API void kith_free(void *text);

/* A list of everything that is wrong or remarkable about an input, in the order found. Calls that
 * can find several things take one (or NULL) and go on after the first. */
typedef struct kith_findings kith_findings;

typedef enum kith_severity { KITH_SEVERITY_WARNING, KITH_SEVERITY_PROBLEM } kith_severity;

/* `file` may be NULL; `line` and `column` count from 1, 0 means "does not apply". `path` names the
 * key of the study that the finding is about ("columns.age.type"), as kith_study_change takes it;
 * NULL: none, or several. */
typedef struct kith_finding {
    size_t size;
    kith_severity severity;
    const char *file;
    size_t line;
    size_t column;
    const char *text;
    const char *path;
} kith_finding;

KITH_API kith_findings *kith_findings_new(void); /* NULL if out of memory */
KITH_API void kith_findings_free(kith_findings *findings);
/* Findings in the list. */
KITH_API size_t kith_findings_n_listed(const kith_findings *findings);
/* How many more there were than the list keeps. */
KITH_API size_t kith_findings_n_dropped(const kith_findings *findings);
/* Problems, not warnings, among both. */
KITH_API size_t kith_findings_n_problems(const kith_findings *findings);
/* Fills `finding`, whose size the caller has set by KITH_INIT; its texts are valid until the list
 * is freed. False if the list has no finding of this index. */
KITH_API bool kith_findings_at(kith_finding *finding, const kith_findings *findings, size_t index);

#ifdef __cplusplus
}
#endif
#endif
