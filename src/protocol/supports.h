/* What each protocol supports: models, measures and algorithms. */
#ifndef PROTOCOL_SUPPORTS_H
#define PROTOCOL_SUPPORTS_H

#include "protocol/options.h"
#include "search/search.h"

/* An encrypted view works on all partitions, joint trees and clustering on rows or on columns, but
 * not on both at once, the others on rows only. */
bool supports_partition(const protocol_options *o);
/* Does the protocol count persons who have several rows, at one site or, with OVERLAP_MATCHED, at
 * several? */
bool supports_units(const protocol_options *o);
bool supports_model(const protocol_options *o, const model_spec *model);
/* The same for clustering over rows, models about sites among them. */
bool supports_rows_clustering(const model_spec *model);
/* The same for the joint tree of rows, on classes and on sites. */
bool supports_mondrian(const model_spec *model);
bool supports_joint_tree(const model_spec *model);
/* Does the joint tree of rows keep the model by trimming classes, so that no sensitive value is too
 * frequent? Then good classes may turn bad when records join. */
bool supports_by_trimming(const model_spec *model);
/* ... and by a rule that implies it, but forbids more? */
bool supports_by_stricter_rule(const model_spec *model);
bool supports_measure(const protocol_options *o, const measure_info *measure);
/* Only encrypted-view runs algorithms of the engine; the others have their own. */
bool supports_algorithm(const protocol_options *o, const algorithm *a, const search_spec *spec);

#endif
