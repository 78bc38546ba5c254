/* The last step of a joint run on columns: all sites know the classes, each has the closures of its
 * own columns, one has the cells, and the result is one table at all sites.
 *
 * Every site sends the labels of its closures, class by class. The holder of the cells that are
 * released as they are (the sensitive ones, with `publish_insensitive` the insensitive ones, too)
 * sends the tuples of every class, sorted, so that no one learns which record of a class has which
 * tuple. Of a hierarchy that comes from the data, only the labels in the release become known. */
#ifndef JOB_JOINT_JOINT_PUBLISH_COLUMNS_H
#define JOB_JOINT_JOINT_PUBLISH_COLUMNS_H

#include "job/prepare/prepare.h"
#include "protocol/columns.h"

/* The release as texts, columns in study order, sorted rows (joint_release.h).
 * `holder` has the cells; HOLDERS_NONE: there are none. Free it with kith_table_free. */
kith_status joint_publish_columns(kith_table **texts, party *p, const prepared *mine,
                                  const columns_result *result, uint32_t holder, context *c,
                                  kith_error *error);

#endif
