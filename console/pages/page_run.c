/* The page run: anonymize, runs, reports. */
#include "console/pages/pages.h"

const route page_run_routes[] = {{NULL, 0, NULL}};
