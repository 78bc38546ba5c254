/* What each protocol supports: models, measures and algorithms. */
#ifndef PROTOCOL_SUPPORTS_H
#define PROTOCOL_SUPPORTS_H

#include "protocol/options.h"
#include "search/search.h"

/* Larger bounds would make the counts of a class overflow the comparison of the joint tree. */
enum { SUPPORTS_MAX_L = 1 << 10 };

bool supports_partition(const protocol_options *o);
/* Does the protocol count persons who have several rows, at one site or, with OVERLAP_MATCHED, at
 * several? */
bool supports_units(const protocol_options *o);
bool supports_model(const protocol_options *o, const model_spec *model);

/* For protocols: a bound on the rows of one person. */
bool supports_persons_bound(const model_spec *model);
/* What the rules of the joint tree of rows can keep, on classes and on sites
 * (joint_rules/joint_tree_rules.h). */
bool supports_joint_tree(const model_spec *model);
/* The same by trimming classes, so that no sensitive value is too frequent? Then good classes may
 * turn bad when records join. */
bool supports_by_trimming(const model_spec *model);
/* ... and by a rule that implies it, but forbids more? */
bool supports_by_stricter_rule(const model_spec *model);
/* What a pivot can check who has all sensitive columns. */
bool supports_columns(const model_spec *model);

bool supports_measure(const protocol_options *o, const measure_info *measure);
/* Only a master runs algorithms of the engine; other protocols have their own. */
bool supports_algorithm(const protocol_options *o, const algorithm *a, const search_spec *spec);

#endif
