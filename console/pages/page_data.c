/* The page data: tables and their columns. */
#include "console/pages/pages.h"

const route page_data_routes[] = {{NULL, 0, NULL}};
