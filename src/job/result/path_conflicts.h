/* Outputs that would overwrite something that is still needed. */
#ifndef JOB_RESULT_PATH_CONFLICTS_H
#define JOB_RESULT_PATH_CONFLICTS_H

#include <stdbool.h>

#include <kith/anonymize.h>

/* True if the URI names a file that exists or can be made: not a stream, a database, a device or a
 * pipe. */
bool path_conflicts_is_file(const char *uri);

/* Refuses (KITH_INVALID) an output that is the input, the study or another output: with permission
 * to overwrite, that file would be lost. */
kith_status path_conflicts_check(const char *study_path, const kith_anonymize_options *options,
                                 kith_error *error) KITH_MUST_USE;

/* Refuses DIRECTORY/NAME if it is the very file that `input` names, for the same reason. */
kith_status path_conflicts_refuse_input(const char *input, const char *directory, const char *name,
                                        kith_error *error) KITH_MUST_USE;

/* Refuses DIRECTORY/NAME if it exists; the hint names --force. */
kith_status path_conflicts_refuse_existing(const char *directory, const char *name,
                                           kith_error *error) KITH_MUST_USE;

#endif
