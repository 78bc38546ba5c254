/* How much memory a run may take, as studies and options say it. */
#ifndef STUDY_MEMORY_SIZE_H
#define STUDY_MEMORY_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

/* For messages. */
#define MEMORY_SIZE_EXPECTED "a size such as 500MB or 2GB, at least 1MB"

/* A number with a unit, as in 500MB or 1.5GB. */
bool memory_size_parse(const char *text, uint64_t *bytes);

/* Is it enough for a job? 0 means that the job may take what it needs. */
kith_status memory_size_check(uint64_t bytes, kith_error *error) KITH_MUST_USE;

#endif
