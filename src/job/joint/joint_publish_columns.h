/* The last step of a joint run on columns: from classes, known to all, closures that each site has
 * of its own columns, and cells that one site has, to one table at all sites.
 *
 * Every site sends the labels of its closures, class by class; the holder of the cells that are
 * released as they are (sensitive ones, with `publish_insensitive` the insensitive ones too) sends
 * the tuples of every class, sorted, so that nobody learns which record of a class has which.
 * Labels are those of the release, all there is of a hierarchy that comes from the data. */
#ifndef JOB_JOINT_JOINT_PUBLISH_COLUMNS_H
#define JOB_JOINT_JOINT_PUBLISH_COLUMNS_H

#include "job/prepare/prepare.h"
#include "protocol/columns.h"

/* Texts in study order; rows stand in an order that party 0 draws for all. `holder` has the cells,
 * HOLDERS_NONE if there are none. Free the table. */
kith_status joint_publish_columns(kith_table **texts, party *p, const prepared *mine,
                                  const columns_result *result, uint32_t holder, context *c,
                                  kith_error *error);

#endif
