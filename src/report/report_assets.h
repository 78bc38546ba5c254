/* Files that a page contains; tools/embed turns them into C when Kith is built. */
#ifndef REPORT_REPORT_ASSETS_H
#define REPORT_REPORT_ASSETS_H

#include <stddef.h>

extern const char report_assets_style[], report_assets_script[], report_assets_charts[];
extern const size_t report_assets_style_length, report_assets_script_length,
    report_assets_charts_length; /* 0: built without charts */

#endif
