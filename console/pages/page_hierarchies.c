/* The page hierarchies: builders and trees. */
#include "console/pages/pages.h"

const route page_hierarchies_routes[] = {{NULL, 0, NULL}};
