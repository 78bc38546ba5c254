/* The page together: joint studies and runs. */
#include "console/pages/pages.h"

const route page_together_routes[] = {{NULL, 0, NULL}};
