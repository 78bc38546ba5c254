/* Persons whose rows several sites hold:
 *
 *     overlap: none | matched        no person is at two sites, or the parties find out who is
 *     match: trim | case | digits    matched: when two texts name the same person */
#include "study/schema/schema.h"

void schema_overlap(study_draft *d, const yaml_node_t *const *nodes)
{
    protocol_options *o = &d->study->joint;
    const yaml_node_t *overlap = nodes[JOINT_OVERLAP], *match = nodes[JOINT_MATCH];
    size_t choice;
    o->units = d->study->n_unit > 0;
    if (yaml_walk_choice(d->walk, overlap, "overlap", options_overlaps + OVERLAP_NONE, &choice))
        o->overlap = (overlap_kind)(choice + OVERLAP_NONE);
    if (overlap != NULL && !o->units && o->partition == PARTITION_HORIZONTAL &&
        !(d->study->unit_row && o->overlap == OVERLAP_NONE))
        yaml_walk_problem(d->walk, overlap,
                          "overlap: say which identifying columns tell persons apart, as in "
                          "'unit: patient'%s",
                          o->overlap == OVERLAP_NONE ? ", or 'unit: row'" : "");
    if (yaml_walk_choice(d->walk, match, "match", options_matches, &choice))
        o->match = (match_rule)choice;
    if (match != NULL && (overlap == NULL || o->overlap == OVERLAP_NONE) &&
        o->partition == PARTITION_HORIZONTAL)
        yaml_walk_problem(d->walk, match, "match is for overlap: matched");
}
