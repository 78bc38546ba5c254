/* Studies of the directory. They may name files: only those that the console may show are opened.
 */
#ifndef CONSOLE_PAGES_STUDIES_H
#define CONSOLE_PAGES_STUDIES_H

#include <kith/kith.h>

#include "console/server/route.h"

/* The text of a study or hierarchy file of at most 1 MiB; free it. */
kith_status studies_text(char **text, const char *path, kith_error *error);

/* Writes such a file, complete or not at all, and adds "version", which stands for what it holds. A
 * file that is there is replaced only if "version" of the body is its own, as when it was opened:
 * it may be something else that has the name by mistake, or somebody may have changed it since. */
kith_status studies_write(const char *path, const char *text, const cJSON *body, cJSON *out,
                          kith_error *error);

/* A route: {"path"} to {"text", "version"}. */
kith_status studies_show(const request *r, cJSON *out, kith_error *error);

/* A text as the study of file `path`, whose directory is where its relative paths start. */
kith_status studies_parse(kith_study **study, const char *text, const char *path,
                          kith_findings *findings, kith_error *error);

/* Both: every page that works with a study opens it here. */
kith_status studies_open(kith_study **study, const char *path, kith_findings *findings,
                         kith_error *error);

#endif
