/* What a run reads and writes must be different places. */
#ifndef JOB_RESULT_PATH_CONFLICTS_H
#define JOB_RESULT_PATH_CONFLICTS_H

#include <stdbool.h>

#include <kith/anonymize.h>

/* A place for a file, that is: no stream, no database, no device or pipe. */
bool path_conflicts_is_file(const char *uri);

/* Refuses (KITH_INVALID) an output that is the input, the study or another output: with permission
 * to overwrite, it would be lost. */
kith_status path_conflicts_check(const char *study_path, const kith_anonymize_options *options,
                                 kith_error *error);

#endif
