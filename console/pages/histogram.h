/* Histograms of columns, for small pictures. */
#ifndef CONSOLE_PAGES_HISTOGRAM_H
#define CONSOLE_PAGES_HISTOGRAM_H

#include "console/pages/workspace.h"

/* Adds "histogram" to the object: {"low", "high", "counts": […]} with the texts of the least and
 * the greatest value and at most 24 counts, for numbers and dates with several values. Other
 * columns get none: their frequent values are in the description. */
kith_status histogram_add(cJSON *object, const dataset *d, size_t column, kith_error *error);

#endif
