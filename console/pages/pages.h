/* The pages: each has a file here with its routes, and one in console/web with what is shown. */
#ifndef CONSOLE_PAGES_PAGES_H
#define CONSOLE_PAGES_PAGES_H

#include "console/server/route.h"

/* All end with a NULL path. */
extern const route page_shell_routes[];       /* files, jobs: what all pages need */
extern const route page_data_routes[];        /* tables and their columns */
extern const route page_hierarchies_routes[]; /* builders and trees */
extern const route page_study_routes[];       /* the study as text and as forms */
extern const route page_run_routes[];         /* anonymize, runs, reports */
extern const route page_release_routes[];     /* a run becomes the release */
extern const route page_together_routes[];    /* keys and joint studies */
extern const route page_party_routes[];       /* a party's part in a joint run */

#endif
