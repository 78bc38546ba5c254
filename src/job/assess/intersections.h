/* What who knows that a sensitive value does not change, as of a chronic disease, learns from
 * several classes with rows of one person: only the values that all of them show are left. Models
 * hold in each class by itself. */
#ifndef JOB_ASSESS_INTERSECTIONS_H
#define JOB_ASSESS_INTERSECTIONS_H

#include "core/document.h"
#include "job/prepare/prepare.h"
#include "verify/classes.h"

/* A sensitive column that a model protects, with one value for each person. */
typedef struct intersection {
    const char *column;
    uint32_t needed;    /* values that the models ask for in a class */
    uint32_t n_persons; /* of whom fewer are left */
} intersection;

typedef struct intersections {
    uint32_t count;
    intersection *columns;
} intersections;

/* `grouping` has the class of each record of `p`, whose problem has units; records of the class
 * `suppressed` show nothing (UINT32_MAX: there is none). Over ranks classes are numbered as those
 * of all, and of the grouping only their count and the classes of this rank's records are looked
 * at. */
kith_status intersections_count(intersections *found, const prepared *p, const classes *grouping,
                                uint32_t suppressed, context *c, kith_error *error) KITH_MUST_USE;

/* Adds the key `intersections`, and to `warnings` those of whom too few are left. */
void intersections_put(kith_document *d, document_node *root, document_node *warnings,
                       const intersections *found, uint32_t n_persons);

#endif
