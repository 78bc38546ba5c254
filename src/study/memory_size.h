/* How much memory a run may take, as studies and options say it. */
#ifndef STUDY_MEMORY_SIZE_H
#define STUDY_MEMORY_SIZE_H

#include <stdbool.h>
#include <stdint.h>

/* For messages. */
#define MEMORY_SIZE_EXPECTED "a size such as 500MB or 2GB, at least 1MB"

/* A number with a unit, as in 500MB or 1.5GB. */
bool memory_size_parse(const char *text, uint64_t *bytes);

#endif
