/* Labels of units of time, read: 2024-03-13 08:15, 2024-03-13 08:00-08:59, 2024-03-13, 2024-W11,
 * 2024-03, 2024-Q1, 2024, 2020s. */
#ifndef VERIFY_LABEL_DATES_H
#define VERIFY_LABEL_DATES_H

#include <stdbool.h>
#include <stdint.h>

#include "hierarchy/hierarchy.h"

/* The first and the last second that the text stands for, if it is a label of this unit. Minutes
 * and hours without a day are those of 1970-01-01. */
bool label_dates_read(const char *text, date_unit unit, int64_t *first, int64_t *last);

#endif
