/* Runs below the directory: a run is a directory with summary.json, release.csv and its companion,
 * and often report.html, whether the console made it or the command line. */
#ifndef CONSOLE_PAGES_RUN_FILES_H
#define CONSOLE_PAGES_RUN_FILES_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include <kith/kith.h>

enum { RUN_PATH = 1200 };

/* Fails unless the text can be the name of a run or of a release: letters, digits, `.`, `_`, `-`,
 * not first a dot, at most 100. Such names need no quotes in a shell. */
kith_status run_name_check(const char *name, kith_error *error);

/* Makes runs/NAME and writes that path; fails if it exists. */
kith_status run_directory_make(char path[RUN_PATH], const char *name, kith_error *error);
/* Writes the path without making anything but `runs`: for a library call that makes the rest. */
kith_status run_directory_plan(char path[RUN_PATH], const char *name, kith_error *error);

/* A file of a run. The first only puts the path together; the second checks that it is there and
 * below the directory. */
void run_file(char path[RUN_PATH], const char *directory, const char *file);
kith_status run_file_check(char path[RUN_PATH], const char *directory, const char *file,
                           kith_error *error);
bool run_file_exists(const char *directory, const char *file);

/* Reads a JSON file, of the directory or of a run. Free with cJSON_Delete. */
kith_status run_json_read(cJSON **object, const char *path, kith_error *error);
kith_status run_file_json(cJSON **object, const char *directory, const char *file,
                          kith_error *error);
kith_status run_document_write(const kith_document *document, const char *directory,
                               const char *file, kith_error *error);

/* Adds all runs to the array: {"directory", "modified", "report", "release", "summary"}. */
kith_status run_files_list(cJSON *list, kith_error *error);

/* Reads the study of the directory that has this digest, and writes its path. */
kith_status run_study_find(kith_study **study, char path[RUN_PATH], const char *digest,
                           kith_error *error);

/* Copies a file to a path that exists. */
kith_status run_file_copy(const char *from, const char *to, kith_error *error);

#endif
