/* Hierarchy files that stand beside the data under the names that ARX's users give them. */
#ifndef JOB_PROFILE_FIND_HIERARCHIES_H
#define JOB_PROFILE_FIND_HIERARCHIES_H

#include <stdbool.h>

#include "core/arena.h"
#include "table/table.h"

/* Looks for <data>_hierarchy_<column>.csv beside the data and in hierarchies/, and there also for
 * <column>.csv, <data>-<column>.csv and <data>_<column>.csv (<data> without its .csv). *path is the
 * first one that exists, NULL if there is none; *fits says whether it is a hierarchy and holds all
 * values of the column. If none of them exists, the only file of another table in hierarchies/ that
 * holds all values is taken: <other>-<column>.csv, <other>_<column>.csv or
 * <other>_hierarchy_<column>.csv. */
kith_status find_hierarchies_for_column(const char **path, bool *fits, arena *memory,
                                        const kith_table *table, uint32_t column_index,
                                        const char *data_path, kith_error *error);

/* `path` as seen from a directory; both must exist. */
kith_status find_hierarchies_relative_path(const char **shown, arena *memory, const char *path,
                                           const char *directory, kith_error *error);

#endif
