/* The page study: the study as text and as forms. */
#include "console/pages/pages.h"

const route page_study_routes[] = {{NULL, 0, NULL}};
